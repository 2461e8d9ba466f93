"""``python -m zermelo`` is the command line, and so is ``zermelo``."""

import _signal  # type: ignore[import-not-found]  # which every Python has loaded, and signal takes milliseconds

_CAN_HOLD = hasattr(_signal, "pthread_sigmask")  # not on Windows
if _CAN_HOLD:  # hold interrupts back until they can be handled; so all other imports stand below (E402)
    _HELD_BEFORE = _signal.pthread_sigmask(_signal.SIG_BLOCK, {_signal.SIGINT})

from zermelo.interrupts import end_interrupted, leave_at_once, leave_in_good_order  # noqa: E402

leave_at_once()
if _CAN_HOLD:
    _signal.pthread_sigmask(_signal.SIG_SETMASK, _HELD_BEFORE)

import gc  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from typing import NoReturn  # noqa: E402


def run() -> NoReturn:
    """Run the command line and exit at once, without Python's teardown of objects that end with the process."""
    gc.set_threshold(300_000, 20, 20)  # imported and loaded objects stay; one pass over them takes a twentieth
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's, which wait busily from the import on
    from zermelo.cli import main

    try:
        leave_in_good_order()
        code = main()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    except KeyboardInterrupt:  # between two of these lines
        end_interrupted()


if __name__ == "__main__":
    run()
