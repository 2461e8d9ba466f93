"""Find the exact value of a game for every player, and the best first moves.

Prints the kind of the game and how it is known, the solver and why it was chosen, and its counts. A solver that does
not fit the game is refused. If a limit stops the search, the value is that of the last complete depth, and is marked as
such; a solver without deepening has no value then, and reports how far it got. An iterating solver approaches an
equilibrium until it reaches the goal or the time limit, or is interrupted; its result has a bound on the distance.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from zermelo.commands.game_options import (
    add_digits,
    add_game,
    add_goal,
    add_horizon,
    add_limits,
    add_sampling,
    add_table,
    add_threads,
    game_of,
    learnt_endgames,
    state_of,
    within,
)
from zermelo.commands.options import add_format
from zermelo.questions import solve
from zermelo.report.console import print_json
from zermelo.results import start_of
from zermelo.solutions.page import print_kind, print_solution
from zermelo.solved_game import SolvedGame
from zermelo.solvers.choosing.choice import Settled
from zermelo.solvers.choosing.registry import solvers_by_kind

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
    parser.add_argument(
        "--solver",
        metavar="NAME",
        help="the solver (default: one that fits; those of Zermelo are listed below, packages may add others)",
    )
    add_limits(parser)
    add_threads(parser)
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
    add_format(parser, has_rows=True)


def run(options: Namespace) -> int:
    game = game_of(options)
    subject = state_of(options, game) if options.after else game

    def tell(settled: Settled) -> None:
        if options.format == "text":
            print_kind(game, None if subject is game else start_of(subject), settled.facts, settled.seen)

    solution = solve(
        subject,
        options.solver,
        depth=options.depth,
        nodes=options.nodes,
        estimate=options.estimate,
        exploitability=options.exploitability,
        iterations=options.iterations,
        checkpoint=options.checkpoint,
        simulations=options.simulations,
        exploration=options.exploration,
        digits=options.digits,
        seed=options.seed,
        table=options.table,
        endgames=learnt_endgames(options, game),
        policy=options.policy,
        positions=options.positions,
        verify=options.verify,
        trace=options.trace,
        steps=options.steps,
        told=tell,
        threads=options.threads,
        **within(options),
    )
    if options.format == "json":
        print_json(solution.record(options.brief))
    elif options.format == "csv":
        print(solution.csv(), end="")
    else:
        _print(options, solution)
    return 0


def _print(options: Namespace, solution: SolvedGame) -> None:
    """All but the kind, which has been printed."""
    game, facts = solution.game, solution.facts
    if solution.told is not None:
        from zermelo.commands.steps import print_steps

        print_steps(solution.told)
    if solution.policy is not None and options.policy:
        from zermelo.commands.policy import print_policy

        print_policy(game, game.searching, solution.policy)
    is_precise = options.digits is not None
    print_solution(game, facts, solution.machine, solution, solution.verification, is_precise, options.all)
