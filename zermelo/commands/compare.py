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
from typing import Any

from zermelo.commands.game_options import add_game, add_limits, beginning_record, limits_of, print_beginning, state_of
from zermelo.commands.options import add_format
from zermelo.comparing import Outcome, compare, disagreement
from zermelo.foundation.memory import format_bytes
from zermelo.game import Game
from zermelo.interpreter.machine import Machine
from zermelo.machines import name_of
from zermelo.numbers import EQUILIBRIUM, VALUE, by_player, exact_text, interval_text, is_told_by_one
from zermelo.report.console import print_facts, print_json, print_table, progress
from zermelo.solvers.choosing.choice import Settled, settle_for_all
from zermelo.solvers.choosing.registry import all_solvers
from zermelo.solving import on_machine, search

EXAMPLES = """\
examples:
  zermelo compare tic_tac_toe
  zermelo compare tic_tac_toe --after "mark(b2); mark(a1)"
  zermelo compare connect_four -p rows=4 -p columns=4 --time 200
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    begin = state_of(options)
    game = begin.game
    limits = limits_of(options)
    with progress("looking at the positions", "positions") as report, limits.enforce():

        def look(machine: Machine[Any]) -> Settled:
            return settle_for_all(machine, game.facts, on_machine(begin, machine), limits, report)

        facts = search(game, look).facts
        machine = game.searching
    found: dict[str, Outcome] = {}
    with progress("comparing", "solvers", len(all_solvers())) as report:
        for outcome in compare(machine, facts, on_machine(begin, machine), limits):
            found[outcome.solver] = outcome
            report(len(found))
    outcomes = list(found.values())
    if options.format == "json":
        solvers = [_record(game, outcome) for outcome in outcomes]
        print_json({**beginning_record(begin), "machine": name_of(machine), "solvers": solvers})
    else:
        is_told = is_told_by_one(facts)
        meanings = {outcome.meaning for outcome in outcomes}
        has_value = VALUE in meanings or (is_told and EQUILIBRIUM not in meanings)
        print_beginning(begin)
        heads = ("solver", VALUE if has_value else EQUILIBRIUM, "nodes", "time", "memory")
        if any(outcome.interval for outcome in outcomes):
            rows = [(*_row(outcome, is_told, has_value), _bounds(outcome)) for outcome in outcomes]
            print_table((*heads, "proved between"), rows)
        else:
            print_table(heads, [_row(outcome, is_told, has_value) for outcome in outcomes])
        reasons = {outcome.stopped: outcome.why for outcome in outcomes if outcome.why}
        if reasons:
            print()
            print_facts(list(reasons.items()))
    fault = disagreement(facts, outcomes)
    if fault:
        print(f"error: {fault}; please report this with the game", file=sys.stderr)
    is_refused = all(outcome.why for outcome in outcomes)
    return 1 if fault or is_refused else 0


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


def _record(game: Game, outcome: Outcome) -> dict[str, object]:
    return {
        "solver": outcome.solver,
        "value": None if outcome.value is None else by_player(game, outcome.value),
        "certainty": outcome.certainty or None,
        "meaning": outcome.meaning or None,
        "interval": None if outcome.interval is None else list(map(str, outcome.interval)),
        "best": list(outcome.best),
        "nodes": outcome.nodes,
        "seconds": outcome.seconds,
        "memory": outcome.memory,
        "stopped": outcome.stopped or None,
        "why": outcome.why or None,
    }
