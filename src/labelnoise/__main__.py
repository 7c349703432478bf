"""``python -m labelnoise`` is the command line."""

from labelnoise.cli.main import main

if __name__ == "__main__":
    main()
