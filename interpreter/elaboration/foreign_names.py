"""Names that other languages have, and how the same is said here."""

from __future__ import annotations

from typing import Final

_OTHER: Final = "the other of two players is written: other p"
_PLAYER: Final = "the player of a phase has a name, such as p in: phase play(p: Player); the other one is: other p"
_CHANCE: Final = "chance draws in a phase of its own: chance: outcome roll(n in 1..6): ..."
_RANGED: Final = "a number has a range, as in 0..10"
_SETS: Final = "there are sets, as in set of 1..6, and tables, as in var x[Cell]: ..."

_HELPS: Final[dict[str, dict[str, str]]] = {
    "name": {
        **dict.fromkeys(("opponent", "enemy", "adversary", "other_player"), _OTHER),
        **dict.fromkeys(("player", "players", "current_player"), _PLAYER),
        **dict.fromkeys(("chance", "nature", "random", "dice", "die", "dealer"), _CHANCE),
    },
    "define or function": {
        **dict.fromkeys(("opponent", "other_player"), _OTHER),
        "range": "the numbers from 1 to 3 are written: 1..3",
        **dict.fromkeys(("len", "length", "card"), "size(S) is the number of members of a set"),
        **dict.fromkeys(
            ("empty", "is_empty"), "a place without a value is found by 'is none', a set without members by '== {}'"
        ),
        **dict.fromkeys(
            ("random", "rand", "randint", "roll", "dice", "choice", "shuffle"),
            _CHANCE,
        ),
    },
    "type": {
        **dict.fromkeys(("int", "integer", "number", "float", "double", "num", "natural"), _RANGED),
        **dict.fromkeys(
            ("string", "str", "text", "char"), "there are no texts; name the values: type Colour = red | green"
        ),
        **dict.fromkeys(("list", "array", "map", "dict", "vector"), _SETS),
    },
}


SAME: Final = {"null": "none", "nil": "none", "none": "none", "true": "true", "false": "false"}
"""Values of other languages that there are here, too, in lower case."""


def help_for(what: str, name: str) -> str:
    """How a thing of this kind with a name of other languages is written here; empty if nothing is known."""
    return _HELPS.get(what, {}).get(name.lower(), "")
