"""States of lowered programs."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from zermelo.interpreter.machine import InformationState, Move
from zermelo.interpreter.native.running.executor import Packed


@define(eq=False, repr=False)
class LoweredState:
    """A state of a lowered program; without ``packed`` it exists on the reference machine only. ``legal`` and the later
    fields are caches; ``is_overfull``: there are more legal moves than can be listed here."""

    before: LoweredState | None
    move: Move | None
    packed: Packed | None
    actor: int
    is_overfull: bool = False
    legal: dict[Move, int] | None = None
    weights: list[int] | None = None
    reference: Any = None
    perceived: dict[int, InformationState] = field(factory=dict)
