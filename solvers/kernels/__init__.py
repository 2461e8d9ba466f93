"""Search kernels in the kernel dialect (:mod:`interpreter.native.dialect`).

These files are texts for its two executors, not modules to import: the rules that they call (``moves``, ``apply``, ...)
come from the game that they are run together with.
"""

from __future__ import annotations

from importlib.resources import files


def kernel_text(*names: str) -> str:
    """The text of a kernel, with the texts that it needs."""
    return "\n\n".join(files(__name__).joinpath(f"{name}.py").read_text(encoding="utf-8") for name in names)
