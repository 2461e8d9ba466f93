"""Who takes part in a sampled match: players whose moves depend on what they know and a seed, and on no clock.

They choose as those of :mod:`zermelo.playing.seats` do, with the same work for every move however long it takes, so
that a match can be played again. Whoever cannot choose in a game refuses it: a move at random in their name would tell
nothing about them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from random import Random
from typing import Any, Final, TypeAlias

from zermelo.decisions.clairvoyance import DEALS, MOVES, averaged
from zermelo.decisions.online import online
from zermelo.decisions.simulating import DEALS_IN_PLAY, simulate
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Observation
from zermelo.policies.advice import state_text
from zermelo.policies.listed_moves import probabilities, refuse
from zermelo.policies.others import BEST, ListedStrategies, behaviour_of
from zermelo.policies.policy_files import listed_decisions, listing
from zermelo.policies.strategy_files import UNIFORM, read_record
from zermelo.solvers.beliefs.behaviour import Behaviour, uniform
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import ignore_progress
from zermelo.solvers.forms.advice import Advice
from zermelo.solving import on_machine, search, solve_knowing

Contestant: TypeAlias = Callable[[State, Random], Move]
"""The move in a state in which it is their turn; all chance in it comes from the generator."""

_SEEDS: Final = 1 << 30


def contestant_of(kind: str, game: Game, memory: int) -> Contestant:
    """The contestant of this kind, one of :data:`KINDS`, or who follows the strategies of the file of this name, with
    so much memory for each search.

    Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``, and for ``best`` what :func:`zermelo.solve` raises,
    or ``no-policy``."""
    return KINDS[kind](game, memory) if kind in KINDS else _of_file(kind, game)


def _at_random(game: Game, memory: int) -> Contestant:
    return _following(game, uniform)


def _best(game: Game, memory: int) -> Contestant:
    """Whoever makes a best move of what is left, if nothing is hidden; mixes as the value of what is left of a game in
    rounds demands; and otherwise follows their part of the equilibrium that is found for the whole game."""
    if game.facts.perfect_information.holds:
        return _by_solving(game, memory)
    if game.facts.public_between_rounds.holds and game.facts.has_several_rounds:
        return _by_rounds(game, memory)
    return _following(game, behaviour_of(BEST, game, Limits(memory=memory), ignore_progress))


def _by_solving(game: Game, memory: int) -> Contestant:
    found: dict[tuple[Move, ...], Move] = {}

    def choose(state: State, random: Random) -> Move:
        if state.play not in found:
            solution = solve_knowing(game.facts, game, state, limits=Limits(memory=memory), hurries=True)
            if not solution.exact:
                raise ZermeloError("no-policy", f"the solver {solution.solver} finds no exact value of what is left")
            found[state.play] = solution.best[0]
        return found[state.play]

    return choose


def _by_rounds(game: Game, memory: int) -> Contestant:
    found: dict[tuple[tuple[Move, ...], int], Advice[Any]] = {}

    def choose(state: State, random: Random) -> Move:
        begun, player = _begun(state), game.number(state.actor or "")
        if (begun.play, player) not in found:
            solution = solve_knowing(game.facts, game, begun, limits=Limits(memory=memory))
            if solution.policy is None:
                raise ZermeloError("no-policy", f"the solver {solution.solver} does not say how to mix")
            found[begun.play, player] = next(advice for advice in solution.policy if advice.player == player)
        advice = found[begun.play, player]
        return _drawn(advice.moves, advice.chances, random)

    return choose


def _by_tree_search(game: Game, memory: int) -> Contestant:
    """Monte Carlo tree search."""

    def choose(state: State, random: Random) -> Move:
        from zermelo.solvers.choosing.solving import solve

        seed = random.randrange(_SEEDS)

        def work(machine: Any) -> Move:
            root, limits = on_machine(state, machine), Limits(memory=memory)
            return solve(machine, game.facts, "mcts", root=root, limits=limits, seed=seed).best[0]

        return search(game, work)

    return choose


def _by_deals(game: Game, memory: int) -> Contestant:
    """Averages over deals, each solved with open cards."""

    def choose(state: State, random: Random) -> Move:
        seed, limits = random.randrange(_SEEDS), Limits(memory=memory)
        return averaged(state, "pimc", DEALS, MOVES, seed, limits, ignore_progress).best[0]

    return choose


def _by_information_sets(game: Game, memory: int) -> Contestant:
    """Information-set Monte Carlo tree search."""

    def choose(state: State, random: Random) -> Move:
        seed, limits = random.randrange(_SEEDS), Limits(memory=memory)
        return simulate(state, deals=DEALS_IN_PLAY, seed=seed, limits=limits).found.best

    return choose


def _by_online_sampling(game: Game, memory: int) -> Contestant:
    """Online outcome sampling. All plays are learned from with one seed, and what is random is which move is drawn."""
    found: dict[tuple[str, tuple[Observation, ...]], tuple[Fraction, ...]] = {}

    def choose(state: State, random: Random) -> Move:
        actor = state.actor or ""
        known = actor, tuple(state.information_state(actor))
        if known not in found:
            learned = online(state, limits=Limits(memory=memory)).found.chances
            found[known] = tuple(learned[move] for move in state.moves)
        return _drawn(state.moves, found[known], random)

    return choose


KINDS: Final[Mapping[str, Callable[[Game, int], Contestant]]] = {
    "random": _at_random,
    BEST: _best,
    "mcts": _by_tree_search,
    "pimc": _by_deals,
    "ismcts": _by_information_sets,
    "oos": _by_online_sampling,
}
"""The kinds of contestants that need no file."""


def _of_file(name: str, game: Game) -> Contestant:
    if name == UNIFORM:
        return _following(game, uniform)
    record = read_record(name, game)
    if not record.get("policy"):
        return _following(game, ListedStrategies.of(name, game, record.get("strategies")))
    if not Need.PUBLIC.is_met(game.facts):
        refuse(name, "it has a policy, but players do not know the position in this game", listing(game))
    told = listed_decisions(name, record["policy"], game.players)

    def choose(state: State, random: Random) -> Move:
        actor, words = state.actor or "", state_text(game, game.machine, _as_listed(state).machine_state)
        decision = told.get((actor, words))
        if decision is None:
            refuse(name, f"it does not say what {actor} does at {words}", listing(game))
        return _drawn(
            state.moves, probabilities(name, decision.here, tuple(map(str, state.moves)), decision.moves), random
        )

    return choose


def _as_listed(state: State) -> State:
    """The state of the same decision that a policy names: after the first choices of those who have already chosen at
    this moment, which the player does not know."""
    here = _begun(state)
    while here.actor != state.actor:
        here = here.after(here.moves[0])
    return here


def _begun(state: State) -> State:
    """The state in which those who choose at once have not chosen yet."""
    begun = here = state.game.initial
    for move in state.play:
        here = here.after(move)
        begun = begun if state.game.machine.is_within_round(here.machine_state) else here
    return begun


def _following(game: Game, behaviour: Behaviour) -> Contestant:
    """Whoever chooses with the probabilities of a behaviour."""

    def choose(state: State, random: Random) -> Move:
        actor = state.actor or ""
        chances = behaviour(game.number(actor), state.information_state(actor), state.moves)
        return _drawn(state.moves, chances, random)

    return choose


def _drawn(moves: tuple[Move, ...], chances: Sequence[Fraction], random: Random) -> Move:
    """One of the moves, with exactly these probabilities."""
    parts = lcm(*(chance.denominator for chance in chances))
    point = random.randrange(parts)
    passed = list(accumulate(int(chance * parts) for chance in chances))
    return moves[bisect_right(passed, point)]
