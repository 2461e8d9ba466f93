"""Random games in which a player guesses what chance has drawn, from values of all types that they are told or see
others choose, and what the game is worth, from how its values are written.

Values are equal if they are of one type and written alike; numbers of different ranges are of one type, and ``none``
and the empty set of all. What is drawn is not known where several draws are followed by equal observations, and then
the best that one can do is to name the likeliest of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import Final

from attrs import frozen

HEAD: Final = """\
game "Told"
players Ann, Bob
claim zero_sum
{declared}
var h: 0..9 = 0   hidden
start at deal
phase deal:
    chance:
"""

DECLARED: Final = """\
type A = x | y
type B = x | y
type Sq = grid(2, 2)
type Cell = grid(2, 2)
type Place = ring(3)
type Rec = (i: 0..1, j: 0..1)
type Odd = (i: Bool, j: Bool)
var digit: 0..1 = 1
var wide: 0..9 = 1
var zero: 0..9 = 0
var half: 0..2 by 1/2 = 1/2
var yes: Bool = true
var false_one: Bool = false
var some_a: A = x
var some_b: B = x
var way: Direction = east
var back: Direction = west
var spot: Sq = a1
var cell: Cell = a1
var place: Place = Place(1)
var who: Player = Bob
var rec: Rec = (1, 0)
var odd: Odd = (true, false)
var no_digit: (0..1)? = none
var no_truth: Bool? = none
var digits: set of 0..1 = {0, 1}
var bigger: set of 0..3 = {0, 1}
var truths: set of Bool = {false, true}
var ways: set of Direction = {east}
var recs: set of Rec = {(1, 0)}
var odds: set of Odd = {(true, false)}
var empty: set of 0..1 = {}
var nothing: set of Bool = {}
""".splitlines()
"""Of which a game has those that it needs."""

VALUES: Final[dict[str, Hashable]] = {
    "1": 1, "digit": 1, "wide": 1, "2 * half": 1, "0": 0, "zero": 0, "half": Fraction(1, 2),
    "true": "true", "yes": "true", "false": "false", "false_one": "false",
    "some_a": "A.x", "some_b": "B.x", "A.x": "A.x", "B.y": "B.y",
    "way": "east", "back": "west", "-way": "west",
    "spot": "Sq.a1", "cell": "Cell.a1", "place": "Place(1)", "who": "Bob",
    "rec": (1, 0), "(1, 0)": (1, 0), "(wide, zero)": (1, 0),
    "odd": ("true", "false"), "(yes, false_one)": ("true", "false"),
    "(way, yes)": ("east", "true"), "(rec, 1)": ((1, 0), 1), "(way, 1)": ("east", 1),
    "no_digit": None, "no_truth": None,
    "digits": frozenset({0, 1}), "bigger": frozenset({0, 1}), "truths": frozenset({"true", "false"}),
    "ways": frozenset({"east"}), "recs": frozenset({(1, 0)}), "odds": frozenset({("true", "false")}),
    "empty": frozenset(), "nothing": frozenset(),
}  # fmt: skip
"""Expressions, and the values that they have with the variables as they begin."""

MOVED: Final = [name for name, value in VALUES.items() if value is not None and name != "2 * half"]
"""Those that can be arguments of moves, also in lowered rules."""

ALIKE: Final = [
    [name for name, value in VALUES.items() if value in group]
    for group in ((1, "true"), (0, "false"), ("east", (1, 0), ("true", "false")), ("A.x", "B.x"), ("Sq.a1", "Cell.a1"))
] + [["digits", "bigger", "truths"], ["ways", "recs", "odds"], ["empty", "nothing", "no_digit", "no_truth"]]
"""Expressions whose values Python, or a reader, may take for equal."""


@frozen
class Told:
    """A game, and what it is worth to Ann; ``sets`` is the number of her information sets."""

    text: str
    worth: Fraction
    sets: int


def write_told(random: Random) -> Told:
    """A game in which chance draws, what it has drawn is told Ann or seen by her in Bob's move, and she guesses."""
    groups = [random.choice(ALIKE) for _ in range(random.choice((1, 1, 2)))]
    rows, phases, chances = [], [], []
    heard: dict[Hashable, list[int]] = defaultdict(list)
    for k in range(random.randint(2, 5)):
        written = [random.choice(group if random.random() < 0.8 else list(VALUES)) for group in groups]
        weight, label = random.choice((1, 1, 2, 3)), random.choice(("t", "t", "t", "u"))
        is_moved = random.random() < 0.4 and all(name in MOVED for name in written)
        chances.append(weight)
        heard[is_moved, label, tuple(VALUES[name] for name in written)].append(k)
        rows += [f"        outcome o{k} weight {weight}:", f"            h := {k}"]
        if is_moved:
            rows.append(f"            go p{k}")
            bound = ", ".join(f"v{n} in {{{name}}}" for n, name in enumerate(written))
            phases += [f"phase p{k}:", "    turn Bob:", f"        move {label}({bound}): go guess"]
        else:
            rows += [f"            tell Ann that {label}({', '.join(written)})", "            go guess"]
    guess = [
        "phase guess:", "    turn Ann:", f"        move say(n in 0..{len(chances) - 1}):",
        "            if n == h: end win Ann", "            end win Bob",
    ]  # fmt: skip
    rules = "\n".join([*rows, *phases, *guess]) + "\n"
    text = HEAD.format(declared="\n".join(_needed(rules))) + rules
    best = sum(max(chances[k] for k in drawn) for drawn in heard.values())
    return Told(text, Fraction(2 * best, sum(chances)) - 1, len(heard))


def _needed(rules: str) -> list[str]:
    """The declarations of what rules speak of."""
    needed: list[str] = []
    for line in reversed(DECLARED):
        name = line.split()[1].rstrip(":")
        if re.search(rf"\b{name}\b", "\n".join([rules, *needed])):
            needed.insert(0, line)
    return needed
