"""One decision: what each of its moves brings, which are best, and what a player should believe there."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from math import inf
from random import Random
from typing import Any, Final

from attrs import evolve, frozen

from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import SHOWN, has_one_value
from zermelo.interpreter.checks.proving import with_open_cards
from zermelo.interpreter.machine import Asked, Machine, Move
from zermelo.numbers import EQUILIBRIUM, count_in_words, is_value
from zermelo.solvers.beliefs.belief_search import worths_of_moves
from zermelo.solvers.beliefs.consistent_plays import (
    Behaviour,
    Belief,
    Following,
    Possible,
    enumerate_belief,
    uniform_behaviour,
)
from zermelo.solvers.beliefs.particles import SAMPLES, draw_plays, sample_belief
from zermelo.solvers.choosing.choice import Settled, check_request, requirements_asked, settle, solve
from zermelo.solvers.choosing.registry import OF_ONE_DECISION, Need, find_solver, objection
from zermelo.solvers.clairvoyance.alphamu import Fusion, alphamu, averages, best_moves
from zermelo.solvers.common.limits import Limits, Progress, Sampling, ignore_progress
from zermelo.solvers.common.numbers import within_round_error
from zermelo.solvers.forms.policy import Worth
from zermelo.solvers.forms.strategy import decision_in, information_set_values
from zermelo.solvers.imperfect_information.information_set_search import Simulations, simulate_deals
from zermelo.solvers.imperfect_information.sampling_from_rules import OnlineStrategy, online_strategy
from zermelo.solvers.search.monte_carlo_tree_search import SIMULATIONS
from zermelo.solvers.solution import Certainty, Endgames, Problem, Request, Solution
from zermelo.solving import all_on_machine, facts_with_information, on_machine, search, solve_knowing

# What every move of a position brings, and which moves are best.
#
# Three ways lead there. A solver that knows every position finds all moves at once. Any other one solves the state
# behind each move. Where something is hidden, what is left of a play has no value of its own; but against the
# equilibrium of the whole game the moves of an information set have one, for the player who is there.


_ASK_EARLIER = "an earlier position may have values; `zermelo solve` finds that of the game"


class Meaning(Enum):
    """What the numbers of an evaluation are: what a player who plays best gets, what an equilibrium pays, or the mean
    of deals or plays."""

    VALUE = "value for"
    EQUILIBRIUM = EQUILIBRIUM
    MEAN = "mean for"


@frozen
class DealCount:
    """The deals that a guess goes by: so many that fit what the player to move has perceived. ``covers``: these are all
    that fit, with their exact probabilities; else they tell as much as ``effective`` independent draws."""

    count: int
    covers: bool
    effective: Fraction


@frozen
class MoveEvaluation:
    """What the moves or outcomes of a state bring ``players``: all of them or, where something is hidden, the one to
    move. ``best`` are the best moves, none of chance or where it is best to mix.

    ``solver`` is a name of :data:`~zermelo.solvers.choosing.registry.SOLVERS`, and the rest is as in a
    :class:`~zermelo.solvers.solution.Solution`; or one of
    :data:`~zermelo.solvers.choosing.registry.OF_ONE_DECISION`, which guess from ``deals``. ``is_sampled`` says that the
    numbers are means of samples, whose ``error`` nobody knows; ``visits``, how many of the simulations began with a
    move; ``fusions``, what the deals disagree about after it; ``lines``, how a play goes on behind a move if all go on
    best, for moves of which a solver has told that."""

    players: tuple[str, ...]
    worths: tuple[Worth, ...]
    best: tuple[Move, ...]
    certainty: Certainty
    solver: str
    meaning: Meaning
    why: str = ""
    notes: tuple[str, ...] = ()
    exploitability: Fraction | None = None
    deals: DealCount | None = None
    is_sampled: bool = False
    counts: Mapping[str, int] = {}
    observers: str = ""
    standard_errors: Mapping[Move, float] = {}
    visits: Mapping[Move, int] = {}
    fusions: Mapping[Move, Fusion[Any]] = {}
    lines: Mapping[Move, tuple[Move, ...]] = {}

    def of(self, move: Move) -> Worth:
        """What this move brings."""
        return next(worth for worth in self.worths if worth.move == move)

    @property
    def chances(self) -> tuple[Fraction, ...]:
        """How often each move should be made, in the order of the rules; 0 where nothing is said."""
        return tuple(worth.chance or Fraction(0) for worth in self.worths)


_HEED: Final = {
    "deals": tuple(OF_ONE_DECISION),
    "simulations": ("ismcts",),
    "iterations": ("oos",),
    "observers": ("ismcts",),
}
"""The methods for one decision that heed an option."""


def evaluate_moves(
    state: State,
    solver: str | None = None,
    *,
    deals: int | None = None,
    ahead: int | None = None,
    simulations: int | None = None,
    iterations: int | None = None,
    observers: str = "multiple",
    seed: int = 0,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
    endgames: Endgames | None = None,
) -> MoveEvaluation:
    """What every move of a state brings, as :func:`zermelo.values` says it, without a table and within limits; raises
    as it does. Alpha-mu opens the cards so many moves ``ahead``, and searches end at the ``endgames``."""
    limits = limits or Limits()
    if state.is_over:
        raise ZermeloError("no-value", f"{state.status}, so there is no move to choose")
    if observers not in OBSERVERS:
        raise ZermeloError("bad-usage", f"observers are {' or '.join(OBSERVERS)}, not '{observers}'")
    given = {"deals": deals, "simulations": simulations, "iterations": iterations}
    asked = [name for name, number in given.items() if number is not None]
    for name in [*asked, *(["observers"] if observers != OBSERVERS[0] else [])]:
        if solver not in _HEED[name]:
            raise ZermeloError(
                "bad-usage",
                f"argument --{name}: it says nothing about these values",
                f"it is for --solver {' or '.join(_HEED[name])}",
            )
    match solver:
        case "pimc" | "alphamu":
            return average_deals(state, solver, deals or CLAIRVOYANT_DEALS, ahead or MOVES, seed, limits, progress)
        case "ismcts":
            return simulate(state, observers, simulations or SIMULATIONS, deals or DEALS, seed, limits, progress)
        case "oos":
            return sample_online(state, iterations or ITERATIONS, deals or DEALS_IN_PLAY, seed, limits, progress)
    return move_values(state, solver, limits, progress, endgames)


def move_values(
    state: State, name: str | None, limits: Limits, progress: Progress, endgames: Endgames | None = None
) -> MoveEvaluation:
    """What every move of a state in which a play goes on brings if all go on best, including what has been earned
    before. ``name`` is a solver; by default one that fits.

    Raises ``ZermeloError``: ``no-value``, and what :func:`zermelo.solve` raises."""
    game = state.game
    if name is not None:
        check_request(find_solver(name), facts_with_information(game), Request(name, limits, endgames=endgames))
    # The values of all positions follow only from the ends of all plays.
    is_advised = not limits.has_horizon and endgames is None
    asked = requirements_asked(
        game.facts, Request(name, limits, is_advised=is_advised and name is None, endgames=endgames)
    )

    def look(machine: Machine[Any]) -> Settled:
        return settle(machine, game.facts, name, on_machine(state, machine), limits, progress, asked)

    facts = search(game, look).facts
    is_whole = not game.machine.is_within_round(state.machine_state)
    if is_advised and is_whole and Need.PUBLIC.is_met(facts) and (name is None or find_solver(name).advises):
        return _values_by_policy(state, name, limits, progress)
    if facts.perfect_information.holds:
        return _values_by_solving(state, name, limits, progress, endgames)
    return _values_by_strategies(state, name, limits, progress)


def _values_by_policy(state: State, name: str | None, limits: Limits, progress: Progress) -> MoveEvaluation:
    """By a solver that knows what every position is worth."""

    def work(machine: Machine[Any]) -> tuple[Solution, tuple[Worth, ...]]:
        start = on_machine(state, machine)
        solution = solve(machine, state.game.facts, Request(name, limits, is_advised=True), start, progress)
        assert solution.policy is not None, "the solver advises"
        return solution, solution.policy.first()

    solution, worths = search(state.game, work)
    best = solution.best
    if any(worth.chance for worth in worths):  # a round begins: the moves that are made, and all as good
        best = _best_moves_for(worths, _number(state))
    meaning = Meaning.VALUE if is_value(state.game.facts, solution) else Meaning.EQUILIBRIUM
    lines = {solution.line[0]: solution.line[1:]} if solution.line else {}
    return MoveEvaluation(
        state.game.players, worths, best, solution.certainty, solution.solver, meaning, solution.why, solution.notes,
        lines=lines,
    )  # fmt: skip


def _values_by_solving(
    state: State, name: str | None, limits: Limits, progress: Progress, endgames: Endgames | None
) -> MoveEvaluation:
    """By solving the state behind each move, in its share of the time that is left, and with the horizon."""
    moves = state.moves or tuple(outcome for outcome, _ in state.outcomes)
    found: list[Solution] = []
    for left, move in zip(range(len(moves), 0, -1), moves, strict=True):
        seconds = inf if limits.seconds == inf else limits.seconds - limits.left * (1 - 1 / left)
        share = evolve(limits, seconds=seconds)
        behind = state.after(move)
        found.append(solve_knowing(state.game.facts, state.game, behind, name, progress, share, endgames=endgames))
    worths = tuple(Worth(move, each.value, each.error) for move, each in zip(moves, found, strict=True))
    certainty = next((each.certainty for each in found if not each.exact), Certainty.EXACT)
    best = () if state.actor == CHANCE else _best_moves_for(worths, _number(state))
    are_values = all(is_value(state.game.facts, each) for each in found)
    meaning = Meaning.VALUE if are_values else Meaning.EQUILIBRIUM
    lines = {move: each.line for move, each in zip(moves, found, strict=True) if each.line}
    return MoveEvaluation(
        state.game.players, worths, best, certainty, found[0].solver, meaning, found[0].why, lines=lines
    )


def _values_by_strategies(state: State, name: str | None, limits: Limits, progress: Progress) -> MoveEvaluation:
    """By the strategies of the whole game."""
    actor = state.actor
    if actor is None or actor == CHANCE:
        raise ZermeloError(
            "no-value",
            "where something is hidden, an outcome of chance has no value of its own: it depends on what the players "
            "know of it",
            f'ask for a position in which a player is to move, such as --after "{_play_to_decision(state)}"',
        )
    solution = solve_knowing(state.game.facts, state.game, None, name, progress, limits)
    if solution.plan is not None:
        return _values_by_belief(state, solution, limits, progress)
    if not solution.strategies:  # the solver has gone from round to round
        raise within_round_error()
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
            f"if the others follow the equilibrium that has been found, {state.actor_title} never sees what they see "
            "here, so that nothing says how likely each position is in which they may be",
            _ASK_EARLIER,
        )
    decision = solution.strategies[player].decisions[number]
    worths = tuple(
        Worth(move, (amount,), Fraction(0), None, chance)
        for move, amount, chance in zip(decision.moves, amounts, decision.probabilities, strict=True)
    )
    return MoveEvaluation(
        (actor,),
        worths,
        _best_moves_for(worths, 0),
        solution.certainty,
        solution.solver,
        Meaning.VALUE if has_one_value(state.game.facts) else Meaning.EQUILIBRIUM,
        solution.why,
        (f"The others follow the equilibrium that has been found; {state.actor_title} knows no more than they see.",),
        solution.exploitability,
    )


def _values_by_belief(state: State, solution: Solution, limits: Limits, progress: Progress) -> MoveEvaluation:
    """By the beliefs of a single player, who is to move. Without others, only their own moves can keep them from a
    decision, so that they have a belief at every one."""
    game, actor = state.game, state.actor or ""
    known = state.information_state(actor)
    following = Following(game.machine, 0, known, uniform_behaviour)
    found = enumerate_belief(following, limits, progress, sys.maxsize, by_standing=True)
    assert found is not None, "no number of states is too large"

    def work(machine: Machine[Any]) -> dict[Move, Fraction]:
        believed = _on_machine(game, [(each.state, each.probability) for each in found.positions], machine)
        return worths_of_moves(machine, believed, limits, progress)

    amounts = search(game, work)
    step = solution.plan.step_at(tuple(known)) if solution.plan is not None else None
    worths = tuple(
        Worth(move, (amount,), Fraction(0), None, None if step is None else Fraction(move == step.move))
        for move, amount in amounts.items()
    )
    return MoveEvaluation(
        (actor,), worths, _best_moves_for(worths, 0), solution.certainty, solution.solver, Meaning.VALUE, solution.why,
        (f"{state.actor_title} knows no more than they see.",),
    )  # fmt: skip


def _play_to_decision(state: State) -> str:
    """A play that leads from a state in which chance acts to the next decision of a player, as --after takes it."""
    for _ in range(SHOWN):
        if state.actor == CHANCE:
            state = state.after(state.outcomes[0][0])
    return "; ".join(map(str, state.play))


def _number(state: State) -> int:
    """The number of the player to move."""
    assert state.actor is not None, "the play goes on"
    return state.game.number(state.actor)


def _who_is_to_move(state: State) -> str:
    """The player to move. Raises ``ZermeloError`` (``no-value``) if there is none."""
    if state.actor is None or state.actor == CHANCE:
        raise ZermeloError(
            "no-value", f"{state.status}, so there is no move to choose", "`--after` leads to a decision"
        )
    return state.actor


def round_start(state: State) -> State:
    """The state at the start of the round, in which those who choose at once have not chosen yet."""
    begun = here = state.game.initial
    for move in state.play:
        here = here.after(move)
        begun = begun if state.game.machine.is_within_round(here.machine_state) else here
    return begun


def _best_moves_for(worths: Sequence[Worth], player: int) -> tuple[Move, ...]:
    """The moves that bring a player the most."""
    amounts = [worth.payoff[player] for worth in worths if worth.payoff is not None]
    return tuple(worth.move for worth in worths if worth.payoff is not None and worth.payoff[player] == max(amounts))


# What a player should believe about the position (:mod:`zermelo.solvers.beliefs`).


def belief(
    state: State,
    player: str,
    others: str = "uniform",
    samples: int | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
) -> Belief[State]:
    """What ``player`` should believe after the play that led to ``state``, as :func:`zermelo.belief` says it, within
    limits; raises as it does."""
    game, limits = state.game, limits or Limits()
    machine, number = game.machine, game.number(player)
    known = machine.information_state(state.machine_state, number)
    behaviour: Behaviour = uniform_behaviour
    if others != "uniform":
        from zermelo.policies.exploiting import behaviour_of

        behaviour = behaviour_of(others, game, limits, progress)
    following = Following(machine, number, known, behaviour)
    try:
        found = enumerate_belief(following, limits, progress) if samples is None else None
        if found is None:
            found = sample_belief(following, Random(seed), samples or SAMPLES, limits, progress)
    except ZermeloError as error:
        if error.code == "never-perceived" and state.actor == CHANCE and not known:
            raise _perceives_nothing_yet(player) from None
        raise
    positions = (Possible(State(game, each.state), each.probability, each.plays) for each in found.positions)
    return evolve(found, positions=tuple(positions))


def _perceives_nothing_yet(player: str) -> ZermeloError:
    """The error for a row of draws with which a play begins."""
    return ZermeloError(
        "never-perceived",
        f"{player} has perceived nothing yet: chance is to draw first",
        "go on to a decision, with `--after` or in the play",
    )


# A move for a player who does not know the position, by information-set Monte Carlo tree search
# (:mod:`zermelo.solvers.kernels.information_set_search`).


DEALS: Final = 1_000
"""How many deals are drawn unless a number is asked for."""

DEALS_IN_PLAY: Final = 200
"""How many are drawn for a move that others wait for: late in a play, drawing takes a while."""

OBSERVERS: Final = ("multiple", "single")
"""Whose knowledge tells the nodes of the tree apart: that of the player who decides, or that of the player at the
root."""

_MOST_LISTED: Final = 2_000
"""How many states are looked at for the exact belief, before deals are drawn instead."""


def simulate(
    state: State,
    observers: str = OBSERVERS[0],
    simulations: int = SIMULATIONS,
    deals: int = DEALS,
    seed: int = 0,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
) -> MoveEvaluation:
    """Simulations for the player to move, as if the others had moved at random so far.

    Raises ``ZermeloError``: ``no-value`` where no player is to move; ``needs-bounds``; ``never-perceived`` if no deal
    that is drawn fits; ``out-of-time``; and ``PlayError``."""
    limits, game, player = limits or Limits(), state.game, _who_is_to_move(state)
    facts, number = game.facts, game.number(player)
    if not Need.BOUNDS.is_met(facts):
        raise ZermeloError(Need.BOUNDS.code, f"ismcts is for {Need.BOUNDS.kind}; {objection(Need.BOUNDS, facts)}")

    drawn = fitting_deals(state, deals, Random(seed), limits, progress)

    def work(machine: Any) -> Simulations:
        weighed = _on_machine(game, drawn.states, machine)
        sampling = Sampling(simulations)
        problem = Problem(machine, facts, weighed[0][0], progress, limits, seed=seed, sampling=sampling)
        return simulate_deals(problem, number, weighed, observers == "single")

    found = search(game, work)
    notes = [
        "A guess: the best move is that simulated most. The means are of plays in which everybody explores, not values "
        f"of the game; more simulations do not lead to an equilibrium, and {player} is told one move where it may be "
        "best to mix.",
    ]
    if found.unfinished:
        plays, were = count_in_words(found.unfinished, "play"), "was" if found.unfinished == 1 else "were"
        notes.append(f"{plays} {were} too long, and counted as the middle of all payoffs.")
    if found.is_full:
        notes.append("The memory is full, so the simulations ended early; --memory allows more.")
    return MoveEvaluation(
        (player,),
        tuple(Worth(each.move, None if each.mean is None else (each.mean,), Fraction(0)) for each in found.moves),
        (found.best,),
        Certainty.HEURISTIC,
        "ismcts",
        Meaning.MEAN,
        notes=tuple(notes),
        deals=drawn.about,
        is_sampled=True,
        counts={"simulations": found.simulations, "moves in the trees": found.arms, "depth": found.depth},
        observers=observers,
        standard_errors={each.move: each.standard_error for each in found.moves if each.standard_error is not None},
        visits={each.move: each.visits for each in found.moves},
    )


@frozen
class FittingDeals:
    """States that fit, with their probabilities."""

    states: list[tuple[Any, Fraction]]
    about: DealCount


def fitting_deals(state: State, deals: int, random: Random, limits: Limits, progress: Progress) -> FittingDeals:
    """States in which the player to move may be, by what they have perceived, as if the others had moved at random: all
    of them if they are few, else as many as ``deals``, drawn at random. No two of them come from the same play.

    Raises ``ZermeloError``: ``never-perceived`` if none that is drawn fits, ``out-of-time``."""
    player = state.actor or ""
    game = state.game
    following = Following(game.machine, game.number(player), state.information_state(player), uniform_behaviour)
    belief = enumerate_belief(following, limits, progress, _MOST_LISTED)
    # where several plays lead to one position, others may know different things in it
    if belief is not None and all(each.plays == 1 for each in belief.positions):
        states = [(each.state, each.probability) for each in belief.positions]
        return FittingDeals(states, DealCount(len(states), True, Fraction(len(states))))
    drawn = draw_plays(following, random, deals, limits, progress)
    return FittingDeals(list(drawn.states), DealCount(deals, False, drawn.effective))


# A move for a player who does not know the position, by deals that fit what they have perceived
# (:mod:`zermelo.solvers.clairvoyance`).


_NEEDS: Final = (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.END)
"""What must hold of the rest of a play with open cards; and for alpha-mu, that chance does not draw in it."""

CLAIRVOYANT_DEALS: Final = 100
"""How many deals are drawn unless a number is asked for."""

MOVES: Final = 2
"""How many moves of the player alpha-mu looks ahead before the cards are open, unless a number is asked for."""


def average_deals(
    state: State, method: str, deals: int, ahead: int, seed: int, limits: Limits, progress: Progress
) -> MoveEvaluation:
    """What each move brings the player to move on average, by ``pimc`` or ``alphamu``.

    Raises ``ZermeloError``: ``no-value`` where no player is to move; a code that begins with ``needs-`` if what is left
    of the game, with open cards, is not for two players, of constant sum, and sure to end, or for alpha-mu, not without
    chance; ``never-perceived``, ``out-of-time``."""
    game, player = state.game, _who_is_to_move(state)
    number = game.number(player)
    known = state.information_state(player)
    asked = known[-1] if len(known) else None
    facts = with_open_cards(game.facts, game.model, asked.phase if isinstance(asked, Asked) else "")
    needs = _NEEDS if method == "pimc" else (*_NEEDS, Need.NO_CHANCE)
    for need in (need for need in needs if not need.is_met(facts)):
        open_play = f"{method} solves what is left of a play with open cards, which it can in {need.kind}"
        raise ZermeloError(need.code, f"{open_play}; {objection(need, facts)}")
    following = Following(game.machine, number, known, uniform_behaviour)
    found = enumerate_belief(following, limits, progress, _MOST_LISTED, by_standing=True) or sample_belief(
        following, Random(seed), deals, limits, progress, by_standing=True
    )
    machine = game.searching
    drawn = _on_machine(game, _sample_positions(found, deals, Random(seed)), machine)
    problem = Problem(machine, facts, drawn[0][0], progress, limits)
    moves = averages(problem, number, drawn) if method == "pimc" else alphamu(problem, number, drawn, ahead)
    covers = found.is_exact and len(drawn) == len(found.positions)
    count = len(drawn) if covers else deals
    planned = "move" if ahead == 1 else f"{ahead} moves"
    note = (
        "Each deal is solved as if all cards were open from then on, which they will not be: this is no value of the "
        f"game, and may be more than {player} can get."
        if method == "pimc"
        else f"For the next {planned} {player} does the same in deals that look the same; after that all cards are "
        "open. The others are taken to know everything at once."
    )
    return MoveEvaluation(
        (player,),
        tuple(Worth(each.move, (each.mean,), Fraction(0)) for each in moves),
        best_moves(moves),
        Certainty.HEURISTIC,
        method,
        Meaning.MEAN,
        notes=(note,),
        deals=DealCount(count, covers, Fraction(count) if found.is_exact else min(Fraction(count), found.effective)),
        is_sampled=not covers,
        standard_errors={} if covers else {each.move: each.standard_error for each in moves},
        fusions={each.move: each.fusion for each in moves if each.fusion is not None},
    )


def _on_machine(
    game: Game, states: Sequence[tuple[Any, Fraction]], machine: Machine[Any]
) -> list[tuple[Any, Fraction]]:
    """States with their weights, on another machine."""
    there = all_on_machine(game, [state for state, _ in states], machine)
    return [(state, weight) for state, (_, weight) in zip(there, states, strict=True)]


def _sample_positions(found: Belief[Any], deals: int, random: Random) -> list[tuple[Any, Fraction]]:
    """So many positions drawn from a belief, each listed once and weighted by how often it was drawn; all with their
    probabilities, if the belief has no more than that."""
    if len(found.positions) <= deals:
        return [(each.state, each.probability) for each in found.positions]
    chances = [float(each.probability) for each in found.positions]
    counts: dict[int, int] = {}
    for k in random.choices(range(len(chances)), chances, k=deals):
        counts[k] = counts.get(k, 0) + 1
    return [(found.positions[k].state, Fraction(count)) for k, count in counts.items()]


# What to do at a decision, by online outcome sampling.


ITERATIONS: Final = 10_000
"""How many iterations are made before each decision unless a number is asked for."""


def sample_online(
    state: State,
    iterations: int = ITERATIONS,
    deals: int = DEALS_IN_PLAY,
    seed: int = 0,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
) -> MoveEvaluation:
    """How often the player to move should make each move, after so many iterations before each of their decisions in
    the play.

    Raises ``ZermeloError``: ``no-value`` where no player is to move; ``never-perceived`` if no deal that is drawn fits;
    ``out-of-time``, ``out-of-memory``, ``moves-differ``; and ``PlayError``."""
    limits, game, player = limits or Limits(), state.game, _who_is_to_move(state)
    stages, here = [], game.initial
    for move in (*state.play, None):
        if here.actor == player:
            stages.append(fitting_deals(here, deals, Random(seed), limits, progress))
        here = here if move is None else here.after(move)

    def work(machine: Any) -> OnlineStrategy:
        aims = [_on_machine(game, stage.states, machine) for stage in stages]
        problem = Problem(machine, game.facts, machine.initial(), progress, limits, seed=seed)
        return online_strategy(problem, aims, iterations)

    found = search(game, work)
    notes = [
        f"A guess: how often {player} makes each move in an approximate equilibrium, learned from random plays. It "
        "comes nearer with more iterations; nothing about it is proved.",
    ]
    if found.is_full:
        notes.append("The memory is full: other information sets have not been added; --memory allows more.")
    return MoveEvaluation(
        (player,),
        tuple(Worth(move, None, Fraction(0), None, chance) for move, chance in found.chances.items()),
        (),
        Certainty.HEURISTIC,
        "oos",
        Meaning.MEAN,
        notes=tuple(notes),
        deals=stages[-1].about,
        is_sampled=True,
        counts={"iterations": found.iterations, "information sets": found.sets},
    )
