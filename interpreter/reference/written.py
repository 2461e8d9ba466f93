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
    strip_none,
)
from zermelo.interpreter.values import COMPASS, OrderedSet, Value, canonical, format_value, read_number

FEW: Final = 12
"""How many moves or values a message lists."""


def split_move(text: str) -> tuple[str, tuple[str, ...]]:
    """The name and the texts of the arguments; spaces do not count."""
    name, bracket, rest = "".join(text.split()).partition("(")
    return name, _split(rest.removesuffix(")")) if bracket else ()


def split_play(text: str) -> list[str]:
    """The moves of a play, written one after the other, with commas or semicolons between them; spaces do not count.

    A comma within brackets belongs to a move; no move has a semicolon, so that one always ends a move. A move of which
    a bracket is left open goes on to the next semicolon, or to the end.
    """
    parts = [part for run in "".join(text.split()).split(";") for part in _split(run)]
    return [part for part in parts if part]


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
            return _entry({**type.by_sign, **type.by_name}, text)
        case DirectionType():
            return _entry({format_value(direction): direction for direction in COMPASS.values()}, text)
        case BoolType():
            return _entry({"true": True, "false": False}, text)
        case NumberType():
            return read_number(text)
        case TupleType():
            parts = _split(text[1:-1]) if text.startswith("(") and text.endswith(")") else _signs(type, text)
            return tuple(read_value(item, part) for item, part in zip(type.items, parts, strict=True))
        case SetType():
            return canonical(OrderedSet(read_value(type.element, part) for part in _split(_within(text, "{", "}"))))
        case _:
            raise ValueError(text)


def _signs(type: TupleType, text: str) -> tuple[str, ...]:
    """The signs of a record's members, written side by side: no sign of a type begins another one of it, so that there
    is one way to read them."""
    parts = []
    for item in type.items:
        member = strip_none(item).base
        signs = member.by_sign if isinstance(member, MemberType) else {}
        parts.append(next((sign for sign in signs if text.startswith(sign)), ""))
        text = text.removeprefix(parts[-1])
    if text or not all(parts):
        raise ValueError(text)
    return tuple(parts)


def _entry(entries: dict[str, Value], text: str) -> Value:
    if text not in entries:
        raise ValueError(text)
    return entries[text]


def _within(text: str, opening: str, closing: str) -> str:
    if not (text.startswith(opening) and text.endswith(closing)):
        raise ValueError(text)
    return text[1:-1]
