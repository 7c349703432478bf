"""``python -m experiments``."""

from __future__ import annotations

if __name__ == "__main__":
    try:
        from experiments.command import main

        code = main()
    except KeyboardInterrupt:  # while modules are being imported
        code = 130
    raise SystemExit(code)
