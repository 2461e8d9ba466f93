"""Options that say which game, which position, and which machine."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from zermelo.commands.limit_options import limits_of
from zermelo.commands.options import add_parameters, parameter
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import PlayError
from zermelo.loading import load_any, read_file
from zermelo.machines import MACHINES
from zermelo.numbers import header, play_so_far, settings
from zermelo.report.console import print_facts, print_title


def add_game(parser: ArgumentParser) -> None:
    """``GAME``, ``-p``, ``--weight`` and ``--machine``."""
    parser.add_argument("game", metavar="GAME", help="a path, or the name of a bundled game; - is standard input")
    add_parameters(parser)
    parser.add_argument(
        "--weight",
        dest="weights",
        metavar="NAME=VALUE",
        type=parameter,
        action="append",
        default=[],
        help="set the weight of a feature in the game's estimate; may be repeated",
    )
    add_machine(parser)


def add_position(parser: ArgumentParser) -> None:
    """``--position`` and ``--after``."""
    add_beginning(parser)
    parser.add_argument(
        "--after",
        metavar="MOVES",
        default="",
        help="begin after these moves and outcomes, with commas or ; between them, as the commands print a play",
    )


def add_beginning(parser: ArgumentParser) -> None:
    """``--position``."""
    parser.add_argument(
        "--position",
        metavar="FILE",
        type=Path,
        help="begin at the position in a file: its 'setup:' runs after that of the game, its 'start at' replaces that "
        "of the game",
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
    """The game that was asked for, on the machine that was asked for, within the limits that were asked for; raises as
    :func:`zermelo.load`, :meth:`Game.on` and :meth:`Game.reweighed` do."""
    with _kept(options):
        path = getattr(options, "position", None)
        position = None if path is None else read_file(str(path), path)
        game = load_any(options.game, dict(options.parameters), position).on(options.machine)
        return game.reweighed(**dict(options.weights)) if options.weights else game


def _kept(options: Namespace) -> AbstractContextManager[None]:
    """A block within the time of the command, if it has one."""
    return limits_of(options).kept() if "begin" in options else nullcontext()


def state_of(options: Namespace, game: Game) -> State:
    """The position that was asked for, within the limits that were asked for. An illegal move is reported with the rule
    that forbids it; raises ``ZermeloError`` (``bad-usage``) for a play that was printed without its middle."""
    with _kept(options):
        return _state_after(options, game)


def _state_after(options: Namespace, game: Game) -> State:
    state = game.initial
    if not options.after:
        return state

    from zermelo.interpreter.reference.why_not import split_play

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
    print_title(begin.game.title, settings(begin.game))
    print()
    if begin.play:
        print_facts([("after", play_so_far(begin))])
        print()


def beginning_record(begin: State) -> dict[str, Any]:
    """The same for JSON."""
    return {**header(begin.game), "after": list(map(str, begin.play))}
