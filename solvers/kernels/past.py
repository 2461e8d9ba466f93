"""On what of the past of a position its value rests, where the rules look at the history of the play.

There what is found for a position need not hold for the same position after another play (the *graph-history
interaction*: Campbell, "The graph-history interaction: on ignoring position history", 1985; Kishimoto and Müller, "A
general solution to the graph history interaction problem", AAAI 2004). To tell positions apart by their whole histories
is sound, and useless: moves made in another order leave another history. But a search below a position reads little of
what has been before it: the rules look for some values among those of the past, and what they find is all that they
know of it. So an entry of a table keeps

- what the rules have looked for below the position, or a little more (``may_read``), and
- the entries of its history that this can be, and the last one, which is the present moment for the rules until there
  is another: its *past*.

It counts for another play to the position if the same part of that play's history is the same, one after the other.

Why that is sound. What a search has found for a position follows from the tree that it has searched below it. The same
tree, move for move, is below the position after the other play: by induction from the root down, two states that
correspond have the same variables, so the rules look for the same values in both histories; these values are found as
often in both parts of the past by what an entry is compared with, and as often below the position since the play there
is the same; so the same moves are legal, and lead to states that correspond. Horizons and orders of moves, which may
look at the history, too, are part of the tree. What a value rests on that has been taken from a table has been read
below this position as well (``add_reads``). That more is said to be looked for than was costs hits only.

Entries of histories stand in a list of words, one behind the other, and write over the oldest. A past that has been
written over is no past of anything, and is none again when the list has grown: ``oldest`` never falls.

Invariant: what the rules have read since the innermost position on the path was entered is in the context; what they
have read before, below each position further up, is with that position.

Cost: for a position that is in the table, one look at each entry of the history.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import MOMENT, PAST, Context, State, ints, may_read, moments, recorded


class Pasts:
    """Words of entries of histories, how many have been written in all, and the number of the oldest one that has not
    been written over. The length of the list is a power of 2, or 0 where the rules do not look at the history."""

    words: list[int]
    written: int
    oldest: int


def keep(pasts: Pasts, rules: Context, state: State, past: ints[PAST]) -> bool:
    """Write the past of a state, given what has been looked for; whether there is room for it."""
    count: int = 0
    for i in range(moments(state)):
        count += belongs(rules, state, past, i)
    past[PAST - 2], past[PAST - 1] = pasts.written, count
    if count * MOMENT > len(pasts.words):
        return False
    for i in range(moments(state)):
        if belongs(rules, state, past, i):
            for k in range(MOMENT):
                pasts.words[place_in(pasts, pasts.written)] = recorded(rules, i, k)
                pasts.written += 1
    pasts.oldest = max(pasts.oldest, pasts.written - len(pasts.words))
    return True


def is_past_of(pasts: Pasts, rules: Context, state: State, past: ints[PAST]) -> bool:
    """Whether what rests on this past holds for a state; always where keys tell the past."""
    if PAST > 0:
        return is_past_behind(pasts, rules, state, past)
    return True


def is_past_behind(pasts: Pasts, rules: Context, state: State, past: ints[PAST]) -> bool:
    """Whether the part of a state's history that this past can be is this past."""
    first: int = past[PAST - 2]
    count: int = past[PAST - 1]
    if first < pasts.oldest:
        return False
    found: int = 0
    for i in range(moments(state)):
        if belongs(rules, state, past, i):
            if not is_kept(pasts, rules, first + found * MOMENT, i):
                return False
            found += 1
    return found == count


def belongs(rules: Context, state: State, past: ints[PAST], entry: int) -> bool:
    """Whether an entry of a state's history is of its past, given what has been looked for."""
    return entry == moments(state) - 1 or may_read(rules, past, entry) != 0


def is_kept(pasts: Pasts, rules: Context, first: int, entry: int) -> bool:
    """Whether the words from the first on are those of an entry of the history."""
    for k in range(MOMENT):
        if pasts.words[place_in(pasts, first + k)] != recorded(rules, entry, k):
            return False
    return True


def place_in(pasts: Pasts, number: int) -> int:
    """Where the word of a number stands."""
    return number & len(pasts.words) - 1


def spread_pasts(pasts: Pasts, before: int) -> None:
    """The list has grown: words stand where they stood in one of ``before`` words. Each goes where it belongs; both
    lengths are powers of 2, so none goes where another one stood."""
    for number in range(pasts.oldest, pasts.written):
        pasts.words[place_in(pasts, number)] = pasts.words[number & before - 1]
