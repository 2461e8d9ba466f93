"""Options that say which game, position and machine, and how long, how far and how exactly to search."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import AbstractContextManager, nullcontext
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import evolve

from zermelo.commands.options import (
    DECIMAL,
    add_parameters,
    number_up_to,
    parameter,
    positive_number,
    seconds,
    size,
    whole_number,
)
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import PlayError
from zermelo.loading import load_any, read_file
from zermelo.machines import MACHINES, cores
from zermelo.numbers import parameters_text, play_so_far, record_header
from zermelo.report.console import print_facts, print_title, progress
from zermelo.solvers.common.limits import (
    EXPLOITABILITY,
    ITERATIONS,
    MOST_EXPLORATION,
    Limits,
    Sampling,
    quarter_of_memory,
)

if TYPE_CHECKING:
    from zermelo.solvers.solution import Endgames

# Options that say how long, how far and how exactly to search.


_MOST_THREADS = 1024
"""Far more than there are cores; the result does not depend on it."""

_MOST_DIGITS = 10_000
"""Far more than anybody reads."""


def add_limits(parser: ArgumentParser, is_for_all: bool = True) -> None:
    """``--time``, for all of the command or, unless ``is_for_all``, only for its limited part; and ``--memory``."""
    parser.add_argument(
        "--time", metavar="SECONDS", type=seconds, default=inf, help="stop after this time (default: no limit)"
    )
    add_memory(parser)
    if is_for_all:
        parser.set_defaults(begin=perf_counter())


def add_memory(parser: ArgumentParser) -> None:
    """``--memory``."""
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        default=quarter_of_memory(),
        help="the memory for tables, trees, normal forms and linear programs, beyond the 30 to 160 MB of Python, LLVM "
        "and libraries, such as 64M or 2G (default: a quarter of what the machine has)",
    )


def add_table(parser: ArgumentParser, use: str) -> None:
    """``--table``, with what use is made of it."""
    parser.add_argument(
        "--table",
        metavar="DIR",
        type=Path,
        help=f"a table of positions, from `zermelo table build` with the same rules and parameters, but perhaps from "
        f"another --position or --after on: {use}",
    )


def learnt_endgames(options: Namespace, game: Game) -> Endgames | None:
    """The positions that have been learnt by rote, if searches end at a depth."""
    if options.weights is None or not limits_of(options).has_horizon:
        return None
    from zermelo.learning import read_weights, records_of  # which few commands need

    return records_of(game, read_weights(options.weights))


def add_cluster(parser: ArgumentParser, number: str) -> None:
    """``--cluster``, beside an option that says how many work at once, whose default is None then."""
    parser.set_defaults(**{number: None})
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help=f"let workers of a Ray cluster that is there do it, each with its --memory: as many as --{number} says "
        "(default: as many as it has room for); the result is the same",
    )


def add_threads(parser: ArgumentParser) -> None:
    """``--threads``."""
    parser.add_argument(
        "--threads",
        metavar="N",
        type=number_up_to(_MOST_THREADS),
        default=cores(),
        help="the number of threads (default: one for each core); the result is the same for any number",
    )


def add_jobs(
    parser: ArgumentParser, what: str = "files are worked on", note: str = "they share what --memory gives"
) -> None:
    """``-j``: how much is done at once, and a ``note`` on that."""
    parser.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=number_up_to(_MOST_THREADS),
        default=cores(),
        help=f"how many {what} at once (default: one for each core); {note}",
    )


def add_opening(parser: ArgumentParser, when: str) -> None:
    """``--opening``; ``when`` tells in the help when it counts."""
    parser.add_argument(
        "--opening",
        metavar="N",
        type=whole_number,
        default=0,
        help=f"{when}: the first N moves of a round are made at random, the same in all its plays, so that rounds "
        "differ where nobody else does anything at random (default: 0)",
    )


def add_depth(parser: ArgumentParser, when: str = "") -> None:
    """``--depth`` and ``--nodes``; ``when`` tells in the help when they count, if not always."""
    parser.add_argument(
        "--depth", metavar="N", type=positive_number, help=f"{when}search so many moves ahead, then estimate"
    )
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=positive_number,
        help=f"{when}stop after so many nodes, with the result of the last complete depth",
    )


def add_horizon(parser: ArgumentParser) -> None:
    """``--depth``, ``--nodes``, ``--estimate`` and ``--seed``."""
    add_depth(parser)
    parser.add_argument(
        "--estimate",
        choices=("file", "rollouts"),
        default="file",
        help="the value of a position where the search is cut off: the file's estimate, or the mean of random plays "
        "(Monte Carlo tree search: the file's estimate if it has one, or always one random play)",
    )
    parser.add_argument("--seed", metavar="N", type=whole_number, default=0, help="the random seed (default: 0)")


def add_goal(parser: ArgumentParser) -> None:
    """``--exploitability``, ``--iterations`` and ``--checkpoint``."""
    parser.add_argument(
        "--exploitability",
        metavar="X",
        type=_amount,
        help="iterate until nobody could gain more than X, on average over the players (default: "
        f"{EXPLOITABILITY}, and {ITERATIONS:,} iterations at most)",
    )
    parser.add_argument("--iterations", metavar="N", type=positive_number, help="stop after so many iterations")
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        type=Path,
        help="save the iteration in a file, and resume from it if it exists",
    )


def add_sampling(parser: ArgumentParser) -> None:
    """``--simulations`` and ``--exploration``."""
    parser.add_argument(
        "--simulations",
        metavar="N",
        type=positive_number,
        help="how many simulations Monte Carlo tree search makes (default: 10,000, or what --time and --nodes allow)",
    )
    parser.add_argument(
        "--exploration",
        metavar="C",
        type=_constant,
        help=f"its amount of exploration: the constant of UCT (default: {Sampling().exploration})",
    )


def limits_of(options: Namespace) -> Limits:
    """The limits that were asked for, from the start of the command, or from now on (:func:`add_limits`)."""
    limits = Limits(options.time, options.memory, getattr(options, "begin", perf_counter()))
    if "depth" not in options:
        return limits
    return evolve(limits, depth=options.depth or inf, nodes=options.nodes or inf)


def within(options: Namespace) -> dict[str, Any]:
    """The same limits, and progress in the terminal, as the public functions take them (:mod:`zermelo.questions`)."""
    memory = None if options.memory == quarter_of_memory() else options.memory
    return {"time": options.time, "memory": memory, "since": options.begin, "watch": progress}


def add_digits(parser: ArgumentParser) -> None:
    """``--digits``."""
    parser.add_argument(
        "--digits",
        metavar="N",
        type=number_up_to(_MOST_DIGITS),
        help="if an exact value would be too long, find so many of its digits (default: as many as come easily), by "
        "--solver positions",
    )


def _amount(text: str) -> float:
    if re.fullmatch(r"(\d+(\.\d*)?|\.\d+)(e-?\d+)?", text.lower()) is None:
        raise ArgumentTypeError(f"'{text}' is not a number such as 0.001 or 1e-6")
    return float(text)


def _constant(text: str) -> float:
    if re.fullmatch(DECIMAL, text) is None or float(text) > MOST_EXPLORATION:
        raise ArgumentTypeError(f"'{text}' is not a number from 0 to {MOST_EXPLORATION:,}")
    return float(text)


def add_game(parser: ArgumentParser, has_play: bool = True, *, has_several_weights: bool = False) -> None:
    """``GAME``, ``-p``, ``--weight``, ``--weights``, which has a list of files if the command ``has_several_weights``,
    ``--machine``, ``--position`` and, if the command ``has_play``, ``--after``."""
    parser.add_argument("game", metavar="GAME", help="a path, or the name of a bundled game; - is standard input")
    add_rules(parser, has_play)
    parser.add_argument(
        "--weight",
        dest="weighed",
        metavar="NAME=VALUE",
        type=parameter,
        action="append",
        default=[],
        help="set the weight of a feature in the game's estimate; may be repeated",
    )
    parser.add_argument(
        "--weights",
        metavar="FILE",
        type=Path,
        nargs="+" if has_several_weights else None,
        help="set the weights of all features by a file of `zermelo learn`; --weight changes one of them",
    )


def add_rules(parser: ArgumentParser, has_play: bool = True, are_several: bool = False) -> None:
    """The options of :func:`add_game` that say what the rules do. ``--position`` and ``--after`` give lists if there
    may be several. Without options for them, too, the weights of the estimate are those of the file."""
    parser.set_defaults(weighed=[], weights=None)
    add_parameters(parser)
    add_machine(parser)
    how: dict[str, Any] = {"action": "append"} if are_several else {}
    parser.add_argument(
        "--position",
        metavar="FILE",
        type=Path,
        help="begin at the position in a file: its 'setup:' runs after that of the game, its 'start at' replaces that "
        "of the game",
        **how,
    )
    if has_play:
        parser.add_argument(
            "--after",
            metavar="MOVES",
            default=None if are_several else "",
            **how,
            help="begin after these moves and outcomes, with commas or ; between them, as the commands print a play",
        )


def add_machine(parser: ArgumentParser) -> None:
    """``--machine``."""
    parser.add_argument(
        "--machine",
        choices=MACHINES,
        default="auto",
        help="the machine that runs the rules: native, machine code; python, the same program without compiling; "
        "reference, the rules as written, slow but without limits; auto (default), the fastest for the work",
    )


def game_of(options: Namespace) -> Game:
    """The game that the options name, on their machine, and loaded within their limits; raises as
    :func:`zermelo.load`, :meth:`Game.on` and :meth:`Game.reweighed` do."""
    with _time_limit(options):
        path = options.position
        position = None if path is None else read_file(str(path), path)
        game = load_any(options.game, dict(options.parameters), position).on(options.machine)
        if options.weights is not None:
            from zermelo.learning import with_weights  # which few commands need

            game = with_weights(game, options.weights)
        return game.reweighed(**dict(options.weighed)) if options.weighed else game


def _time_limit(options: Namespace) -> AbstractContextManager[None]:
    """A block within the time of the command, if it has one."""
    return limits_of(options).enforce() if "begin" in options else nullcontext()


def state_of(options: Namespace, game: Game | None = None) -> State:
    """The position that the options name, in the game that they name, reached within their limits. An illegal move is
    reported with the rule that forbids it; raises ``ZermeloError`` (``bad-usage``) for a play that was printed without
    its middle."""
    return state_after(options, (game or game_of(options)).initial)


def state_after(options: Namespace, state: State) -> State:
    """The state after the moves that the options name. Raises as :func:`state_of` does."""
    if not options.after:
        return state

    from zermelo.interpreter.reference.why_not import split_play

    with _time_limit(options):
        for move in split_play(options.after):
            if move.startswith("..."):
                raise ZermeloError(
                    "bad-usage",
                    "argument --after: this play was printed without its middle",
                    "`--json` prints all moves of a play",
                )
            finding = state.why_not(move)
            if finding is not None:
                raise PlayError(finding, state.play)
            state = state.after(move)
        return state


# What stands above a result: the game with its parameters, and the play after which the command begins.


def print_beginning(begin: State) -> None:
    """The title, the parameters, and the play so far, each with an empty line below."""
    print_title(begin.game.title, parameters_text(begin.game))
    print()
    if begin.play:
        print_facts([("after", play_so_far(begin))])
        print()


def beginning_record(begin: State) -> dict[str, Any]:
    """The same for JSON."""
    return {**record_header(begin.game), "after": list(map(str, begin.play))}
