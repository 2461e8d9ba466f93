"""The order of the neighbours in some directions, which no table of earlier ones may change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from all_machines import MACHINES
from attrs import frozen
from random_cases import seeds
from written_games import model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.evaluation.context import Context, size_bounds
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.machine import Machine, Move
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.values import format_value

GAME: Final = Path(__file__).parents[1] / "alike/sets/neighbours_in_an_order.game"


@pytest.mark.parametrize("order", [("up", "down"), ("down", "up")])
def test_neighbours_are_in_the_order_of_the_directions(order: tuple[str, str]) -> None:
    """``{north, south}`` begins with north in the order of its type; reversed one by one, with south."""
    machine = ReferenceMachine(model_of(GAME.read_text(encoding="utf-8")))
    state = machine.initial()
    for name in order:
        state = machine.after(state, Move(name))
    assert {"upward = b3", "downward = b1"} <= {str(seen) for seen in machine.information_state(state, 1)}


# The order of sets, above all of sets of sets, against the words of the manual in plain Python.


QUESTIONS: Final = 25
BASE: Final = 17
MOST: Final = 13
"""A loop is written as a number with this base and this many digits: the codes of the first members, plus 1."""

Places = frozenset[int]
"""A set of members of a type, by their places in its order."""


@frozen
class Kind:
    """A type with few members: how it is declared, and the members in its order."""

    declared: str
    members: tuple[str, ...]

    @property
    def rest(self) -> Places:
        return frozenset(range(len(self.members)))


PLAIN: Final = (
    Kind("type X = 1..3", ("1", "2", "3")),
    Kind("type X = -1..2", ("-1", "0", "1", "2")),
    Kind("type X = red | green | blue", ("red", "green", "blue")),
    Kind("type X = (n: 1..2, is_new: Bool)", ("(1, false)", "(1, true)", "(2, false)", "(2, true)")),
    Kind("type X = Player", ("Zoe", "Ann", "Bob")),
)
DEEP: Final = (
    Kind("type X = set of 1..2", ("{}", "{1}", "{2}", "{1, 2}")),
    Kind("type X = (of: set of 1..2, n: 3..3)", ("({}, 3)", "({1}, 3)", "({2}, 3)", "({1, 2}, 3)")),
)
"""Of these, lowered machines make no sets of sets."""


def by_size(places: Places) -> tuple[int, list[int]]:
    """Smaller sets come before larger ones; those of one size are compared from their first members on."""
    return len(places), sorted(places)


def in_order(found: Iterable[Places]) -> list[Places]:
    return sorted(set(found), key=by_size)


@frozen
class Asked:
    """The writer of questions about one type, each with the answer."""

    random: Random
    kind: Kind
    has_variable: bool

    def some(self) -> Places:
        return frozenset(place for place in self.kind.rest if self.random.random() < 0.5)

    def written(self, places: Places) -> str:
        return f"{{{', '.join(self.kind.members[place] for place in sorted(places))}}}"

    def test(self) -> tuple[str, Callable[[Places], bool]]:
        """A condition on ``x``."""
        size, other = self.random.randint(0, 2), self.some()
        if not other:
            return f"size(x) > {size}", lambda x: len(x) > size
        place = self.random.choice(sorted(other))
        return self.random.choice(
            [
                (f"size(x) > {size}", lambda x: len(x) > size),
                (f"size(x) <= {size}", lambda x: len(x) <= size),
                (f"x != {self.written(other)}", lambda x: x != other),
                (f"{self.kind.members[place]} in x", lambda x: place in x),
            ]
        )

    def sets(self, depth: int) -> tuple[str, list[Places]]:
        """A set of sets, with its members in their order; not the empty one, which the checker may know and report."""
        while True:
            text, found = self.any_sets(depth)
            if found:
                return text, found

    def any_sets(self, depth: int) -> tuple[str, list[Places]]:
        choice = self.random.randrange(10 if depth else 3)
        if choice == 0:
            return "S", in_order(map(frozenset, _subsets(self.kind.rest)))
        if choice == 1:
            whole, size = self.some() or self.kind.rest, self.random.randint(0, 3)
            return f"subsets({self.written(whole)}, {size})", in_order(map(frozenset, combinations(whole, size)))
        if choice == 2:
            found = [self.some() or self.kind.rest for _ in range(self.random.randint(1, 4))]
            return f"{{{', '.join(map(self.written, found))}}}", in_order(found)
        text, first = self.sets(depth - 1)
        if choice < 6:
            other, second = self.sets(depth - 1)
            operator, joined = self.random.choice(
                [
                    ("+", {*first, *second}),
                    ("-", {*first} - {*second}),
                    ("*", {*first} & {*second}),
                ]
            )
            return f"({text} {operator} {other})", in_order(joined)
        if choice == 6:
            other, second = self.sets(depth - 1)
            return f"(if is_up then {text} else {other})", first
        if choice == 7:
            less = self.some() or self.kind.rest
            step = f"{{x - {self.written(less)}}}"
            return f"(reach x from {text}: {step})", in_order([*first, *(x - less for x in first)])
        condition, holds = self.test()
        if choice == 8:
            return f"{{x in {text} if {condition}}}", [x for x in first if holds(x)]
        less = self.some() or self.kind.rest
        made = dict.fromkeys(x - less for x in first)
        return f"{{x - {self.written(less)} for x in {text}}}", list(made)

    def question(self, number: int) -> tuple[list[str], int]:
        """The lines of a move, and what it pays."""
        text, found = self.sets(self.random.randint(1, 3))
        lines = [f"        move m{number}:"]
        if self.has_variable and self.random.random() < 0.5:
            lines.append(f"            kept := {text}")
            text, found = "kept", in_order(found)
        elif self.random.random() < 0.2:
            lines.append(f"            let named = {text}")
            text = "named"
        word = self.random.choice(("for", "for", "first", "last"))
        if word == "for":
            lines += [
                f"            for x in {text}:",
                f"                if digits < {MOST}:",
                f"                    number := number * {BASE} + code(x) + 1",
                "                    digits += 1",
                "            end payoff {Zoe: number, Ann: 0, Bob: 0}",
            ]
            worth = 0
            for x in found[:MOST]:
                worth = worth * BASE + _code(x) + 1
            return lines, worth
        condition, holds = self.test()
        matching = [x for x in found if holds(x)]
        lines += [
            f"            let found = {word} x in {text}: {condition}",
            "            if found is none: end payoff {Zoe: -1, Ann: 0, Bob: 0}",
            "            else: end payoff {Zoe: code(found), Ann: 0, Bob: 0}",
        ]
        return lines, _code(matching[0 if word == "first" else -1]) if matching else -1

    def game(self) -> tuple[str, list[int]]:
        bits = " else ".join(f"if x == {member} then {1 << k}" for k, member in enumerate(self.kind.members))
        lines = [
            'game "The order of sets"',
            "players Zoe, Ann, Bob",
            self.kind.declared,
            "type S = set of X",
            "var is_up: Bool = true",
            f"var number: 0..{BASE**MOST} = 0",
            f"var digits: 0..{MOST} = 0",
            *(["var kept: set of S = {}"] if self.has_variable else []),
            f"define bit(x: X) = {bits} else 0",
            "define code(s: S) = sum x in X: if x in s then bit(x) else 0",
            "start at play",
            "phase play:",
            "    turn Zoe:",
        ]
        answers = []
        for number in range(QUESTIONS):
            written, worth = self.question(number)
            lines += written
            answers.append(worth)
        return "\n".join(lines) + "\n", answers


def _subsets(places: Places) -> Iterable[tuple[int, ...]]:
    return (chosen for size in range(len(places) + 1) for chosen in combinations(sorted(places), size))


def _code(places: Places) -> int:
    return sum(1 << place for place in places)


def agree(make: Callable[[Model], Machine[Any]], random: Random, kind: Kind, has_variable: bool) -> None:
    text, answers = Asked(random, kind, has_variable).game()
    model, findings = check(Source("order.game", text))
    assert model is not None and not findings.errors, (text, findings.errors)
    machine = make(model)
    root = machine.initial()
    moves = {move.name: move for move in machine.moves(root)}
    for number, worth in enumerate(answers):
        paid = machine.payoff(machine.after(root, moves[f"m{number}"]))[0]
        assert paid == worth, (number, text)


@pytest.mark.random
@pytest.mark.parametrize("make", MACHINES)
def test_sets_of_sets_are_in_their_order(make: Callable[[Model], Machine[Any]]) -> None:
    for seed in seeds(2):
        try:
            agree(make, Random(seed), PLAIN[seed % len(PLAIN)], has_variable=False)
        except Unsupported:
            continue


@pytest.mark.random
@pytest.mark.parametrize("kind", [PLAIN[2], *DEEP], ids=lambda kind: kind.members[-1])
def test_in_variables_and_with_sets_as_members_too(kind: Kind) -> None:
    for seed in seeds(1):
        agree(ReferenceMachine, Random(seed), kind, has_variable=True)


IN_ORDER: Final = [
    ("{west, south, north, southeast}", "north southeast south west"),
    ("Direction - {north, east}", "northeast southeast south southwest west northwest"),
    ("orthogonal + {northwest}", "north east south west northwest"),
    ("{-d for d in orthogonal}", "south west north east"),
    ("{north, west} * {-d for d in orthogonal}", "north west"),
    ("subsets({west, east, north}, 2)", "{north, east} {north, west} {east, west}"),
    ("{(d, n) for n in {1, 2} for d in {west, east}} + {}", "(east, 1) (east, 2) (west, 1) (west, 2)"),
    ("neighbours(at)", "b3 c3 c2 c1 b1 a1 a2 a3"),
    ("neighbours(at, {west, east, north})", "b3 c2 a2"),
    ("rows(Square) + {}", "{a1, b1, c1} {a2, b2, c2} {a3, b3, c3}"),
    (
        "lines(Square, 3)",
        "{a1, b1, c1} {a1, a2, a3} {a1, b2, c3} {b1, b2, b3} {c1, b2, a3} {c1, c2, c3} {a2, b2, c2} {a3, b3, c3}",
    ),
    ("diagonals(Square)", "{a1, b2, c3} {c1, b2, a3}"),
    ("lines(Point, 2)", "{q, p} {q, s} {p, r} {r, s}"),
]
"""Sets, and their members in the order in which loops, and lists of moves, come to them."""


@pytest.mark.parametrize("make", MACHINES)
def test_directions_and_lines_are_in_the_order_of_their_types(make: Callable[[Model], Machine[Any]]) -> None:
    lines = [
        'game "Orders"', "players Zoe, Ann", "type Square = grid(3, 3)", "type Point = graph(q - p - r, s - r, s - q)",
        "var at: Square = b2", "start at play", "phase play:", "    turn Zoe:",
    ]  # fmt: skip
    lines += [f"        move m{k}(v in {written}): end draw" for k, (written, _) in enumerate(IN_ORDER)]
    model, findings = check(Source("orders.game", "\n".join(lines) + "\n"))
    assert model is not None and not findings.errors, findings.errors
    machine = make(model)
    found: list[list[str]] = [[] for _ in IN_ORDER]
    for move in machine.moves(machine.initial()):
        found[int(move.name[1:])].append(format_value(move.arguments[0]))
    assert [" ".join(each) for each in found] == [order for _, order in IN_ORDER]


# Bounds on the sizes of domains with unbound parameters.


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("subsets(Card - h, 3)", (35, 35)),
        ("subsets(Card, 3)", (120, 120)),
        ("Card - h", (7, 7)),
        ("h", (3, 3)),
        ("h + {c1, c2}", (3, 5)),
        ("(Card - h) + h", (10, 10)),
        ("h * {c1, c2}", (0, 2)),
        ("h - {c1, c2}", (1, 3)),
        ("{c in Card if c not in h}", (0, 10)),
        ("{(c, d) for c in h for d in Card}", (0, 30)),
        ("1..size(h)", (0, 10)),
    ],
)
def test_bounds_follow_from_the_structure(machine_of, second: str, expected: tuple[int, int]) -> None:
    assert _bounds(machine_of, f"h in subsets(Card, 3), k in {second}", 1) == expected


@pytest.mark.parametrize("third", ["subsets(Card - h - k, 3)", "subsets(Card - (h + k), 3)"])
def test_deals_to_three_are_known_exactly(machine_of, third: str) -> None:
    assert _bounds(machine_of, f"h in subsets(Card, 3), k in subsets(Card - h, 3), m in {third}", 2) == (4, 4)


def _bounds(machine_of, parameters: str, place: int) -> tuple[int, int | None]:
    machine = machine_of(
        f"""
        game "Sizes"
        players A
        type Card = c1 | c2 | c3 | c4 | c5 | c6 | c7 | c8 | c9 | c10
        start at deal
        phase deal:
            chance:
                outcome deal({parameters}):
                    end draw
        """
    )
    rule = machine.model.phases["deal"].decision.outcomes[0]
    earlier = {parameter.slot: parameter.domain for parameter in rule.parameters[:place]}
    sizing = size_bounds(Compiler(), rule.parameters[place].domain, earlier)
    return sizing(Context(()), [None] * machine.model.phases["deal"].frame_size)
