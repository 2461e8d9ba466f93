"""Go on the smallest boards. The 3 x 3 board belongs to the first player: van der Werf, van den Herik and Uiterwijk,
"Solving Go on small boards", ICGA Journal 26 (2003). They win 2 x 2 by one point under positional superko: Tromp and
Farnebäck, "Combinatorics of Go", Computers and Games 2006."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("size", "komi", "value"),
    [(2, "1/2", 1), (2, "1", 0), (2, "3/2", -1), (3, "17/2", 1), (3, "9", 0), (3, "19/2", -1)],
)
def test_the_winner_of_a_small_board(solution, size, komi, value):
    assert solution("go", on="native", size=size, komi=komi).value == (value, -value)
