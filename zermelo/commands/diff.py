"""Compare two games: a play on which they differ, the shortest if possible, or a proof that there is none.

Both games, or one game with two sets of parameters, are played side by side, breadth first, until they offer other
moves, chance has other probabilities, other amounts are paid, the rules of one of them fail, or a player tells two
plays apart in only one of them. If all plays have been compared without a difference, there is none. If a limit stops
this, the length is printed up to which all plays are the same. In between, where the first positions show nothing,
random plays of both games look further ahead; a difference that only they show need not be on the shortest play.

Words that only one game knows are matched where only one fits; --rename gives the others. The exit code is 0 if the
games are the same, and 1 if they differ or a limit came first.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from zermelo.commands.game_options import add_limits, add_machine, limits_of, within
from zermelo.commands.options import add_format, add_parameters, parameter, positive_number, whole_number
from zermelo.grammar.names import is_name, normal
from zermelo.loading import load_any
from zermelo.numbers import with_parameters
from zermelo.questions import diff
from zermelo.report.console import print_facts, print_json, print_table
from zermelo.solvers.validation.difference import PLAYS
from zermelo.testing.differing import GameDifference, rows_of, said_of

EXAMPLES = """\
examples:
  zermelo diff nim my_nim.game
  zermelo diff subtraction_game --second most=4
  zermelo diff kuhn_poker my_poker.game --rename deal=give --rename Ann=Alice
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("first", metavar="FIRST", help="a path, or the name of a bundled game; - is standard input")
    parser.add_argument("second", metavar="SECOND", nargs="?", help="the other game (default: the first)")
    add_parameters(parser)
    for which in ("first", "second"):
        parser.add_argument(
            f"--{which}",
            dest=f"{which}_parameters",
            metavar="NAME=VALUE",
            type=parameter,
            action="append",
            default=[],
            help=f"set a parameter of the {which} game only; may be repeated",
        )
    parser.add_argument(
        "--rename",
        metavar="WORD=OTHER",
        type=_parse_renaming,
        action="append",
        default=[],
        help="a player, move or member of the first game that the second calls otherwise; may be repeated",
    )
    parser.add_argument(
        "--positions",
        metavar="N",
        type=positive_number,
        help="compare at most so many pairs of positions (default: no limit)",
    )
    parser.add_argument(
        "--plays",
        metavar="N",
        type=whole_number,
        help=f"make so many random plays of games that are too large to compare at once (default: {PLAYS})",
    )
    add_machine(parser)
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    with limits_of(options).enforce():
        common = dict(options.parameters)
        first = load_any(options.first, {**common, **dict(options.first_parameters)}).on(options.machine)
        other = options.second or options.first
        second = load_any(other, {**common, **dict(options.second_parameters)}).on(options.machine)
    found = diff(
        first,
        second,
        rename=dict(options.rename) or None,
        positions=options.positions,
        plays=options.plays,
        **within(options),
    )
    if options.format == "json":
        print_json(found.record())
    else:
        _print(found)
    return 0 if found.same else 1


def _print(found: GameDifference) -> None:
    names = with_parameters(found.first.name, found.first), with_parameters(found.second.name, found.second)
    facts = [("games", " | ".join(names))]
    if found.renamed:
        facts.append(("renamed", ", ".join(f"{word} = {other}" for word, other in found.renamed.items())))
    print_facts([*facts, ("verdict", _verdict(found)), ("compared", _comparison_text(found))])
    if (difference := found.difference) is not None:
        print()
        print_table(("", *names), rows_of(difference))


def _verdict(found: GameDifference) -> str:
    difference = found.difference
    if difference is None:
        if found.stopped:
            sampled = f", nor on {_count_text(found.plays, 'random play')}" if found.plays else ""
            return f"No difference on any play of at most {found.length} moves and outcomes{sampled}."
        return "The games are the same: proved."
    return said_of(difference)


def _comparison_text(found: GameDifference) -> str:
    pairs = f"{_count_text(found.pairs, 'pair')} of positions"
    if found.stopped:
        stopped = f"{pairs}; stopped {found.stopped}"
        if found.difference is None:
            return stopped
        return f"{stopped}; {_count_text(found.plays, 'random play')}; no play of at most {found.length} moves differs"
    return f"{pairs}, all there are" if found.difference is None else f"{pairs}; no shorter play differs"


def _count_text(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _parse_renaming(text: str) -> tuple[str, str]:
    word, _, other = (normal(part.strip()) for part in text.partition("="))
    if not (is_name(word) and is_name(other)):
        raise ArgumentTypeError(f"'{text}' is not of the form WORD=OTHER")
    return word, other
