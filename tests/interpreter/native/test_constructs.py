"""Constructs of the language, each in a small game of ``alike/``, named for what it shows: it is lowered, and plays as
on the reference machine, move for move, payoff for payoff, error for error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

ALIKE: Final = Path(__file__).parents[1] / "alike"
GAMES: Final = sorted(ALIKE.rglob("*.game"))


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.relative_to(ALIKE).with_suffix("").as_posix())
def test_constructs_play_alike(file: Path, plays_alike: Callable[[str], None]) -> None:
    plays_alike(file.read_text(encoding="utf-8"))
