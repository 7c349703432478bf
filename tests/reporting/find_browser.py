"""Find Chromium for the tests of the page; ``python find_browser.py --install`` gets one if need be.

In this order: one that is installed, Playwright's own, Debian's package (as root, or with sudo
that asks for nothing), Playwright's download.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """Path of a browser, or None."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found:
        return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def install() -> None:
    """Try every way there is, and say so."""
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    ways = []
    if shutil.which("apt-get"):
        ways.append([*root, "sh", "-c", "apt-get update -q && apt-get install -qy chromium"])
    ways.append([sys.executable, "-m", "playwright", "install", "chromium"])
    for way in ways:
        print("no Chromium found; the tests of the report need one. Running:", *way, flush=True)
        if subprocess.run(way, check=False, stdout=subprocess.DEVNULL).returncode == 0 and find():
            return


if __name__ == "__main__":
    if not find() and "--install" in sys.argv:
        install()
    browser = find()
    if browser is None:
        sys.exit("There is no Chromium, and it could not be installed. Install it, and try again.")
    print("browser:", browser)
