"""Reading moves and values as the machine writes them: ``mark(b2)``, ``deal({two of ...})``."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.types import (
    BoolType,
    DirectionType,
    MemberType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    TupleType,
    Type,
)
from zermelo.interpreter.values import COMPASS, OrderedSet, Value, canonical, format_value, read_number

FEW: Final = 12
"""How many moves or values a message lists."""


def split_move(text: str) -> tuple[str, tuple[str, ...]]:
    """The name and the texts of the arguments; spaces do not count."""
    name, bracket, rest = "".join(text.split()).partition("(")
    return name, _split(rest.removesuffix(")")) if bracket else ()


def _split(text: str) -> tuple[str, ...]:
    """The parts between commas outside brackets."""
    parts = [""]
    depth = 0
    for character in text:
        depth += (character in "({<") - (character in ")}>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return tuple(parts) if text else ()


def read_value(type: Type, text: str) -> Value:
    """The value of a type for ``text`` (without spaces); raises ``ValueError`` if there is none."""
    match type:
        case OptionalType():
            return None if text == "none" else read_value(type.inner, text)
        case PartType():
            return read_value(type.parent, text)
        case MemberType():
            return _entry(type.by_name, text)
        case DirectionType():
            return _entry({format_value(direction): direction for direction in COMPASS.values()}, text)
        case BoolType():
            return _entry({"true": True, "false": False}, text)
        case NumberType():
            return read_number(text)
        case TupleType():
            parts = _split(_within(text, "(", ")"))
            return tuple(read_value(item, part) for item, part in zip(type.items, parts, strict=True))
        case SetType():
            return canonical(OrderedSet(read_value(type.element, part) for part in _split(_within(text, "{", "}"))))
        case _:
            raise ValueError(text)


def _entry(entries: dict[str, Value], text: str) -> Value:
    if text not in entries:
        raise ValueError(text)
    return entries[text]


def _within(text: str, opening: str, closing: str) -> str:
    if not (text.startswith(opening) and text.endswith(closing)):
        raise ValueError(text)
    return text[1:-1]
