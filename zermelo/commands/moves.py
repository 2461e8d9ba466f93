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
from typing import TYPE_CHECKING, Any, Final

from zermelo.boards import short_entries
from zermelo.commands.game_options import (
    add_depth,
    add_game,
    add_limits,
    add_table,
    learnt_endgames,
    state_of,
    within,
)
from zermelo.commands.options import add_format, positive_number, whole_number
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.names import shown
from zermelo.interpreter.checks.game_facts import unless_too_many
from zermelo.interpreter.machine import Move, Seen, display_text
from zermelo.numbers import (
    approximation,
    by_player,
    count_in_words,
    exact_text,
    json_value,
    parameters_text,
    play_so_far,
    readable_texts,
    record_header,
    text_within,
)
from zermelo.positions import outcomes_in_words, past_knowledge, view_text
from zermelo.report.console import (
    print_facts,
    print_heading,
    print_json,
    print_remark,
    print_table,
    print_title,
)
from zermelo.solutions.page import length_head, short_length
from zermelo.solutions.strategy_table import perceptions_text
from zermelo.solvers.solution import Certainty

if TYPE_CHECKING:
    from zermelo.decisions import DealCount, MoveEvaluation
    from zermelo.move_values import MoveValues
    from zermelo.solvers.beliefs.consistent_plays import Belief
    from zermelo.solvers.clairvoyance.alphamu import Fusion
    from zermelo.solvers.forms.policy import Worth

# A belief as a table and as JSON: the positions by what tells them apart.


_LISTED: Final = 20
"""How many positions are printed."""

_MOST_COLUMNS: Final = 6
"""How many columns may say the same thing twice."""


def print_belief(belief: Belief[State], player: str, others: str) -> None:
    """The most probable positions, with the entries of variables in which they differ."""
    heads, rows = _distinguishing_columns([position.state for position in belief.positions])
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
            less = f"that {'is' if left == 1 else 'are'} less probable"
            print(f"... and {count_in_words(left, 'position')} {less}; `zermelo moves --json` has them")
    print()
    print_facts(_belief_facts(belief, others))


def _distinguishing_columns(states: Sequence[State]) -> tuple[list[str], list[list[str]]]:
    """Columns with the entries of variables in which states differ, boards in short; where they are many, without those
    that follow from the ones before."""
    said = [short_entries(state.game.model, state.game.machine.entries(state.machine_state)) for state in states]
    heads = [
        head for head in dict.fromkeys(head for row in said for head in row) if len({row.get(head) for row in said}) > 1
    ]
    if len(heads) > _MOST_COLUMNS:
        kept: list[str] = []
        for head in heads:
            if _count_classes(said, [*kept, head]) > _count_classes(said, kept):
                kept.append(head)
        heads = kept
    return heads, [[row.get(head, "") for head in heads] for row in said]


def _count_classes(said: Sequence[dict[str, str]], heads: Sequence[str]) -> int:
    """How many of the states these columns tell apart."""
    return len({tuple(row.get(head) for head in heads) for row in said})


def _belief_facts(belief: Belief[State], others: str) -> list[tuple[str, str]]:
    assumed = {"uniform": "all moves equally likely", "best": "the equilibrium that has been found"}
    plays = sum(position.plays for position in belief.positions)
    found = f"{count_in_words(plays, 'play')} to {count_in_words(len(belief.positions), 'position')}"
    if belief.is_exact:
        sure = f"exact, by Bayes' rule over {found}" if plays > 1 else "exact: one play fits"
    else:
        worth = approximation(belief.effective)
        sure = f"estimated by {belief.drawn:,} weighted samples, worth {worth} independent ones, along {found}"
    return [("the others", assumed.get(others, f"as {others} says")), ("certainty", sure)]


def belief_record(belief: Belief[State], player: str, others: str) -> dict[str, Any]:
    """As JSON: exact probabilities as text, estimates as decimals."""
    names = differing_entries([position.state for position in belief.positions])
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
                    {"variable": variable, "indices": list(map(json_value, indices)), "value": json_value(value)}
                    for (variable, indices), value in _entry_values(position.state, names)
                ],
            }
            for position in belief.positions
        ],
    }


def differing_entries(states: Sequence[State]) -> list[tuple[str, tuple[Any, ...]]]:
    """The entries of variables, by name and indices, whose values differ between these states."""
    first, *rest = map(_entries, states)
    names = dict.fromkeys(name for entries in (first, *rest) for name in entries)
    return [name for name in names if any(entries.get(name) != first.get(name) for entries in rest)]


def _entry_values(
    state: State, names: Sequence[tuple[str, tuple[Any, ...]]]
) -> list[tuple[tuple[str, tuple[Any, ...]], Any]]:
    entries = _entries(state)
    return [(name, entries.get(name)) for name in names]


def _entries(state: State) -> dict[tuple[str, tuple[Any, ...]], Any]:
    return {(seen.variable, seen.indices): seen.value for seen in state.game.machine.entries(state.machine_state)}


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
  zermelo moves tic_tac_toe --after "mark(b2)" --values --table tic_tac_toe.table
  zermelo moves chess --estimate --weight mobility=1/1000
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
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
    add_table(parser, "with --values: it answers where it has the position, and else searches end at its positions")
    add_format(parser)


def run(options: Namespace) -> int:
    state = state_of(options)
    game = state.game
    values = _values(options, state) if options.values and not state.is_over else None
    belief = None if options.believe is None else _belief(options, state)
    if options.format == "json":
        if values is not None:
            from zermelo.move_values import values_record  # which is loaded then

        print_json(
            {
                **_record(game, state, options.seed),
                **(_estimate_record(game, state) if options.estimate else {}),
                **({} if values is None else {"values": values_record(values.evaluation)}),
                **({} if belief is None else {"belief": belief_record(belief, options.believe, options.others)}),
            }
        )
    else:
        _print(game, state, options.seed)
        if options.estimate:
            _print_estimate(game, state)
        if values is not None:
            print_values(state, values.evaluation)
        if belief is not None:
            print_belief(belief, options.believe, options.others)
    return 0


def _values(options: Namespace, state: State) -> MoveValues:
    from zermelo.questions import values

    return values(
        state,
        options.solver,
        deals=options.deals,
        depth=options.depth,
        nodes=options.nodes,
        simulations=options.simulations,
        iterations=options.iterations,
        observers=options.observers,
        seed=options.seed,
        table=options.table,
        endgames=learnt_endgames(options, state.game),
        **within(options),
    )


def _belief(options: Namespace, state: State) -> Belief[State]:
    from zermelo.questions import belief

    return belief(
        state,
        options.believe,
        others=options.others,
        samples=options.samples,
        seed=options.seed,
        **within(options),
    )


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
    known = {player: tuple(past_knowledge(state, player)) for player in game.players}
    if len(set(seen.values())) == len(set(known.values())) == 1:
        first, *others = game.players
        if seen[first]:
            _print_view("everybody sees" if others else f"{shown(first)} sees", view_text(state, first))
        return
    for player in game.players:
        _print_view(f"{shown(player)} sees", view_text(state, player) or "none of the variables")
        if known[player]:
            print_remark(f"and knows of {', '.join(known[player])}")


def _print_estimate(game: Game, state: State) -> None:
    """The estimate of the position for each player, with features and weights."""
    print()
    if not game.facts.has_estimate:
        print("The file has no estimate.")
        return
    features = {player: state.features(player) for player in game.players}
    rows = [
        (name, str(weight), *(str(features[player][name]) for player in game.players))
        for name, weight in game.weights.items()
    ]
    total = ("estimate", *([""] if rows else []), *(str(state.estimate(player)) for player in game.players))
    print_table(("feature", "weight", *game.titles) if rows else ("", *game.titles), [*rows, total])


# What the moves bring, as a table and as JSON.


_WHOSE: Final = {
    "multiple": "several: every player chooses by what they know",
    "single": "one: the others choose as if they knew no more than {player}",
}


def print_values(state: State, values: MoveEvaluation) -> None:
    """A row for each move: what it brings, and whether it is best; and how far that can be trusted."""
    from zermelo.solvers.choosing.registry import OF_ONE_DECISION, SOLVERS

    others = len(values.players) == 2 and state.game.facts.constant_sum.holds is True
    for_whom = [state.actor] if state.actor in values.players and others else list(values.players)
    likely = dict(state.outcomes)
    rows = [
        (
            display_text(worth.move),
            *(readable_texts(likely[worth.move]) if likely else [""]),
            f"{values.visits[worth.move]:,}" if values.visits else "",
            *(_amount(values, worth, values.players.index(player)) for player in for_whom),
            f"± {error:.2g}" if (error := values.standard_errors.get(worth.move)) else "",
            "best" if worth.move in values.best else "",
            "" if worth.chance is None else (approximation if values.is_sampled else exact_text)(worth.chance),
            "" if worth.distance is None else f"{worth.distance:,}",
            "" if worth.duration is None else short_length(worth.duration),
        )
        for worth in values.worths
    ]
    is_told = values.certainty is Certainty.EXACT or values.deals is not None
    certainty = "" if is_told else f", {values.certainty.value}"
    heads = (
        "outcome" if likely else "move",
        "probability",
        "simulations",
        *(f"{values.meaning.value} {shown(player)}{certainty}" for player in for_whom),
        "standard error",
        "",
        "is made",
        "moves to the end",
        length_head(worth.duration for worth in values.worths),
    )
    filled = [k for k in range(len(heads)) if any(row[k] for row in rows)]
    print()
    print_table([heads[k] for k in filled], [[row[k] for k in filled] for row in rows])
    print()
    title = OF_ONE_DECISION.get(values.solver) or SOLVERS[values.solver].title
    lines = [("solver", title), *([("why", values.why)] if values.why else [])]
    if values.observers:
        lines.append(("observers", _WHOSE[values.observers].format(player=shown(values.players[0]))))
    if values.deals is not None:
        lines.append(("deals", f"{values.deals.count:,}, {_deals_text(values.deals)}"))
    if values.counts:
        lines.append(("counts", ", ".join(f"{what} {count:,}" for what, count in values.counts.items())))
    lines += [("note", note) for note in values.notes]
    lines += [("fusion", _fusion_text(fusion, shown(values.players[0]))) for fusion in values.fusions.values()]
    if values.exploitability is not None:
        lines.append(("exploitability", approximation(values.exploitability)))
    print_facts(lines)


def _amount(values: MoveEvaluation, worth: Worth, player: int) -> str:
    """What a move brings a player; nothing if it has never been tried."""
    if worth.payoff is None:
        return "" if values.is_sampled else "not defined"
    return approximation(worth.payoff[player]) if values.is_sampled else text_within(worth.payoff[player], worth.error)


def _deals_text(deals: DealCount) -> str:
    if deals.covers:
        return "all that fit, with their probabilities"
    return f"drawn at random, worth {float(deals.effective):,.0f} independent ones"


def _fusion_text(fusion: Fusion[Any], player: str) -> str:
    """What the deals disagree about, for two of them that have no best move in common."""
    first, *others = (best for _, best in fusion.deals)
    other = next((best for best in others if not set(best) & set(first)), others[-1])
    return (
        f"after {perceptions_text(fusion.known, player)} {player} would have to know the deal: "
        f"in one {_alternatives_text(first)} is best, in another {_alternatives_text(other)}, and they look the same"
    )


def _alternatives_text(moves: tuple[Move, ...]) -> str:
    return " or ".join(map(display_text, moves))


def _print_view(title: str, view: str) -> None:
    print()
    print_heading(f"{title}:")
    print(view)


def _outcomes(state: State) -> tuple[tuple[Move, Fraction], ...] | None:
    """The outcomes of chance, or None if they are too many to list."""
    return unless_too_many(lambda: state.outcomes)


def _too_many(state: State, seed: int) -> str:
    """Outcomes that are too many to list: how many, and one of them."""
    space = unless_too_many(lambda: state.sample_space)
    count = "too many to list" if space is None else f"{space.count:,}"
    return f"{count}, such as {display_text(state.sample(Random(seed)))}"


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
        "views": {player: [_entry_record(entry) for entry in state.view(player)] for player in game.players},
        "information": {player: list(map(str, state.information_state(player))) for player in game.players},
    }


def _too_many_record(state: State, seed: int) -> dict[str, Any]:
    """How many outcomes there are, null if that is not known, and one of them."""
    space = unless_too_many(lambda: state.sample_space)
    return {"count": None if space is None else space.count, "example": str(state.sample(Random(seed)))}


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
        if not game.facts.has_estimate
        else by_player(game, (state.estimate(player) for player in game.players)),
    }


def _entry_record(entry: Seen) -> dict[str, Any]:
    return {
        "variable": entry.variable,
        "indices": list(map(json_value, entry.indices)),
        "value": json_value(entry.value),
    }
