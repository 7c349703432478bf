from labelnoise.progress import progress_to, stage, steps


def test_nobody_listens_unless_asked():
    assert list(steps("counting", [1, 2])) == [1, 2]


def test_listeners_hear_every_step_and_not_what_is_done_inside():
    heard = []
    with progress_to(lambda *report: heard.append(report)):
        for _ in steps("outer", "ab"):
            list(steps("inner", "xyz"))
        with stage("at once"):
            pass
    assert heard == [
        ("outer", 0, 2), ("outer", 1, 2), ("outer", 2, 2), ("at once", 0, 1), ("at once", 1, 1),
    ]  # fmt: skip
    list(steps("later", "a"))
    assert len(heard) == 5


def test_an_estimate_reports_how_far_it_is(task):
    import labelnoise as ln

    heard = {}
    X, _, noisy, _ = task
    with progress_to(lambda what, done, total: heard.setdefault(what, []).append((done, total))):
        ln.estimate(X, noisy)
    assert list(heard) == [
        "choosing a representation",
        "finding neighbors",
        "weighing the evidence",
        "fitting",
        "drawing intervals",
        "comparing columns",
    ]
    for reports in heard.values():
        done = [one for one, _ in reports]
        assert done == sorted(done)
        assert reports[-1][0] == reports[-1][1]
