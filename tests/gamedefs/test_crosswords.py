"""Crosswords against a second program, which lays a word and then reads every row and column of the whole board."""

from __future__ import annotations

from fractions import Fraction

import pytest
from attrs import evolve, frozen
from second_program import Edge, Node, agree, agree_at_random, choice, end

import zermelo

LETTERS = "TAESNH"
WORTH = dict(zip(LETTERS, (1, 1, 1, 2, 2, 4), strict=True))
SET = "TTTAAEEESSNNH"
WORDS = """
    at ta aa tat ae et ate eat eta tea tee teat as es sat sea see seat eats teas an na en ne ant tan net ten ants neat
    nest sane sent tens tent ah eh ha he hat she the hate heat hens than
""".upper().split()

Cell = tuple[int, int]
Runs = dict[tuple[Cell, ...], str]


@frozen
class Table:
    """A position: the letters on the board, the racks and the bag as sorted texts, what the players have scored, how
    many turns have passed without a word, who is to move or to draw, and the letter that is to be exchanged."""

    board: frozenset[tuple[Cell, str]] = frozenset()
    racks: tuple[str, str] = ("", "")
    bag: str = ""
    score: tuple[int, int] = (0, 0)
    idle: int = 0
    mover: int = 0
    draws: bool = True
    back: str = ""

    def with_rack(self, rack: str) -> tuple[str, str]:
        return tuple("".join(sorted(rack)) if p == self.mover else r for p, r in enumerate(self.racks))


def without(letters: str, some: str) -> str | None:
    """The letters that are left if some are taken; None if they are not all there."""
    left = list(letters)
    for letter in some:
        if letter not in left:
            return None
        left.remove(letter)
    return "".join(left)


def runs(board: dict[Cell, str], size: Cell) -> Runs:
    """All rows of two and more letters, from left to right and downward, by their cells."""
    lines = [[(x, y) for x in range(1, size[0] + 1)] for y in range(1, size[1] + 1)]
    lines += [[(x, y) for y in range(size[1], 0, -1)] for x in range(1, size[0] + 1)]
    found = {}
    for line in lines:
        here: list[Cell] = []
        for cell in [*line, None]:
            if cell in board:
                here.append(cell)
                continue
            if len(here) > 1:
                found[tuple(here)] = "".join(board[c] for c in here)
            here = []
    return found


def rules(columns: int, rows: int, letters: int, copies: int, each: int, patience: int):
    known = {word for word in WORDS if set(word) <= set(LETTERS[:letters])}
    start = "".join(sorted(letter for letter in SET * copies if letter in LETTERS[:letters]))
    diagonal = {(x, x) for x in range(1, 16)} | {(x, columns + 1 - x) for x in range(1, columns + 1)}

    def laid(table: Table, board: dict[Cell, str], before: Runs, word: str, at: Cell, down: bool) -> Table | None:
        """The table after a word; None if it may not be laid. Cells and letters come first: most words fail by them."""
        cells = [(at[0], at[1] - k) if down else (at[0] + k, at[1]) for k in range(len(word))]
        if any(not (1 <= x <= columns and 1 <= y <= rows) for x, y in cells):
            return None
        new = {cell: letter for cell, letter in zip(cells, word, strict=True) if cell not in board}
        rack = without(table.racks[table.mover], "".join(new.values()))
        if not new or rack is None:
            return None
        after = runs(board | new, (columns, rows))
        if after.get(tuple(cells)) != word:
            return None
        if board:
            neighbours = {(x + i, y + j) for x, y in new for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))}
            if not neighbours & set(board):
                return None
        elif ((columns + 1) // 2, (rows + 1) // 2) not in new:
            return None
        made = {run: text for run, text in after.items() if run not in before}
        if not set(made.values()) <= known:
            return None
        points = sum(
            WORTH[letter] * (2 if cell in new and cell in diagonal else 1)
            for run, text in made.items()
            for cell, letter in zip(run, text, strict=True)
        )
        score = [n + (points * (1 if board else 2) if p == table.mover else 0) for p, n in enumerate(table.score)]
        everything = frozenset((board | new).items())
        racks = table.with_rack(rack)
        return settled(evolve(table, board=everything, racks=racks, score=tuple(score), idle=0, draws=True))

    def is_over(table: Table) -> bool:
        return table.idle == patience or (bool(table.board) and not table.bag and "" in table.racks)

    def settled(table: Table) -> Table:
        """Whoever has drawn all they can leaves it to the other one."""
        while not is_over(table) and table.draws and (len(table.racks[table.mover]) == each or not table.bag):
            other = 1 - table.mover
            table = evolve(table, mover=other, draws=not table.racks[other])
        return table

    def rested(table: Table) -> Table:
        return evolve(table, idle=table.idle + 1, mover=1 - table.mover, draws=False, back="")

    def drawn(table: Table, letter: str) -> Table:
        rack = table.racks[table.mover] + letter
        if not table.back:
            return settled(evolve(table, racks=table.with_rack(rack), bag=without(table.bag, letter)))
        bag = "".join(sorted(without(table.bag, letter) + table.back))
        return rested(evolve(table, racks=table.with_rack(without(rack, table.back)), bag=bag))

    def counted(table: Table) -> Node:
        on_rack = [sum(WORTH[letter] for letter in rack) for rack in table.racks]
        final = [
            n - w if rack else n + sum(on_rack) for n, w, rack in zip(table.score, on_rack, table.racks, strict=True)
        ]
        return end(final[0] - final[1])

    def moves(table: Table) -> Node:
        found = {"pass": rested(table)}
        if table.bag:
            for letter in set(table.racks[table.mover]):
                found[f"exchange({letter})"] = evolve(table, back=letter, draws=True)
        board = dict(table.board)
        before = runs(board, (columns, rows))
        for word in known:
            for x in range(1, columns + 1):
                for y in range(1, rows + 1):
                    for down in (False, True):
                        after = laid(table, board, before, word, (x, y), down)
                        if after is not None:
                            cell = f"{'abcdefghijklmno'[x - 1]}{y}"
                            found[f"lay({word.lower()}, {cell}, {'south' if down else 'east'})"] = after
        return choice(f"P{table.mover + 1}", found)

    def node(table: Table | None) -> Node:
        table = Table(bag=start) if table is None else table
        if is_over(table):
            return counted(table)
        if not table.draws:
            return moves(table)
        weights = {letter: Fraction(table.bag.count(letter), len(table.bag)) for letter in set(table.bag)}
        return Node("chance", {f"draw({x})": Edge(drawn(table, x), share) for x, share in weights.items()})

    return node


def parameters(columns: int, rows: int, letters: int, copies: int, each: int, patience: int) -> dict[str, int]:
    return {"columns": columns, "rows": rows, "letters": letters, "copies": copies, "each": each, "patience": patience}


@pytest.mark.parametrize("size", [(3, 2, 2, 1, 2, 2), (2, 2, 2, 1, 2, 3), (3, 3, 2, 1, 2, 2), (2, 3, 3, 1, 1, 2)])
def test_all_positions_are_those_of_the_second_program(start, size):
    assert agree(start("crosswords", **parameters(*size)), rules(*size), None) >= 40


@pytest.mark.parametrize(
    ("size", "plays", "longest"),
    [((5, 5, 4, 1, 4, 3), 8, 60), ((7, 4, 6, 2, 6, 4), 3, 60), ((15, 15, 6, 6, 7, 6), 1, 20)],
)
def test_random_plays_are_those_of_the_second_program(start, size, plays, longest):
    agree_at_random(start("crosswords", **parameters(*size)), rules(*size), None, plays, longest)


def test_the_value_is_found_by_two_methods():
    game = zermelo.load("crosswords")
    assert zermelo.solve(game).value[0] == Fraction(4, 5)
    assert float(zermelo.solve(game, "cfr").value[0]) == pytest.approx(0.8, abs=0.02)
