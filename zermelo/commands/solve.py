"""Find the exact value of a game for every player, and the best first moves.

Prints the kind of the game and how it is known, the solver and why it was chosen, and its counts. A solver that does
not fit the game is refused. If a limit stops the search, the value is that of the last complete depth, and is marked as
such; a solver without deepening has no value then, and reports how far it got. An iterating solver approaches an
equilibrium until it reaches the goal or the time limit, or is interrupted; its result has a bound on the distance.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.advice import choices, write_positions
from zermelo.advice import record as advice_record
from zermelo.commands.options import (
    add_digits,
    add_format,
    add_game,
    add_goal,
    add_horizon,
    add_limits,
    add_play,
    add_position,
    add_sampling,
    game_of,
    goal_of,
    limits_of,
    sampling_of,
    state_of,
)
from zermelo.console import json_text, print_facts, print_json, print_remark, print_table, print_title, progress
from zermelo.durations import duration_record, lasting_text, length_text
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.checks.loops import SHOWN, written
from zermelo.interpreter.machine import Machine, Payoff, TellingMachine
from zermelo.kinds import describe, facts_record, size_record, size_text
from zermelo.machines import left_to_reference, name_of
from zermelo.numbers import LEGIBLE_DIGITS, above, approximation, interval_text, within
from zermelo.plain_results import by_player, header, known_by_player, settings
from zermelo.policy_table import policy_table
from zermelo.solvers.choosing.preconditions import check_request
from zermelo.solvers.choosing.registry import SOLVERS, find_solver
from zermelo.solvers.choosing.settling import Settled, settle
from zermelo.solvers.choosing.solving import solve as solve_by
from zermelo.solvers.choosing.solving import what_is_asked
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.solution import Solution
from zermelo.solving import informed, on_machine, search

if TYPE_CHECKING:
    from zermelo.interpreter.checks.survey import Survey
    from zermelo.solvers.choosing.verifying import Verification
    from zermelo.solvers.common.size import Size
    from zermelo.solvers.common.trace import Trace
    from zermelo.solvers.forms.advice import Advice
    from zermelo.solvers.forms.strategy import Strategy

EXAMPLES = f"""\
solvers:
{chr(10).join(f"  {solver.name:<21}{solver.reason}" for solver in SOLVERS.values())}

examples:
  zermelo solve tic_tac_toe
  zermelo solve nim -p heaps=2
  zermelo solve two_ply_tree --solver minimax
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
  zermelo solve my_game.game --json
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    add_position(parser)
    add_play(parser)
    parser.add_argument("--solver", metavar="NAME", help="the solver (default: the first below that fits)")
    add_limits(parser)
    add_horizon(parser)
    add_goal(parser)
    add_sampling(parser)
    add_digits(parser)
    parser.add_argument(
        "--trace",
        metavar="FILE",
        type=Path,
        help="write the search of a small tree to a file, as JSON: each node with its window, its value and the moves "
        "pruned",
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
        help="write every decision with its value and its best moves to a file, CSV or (.parquet) Parquet",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="find the value a second time by another method, within the same limits, and compare",
    )
    add_format(parser)


def run(options: Namespace) -> int:
    game = game_of(options)
    root = state_of(options, game) if options.after else None
    limits, goal, sampling = limits_of(options), goal_of(options), sampling_of(options)
    is_advised = options.policy or options.positions is not None or options.digits is not None
    rollouts, seed = options.estimate == "rollouts", options.seed
    if options.solver is not None:  # a misspelled name is reported before any search
        if options.digits is not None and not find_solver(options.solver).advises:
            raise ZermeloError("bad-usage", "argument --digits: it is for --solver positions alone")
        is_traced = options.trace is not None
        check_request(find_solver(options.solver), informed(game), limits, is_traced, goal, sampling, is_advised)
    with progress("looking at the positions", "positions") as report, limits.kept():
        asked = what_is_asked(game.facts, limits, rollouts, options.trace is not None, goal, is_advised)

        def look(machine: Machine[Any]) -> Settled:
            return settle(machine, game.facts, options.solver, _start(root, machine), limits, report, asked)

        settled = search(game, look)
    facts, seen = settled.facts, settled.seen
    if options.format == "text":
        print_title(game.title, settings(game))
        print()
        after = [] if root is None else [("after", written(root.play))]
        print_facts([*describe(facts), *([] if seen is None else [("size", size_text(seen))]), *after])
        print()
    with progress("solving", "nodes") as report:
        trace = None if options.trace is None else _trace(game)

        def work(machine: TellingMachine[Any]) -> tuple[TellingMachine[Any], Solution]:
            if trace is not None:
                machine = game.reference
            return machine, solve_by(
                machine, facts, options.solver, report, _start(root, machine), limits, rollouts, seed, trace, goal,
                report.say, sampling, settled, is_advised,
                options.digits,
            )  # fmt: skip

        with limits.kept():
            machine, solution = search(game, work)
    if trace is not None:
        _write(options.trace, json_text(trace.record(), indent=1))
    verification = _verified(game, root, facts, solution, limits) if options.verify else None
    policy = solution.policy if is_advised else None
    if policy is not None and options.positions is not None:
        with progress("writing the positions", "positions"):
            write_positions(options.positions, game, machine, policy)
    if options.format == "json":
        record = _record(game, root, name_of(machine), facts, seen, solution, verification)
        if policy is not None and options.policy:
            record["policy"] = [advice_record(game, machine, advice) for advice in policy]
        print_json(record)
    else:
        if policy is not None and options.policy:
            _print_policy(game, machine, policy)
        _print(game, name_of(machine), solution, verification, options.digits is not None)
    return 0


def _print_policy(game: Game, machine: TellingMachine[Any], policy: Iterable[Advice[Any]]) -> None:
    met, unmet = choices(game, machine, policy)
    if not met:
        print_remark("Best play leads to no decision in which there is a choice.")
    else:
        heads, rows, others = policy_table(met)
        print_table(heads, rows)
        if others:
            print_remark(f"... and {others:,} more rows, which --json and --positions FILE list")
    if unmet:
        print_remark(
            f"... and {unmet:,} decisions to which best play does not lead, which --json and --positions FILE list"
        )
    print()


def _start(root: State | None, machine: Machine[Any]) -> Any:
    """The state of a machine from which to solve."""
    return machine.initial() if root is None else on_machine(root, machine)


def _verified(game: Game, root: State | None, facts: Facts, solution: Solution, limits: Limits) -> Verification:
    """The value found by a second method in the time that is left."""
    from zermelo.solvers.choosing.verifying import verify

    whole = Limits(limits.seconds, limits.memory, limits.begin)
    with progress("finding it again", "nodes") as report:

        def again(name: str) -> Solution:
            return search(game, lambda machine: solve_by(machine, facts, name, report, _start(root, machine), whole))

        return verify(solution, game.reference, _start(root, game.reference), facts, again, whole, report)


def _trace(game: Game) -> Trace[Any]:
    from zermelo.solvers.common.trace import Trace

    return Trace(game.reference)


def _write(path: Path, text: str) -> None:
    """Raises ``ZermeloError`` (``unwritable-file``)."""
    from zermelo.grammar.whole_file import write_whole

    try:
        write_whole(path, text.encode())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no file can have this name"
        raise ZermeloError("unwritable-file", f"cannot write {path}: {why}") from error


def _print(game: Game, machine: str, solution: Solution, verification: Verification | None, is_precise: bool) -> None:
    """``is_precise``: with all digits that are certain."""
    digits = None if is_precise else LEGIBLE_DIGITS
    print_table(
        ("player", "value" if solution.exact else f"value, {solution.certainty.value}"),
        [
            (player, within(amount, solution.error, digits))
            for player, amount in zip(game.players, solution.value, strict=True)
        ],
    )
    print()
    for strategy in solution.strategies:
        _print_strategy(strategy)
    lines = [("solver", SOLVERS[solution.solver].title), ("why", solution.why)]
    if solution.best:
        lines.append(("best move" if len(solution.best) == 1 else "best moves", ", ".join(map(str, solution.best))))
    if 1 < len(solution.line) <= SHOWN:
        lines.append(("best play", written(solution.line)))
    if solution.alternatives:
        lines.append(("ties", "also possible: " + ", ".join(map(_tuple, solution.alternatives))))
    elif solution.alternatives is None and solution.exact:
        lines.append(("ties", "other payoffs may be possible, and are not listed"))
    is_opposed = game.facts.constant_sum.holds is True
    for head, text in (
        ("length", length_text(solution)),
        ("endless", lasting_text(game.players, solution, is_opposed and len(game.players) == 2)),
    ):
        if text is not None:
            lines.append((head, text))
    if solution.interval is not None:
        lines.append(("proved", _interval_text(game, solution.interval, digits)))
    if solution.exploitability is not None:
        lines.append(("exploitability", approximation(solution.exploitability)))
    lines += [("note", note) for note in solution.notes]
    reason = left_to_reference(game.choice, game.prepared)
    if reason is not None:
        lines.append(("machine", reason))
    if solution.beyond:
        lines.append(("machine", f"kernels ran in Python, with exact numbers: {solution.beyond}"))
    if verification is not None:
        lines.append(("verified" if verification.confirmed else "not verified", verification.how))
    lines.append(("counts", ", ".join(f"{what} {count:,}" for what, count in solution.counts.items())))
    where = f"in Python, over the {machine} machine" if solution.beyond else f"on the {machine} machine"
    lines.append(("time", f"{solution.seconds:.3f} s {where}"))
    print_facts(lines)


def _print_strategy(strategy: Strategy) -> None:
    from zermelo.strategies import strategy_table

    heads, rows, others = strategy_table(strategy)
    print_table(heads, rows)
    if others:
        print(f"... and {others:,} more decisions, which --json lists")
    print()


def _interval_text(game: Game, interval: tuple[Fraction, Fraction], digits: int | None) -> str:
    """Between what bounds the value is, and if their difference cannot be seen, how large it is."""
    shown = interval_text(*interval, digits)
    text = f"the value of the game for {game.players[0]} is between {shown}"
    is_rounded = shown != interval_text(*interval, None)
    return f"{text} (it is known to within {above((interval[1] - interval[0]) / 2)})" if is_rounded else text


def _tuple(payoff: Payoff) -> str:
    return f"({', '.join(map(str, payoff))})"


def _strategy_record(strategy: Strategy) -> dict[str, Any]:
    from zermelo.strategies import record

    return record(strategy)


def _record(
    game: Game,
    root: State | None,
    machine: str,
    facts: Facts,
    survey: Survey | Size | None,
    solution: Solution,
    verification: Verification | None,
) -> dict[str, Any]:
    others = solution.alternatives
    return {
        **header(game),
        "title": game.title,
        "after": [] if root is None else list(map(str, root.play)),
        "players": list(game.players),
        "solver": solution.solver,
        "why": solution.why,
        "machine": machine,
        "beyond": solution.beyond,
        "exact": solution.exact,
        "certainty": solution.certainty.value,
        "value": known_by_player(game.players, solution.value, solution.error),
        "best": list(map(str, solution.best)),
        "line": list(map(str, solution.line)),
        "alternatives": None if others is None else [by_player(game, payoff) for payoff in others],
        "notes": list(solution.notes),
        "exploitability": None if solution.exploitability is None else str(solution.exploitability),
        "moves_to_the_end": solution.distance,
        "duration": duration_record(solution.duration),
        "can_go_on_for_ever": None if solution.lasting is None else [game.players[p] for p in solution.lasting],
        "interval": None if solution.interval is None else list(map(str, solution.interval)),
        "verification": None
        if verification is None
        else {"confirmed": verification.confirmed, "how": verification.how},
        "strategies": [_strategy_record(strategy) for strategy in solution.strategies],
        "counts": dict(solution.counts),
        "seconds": solution.seconds,
        "facts": facts_record(facts),
        "survey": None if survey is None else size_record(survey),
    }
