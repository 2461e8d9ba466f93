"""Which machine runs a game: machine code, the same text as plain Python, or the reference machine."""

from __future__ import annotations

from typing import Any, Final

from grammar.diagnostics import ZermeloError
from interpreter.machine import Machine
from zermelo.game import Game

MACHINES: Final = ("auto", "native", "python", "reference")


def machine_for(game: Game, choice: str) -> tuple[str, Machine[Any]]:
    """The machine that a user asked for, and its name.

    ``auto`` takes machine code where LLVM is installed and the rules can be lowered, and else the reference machine.
    Raises ``ZermeloError`` (``machine-unavailable``) where another choice cannot be met.
    """
    if choice == "reference":
        return choice, game.machine
    from interpreter.native.llvm.engine import is_available
    from interpreter.native.machine import native_machine, python_machine
    from interpreter.native.unsupported import Unsupported

    if choice != "python" and not is_available():
        if choice == "auto":
            return "reference", game.machine
        raise ZermeloError("machine-unavailable", "there is no LLVM here to make machine code with", HELP)
    try:
        if choice == "python":
            return choice, python_machine(game.model, game.machine)
        return "native", native_machine(game.model, game.machine)
    except Unsupported as error:
        if choice == "auto":
            return "reference", game.machine
        message = f"the {choice} machine cannot run this game: it does not cover {error.construct}"
        raise ZermeloError("machine-unavailable", message, HELP) from error


HELP: Final = "--machine auto takes the fastest machine that can run the game"
