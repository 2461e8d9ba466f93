"""Values of parameters, as a user gives them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from zermelo.interpreter.types import BoolType, NumberType, Type, strip_none
from zermelo.interpreter.values import MOST_DIGITS, Value, format_value, has_few_digits, read_number, sort_key

_TOO_LONG: Final = f"a number with more than {MOST_DIGITS:,} digits"

_SHOWN: Final = 60
"""How many characters of a text that is no value are shown."""


def parameter_value(given: Any, type: Type, name: str) -> Value:
    """A parameter's value from the text of a user (``4``, ``1/3``, ``true``, a member's name), or from a value.

    Text for no value of the type is returned as it is, for the caller's message.
    """
    base = strip_none(type.base)
    if isinstance(given, int | Fraction) and not has_few_digits(given):
        return _TOO_LONG
    if isinstance(given, int | Fraction) and isinstance(given, bool) == isinstance(base, BoolType):
        return given
    text = str(given).strip()
    if isinstance(base, NumberType):
        try:
            return read_number(text)
        except ValueError:
            return text
    values = sorted(type.generate(), key=sort_key)
    by_text = {format_value(value).replace(" ", ""): value for value in values}
    return by_text.get(text.replace(" ", ""), text)


def shown_value(value: Value) -> str:
    """A given value in a message; text that is no value is quoted."""
    if not isinstance(value, str):
        return format_value(value)
    if value == _TOO_LONG:
        return value
    return f"'{value}'" if len(value) <= _SHOWN else f"'{value[:_SHOWN]}...'"
