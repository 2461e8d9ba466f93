"""The text of the grammar, and the words of the language by what they are for, as it has them.

For highlighting, which knows no context: the parser alone knows where a word is a name.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen

from zermelo.grammar.by_value import ByValue
from zermelo.grammar.words import IN_TYPES

GRAMMAR: Final = Path(__file__).with_name("game.lark")

CONSTANTS: Final = frozenset({"false", "none", "true"})
OPERATORS: Final = frozenset({"and", "in", "is", "not", "or"})

_WORD: Final = re.compile(r'"([a-z_]+)"')
_ALTERNATIVES: Final = re.compile(r"^\?declaration: (.*\n(?: +\|.*\n)*)", re.MULTILINE)
_RULE: Final = re.compile(r'^(\w+): +"([a-z_]+)"', re.MULTILINE)
_NAMING: Final = re.compile(r'^\w+: +"([a-z_]+)" (?:NAME|value_name)', re.MULTILINE)


def grammar_text() -> str:
    return GRAMMAR.read_text(encoding="utf-8")


@frozen(eq=False, repr=False)
class Vocabulary(ByValue):
    """The words of the language, each in one group: ``declarations`` are those with which a line at the left margin
    begins, ``others`` the rest. Those of ``naming``, which are also in a group, begin a construct, and a name comes
    behind them; ``in``, which nearly always comes before a set, is none of them."""

    declarations: tuple[str, ...]
    constants: tuple[str, ...]
    operators: tuple[str, ...]
    types: tuple[str, ...]
    others: tuple[str, ...]
    naming: tuple[str, ...]


@cache
def vocabulary() -> Vocabulary:
    rules = re.sub(r"//.*", "", grammar_text())
    alternatives = _ALTERNATIVES.search(rules)
    assert alternatives is not None
    kinds = re.findall(r"\w+", alternatives.group(1))
    declarations = {word for rule, word in _RULE.findall(rules) if rule in kinds}
    every = set(_WORD.findall(rules))
    others = every - declarations - CONSTANTS - OPERATORS - IN_TYPES
    groups = (declarations, CONSTANTS, OPERATORS, IN_TYPES, others, set(_NAMING.findall(rules)) - OPERATORS)
    return Vocabulary(*(tuple(sorted(group)) for group in groups))
