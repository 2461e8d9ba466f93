"""Advice is taken as it is written: for every bundled game, every solver and every kind of option, a refusal leads to
another request, and that one is not refused in its turn.

Only what is known from the rules is asked here, so that nothing is solved: what turns out later, such as that plays do
not end, the help says with an ``if``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.choosing.choice import Requirements, check_preconditions, check_request, choose
from zermelo.solvers.choosing.registry import SOLVERS, find_solver
from zermelo.solvers.common.limits import Goal, Limits
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.solution import Request
from zermelo.solving import facts_with_information

OPTIONS = {"--depth": "deepens", "--steps": "traces", "--iterations": "iterates", "--policy": "advises"}
"""An option of each kind, and what a solver must be able to do for it."""

GAMES = sorted(path.stem for path in Path(zermelo.__file__).parent.glob("gamedefs/*.game"))

TRACE = Trace(zermelo.load("two_ply_tree").reference)
"""The record of a search of any game."""


def refusal(facts: Facts, solver: str | None, options: frozenset[str]) -> ZermeloError | None:
    """That of a request, if it is refused."""
    asked = Requirements(**{OPTIONS[option]: True for option in options})
    try:
        if solver is None:
            choose(facts, asked)
            return None
        limits = Limits(depth=2 if "--depth" in options else inf)
        goal = Goal(iterations=3) if "--iterations" in options else None
        trace = TRACE if "--steps" in options else None
        request = Request(solver, limits, trace=trace, goal=goal, is_advised="--policy" in options)
        check_request(find_solver(solver), facts, request)
        check_preconditions(find_solver(solver), facts, asked)
    except ZermeloError as error:
        return error
    return None


def followed(help: str, options: frozenset[str]) -> Iterator[tuple[str | None, frozenset[str]]]:
    """The requests that a help proposes: the solvers that it names, without the options that it leaves out."""
    advice = help.split(";")[0]
    _, _, left_out = advice.partition("leave out ")
    others = options - set(re.findall(r"--\w+", left_out))
    if advice.startswith("these do: "):
        yield from ((name, others) for name in advice.removeprefix("these do: ").split(", "))
    elif not advice.startswith("these do, if "):
        named = re.search(r"--solver (\w+)", advice)
        yield (named[1] if named else None), others


@pytest.mark.parametrize("name", GAMES)
def test_what_a_refusal_proposes_is_not_refused(name):
    facts = facts_with_information(zermelo.load(name))
    for solver in (None, *SOLVERS):
        for option in (None, *OPTIONS):
            options = frozenset() if option is None else frozenset({option})
            refused = refusal(facts, solver, options)
            if refused is None:
                continue
            assert refused.help, (solver, option, refused.message)
            for other, remaining in followed(refused.help, options):
                again = refusal(facts, other, remaining)
                assert (other, remaining) != (solver, options), refused.help
                assert again is None, (solver, option, refused.help, again and again.message)
