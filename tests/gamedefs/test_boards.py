"""Connect four, othello, go."""

from __future__ import annotations

from random import Random

import pytest


def test_connect_four_counts_plays(start):
    assert [start("connect_four").count(length) for length in range(1, 5)] == [7, 49, 343, 2401]


def test_discs_fall_and_columns_fill(start):
    play = start("connect_four", rows=2).then("drop(1)")
    assert board(play)["a1"] == "Red"
    play = play.then("drop(1)")
    assert board(play) == {"a1": "Red", "a2": "Yellow"}
    assert "drop(1)" not in play.legal


@pytest.mark.parametrize(
    "columns",
    [
        (1, 2, 1, 2, 1, 2, 1),  # a column
        (1, 1, 2, 2, 3, 3, 4),  # a row
        (1, 2, 2, 3, 3, 4, 3, 4, 4, 6, 4),  # a diagonal
    ],
)
def test_four_in_a_line_win(start, columns):
    assert start("connect_four").then(*(f"drop({x})" for x in columns)).payoff == (1, -1)


def test_a_full_board_is_a_draw(start):
    assert start("connect_four", rows=1, columns=4).then(*(f"drop({x})" for x in range(1, 5))).payoff == (0, 0)


def test_connect_three(start):
    assert start("connect_four", rows=3, columns=3, run=3).value() == 0
    assert start("connect_four", rows=3, columns=4, run=3).value() == 1


def test_othello_counts_plays(start):
    assert [start("othello").count(length) for length in range(1, 6)] == [4, 12, 56, 244, 1396]


def test_othello_begins_with_four_discs(start):
    assert board(start("othello")) == {"d4": "White", "e5": "White", "e4": "Black", "d5": "Black"}


def test_discs_are_turned_over_in_all_directions(start):
    play = start("othello").then("place(d3)")
    assert board(play) == {"d3": "Black", "d4": "Black", "d5": "Black", "e4": "Black", "e5": "White"}


def test_it_ends_when_neither_can_move(start):
    """After nine moves all discs are Black, so neither player can move."""
    play = start("othello").then(*(f"place({c})" for c in ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")))
    assert play.ended
    assert play.payoff == (1, -1)


def test_one_who_cannot_move_is_passed_over_while_the_other_can(start):
    random = Random(1)
    passes = 0
    for _ in range(20):
        play = start("othello", size=4)
        while not play.ended:
            mover, play = play.actor, play.at_random(random)
            passes += mover == play.actor
        discs = list(board(play).values())
        difference = discs.count("Black") - discs.count("White")
        assert play.payoff[0] == (difference > 0) - (difference < 0)
    assert passes > 0


def test_go_captures_a_stone(start):
    play = start("go", size=3).then("place(a1)", "place(b1)", "place(c3)", "place(a2)")
    assert board(play) == {"b1": "White", "a2": "White", "c3": "Black"}


def test_suicide_is_illegal(start):
    play = start("go", size=3).then("place(c3)", "place(b1)", "pass", "place(a2)")
    assert "place(a1)" not in play.legal


def test_two_passes_end_and_the_area_decides(start):
    assert start("go", size=3, komi=8).then("place(b2)", "pass", "pass").payoff == (1, -1)
    assert start("go", size=3, komi=9).then("place(b2)", "pass", "pass").payoff == (0, 0)
    assert start("go", size=3, komi="19/2").then("place(b2)", "pass", "pass").payoff == (-1, 1)
    neutral = start("go", size=3, komi=0).then("place(a1)", "place(c3)", "pass", "pass")
    assert neutral.payoff == (0, 0)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_go_agrees_with_the_rules_of_tromp_and_taylor(start, size):
    """Random plays, compared with a second program of the rules (without suicide, which these allow)."""
    random = Random(size)
    for _ in range(6 if size < 4 else 3):
        play = start("go", size=size)
        position: tuple[int, ...] = (0,) * size**2
        seen = {position}
        colour = 1
        for _ in range(40):
            if play.ended:
                break
            expected = {"pass"}
            after = {}
            for point in range(size**2):
                later = tromp_taylor(position, point, colour, size)
                if later is not None and later not in seen:
                    name = f"place({'abcd'[point % size]}{point // size + 1})"
                    expected.add(name)
                    after[name] = later
            assert play.legal == expected
            move = random.choice(sorted(expected))
            play = play.then(move)
            position = after.get(move, position)
            seen.add(position)
            colour = -colour


def tromp_taylor(position: tuple[int, ...], point: int, colour: int, size: int) -> tuple[int, ...] | None:
    """The position after a stone; None if the point is taken or the stone would have no liberty."""
    if position[point]:
        return None
    stones = list(position)
    stones[point] = colour

    def neighbours(p: int) -> list[int]:
        x, y = p % size, p // size
        return [
            q % size + q // size * size
            for q, inside in ((p - 1, x > 0), (p + 1, x < size - 1), (p - size, y > 0), (p + size, y < size - 1))
            if inside
        ]

    def clear(owner: int) -> None:
        alive = {p for p in range(size**2) if stones[p] == 0}
        frontier = set(alive)
        while frontier:
            frontier = {q for p in frontier for q in neighbours(p) if stones[q] == owner and q not in alive}
            alive |= frontier
        for p in range(size**2):
            if stones[p] == owner and p not in alive:
                stones[p] = 0

    clear(-colour)
    clear(colour)
    return tuple(stones) if stones[point] else None


def board(play):
    """The occupied squares and their owners, from the first player's view."""
    return {
        str(seen.indices[0]): str(seen.value)
        for seen in play.machine.view(play.state, 0)
        if seen.variable == "board" and seen.value is not None
    }
