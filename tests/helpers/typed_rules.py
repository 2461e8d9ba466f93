"""Random rules made of typed expressions, which nest: sets that are read in order, variables that no play changes,
records, tables, defines and actions with parameters, names for numbers. Most rules have some symmetry that others of
their kind do not have; which, nothing here says."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from attrs import define, field

START = """\
game "Typed"
players A, B
type Cell = {board}
type Suit = clubs | hearts | spades
var board[Cell]: Player? = none
var tally[Player]: 0..3 = 0
var heap[1..3]: 0..3 = 2
var marked: set of Cell = {{}}
var suits: set of Suit = {{clubs, hearts, spades}}
var held: (who: Player, suit: Suit, n: 0..2)? = none
var at: Cell? = none
var owner: Player = A
var home[Player]: Cell? = none
var cost[1..3]: 0..3 = 1
var turns: 0..9 = 0
{setup}
define worth(s: Suit) = {{clubs: {clubs}, hearts: 1, spades: 2}}[s]
define asked(p: Player, c: Cell, h: 1..3) = {asked}
action change(p: Player, c: Cell, h: 1..3):
{change}
start at play(A)
phase play(p: Player):
    turn p:
        move m(c in {cells}, h in {numbers}, s in Suit) if turns < 5 and {guard}:
            turns += 1
{effects}
            go {on}
    otherwise: end {end}
phase luck(p: Player):
    chance:
        outcome falls(d in Cell) weight {weight}:
            at := d
            go play(other p)
"""

BOARDS: Final = {
    "grid(2, 2)": ("a1", "b1", "b2"),
    "grid(3, 1)": ("a1", "b1", "c1"),
    "grid(3, 2)": ("a1", "c1", "b2"),
    "hex(2, 2)": ("a1", "b2", "b1"),
    "ring(4)": ("Cell(0)", "Cell(2)", "Cell(1)"),
    "graph(v - w - x, w - y)": ("v", "w", "x"),
}
"""The boards, with some of their cells."""

Writer = Callable[[int], str]


@define(eq=False)
class _Names:
    """What the expressions of a callable may speak of."""

    players: list[str] = field(factory=lambda: ["p"])
    cells: list[str] = field(factory=lambda: ["c"])
    numbers: list[str] = field(factory=lambda: ["h"])
    suits: list[str] = field(factory=list)


@define(eq=False)
class _Writer:
    """Writes expressions and statements; the number that all of them are given is how deep they may still nest."""

    random: Random
    board: str
    names: _Names = field(factory=_Names)
    bound: int = 0

    @property
    def in_plane(self) -> bool:
        return self.board.startswith(("grid", "hex"))

    def one(self, *ways: str | Writer, depth: int = 0) -> str:
        """One of several expressions, or of ways to write one that may go deeper."""
        way = self.random.choice([each for each in ways if depth > 0 or isinstance(each, str)])
        return way if isinstance(way, str) else way(depth - 1)

    def over(self, names: list[str], words: str, collection: str, body: Writer, depth: int) -> str:
        """A new name for the members of a set, with a body that may speak of it."""
        self.bound += 1
        name = f"x{self.bound}"
        names.append(name)
        written = words.format(x=name, s=collection, body=body(depth))
        names.pop()
        return written

    def quantified(self, words: str, body: Writer, depth: int) -> str:
        """A quantifier over cells, players, names of heaps or suits."""
        words = f"({words} {{x}} in {{s}}: {{body}})"
        names, collection = self.random.choice(
            [
                (self.names.cells, self.cells(depth)), (self.names.players, "Player"),
                (self.names.numbers, "1..3"), (self.names.suits, self.one("Suit", "suits")),
            ]
        )  # fmt: skip
        return self.over(names, words, collection, body, depth)

    def player(self, depth: int) -> str:
        name = self.one(*self.names.players * 3, "A", "owner")
        return self.one(
            name, name, f"(other {name})",
            lambda d: f"(if {self.condition(d)} then {self.player(d)} else {self.player(d)})", depth=depth,
        )  # fmt: skip

    def cell(self, depth: int) -> str:
        return self.one(*self.names.cells * 4, BOARDS[self.board][0])

    def perhaps_cell(self, depth: int) -> str:
        """A cell, or none."""
        ways: list[str | Writer] = [self.cell(0), "at", f"home[{self.player(0)}]"]
        ways += [partial(self.found_cell, "first"), partial(self.found_cell, "last")]
        if self.in_plane:
            ways += [f"({self.cell(0)} + {self.direction()})", f"Cell({self.number(0)}, 1)"]
        return self.one(*ways, depth=depth)

    def found_cell(self, word: str, depth: int) -> str:
        words = f"({word} {{x}} in {{s}}: {{body}})"
        return self.over(self.names.cells, words, self.cells(depth), self.condition, depth)

    def direction(self) -> str:
        there = self.one("north", "east", "northwest")
        return self.one(there, f"(if {self.names.players[0]} == A then {there} else -{there})")

    def suit(self, depth: int) -> str:
        return self.one(*self.names.suits * 3, "hearts", "clubs")

    def cells(self, depth: int) -> str:
        """A set of cells, in some order."""
        cell, words = self.cell(0), self.one("if", "if", "while", "until")
        ways: list[str | Writer] = ["Cell", "marked", f"neighbours({cell})"]
        if self.in_plane:
            ways += [f"ray({cell}, {self.direction()})", f"neighbours({cell}, orthogonal)"]
        ways += [
            lambda d: self.over(
                self.names.cells, f"{{{{{{x}} in {{s}} {words} {{body}}}}}}", self.cells(d), self.condition, d
            ),
            lambda d: f"({self.cells(d)} {self.one('+', '-', '*')} {self.cells(d)})",
            lambda d: self.over(self.names.cells, "(reach {x} from {s}: {body})", self.cells(d), self.cells, d),
        ]
        return self.one(*ways, depth=depth)

    def number(self, depth: int) -> str:
        index = self.one(*self.names.numbers * 3, "2")
        ways: list[str | Writer] = [
            "1", "2", index, f"heap[{index}]", f"cost[{index}]", f"tally[{self.player(0)}]",
            f"worth({self.suit(0)})", "turns",
        ]  # fmt: skip
        if self.in_plane:
            ways += [f"{self.cell(0)}.x", f"{self.cell(0)}.y"]
        ways += [
            lambda d: f"({self.number(d)} {self.one('+', '-', '*')} {self.number(d)})",
            lambda d: f"{self.one('min', 'max')}({self.number(d)}, {self.number(d)})",
            lambda d: f"size({self.cells(d)})",
            lambda d: self.quantified("count", self.condition, d),
            lambda d: self.quantified("sum", self.number, d),
        ]
        return self.one(*ways, depth=depth)

    def condition(self, depth: int) -> str:
        cell, player, index = self.cell(0), self.player(0), self.one(*self.names.numbers * 3, "1")
        return self.one(
            f"board[{cell}] == {player}", f"board[{cell}] is none", f"{player} == {self.player(0)}",
            f"{cell} in marked", f"{self.suit(0)} in suits", f"{index} == {self.one(*self.names.numbers * 3, '3')}",
            f"(held is not none and held.who == {player})",
            lambda d: f"({self.condition(d)} {self.one('and', 'or')} {self.condition(d)})",
            lambda d: f"not {self.condition(d)}",
            lambda d: f"{self.number(d)} {self.one('==', '<', '>')} {self.number(d)}",
            lambda d: f"{self.perhaps_cell(d)} == {self.perhaps_cell(d)}",
            lambda d: f"{self.cells(d)} == {self.cells(d)}",
            lambda d: f"connected({self.cells(d)})",
            lambda d: self.quantified(self.one("some", "all", "no"), self.condition, d),
            depth=depth,
        )  # fmt: skip

    def effect(self, depth: int, indent: int = 12, is_called: bool = False) -> str:
        """A statement, on lines of its own."""
        cell, player, index, margin = self.cell(0), self.player(1), self.one(*self.names.numbers * 3, "2"), " " * indent
        kinds = ["plain"] * 2 + ["loop", "if", "call"] * (depth > 0)
        match self.random.choice(kinds):
            case "loop":
                names, collection = self.random.choice(
                    [(self.names.cells, self.cells(1)), (self.names.players, "Player"), (self.names.numbers, "1..3")]
                )
                return self.over(
                    names, f"{margin}for {{x}} in {{s}}:\n{{body}}", collection,
                    lambda d: self.effect(d, indent + 4, is_called), depth - 1,
                )  # fmt: skip
            case "if":
                yes, no = (self.effect(depth - 1, indent + 4, is_called) for _ in range(2))
                return f"{margin}if {self.condition(2)}:\n{yes}\n{margin}else:\n{no}"
            case "call" if not is_called:
                return f"{margin}change({player}, {cell}, {index})"
        return margin + self.one(
            f"board[{cell}] := {player}", f"tally[{player}] := ({self.number(2)}) % 4",
            f"heap[{index}] := ({self.number(2)}) % 4", f"marked {self.one(':=', '+=', '-=')} {self.cells(2)}",
            f"at := {self.perhaps_cell(2)}", f"owner := {player}", f"suits -= {{{self.suit(0)}}}",
            f"held := ({player}, {self.suit(0)}, ({self.number(1)}) % 3)", f"earn {player}: {self.number(1)}",
        )  # fmt: skip


def typed_rules(seed: int) -> str:
    """A game with at most five moves."""
    random = Random(seed)
    board = random.choice(list(BOARDS))
    writer = _Writer(random, board)
    some = [f"home[{player}] := {random.choice(BOARDS[board])}" for player in "AB" if random.randrange(2)]
    some += [f"cost[{random.randint(1, 3)}] := 2"] * random.randrange(2)
    asked = writer.condition(3)
    change = writer.effect(1, 4, is_called=True)
    writer.names.suits.append("s")
    effects = "\n".join(writer.effect(2) for _ in range(random.randint(2, 5)))
    cells, guard = writer.one("Cell", "neighbours(a1)" if writer.in_plane else "Cell"), writer.condition(2)
    return START.format(
        board=board,
        setup="".join(["setup:\n", *(f"    {line}\n" for line in some)]) if some else "",
        clubs=random.choice("12"),
        asked=asked,
        change=change,
        cells=cells,
        numbers="1..2" if random.randrange(4) == 0 else "1..3",
        guard=random.choice([guard, guard, "asked(p, c, h)"]),
        effects=effects,
        on=random.choice(["play(other p)", "play(other p)", "play(p)", "luck(p)"]),
        end=random.choice(["draw", "win owner", "win p", "payoff {q: tally[q] for q in Player}", "payoff (turns, 1)"]),
        weight=random.choice(["1", "(if d in marked then 1 else 2)", "(if d == home[p] then 1 else 2)"]),
    )
