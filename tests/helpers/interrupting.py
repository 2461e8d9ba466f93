"""Commands that are interrupted as by Ctrl-C, some time after Python itself has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep
from typing import Final

ROOT: Final = Path(__file__).parents[2]

FIRST: Final = "import os; os.write({ready}, b'!'); os.close({ready}); "
"""Signals that Python itself has started; earlier tracebacks are not ours."""

BY_SCRIPT: Final = FIRST + "from zermelo.__main__ import run; run()"
BY_NAME: Final = FIRST + "import runpy; runpy.run_module('zermelo', run_name='__main__', alter_sys=True)"


def interrupted(program: str, words: list[str], after: float, times: int = 1) -> tuple[int, str]:
    """The exit status and the standard error of a command that is interrupted ``after`` so many seconds."""
    here, ready = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", program.format(ready=ready), *words],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=[ready],
        text=True,
    )  # fmt: skip
    os.close(ready)
    assert os.read(here, 1) == b"!"
    os.close(here)
    sleep(after)
    for _ in range(times):
        process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    return process.returncode, said
