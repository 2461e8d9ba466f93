"""Find the exact value of a game for every player, and the best first moves.

Prints the kind of the game and how it is known, the solver and why it was chosen, and its counts. A solver that does
not fit the game is refused. If a limit stops the search, the value is that of the last complete depth, and is marked as
such; a solver without deepening has no value then, and reports how far it got. An iterating solver approaches an
equilibrium until it reaches the goal or the time limit, or is interrupted; its result has a bound on the distance.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.commands.game_options import (
    add_digits,
    add_game,
    add_goal,
    add_horizon,
    add_limits,
    add_sampling,
    add_table,
    endgames_of,
    game_of,
    goal_of,
    limits_of,
    sampling_of,
    state_of,
    table_of,
)
from zermelo.commands.options import add_format
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, TellingMachine
from zermelo.machines import name_of
from zermelo.report.console import json_text, print_json, progress
from zermelo.solutions.page import print_kind, print_solution, solution_record
from zermelo.solvers.choosing.choice import Settled, check_request, requirements_asked, settle
from zermelo.solvers.choosing.choice import solve as solve_by
from zermelo.solvers.choosing.registry import find_solver, solvers_by_kind
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.solution import Request, Solution
from zermelo.solving import facts_with_information, on_machine, search

if TYPE_CHECKING:
    from zermelo.solvers.choosing.verifying import Verification
    from zermelo.solvers.common.trace import Trace

EXAMPLES = f"""\
{solvers_by_kind()}

examples:
  zermelo solve tic_tac_toe
  zermelo solve nim -p heaps=2
  zermelo solve two_ply_tree --solver minimax
  zermelo solve two_ply_tree --solver alphabeta --steps
  zermelo solve two_ply_tree --solver alphabeta --trace search.json
  zermelo solve chess --depth 4
  zermelo solve connect_four --time 10 --estimate rollouts
  zermelo solve leduc_poker --solver cfr+ --exploitability 1e-4
  zermelo solve connect_four --solver mcts --simulations 100000
  zermelo solve nim --verify
  zermelo solve pig --policy
  zermelo solve pig -p target=60 --digits 50
  zermelo solve tic_tac_toe --solver positions --positions positions.csv
  zermelo solve tic_tac_toe --after "mark(b2); mark(a1)"
  zermelo solve rook_ending --after "move_king(a2); move_king(c4)" --table rook_ending.table
  zermelo solve leduc_poker --all
  zermelo solve my_game.game --json
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--solver", metavar="NAME", help="the solver (default: one that fits; they are listed below)")
    add_limits(parser)
    add_horizon(parser)
    add_goal(parser)
    add_sampling(parser)
    add_digits(parser)
    add_table(parser, "a search goes no further where it meets a position of the table, whose value is exact")
    parser.add_argument(
        "--trace",
        metavar="FILE",
        type=Path,
        help="write the search of a small tree to a file, as JSON: each node with its window, its value and the moves "
        "pruned",
    )
    parser.add_argument(
        "--steps",
        action="store_true",
        help="tell the search of a small tree node by node: windows, values, what is cut off and why",
    )
    parser.add_argument(
        "--policy",
        action="store_true",
        help="show what to do in every position, in games in which everybody knows the position",
    )
    parser.add_argument(
        "--positions",
        metavar="FILE",
        type=Path,
        help="write every decision with its value and its best moves to a file: CSV, .parquet or .json",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="find the value a second time by another method, within the same limits, and compare",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="show every decision of the strategies, forced ones and those to which they do not lead, too; or the "
        "whole plan of a single player",
    )
    parser.add_argument(
        "--brief",
        action="store_true",
        help="with --json: of the strategies only decisions with a choice that they lead to, and the moves made there",
    )
    add_format(parser)


def run(options: Namespace) -> int:
    game = game_of(options)
    root = state_of(options, game) if options.after else None
    limits, is_listed = limits_of(options), options.policy or options.positions is not None
    trace = _trace(game, options.steps) if options.trace is not None or options.steps else None
    request = Request(
        options.solver,
        limits,
        rollouts=options.estimate == "rollouts",
        seed=options.seed,
        trace=trace,
        goal=goal_of(options),
        sampling=sampling_of(options),
        digits=options.digits,
        is_advised=is_listed or options.digits is not None,
        is_listed=is_listed,
        hurries=True,
        endgames=endgames_of(table_of(options, game), options, game, limits),
    )
    if options.solver is not None:  # a misspelled name is reported before any search
        if options.digits is not None and not find_solver(options.solver).advises:
            raise ZermeloError("bad-usage", "argument --digits: it is for --solver positions alone")
        check_request(find_solver(options.solver), facts_with_information(game), request)
    with progress("looking at the positions", "positions") as report, limits.enforce():
        asked = requirements_asked(game.facts, request)

        def look(machine: Machine[Any]) -> Settled:
            return settle(machine, game.facts, options.solver, _start(root, machine), limits, report, asked)

        settled = search(game, look)
    facts, seen = settled.facts, settled.seen
    if options.format == "text":
        print_kind(game, root, facts, seen)
    with progress("solving", "nodes") as report:

        def work(machine: TellingMachine[Any]) -> tuple[TellingMachine[Any], Solution]:
            if trace is not None:
                machine = game.reference
            return machine, solve_by(machine, facts, request, _start(root, machine), report, report.remark, settled)

        with limits.enforce():
            machine, solution = search(game, work)
    if trace is not None and options.trace is not None:
        from zermelo.files import write_file

        write_file(options.trace, json_text(trace.record(), indent=1).encode())
    verification = _verify(game, root, facts, solution, limits) if options.verify else None
    policy = solution.policy if request.is_advised else None
    if policy is not None and options.positions is not None:
        from zermelo.policies.policy_table import write_positions

        with progress("writing the positions", "positions"):
            write_positions(options.positions, game, machine, policy)
    if options.format == "json":
        record = solution_record(game, root, name_of(machine), facts, seen, solution, verification, options.brief)
        if policy is not None and options.policy:
            from zermelo.policies.policy_table import record as advice_record

            record["policy"] = [advice_record(game, machine, advice) for advice in policy]
        if trace is not None and options.steps:
            record["steps"] = trace.record()["nodes"]
        print_json(record)
    else:
        if trace is not None and options.steps:
            from zermelo.commands.steps import print_orders, print_steps

            print_steps(game, trace)
            if not request.rollouts:
                print_orders(game, facts, _start(root, game.reference), solution, limits)
        if policy is not None and options.policy:
            from zermelo.commands.policy import print_policy

            print_policy(game, machine, policy)
        print_solution(game, facts, name_of(machine), solution, verification, options.digits is not None, options.all)
    return 0


def _start(root: State | None, machine: Machine[Any]) -> Any:
    """The state of a machine from which to solve."""
    return machine.initial() if root is None else on_machine(root, machine)


def _verify(game: Game, root: State | None, facts: Facts, solution: Solution, limits: Limits) -> Verification:
    """The value found by a second method in the time that is left."""
    from zermelo.solvers.choosing.verifying import verify

    whole = Limits(limits.seconds, limits.memory, limits.begin)
    with progress("finding it again", "nodes") as report:

        def again(name: str) -> Solution:
            return search(
                game, lambda machine: solve_by(machine, facts, Request(name, whole), _start(root, machine), report)
            )

        return verify(solution, game.reference, _start(root, game.reference), facts, again, whole, report)


def _trace(game: Game, is_told: bool) -> Trace[Any]:
    from zermelo.solvers.common.trace import Trace

    if is_told:
        from zermelo.commands.steps import new_trace

        return new_trace(game)
    return Trace(game.reference)
