"""Change a file in many small ways, and see which changes nothing notices: no line of the file, no `check --deep`.

Each mutant has one slip: a guard dropped, players swapped, a payoff changed, a range off by one, another visibility and
so on. Those that `zermelo check` rejects and those that are proved to be the same game are left out. Of the rest, the
ones for which no line of the file fails, and whose positions show nothing that those of the file do not, are printed,
each with a play on which it differs from the file: they are what the file does not pin down. An `expect`, a
`claim` or a `test` that fails for one of them does. The exit code is 1 if any has survived.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence

from zermelo.commands.game_options import add_cluster, add_machine, add_memory, add_threads
from zermelo.commands.options import add_format, positive_number, seconds, whole_number
from zermelo.grammar.diagnostics import Source
from zermelo.grammar.mutants import Slip
from zermelo.loading import load_any
from zermelo.questions import mutate
from zermelo.report.console import Paint, paint_for, print_facts, print_json, print_table, progress
from zermelo.solvers.common.limits import quarter_of_memory
from zermelo.testing.mutation import PAIRS, SECONDS, Fate, Judged, MutationScore

EXAMPLES = """\
examples:
  zermelo mutate my_game.game
  zermelo mutate kuhn_poker --sample 20
"""

_COUNTED = (Fate.CAUGHT, Fate.SURVIVED, Fate.OPEN, Fate.SAME, Fate.REJECTED)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a path, or the name of a bundled game")
    parser.add_argument(
        "--sample", metavar="N", type=positive_number, help="judge so many mutants, at random (default: all)"
    )
    parser.add_argument("--seed", metavar="N", type=whole_number, default=0, help="the random seed (default: 0)")
    parser.add_argument(
        "--positions",
        metavar="N",
        type=positive_number,
        help=f"compare so many positions of each mutant with the file's (default: {PAIRS:,})",
    )
    parser.add_argument(
        "--time",
        metavar="SECONDS",
        type=seconds,
        help=f"how long each mutant may take (default: {SECONDS:g})",
    )
    add_memory(parser)
    add_threads(parser)
    add_cluster(parser, "threads")
    add_machine(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    found = mutate(
        load_any(options.game, {}).on(options.machine),
        sample=options.sample,
        seed=options.seed,
        positions=options.positions,
        threads=options.threads,
        cluster=options.cluster,
        time=options.time,
        memory=None if options.memory == quarter_of_memory() else options.memory,
        watch=progress,
    )
    if options.format == "json":
        print_json(found.record())
    else:
        _print(found, paint_for(sys.stdout))
    return 1 if found.survivors else 0


def _print(found: MutationScore, paint: Paint) -> None:
    for each in found.survivors:
        print("\n".join(_lines(found.game.model.source, each, paint)), end="\n\n")
    counts = Counter((each.mutant.slip, each.fate) for each in found.judged)
    rows = [[slip.value, *_fate_counts(counts, [slip])] for slip in Slip if sum(map(int, _fate_counts(counts, [slip])))]
    print_table(("change", *(fate.value for fate in _COUNTED)), [*rows, ["all", *_fate_counts(counts, list(Slip))]])
    if found.score is not None:
        caught, survived = found.count(Fate.CAUGHT), found.count(Fate.SURVIVED)
        share = f"{caught} of {caught + survived} other games, {100 * caught // (caught + survived)} %"
        print()
        print_facts([("noticed", share)])


def _fate_counts(counts: Counter[tuple[Slip, Fate]], slips: Sequence[Slip]) -> list[str]:
    return [str(sum(counts[slip, fate] for slip in slips)) for fate in _COUNTED]


def _lines(source: Source, judged: Judged, paint: Paint) -> list[str]:
    """A mutant as a difference of two files, and the play on which the games differ."""
    mutant, difference = judged.mutant, judged.difference
    before = source.text[source.text.rfind("\n", 0, mutant.span.start) + 1 : mutant.span.start]
    end = source.text.find("\n", mutant.span.end)
    after = source.text[mutant.span.end : end if end >= 0 else len(source.text)] if mutant.new or before else ""
    lines = [paint("strong", f"{source.name}:{mutant.span.line}: {mutant.slip.value}")]
    lines += [paint("error", f"  - {line}") for line in f"{before}{source.excerpt(mutant.span)}{after}".splitlines()]
    lines += [paint("good", f"  + {line}") for line in f"{before}{mutant.new}{after}".splitlines() if line.strip()]
    if difference is not None:
        play = ", ".join(map(str, difference.plays[0])) or "no move"
        lines.append(f"  after {play}: {difference.aspect.value}: {difference.said[0]} | {difference.said[1]}")
    return lines
