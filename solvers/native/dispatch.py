"""Pairs of a kernel for lowered rules and an algorithm in Python for every machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.grammar.deadline import Passed, within
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.running.fallback import lowered_or
from zermelo.solvers.solution import Answer, Problem

if TYPE_CHECKING:
    from zermelo.interpreter.checks.game_facts import Facts
    from zermelo.solvers.forms.extensive_form import ExtensiveForm
    from zermelo.solvers.forms.minimizer import Minimizer
    from zermelo.solvers.forms.sequence_form import SequenceForm
    from zermelo.solvers.search.counting import Count
    from zermelo.solvers.search.random_plays import RandomPlays


def solve(
    by_kernel: Callable[[LoweredMachine, Problem[LoweredState]], Answer],
    algorithm: Callable[[Problem[Any]], Answer],
    problem: Problem[Any],
) -> Answer:
    """The answer of a solver that has a page in Python beside its kernel: by the kernel where the machine can run one,
    and otherwise, or where the kernel comes to its limits, by ``algorithm``."""
    if problem.trace is not None:
        return algorithm(problem)
    return lowered_or(problem.machine, lambda machine: by_kernel(machine, problem), lambda: algorithm(problem))


def count_plays(machine: Machine[Any], length: int, progress: Progress, limits: Limits, threads: int) -> Count:
    """The number of plays of ``length`` moves. ``progress`` is told how many plays a kernel has counted, or how many
    positions have been reached; where there are more plays than a kernel can count, it begins anew."""
    from zermelo.solvers.native import walk
    from zermelo.solvers.search import counting

    def by_kernel(lowered: LoweredMachine) -> Count:
        return walk.count_plays(lowered, length, progress, limits, threads)

    def by_layers() -> Count:
        return counting.count_plays(machine, length, progress, limits)

    try:
        with within(limits.left):
            return lowered_or(machine, by_kernel, by_layers) if length > 0 else counting.Count(1)
    except Passed:  # before anything could be counted
        return counting.Count(0, limits.stopped_by_time)


def play_at_random(
    machine: Machine[Any], plays: int, seed: int, progress: Progress, limits: Limits, threads: int
) -> RandomPlays:
    """Random plays. The same seed gives the same plays for any number of threads, on the same kind of machine: kernels
    draw in their own way."""
    from zermelo.solvers.native.plays import play_by_kernel
    from zermelo.solvers.search import random_plays

    def by_kernel(lowered: LoweredMachine) -> RandomPlays:
        with limits.kept():
            return play_by_kernel(lowered, plays, seed, progress, limits, threads)

    return lowered_or(machine, by_kernel, lambda: random_plays.random_plays(machine, plays, seed, progress, limits))


def tree_of(problem: Problem[Any]) -> ExtensiveForm:
    """The extensive form of what is to be solved, built now unless it has been."""
    if problem.tree is not None:
        return problem.tree
    return build_tree(problem.machine, problem.facts, problem.root, problem.limits, problem.progress)


def build_tree(machine: Machine[Any], facts: Facts, root: Any, limits: Limits, progress: Progress) -> ExtensiveForm:
    """The extensive form of a game whose plays all end, which begins at ``root``.

    Raises ``ZermeloError``: ``no-solver`` where something is hidden and the play has begun, and what
    :func:`zermelo.solvers.forms.tree_building.build` raises."""
    from zermelo.solvers.forms import tree_building
    from zermelo.solvers.native.tree_building import build

    if machine.play(root):
        raise ZermeloError(
            "no-solver",
            "where something is hidden, what is left of a play has no value of its own: it depends on what the players "
            "make of what came before",
        )
    is_hidden = facts.perfect_information.holds is not True
    with limits.kept():
        return lowered_or(
            machine,
            lambda lowered: build(lowered, is_hidden, limits, progress),
            lambda: tree_building.build(machine, is_hidden, facts.discounted, limits, progress),
        )


def minimizer(
    name: str, machine: Machine[Any], tree: ExtensiveForm, form: SequenceForm, seed: int, limits: Limits
) -> Minimizer:
    """The algorithm of a solver that iterates: its kernel, compiled where the machine is.

    Raises ``ZermeloError`` (``out-of-memory``)."""
    from zermelo.solvers.native.counterfactual_regret import VARIANTS, CounterfactualRegret
    from zermelo.solvers.native.iteration_memory import check_memory
    from zermelo.solvers.native.monte_carlo_cfr import MonteCarloRegret

    is_compiled = isinstance(machine, LoweredMachine) and machine.is_compiled
    check_memory(tree, form, name not in VARIANTS, is_compiled, limits)
    if name in VARIANTS:
        return CounterfactualRegret(form, VARIANTS[name], is_compiled)
    return MonteCarloRegret(tree, form, name == "outcome_sampling", seed, is_compiled)
