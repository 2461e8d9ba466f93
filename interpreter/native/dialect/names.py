"""The names of lowered text, free of collisions.

======================  =========================================================================================
fixed names             known to machines, kernels and the text itself: the words of the dialect and of Python,
                        :data:`CONSTANTS`, :data:`FUNCTIONS`, and the parameters and names of functions spelled out in
                        the lowering, in one of its ``algorithms`` or in a kernel
names of a family       one for each phase, rule, ...: a stem of :data:`FAMILIES`, an underscore, numbers
fresh names             all others: functions lifted out of expressions, helpers, tables, locals. A stem, two
                        underscores, and a number unique in the text
======================  =========================================================================================

Only stems of fresh names come from a ``.game`` file, whose author is free in choosing them. Whatever the stem, the
digits after the last two underscores of a fresh name are its number. So it differs from every other fresh name, and
from all other names, none of which ends in two underscores and digits.
"""

from __future__ import annotations

import re
from typing import Final

CONSTANTS: Final = frozenset(
    {"CONTEXT", "STATE", "KEY", "PLAYERS", "MOVES", "WORDS", "MOMENT", "PAST", "LONGEST", "WORTH"}
)

FUNCTIONS: Final = frozenset({
    "set_up", "begin", "actor", "moves", "steps", "outcomes", "effects", "apply", "hurry", "settle",
    "settle_behind", "arrive", "leave",
    "payoff", "ended", "earned", "afresh", "is_within_round", "pack", "unpack", "passed", "sample", "drawn",
    "drawn_large", "remember", "moments", "is_same_past", "recorded", "take_reads", "add_reads", "may_read",
    "moved", "observed", "perceive", "perceived", "estimate", "unsettled", "order_key",
    "witnessed", "least_image", "renamed_player",
})  # fmt: skip
"""The functions that a text has at most once, under these names."""

FAMILIES: Final = frozenset({
    "entry", "recall", "actor", "offers", "offered", "moves", "steps", "kept", "any_kept", "proof", "outcomes",
    "otherwise", "then", "sample", "draw",  # of a phase
    "body",  # of a rule
    "audience",  # of a variable
    "rank", "ranked",  # of a kind of sets
})  # fmt: skip

_FRESH: Final = re.compile(r".*__\d+", re.ASCII)
_OF_FAMILY: Final = re.compile(rf"(?:{'|'.join(sorted(FAMILIES))})(?:_\d+)+", re.ASCII)


def fresh(stem: str, number: int) -> str:
    """The fresh name with this number."""
    return f"{stem}__{number}"


def is_fresh(name: str) -> bool:
    """Whether a name has the form of fresh ones."""
    return _FRESH.fullmatch(name) is not None


def is_taken(name: str) -> bool:
    """Whether a name is reserved for the rules of games, so that no kernel may define it."""
    return name in CONSTANTS or is_fixed(name) or is_fresh(name)


def is_fixed(name: str) -> bool:
    """Whether this may be the fixed name of a function."""
    return name in FUNCTIONS or _OF_FAMILY.fullmatch(name) is not None
