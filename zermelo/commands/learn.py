"""Learn what positions are worth, from games that the program plays against itself, and write a file of weights.

What is learnt are the weights of the file's features, or with --hidden a neural network of one hidden layer. The method
td is TD(lambda), as in Sutton (1988) and Tesauro's TD-Gammon (1992): after each move the estimate of the position
before is brought nearer to that of this one, and in the end to what the game pays. It is for two players and constant
sum, with chance or without. --weights FILE lets other commands estimate by them; `zermelo judge` says how good they
are. The method weights is Samuel's learning by generalization (1959): Alpha, who learns, plays against Beta, who takes
over weights that win; both look --depth moves ahead, and what a search finds corrects what a position seemed to be
worth. The file's first feature keeps its weight. The method rote is his rote learning: positions met in play are kept
with what looking ahead has found, and later searches go by that at their horizon; FILE is Parquet then. The method spsa
is hill climbing by matches, as in Spall (1992). These three are for games without chance. The same seed and number of
games give the same file on every machine. Ctrl-C ends learning, and writes what has been learnt so far; --resume goes
on from there.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from math import inf
from pathlib import Path

from zermelo.commands.game_options import add_limits, add_rules, add_table, limits_of, print_beginning, state_of
from zermelo.commands.options import DECIMAL, number_up_to, positive_number, whole_number
from zermelo.files import check_writable
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interrupts import INTERRUPTED
from zermelo.learning import GAMES, prepare_learning, read_weights, run_learning, settings_of, write_weights
from zermelo.report.console import print_facts, print_table, progress
from zermelo.solvers.common.limits import ignore_progress
from zermelo.solvers.learning.weights import (
    BY_METHOD,
    MOST_DEPTH,
    MOST_HIDDEN,
    MOST_RECORDS,
    MOST_TERMS,
    GeneralizationProgression,
    GeneralizationSettings,
    RoteProgression,
    RoteSettings,
    TDSettings,
    Weights,
)

EXAMPLES = """\
examples:
  zermelo learn tic_tac_toe -o ttt.json
  zermelo learn connect_four -p rows=4 -p columns=4 --games 100000 --seed 1 -o four.json
  zermelo learn pig --hidden 20 --games 200000 -o pig.json
  zermelo learn checkers --method weights --time 60 -o checkers.json
  zermelo learn checkers --time 60 --resume -o checkers.json
  zermelo learn checkers --method rote --depth 3 --games 500 -o rote.parquet
  zermelo solve checkers --depth 4 --weights checkers.json
"""

_USUAL, _SAMUEL = TDSettings(), GeneralizationSettings()


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a path, or the name of a bundled game; - is standard input")
    add_rules(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the file of weights")
    parser.add_argument("--method", choices=BY_METHOD, help="how to learn (default: td)")
    parser.add_argument(
        "--games",
        metavar="N",
        type=positive_number,
        help=f"stop after so many games in all (default: {GAMES:,}, or what --time allows)",
    )
    parser.add_argument(
        "--hidden",
        metavar="N",
        type=number_up_to(MOST_HIDDEN),
        help="learn a network with so many hidden units, whose inputs are made from the position, instead of the "
        "weights of features",
    )
    parser.add_argument("--seed", metavar="S", type=whole_number, default=0, help="the random seed (default: 0)")
    parser.add_argument("--alpha", metavar="X", type=_share, help=f"the step size, at first (default: {_USUAL.alpha})")
    parser.add_argument(
        "--lambda",
        dest="lambda_",
        metavar="X",
        type=_share,
        help="how far a difference reaches back: 0 for the move before alone, 1 for the whole game (default: "
        f"{_USUAL.lambda_})",
    )
    parser.add_argument(
        "--exploration",
        metavar="X",
        type=_share,
        help=f"the share of decisions with a random move (default: {_USUAL.exploration})",
    )
    parser.add_argument(
        "--terms",
        metavar="N",
        type=number_up_to(MOST_TERMS),
        help=f"weights: so many features have a weight at a time, the others wait (default: {_SAMUEL.terms})",
    )
    parser.add_argument(
        "--depth",
        dest="plies",
        metavar="N",
        type=number_up_to(MOST_DEPTH),
        help=f"weights, spsa, rote: look so many moves ahead (default: {_SAMUEL.depth})",
    )
    parser.add_argument(
        "--records",
        metavar="N",
        type=number_up_to(MOST_RECORDS),
        help=f"rote: keep so many positions at most (default: {RoteSettings().records:,})",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on from the weights in FILE, with their seed and settings"
    )
    parser.add_argument(
        "--judge",
        action="store_true",
        help="judge what is known at each point of the learning curve by exact values, in a game that can be solved",
    )
    add_table(parser, "with --judge, exact values are looked up there, so that no position is solved")
    add_limits(parser)


def run(options: Namespace) -> int:
    begin, limits = state_of(options), limits_of(options)
    chosen = {
        name: getattr(options, name) for name in ("alpha", "lambda_", "exploration", "hidden", "terms", "records")
    }
    chosen["depth"] = options.plies
    if options.resume and (options.seed or options.method or set(chosen.values()) != {None}):
        raise ZermeloError(
            "bad-usage", "--resume keeps the method, the seed and the settings of the file", "leave them out"
        )
    if options.table is not None and not options.judge:
        raise ZermeloError("bad-usage", "--table is to judge by, and nothing is judged without --judge", "give both")
    check_writable(options.output)
    known = read_weights(options.output) if options.resume else None
    before = known.games if known is not None else 0
    if options.games is not None and options.games <= before:
        raise ZermeloError(
            "bad-usage",
            f"{options.output} is of {before:,} games already, and --games {options.games:,} counts these, too",
            "give more, or leave --games out, for as many again as are played without it",
        )
    total = options.games if options.games is not None else before + GAMES if limits.seconds == inf else None
    wanted, code = settings_of(options.method or "td", **chosen), 0
    with progress("learning", "games", total) as report:
        learning = prepare_learning(begin, options.games, limits, options.seed, wanted, known, report.remark)
        try:
            with limits.enforce():
                if options.judge:
                    from zermelo.judging import judge_on_the_way  # with numpy, which learning alone does not need

                    judge_on_the_way(learning, begin, limits, ignore_progress, options.table)
                else:
                    run_learning(learning, begin)
        except KeyboardInterrupt:
            code = INTERRUPTED
    write_weights(options.output, learning.known)
    print_beginning(begin)
    _print(learning.known)
    return code


def _print(found: Weights) -> None:
    """The weights, and how learning went."""
    facts: list[tuple[str, str]] = []
    if isinstance(found.progression, GeneralizationProgression):
        print_table(("feature", "weight", "correlation", "exchanged", "now"), list(_terms_of(found, found.progression)))
        print()
        facts = [("won", f"{found.progression.wins:,} games by Alpha, {found.progression.defeats:,} by Beta")]
    elif isinstance(found.progression, RoteProgression):
        facts = list(_records_facts(found, found.progression))
    elif found.by_name:
        print_table(("feature", "weight"), [(name, f"{weight:.5f}") for name, weight in found.by_name.items()])
        print()
    else:
        facts = [("network", f"{len(found.game.features):,} inputs, {found.settings.hidden} hidden units")]
    print_facts([*facts, ("games", f"{found.games:,}"), ("seed", str(found.seed)), ("error", _curve_text(found))])


def _records_facts(found: Weights, going_on: RoteProgression) -> Iterator[tuple[str, str]]:
    """How much has been learnt by rote, and what it was good for."""
    depths = found.records.depths if found.records else ()
    mean = sum(depths) / max(1, len(depths))
    yield "positions", f"{len(depths):,}, {mean:.1f} moves behind each on average, {max(depths, default=0)} at most"
    yield "found", f"{going_on.hits:,} times at a horizon"
    yield "refreshed", f"{going_on.refreshed:,} times"
    yield "forgotten", f"{going_on.forgotten:,}"


def _terms_of(found: Weights, going_on: GeneralizationProgression) -> Iterator[tuple[str, ...]]:
    """What is known of each feature. The weights are Beta's, the correlations those that Alpha has now."""
    assert isinstance(found.settings, GeneralizationSettings)
    terms = going_on.order[: found.settings.terms]
    for k, (name, weight) in enumerate(found.by_name.items()):
        if k == 0:
            yield name, f"{weight:.5f}", "", "", "kept"
        else:
            place = "term" if name in terms else "reserve"
            yield name, f"{weight:.5f}", f"{going_on.correlation[k]:.2f}", str(going_on.exchanged[k]), place


def _curve_text(found: Weights) -> str:
    if not found.curve:
        return "not known after so few games"
    first, last = found.curve[0], found.curve[-1]
    of = "from one move to the next" if found.method == "td" else "against looking ahead"
    return f"{last.error:.3g} on average {of} by game {last.games:,}, {first.error:.3g} by game {first.games:,}"


def _share(text: str) -> float:
    if re.fullmatch(DECIMAL, text) is None or float(text) > 1:
        raise ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
    return float(text)
