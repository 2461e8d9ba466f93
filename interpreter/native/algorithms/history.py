"""The history of a play and what the rules ask about it: recording it, keeping it for the positions of a turn, and
whether what has been is the same for the rest of the play."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import PAST, Context, Length, State, array, count, ints, mix

FIRST: int  # the offset of the history's entries in the context
WORDS: int  # the words of an entry
MOST: int  # the most entries
HISTORY: int  # the slot of the number of entries
OVERFLOW: int  # the fault site if there are more entries, or rows
GROUPS: int  # the number of groups of values that ``repeated`` looks at
BEGINS: tuple[int, ...]  # where the values of each group begin in an entry
ENDS: tuple[int, ...]  # where they end
READS: int  # the offset of what has been looked for in the context
HEAD: int  # the number of the first words of an entry, those of the phase
BEGIN: int  # where the values that count begin in an entry
DIGESTS: int  # the offset of the digests of its values in the context
END: int  # where the values that count end
LENGTH: int  # the offset of the column of lengths of branches
ROW: int  # the offset of the column of first rows
POOL: int  # the offset of the number of rows; the pool follows
ROWS: int  # the most rows
WIDTH: int  # the words of a row: an entry and its digests
SUMMAND: int  # the mask of the summed bits of a digest


class COUNT(metaclass=Length):
    """The number of the values' words."""


class BRANCHES(metaclass=Length):
    """The length of the array of branches."""


def put_entry(context: Context, state: State, at: int) -> int: ...  # write the state's entry into the context


def put_values(state: State, values: ints[COUNT]) -> int: ...  # the current ones


def entries_digest(context: Context, first: int, end: int) -> int: ...


def same_entries(context: Context, first: int, end: int, more: int) -> int: ...


# Recording the history of a play: an entry for each phase with a decision that is entered.


def remember(context: Context, state: State) -> int:
    """Append an entry, and the digests of its values."""
    count: int = state[HISTORY]
    if count >= MOST:
        if context[0] == 0:
            context[0] = OVERFLOW
        return 0
    at: int = FIRST + count * WORDS
    put_entry(context, state, at)
    for group in range(GROUPS):
        digest: int = 0
        for word in range(BEGINS[group], ENDS[group]):
            digest = mix(digest, context[at + word])
        context[FIRST + MOST * (WORDS + group) + count] = digest
    state[HISTORY] = count + 1
    return 0


# What the rules have looked for in the history of a play.
#
# ``repeated`` and ``repetitions`` look for values. Whatever values the rules have looked for lie in a *subcube*, for
# each group of values: those whose bits are 1 only where the bit of one of them was, and 0 likewise. An entry of the
# history outside of it has not been found by anything. For each word of an entry the context has the bits that have
# been 1, and ``WORDS`` words later those that have been 0; so nothing has been looked for where all of these words are
# 0.
#
# A subcube is little to keep, and it is just what tells moves that cannot be taken back: while the men of an ancestor
# that have moved are nowhere where they stood then, no position below can be that of the ancestor.


def recorded(context: Context, entry: int, word: int) -> int:
    """A word of an entry."""
    return context[FIRST + entry * WORDS + word]


def take_reads(context: Context, past: ints[PAST]) -> int:
    """Write what has been looked for, and forget it."""
    for k in range(2 * WORDS):
        past[k] = context[READS + k]
        context[READS + k] = 0
    return 0


def add_reads(context: Context, past: ints[PAST]) -> int:
    """This has been looked for, too."""
    for k in range(2 * WORDS):
        context[READS + k] = context[READS + k] | past[k]
    return 0


def may_read(context: Context, past: ints[PAST], entry: int) -> int:
    """Whether the values of an entry in some group are in the subcube of those that have been looked for."""
    for group in range(GROUPS):
        if is_within(context, past, entry, group) != 0:
            return 1
    return 0


def is_within(context: Context, past: ints[PAST], entry: int, group: int) -> int:
    """Whether the values of an entry in a group are in the subcube."""
    at: int = FIRST + entry * WORDS
    for word in range(BEGINS[group], ENDS[group]):
        value: int = context[at + word]
        if value & past[word] != value:
            return 0
        if value | past[WORDS + word] != -1:
            return 0
    return 1


# Whether, and how often, the current values have occurred before.


def note(context: Context, values: ints[COUNT]) -> int:
    """Note that some values have been looked for: the bits that are 1 in them, and those that are 0."""
    for word in range(COUNT):
        at: int = READS + BEGIN + word
        context[at] = context[at] | values[word]
        context[at + WORDS] = context[at + WORDS] | values[word] ^ -1
    return 0


def may_occur(context: Context, values: ints[COUNT], entries: int) -> int:
    """Whether one of the first ``entries`` entries has the digest of some values."""
    digest: int = 0
    for word in range(COUNT):
        digest = mix(digest, values[word])
    return count(context, DIGESTS, entries, digest)


def has(context: Context, values: ints[COUNT], entry: int) -> int:
    """Whether an entry has these values."""
    for word in range(COUNT):
        if context[FIRST + entry * WORDS + BEGIN + word] != values[word]:
            return 0
    return 1


def is_same_phase(context: Context, entry: int, other: int) -> int:
    """Whether two entries have the same phase with the same arguments."""
    for word in range(HEAD):
        if context[FIRST + entry * WORDS + word] != context[FIRST + other * WORDS + word]:
            return 0
    return 1


def repeated(context: Context, state: State, entries: int) -> int:
    """Whether one of the first ``entries`` entries has the current values."""
    values = array(COUNT)
    put_values(state, values)
    note(context, values)
    if may_occur(context, values, entries) == 0:
        return 0
    for i in range(entries):
        if has(context, values, i) != 0:
            return 1
    return 0


def repetitions(context: Context, state: State) -> int:
    """The number of entries with the phase of the last one and the current values."""
    entries: int = state[HISTORY]
    values = array(COUNT)
    put_values(state, values)
    note(context, values)
    if may_occur(context, values, entries) == 0:
        return 0
    found: int = 0
    for i in range(entries):
        if has(context, values, i) != 0 and is_same_phase(context, i, entries - 1) != 0:
            found += 1
    return found


# Equality of entries of the history, restricted to the words that one expression of the rules uses.


def times(context: Context, i: int, low: int, high: int) -> int:
    """How many of the entries from ``low`` to ``high`` equal entry i."""
    found: int = 0
    one: int = FIRST + i * WORDS
    for k in range(low, high):
        found += equal(context, one, FIRST + k * WORDS)
    return found


def equal(context: Context, one: int, other: int) -> int:
    """Whether the entries at two offsets are equal."""
    for word in range(HEAD):
        if context[one + word] != context[other + word]:
            return 0
    for word in range(BEGIN, END):
        if context[one + word] != context[other + word]:
            return 0
    return 1


# Whether the rest of a play depends on the same history at two moments of it.
#
# What ``repeated`` looks at is which values the entries before the last one have, and which the last one has. Of two
# moments of one play the later one has all entries of the earlier. So both have the same set of values if the entries
# in between have no value that is new.
#
# Cost: quadratic in the number of entries. Searches ask only where all else is the same.


def is_same_past(context: Context, before: int, now: int) -> int:
    """Whether it is the same after so many entries as ``before``."""
    for group in range(GROUPS):
        if are_equal(context, group, before - 1, now - 1) == 0:
            return 0
        for i in range(before - 1, now - 1):
            if is_among(context, group, i, before - 1) == 0:
                return 0
    return 1


def is_among(context: Context, group: int, entry: int, count: int) -> int:
    """Whether one of the first ``count`` entries has the values of this one."""
    for i in range(count):
        if are_equal(context, group, i, entry) != 0:
            return 1
    return 0


def are_equal(context: Context, group: int, one: int, other: int) -> int:
    """Whether two entries have the same values of a group."""
    for word in range(BEGINS[group], ENDS[group]):
        if context[FIRST + one * WORDS + word] != context[FIRST + other * WORDS + word]:
            return 0
    return 1


# The histories of the positions of a turn (:mod:`zermelo.interpreter.native.rules.decisions`), in an array of numbers.
#
# Each position has three columns: the position it was reached from, the length of its history, and the first of the
# rows that its step has added to the *pool*. The number of rows and the pool follow these columns.


def begin_branches(state: State, branches: ints[BRANCHES]) -> int:
    """Begin with a position."""
    branches[LENGTH] = state[HISTORY]
    branches[POOL] = 0
    return 0


def recall(context: Context, branches: ints[BRANCHES], at: int) -> int:
    """Restore the history of a position in the context."""
    return recall_behind(context, branches, at, 0)


def recall_behind(context: Context, branches: ints[BRANCHES], number: int, further: int) -> int:
    """Write the branch of a position into the context, ``further`` entries behind its own place."""
    at: int = number
    while at != 0:
        first: int = branches[LENGTH + branches[at]]
        for i in range(first, branches[LENGTH + at]):
            one: int = POOL + 1 + (branches[ROW + at] + i - first) * WIDTH
            for word in range(WORDS):
                context[FIRST + (i + further) * WORDS + word] = branches[one + word]
            for word in range(WORDS, WIDTH):
                context[FIRST + word * MOST + i + further] = branches[one + word]
        at = branches[at]
    return 0


def branch_digest(context: Context, there: State, branches: ints[BRANCHES]) -> int:
    """A digest of the history of position ``there``."""
    return entries_digest(context, branches[LENGTH], there[HISTORY])


def same_branch(context: Context, there: State, branches: ints[BRANCHES], other: int) -> int:
    """Whether ``there`` and another position have the same history: both are written to the context, one behind the
    other."""
    more: int = branches[LENGTH + other] - branches[LENGTH]
    if more > MOST - there[HISTORY]:
        return 0
    recall_behind(context, branches, other, there[HISTORY] - branches[LENGTH])
    return same_entries(context, branches[LENGTH], there[HISTORY], more)


def keep_branch(context: Context, there: State, branches: ints[BRANCHES], at: int, found: int) -> int:
    """Keep the history of ``there``, a new position reached from position ``at``; whether there is room."""
    branches[found] = at
    branches[LENGTH + found] = there[HISTORY]
    branches[ROW + found] = branches[POOL]
    for i in range(branches[LENGTH + at], branches[LENGTH + found]):
        if branches[POOL] >= ROWS:
            if context[0] == 0:
                context[0] = OVERFLOW
            return 0
        one: int = POOL + 1 + branches[POOL] * WIDTH
        for word in range(WORDS):
            branches[one + word] = context[FIRST + i * WORDS + word]
        for word in range(WORDS, WIDTH):
            branches[one + word] = context[FIRST + word * MOST + i]
        branches[POOL] = branches[POOL] + 1
    return 1


# The view that ``repeated`` has of a branch: the current values, and the *set* of the earlier ones.


def digest_of_set(context: Context, first: int, end: int, before: int) -> int:
    """The digest ``before``, extended by the entries from ``first`` on regardless of their order."""
    total: int = 0
    for i in range(first, end - 1):
        if count(context, DIGESTS, i, context[DIGESTS + i]) == 0:
            total += context[DIGESTS + i] & SUMMAND
    return mix(mix(before, context[DIGESTS + end - 1]), total)


def same_set(context: Context, first: int, end: int, more: int) -> int:
    """Whether the entries from ``first`` to ``end`` are indistinguishable from the ``more`` entries after them."""
    beyond: int = end + more
    if times(context, end - 1, beyond - 1, beyond) == 0:
        return 0
    for i in range(first, end - 1):
        if times(context, i, 0, first) + times(context, i, end, beyond - 1) == 0:
            return 0
    for i in range(end, beyond - 1):
        if times(context, i, 0, end - 1) == 0:
            return 0
    return 1


# The view that ``repetitions`` has of a branch: how often each pair of phase and values has occurred.


def digest_of_counts(context: Context, first: int, end: int, before: int) -> int:
    """The digest ``before``, extended by the entries from ``first`` on regardless of their order."""
    total: int = 0
    for i in range(first, end):
        entry: int = context[DIGESTS + i]
        for word in range(HEAD):
            entry = mix(entry, context[FIRST + i * WORDS + word])
        total += entry & SUMMAND
    return mix(before, total)


def same_counts(context: Context, first: int, end: int, more: int) -> int:
    """Whether the entries from ``first`` to ``end`` are indistinguishable from the ``more`` entries after them."""
    if end - first != more:
        return 0
    for i in range(first, end):
        if times(context, i, first, end) != times(context, i, end, end + more):
            return 0
    return 1
