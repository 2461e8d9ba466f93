"""The images of a machine's states under symmetries of its rules, for kernels."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.images import Images, images
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.symmetries.group import keeping_players, symmetries


def images_of(machine: object) -> Images | None:
    """Those under the symmetries that leave the players as they are, if there are any."""
    return _images(machine, exchanges=False)


def images_with_exchanges_of(machine: object) -> Images | None:
    """Those under all symmetries, if there are any."""
    return _images(machine, exchanges=True)


def exchanges_players(machine: LoweredMachine, found: Images) -> bool:
    """Whether some of these symmetries give the players other places."""
    return len(keeping_players(machine.program.model, found.symmetries)) < len(found.symmetries)


def _images(machine: object, exchanges: bool) -> Images | None:
    if not isinstance(machine, LoweredMachine):
        return None
    found = symmetries(machine.program.model)
    if not exchanges:
        found = keeping_players(machine.program.model, found)
    try:
        return images(machine.program, found) if len(found) > 1 else None
    except Unsupported:
        return None
