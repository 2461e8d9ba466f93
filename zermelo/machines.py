"""Which machine runs a game: machine code, the same program as plain Python, or the reference machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from zermelo.grammar.diagnostics import ZermeloError

if TYPE_CHECKING:
    from zermelo.interpreter.machine import Machine
    from zermelo.interpreter.native.dialect.unsupported import Unsupported
    from zermelo.interpreter.native.running.machine import LoweredMachine
    from zermelo.preparing import Prepared

MACHINES: Final = ("auto", "native", "python", "reference")

HELP: Final = "--machine auto takes the fastest machine that can run the game"


def check_choice(choice: str) -> None:
    """Raise ``ZermeloError`` (``bad-usage``) where there is no such machine."""
    if choice not in MACHINES:
        raise ZermeloError("bad-usage", f"there is no machine '{choice}'", f"the machines are {', '.join(MACHINES)}")


def lowered_machine(choice: str, prepared: Prepared) -> LoweredMachine | None:
    """The machine that runs a game's lowered rules, as a user has chosen; None where the reference machine is to.

    ``auto`` takes lowered rules where the rules can be lowered, which become machine code when the work pays for
    compiling and LLVM is installed, and else the reference machine. Raises ``ZermeloError`` (``machine-unavailable``)
    where another choice cannot be met.
    """
    if choice == "reference":
        return None
    from zermelo.interpreter.machines import machine_over
    from zermelo.interpreter.native.dialect.unsupported import Unsupported
    from zermelo.interpreter.native.llvm.engine import is_available
    from zermelo.interpreter.native.running.machine import native_executor

    has_llvm = is_available()
    if choice == "native" and not has_llvm:
        raise ZermeloError("machine-unavailable", "there is no LLVM here to make machine code with", HELP)
    try:
        program = prepared.program
    except Unsupported as error:
        if choice == "auto":
            return None
        message = f"the {choice} machine cannot run this game: {_beyond(error)}"
        raise ZermeloError("machine-unavailable", message, HELP) from error
    if choice == "python" or not has_llvm:
        return machine_over(program)
    return machine_over(program, native_executor(program), begins_in_python=choice == "auto")


def left_to_reference(choice: str, prepared: Prepared) -> str | None:
    """Why ``auto`` takes the reference machine for a game; None where it does not, or where a user has chosen."""
    if choice != "auto":
        return None
    from zermelo.interpreter.native.dialect.unsupported import Unsupported

    try:
        _ = prepared.program
    except Unsupported as error:
        return f"the reference machine, for the native one cannot run this game: {_beyond(error)}"
    return None


def _beyond(error: Unsupported) -> str:
    """What lowered rules do not cover, in a user's words."""
    where = "it" if error.span is None else f"in line {error.span.line} it"
    return f"{where} does not cover {error.construct}"


def name_of(machine: Machine[Any]) -> str:
    """The name of a machine, as a user would choose it."""
    from zermelo.interpreter.native.running.machine import LoweredMachine

    if not isinstance(machine, LoweredMachine):
        return "reference"
    return "native" if machine.is_compiled else "python"
