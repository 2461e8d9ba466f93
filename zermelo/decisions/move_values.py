"""What every move of a position brings, and which moves are best.

Three ways lead there. A solver that knows every position finds all moves at once. Any other one solves the state behind
each move. Where something is hidden, what is left of a play has no value of its own; but against the equilibrium of the
whole game the moves of an information set have one, for the player who is there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from attrs import evolve, frozen

from zermelo.game import CHANCE, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.survey import SHOWN
from zermelo.interpreter.machine import Machine, Move
from zermelo.numbers import is_value
from zermelo.solvers.beliefs.belief_search import worths_of_moves
from zermelo.solvers.beliefs.consistent_plays import Following, enumerated, uniform
from zermelo.solvers.choosing.choice import check_request
from zermelo.solvers.choosing.registry import Need, find_solver
from zermelo.solvers.choosing.settling import Settled, settle
from zermelo.solvers.choosing.solving import has_one_value, solve, what_is_asked
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import within_round
from zermelo.solvers.forms.policy import Worth
from zermelo.solvers.forms.strategy import decision_in, information_set_values
from zermelo.solvers.solution import Certainty, Solution
from zermelo.solving import informed, on_machine, search, solve_knowing

Progress = Callable[[int], None]

_ASK_EARLIER = "an earlier position may have values; `zermelo solve` finds that of the game"


@frozen
class MoveValues:
    """What the moves or outcomes of a state bring ``players``: all of them or, where something is hidden, the one to
    move. ``best`` are the best moves, none of chance. ``are_values``: whoever plays best gets nothing else behind them;
    else they are what an equilibrium pays. The rest is as in a :class:`~zermelo.solvers.solution.Solution`."""

    players: tuple[str, ...]
    worths: tuple[Worth, ...]
    best: tuple[Move, ...]
    certainty: Certainty
    solver: str
    why: str
    notes: tuple[str, ...] = ()
    exploitability: Fraction | None = None
    are_values: bool = False


def move_values(state: State, name: str | None, limits: Limits, progress: Progress) -> MoveValues:
    """What every move of a state in which a play goes on brings if all go on best, what has been earned before
    included. ``name`` is a solver; by default one that fits.

    Raises ``ZermeloError``: ``no-value``, and what :func:`zermelo.solve` raises."""
    game = state.game
    if name is not None:
        check_request(find_solver(name), informed(game), limits)
    is_advised = not limits.has_horizon  # what every position is worth is known only by the ends of all plays
    asked = what_is_asked(game.facts, limits, is_advised=is_advised and name is None)

    def look(machine: Machine[Any]) -> Settled:
        return settle(machine, game.facts, name, on_machine(state, machine), limits, progress, asked)

    facts = search(game, look).facts
    is_whole = not game.machine.is_within_round(state.machine_state)
    if is_advised and is_whole and Need.PUBLIC.is_met(facts) and (name is None or find_solver(name).advises):
        return _all_at_once(state, name, limits, progress)
    if facts.perfect_information.holds:
        return _one_by_one(state, name, limits, progress)
    return _in_secret(state, name, limits, progress)


def _all_at_once(state: State, name: str | None, limits: Limits, progress: Progress) -> MoveValues:
    """By a solver that knows what every position is worth."""

    def work(machine: Machine[Any]) -> tuple[Solution, tuple[Worth, ...]]:
        start = on_machine(state, machine)
        solution = solve(machine, state.game.facts, name, progress, start, limits, is_advised=True)
        assert solution.policy is not None, "the solver advises"
        return solution, solution.policy.first()

    solution, worths = search(state.game, work)
    best = solution.best
    if any(worth.chance for worth in worths):  # a round begins: what is made, and what is as good
        best = _greatest(worths, _number(state))
    return MoveValues(
        state.game.players, worths, best, solution.certainty, solution.solver, solution.why, solution.notes,
        are_values=is_value(state.game.facts, solution),
    )  # fmt: skip


def _one_by_one(state: State, name: str | None, limits: Limits, progress: Progress) -> MoveValues:
    """By solving the state behind each move, in its share of the time that is left, and with the horizon."""
    moves = state.moves or tuple(outcome for outcome, _ in state.outcomes)
    found: list[Solution] = []
    for left, move in zip(range(len(moves), 0, -1), moves, strict=True):
        seconds = inf if limits.seconds == inf else limits.seconds - limits.left * (1 - 1 / left)
        share = evolve(limits, seconds=seconds)
        found.append(solve_knowing(state.game.facts, state.game, state.after(move), name, progress, share))
    worths = tuple(Worth(move, each.value, each.error) for move, each in zip(moves, found, strict=True))
    certainty = next((each.certainty for each in found if not each.exact), Certainty.EXACT)
    best = () if state.actor == CHANCE else _greatest(worths, _number(state))
    are_values = all(is_value(state.game.facts, each) for each in found)
    return MoveValues(state.game.players, worths, best, certainty, found[0].solver, found[0].why, are_values=are_values)


def _in_secret(state: State, name: str | None, limits: Limits, progress: Progress) -> MoveValues:
    """By the strategies of the whole game."""
    actor = state.actor
    if actor is None or actor == CHANCE:
        raise ZermeloError(
            "no-value",
            "where something is hidden, an outcome of chance has no value of its own: it depends on what the players "
            "know of it",
            f'ask for a position in which a player is to move, such as --after "{_first(state)}"',
        )
    solution = solve_knowing(state.game.facts, state.game, None, name, progress, limits)
    if solution.plan is not None:
        return _by_belief(state, solution, limits, progress)
    if not solution.strategies:  # the solver has gone from round to round
        raise within_round()
    player = _number(state)
    if solution.strategies[player].is_partial:
        raise ZermeloError(
            "no-value",
            "the tree of the game does not fit into memory, and against strategies from samples nobody knows what a "
            "move brings",
            "`--solver ismcts` compares the moves by simulations",
        )
    number = decision_in(solution.strategies[player], state.information_state(actor))
    amounts = None if number is None else information_set_values(solution.strategies, player, number, limits)
    if number is None or amounts is None:
        raise ZermeloError(
            "no-value",
            f"if the others follow the equilibrium that has been found, {actor} never sees what they see here, so that "
            "nothing says how likely each position is in which they may be",
            _ASK_EARLIER,
        )
    decision = solution.strategies[player].decisions[number]
    worths = tuple(
        Worth(move, (amount,), Fraction(0), None, chance)
        for move, amount, chance in zip(decision.moves, amounts, decision.probabilities, strict=True)
    )
    return MoveValues(
        (actor,),
        worths,
        _greatest(worths, 0),
        solution.certainty,
        solution.solver,
        solution.why,
        (f"The others follow the equilibrium that has been found; {actor} knows no more than they see.",),
        solution.exploitability,
        has_one_value(state.game.facts),
    )


def _by_belief(state: State, solution: Solution, limits: Limits, progress: Progress) -> MoveValues:
    """By what a single player believes, who is to move. Without others no move but their own can keep them from a
    decision, so that every one has a belief."""
    game, actor = state.game, state.actor or ""
    known = state.information_state(actor)
    following = Following(game.machine, 0, known, uniform)
    found = enumerated(following, limits, progress, sys.maxsize, by_standing=True)
    assert found is not None, "no number of states is too large"

    def work(machine: Machine[Any]) -> dict[Move, Fraction]:
        believed = [(on_machine(State(game, each.state), machine), each.probability) for each in found.positions]
        return worths_of_moves(machine, believed, limits, progress)

    amounts = search(game, work)
    step = solution.plan.step_at(tuple(known)) if solution.plan is not None else None
    worths = tuple(
        Worth(move, (amount,), Fraction(0), None, None if step is None else Fraction(move == step.move))
        for move, amount in amounts.items()
    )
    return MoveValues(
        (actor,), worths, _greatest(worths, 0), solution.certainty, solution.solver, solution.why,
        (f"{actor} knows no more than they see.",), are_values=True,
    )  # fmt: skip


def _first(state: State) -> str:
    """A play on from a state in which chance acts, to the next decision of a player, as --after takes it."""
    for _ in range(SHOWN):
        if state.actor == CHANCE:
            state = state.after(state.outcomes[0][0])
    return "; ".join(map(str, state.play))


def _number(state: State) -> int:
    """The number of the player to move."""
    assert state.actor is not None, "the play goes on"
    return state.game.number(state.actor)


def _greatest(worths: Sequence[Worth], player: int) -> tuple[Move, ...]:
    """The moves that bring a player the most."""
    amounts = [worth.payoff[player] for worth in worths if worth.payoff is not None]
    return tuple(worth.move for worth in worths if worth.payoff is not None and worth.payoff[player] == max(amounts))
