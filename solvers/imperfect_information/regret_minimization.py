"""Equilibria by iteration: algorithms that converge and may be stopped at any time.

The algorithms run in floating point; statements about their results are exact. Average plans are rounded to
probabilities with a power of two as denominator, and exact best responses assess them: how much the players could gain,
and, for two players and constant sum, proved bounds on the value of the game.

Convergence is checked after 1, 2, 3, ... iterations, later whenever their number has grown by a tenth. This does not
depend on time: a run that is stopped and resumed ends where it would have ended otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import dropwhile
from time import perf_counter
from typing import Final

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import State
from zermelo.solvers.common.limits import Checkpoint, Milestone
from zermelo.solvers.forms.best_response import assess
from zermelo.solvers.forms.extensive_form import ExtensiveForm, Plan, SequenceForm, Sequences, plan_of, sequence_form
from zermelo.solvers.forms.strategy import round_shares, strategies
from zermelo.solvers.imperfect_information.counterfactual_regret import Minimizer, minimizer
from zermelo.solvers.imperfect_information.sampling_from_rules import sample_from_rules
from zermelo.solvers.solution import Answer, Certainty, Problem
from zermelo.solvers.tree_building.building import tree_of
from zermelo.solvers.tree_building.grouping import Grouped, group_symmetric

# From floating point to strategies.
#
# Weights found in floating point do not sum exactly as a plan must. Rounded to probabilities with a power of two as
# denominator they are a strategy, whose guarantee can be computed exactly.


def round_strategy(sequences: Sequences, weights: Sequence[float]) -> list[Fraction]:
    """The behaviour strategy whose probabilities in every information set are nearly proportional to the ``weights`` of
    its sequences; uniform if all weights are 0."""
    strategy = [Fraction(1)] * len(sequences)
    for first, end in zip(sequences.firsts, sequences.firsts[1:], strict=False):
        strategy[first:end] = round_shares(weights[first:end])
    return strategy


_SLICE_SECONDS: Final = 0.05
"""The time between two checks of the limits, about."""

_MOST_BITS: Final = 500
"""The most bits of payoffs for which the squares of their sums do not overflow in floating point."""

_SAMPLED: Final = ("external_sampling", "outcome_sampling")
"""The solvers that can do without a tree."""

_NO_GUARANTEE: Final = (
    "With more players, or without a constant sum, the averages need not converge to an equilibrium; the "
    "exploitability tells how far they are from one."
)


def regret_minimization(name: str) -> Callable[[Problem[State]], Answer]:
    """The solver of this name, one of those of
    :func:`zermelo.solvers.imperfect_information.counterfactual_regret.minimizer`.

    An interrupt ends the iteration, and the answer is the result so far. Raises ``ZermeloError`` (``no-solver``) for
    payoffs too large for floating-point numbers."""

    def solve(problem: Problem[State]) -> Answer:
        try:
            tree = tree_of(problem)
            form = sequence_form(tree, problem.limits)
            _check_range(form)
            smaller = group_symmetric(problem, tree)
            iterated = tree if smaller is None else smaller.tree
            small = form if smaller is None else sequence_form(smaller.tree, problem.limits)
            players = minimizer(name, problem.machine, iterated, small, problem.seed, problem.limits)
        except ZermeloError as error:
            if error.code == "out-of-memory" and name in _SAMPLED and not problem.machine.play(problem.root):
                return _sample_without_tree(problem, name)
            raise
        checkpoint = None
        if problem.goal.checkpoint is not None:
            checkpoint = Checkpoint(problem.goal.checkpoint, _digest(small, name, problem.seed))
            saved = checkpoint.load()
            if saved is not None:
                players.load(saved)
        try:
            stopped = _iterate(problem, players, checkpoint)
        except KeyboardInterrupt:
            stopped = "by an interrupt"
        _save(players, checkpoint)
        behaviours = [round_strategy(*pair) for pair in zip(small.players, players.averages(), strict=True)]
        if smaller is not None:
            behaviours = smaller.lifted(behaviours)
        return _answer(problem, tree, form, players, behaviours, smaller, stopped)

    return solve


predictive_cfr_plus = regret_minimization("predictive_cfr_plus")
cfr_plus = regret_minimization("cfr_plus")
discounted_cfr = regret_minimization("discounted_cfr")
linear_cfr = regret_minimization("linear_cfr")
cfr = regret_minimization("cfr")
external_sampling = regret_minimization("external_sampling")
outcome_sampling = regret_minimization("outcome_sampling")


def _sample_without_tree(problem: Problem[State], name: str) -> Answer:
    """The result without a tree; nobody knows the exploitability then, and there are no checkpoints. Raises
    ``ZermeloError`` (``no-solver``) where these are asked for."""
    for asked, option in ((problem.goal.checkpoint, "--checkpoint"), (problem.goal.exploitability, "--exploitability")):
        if asked is not None:
            raise ZermeloError(
                "no-solver",
                f"the tree does not fit into memory, and {name} samples from the rules then, without {option}",
                f"leave out {option}; --iterations and --time say when it stops",
            )
    return sample_from_rules(problem, name == "outcome_sampling")


def _check_range(form: SequenceForm) -> None:
    """Raise ``ZermeloError`` (``no-solver``) for payoffs whose squares overflow in floating point."""
    most = form.denominator << _MOST_BITS
    if any(abs(payoff) > most for payoffs in form.payoffs for payoff in payoffs):
        raise ZermeloError(
            "no-solver",
            f"the payoffs of this game have more than {_MOST_BITS} bits, too many for an algorithm that iterates in "
            "floating point",
            "solvers that do not iterate compute in fractions of any size",
        )


def _iterate(problem: Problem[State], players: Minimizer, checkpoint: Checkpoint | None) -> str:
    """Iterate until the players are as close to an equilibrium as wanted; returns what ended it before, in words."""
    wanted, most = problem.goal.stopping_rule(problem.limits.seconds)
    looks = dropwhile(lambda look: look < players.iterations, _convergence_checks())
    look, at_once = next(looks), 1
    while True:
        begin = perf_counter()
        players.iterate(int(min(at_once, look - players.iterations, max(0, most - players.iterations))))
        seconds = perf_counter() - begin
        at_once = at_once * 2 if seconds < _SLICE_SECONDS / 2 else max(1, at_once // 2)
        if players.iterations == look:
            exploitability = sum(players.gains()) / len(problem.machine.player_names)
            problem.remark(Milestone(look, "iterations", {"exploitability": exploitability}))
            if exploitability <= wanted:
                return ""
            look = next(looks)
        if players.iterations >= most:
            return f"after {players.iterations:,} iterations"
        if problem.limits.is_over:
            return problem.limits.stopped_by_time
        if checkpoint is not None and checkpoint.is_due:
            _save(players, checkpoint)


def _convergence_checks() -> Iterator[int]:
    """The numbers of iterations after which to check convergence."""
    look = 1
    while True:
        yield look
        look = max(look + 1, look * 11 // 10)


def _save(players: Minimizer, checkpoint: Checkpoint | None) -> None:
    saved = None if checkpoint is None else players.save()
    if checkpoint is not None and saved is not None:
        checkpoint.save(saved)


def _digest(form: SequenceForm, name: str, seed: int) -> bytes:
    """The identity of a checkpoint: the game, the solver, and the seed."""
    digest = sha256(f"{name} {seed} {form.denominator}".encode())
    for sequences in form.players:
        digest.update(sequences.parents.tobytes() + sequences.firsts.tobytes())
    for column, payoffs in zip(form.leaves, form.payoffs, strict=True):
        digest.update(column.tobytes() + repr(list(payoffs)).encode())
    return digest.digest()


def _answer(
    problem: Problem[State],
    tree: ExtensiveForm,
    form: SequenceForm,
    players: Minimizer,
    behaviours: Sequence[Plan],
    smaller: Grouped | None,
    stopped: str,
) -> Answer:
    """The exact assessment of the average plans."""
    plans = [plan_of(*pair) for pair in zip(form.players, behaviours, strict=True)]
    assessment = assess(form, plans)
    is_bounded = problem.facts.constant_sum.holds is True and len(plans) == 2
    notes = ([f"Stopped {stopped}."] if stopped else []) + ([] if is_bounded else [_NO_GUARANTEE])
    notes += [] if smaller is None else [smaller.note]
    counts = {
        "nodes": tree.histories,
        "information sets": len(tree.information_sets),
        "iterations": players.iterations,
        **({} if smaller is None else smaller.counts),
    }
    return Answer(
        value=assessment.expected,
        counts=counts,
        certainty=Certainty.BOUNDED if is_bounded else Certainty.HEURISTIC,
        notes=tuple(notes),
        strategies=strategies(tree, form, plans),
        exploitability=assessment.exploitability,
        interval=assessment.interval if is_bounded else None,
    )
