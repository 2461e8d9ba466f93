"""The histories of the positions of a turn, for a search through these in games whose rules use the history.

The positions of a turn share the history up to the turn's first decision; after it, each has a branch of its own. The
context holds one history at a time. So the entries added by a step are kept in a *pool*, a row of words each, and a
position has its predecessor, the length of its history, and its first row in the pool. Following the predecessors
restores a branch in the context.

Two positions are equal if their histories have the same
:meth:`~zermelo.interpreter.native.coding.history.History.future`: for ``repeated`` the *set* of earlier values, so that
steps back and forth add no positions without end, for ``repetitions`` the number of occurrences of each. An
order-independent digest tells most positions apart; if it agrees, both branches are written to the context, one behind
the other, and compared in full.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.native.coding.history import FIRST, MOST_ENTRIES, History
from zermelo.interpreter.native.dialect.nesting import joined
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.lowering import Lowering

_SUMMAND: Final = (1 << 48) - 1
"""The mask of the summed bits of a digest: sums over a whole history stay within 64 bits."""


_FUNCTIONS: Final = ("begin_branches", "recall", "branch_digest", "same_branch", "keep_branch")


def bytes_for_each(lowering: Lowering) -> int:
    """The bytes for the history of a position, besides its state."""
    return 8 * (3 + 2 * _row(lowering.history)) if lowering.model.history else 0


def branch_functions(lowering: Lowering, positions: int, overflow: int) -> dict[str, int | str]:
    """The functions for the histories of so many positions, in games whose rules use the history, and the words that
    these take in all; ``overflow`` is the fault site if they are full."""
    history, text = lowering.history, lowering.text
    if not lowering.model.history:
        return {"BRANCHES": 1}
    assert lowering.layout.history is not None
    width, rows = _row(history), 2 * positions
    words = 3 * positions + 1 + rows * width
    functions = instantiate(
        text, "branches",
        BRANCHES=words, LENGTH=positions, ROW=2 * positions, COUNT=3 * positions, ROWS=rows,
        WIDTH=width, WORDS=history.words, FIRST=FIRST, MOST=MOST_ENTRIES, HISTORY=lowering.layout.history,
        OVERFLOW=overflow, **_entries_functions(lowering),
    )  # fmt: skip
    return {"BRANCHES": words, **{name: functions[name] for name in _FUNCTIONS}}


def _entries_functions(lowering: Lowering) -> dict[str, str]:
    """``entries_digest``, of the view that the rest of the play has of a branch, and ``same_entries``, whether two
    branches have the same view: for each expression of the rules that uses the history."""
    text, digest = lowering.text, Body()
    digest.line("h: int = 0")
    for place in lowering.model.history:
        digest.line(f"h = {_functions_of(lowering, place)['digest']}(C, first, n, h)")
    parts = [f"{_functions_of(lowering, place)['same']}(C, first, n, more) != 0" for place in lowering.model.history]
    head = "C: ints[CONTEXT], first: int, n: int"
    return {
        "entries_digest": text.apart("branch_digest", f"({head}) -> int", digest, "h"),
        "same_entries": text.apart("same_branch", f"({head}, more: int) -> int", Body(), joined("and", parts)),
    }


def _functions_of(lowering: Lowering, place: model.Repeated | model.Repetitions) -> Mapping[str, str]:
    """``digest`` and ``same`` for an expression that uses the history."""
    history, text = lowering.history, lowering.text
    digests, times = history.digests(place.variables), _times(lowering, place)
    if isinstance(place, model.Repeated):
        return instantiate(text, "repeated_branch", DIGESTS=digests, SUMMAND=_SUMMAND, times=times)
    return instantiate(
        text, "repetitions_branch",
        DIGESTS=digests, SUMMAND=_SUMMAND, times=times, FIRST=FIRST, WORDS=history.words, HEAD=history.head,
    )  # fmt: skip


def _times(lowering: Lowering, place: model.Repeated | model.Repetitions) -> str:
    """The function that counts entries of the history that are equal for an expression."""
    history = lowering.history
    first, count = history.parts[place.variables]
    head = 0 if isinstance(place, model.Repeated) else history.head
    return instantiate(
        lowering.text, "equal_entries", FIRST=FIRST, WORDS=history.words, HEAD=head, BEGIN=first, END=first + count
    )["times"]


def _row(history: History) -> int:
    """The words of an entry in the pool: its own and its digests."""
    return history.words + len(history.parts)
