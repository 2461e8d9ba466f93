"""What tests of the lowered machines share: games that nobody wrote."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from random_games.writer import write_game


@pytest.fixture(scope="session")
def random_game() -> Callable[[Random], str]:
    """Writes a random game; the same for the same numbers."""
    return write_game
