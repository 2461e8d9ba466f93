"""Equilibria by iteration: algorithms that come nearer and nearer, and may be stopped at any time.

Whatever an algorithm does in floating point, what is said of its result is exact. Its average plans are rounded to
probabilities in whole parts of a power of two, and exact best responses tell what they are worth: how much the players
could gain, and, for two players and constant sum, between which bounds the value of the game is proved to lie.

How near it has come is looked at after 1, 2, 3, ... and later after every tenth part more iterations, which does not
depend on the clock: what was stopped and taken up again stops in the end where it would have stopped anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import dropwhile
from time import perf_counter
from typing import Final

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import State
from zermelo.solvers.common.checkpoint import Checkpoint
from zermelo.solvers.forms.best_response import assess
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.forms.minimizer import Minimizer
from zermelo.solvers.forms.sequence_form import SequenceForm, plan_of, sequence_form
from zermelo.solvers.forms.strategy import strategies
from zermelo.solvers.imperfect_information.rounding import rounded_strategy
from zermelo.solvers.native.dispatch import minimizer, tree_of
from zermelo.solvers.solution import Answer, Certainty, Problem

_SLICE_SECONDS: Final = 0.05
"""How long iterations go on before the host looks at the clock, about."""

_MOST_BITS: Final = 500
"""Of payoffs: the squares of their sums are still floating-point numbers."""

_NO_GUARANTEE: Final = (
    "With more players, or without a constant sum, nothing says that the averages come near an equilibrium; the "
    "exploitability tells how far they are from one."
)


def regret_minimization(name: str) -> Callable[[Problem[State]], Answer]:
    """The solver of this name, one of those of :func:`zermelo.solvers.native.dispatch.minimizer`.

    An interrupt ends the iteration, and what has been reached by then is the answer. It raises ``ZermeloError``
    (``no-solver``) for payoffs that are too large for floating-point numbers."""

    def solve(problem: Problem[State]) -> Answer:
        tree = tree_of(problem)
        form = sequence_form(tree, problem.limits)
        _check_range(form)
        players = minimizer(name, problem.machine, tree, form, problem.seed, problem.limits)
        checkpoint = None
        if problem.goal.checkpoint is not None:
            checkpoint = Checkpoint(problem.goal.checkpoint, _digest(form, name, problem.seed))
            saved = checkpoint.load()
            if saved is not None:
                players.load(saved)
        try:
            stopped = _iterate(problem, players, checkpoint)
        except KeyboardInterrupt:
            stopped = "by an interrupt"
        _save(players, checkpoint)
        return _answer(problem, tree, form, players, stopped)

    return solve


predictive_cfr_plus = regret_minimization("predictive_cfr_plus")
cfr_plus = regret_minimization("cfr_plus")
discounted_cfr = regret_minimization("discounted_cfr")
linear_cfr = regret_minimization("linear_cfr")
cfr = regret_minimization("cfr")
external_sampling = regret_minimization("external_sampling")
outcome_sampling = regret_minimization("outcome_sampling")


def _check_range(form: SequenceForm) -> None:
    """Raise ``ZermeloError`` (``no-solver``) for payoffs of which floating-point numbers cannot hold the squares."""
    most = form.denominator << _MOST_BITS
    if any(abs(payoff) > most for payoffs in form.payoffs for payoff in payoffs):
        raise ZermeloError(
            "no-solver",
            f"the payoffs of this game have more than {_MOST_BITS} bits, too many for an algorithm that iterates in "
            "floating point",
            "the solvers that are not iterative reckon in fractions of any size",
        )


def _iterate(problem: Problem[State], players: Minimizer, checkpoint: Checkpoint | None) -> str:
    """Iterate until the players are as near to an equilibrium as wanted; what ended it before, in words."""
    wanted, most = problem.goal.settled(problem.limits.seconds)
    looks = dropwhile(lambda look: look < players.iterations, _looks())
    look, at_once = next(looks), 1
    while True:
        begin = perf_counter()
        players.iterate(int(min(at_once, look - players.iterations, max(0, most - players.iterations))))
        seconds = perf_counter() - begin
        at_once = at_once * 2 if seconds < _SLICE_SECONDS / 2 else max(1, at_once // 2)
        if players.iterations == look:
            exploitability = sum(players.gains()) / len(problem.machine.player_names)
            problem.remark(f"{look:,} iterations, exploitability {exploitability:.3g}")
            if exploitability <= wanted:
                return ""
            look = next(looks)
        if players.iterations >= most:
            return f"after {players.iterations:,} iterations"
        if problem.limits.is_over:
            return problem.limits.stopped_by_time
        if checkpoint is not None and checkpoint.is_due:
            _save(players, checkpoint)


def _looks() -> Iterator[int]:
    """After how many iterations to look how near it is."""
    look = 1
    while True:
        yield look
        look = max(look + 1, look * 11 // 10)


def _save(players: Minimizer, checkpoint: Checkpoint | None) -> None:
    saved = None if checkpoint is None else players.save()
    if checkpoint is not None and saved is not None:
        checkpoint.save(saved)


def _digest(form: SequenceForm, name: str, seed: int) -> bytes:
    """What tells checkpoints apart: the game, the solver, and the seed."""
    digest = sha256(f"{name} {seed} {form.denominator}".encode())
    for sequences in form.players:
        digest.update(sequences.parents.tobytes() + sequences.firsts.tobytes())
    for column, payoffs in zip(form.leaves, form.payoffs, strict=True):
        digest.update(column.tobytes() + repr(list(payoffs)).encode())
    return digest.digest()


def _answer(
    problem: Problem[State], tree: ExtensiveForm, form: SequenceForm, players: Minimizer, stopped: str
) -> Answer:
    """What the average plans are worth, exactly."""
    behaviours = [rounded_strategy(*pair) for pair in zip(form.players, players.averages(), strict=True)]
    plans = [plan_of(*pair) for pair in zip(form.players, behaviours, strict=True)]
    assessment = assess(form, plans)
    is_bounded = problem.facts.constant_sum.holds is True and len(plans) == 2
    notes = ([f"Stopped {stopped}."] if stopped else []) + ([] if is_bounded else [_NO_GUARANTEE])
    counts = {
        "nodes": tree.histories,
        "information sets": len(tree.information_sets),
        "iterations": players.iterations,
    }
    return Answer(
        value=assessment.expected,
        best=(),
        line=(),
        counts=counts,
        certainty=Certainty.BOUNDED if is_bounded else Certainty.HEURISTIC,
        notes=tuple(notes),
        strategies=strategies(tree, form, plans, behaviours),
        exploitability=assessment.exploitability,
        interval=assessment.interval if is_bounded else None,
    )
