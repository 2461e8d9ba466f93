"""The solvers, what each needs, and which one is chosen for a game.

A solver is its algorithm and its needs, as data. One function checks needs against facts and words the refusal, one
chooses. To add a solver, write its file and add its entry to :data:`SOLVERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

import attrs
from attrs import frozen

from grammar.diagnostics import ZermeloError
from interpreter.checks.fact import Facts
from interpreter.machine import Machine, State
from interpreter.suggestions import nearest
from solvers.goal import Goal
from solvers.lazily import lazily
from solvers.limits import Limits
from solvers.native import dispatch
from solvers.needs import Need
from solvers.sampling import Sampling
from solvers.solution import Answer, Problem, Progress, Remark, Solution, ignore_progress, ignore_remark

if TYPE_CHECKING:
    from solvers.trace import Trace


@frozen
class Solver:
    """``name`` is what a user writes and ``title`` what he reads; ``reason`` says why to choose it where it fits. One
    that ``deepens`` can stop at any depth, with what it has found so far; one that ``traces`` can record its search;
    one that ``iterates`` comes nearer to an equilibrium, and can stop at any time; one that ``samples`` makes as many
    simulations as it may. What one that ``guesses`` finds is never exact, so it is never the default."""

    name: str
    title: str
    algorithm: Callable[[Problem[Any]], Answer]
    needs: tuple[Need, ...]
    reason: str
    deepens: bool = False
    traces: bool = False
    iterates: bool = False
    samples: bool = False
    guesses: bool = False


_ITERATED = (Need.IMPERFECT_INFORMATION, Need.END)
_ADVERSARIES = (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.NO_CHANCE, Need.PERFECT_INFORMATION)

SOLVERS: dict[str, Solver] = {
    solver.name: solver
    for solver in (  # the first one that fits is the default
        Solver(
            "enhanced_alphabeta",
            "enhanced alpha-beta",
            lazily("enhanced_alphabeta", "enhanced_alphabeta"),
            (*_ADVERSARIES, Need.END),
            "alpha-beta with a table that looks at all next positions first",
        ),
        Solver(
            "alphabeta_table",
            "alpha-beta with a table",
            lazily("alphabeta_table", "alphabeta_table"),
            (*_ADVERSARIES, Need.END),
            "alpha-beta that remembers the positions it has searched",
            traces=True,
        ),
        Solver(
            "alphabeta",
            "alpha-beta",
            lazily("alphabeta", "alphabeta"),
            (*_ADVERSARIES, Need.END),
            "the value of minimax, without visiting what cannot change it",
            traces=True,
        ),
        Solver(
            "minimax",
            "minimax",
            lazily("minimax", "minimax"),
            (*_ADVERSARIES, Need.END),
            "it visits the whole tree and lists all best moves",
            traces=True,
        ),
        Solver(
            "expectiminimax",
            "expectiminimax",
            lazily("expectiminimax", "expectiminimax"),
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.END),
            "minimax with exact expectations where chance draws",
            traces=True,
        ),
        Solver(
            "sequence_form",
            "the linear program of the sequence form",
            lazily("sequence_form_lp", "sequence_form"),
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.IMPERFECT_INFORMATION, Need.END),
            "both players' best mixtures at once, proved in fractions",
        ),
        Solver(
            "team",
            "the best joint strategy",
            lazily("team", "team"),
            (Need.COMMON_PAYOFF, Need.IMPERFECT_INFORMATION, Need.END),
            "what players who want the same can agree on beforehand",
        ),
        Solver(
            "subgame_perfect",
            "subgame-perfect equilibrium",
            lazily("subgame_perfect", "subgame_perfect"),
            (Need.IMPERFECT_INFORMATION, Need.END),
            "an equilibrium in whatever is left of the game, found from the end",
        ),
        Solver(
            "normal_form",
            "equilibria of the normal form",
            lazily("nash", "normal_form_equilibria"),
            (Need.IMPERFECT_INFORMATION, Need.END),
            "profiles from which nobody gains by leaving alone",
        ),
        Solver(
            "principal_variation",
            "principal variation search",
            lazily("principal_variation", "principal_variation_search"),
            _ADVERSARIES,
            "iterative deepening that trusts the first move and only tests the others",
            deepens=True,
        ),
        Solver(
            "iterative_deepening",
            "iterative deepening",
            lazily("iterative_deepening", "iterative_deepening"),
            _ADVERSARIES,
            "alpha-beta to depth 1, 2, 3, ... up to a limit",
            deepens=True,
        ),
        Solver(
            "aspiration",
            "aspiration windows",
            lazily("aspiration", "aspiration"),
            _ADVERSARIES,
            "iterative deepening that expects little change from one depth to the next",
            deepens=True,
        ),
        Solver(
            "mtdf",
            "MTD(f)",
            lazily("mtdf", "mtdf"),
            _ADVERSARIES,
            "iterative deepening by null windows alone",
            deepens=True,
        ),
        Solver(
            "dfpn",
            "df-pn proof-number search",
            lazily("dfpn", "dfpn"),
            (*_ADVERSARIES, Need.END),
            "it goes where a win or a loss is nearest to a proof",
        ),
        Solver(
            "late_moves",
            "late-move reductions",
            lazily("late_moves", "late_move_reductions"),
            _ADVERSARIES,
            "principal variation search that looks less far behind late moves: deeper, but not exact",
            deepens=True,
        ),
        Solver(
            "star1",
            "Star1",
            lazily("star1", "star1"),
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.BOUNDS, Need.END),
            "expectiminimax, without visiting outcomes that cannot change the value",
            deepens=True,
        ),
        Solver(
            "star2",
            "Star2",
            lazily("star2", "star2"),
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.BOUNDS, Need.END),
            "Star1 that first tries one move after each outcome",
            deepens=True,
        ),
        Solver(
            "maxn",
            "max^n",
            lazily("maxn", "maxn"),
            (Need.PERFECT_INFORMATION, Need.END),
            "everybody looks for his own best payoff",
            deepens=True,
            traces=True,
        ),
        Solver(
            "paranoid",
            "paranoid search",
            lazily("paranoid", "paranoid"),
            (Need.SEVERAL_OPPONENTS, Need.NO_CHANCE, Need.PERFECT_INFORMATION, Need.END),
            "as if all others had allied against the player to move",
            deepens=True,
            guesses=True,
        ),
        Solver(
            "best_reply",
            "best-reply search",
            lazily("best_reply", "best_reply"),
            (Need.SEVERAL_OPPONENTS, Need.NO_CHANCE, Need.PERFECT_INFORMATION, Need.END),
            "as if one of the others replied to each move, and the rest had no choice",
            deepens=True,
            guesses=True,
        ),
        Solver(
            "predictive_cfr_plus",
            "predictive CFR+",
            lazily("regret_minimization", "predictive_cfr_plus"),
            _ITERATED,
            "it comes nearest in the long run, and can be stopped at any time",
            iterates=True,
        ),
        Solver(
            "cfr_plus",
            "CFR+",
            lazily("regret_minimization", "cfr_plus"),
            _ITERATED,
            "regret matching that forgets what speaks against a move",
            iterates=True,
        ),
        Solver(
            "discounted_cfr",
            "discounted CFR",
            lazily("regret_minimization", "discounted_cfr"),
            _ITERATED,
            "regret matching that forgets slowly",
            iterates=True,
        ),
        Solver(
            "linear_cfr",
            "linear CFR",
            lazily("regret_minimization", "linear_cfr"),
            _ITERATED,
            "regret matching in which later iterations count more",
            iterates=True,
        ),
        Solver(
            "cfr",
            "CFR",
            lazily("regret_minimization", "cfr"),
            _ITERATED,
            "regret matching in every information set, the original",
            iterates=True,
        ),
        Solver(
            "external_sampling",
            "external-sampling Monte Carlo CFR",
            lazily("regret_minimization", "external_sampling"),
            _ITERATED,
            "CFR that draws what chance and the others do",
            iterates=True,
        ),
        Solver(
            "outcome_sampling",
            "outcome-sampling Monte Carlo CFR",
            lazily("regret_minimization", "outcome_sampling"),
            _ITERATED,
            "CFR that draws one play at a time",
            iterates=True,
        ),
        Solver(
            "mcts",
            "Monte Carlo tree search",
            lazily("monte_carlo_tree_search", "monte_carlo_tree_search"),
            (Need.PERFECT_INFORMATION, Need.BOUNDS),
            "a guess for games too large to search, by random plays or the estimate",
            samples=True,
            guesses=True,
        ),
    )
}


def find(name: str) -> Solver:
    """The solver of this name, however it is spelled (``alpha-beta``, ``max^n``); raises ``ZermeloError``
    (``unknown-solver``)."""
    plain = _plain(name)
    for solver in SOLVERS.values():
        if plain == _plain(solver.name):
            return solver
    match = nearest(plain, SOLVERS)
    suggestion = f"did you mean '{match}'? " if match else ""
    raise ZermeloError(
        "unknown-solver", f"there is no solver '{name}'", f"{suggestion}the solvers are {', '.join(SOLVERS)}"
    )


def _plain(name: str) -> str:
    """A name without what people spell differently."""
    return "".join(filter(str.isalnum, name.lower().replace("+", "plus")))


def unmet(solver: Solver, facts: Facts) -> tuple[Need, ...]:
    """The needs of the solver that this game does not meet."""
    return tuple(need for need in solver.needs if not need.is_met(facts))


def check_preconditions(solver: Solver, facts: Facts) -> None:
    """Raise ``ZermeloError`` with the code of the first unmet need, if there is one."""
    for need in unmet(solver, facts):
        fitting = [other for other in _trusted() if not unmet(other, facts)]
        help = f"{fitting[0].title} fits this game: --solver {fitting[0].name}" if fitting else NONE_FITS
        raise ZermeloError(need.code, f"{solver.title} is for {need.kind}, and {_verdict(need, facts)}", help)


NONE_FITS = "no other solver fits this game"


def choose(facts: Facts, deepens: bool = False, traces: bool = False, iterates: bool = False) -> Solver:
    """The default solver for a game, or the default of those that deepen, trace or iterate; raises ``ZermeloError``
    (``no-solver``) where none fits."""
    for solver in _trusted():
        can = solver.deepens >= deepens and solver.traces >= traces and solver.iterates >= iterates
        if can and not unmet(solver, facts):
            return solver
    in_the_way = min((unmet(solver, facts) for solver in _trusted()), key=len)
    kinds = " and ".join(need.kind for need in in_the_way)
    verdicts = "; ".join(_verdict(need, facts) for need in in_the_way)
    guessing = [solver for solver in SOLVERS.values() if solver.guesses and not unmet(solver, facts)]
    help = f"{guessing[0].title} fits it and gives a guess: --solver {guessing[0].name}" if guessing else ""
    raise ZermeloError("no-solver", f"the solvers here are for {kinds}, and {verdicts}", help)


def _trusted() -> list[Solver]:
    """The solvers that do more than guess."""
    return [solver for solver in SOLVERS.values() if not solver.guesses]


def _verdict(need: Need, facts: Facts) -> str:
    fact = need.fact(facts)
    return f"this is {'not one' if fact.holds is False else 'not known to be one'}: {fact.how}"


def reason(solver: Solver, facts: Facts) -> str:
    """Why this solver is the default for this game."""
    return f"{describe(facts)}; {solver.reason}"


def describe(facts: Facts) -> str:
    """What kind of game it is, as far as it is known, in a few words."""
    players = len(facts.players)
    parts = ["one player" if players == 1 else "two players" if players == 2 else f"{players} players"]
    if players > 1:
        if facts.constant_sum.holds:
            parts.append("zero sum" if facts.sum == 0 else f"payoffs that always sum to {facts.sum}")
        else:
            parts.append("no constant sum" if facts.constant_sum.holds is False else "no constant sum known")
    parts.append("no chance" if facts.chance.holds is False else "chance")
    parts.append("perfect information" if facts.perfect_information.holds else "hidden information")
    return ", ".join(parts)


def check_request(
    solver: Solver,
    limits: Limits,
    is_traced: bool = False,
    goal: Goal | None = None,
    sampling: Sampling | None = None,
) -> None:
    """Raise ``ZermeloError`` where a solver has no use for what is asked of it: ``searches-to-the-end`` (a depth),
    ``cannot-be-traced``, ``does-not-iterate`` (a goal or a checkpoint), ``does-not-sample``."""
    if limits.depth < inf and not solver.deepens:
        how = "looks as far as plays go" if solver.samples else "searches to the end of all plays"
        raise _none_such("searches-to-the-end", f"{solver.title} {how}, so it has no use for a depth", "deepens")
    if is_traced and not solver.traces:
        raise _none_such("cannot-be-traced", f"{solver.title} does not record its search", "traces")
    if is_traced and limits.has_horizon:
        help = "leave out --depth and --nodes"
        raise ZermeloError("cannot-be-traced", "a search that is cut off is not recorded", help)
    if goal is not None and not solver.iterates:
        message = f"{solver.title} does not come nearer step by step, so it has no use for a goal or a checkpoint"
        raise _none_such("does-not-iterate", message, "iterates")
    if sampling is not None and not solver.samples:
        raise _none_such("does-not-sample", f"{solver.title} makes no simulations", "samples")


def _none_such(code: str, message: str, trait: str) -> ZermeloError:
    """The error of a solver that lacks a trait, with those that have it."""
    others = ", ".join(other.name for other in SOLVERS.values() if getattr(other, trait))
    return ZermeloError(code, message, f"these do: {others}")


def solve(
    machine: Machine[State],
    facts: Facts,
    name: str | None = None,
    progress: Progress | None = None,
    root: State | None = None,
    limits: Limits | None = None,
    rollouts: bool = False,
    seed: int = 0,
    trace: Trace[State] | None = None,
    goal: Goal | None = None,
    remark: Remark = ignore_remark,
    sampling: Sampling | None = None,
) -> Solution:
    """Solve a game, or what is left of it from ``root`` on, by the solver of this name or else by the default one.

    Where ``limits`` may end a search early, the default is one that has something to tell then, if the file has an
    estimate or ``rollouts`` by ``seed`` take its place. Raises ``ZermeloError``: ``unknown-solver``, ``no-solver``, the
    code of a :class:`Need` that the game does not meet, what :func:`check_request` raises, ``bad-checkpoint``,
    ``needs-estimate``, ``out-of-time``, ``out-of-nodes``, ``out-of-memory``, or an error of the rules.
    ``KeyboardInterrupt`` passes through, but ends an iteration in good order.
    """
    limits = limits or Limits()
    stops_early = limits.has_horizon or (limits.seconds < inf and (facts.has_estimate or rollouts))
    solver = find(name) if name is not None else choose(facts, stops_early, trace is not None, goal is not None)
    check_preconditions(solver, facts)
    check_request(solver, limits, trace is not None, goal, sampling)
    start = machine.initial() if root is None else root
    report = progress or ignore_progress
    problem = Problem(
        machine, facts, start, report, limits, rollouts, seed, trace, goal or Goal(), remark, sampling or Sampling()
    )
    begin = perf_counter()
    answer = dispatch.solve(solver.name, solver.algorithm, problem)
    seconds = perf_counter() - begin
    return Solution(
        **{field.name: getattr(answer, field.name) for field in attrs.fields(Answer)},
        solver=solver.name,
        why="it was asked for" if name is not None else reason(solver, facts),
        seconds=seconds,
    )
