"""The histories of the positions of a turn, for a search through these in games whose rules look at the history.

The positions of a turn share the history up to the turn's first decision; behind it every one has a branch of its own.
The context holds one history at a time. So what a step adds to it is put into a *pool*, a row of words for each entry,
and a position knows the one that it was reached from, how long its history is, and where in the pool its own rows
begin. Going back along those positions writes a branch into the context again.

Two positions are the same where the rest of the play can tell nothing of how their histories differ, which is what
:meth:`zermelo.interpreter.native.coding.history.History.future` says: ``repeated`` asks for the *set* of earlier
values, so that a turn in which steps can be taken back and forth has no more positions than that, and ``repetitions``
for how often each has been. A digest that does not depend on the order tells most positions apart; where it agrees,
both branches are laid behind each other in the context and compared in full.
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
"""What is added up in a digest, so that sums over a whole history stay within 64 bits."""


_FUNCTIONS: Final = ("begin_branches", "recall", "branch_digest", "same_branch", "keep_branch")


def bytes_for_each(lowering: Lowering) -> int:
    """How much room the history of a position takes, beside its state."""
    return 8 * (3 + 2 * _row(lowering.history)) if lowering.model.history else 0


def branch_functions(lowering: Lowering, positions: int, overflow: int) -> dict[str, int | str]:
    """The functions for the histories of so many positions, where the rules look at histories, and how many words
    these take in all; ``overflow`` is the place in the rules to blame where there is no room for them."""
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
    """A digest of what the rest of the play can tell of entries, and whether it can tell two rows of them apart: one
    place in the rules after the other."""
    text, digest, same = lowering.text, Body(), Body()
    digest.line("h: int = 0")
    for place in lowering.model.history:
        digest.line(f"h = {_functions_of(lowering, place)['digest']}(C, first, n, h)")
    digest.line("return h")
    parts = [f"{_functions_of(lowering, place)['same']}(C, first, n, more) != 0" for place in lowering.model.history]
    same.line(f"return {joined('and', parts)}")
    head = "C: ints[CONTEXT], first: int, n: int"
    return {
        "entries_digest": text.apart("branch_digest", f"({head}) -> int", digest),
        "same_entries": text.apart("same_branch", f"({head}, more: int) -> int", same),
    }


def _functions_of(lowering: Lowering, place: model.Repeated | model.Repetitions) -> Mapping[str, str]:
    """``digest`` and ``same`` for a place in the rules that looks at the history."""
    history, text = lowering.history, lowering.text
    digests, times = history.digests(place.variables), _times(lowering, place)
    if isinstance(place, model.Repeated):
        return instantiate(text, "repeated_branch", DIGESTS=digests, SUMMAND=_SUMMAND, times=times)
    return instantiate(
        text, "repetitions_branch",
        DIGESTS=digests, SUMMAND=_SUMMAND, times=times, FIRST=FIRST, WORDS=history.words, HEAD=history.head,
    )  # fmt: skip


def _times(lowering: Lowering, place: model.Repeated | model.Repetitions) -> str:
    """A function that counts equal entries of the history for a place in the rules that looks at it."""
    history = lowering.history
    first, count = history.parts[place.variables]
    head = 0 if isinstance(place, model.Repeated) else history.head
    return instantiate(
        lowering.text, "equal_entries", FIRST=FIRST, WORDS=history.words, HEAD=head, BEGIN=first, END=first + count
    )["times"]


def _row(history: History) -> int:
    """How many words an entry takes in the pool: its own, and its digests."""
    return history.words + len(history.parts)
