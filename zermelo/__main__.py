"""``python -m zermelo`` is the command line, and so is ``zermelo``."""

from __future__ import annotations

from zermelo.interrupts import leave, leave_at_once, leave_in_good_order

leave_at_once()  # before anything else is imported

import gc  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from typing import NoReturn  # noqa: E402


def run() -> NoReturn:
    """Run the command line and leave at once: Python would take its time to take apart what ends with the process."""
    gc.set_threshold(300_000, 20, 20)  # what is imported and loaded stays; looking through it once takes a twentieth
    from zermelo.cli import main

    try:
        leave_in_good_order()
        code = main()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    except KeyboardInterrupt:  # between two of these lines
        leave()


if __name__ == "__main__":
    run()
