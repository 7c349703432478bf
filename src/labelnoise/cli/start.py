"""The entry point: it imports nothing before an interrupt can be handled."""

from __future__ import annotations

import sys

from labelnoise.cli.exit_codes import ExitCode


def start() -> None:
    """Run the command line."""
    try:
        from labelnoise.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
