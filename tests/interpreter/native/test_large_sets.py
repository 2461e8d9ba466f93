"""The cost and limits of sets wider than a word; ``alike/`` has games with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import zermelo
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.model_lowering import lower


def test_large_types_do_not_make_words_wide(construct: Callable[[str], str]) -> None:
    """As long as none of their sets is needed as a mask."""
    assert lower(zermelo.loads(construct("records/large_type")).model).layout.width == 64


def test_sets_that_are_too_large_are_refused(construct: Callable[[str], str]) -> None:
    board = construct("sets/large_board")
    assert "grid(40, 40)" in board
    with pytest.raises(Unsupported, match="a set whose type has 4900 members"):
        lower(zermelo.loads(board.replace("grid(40, 40)", "grid(70, 70)")).model)
