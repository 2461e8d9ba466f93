"""Trees and small games with payoffs at or beyond the limits of 64 bits, and their values by plain recursion over
fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, NamedTuple

NAMES = ("Ann", "Bob", "Cid")
CHANCE = -1
_PARTS = (2, 3, 7, 97, 2**24 - 1, 2**24, 2**24 + 1, 2**31 - 1, 2**61 - 1, 10**30 + 57)


class Solved(NamedTuple):
    """A game, and the payoffs of best play."""

    text: str
    value: tuple[Fraction, ...]


def amounts(random: Random) -> Callable[[], Fraction]:
    """Draws amounts that are almost equal, or hard to bring to a common denominator."""
    some = [_amount(random) for _ in range(random.randint(1, 4))]
    if random.random() < 0.4:
        some = [amount for amount in some if abs(amount) < 2**70] or [Fraction(1)]

    def draw() -> Fraction:
        amount = random.choice(some)
        return random.choice((amount, amount, -amount, amount + 1, amount - 1, amount / 2, amount + Fraction(1, 3)))

    return draw


def _amount(random: Random) -> Fraction:
    sign = random.choice((1, -1))
    match random.randrange(6):
        case 0:
            return Fraction(random.randint(-3, 3), random.randint(1, 6))
        case 1:
            return sign * Fraction(2 ** random.randint(28, 66) + random.randint(-1, 1))
        case 2:
            return Fraction(random.randint(-5, 5), random.choice(_PARTS))
        case 3:
            return sign * Fraction(2 ** random.randint(100, 320) + random.randint(-1, 1))
        case 4:
            return 2 ** random.randint(28, 62) + Fraction(random.randint(-2, 2), random.choice(_PARTS))
        case _:
            return Fraction(random.randint(-(2**30) - 1, 2**30 + 1))


# ------------------------------------------------------------- trees


def tree(random: Random) -> Solved:
    """A tree of two or three players; with two of them the payoffs sum to 0."""
    players, has_chance = random.choice((2, 2, 2, 3)), random.random() < 0.5
    root = [random.randrange(players), *(_branch(random, 3, players, has_chance, amounts(random)) for _ in range(2))]
    names = NAMES[:players]
    text = f'game "Tree"\nplayers {", ".join(names)}\ntree:\n' + "\n".join(_lines(root, "    ", ""))
    return Solved(text, _value(root))


def _branch(random: Random, depth: int, players: int, has_chance: bool, draw: Callable[[], Fraction]) -> Any:
    if depth == 0 or random.random() < 0.15:
        first = draw()
        return (first, -first) if players == 2 else tuple(draw() for _ in range(players))
    children = [_branch(random, depth - 1, players, has_chance, draw) for _ in range(random.randint(1, 3))]
    if not has_chance or random.random() < 0.65:
        return [random.randrange(players), *children]
    weights = [random.choice((1, 2, 3, 2**31, 2**61 - 1, 10**20)) for _ in children]
    return [CHANCE, *((Fraction(weight, sum(weights)), child) for weight, child in zip(weights, children, strict=True))]


def _lines(node: Any, indent: str, label: str) -> Iterator[str]:
    if isinstance(node, tuple):
        yield f"{indent}{label}({', '.join(map(str, node))})"
        return
    actor, *children = node
    yield f"{indent}{label}{'chance' if actor == CHANCE else NAMES[actor]}:"
    for k, child in enumerate(children):
        if actor == CHANCE:
            yield from _lines(child[1], indent + "    ", f"{child[0]} o{k}: ")
        else:
            yield from _lines(child, indent + "    ", f"m{k}: ")


def _value(node: Any) -> tuple[Fraction, ...]:
    if isinstance(node, tuple):
        return node
    actor, *children = node
    if actor == CHANCE:
        parts = [(probability, _value(child)) for probability, child in children]
        return tuple(sum(share * value[p] for share, value in parts) for p in range(len(parts[0][1])))
    return max(map(_value, children), key=lambda value: value[actor])  # the first of equal ones


# ------------------------------------------------------------- games in which positions come up again


def earning(random: Random) -> Solved:
    """A game of a few decisions between two moves each, in which players earn on the way."""
    has_chance, length, places = random.random() < 0.4, random.randint(2, 4), random.randint(2, 4)
    draw = amounts(random)
    if random.random() < 0.5:  # amounts that fit into 64 bits, or almost
        base = [random.choice((1, -1)) * 2 ** random.randint(20, 30) + random.randint(-2, 1) for _ in range(3)]
        parts = [random.choice((1, 1, 2, 3, 5, 7)) for _ in base]

        def draw() -> Fraction:
            k = random.randrange(3)
            return Fraction(base[k], parts[k]) + random.choice((0, 0, 1, -1, Fraction(1, 2)))

    edges = [(n, s, k) for n in range(length) for s in range(places) for k in (0, 1)]
    earned = {edge: draw() if random.random() < 0.6 else Fraction(0) for edge in edges}
    paid = {s: draw() for s in range(places)}
    leads = {(s, k): random.randrange(places) for s in range(places) for k in (0, 1)}
    weight = {(n, k): random.choice((1, 2, 3, 2**31, 2**40 + 1)) for n in range(length) for k in (0, 1)}
    actors = [random.choice((0, 1, CHANCE) if has_chance else (0, 1)) for _ in range(length)]
    factors = [random.choice((0, 1, 2**30, 2**31 + 1, 2**40, 2**46)) if random.random() < 0.4 else 0 for _ in range(2)]

    @cache
    def value(n: int, s: int) -> Fraction:
        if n == length:
            return paid[s]
        found = [earned[n, s, k] + factors[0] * factors[1] + value(n + 1, leads[s, k]) for k in (0, 1)]
        if actors[n] == CHANCE:
            return (weight[n, 0] * found[0] + weight[n, 1] * found[1]) / (weight[n, 0] + weight[n, 1])
        return max(found) if actors[n] == 0 else min(found)

    amount = _table(earned, ("n", "s", "k")) + " + a * b"
    effects = [f"earn Ann: {amount}", f"earn Bob: -({amount})", f"s := {_table(leads, ('s', 'k'))}", "n += 1", "go on"]
    body = "\n".join(f"            {line}" for line in effects)
    end = _table({(s,): amount for s, amount in paid.items()}, ("s",))
    turns = "\n".join(
        f"    if n == {n}: go {'draw' if actor == CHANCE else f'move({NAMES[actor]})'}"
        for n, actor in enumerate(actors)
    )
    text = f"""
game "Earning"
players Ann, Bob
type Factor = 0..{2**60}
var a: Factor = {factors[0]}
var b: Factor = {factors[1]}
var n: 0..{length} = 0
var s: 0..{places - 1} = 0
start at on
phase on:
    if n >= {length}: end payoff {{Ann: {end}, Bob: -({end})}}
{turns}
    go move(Ann)
phase move(p: Player):
    turn p:
        move pick(k in 0..1):
{body}
"""
    if CHANCE in actors:
        text += f"""
phase draw:
    chance:
        outcome drawn(k in 0..1) weight {_table(weight, ("n", "k"))}:
{body}
"""
    return Solved(text, (value(0, 0), -value(0, 0)))


def _table(amounts: dict[tuple[int, ...], Any], names: tuple[str, ...]) -> str:
    text = "0"
    for key, amount in amounts.items():
        if amount:
            test = " and ".join(f"{name} == {number}" for name, number in zip(names, key, strict=True))
            text = f"(if {test} then ({amount}) else {text})"
    return text


# ------------------------------------------------------------- as large as kernels can hold, or larger


def ladder(rungs: int) -> Solved:
    """Amounts of 30 bits over a denominator of 24 bits, ``rungs`` times for each move, which Ann adds and Bob subtracts
    again, so that only the payoff of the end is left. Intermediate sums reach 4 * ``rungs`` * 2 ** 54 over that
    denominator."""
    text = f"""
game "Ladder"
players Ann, Bob
var n: 0..4 = 0
start at play(Ann)
phase play(p: Player):
    if n == 4: end payoff {{Ann: 1/16777213, Bob: -1/16777213}}
    turn p:
        move pick(k in -1..1):
            n += 1
            for i in 1..{rungs}:
                earn Ann: 1073741823 * k
                earn Bob: -1073741823 * k
            go play(other p)
"""
    value = Fraction(1, 16777213)
    return Solved(text, (value, -value))
