"""``python -m benchmarks.losses``: what each way to choose a move loses against an opponent who knows it.

A table for the docs. A way to play becomes a strategy for one seat: a move, or a mixture, for every information set to
which the player's own moves lead. Against it the opponent makes an exact best response. The *loss* is how much less the
seat then gets than the value of the game; the table has the mean over both seats, the *exploitability*, in units of
payoff. It is exact, except for ways to play that draw at random: of these a few are judged, drawn independently of each
other, and the interval is Student's for their mean.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import inf
from typing import Final, TypeAlias

from attrs import frozen

import zermelo
from benchmarks.report import markdown_row
from zermelo.decisions import CLAIRVOYANT_DEALS, MOVES, average_deals, sample_online, simulate
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import InformationState, Move
from zermelo.playing.intervals import interval
from zermelo.policies.exploiting import histories
from zermelo.solvers.choosing.choice import solve
from zermelo.solvers.common.limits import Goal, Limits, ignore_progress
from zermelo.solvers.forms.best_response import best_response
from zermelo.solvers.forms.extensive_form import ExtensiveForm, SequenceForm, sequence_form
from zermelo.solvers.imperfect_information.sampling_from_rules import sample_from_rules
from zermelo.solvers.solution import Answer, Problem, Request, Solution

_GAMES: Final = ("kuhn_poker", "leduc_poker", "liars_dice")

Choice: TypeAlias = Callable[[State], Mapping[Move, Fraction]]
"""The probabilities of moves for the player to act, who knows what they have perceived; those left out are 0."""

_UNLIMITED: Final = Limits(inf)


@frozen
class Way:
    """A way to play: its ``name`` in the table, what it makes of a game and a number to draw by, and whether it draws
    at random."""

    name: str
    choice: Callable[[Game, int], Choice]
    is_random: bool = False


# -------------------------------------------------------------- ways to play


def uniform(game: Game, seed: int) -> Choice:
    """All moves with equal probability."""
    return lambda state: {move: Fraction(1, len(state.moves)) for move in state.moves}


def by_deals(method: str, game: Game, seed: int) -> Choice:
    """The first of the best moves by averages over clairvoyance, or by alpha-mu."""

    def choose(state: State) -> Mapping[Move, Fraction]:
        found = average_deals(state, method, CLAIRVOYANT_DEALS, MOVES, seed, _UNLIMITED, ignore_progress)
        return {found.best[0]: Fraction(1)}

    return choose


def by_simulations(simulations: int, game: Game, seed: int) -> Choice:
    """The move most simulated by information-set Monte Carlo tree search."""

    def choose(state: State) -> Mapping[Move, Fraction]:
        return {simulate(state, simulations=simulations, seed=seed).best[0]: Fraction(1)}

    return choose


def by_online_sampling(iterations: int, game: Game, seed: int) -> Choice:
    """The strategy of online outcome sampling at each decision."""

    def choose(state: State) -> Mapping[Move, Fraction]:
        found = sample_online(state, iterations=iterations, seed=seed)
        return dict(zip(state.moves, found.chances, strict=True))

    return choose


def by_regrets(solver: str, iterations: int, game: Game, seed: int) -> Choice:
    """The average strategy of so many iterations of counterfactual regret minimization."""
    goal = Goal(iterations=iterations)
    return follow_solution(solve(game.searching, game.facts, Request(solver, _UNLIMITED, goal=goal, seed=seed)))


def by_rules(by_outcome: bool, iterations: int, game: Game, seed: int) -> Choice:
    """The average strategy of as many iterations that sample from the rules, without the tree."""
    machine, goal = game.searching, Goal(iterations=iterations)
    problem = Problem(machine, game.facts, machine.initial(), limits=_UNLIMITED, seed=seed, goal=goal)
    sampled, elsewhere = decisions_of(sample_from_rules(problem, by_outcome)), uniform(game, seed)
    return lambda state: sampled.get(texts(state.information_state(str(state.actor)))) or elsewhere(state)


def by_equilibrium(game: Game, seed: int) -> Choice:
    """The exact equilibrium."""
    return follow_solution(zermelo.solve(game, "sequence_form"))


def decisions_of(answer: Answer) -> dict[tuple[str, ...], Mapping[Move, Fraction]]:
    """What the strategies of an answer do, by what their players know."""
    return {
        texts(decision.known): dict(zip(decision.moves, decision.probabilities, strict=True))
        for strategy in answer.strategies
        for decision in strategy.decisions
    }


def follow_solution(solution: Solution) -> Choice:
    """The strategies of a solution."""
    known = decisions_of(solution)
    return lambda state: known[texts(state.information_state(str(state.actor)))]


WAYS: Final = (
    Way("all moves alike", uniform),
    Way("`pimc`", partial(by_deals, "pimc")),
    Way("`alphamu`", partial(by_deals, "alphamu")),
    Way("`ismcts`, 1,000 simulations", partial(by_simulations, 1_000), is_random=True),
    Way("`ismcts`, 10,000 simulations", partial(by_simulations, 10_000), is_random=True),
    Way("`oos`, 1,000 iterations", partial(by_online_sampling, 1_000), is_random=True),
    Way("`oos`, 10,000 iterations", partial(by_online_sampling, 10_000), is_random=True),
    Way("`oos`, 100,000 iterations", partial(by_online_sampling, 100_000), is_random=True),
    Way("`outcome_sampling`, 1,000,000 iterations", partial(by_regrets, "outcome_sampling", 1_000_000), is_random=True),
    Way("`external_sampling`, 100,000 iterations", partial(by_regrets, "external_sampling", 100_000), is_random=True),
    Way("`outcome_sampling` from the rules, 1,000,000 iterations", partial(by_rules, True, 1_000_000), is_random=True),
    Way("`external_sampling` from the rules, 100,000 iterations", partial(by_rules, False, 100_000), is_random=True),
    Way("`cfr_plus`, 1,000 iterations", partial(by_regrets, "cfr_plus", 1_000)),
    Way("`sequence_form`", by_equilibrium),
)


# ------------------------------------------------------------------- losses


def texts(known: InformationState) -> tuple[str, ...]:
    """An information state as text, equal on all machines."""
    return tuple(map(str, known))


def decisions(game: Game, player: str, choice: Choice) -> dict[tuple[str, ...], Mapping[Move, Fraction]]:
    """What a player does wherever their own moves lead."""
    made: dict[tuple[str, ...], Mapping[Move, Fraction]] = {}
    waiting = [game.initial]
    while waiting:
        state = waiting.pop()
        if state.is_over:
            continue
        if state.actor == player:
            known = texts(state.information_state(player))
            if known not in made:
                made[known] = choice(state)
            waiting += [state.after(move) for move, chance in made[known].items() if chance]
        else:
            waiting += [state.after(move) for move in (state.moves or [each for each, _ in state.outcomes])]
    return made


def plan(
    tree: ExtensiveForm, form: SequenceForm, player: int, made: Mapping[tuple[str, ...], Mapping[Move, Fraction]]
) -> list[Fraction]:
    """The realization plan of a player's decisions."""
    own, sets = form.players[player], tree.information_sets
    found = [Fraction(1)] * len(own)
    for s, parent, first, end in zip(own.sets, own.parents, own.firsts, own.firsts[1:], strict=False):
        chances = made.get(texts(sets.known(s)), {}) if found[parent] else {}
        found[first:end] = [found[parent] * chances.get(move, Fraction(0)) for move in sets.moves_of(s)]
    return found


def loss(game: Game, tree: ExtensiveForm, form: SequenceForm, choice: Choice) -> Fraction:
    """How much less than the value of the game a way to play gets, as a mean over both seats."""
    plans = [plan(tree, form, p, decisions(game, name, choice)) for p, name in enumerate(game.players)]
    responses = [best_response(form, player, plans)[0] for player in range(2)]
    return sum(responses, Fraction(0)) / 2


def cell(game: Game, way: Way, seeds: int, tree: ExtensiveForm, form: SequenceForm) -> str:
    """What a way to play loses in a game, as the table shows it."""
    try:
        found = [loss(game, tree, form, way.choice(game, seed)) for seed in range(seeds if way.is_random else 1)]
    except ZermeloError as error:
        return f"refused ({error.code})"
    around = interval(found)
    if around is None:
        return f"{float(found[0]):.4f}"
    mean, margin = around
    return f"{float(mean):.4f} ± {margin:.4f}"


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.losses", description="What each way to choose a move loses.")
    parser.add_argument("games", nargs="*", default=_GAMES, help="names of bundled games (default: all three)")
    parser.add_argument("--seeds", type=int, default=5, help="how often what draws at random is judged (default: 5)")
    options = parser.parse_args()
    cells: dict[str, list[str]] = {way.name: [] for way in WAYS}
    for name in options.games:
        game = zermelo.load(name)
        tree = histories(game.initial, _UNLIMITED, ignore_progress)
        form = sequence_form(tree, _UNLIMITED)
        for way in WAYS:
            cells[way.name].append(cell(game, way, options.seeds, tree, form))
            print(f"{name}: {way.name}: {cells[way.name][-1]}", file=sys.stderr, flush=True)
    print(
        markdown_row(["", *(f"`{name}`" for name in options.games)]),
        markdown_row(["---"] * (1 + len(options.games))),
        sep="\n",
    )
    for title, found in cells.items():
        print(markdown_row([title, *found]))


if __name__ == "__main__":
    main()
