"""Parsing of texts, one at a time.

Python 3.11 counts the depth of syntax trees across threads, and parsing in two threads at once may fail
(https://github.com/python/cpython/issues/106905); code may be compiled in the background.
"""

from __future__ import annotations

import ast
from threading import Lock
from typing import Final

_parsing: Final = Lock()


def parse_module(text: str) -> ast.Module:
    """The tree of a text."""
    with _parsing:
        return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """The tree of an expression. Raises ``SyntaxError``."""
    with _parsing:
        return ast.parse(text, mode="eval").body
