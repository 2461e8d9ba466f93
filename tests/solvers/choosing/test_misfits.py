"""A solver that does not fit a game is refused for that, whatever else is asked of it, and the help leads on."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.choosing.choice import Requirements, check_preconditions, check_request, instead
from zermelo.solvers.choosing.registry import find_solver
from zermelo.solvers.common.limits import Goal
from zermelo.solvers.solution import Request


@pytest.mark.parametrize(("game", "solver"), [("subtraction_game", "sequence_form"), ("kuhn_poker", "minimax")])
def test_what_is_asked_is_not_the_reason(game, solver):
    """Without the options that are asked for in vain the solver would not run either."""
    facts = zermelo.load(game).facts
    check_request(find_solver(solver), facts, Request(goal=Goal(iterations=9), is_advised=True))
    with pytest.raises(ZermeloError) as raised:
        check_preconditions(find_solver(solver), facts)
    assert raised.value.code.startswith("needs-")


def test_options_that_no_solver_takes_are_named_beside_the_one_that_fits():
    asked = Requirements(deepens=True)
    assert instead(zermelo.load("kuhn_poker").facts, asked) == (
        "the linear program of the sequence form fits this game: --solver sequence_form, and leave out --depth and "
        "--nodes"
    )


def test_a_search_to_a_depth_without_an_estimate_gets_one():
    asked = Requirements(deepens=True)
    assert instead(zermelo.load("coin_flip_tree").facts, asked) == (
        "expectiminimax fits this game: `zermelo solve --solver expectiminimax --estimate rollouts`"
    )
