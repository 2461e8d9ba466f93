"""Local names: parameters, indices, what quantifiers and loops bind, and local variables."""

from __future__ import annotations

from attrs import define

from zermelo.grammar.diagnostics import Span
from zermelo.interpreter.types import Type


@define(eq=False, repr=False)
class LocalName:
    """A local name. ``kind`` is its kind in messages; ``expendable`` ones may be unused (parameters of moves and
    phases); ``holds`` is the type of a local variable, None for all others; ``declared`` is the type to which the
    values belong, which may be a part of ``type``."""

    name: str
    slot: int
    type: Type
    span: Span
    kind: str
    declared: Type
    expendable: bool = False
    used: bool = False
    holds: Type | None = None
