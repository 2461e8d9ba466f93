"""Search kernels in the kernel dialect (:mod:`zermelo.interpreter.native.dialect.language`).

A kernel is a module that calls the rules of a game (``moves``, ``apply``, ...) and is run together with them by one of
two executors. Some files are texts for them yet, which cannot be imported. :mod:`.ranges` says what numbers they hold.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent


def kernel_text(*names: str) -> str:
    """The text of a kernel, with the texts that it needs."""
    return "\n\n".join((_FOLDER / f"{name}.py").read_text(encoding="utf-8") for name in names)
