"""Say how a game plays: whom it favours, how long it takes, how often it is decided.

Everybody in a play is equally strong, so what differs between the seats is due to the rules. By default players move at
random, then search with 100 and with 1000 simulations for each move, and what best play brings is solved if the game is
small. For each strength it is told how many plays each player wins, how much more the first player gets than the others
on average, how long plays are, how many moves there are to choose from, how often whoever wins was behind halfway by
the file's estimate, and which moves were offered time and again and never chosen.

With OTHER, or with --second NAME=VALUE, two variants of a game are held side by side, with the intervals of their
differences. The seed decides the result, and no clock does. Ctrl-C ends the playing, and prints what has been played.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from zermelo.commands.game_options import add_jobs, add_limits, add_machine, within
from zermelo.commands.options import add_format, add_parameters, parameter, positive_number, whole_number
from zermelo.game import Game
from zermelo.interrupts import FOUND, INTERRUPTED
from zermelo.loading import load_any
from zermelo.numbers import count_in_words, with_parameters
from zermelo.playing.balancing import PLAYS, Balance, Measure, Measurement, Sample
from zermelo.playing.intervals import LEVEL, Bounds
from zermelo.questions import balance
from zermelo.report.console import print_facts, print_heading, print_json, print_remark, print_table

EXAMPLES = """\
examples:
  zermelo balance connect_four -p rows=4 -p columns=4
  zermelo balance hex -p size=4 --strength random --strength mcts:500 --plays 400
  zermelo balance pig --second goal=50 --strength best
  zermelo balance nim my_nim.game --json
  zermelo balance tic_tac_toe -o balance.svg
"""

_NAMED = 6
"""So many moves that nobody chose are named."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a path, or the name of a bundled game; - is standard input")
    parser.add_argument("other", metavar="OTHER", nargs="?", help="another game, or another version of it")
    add_parameters(parser)
    parser.add_argument(
        "--second",
        metavar="NAME=VALUE",
        type=parameter,
        action="append",
        default=[],
        help="set a parameter of the second game only, which is the first one if OTHER is left out; may be repeated",
    )
    parser.add_argument(
        "--strength",
        dest="strengths",
        metavar="KIND",
        action="append",
        default=[],
        help="who plays: random, mcts:N or ismcts:N with N simulations for each move, greedy:N, which looks N moves "
        "ahead by the file's estimate, another seat of `zermelo match`, or best, which is solved; may be repeated",
    )
    parser.add_argument(
        "--plays",
        metavar="N",
        type=positive_number,
        default=PLAYS,
        help=f"how many plays of each strength (default: {PLAYS})",
    )
    parser.add_argument("--seed", metavar="S", type=whole_number, default=0, help="the random seed (default: 0)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="draw who wins how often: .svg, .png, .pdf or .tex; or "
        "these shares with their intervals, .csv, .json or .parquet",
    )
    add_machine(parser)
    parser.add_argument(
        "--opening",
        metavar="N",
        type=whole_number,
        default=0,
        help="the first N moves of each play are made at random, so that plays of those who do nothing at random "
        "differ (default: 0)",
    )
    add_jobs(parser, "plays are made", "the result is the same for any number")
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    if options.output is not None:
        from zermelo.drawing.picture_files import check_picture_file

        check_picture_file(options.output)
    game = load_any(options.game, dict(options.parameters)).on(options.machine)
    other = None
    if options.other or options.second:
        given = {**dict(options.parameters), **dict(options.second)}
        other = load_any(options.other or options.game, given).on(options.machine)
    found = balance(
        game,
        other,
        strengths=options.strengths,
        plays=options.plays,
        seed=options.seed,
        opening=options.opening,
        jobs=options.jobs,
        **within(options),
    )
    if options.format == "json":
        print_json(found.record())
    else:
        _print(found)
    if options.output is not None:
        from zermelo.drawing.picture_files import write_picture
        from zermelo.playing.balance_picture import balance_picture

        write_picture(balance_picture(found), options.output)
    if found.stopped:
        return INTERRUPTED if found.is_interrupted else FOUND
    return 0


def _print(found: Balance) -> None:
    print_heading(" and ".join(dict.fromkeys(with_parameters(game.title, game) for game in found.games)))
    print()
    if len(found.games) == 1:
        _print_alone(found)
    else:
        _print_beside(found)
    remarks = [
        f"{name}: {said}" if len(found.games) > 1 else said
        for name, game, samples in zip(found.names, found.games, found.samples, strict=True)
        for sample in samples
        for said in _remarks(game, sample)
    ]
    if remarks:
        print()
    for said in remarks:
        print_remark(said)
    print()
    facts = [("seed", str(found.seed)), ("intervals", f"{float(LEVEL):.0%}: estimates, no proof")]
    print_facts(facts + ([("stopped", found.stopped)] if found.stopped else []))


def _print_alone(found: Balance) -> None:
    """A column for each strength, with the values and their intervals one above the other."""
    told = [sample for sample in found.samples[0] if sample.plays]
    rows: list[tuple[str, ...]] = [("plays", *(f"{len(sample.plays):,}" for sample in told))]
    rows.append(("different plays", *(f"{sample.different:,}" for sample in told)))
    for measure in found.measures:
        estimates = [sample.estimate(measure) for sample in told]
        rows.append((measure.name, *(_mean_text(each, measure) for each in estimates)))
        rows.append(("", *(_bounds_text(None if each is None else each.bounds, measure) for each in estimates)))
        if measure.name == "moves":
            rows.append(("fewest and most", *(_extremes(sample) for sample in told)))
    if told:
        print_table(("", *(sample.strength for sample in told)), [row for row in rows if any(row[1:])])


def _print_beside(found: Balance) -> None:
    """A table for each strength, with a column for each game and one for their difference."""
    names = found.names
    both = [pair for pair in zip(*found.samples, strict=True) if all(sample.plays for sample in pair)]
    for number, (first, second) in enumerate(both):
        rows: list[tuple[str, ...]] = [
            ("plays", f"{len(first.plays):,}", f"{len(second.plays):,}", ""),
            ("different plays", f"{first.different:,}", f"{second.different:,}", ""),
        ]
        for measure in found.measures:
            means = (_mean_text(sample.estimate(measure), measure) for sample in (first, second))
            rows.append((measure.name, *means, _bounds_text(second.difference(first, measure), measure)))
        if number:
            print()
        print_table((first.strength, *names, "difference between"), [row for row in rows if any(row[1:])])


def _remarks(game: Game, sample: Sample) -> Iterator[str]:
    """What is told of a sample in sentences: why there is none, what best play brings, what nobody chose."""
    if sample.value is not None:
        brought = ", ".join(f"{name} {amount}" for name, amount in zip(game.titles, sample.value, strict=True))
        yield f"With best play the game is worth {brought}. That is exact."
    if sample.refusal is not None:
        yield f"Nothing is told of {sample.strength}: {sample.refusal.message}."
    rare = sample.never_chosen()
    if rare:
        named = ", ".join(f"{name} (offered {count:,} times)" for name, count in rare[:_NAMED])
        more = f", and {count_in_words(len(rare) - _NAMED, 'other')}" if len(rare) > _NAMED else ""
        yield f"Never chosen by {sample.strength}: {named}{more}."


def _mean_text(estimate: Measurement | None, measure: Measure) -> str:
    """A share as a percentage, a mean as a decimal."""
    if estimate is None:
        return ""
    return f"{float(estimate.mean):.1%}" if measure.is_share else f"{float(estimate.mean):.4g}"


def _bounds_text(bounds: Bounds | None, measure: Measure) -> str:
    """An interval, in the unit of the measure."""
    if bounds is None:
        return ""
    low, high = bounds
    return f"{100 * low:.1f} to {100 * high:.1f}%" if measure.is_share else f"{low:.4g} to {high:.4g}"


def _extremes(sample: Sample) -> str:
    lengths = [play.moves for play in sample.plays]
    return f"{min(lengths):,} and {max(lengths):,}"
