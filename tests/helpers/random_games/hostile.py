"""Names for random games that might clash with names in lowered code."""

from __future__ import annotations

import builtins
import keyword
from random import Random
from typing import Final

from zermelo.grammar.words import RESERVED
from zermelo.interpreter.native.dialect.language import WORDS
from zermelo.interpreter.native.dialect.lowered_text import CONSTANTS, FAMILIES, FUNCTIONS

_TAKEN: Final = {"A", "B", "C", "P1", "P2", "P3", "clock", "taken", "few", "q", "r"}
"""Names that random games use anyway."""

_FIXED: Final = (
    # arrays, states and locals of lowered functions
    "S", "L", "M", "W", "R", "K", "T", "m", "n", "p", "k", "x", "h", "w0", "p0", "start", "phase", "found", "best",
    "who", "total", "digest", "stirred", "rule", "made", "site", "none", "_", "__", "__1", "SHARE_1_", "PAYOFF_OVER_1",
    # functions and locals of kernels
    "enter", "alphabeta", "play", "key", "slot_of", "observe", "depth", "stack",
)  # fmt: skip

_STEMS: Final = ("score", "T", "S", "x", "at", "need", "held", "value", "part", "inner", "case", "let", "int", "body")
"""Stems of names that differ only in digits and underscores at the end."""

_SCRIPTS: Final = (
    "ä",
    "ö",
    "é1",
    "\u210c",
    "H",
    "ﬁ",
    "fi",
    "ª",
    "手",
    "牌",
    "кот",
    "Δx",
    "पत्ते",
    "مبلغ",
    "ΑΒΓ",
    "iﬁ",
    "T手",
)
"""Names that differ only in letters beyond ASCII, or are one name to Python, which compares them in normal form KC."""


def hostile_names(random: Random) -> list[str]:
    """Some hundreds of different names, in a random order."""
    names = {*_FIXED, *CONSTANTS, *FUNCTIONS, *WORDS, *keyword.kwlist, *dir(builtins)}
    names |= {f"{family}_{number}" for family in FAMILIES for number in range(2)}
    names |= {f"{stem}{end}" for stem in _STEMS for end in ("", "_", "__", *range(14), *(f"__{k}" for k in range(14)))}
    names |= {*_SCRIPTS, *(f"{stem}{letter}" for stem in _STEMS for letter in "äö手")}
    names |= {f"{stem}_{number}" for stem in _STEMS for number in range(14)}
    allowed = sorted(names - RESERVED - _TAKEN - {name for name in names if name.startswith("__") and name != "__1"})
    random.shuffle(allowed)
    return allowed
