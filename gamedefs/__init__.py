"""The bundled games: one ``.game`` file each, written like the rules inside the lid of the box."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def names() -> tuple[str, ...]:
    """The names of all bundled games, in alphabetical order."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.game")))


def path(name: str) -> Path:
    """The file of the bundled game ``name``; raises ``KeyError`` where there is none."""
    if name not in names():
        raise KeyError(name)
    return _FOLDER / f"{name}.game"
