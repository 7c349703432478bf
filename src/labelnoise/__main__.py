"""``python -m labelnoise`` is the command line."""

from labelnoise.cli.start import start

if __name__ == "__main__":
    start()
