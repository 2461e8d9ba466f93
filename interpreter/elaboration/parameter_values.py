"""Values of parameters, as a user gives them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.interpreter.types import BoolType, NumberType, Type, strip_none
from zermelo.interpreter.values import MOST_DIGITS, Value, format_value, has_few_digits, read_number, sort_key


def parameter_value(given: Any, type: Type, name: str) -> Value:
    """A parameter's value from the text of a user (``4``, ``1/3``, ``true``, a member's name), or from a value.

    Text for no value of the type is returned as it is, for the caller's message.
    """
    base = strip_none(type.base)
    if isinstance(given, int | Fraction) and not has_few_digits(given):
        return f"a number with more than {MOST_DIGITS:,} digits"
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
    return f"'{value}'" if isinstance(value, str) else format_value(value)
