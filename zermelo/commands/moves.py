"""List the legal moves of a position, and what each player sees of it.

Prints who is to move; their legal moves, or the outcomes of chance with their probabilities, or the payoffs at the end;
and the variables as each player sees them. With --values: what every move brings if all go on best, and which are best.
With --believe PLAYER: how probable each position is that fits what the player has perceived, by Bayes' rule.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo.commands.game_options import add_game, add_position, game_of, state_of
from zermelo.commands.limit_options import add_depth, add_limits, limits_of
from zermelo.commands.moves_text import (
    BY_DEALS,
    averages_record,
    belief_record,
    online_record,
    print_averages,
    print_belief,
    print_online,
    print_simulations,
    simulations_record,
)
from zermelo.commands.options import add_format, some, whole_number
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Seen, shown
from zermelo.numbers import (
    EQUILIBRIUM,
    approximation,
    by_player,
    exactly,
    header,
    known_by_player,
    plain,
    play_so_far,
    readable,
    settings,
    within,
)
from zermelo.positions import known_of_the_past, outcomes_in_words, seen_by
from zermelo.report.console import (
    print_facts,
    print_heading,
    print_json,
    print_remark,
    print_table,
    print_title,
    progress,
)
from zermelo.solutions.record import duration_record, length_head, short_length
from zermelo.solvers.solution import Certainty

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.decisions.move_values import MoveValues
    from zermelo.decisions.simulating import Averaged, Online, Simulated
    from zermelo.solvers.beliefs.consistent_plays import Belief
    from zermelo.solvers.forms.policy import Worth

Found = TypeVar("Found")

EXAMPLES = """\
examples:
  zermelo moves tic_tac_toe
  zermelo moves tic_tac_toe --after "mark(b2); mark(a1)"
  zermelo moves kuhn_poker --after "deal(J, Q); check" --json
  zermelo moves tic_tac_toe --after "mark(b2); mark(b1)" --values
  zermelo moves kuhn_poker --after "deal(Q, K); check; bet" --values
  zermelo moves kuhn_poker --after "deal(J, Q); bet" --believe Bob
  zermelo moves kuhn_poker --after "deal(J, Q); bet" --believe Bob --others best
  zermelo moves four_card_hand --after heart --values --solver pimc
  zermelo moves four_card_hand --after heart --values --solver ismcts --simulations 20000
  zermelo moves leduc_poker --after "deal(K♥); deal(Q♠)" --values --solver oos
  zermelo moves chess --values --depth 2
  zermelo moves chess --estimate --weight mobility=1/1000
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    add_position(parser)
    parser.add_argument(
        "--estimate", action="store_true", help="show the file's estimate of the position, with features and weights"
    )
    parser.add_argument(
        "--values", action="store_true", help="find what every move brings if all go on best, and which are best"
    )
    parser.add_argument(
        "--solver",
        metavar="NAME",
        help="the solver that finds it (default: one that fits). Where something is hidden there are also pimc, the "
        "average over deals solved with open cards, alphamu, which plans --depth moves of the player (default: 2) "
        "without seeing the cards, ismcts, Monte Carlo tree search by what the players know, and oos, online outcome "
        "sampling, which says how to mix",
    )
    parser.add_argument(
        "--deals",
        metavar="N",
        type=some,
        help="how many deals pimc and alphamu look at (default: 100, or all that fit), ismcts (default: 1,000) and oos "
        "(default: 200)",
    )
    parser.add_argument(
        "--simulations", metavar="N", type=some, help="how many simulations ismcts makes (default: 10,000)"
    )
    parser.add_argument(
        "--iterations",
        metavar="N",
        type=some,
        help="how many iterations oos makes before each decision of the player (default: 10,000)",
    )
    parser.add_argument(
        "--observers",
        choices=("multiple", "single"),
        default="multiple",
        help="whose knowledge ismcts goes by: that of every player at their own decisions (multiple, the default), or "
        "only that of the player to move (single)",
    )
    parser.add_argument(
        "--believe", metavar="PLAYER", help="show how probable each position is, for all that the player has perceived"
    )
    parser.add_argument(
        "--others",
        metavar="STRATEGIES",
        default="uniform",
        help="with --believe: how the others choose: uniform (default), all moves equally likely; best, the "
        "equilibrium that is found; or a file, the output of `zermelo solve --json`",
    )
    parser.add_argument(
        "--samples",
        metavar="N",
        type=some,
        help="with --believe: so many random plays instead of all (default: if they are too many)",
    )
    parser.add_argument("--seed", metavar="N", type=whole_number, default=0, help="the random seed (default: 0)")
    add_limits(parser)
    add_depth(parser, "with --values: behind each move, ")
    add_format(parser)


def run(options: Namespace) -> int:
    game = game_of(options)
    state = state_of(options, game)
    by_deals = options.solver in BY_DEALS and not state.is_over
    averages = _averages(options, state) if options.values and by_deals else None
    by_simulations = options.solver == "ismcts" and not state.is_over
    simulated = _simulated(options, state) if options.values and by_simulations else None
    by_iterations = options.solver == "oos" and not state.is_over
    learned = _learned(options, state) if options.values and by_iterations else None
    is_solved = options.values and not (by_deals or by_simulations or by_iterations or state.is_over)
    values = _values(options, state) if is_solved else None
    belief = None if options.believe is None else _belief(options, state)
    if options.format == "json":
        print_json(
            {
                **_record(game, state, options.seed),
                **(_estimate_record(game, state) if options.estimate else {}),
                **({} if values is None else {"values": _values_record(values)}),
                **({} if averages is None else {"values": averages_record(averages)}),
                **({} if simulated is None else {"values": simulations_record(simulated)}),
                **({} if learned is None else {"values": online_record(learned)}),
                **({} if belief is None else {"belief": belief_record(belief, options.believe, options.others)}),
            }
        )
    else:
        _print(game, state, options.seed)
        if options.estimate:
            _print_estimate(game, state)
        if values is not None:
            _print_values(state, values)
        if averages is not None:
            print_averages(averages)
        if simulated is not None:
            print_simulations(simulated)
        if learned is not None:
            print_online(learned)
        if belief is not None:
            print_belief(belief, options.believe, options.others)
    return 0


def _values(options: Namespace, state: State) -> MoveValues:
    from zermelo.decisions.move_values import move_values

    limits = limits_of(options)
    with progress("solving", "nodes") as report, limits.kept():
        return move_values(state, options.solver, limits, report)


def _averages(options: Namespace, state: State) -> Averaged:
    from zermelo.decisions.simulating import CLAIRVOYANT_DEALS, MOVES, averaged

    limits = limits_of(options)
    deals, ahead = options.deals or CLAIRVOYANT_DEALS, options.depth or MOVES
    with progress("solving deals", "deals") as report, limits.kept():
        return averaged(state, options.solver, deals, ahead, options.seed, limits, report)


def _simulated(options: Namespace, state: State) -> Simulated:
    from zermelo.decisions.simulating import CLAIRVOYANT_DEALS, simulate
    from zermelo.solvers.search.monte_carlo_tree_search import SIMULATIONS

    limits = limits_of(options)
    simulations, deals = options.simulations or SIMULATIONS, options.deals or CLAIRVOYANT_DEALS
    with progress("simulating", "simulations") as report, limits.kept():
        return simulate(state, options.observers, simulations, deals, options.seed, limits, report)


def _learned(options: Namespace, state: State) -> Online:
    from zermelo.decisions.simulating import DEALS_IN_PLAY, ITERATIONS, online

    limits = limits_of(options)
    iterations, deals = options.iterations or ITERATIONS, options.deals or DEALS_IN_PLAY
    with progress("sampling", "nodes") as report, limits.kept():
        return online(state, iterations, deals, options.seed, limits, report)


def _belief(options: Namespace, state: State) -> Belief[State]:
    from zermelo.decisions.believing import belief

    limits = limits_of(options)
    with progress("looking at the plays", "plays") as report, limits.kept():
        return belief(state, options.believe, options.others, options.samples, options.seed, limits, report)


def _print(game: Game, state: State, seed: int) -> None:
    lines = []
    if state.play:
        lines.append(("after", play_so_far(state)))
    lines.append(("now", state.status))
    if state.actor == CHANCE:
        outcomes = _outcomes(state)
        lines.append(("outcomes", _too_many(state, seed) if outcomes is None else outcomes_in_words(outcomes)))
    elif not state.is_over:
        lines.append(("moves", ", ".join(map(shown, state.moves))))
    print_title(game.title, settings(game))
    print()
    print_facts(lines)
    seen = {player: state.view(player) for player in game.players}
    known = {player: tuple(known_of_the_past(state, player)) for player in game.players}
    if len(set(seen.values())) == len(set(known.values())) == 1:
        first, *others = game.players
        if seen[first]:
            _print_view("everybody sees" if others else f"{first} sees", seen_by(state, first))
        return
    for player in game.players:
        _print_view(f"{player} sees", seen_by(state, player) or "none of the variables")
        if known[player]:
            print_remark(f"and knows of {', '.join(known[player])}")


def _print_estimate(game: Game, state: State) -> None:
    """The estimate of the position for each player, with features and weights."""
    print()
    if game.model.estimate is None:
        print("The file has no estimate.")
        return
    features = {player: state.features(player) for player in game.players}
    rows = [
        (name, str(weight), *(str(features[player][name]) for player in game.players))
        for name, weight in game.weights.items()
    ]
    total = ("estimate", *([""] if rows else []), *(str(state.estimate(player)) for player in game.players))
    print_table(("feature", "weight", *game.players) if rows else ("", *game.players), [*rows, total])


def _print_values(state: State, values: MoveValues) -> None:
    """A row for each move: what it brings, and whether it is best."""
    from zermelo.solvers.choosing.registry import SOLVERS

    others = len(values.players) == 2 and state.game.facts.constant_sum.holds is True
    for_whom = [state.actor] if state.actor in values.players and others else list(values.players)
    likely = dict(state.outcomes)
    rows = [
        (
            shown(worth.move),
            *(readable(likely[worth.move]) if likely else [""]),
            *(_amount(worth, values.players.index(player)) for player in for_whom),
            "best" if worth.move in values.best else "",
            "" if worth.chance is None else exactly(worth.chance),
            "" if worth.distance is None else f"{worth.distance:,}",
            "" if worth.duration is None else short_length(worth.duration),
        )
        for worth in values.worths
    ]
    certainty = "" if values.certainty is Certainty.EXACT else f", {values.certainty.value}"
    what = "value for" if values.are_values else EQUILIBRIUM
    heads = (
        "outcome" if likely else "move",
        "probability",
        *(f"{what} {player}{certainty}" for player in for_whom),
        "",
        "is made",
        "moves to the end",
        length_head(worth.duration for worth in values.worths),
    )
    filled = [k for k in range(len(heads)) if any(row[k] for row in rows)]
    print()
    print_table([heads[k] for k in filled], [[row[k] for k in filled] for row in rows])
    print()
    lines = [("solver", SOLVERS[values.solver].title), ("why", values.why), *(("note", note) for note in values.notes)]
    if values.exploitability is not None:
        lines.append(("exploitability", approximation(values.exploitability)))
    print_facts(lines)


def _amount(worth: Worth, player: int) -> str:
    return "not defined" if worth.payoff is None else within(worth.payoff[player], worth.error)


def _values_record(values: MoveValues) -> dict[str, Any]:
    """Exact numbers as text; those that are not exact are decimals that are certain, null if none is."""
    return {
        "solver": values.solver,
        "why": values.why,
        "exact": values.certainty is Certainty.EXACT,
        "certainty": values.certainty.value,
        "moves": [
            {
                "move": str(worth.move),
                "value": None if worth.payoff is None else known_by_player(values.players, worth.payoff, worth.error),
                "error": str(worth.error),
                "best": worth.move in values.best,
                "probability": None if worth.chance is None else str(worth.chance),
                "moves_to_the_end": worth.distance,
                "duration": duration_record(worth.duration),
            }
            for worth in values.worths
        ],
        "notes": list(values.notes),
        "exploitability": None if values.exploitability is None else str(values.exploitability),
    }


def _print_view(title: str, view: str) -> None:
    print()
    print_heading(f"{title}:")
    print(view)


def _outcomes(state: State) -> tuple[tuple[Move, Fraction], ...] | None:
    """The outcomes of chance, or None if they are too many to list."""
    return _unless_too_many(lambda: state.outcomes)


def _unless_too_many(ask: Callable[[], Found]) -> Found | None:
    try:
        return ask()
    except ZermeloError as error:
        if error.code != "too-many-outcomes":
            raise
        return None


def _too_many(state: State, seed: int) -> str:
    """Outcomes that are too many to list: how many, and one of them."""
    space = _unless_too_many(lambda: state.sample_space)
    count = "too many to list" if space is None else f"{space.count:,}"
    return f"{count}, such as {shown(state.draw(Random(seed)))}"


def _record(game: Game, state: State, seed: int) -> dict[str, Any]:
    outcomes = _outcomes(state)
    return {
        **header(game),
        "play": list(map(str, state.play)),
        "actor": state.actor,
        "moves": list(map(str, state.moves)),
        "outcomes": None
        if outcomes is None
        else [{"outcome": str(outcome), "probability": str(probability)} for outcome, probability in outcomes],
        **({"too_many": _too_many_record(state, seed)} if outcomes is None else {}),
        "payoff": None if state.payoff is None else by_player(game, state.payoff),
        "views": {player: [_seen(entry) for entry in state.view(player)] for player in game.players},
        "information": {player: list(map(str, state.information_state(player))) for player in game.players},
    }


def _too_many_record(state: State, seed: int) -> dict[str, Any]:
    """How many outcomes there are, null if that is not known, and one of them."""
    space = _unless_too_many(lambda: state.sample_space)
    return {"count": None if space is None else space.count, "example": str(state.draw(Random(seed)))}


def _estimate_record(game: Game, state: State) -> dict[str, Any]:
    features = {player: state.features(player) for player in game.players}
    return {
        "features": [
            {
                "feature": name,
                "weight": str(weight),
                "values": by_player(game, (features[player][name] for player in game.players)),
            }
            for name, weight in game.weights.items()
        ],
        "estimate": None
        if game.model.estimate is None
        else by_player(game, (state.estimate(player) for player in game.players)),
    }


def _seen(entry: Seen) -> dict[str, Any]:
    return {"variable": entry.variable, "indices": list(map(plain, entry.indices)), "value": plain(entry.value)}
