"""``python -m zermelo`` is the command line, and so is ``zermelo``."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

gc.set_threshold(300_000, 20, 20)  # what is imported and loaded stays; looking through it once takes a twentieth

from zermelo.cli import main  # noqa: E402  # so that importing it is quick, too


def run() -> NoReturn:
    """Run the command line and leave at once: Python would take its time to take apart what ends with the process."""
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    run()
