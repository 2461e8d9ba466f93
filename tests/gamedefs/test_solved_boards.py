"""Board games with published values, or with values computed here by independent programs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

import pytest

WIN, DRAW, LOSS = 1, 0, -1


@pytest.mark.parametrize(
    ("columns", "rows", "value"),
    [(4, 4, DRAW), (5, 4, DRAW), (4, 5, DRAW), (5, 5, DRAW), (6, 4, LOSS)],
)
def test_connect_four_on_small_boards(solution, columns, rows, value):
    """John Tromp's table of small boards, https://tromp.github.io/c4/c4.html: width, height, value."""
    assert solution("connect_four", on="auto", columns=columns, rows=rows).value == (value, -value)


# ------------------------------------------------------------------------------------------- hex


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_in_hex_whoever_begins_wins(solution, size):
    """Nash's argument; Gardner, The Scientific American Book of Mathematical Puzzles and Diversions, 1959."""
    assert solution("hex", on="auto", size=size).value == (WIN, LOSS)


@pytest.mark.parametrize("size", [2, 3])
def test_the_first_moves_that_win_in_hex(start, size):
    winning = {
        str(move) for move in start("hex", size=size).moves if start("hex", size=size).go_on(move).value() == WIN
    }
    assert winning == {f"place({'abc'[x]}{y + 1})" for x, y in winning_hex_openings(size)}


def winning_hex_openings(size: int) -> set[tuple[int, int]]:
    """By brute force: cells as pairs from 0, the first player joins x = 0 with x = size - 1."""
    cells = list(product(range(size), range(size)))

    def is_joined(stones: frozenset, axis: int) -> bool:
        reached = {cell for cell in stones if cell[axis] == 0}
        while True:
            more = {
                (x + i, y + j)
                for x, y in reached
                for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
                if (x + i, y + j) in stones
            }
            if more <= reached:
                return any(cell[axis] == size - 1 for cell in reached)
            reached |= more

    @cache
    def wins(mine: frozenset, others: frozenset, axis: int) -> bool:
        """Whether the player to move, who joins along ``axis``, wins."""
        return any(
            is_joined(mine | {cell}, axis) or not wins(others, mine | {cell}, 1 - axis)
            for cell in cells
            if cell not in mine | others
        )

    none: frozenset = frozenset()
    return {c for c in cells if is_joined(frozenset({c}), 0) or not wins(none, frozenset({c}), 1)}


# ------------------------------------------------------------------------------------------- domineering


@pytest.mark.parametrize(("size", "value"), [(2, WIN), (3, WIN), (4, WIN), (5, LOSS)])
def test_domineering_on_square_boards(solution, size, value):
    """Breuker, Uiterwijk and van den Herik, Solving 8 x 8 Domineering, 2000: 5 x 5 is won by the second player, the
    other square boards up to 8 x 8 by the first."""
    assert solution("domineering", on="auto", columns=size, rows=size).value == (value, -value)


@pytest.mark.parametrize(("columns", "rows"), [*product(range(1, 5), range(1, 4)), (3, 4), (5, 3), (3, 5)])
def test_domineering_on_all_small_boards(solution, columns, rows):
    value = WIN if domineering_is_won(columns, rows) else LOSS
    assert solution("domineering", columns=columns, rows=rows).value == (value, -value)


def domineering_is_won(columns: int, rows: int) -> bool:
    """Whether Vertical wins as the first player, by brute force on bitboards."""

    def dominoes(wide: int, high: int) -> list[int]:
        return [
            sum(1 << x + i + columns * (y + j) for i in range(wide) for j in range(high))
            for x in range(columns - wide + 1)
            for y in range(rows - high + 1)
        ]

    lying, standing = dominoes(2, 1), dominoes(1, 2)

    @cache
    def wins(covered: int, is_vertical: bool) -> bool:
        mine = standing if is_vertical else lying
        return any(not covered & domino and not wins(covered | domino, not is_vertical) for domino in mine)

    return wins(0, True)


# ------------------------------------------------------------------------------------------- chomp


@pytest.mark.parametrize(("columns", "rows"), [*product(range(1, 5), range(1, 4)), (5, 4)])
def test_in_chomp_whoever_begins_wins(solution, columns, rows):
    """Gale, A curious Nim-type game, 1974; except with the poisoned piece alone."""
    value = LOSS if (columns, rows) == (1, 1) else WIN
    assert solution("chomp", columns=columns, rows=rows).value == (value, -value)


@pytest.mark.parametrize(("columns", "rows"), [(3, 2), (3, 3), (4, 3)])
def test_the_first_bites_that_win_in_chomp(start, columns, rows):
    """A chocolate is the tuple of its columns' heights, which never rise from left to right."""

    @cache
    def wins(heights: tuple[int, ...]) -> bool:
        return any(not wins(after) for _, _, after in bites(heights))

    def bites(heights: tuple[int, ...]) -> Iterable[tuple[int, int, tuple[int, ...]]]:
        for x, height in enumerate(heights):
            for y in range(height):
                if (x, y) != (0, 0):  # the poisoned piece loses at once
                    yield x, y, (*heights[:x], *(min(h, y) for h in heights[x:]))

    expected = {f"bite({'abcd'[x]}{y + 1})" for x, y, after in bites((rows,) * columns) if not wins(after)}
    play = start("chomp", columns=columns, rows=rows)
    assert {str(move) for move in play.moves if play.go_on(move).value() == WIN} == expected


# ------------------------------------------------------------------------------------------- breakthrough


@pytest.mark.parametrize(
    ("columns", "rows", "deep"),
    [(2, 4, 1), (3, 4, 1), (2, 5, 1), (2, 4, 2), (3, 5, 1), (3, 4, 2), (2, 6, 2)],
)
def test_breakthrough_on_small_boards(solution, columns, rows, deep):
    value = WIN if breakthrough_is_won(columns, rows, deep) else LOSS
    assert solution("breakthrough", columns=columns, rows=rows, deep=deep).value == (value, -value)


def breakthrough_is_won(columns: int, rows: int, deep: int) -> bool:
    """Whether White wins, by brute force; the player to move always goes up, and the board is turned after each
    move."""

    def turned(men: frozenset) -> frozenset:
        return frozenset((x, rows - 1 - y) for x, y in men)

    @cache
    def wins(mine: frozenset, others: frozenset) -> bool:
        for x, y in mine:
            for to in ((x + i, y + 1) for i in (-1, 0, 1) if 0 <= x + i < columns):
                if to in mine or (to in others and to[0] == x):
                    continue
                left = others - {to}
                if to[1] == rows - 1 or not left or not wins(turned(left), turned(mine - {(x, y)} | {to})):
                    return True
        return False

    return wins(
        frozenset(product(range(columns), range(deep))), turned(frozenset(product(range(columns), range(deep))))
    )


# ------------------------------------------------------------------------------------------- dots and boxes


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 1), (1, 2), (3, 1), (2, 2)])
def test_dots_and_boxes_on_small_boards(solution, columns, rows):
    value = dots_and_boxes_value(columns, rows)
    assert solution("dots_and_boxes", columns=columns, rows=rows).value == (value, -value)


def dots_and_boxes_value(columns: int, rows: int) -> int:
    """The lead of the first player in boxes, by brute force; lines are sets of two dots."""
    dots = list(product(range(columns + 1), range(rows + 1)))
    lines = [frozenset({(x, y), to}) for x, y in dots for to in ((x + 1, y), (x, y + 1)) if to in dots]
    boxes = [
        sum(1 << k for k, line in enumerate(lines) if all(x <= i <= x + 1 and y <= j <= y + 1 for i, j in line))
        for x, y in product(range(columns), range(rows))
    ]

    @cache
    def lead(drawn: int) -> int:
        best = None
        for k in range(len(lines)):
            if not drawn >> k & 1:
                then = drawn | 1 << k
                won = sum(box & ~then == 0 for box in boxes) - sum(box & ~drawn == 0 for box in boxes)
                value = won + (lead(then) if won else -lead(then))
                best = value if best is None else max(best, value)
        return best or 0

    return lead(0)
