"""What several commands have in common: the game, its parameters, the format, and the words for what is given wrong."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import nullcontext
from math import inf
from pathlib import Path
from time import perf_counter

from attrs import evolve

from zermelo.game import Game
from zermelo.grammar.footprint import size
from zermelo.loading import load_any, read_file
from zermelo.machines import MACHINES
from zermelo.solvers.common.goal import EXPLOITABILITY, ITERATIONS, Goal
from zermelo.solvers.common.limits import MEMORY, Limits
from zermelo.solvers.common.sampling import MOST_EXPLORATION, Sampling

_MOST = 10**18
"""The largest number that an option takes: kernels count in 64 bits."""

_MOST_THREADS = 1024
"""Far more than there are cores; the result is the same."""

_DECIMAL = re.compile(r"\d+(\.\d*)?|\.\d+")


def add_game(parser: ArgumentParser) -> None:
    """``GAME``, ``-p``, ``--weight`` and ``--machine``."""
    parser.add_argument("game", metavar="GAME", help="a path, or the name of a bundled game; - is standard input")
    parser.add_argument(
        "-p",
        dest="parameters",
        metavar="NAME=VALUE",
        type=_parameter,
        action="append",
        default=[],
        help="set a parameter of the game; may be repeated",
    )
    parser.add_argument(
        "--weight",
        dest="weights",
        metavar="NAME=VALUE",
        type=_parameter,
        action="append",
        default=[],
        help="set the weight of a feature in the game's estimate; may be repeated",
    )
    add_machine(parser)


def add_position(parser: ArgumentParser) -> None:
    """``--position``."""
    parser.add_argument(
        "--position",
        metavar="FILE",
        type=Path,
        help="begin at the position in a file: its 'setup:' runs behind that of the game, its 'start at' takes the "
        "place of the game's",
    )


def add_machine(parser: ArgumentParser) -> None:
    """``--machine``."""
    parser.add_argument(
        "--machine",
        choices=MACHINES,
        default="auto",
        help="what runs the rules: native, machine code; python, the same program without compiling; reference, the "
        "rules as they are written, slow and without limits; auto (default), what is fastest for the work",
    )


def add_limits(parser: ArgumentParser, is_for_all: bool = True) -> None:
    """``--time``, which ``is_for_all`` that the command does or else for the work that has a limit alone, and
    ``--memory``."""
    parser.add_argument(
        "--time", metavar="SECONDS", type=_seconds, default=inf, help="stop after so long (default: no limit)"
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=_size,
        default=MEMORY,
        help="what tables, trees, stores, normal forms and linear programs may fill, beyond the 30 to 160 MB that "
        f"Python, LLVM and libraries take themselves: 64M, 2G (default: {size(MEMORY)})",
    )
    if is_for_all:
        parser.set_defaults(begin=perf_counter())


def add_threads(parser: ArgumentParser) -> None:
    """``--threads``."""
    parser.add_argument(
        "--threads",
        metavar="N",
        type=_threads,
        default=_cores(),
        help="how many work at once (default: one for each core); the result is the same for any number",
    )


def add_horizon(parser: ArgumentParser) -> None:
    """``--depth``, ``--nodes``, ``--estimate`` and ``--seed``."""
    parser.add_argument("--depth", metavar="N", type=_some, help="look so many moves ahead, and estimate from there")
    parser.add_argument(
        "--nodes", metavar="N", type=_some, help="stop after so many nodes, at the last depth completed"
    )
    parser.add_argument(
        "--estimate",
        choices=("file", "rollouts"),
        default="file",
        help="what a position is worth where the search is cut off: the file's estimate, or the mean of random plays "
        "(Monte Carlo tree search: the file's estimate where it has one, or always one random play)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=whole_number, default=0, help="which random plays are drawn (default: 0)"
    )


def add_goal(parser: ArgumentParser) -> None:
    """``--exploitability``, ``--iterations`` and ``--checkpoint``."""
    parser.add_argument(
        "--exploitability",
        metavar="X",
        type=_amount,
        help="iterate until nobody could gain more than X, on average over the players (default: "
        f"{EXPLOITABILITY}, and {ITERATIONS:,} iterations at most)",
    )
    parser.add_argument("--iterations", metavar="N", type=_some, help="stop after so many iterations")
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        type=Path,
        help="keep what has been iterated in a file, and go on from there if it exists",
    )


def goal_of(options: Namespace) -> Goal | None:
    """The goal of an iteration, if one was set."""
    wanted, most, checkpoint = options.exploitability, options.iterations, options.checkpoint
    if (wanted, most, checkpoint) == (None, None, None):
        return None
    return Goal(wanted, most or inf, checkpoint)


def add_sampling(parser: ArgumentParser) -> None:
    """``--simulations`` and ``--exploration``."""
    parser.add_argument(
        "--simulations",
        metavar="N",
        type=_some,
        help="how many simulations Monte Carlo tree search makes (default: 10,000, or what --time and --nodes allow)",
    )
    parser.add_argument(
        "--exploration",
        metavar="C",
        type=_constant,
        help=f"how much it explores: the constant of UCT (default: {Sampling().exploration})",
    )


def sampling_of(options: Namespace) -> Sampling | None:
    """How to sample, where that was asked for."""
    if options.simulations is None and options.exploration is None:
        return None
    exploration = Sampling().exploration if options.exploration is None else options.exploration
    return Sampling(options.simulations, exploration)


def limits_of(options: Namespace) -> Limits:
    """The limits that were asked for, from when the command was given, or from now on (:func:`add_limits`)."""
    limits = Limits(options.time, options.memory, getattr(options, "begin", perf_counter()))
    if "depth" not in options:
        return limits
    return evolve(limits, depth=options.depth or inf, nodes=options.nodes or inf)


def add_format(parser: ArgumentParser) -> None:
    """``--format`` and ``--json``."""
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to print the result (default: text)"
    )
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="short for --format json")


def game_of(options: Namespace) -> Game:
    """The game that was asked for, on the machine that was asked for, within the limits that were asked for; raises as
    :func:`zermelo.load`, :meth:`Game.on` and :meth:`Game.reweighed` do."""
    with limits_of(options).kept() if "begin" in options else nullcontext():
        path = getattr(options, "position", None)
        position = None if path is None else read_file(str(path), path)
        game = load_any(options.game, dict(options.parameters), position).on(options.machine)
        return game.reweighed(**dict(options.weights)) if options.weights else game


def whole_number(text: str) -> int:
    """An argument that counts something."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"'{text}' is not a whole number")
    if len(text) > len(str(_MOST)) or int(text) > _MOST:
        raise ArgumentTypeError(f"it takes at most {_MOST:,}")
    return int(text)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _some(text: str) -> int:
    if whole_number(text) < 1:
        raise ArgumentTypeError("it takes at least 1")
    return int(text)


def _threads(text: str) -> int:
    if _some(text) > _MOST_THREADS:
        raise ArgumentTypeError(f"it takes at most {_MOST_THREADS:,}")
    return int(text)


def _seconds(text: str) -> float:
    if _DECIMAL.fullmatch(text) is None:
        raise ArgumentTypeError(f"'{text}' is not a number of seconds")
    return float(text)


def _amount(text: str) -> float:
    if re.fullmatch(r"(\d+(\.\d*)?|\.\d+)(e-?\d+)?", text.lower()) is None:
        raise ArgumentTypeError(f"'{text}' is not a number such as 0.001 or 1e-6")
    return float(text)


def _constant(text: str) -> float:
    if _DECIMAL.fullmatch(text) is None or float(text) > MOST_EXPLORATION:
        raise ArgumentTypeError(f"'{text}' is not a number from 0 to {MOST_EXPLORATION:,}")
    return float(text)


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d+)([KMG])B?", text.upper())
    if match is None or not int(match[1]):
        raise ArgumentTypeError(f"'{text}' is not a size, such as 64M or 2G")
    size = whole_number(match[1]) << {"K": 10, "M": 20, "G": 30}[match[2]]
    if size > _MOST:
        raise ArgumentTypeError("so much memory there is nowhere")
    return size


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise ArgumentTypeError(f"'{text}' is not of the form NAME=VALUE")
    return name.strip(), value.strip()
