"""Search kernels in the kernel dialect (:mod:`zermelo.interpreter.native.dialect.language`).

These files are texts for its two executors, not modules to import: the rules that they call (``moves``, ``apply``, ...)
come from the game that they are run together with. Only :mod:`.ranges` is one: what numbers they can hold.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent


def kernel_text(*names: str) -> str:
    """The text of a kernel, with the texts that it needs."""
    return "\n\n".join((_FOLDER / f"{name}.py").read_text(encoding="utf-8") for name in names)
