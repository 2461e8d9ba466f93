"""Run every solver that fits a game, and print their values, nodes, times and memory side by side.

Each solver runs in a process of its own; its memory is what it adds to that process. They share --time equally, but
the first ones have at least a second and a half, or a third of what is left, which it may take to compile their code;
and those that need more try once more with what the others leave. Without --time, when two exact solvers agree, those
after them have 20 times as long, but 5 seconds at least. Two exact values that differ are an error, and the exit code
is 1; in games without a value solvers may find different equilibria.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from zermelo.commands.game_options import add_game, add_limits, print_beginning, state_of, within
from zermelo.commands.options import add_format
from zermelo.comparing import Comparison, Outcome
from zermelo.foundation.memory import format_bytes
from zermelo.numbers import EQUILIBRIUM, VALUE, exact_text, interval_text, is_told_by_one
from zermelo.questions import compare
from zermelo.report.console import print_facts, print_json, print_table

EXAMPLES = """\
examples:
  zermelo compare tic_tac_toe
  zermelo compare tic_tac_toe --after "mark(b2); mark(a1)"
  zermelo compare connect_four -p rows=4 -p columns=4 --time 200
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    add_limits(parser)
    add_format(parser, has_rows=True)


def run(options: Namespace) -> int:
    found = compare(state_of(options), **within(options))
    if options.format == "json":
        print_json(found.record())
    elif options.format == "csv":
        print(found.csv(), end="")
    else:
        _print(found)
    if found.disagreement:
        print(f"error: {found.disagreement}; please report this with the game", file=sys.stderr)
    is_refused = all(outcome.why for outcome in found.outcomes)
    return 1 if found.disagreement or is_refused else 0


def _print(found: Comparison) -> None:
    is_told = is_told_by_one(found.facts)
    meanings = {outcome.meaning for outcome in found.outcomes}
    has_value = VALUE in meanings or (is_told and EQUILIBRIUM not in meanings)
    print_beginning(found.begin)
    heads = ("solver", VALUE if has_value else EQUILIBRIUM, "nodes", "time", "memory")
    if any(outcome.interval for outcome in found.outcomes):
        rows = [(*_row(outcome, is_told, has_value), _bounds(outcome)) for outcome in found.outcomes]
        print_table((*heads, "proved between"), rows)
    else:
        print_table(heads, [_row(outcome, is_told, has_value) for outcome in found.outcomes])
    reasons = dict.fromkeys((outcome.stopped, outcome.why) for outcome in found.outcomes if outcome.why)
    if reasons:
        print()
        print_facts(list(reasons))


def _row(outcome: Outcome, is_told: bool, has_value: bool) -> tuple[str, ...]:
    """A solver and its result; only the first player's payoff if ``is_told``: if it tells those of the others."""
    memory = "-" if outcome.memory is None else format_bytes(max(outcome.memory, 0))
    if outcome.value is None:
        return outcome.solver, outcome.stopped, "-", "-", memory
    certainty = "" if outcome.certainty == "exact" else f", {outcome.certainty}"
    if has_value and outcome.meaning == EQUILIBRIUM and not certainty:
        certainty = ", in an equilibrium"
    value = ", ".join(map(exact_text, outcome.value[:1] if is_told else outcome.value))
    return outcome.solver, f"{value}{certainty}", f"{outcome.nodes:,}", f"{outcome.seconds:.3f} s", memory


def _bounds(outcome: Outcome) -> str:
    return "" if outcome.interval is None else interval_text(*outcome.interval)
