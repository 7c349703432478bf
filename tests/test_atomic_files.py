"""Files are written completely or not at all, and nobody else reads them meanwhile."""

import os
import resource
import signal

import pytest

from labelnoise.atomic_files import (
    check_writable,
    read_text,
    write_bytes_atomically,
    write_text_atomically,
    written_atomically,
)
from messages import refused


def mode(path):
    return path.stat().st_mode & 0o777


@pytest.fixture
def target(tmp_path):
    """A file that only its owner can read."""
    path = tmp_path / "result.json"
    path.write_text("old")
    path.chmod(0o600)
    return path


def test_a_new_file_has_the_usual_permissions(tmp_path):
    usual = tmp_path / "usual"
    usual.touch()
    write_text_atomically(tmp_path / "new", "content")
    assert mode(tmp_path / "new") == mode(usual)
    assert read_text(tmp_path / "new") == "content"


@pytest.mark.parametrize("permissions", [0o600, 0o640, 0o644])
def test_permissions_of_a_file_are_kept(target, permissions):
    target.chmod(permissions)
    write_text_atomically(target, "new")
    assert mode(target) == permissions


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_nobody_else_can_read_the_temporary_file(target, umask):
    usual = os.umask(umask)
    try:
        with written_atomically(target) as stream:
            stream.write(b"secret")
            stream.flush()
            (temporary,) = (path for path in target.parent.iterdir() if path != target)
            assert mode(temporary) == 0o600
            assert target.read_text() == "old"
    finally:
        os.umask(usual)
    assert target.read_bytes() == b"secret"


def interrupted(path, error):
    with written_atomically(path) as stream:
        stream.write(b"half")
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interruption_leaves_the_old_file_and_nothing_else(target, error):
    with pytest.raises(error):
        interrupted(target, error)
    assert target.read_text() == "old"
    assert list(target.parent.iterdir()) == [target]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(target):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)  # writing more fails as on a full disk
    usual = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with refused("cannot_write") as caught:
            write_bytes_atomically(target, bytes(200_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, usual)
    assert caught.value.note.facts["path"] == str(target)
    assert target.read_text() == "old"
    assert list(target.parent.iterdir()) == [target]


def test_a_link_stays_a_link(target, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(target)
    write_text_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_what_is_not_a_file_is_never_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, tmp_path / "no" / "file", ""):
        with refused("cannot_write"):
            write_text_atomically(path, "new")
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_path_is_checked_without_writing(target, tmp_path):
    check_writable(target)
    check_writable(tmp_path / "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
    with refused("cannot_write"):
        check_writable(tmp_path)


def test_half_of_a_character_is_refused(target):
    target.write_text("old")
    with refused("cannot_write"):
        write_text_atomically(target, "lone \ud800 surrogate")
    assert target.read_text() == "old"


def test_files_that_cannot_be_read_are_refused(target):
    target.write_bytes(b"caf\xe9")
    with refused("not_utf8") as caught:
        read_text(target)
    assert caught.value.note.facts["position"] == 3
    with refused("cannot_read"):
        read_text(target.with_name("missing"))


def test_line_ends_and_byte_order_marks_are_read_alike(target):
    target.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_text(target) == "one\ntwo\nthree\n"
