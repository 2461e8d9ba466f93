"""Words that cannot name a value, and words of other languages.

The lexer knows from the context whether a word is a keyword, so any word may name a move, an outcome, a phase, a field,
a branch of a tree, a choice of a table, or the label of a ``tell``. Names of values (variables, locals, parameters,
players, types, members of a type, defines and actions) are different: where a value may come, ``RESERVED`` words
already have a meaning.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen

from zermelo.foundation.records import ByValue

# ruff: noqa: RUF001 - characters that look like others are what FOREIGN_SIGNS and QUOTES are about


QUANTIFIERS = frozenset({"some", "all", "no", "count", "sum", "min", "max", "first", "last"})
IN_EXPRESSIONS = QUANTIFIERS | frozenset(
    {"true", "false", "none", "not", "and", "or", "in", "is", "if", "then", "else", "where", "for", "while", "until"}
    | {"reach", "other", "next", "weighted"}
)
IN_STATEMENTS = frozenset(
    {"let", "var", "match", "layout", "go", "end", "earn", "tell", "reveal"}
    | {"turn", "chance", "together", "otherwise", "secret"}
)
IN_TYPES = frozenset({"set", "grid", "hex", "ring", "graph", "edges"})

RESERVED = IN_EXPRESSIONS | IN_STATEMENTS | IN_TYPES

LEAVES: Final = "a play of a tree ends with the payoffs of all players"
LEAVES_HELP: Final = "as in: (1, -1); with two players one number is short for (x, -x), and 0 is a draw"
"""What is said of a statement in place of these payoffs."""

FOREIGN_WORDS: dict[str, tuple[str, ...]] = {
    "elif": ("else if",),
    "elsif": ("else if",),
    "elseif": ("else if",),
    "def": ("define", "action"),
    "func": ("define", "action"),
    "function": ("define", "action"),
    "const": ("define",),
    "none": ("none",),
    "null": ("none",),
    "nil": ("none",),
    "foreach": ("for",),
    "switch": ("match",),
    "mod": ("%",),
    "div": ("//",),
    "xor": ("!=",),
    "then": ("", ":"),
    "set": ("",),
    "exists": ("some",),
    "forall": ("all",),
    "enum": ("type",),
    "goto": ("go",),
    "random": ("chance",),
    "default": ("else",),
    "when": ("if",),
    "provided": ("if",),
    "probability": ("prob",),
}
"""Words of other languages in small letters, such as None, and their counterparts here; an empty word if none is
needed."""

NOT_NEEDED = {
    "return": "the value of a define is its expression, and a block ends with go or end",
    "while": "there are no loops but `for` over a finite set; to repeat something, go to its phase again",
    "repeat": "to do something n times: for _i in 1..n: ...; to repeat a decision, go to its phase again",
    "break": "a `for` runs over its whole set; restrict the set, or guard with `if`",
    "continue": "a `for` runs over its whole set; restrict the set, or guard with `if`",
    "pass": "there is no statement that does nothing, and none is needed",
    "import": "a game is a single file",
    "class": "records are types: type Card = (rank: Rank, suit: Suit)",
    "struct": "records are types: type Card = (rank: Rank, suit: Suit)",
    "print": "to inform a player, write tell p that label(...)",
}
"""Words of other languages that have no counterpart."""

FOREIGN_SIGNS = {
    "+:=": "+=",
    "-:=": "-=",
    "&&": "and",
    "||": "or",
    "!==": "!=",
    "===": "==",
    "<>": "!=",
    "=<": "<=",
    "=>": ">=",
    "<-": ":=",
    "->": ":",
    "++": "+= 1",
    "--": "-= 1",
    "/=": "!=",
    "~=": "!=",
    "...": "..",
    "&": "and",
    "|": "or",
    "!": "not ",
    "~": "not ",
    ";": "",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "∧": "and",
    "∨": "or",
    "¬": "not ",
    "∈": "in",
    "∉": "not in",
    "∅": "{}",
    "–": "-",
    "—": "-",
    "−": "-",
    "×": "*",
    "·": "*",
    "÷": "/",
    "…": "..",
    "\N{NO-BREAK SPACE}": " ",
}
"""Signs of other languages and of word processors, and their counterparts here."""

AMBIGUOUS = frozenset({"=>", "~", "~=", "...", "…", "&", "|", "–", "—", "×", "·", "xor"})
"""Those of these words and signs that may mean something else: an arrow or 'implies', a range without its end,
operations on sets or bits, a range or a dash, a product of sets or what separates numbers, or another grouping."""

QUOTES = "'`´‘’‚“”„«»"
"""Characters that people write for ``"``."""

NAMES = "names are made of letters, digits and _"


def quantifier_example(word: str) -> str:
    """An example of how to write a quantifier such as ``sum``, which other languages apply to a list."""
    what = "pile[i]" if word in ("sum", "min", "max") else "pile[i] > 0"
    more = "; the number of members of a set is size(S)" if word == "count" else ""
    return f"as in ({word} i in 1..3: {what}){more}"


_STATEMENT = "statements belong in a block: in setup, an action, a phase or a move"
_DECLARATION = "a declaration begins at the left margin"

PLACES = {
    "turn": "a turn belongs directly in a phase, after the phase's statements",
    "chance": "chance belongs directly in a phase, after the phase's statements",
    "together": "together belongs directly in a phase, after the phase's statements",
    "otherwise": "otherwise belongs directly in a phase, after its turn, chance or together",
    "move": "moves belong in a turn or in together",
    "outcome": "outcomes belong in chance",
    "then": "then: comes after the moves of together or the outcomes of chance for, in their column",
    "else": "else comes directly after the block of its if, in the column of that if",
    "let": "let belongs in a block, before moves and outcomes; at the left margin write define",
    "where": "in a list, an expression with where needs brackets around it",
    **dict.fromkeys(["if", "for", "go", "end", "earn", "tell", "reveal"], _STATEMENT),
    **dict.fromkeys(
        ["players", "param", "require", "type", "define", "action", "setup", "phase", "claim"], _DECLARATION
    ),
    **dict.fromkeys(["endless", "discount", "feature", "estimate", "unsettled", "legend", "drawn"], _DECLARATION),
    **dict.fromkeys(["reachable", "never", "test", "tree", "table"], _DECLARATION),
}
"""Where a misplaced word belongs."""

MARGIN = {
    **dict.fromkeys(["board", "grid"], "a board is a type, and what stands on it a variable: type Square = grid(8, 8)"),
    **dict.fromkeys(["deck", "cards"], "cards are the members of a type: type Card = ace | king | queen"),
    **dict.fromkeys(["dice", "die", "roll"], "dice are thrown in a phase: chance: outcome roll(n in 1..6)"),
    **dict.fromkeys(["goal", "win", "winner", "lose", "draw"], "a play ends in a phase, as in: if c: end win p"),
    **dict.fromkeys(["state", "variable"], "what changes in play is a variable: var score[Player]: 0..9 = 0"),
    **dict.fromkeys(["rules", "turns", "round"], "the rules are phases, each with the moves of a turn: phase play:"),
}
"""How that is declared which another language, or a person, announces by this word at the left margin."""


# The text of the grammar, and the words of the language that it holds, grouped by their purpose.
#
# For highlighting, which knows no context: the parser alone knows where a word is a name.


GRAMMAR: Final = Path(__file__).with_name("game.lark")

SHEET: Final = Path(__file__).with_name("sheet.md")
"""The language on one page, in Markdown."""

CONSTANTS: Final = frozenset({"false", "none", "true"})
OPERATORS: Final = frozenset({"and", "in", "is", "not", "or"})

_WORD: Final = r'"([a-z_]+)"'
_ALTERNATIVES: Final = r"(?m)^\?declaration: (.*\n(?: +\|.*\n)*)"
_RULE: Final = r'(?m)^(\w+): +"([a-z_]+)"'
_NAMING: Final = r'(?m)^\w+: +"([a-z_]+)" (?:NAME|value_name|shown_name|shown_value)'


def grammar_text() -> str:
    return GRAMMAR.read_text(encoding="utf-8")


@frozen(eq=False, repr=False)
class Vocabulary(ByValue):
    """The words of the language, each in one group: ``declarations`` are those that begin a line at the left margin,
    ``others`` the rest. Those of ``naming``, which are in one of the groups as well, begin a construct and are followed
    by a name; ``in`` does not count, since it nearly always comes before a set."""

    declarations: tuple[str, ...]
    constants: tuple[str, ...]
    operators: tuple[str, ...]
    types: tuple[str, ...]
    others: tuple[str, ...]
    naming: tuple[str, ...]


@cache
def vocabulary() -> Vocabulary:
    rules = re.sub(r"//.*", "", grammar_text())
    alternatives = re.search(_ALTERNATIVES, rules)
    assert alternatives is not None
    kinds = re.findall(r"\w+", alternatives.group(1))
    declarations = {word for rule, word in re.findall(_RULE, rules) if rule in kinds}
    every = set(re.findall(_WORD, rules))
    others = every - declarations - CONSTANTS - OPERATORS - IN_TYPES
    groups = (declarations, CONSTANTS, OPERATORS, IN_TYPES, others, set(re.findall(_NAMING, rules)) - OPERATORS)
    return Vocabulary(*(tuple(sorted(group)) for group in groups))
