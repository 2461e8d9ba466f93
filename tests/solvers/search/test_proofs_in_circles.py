"""Df-pn where plays go round: random graphs of positions, against the solver of positions, which goes back from ends.

What a player can force whatever endless plays are worth, that solver finds in the same rules with an endless play that
is worse for them than any end.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from all_machines import compiled_machine, needs_llvm, python_machine
from solving import solve

import zermelo
from zermelo.interpreter.machine import END
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels.dfpn import MANY, NEVER, Known, Search, remembered
from zermelo.solvers.search import dfpn
from zermelo.solving import facts_of

WORST = 9
"""More than any play pays that ends."""

MAKERS = [
    pytest.param(ReferenceMachine, range(24), id="reference"),
    pytest.param(python_machine, range(24, 30), id="python"),
    pytest.param(compiled_machine, range(30, 33), id="native", marks=needs_llvm),
]


def circles(seed: int, endless: int | None, size: int = 16) -> str:
    """A graph of so many positions, in which somebody has one to three moves."""
    random = Random(seed)
    ends, payoffs = random.choice((8, 15, 30)), random.choice(((-1, 1), (-2, -1, 0, 1, 2)))
    lines = ['game "Circles"', "players Ann, Bob"]
    lines += [] if endless is None else [f"endless payoff ({endless}, {-endless})"]
    lines += ["start at s0", ""]
    for place in range(size):
        lines += [f"phase s{place}:", f"    turn {random.choice(('Ann', 'Bob'))}:"]
        for k in range(random.choice((1, 2, 2, 3))):
            paid = random.choice(payoffs)
            way = f"end payoff ({paid}, {-paid})" if random.randrange(100) < ends else f"go s{random.randrange(size)}"
            lines.append(f"        move m{k}: {way}")
        lines.append("")
    return "\n".join(lines)


def roots(machine):
    """A state in every position in which somebody moves."""
    found = {machine.position(machine.initial()): machine.initial()}
    waiting = list(found.values())
    while waiting:
        state = waiting.pop()
        for after in (machine.after(state, move) for move in machine.moves(state)):
            if machine.actor(after) != END and machine.position(after) not in found:
                found[machine.position(after)] = after
                waiting.append(after)
    return list(found.values())


@cache
def loaded(seed: int, endless: int | None):
    """The game with its facts, checked once for tables of every size."""
    game = zermelo.loads(circles(seed, endless))
    return game, facts_of(game)


@cache
def running(make, seed: int, endless: int | None):
    """A machine of the game."""
    return make(loaded(seed, endless)[0].model)


@cache
def forced(seed: int, endless: int) -> list[Fraction]:
    """What every position is worth, in the order of :func:`roots`, if this is what an endless play pays."""
    game, known = loaded(seed, endless)
    return [solve(game.reference, known, "positions", root=root).value[0] for root in roots(game.reference)]


def proved(machine, known, root) -> Fraction | str:
    """What df-pn calls the value, or why it says that it has none."""
    try:
        found = solve(machine, known, "dfpn", root=root, limits=Limits(nodes=3_000))
    except zermelo.ZermeloError as refused:
        return refused.code
    assert found.exact
    return found.value[0]


@pytest.mark.parametrize("entries", [8, 16, 1 << 12])
@pytest.mark.parametrize(("make", "seeds"), MAKERS)
def test_it_proves_what_can_be_forced_and_nothing_else(make, seeds, entries, monkeypatch):
    monkeypatch.setattr(dfpn, "table_size", lambda limits, width, kernels: entries)
    counted = Counter[str]()
    for seed in seeds:
        try:
            least, most = forced(seed, -WORST), forced(seed, WORST)
        except zermelo.InvalidGame:  # there is no way from some position to an end
            continue
        for endless in (None, 0, -WORST):
            machine, (_, known) = running(make, seed, endless), loaded(seed, endless)
            low, high = known.bounds[0] if known.has_endless else (-WORST, WORST)
            for root, a, b in zip(roots(machine), least, most, strict=True):
                below, above = max(a, low), min(b, high)
                found = proved(machine, known, root)
                if found != "out-of-nodes":  # a table that holds little makes a search long
                    assert found == (below if below == above else "needs-end"), (seed, endless)
                counted[found if isinstance(found, str) else "proved"] += 1
    assert counted["proved"] > 20 and counted["needs-end"] > 20, counted
    assert counted["out-of-nodes"] < counted["proved"], counted


def remembers(proof: int, disproof: int, rests: int, high: int = 9) -> tuple[int, int, int]:
    """What the table remembers of a state at depth 5 asked for 1 or more, and what its failure rests on then."""
    known = SimpleNamespace(proof=proof, disproof=disproof, low=-9, high=high)
    search = SimpleNamespace(depth=5, need=1, outlook=SimpleNamespace(rests=rests))
    remembered(cast(Search, search), cast(Known, known))
    return known.proof, known.disproof, search.outlook.rests


@pytest.mark.parametrize("rests", [5, 6, NEVER])
def test_a_failure_that_needs_nothing_further_up_is_one_on_every_path(rests):
    assert remembers(NEVER, 0, rests) == (NEVER, 0, NEVER)
    assert remembers(0, NEVER, rests) == (0, NEVER, NEVER)


@pytest.mark.parametrize("rests", [0, 4])
def test_a_failure_on_one_path_decides_nothing_on_another(rests):
    assert remembers(NEVER, 0, rests) == (MANY, 1, rests)
    assert remembers(0, NEVER, rests) == (1, MANY, rests)
    assert remembers(7, 3, rests) == (7, 3, rests)


def test_what_bounds_say_holds_on_every_path():
    assert remembers(NEVER, 0, rests=2, high=0) == (NEVER, 0, NEVER)


ROUND_ABOUT = """\
game "Round about"
players Ann, Bob
endless payoff (0, 0)
start at root

phase root:
    turn Bob:
        move near: go near
        move far: go far
phase near:
    turn Ann:
        move stay: go near
        move round: go round
        move win: go won
phase round:
    turn Ann:
        move lose: end win Bob
        move back: go near
phase won:
    turn Bob:
        move either: end win Ann
        move other: end win Ann
        move neither: end win Ann
phase far:
    turn Ann:
        move first: end win Bob
        move second: end win Bob
        move third: end win Bob
        move stay: go far
        move last: go round
"""


def test_who_fails_behind_the_best_of_their_moves_may_succeed_on_another_path_behind_another():
    """Searched from ``near``, ``round`` fails because ``near`` is on the path; from ``far`` it leads to a win."""
    game = zermelo.loads(ROUND_ABOUT)
    assert proved(game.reference, facts_of(game), game.reference.initial()) == 1
