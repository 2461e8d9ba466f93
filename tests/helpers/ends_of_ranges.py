"""Small games with numbers at the ends of ranges, and their payoffs, computed in fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from random import Random
from typing import NamedTuple

ENTRIES = 8
"""The number of entries of the variable ``a``, and of choices of each player."""

Number = int | Fraction


class Operands(NamedTuple):
    """The values of the variables."""

    x: Number
    y: Number
    a: tuple[Number, ...]


class Term(NamedTuple):
    """An expression of the language, and its value, which raises ``ZeroDivisionError`` for an error of the rules."""

    text: str
    value: Callable[[Operands], Number]


def end(random: Random, most: int = 64) -> int:
    """A number next to a power of 2 of at most so many bits, or a small one."""
    if random.random() < 0.25:
        return random.randint(-3, 3)
    return random.choice((1, -1)) * (2 ** random.randint(30, most) + random.randint(-1, 1))


def share(random: Random) -> Fraction:
    """A fraction, sometimes with a large denominator."""
    parts = (1, 1, 2, 2, 3, 4, 6) if random.random() < 0.97 else (2**20 + 7, 2**24 - 1, 2**24 + 1)
    return Fraction(random.randint(-9, 9), random.choice(parts))


def written(number: Number) -> str:
    return f"({number})"


def is_between(number: int, low: int, high: int) -> bool:
    return low <= number <= high


def term(random: Random, depth: int) -> Term:
    """A random expression over ``x``, ``y`` and ``a``."""
    if depth == 0:
        leaf = random.randrange(8)
        if leaf < 3:
            return Term("x", lambda at: at.x)
        if leaf < 6:
            return Term("y", lambda at: at.y)
        constant = end(random) if leaf == 6 else share(random)
        return Term(written(constant), lambda at: constant)
    one = term(random, depth - 1)
    two = term(random, random.randrange(depth))
    three = term(random, random.randrange(depth))
    factor = random.choice((2, 3, -5, 2**31 - 1, 2**60))
    forms: tuple[Callable[[], Term], ...] = (
        lambda: Term(f"({one.text} + {two.text})", lambda at: one.value(at) + two.value(at)),
        lambda: Term(f"({one.text} - {two.text})", lambda at: one.value(at) - two.value(at)),
        lambda: Term(f"({one.text} * {two.text})", lambda at: one.value(at) * two.value(at)),
        lambda: Term(f"({one.text} / {two.text})", lambda at: Fraction(one.value(at)) / two.value(at)),
        lambda: Term(f"({one.text} // {two.text})", lambda at: one.value(at) // two.value(at)),
        lambda: Term(f"({one.text} % {two.text})", lambda at: one.value(at) % two.value(at)),
        lambda: Term(f"(-{one.text})", lambda at: -one.value(at)),
        lambda: Term(f"abs({one.text})", lambda at: abs(one.value(at))),
        lambda: Term(f"min({one.text}, {two.text})", lambda at: min(one.value(at), two.value(at))),
        lambda: Term(f"max({one.text}, {two.text})", lambda at: max(one.value(at), two.value(at))),
        lambda: Term(
            f"(if {one.text} < {two.text} then {three.text} else {two.text})",
            lambda at: three.value(at) if one.value(at) < two.value(at) else two.value(at),
        ),
        lambda: Term(
            f"(sum i in 1..3: i * {written(factor)} - {one.text})",
            lambda at: sum(i * factor - one.value(at) for i in (1, 2, 3)),
        ),
        lambda: Term("(sum i in 0..7: a[i])", lambda at: sum(at.a)),
        lambda: Term(
            f"(count i in 0..7: a[i] <= {one.text})",
            lambda at: sum(entry <= one.value(at) for entry in at.a),
        ),
        lambda: Term(
            f"a[{one.text} // 1 % {ENTRIES}]",
            lambda at: at.a[int(one.value(at) // 1 % ENTRIES)],
        ),
        lambda: Term(
            f"(if {one.text} // 1 in {two.text} // 1 .. {three.text} // 1 then x else 1)",
            lambda at: at.x if is_between(floor(one.value(at)), floor(two.value(at)), floor(three.value(at))) else 1,
        ),
    )
    return random.choice(forms)()


class Reckoning(NamedTuple):
    """A game in which Ann chooses one of the ``xs``, Bob one of the ``ys``, and the play ends."""

    text: str
    xs: tuple[Number, ...]
    ys: tuple[Number, ...]
    outcome: Callable[[int, int], tuple[Fraction, ...] | str]
    """The payoff of the play with x number i and y number j, or the code of the error in its rules."""


def reckoning(random: Random) -> Reckoning:
    """A random game."""
    most = random.choice((31, 40, 58, 60, 60, 60, 61, 64))
    numbers: list[Number] = [end(random, most) for _ in range(3 * ENTRIES)]
    if random.random() < 0.3:
        numbers = [random.choice((number, share(random))) for number in numbers]
    xs, ys, entries = (tuple(sorted(numbers[k : k + ENTRIES])) for k in (0, ENTRIES, 2 * ENTRIES))
    whole, bound, kept = term(random, random.randint(1, 3)), end(random), sorted((end(random, most), end(random, most)))

    def outcome(i: int, j: int) -> tuple[Fraction, ...] | str:
        at = Operands(xs[i], ys[j], entries)
        try:
            value = Fraction(whole.value(at))
        except ZeroDivisionError:
            return "zero-divisor"
        if not kept[0] <= floor(value) <= kept[1]:
            return "assigned-out-of-range"
        moved = Fraction(floor(value)) - xs[i]
        return value % 1009, value // 65536 % 1009, Fraction(int(value < bound)), moved % 1009

    text = f"""
game "Reckoning"
players Ann, Bob, Cid, Dot
{_variable("x", xs)}
{_variable("y", ys)}
var a[0..{ENTRIES - 1}]: {_type(entries)} = {written(entries[0])}
var z: {kept[0]}..{kept[1]} = {kept[0]}
setup:
{"".join(f"    a[{k}] := {written(entry)}" + chr(10) for k, entry in enumerate(entries))}
start at first
phase first:
    turn Ann:
        move ann(i in 0..{ENTRIES - 1}):
            x := {_choice("i", xs)}
            go second
phase second:
    turn Bob:
        move bob(j in 0..{ENTRIES - 1}):
            y := {_choice("j", ys)}
            let t = {whole.text}
            z := t // 1
            let less = if t < {written(bound)} then 1 else 0
            end payoff {{Ann: t % 1009, Bob: t // 65536 % 1009, Cid: less, Dot: (z - x) % 1009}}
"""
    return Reckoning(text, xs, ys, outcome)


def _type(numbers: tuple[Number, ...]) -> str:
    low = min(numbers)
    gaps = [Fraction(number - low) for number in numbers]
    parts = 1
    for gap in gaps:
        parts = parts * gap.denominator // _common(parts, gap.denominator)
    return f"{low}..{max(numbers)}" + (f" by 1/{parts}" if parts > 1 else "")


def _common(one: int, two: int) -> int:
    while two:
        one, two = two, one % two
    return one


def _variable(name: str, numbers: tuple[Number, ...]) -> str:
    return f"var {name}: {_type(numbers)} = {numbers[0]}"


def _choice(index: str, numbers: tuple[Number, ...]) -> str:
    text = written(numbers[-1])
    for k in range(len(numbers) - 2, -1, -1):
        text = f"(if {index} == {k} then {written(numbers[k])} else {text})"
    return text
