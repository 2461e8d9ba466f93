"""What runs a game: the choice of the machine, which is machine code, the same program in Python, or the reference
machine; and the processes, here or on a cluster, among which work is spread."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from zermelo.grammar.diagnostics import ZermeloError

if TYPE_CHECKING:
    from zermelo.interpreter.machine import Machine
    from zermelo.interpreter.native.dialect.lowered_text import Unsupported
    from zermelo.interpreter.native.running.machine import LoweredMachine
    from zermelo.preparing import Prepared
    from zermelo.solvers.common.spreading import Spread

MACHINES: Final = ("auto", "native", "python", "reference")

HELP: Final = "--machine auto uses the fastest machine that can run the game"


def check_choice(choice: str) -> None:
    """Raise ``ZermeloError`` (``bad-usage``) if there is no such machine."""
    if choice not in MACHINES:
        raise ZermeloError("bad-usage", f"there is no machine '{choice}'", f"the machines are {', '.join(MACHINES)}")


def lowered_machine(choice: str, prepared: Prepared) -> LoweredMachine | None:
    """The machine for a game's lowered rules, as the user chose; None for the reference machine.

    ``auto`` uses lowered rules if the rules can be lowered, compiled when the work pays for it and LLVM is at hand,
    and else the reference machine. Raises ``ZermeloError`` (``machine-unavailable``) if another choice is impossible.
    """
    if choice == "reference":
        return None
    from zermelo.interpreter.native.dialect.lowered_text import Unsupported
    from zermelo.interpreter.native.llvm.engine import is_available, is_installed
    from zermelo.interpreter.native.running.kernels import WORTH_COMPILING, Executor
    from zermelo.interpreter.native.running.machine import machine_over

    has_llvm = is_available()
    if choice == "native" and not has_llvm:
        why = "for which `ulimit -v` leaves no room" if is_installed() else "which is not installed"
        raise ZermeloError("machine-unavailable", f"machine code needs LLVM, {why}", HELP)
    try:
        program = prepared.program
    except Unsupported as error:
        if choice == "auto":
            return None
        message = f"the {choice} machine cannot run this game: {_unsupported_text(error)}"
        raise ZermeloError("machine-unavailable", message, HELP) from error
    if choice == "python" or not has_llvm:
        return machine_over(program)
    return machine_over(program, Executor(program, WORTH_COMPILING), begins_in_python=choice == "auto")


def why_reference_machine(choice: str, prepared: Prepared) -> str | None:
    """Why ``auto`` uses the reference machine for a game; None if it does not, or if the user chose."""
    if choice != "auto":
        return None
    from zermelo.interpreter.native.dialect.lowered_text import Unsupported

    try:
        _ = prepared.program
    except Unsupported as error:
        return f"the reference machine, since the native one cannot run this game: {_unsupported_text(error)}"
    return None


def _unsupported_text(error: Unsupported) -> str:
    """The construct that cannot be lowered, in a user's words."""
    where = "it" if error.span is None else f"in line {error.span.line} it"
    return f"{where} does not cover {error.construct}"


def name_of(machine: Machine[Any]) -> str:
    """The name by which a user chooses a machine."""
    from zermelo.interpreter.native.running.machine import LoweredMachine

    if not isinstance(machine, LoweredMachine):
        return "reference"
    return "native" if machine.is_compiled else "python"


# Who does work that is spread.


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def spread_of(address: str | None, number: int | None, here: Callable[[int], Spread]) -> Iterator[Spread]:
    """So many who do tasks, for the time of the block: those who are ``here``, by default one for each core, or workers
    of the cluster at an address, as many as it has room for. Raises ``ZermeloError``: ``library-missing``,
    ``cluster-failed``."""
    if address is None:
        yield here(number or cores())
        return
    from zermelo.solvers.common.cluster import spread_on_cluster  # which few commands need

    with spread_on_cluster(number, address) as spread:
        yield spread
