"""Words: those that cannot name a value, and those that people bring along from elsewhere.

The lexer knows from the context whether a word is meant as a keyword, so any word may name a move, an outcome, a phase,
a field, a branch of a tree, a choice of a table, or what is told. Not so the name of a value (a variable, local,
parameter, player, type, member of a type, define or action): where a value may stand, ``RESERVED`` words already mean
something.
"""

# ruff: noqa: RUF001 - characters that look like others are what FOREIGN_SIGNS and QUOTES are about

from __future__ import annotations

IN_EXPRESSIONS = frozenset(
    {"true", "false", "none", "not", "and", "or", "in", "is", "if", "then", "else", "where", "for", "while", "until"}
    | {"some", "all", "no", "count", "sum", "min", "max", "first", "last", "reach", "other", "next", "weighted"}
)
IN_STATEMENTS = frozenset(
    {"let", "var", "match", "layout", "go", "end", "earn", "tell", "turn", "chance", "together", "otherwise", "secret"}
)
IN_TYPES = frozenset({"set", "grid", "hex", "ring", "graph", "edges"})

RESERVED = IN_EXPRESSIONS | IN_STATEMENTS | IN_TYPES

FOREIGN_WORDS: dict[str, tuple[str, ...]] = {
    "elif": ("else if",),
    "elsif": ("else if",),
    "elseif": ("else if",),
    "def": ("define", "action"),
    "func": ("define", "action"),
    "function": ("define", "action"),
    "const": ("define",),
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
"""Words of other languages, and what stands for them here; an empty word, where none is needed."""

NOT_NEEDED = {
    "return": "a define is an expression, its value, and a block ends with go or end",
    "while": "there are no loops but `for` over a finite set; to repeat something, go to its phase again",
    "repeat": "there are no loops but `for` over a finite set; to repeat something, go to its phase again",
    "break": "a `for` runs over its whole set; restrict the set, or guard with `if`",
    "continue": "a `for` runs over its whole set; restrict the set, or guard with `if`",
    "pass": "there is no statement that does nothing, and none is needed",
    "import": "a file stands for itself",
    "class": "records are types: type Card = (rank: Rank, suit: Suit)",
    "struct": "records are types: type Card = (rank: Rank, suit: Suit)",
    "print": "what players learn is told: tell p that label(...)",
}
"""Words of other languages that nothing stands for."""

FOREIGN_SIGNS = {
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
    "*=": ":=",
    "/=": "!=",
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
"""Signs of other languages, and those that word processors make, with what stands for them here."""

QUOTES = "'`´‘’‚“”„«»"
"""What people write for ``"``."""

_STATEMENT = "statements stand in a block: in setup, an action, a phase or a move"
_DECLARATION = "a declaration begins at the left margin"

PLACES = {
    "turn": "a turn stands directly in a phase, behind the phase's statements",
    "chance": "chance stands directly in a phase, behind the phase's statements",
    "together": "together stands directly in a phase, behind the phase's statements",
    "otherwise": "otherwise stands directly in a phase, behind its turn, chance or together",
    "move": "moves stand in a turn or in together",
    "outcome": "outcomes stand in chance",
    "then": "then: stands behind the moves of together, in the column of together",
    "else": "else stands directly behind the block of its if, in the column of that if",
    "let": "let stands in a block, before moves and outcomes; at the left margin write define",
    "where": "in a list, an expression with where needs brackets around it",
    **dict.fromkeys(["if", "for", "go", "end", "earn", "tell"], _STATEMENT),
    **dict.fromkeys(
        ["players", "param", "require", "type", "define", "action", "setup", "phase", "claim"], _DECLARATION
    ),
    **dict.fromkeys(["endless", "discount", "feature", "estimate", "unsettled", "legend"], _DECLARATION),
    **dict.fromkeys(["test", "tree", "table"], _DECLARATION),
}
"""Where words belong that stand in the wrong place."""
