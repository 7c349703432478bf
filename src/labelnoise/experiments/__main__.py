"""``python -m labelnoise.experiments``."""

from __future__ import annotations

from labelnoise.experiments.command import main

if __name__ == "__main__":
    raise SystemExit(main())
