"""The words of the language that cannot name a value.

The lexer knows from the context whether a word is meant as a keyword, so any word may name a move, an outcome, a
phase, a field, a branch of a tree, a choice of a table, or what is told. Not so the name of a value (a variable, local,
parameter, player, type, member of a type, define or action): where a value may stand, these words already mean
something else.
"""

from __future__ import annotations

IN_EXPRESSIONS = frozenset(
    "true false none not and or in is if then else where for while until some all no count sum min max first last "
    "reach other next".split()
)
IN_STATEMENTS = frozenset("let var match layout go end earn tell turn chance together otherwise secret".split())
IN_TYPES = frozenset("set grid hex ring graph edges".split())

RESERVED = IN_EXPRESSIONS | IN_STATEMENTS | IN_TYPES
