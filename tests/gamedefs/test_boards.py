"""Connect four, othello, go."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from random import Random

import pytest
from all_machines import python_machine
from second_program import Node, agree, choice, end, outcomes
from solving import solve

import zermelo


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


# Board games with published values, or with values computed here by independent programs.


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


# Three men's morris, solved a second time by retrograde analysis.


POINTS = [f"{x}{y}" for y in "123" for x in "abc"]
ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
BEGINNING = ("." * 9, 0)


def program(middle: bool):
    """A position is the board, and the number of men that have been put, or 6 and 7 for White and Black to slide."""

    def node(position: tuple[str, int]) -> Node:
        board, stage = position
        mine, other = "WB" if stage % 2 == 0 else "BW"
        player = {"W": "White", "B": "Black"}[mine]
        loss = -1 if mine == "W" else 1
        if any(all(board[point] == other for point in row) for row in ROWS):
            return end(loss)
        moves = {}
        if stage < 6:
            for to in range(9):
                if board[to] == "." and (middle or stage > 0 or to != 4):
                    moves[f"put({POINTS[to]})"] = (board[:to] + mine + board[to + 1 :], stage + 1)
        else:
            for origin in range(9):
                for to in range(9):
                    apart = abs(origin % 3 - to % 3) + abs(origin // 3 - to // 3)
                    if board[origin] == mine and board[to] == "." and apart == 1:
                        after = list(board)
                        after[origin], after[to] = ".", mine
                        moves[f"slide({POINTS[origin]}, {POINTS[to]})"] = ("".join(after), 13 - stage)
        return choice(player, moves) if moves else end(loss)

    return node


def test_the_rules_are_those_of_the_second_program(start):
    assert agree(start("three_mens_morris"), program(True), BEGINNING) > 4000


def test_the_middle_may_be_forbidden_to_the_first_man(start):
    play = start("three_mens_morris", middle=False)
    assert play.legal == set(program(False)(BEGINNING).edges)
    assert "put(b2)" in play.then("put(a1)").legal


def test_whoever_begins_in_the_middle_wins():
    """Gardner, Hexaflexagons and other mathematical diversions, 1959, chapter 4: the first player surely wins by
    putting a man in the middle, and with this forbidden the game is a draw."""
    known = outcomes(program(True), BEGINNING, "White")
    assert known[BEGINNING][0] == 1
    assert {to for to in range(9) if known.get(("." * to + "W" + "." * (8 - to), 1), (0, 0))[0] == 1} == {4}
    assert BEGINNING not in outcomes(program(False), BEGINNING, "White")


def test_the_values(solution):
    assert solution("three_mens_morris").value == (1, -1)
    assert list(map(str, solution("three_mens_morris").best)) == ["put(b2)"]
    assert solution("three_mens_morris", middle=False).value == (0, 0)


# Othello: end games with ten empty squares on six by six, against an independent search; and the whole game on four by
# four, which White wins.


# Rows from the last to the first, the player to move, Black's payoff, and the solver; reached by random play.
END_GAMES = [
    ("OXXXX. .OOOOO OOOOX. ..XXX. ..XOX. .XXXXX", "Black", 1, "dfpn"),
    ("OOOO.. OOOXO. OOOX.O OOOXOO .XXXO. X.O...", "Black", -1, "dfpn"),
    ("OX.XXX .O.XXX OOOXXX .OOOXX .OOOO. .O...O", "Black", 1, "enhanced_alphabeta"),
    ("OOOX.. ..OXO. XXXXOO OOOOXO .OOOOO ...O.O", "Black", 0, "dfpn"),
]

STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def position_of(rows: str, mover: str) -> str:
    layout = "\n".join(f'        "{row}"' for row in rows.split())
    return f"setup:\n    board := layout\n{layout}\nstart at play({mover})\n"


def flipped(board, mover, cell):
    """The cells that a disc would turn over; the board is a string of 36, row by row."""
    if board[cell] != ".":
        return []
    found = []
    for x, y in STEPS:
        line, column, row = [], cell % 6 + x, cell // 6 + y
        while 0 <= column < 6 and 0 <= row < 6 and board[row * 6 + column] not in (".", mover):
            line.append(row * 6 + column)
            column, row = column + x, row + y
        if 0 <= column < 6 and 0 <= row < 6 and board[row * 6 + column] == mover:
            found += line
    return found


def outcome(board, mover, known):
    """The payoff of the discs "X", by full search with cutoffs at a win."""
    if (board, mover) in known:
        return known[board, mover]
    other, aim = ("O", 1) if mover == "X" else ("X", -1)
    after = []
    for cell in range(36):
        turned = flipped(board, mover, cell)
        if turned:
            after.append("".join(mover if k == cell or k in turned else disc for k, disc in enumerate(board)))
    if after:
        results = []
        for child in after:
            results.append(outcome(child, other, known))
            if results[-1] == aim:
                break
        found = max(results) if mover == "X" else min(results)
    elif any(flipped(board, other, cell) for cell in range(36)):
        found = outcome(board, other, known)
    else:
        lead = board.count("X") - board.count("O")
        found = (lead > 0) - (lead < 0)
    known[board, mover] = found
    return found


@pytest.mark.parametrize(("rows", "mover", "value", "solver"), END_GAMES)
def test_end_games(rows, mover, value, solver):
    assert rows.count(".") == 10
    assert outcome("".join(rows.split()), "X" if mover == "Black" else "O", {}) == value
    game = zermelo.load_position("othello", position_of(rows, mover), size=6)
    assert solve(game.searching, game.facts, solver).value == (value, -value)


def test_four_by_four():
    game = zermelo.load("othello", size=4)
    assert solve(python_machine(game.model), game.facts, "dfpn").value == (-1, 1)


# Go on the smallest boards. The 3 x 3 board belongs to the first player: van der Werf, van den Herik and Uiterwijk,
# "Solving Go on small boards", ICGA Journal 26 (2003). They win 2 x 2 by one point under positional superko: Tromp and
# Farnebäck, "Combinatorics of Go", Computers and Games 2006.


@pytest.mark.parametrize(
    ("size", "komi", "value"),
    [(2, "1/2", 1), (2, "1", 0), (2, "3/2", -1), (3, "17/2", 1), (3, "9", 0), (3, "19/2", -1)],
)
def test_the_winner_of_a_small_board(solution, size, komi, value):
    assert solution("go", on="native", size=size, komi=komi).value == (value, -value)
