"""List the legal moves of a position, and what each player sees of it.

Prints who is to move; their legal moves, or the outcomes of chance with their probabilities, or the payoffs at the end;
and the variables as each player sees them. With --values: what every move brings if all go on best, and which are best.
With --believe PLAYER: how probable each position is that fits what the player has perceived, by Bayes' rule.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar

from zermelo.boards import in_short
from zermelo.commands.game_options import add_depth, add_game, add_limits, add_position, game_of, limits_of, state_of
from zermelo.commands.options import add_format, positive_number, whole_number
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Seen, display_text
from zermelo.numbers import (
    EQUILIBRIUM,
    approximation,
    by_player,
    exact_text,
    known_by_player,
    parameters_text,
    plain,
    play_so_far,
    readable_texts,
    record_header,
    text_within,
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
from zermelo.solutions.page import duration_record, length_head, short_length
from zermelo.solutions.strategy_table import heard
from zermelo.solvers.solution import Certainty

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.decisions import Averaged, MoveValues, Online, Simulated
    from zermelo.solvers.beliefs.consistent_plays import Belief
    from zermelo.solvers.clairvoyance.alphamu import AveragedMove
    from zermelo.solvers.forms.policy import Worth

# Averages over deals as a table and as JSON.


BY_DEALS: Final = ("pimc", "alphamu")
"""The methods that look at deals."""

_TITLES: Final = {"pimc": "averages over clairvoyance", "alphamu": "alpha-mu"}


def print_averages(found: Averaged) -> None:
    """A row for each move, and what the averages are worth."""
    rows = [
        (
            display_text(each.move),
            exact_text(each.mean) if found.covers else approximation(each.mean),
            "" if found.covers or not each.standard_error else f"± {each.standard_error:.2g}",
            "best" if each.move in found.best else "",
        )
        for each in found.moves
    ]
    heads = ("move", f"average for {found.player}", "standard error", "")
    filled = [k for k in range(len(heads)) if k < 2 or any(row[k] for row in rows)]
    print()
    print_table([heads[k] for k in filled], [[row[k] for k in filled] for row in rows])
    print()
    which = "all that fit, with their probabilities" if found.covers else "drawn at random"
    facts = [("solver", _TITLES[found.method]), ("deals", f"{found.deals:,}, {which}"), ("note", _caveat(found))]
    facts += [("fusion", _fused(found, each)) for each in found.moves if each.fusion is not None]
    print_facts(facts)


def _caveat(found: Averaged) -> str:
    """What the averages are not."""
    if found.method == "pimc":
        return (
            "Each deal is solved as if all cards were open from then on, which they will not be: this is no value of "
            f"the game, and may be more than {found.player} can get."
        )
    moves = "move" if found.ahead == 1 else f"{found.ahead} moves"
    return (
        f"For the next {moves} {found.player} does the same in deals that look the same; after that all cards are "
        "open. The others are taken to know everything at once."
    )


def _fused(found: Averaged, each: AveragedMove) -> str:
    """What the deals disagree about, for two of them that have no best move in common."""
    assert each.fusion is not None
    first, *others = (best for _, best in each.fusion.deals)
    other = next((best for best in others if not set(best) & set(first)), others[-1])
    return (
        f"after {heard(each.fusion.known, found.player)} {found.player} would have to know the deal: "
        f"in one {_any(first)} is best, in another {_any(other)}, and they look the same"
    )


def _any(moves: tuple[Any, ...]) -> str:
    return " or ".join(map(display_text, moves))


def averages_record(found: Averaged) -> dict[str, Any]:
    """As JSON; means are exact numbers as text if the deals are all that fit, and decimals otherwise."""
    return {
        "solver": found.method,
        "player": found.player,
        "exact": False,
        "deals": found.deals,
        "all_deals": found.covers,
        "moves": [
            {
                "move": str(each.move),
                "mean": str(each.mean) if found.covers else float(each.mean),
                "standard_error": None if found.covers else each.standard_error,
                "best": each.move in found.best,
                "fusion": None
                if each.fusion is None
                else {
                    "known": list(map(str, each.fusion.known)),
                    "best": [list(map(str, best)) for _, best in each.fusion.deals],
                },
            }
            for each in found.moves
        ],
    }


# A belief as a table and as JSON: the positions by what tells them apart.


_LISTED: Final = 20
"""How many positions are printed."""

_MOST_COLUMNS: Final = 6
"""How many columns may say the same thing twice."""


def print_belief(belief: Belief[State], player: str, others: str) -> None:
    """The most probable positions, with the entries of variables in which they differ."""
    heads, rows = _told_apart([position.state for position in belief.positions])
    if len({tuple(row) for row in rows}) < len(rows):  # what tells them apart is in no variable
        heads.append("after")
        rows = [[*row, play_so_far(each.state)] for row, each in zip(rows, belief.positions, strict=True)]
    print()
    print_heading(f"{player} believes:")
    if len(belief.positions) == 1 and belief.is_exact:
        print("the position is known")
    else:
        write = exact_text if belief.is_exact else approximation
        listed = [[write(each.probability), *row] for each, row in zip(belief.positions, rows, strict=True)]
        print_table(["probability", *heads], listed[:_LISTED])
        if len(belief.positions) > _LISTED:
            left = len(belief.positions) - _LISTED
            print(f"... and {left:,} positions that are less probable; `zermelo moves --json` has them")
    print()
    print_facts(_about(belief, others))


def _told_apart(states: Sequence[State]) -> tuple[list[str], list[list[str]]]:
    """Columns with the entries of variables in which states differ, boards in short; where they are many, without those
    that follow from the ones before."""
    said = [in_short(state.game.model, state.game.machine.entries(state.machine_state)) for state in states]
    heads = [
        head for head in dict.fromkeys(head for row in said for head in row) if len({row.get(head) for row in said}) > 1
    ]
    if len(heads) > _MOST_COLUMNS:
        kept: list[str] = []
        for head in heads:
            if _classes(said, [*kept, head]) > _classes(said, kept):
                kept.append(head)
        heads = kept
    return heads, [[row.get(head, "") for head in heads] for row in said]


def _classes(said: Sequence[dict[str, str]], heads: Sequence[str]) -> int:
    """How many of the states these columns tell apart."""
    return len({tuple(row.get(head) for head in heads) for row in said})


def _about(belief: Belief[State], others: str) -> list[tuple[str, str]]:
    assumed = {"uniform": "all moves equally likely", "best": "the equilibrium that has been found"}
    plays = sum(position.plays for position in belief.positions)
    found = f"{plays:,} plays to {len(belief.positions):,} positions"
    if belief.is_exact:
        sure = f"exact, by Bayes' rule over {found}" if plays > 1 else "exact: one play fits"
    else:
        worth = approximation(belief.effective)
        sure = f"estimated by {belief.drawn:,} weighted samples, worth {worth} independent ones, along {found}"
    return [("the others", assumed.get(others, f"as {others} says")), ("certainty", sure)]


def belief_record(belief: Belief[State], player: str, others: str) -> dict[str, Any]:
    """As JSON: exact probabilities as text, estimates as decimals."""
    names = differing([position.state for position in belief.positions])
    return {
        "player": player,
        "others": others,
        "exact": belief.is_exact,
        "samples": belief.drawn or None,
        "effective_samples": None if belief.is_exact else float(belief.effective),
        "positions": [
            {
                "probability": str(position.probability) if belief.is_exact else float(position.probability),
                "plays": position.plays,
                "play": list(map(str, position.state.play)),
                "differs_in": [
                    {"variable": variable, "indices": list(map(plain, indices)), "value": plain(value)}
                    for (variable, indices), value in _of(position.state, names)
                ],
            }
            for position in belief.positions
        ],
    }


def differing(states: Sequence[State]) -> list[tuple[str, tuple[Any, ...]]]:
    """The entries of variables, by name and indices, that do not have one value in all of these states."""
    first, *rest = map(_entries, states)
    names = dict.fromkeys(name for entries in (first, *rest) for name in entries)
    return [name for name in names if any(entries.get(name) != first.get(name) for entries in rest)]


def _of(state: State, names: Sequence[tuple[str, tuple[Any, ...]]]) -> list[tuple[tuple[str, tuple[Any, ...]], Any]]:
    entries = _entries(state)
    return [(name, entries.get(name)) for name in names]


def _entries(state: State) -> dict[tuple[str, tuple[Any, ...]], Any]:
    return {(seen.variable, seen.indices): seen.value for seen in state.game.machine.entries(state.machine_state)}


# What online outcome sampling finds at a decision, as a table and as JSON.


def print_online(online: Online) -> None:
    """A row for each move, with how often it should be made."""
    found, player = online.found, online.player
    print()
    print_table(
        ["move", "is made"], [(display_text(move), approximation(chance)) for move, chance in found.chances.items()]
    )
    print()
    led = "all that fit" if online.covers else "drawn at random from those that fit"
    facts = [
        ("solver", "online outcome sampling"),
        ("deals", f"{online.deals:,}, {led}, to which most plays are led"),
        ("counts", f"iterations {found.iterations:,}, information sets {found.sets:,}"),
        (
            "note",
            f"A guess: how often {player} makes each move in an approximate equilibrium, learned from random plays. It "
            "comes nearer with more iterations; nothing about it is proved.",
        ),
    ]
    if found.is_full:
        facts.append(("note", "The memory is full: other information sets have not been added; --memory allows more."))
    print_facts(facts)


def online_record(online: Online) -> dict[str, Any]:
    """As JSON; probabilities are decimals."""
    found = online.found
    return {
        "solver": "oos",
        "player": online.player,
        "exact": False,
        "certainty": "heuristic",
        "deals": online.deals,
        "all_deals": online.covers,
        "iterations": found.iterations,
        "information_sets": found.sets,
        "full": found.is_full,
        "moves": [{"move": str(move), "probability": float(chance)} for move, chance in found.chances.items()],
    }


# Simulations of moves as a table and as JSON.


_WHOSE = {
    "multiple": "several: every player chooses by what they know",
    "single": "one: the others choose as if they knew no more than {player}",
}


def print_simulations(simulated: Simulated) -> None:
    """A row for each move, and how far the means can be trusted."""
    found, player = simulated.found, simulated.player
    rows = [
        (
            display_text(each.move),
            f"{each.visits:,}",
            "" if each.mean is None else approximation(each.mean),
            "" if each.standard_error is None else f"± {each.standard_error:.2g}",
            "most simulated" if each.move == found.best else "",
        )
        for each in found.moves
    ]
    print()
    print_table(["move", "simulations", f"mean for {player}", "standard error", ""], rows)
    print()
    facts = [
        ("solver", "information-set Monte Carlo tree search"),
        ("observers", _WHOSE[simulated.observers].format(player=player)),
        ("deals", f"{simulated.deals:,}, {_which(simulated)}"),
        ("counts", f"simulations {found.simulations:,}, moves in the trees {found.arms:,}, depth {found.depth:,}"),
        (
            "note",
            f"A guess. The means are of plays in which everybody explores, not values of the game; more simulations do "
            f"not lead to an equilibrium, and {player} is told one move where it may be best to mix.",
        ),
    ]
    if found.unfinished:
        facts.append(("note", f"{found.unfinished:,} plays were too long, and counted as the middle of all payoffs."))
    if found.is_full:
        facts.append(("note", "The memory is full, so the simulations ended early; --memory allows more."))
    print_facts(facts)


def _which(simulated: Simulated) -> str:
    if simulated.covers:
        return "all that fit, with their probabilities"
    return f"drawn at random, worth {float(simulated.effective):,.0f} independent ones"


def simulations_record(simulated: Simulated) -> dict[str, Any]:
    """As JSON; means are decimals, and null for moves that were not simulated."""
    found = simulated.found
    return {
        "solver": "ismcts",
        "player": simulated.player,
        "exact": False,
        "certainty": "heuristic",
        "observers": simulated.observers,
        "deals": simulated.deals,
        "all_deals": simulated.covers,
        "effective_deals": float(simulated.effective),
        "simulations": found.simulations,
        "unfinished": found.unfinished,
        "moves": [
            {
                "move": str(each.move),
                "simulations": each.visits,
                "mean": None if each.mean is None else float(each.mean),
                "standard_error": each.standard_error,
                "best": each.move == found.best,
            }
            for each in found.moves
        ],
    }


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
        type=positive_number,
        help="how many deals pimc and alphamu look at (default: 100, or all that fit), ismcts (default: 1,000) and oos "
        "(default: 200)",
    )
    parser.add_argument(
        "--simulations", metavar="N", type=positive_number, help="how many simulations ismcts makes (default: 10,000)"
    )
    parser.add_argument(
        "--iterations",
        metavar="N",
        type=positive_number,
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
        type=positive_number,
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
    from zermelo.decisions import move_values

    limits = limits_of(options)
    with progress("solving", "nodes") as report, limits.enforced():
        return move_values(state, options.solver, limits, report)


def _averages(options: Namespace, state: State) -> Averaged:
    from zermelo.decisions import CLAIRVOYANT_DEALS, MOVES, average_deals

    limits = limits_of(options)
    deals, ahead = options.deals or CLAIRVOYANT_DEALS, options.depth or MOVES
    with progress("solving deals", "deals") as report, limits.enforced():
        return average_deals(state, options.solver, deals, ahead, options.seed, limits, report)


def _simulated(options: Namespace, state: State) -> Simulated:
    from zermelo.decisions import CLAIRVOYANT_DEALS, simulate
    from zermelo.solvers.search.monte_carlo_tree_search import SIMULATIONS

    limits = limits_of(options)
    simulations, deals = options.simulations or SIMULATIONS, options.deals or CLAIRVOYANT_DEALS
    with progress("simulating", "simulations") as report, limits.enforced():
        return simulate(state, options.observers, simulations, deals, options.seed, limits, report)


def _learned(options: Namespace, state: State) -> Online:
    from zermelo.decisions import DEALS_IN_PLAY, ITERATIONS, online

    limits = limits_of(options)
    iterations, deals = options.iterations or ITERATIONS, options.deals or DEALS_IN_PLAY
    with progress("sampling", "nodes") as report, limits.enforced():
        return online(state, iterations, deals, options.seed, limits, report)


def _belief(options: Namespace, state: State) -> Belief[State]:
    from zermelo.decisions import belief

    limits = limits_of(options)
    with progress("looking at the plays", "plays") as report, limits.enforced():
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
        lines.append(("moves", ", ".join(map(display_text, state.moves))))
    print_title(game.title, parameters_text(game))
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
            display_text(worth.move),
            *(readable_texts(likely[worth.move]) if likely else [""]),
            *(_amount(worth, values.players.index(player)) for player in for_whom),
            "best" if worth.move in values.best else "",
            "" if worth.chance is None else exact_text(worth.chance),
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
    return "not defined" if worth.payoff is None else text_within(worth.payoff[player], worth.error)


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
    return f"{count}, such as {display_text(state.draw(Random(seed)))}"


def _record(game: Game, state: State, seed: int) -> dict[str, Any]:
    outcomes = _outcomes(state)
    return {
        **record_header(game),
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
