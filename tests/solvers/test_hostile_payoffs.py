"""All solvers agree with plain recursion over fractions, whatever the size of the payoffs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
import random_cases
from all_machines import MACHINES, native_machine, needs_llvm, python_machine
from hostile_payoffs import Solved, earning, ladder, tree
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.choosing.registry import SOLVERS, Need, unmet_needs
from zermelo.solving import facts_of

PROOFS = Path(__file__).parents[1] / "trial" / "proofs"

SEARCHES = tuple(
    name for name, solver in SOLVERS.items() if Need.IMPERFECT_INFORMATION not in solver.needs and not solver.guesses
)
ITERATIVE = tuple(name for name, solver in SOLVERS.items() if solver.iterates)


def assert_solved(game: zermelo.Game, value: tuple[Any, ...], *makers: Callable[..., Machine[Any]]) -> int:
    """Check that all searches that fit a game find its value; their number."""
    facts = facts_of(game)
    fitting = [name for name in SEARCHES if not unmet_needs(SOLVERS[name], facts)]
    count = 0
    for maker in makers:
        try:
            machine = maker(game.model)
        except Unsupported:
            continue
        for name in fitting:
            solution = solve(machine, facts, name)
            assert (name, solution.value, solution.exact) == (name, value, True), maker
            count += 1
    return count


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("09_huge_aspiration", -12765094444115960990),  # Bob takes the less of the two
        ("09b_huge_default", -18446744073709551615),  # Ann takes the more
        ("09c_huge_dfpn", 4611686018427387904),  # Ann takes it rather than 1/3
    ],
)
def test_payoffs_beyond_64_bits(name, value, machine):
    assert assert_solved(zermelo.load(PROOFS / f"{name}.game"), (value, -value), machine) > 10


def check_family(make: Callable[[Random], Solved], seeds: range, *makers: Callable[..., Machine[Any]]) -> None:
    count = 0
    for seed in seeds:
        solved = make(Random(seed))
        count += assert_solved(zermelo.loads(solved.text), solved.value, *makers)
    assert count > len(seeds)


@pytest.mark.parametrize("block", random_cases.seeds(3))
def test_trees(block):
    check_family(tree, range(20 * block, 20 * block + 20), ReferenceMachine, python_machine)


@pytest.mark.parametrize("block", random_cases.seeds(3))
def test_earnings(block):
    check_family(earning, range(10 * block, 10 * block + 10), ReferenceMachine, python_machine)


@needs_llvm
@pytest.mark.parametrize(("make", "seeds"), [(tree, range(3, 8)), (earning, range(3))])
def test_on_machine_code(make, seeds):
    check_family(make, seeds, native_machine)


@pytest.mark.parametrize(
    ("rungs", "machine"),
    [
        *((rungs, machine) for rungs in (1, 16, 33, 65) for machine in (ReferenceMachine, python_machine)),
        *(pytest.param(rungs, native_machine, marks=needs_llvm) for rungs in (16, 33, 65)),
    ],
)
def test_earnings_up_to_the_ends_of_what_kernels_hold(rungs, machine):
    solved = ladder(rungs)
    assert assert_solved(zermelo.loads(solved.text), solved.value, machine) > 10


HUGE = "*".join([str(10**90)] * 5)


def test_payoffs_that_no_floating_point_number_holds():
    text = f"""
game "Huge"
players Ann, Bob
define huge = {HUGE}
tree:
    Ann:
        sure: 1/huge
        draw: chance:
            1/3 well: 2 * huge
            2/3 ill: Bob:
                stay: -huge
                leave: 1 - huge
        best: Bob:
            one: 1/huge + 1/(huge * huge)
            two: huge
"""
    value = Fraction(1, 10**450) + Fraction(1, 10**900)
    game = zermelo.loads(text)
    assert assert_solved(game, (value, -value), ReferenceMachine) >= 4
    guess = solve(game.reference, facts_of(game), "mcts")
    assert guess.best == (zermelo.Move("best"),)
    assert "the guess" in guess.notes[0]


@pytest.mark.parametrize("name", ITERATIVE)
def test_iteration_in_floating_point_refuses_what_it_cannot_hold(name):
    text = f"""
game "Huge pennies"
players Even, Odd
define huge = {HUGE}
table:
    Even \\ Odd | heads | tails
    heads      | huge  | -huge
    tails      | -huge | huge
"""
    game = zermelo.loads(text)
    with pytest.raises(ZermeloError, match="floating point"):
        solve(game.reference, facts_of(game), name)
    assert solve(game.reference, facts_of(game), "sequence_form").value == (0, 0)
