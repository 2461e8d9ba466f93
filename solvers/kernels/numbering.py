"""Numbers for rows of words, from 0 on, in the order in which the rows come.

A hash table with open addressing and linear probing (Knuth, The art of computer programming, vol. 3, section 6.4); the
rows lie beside it, in their order, and are compared as a whole. An entry of the table is 0 where there is none, else 1
more than a number, with a *tag* above it: bits of the row's hash, as many as 31 bits leave. So few rows are looked at
in vain, and each takes 4 bytes for its entry, besides the free ones.

The host makes the table longer before it is full: it takes another one, all 0, in which all rows are entered anew.

Cost: a number is found in about one access to the table and one to the rows, which a caller can have brought into the
cache before (``expect_entry``, ``expect_row``).
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half, mix, prefetch


class Numbering:
    """The first ``count`` numbers are taken, each with ``width`` words of ``rows``. In an entry of the table a number
    has ``bits`` bits."""

    rows: list[int]
    table: list[half]
    width: int
    bits: int
    count: int


def hash_row(words: list[int], first: int, width: int) -> int:
    """The hash of a row that begins at ``first``."""
    hash: int = 0
    for k in range(first, first + width):
        hash = mix(hash, words[k])
    return hash


def entry_of(numbering: Numbering, hash: int) -> int:
    """The first entry to look at."""
    return (hash >> 32) * len(numbering.table) >> 31


def tag_of(numbering: Numbering, hash: int) -> int:
    """The bits of a hash that entries hold."""
    return hash & ((1 << (31 - numbering.bits)) - 1)


def expect_entry(numbering: Numbering, hash: int) -> None:
    """A row with this hash will be looked for soon."""
    prefetch(numbering.table[entry_of(numbering, hash)])


def expect_row(numbering: Numbering, hash: int) -> None:
    """A row with this hash will be looked for at once."""
    entry: int = numbering.table[entry_of(numbering, hash)]
    if entry != 0:
        number: int = (entry & ((1 << numbering.bits) - 1)) - 1
        prefetch(numbering.rows[number * numbering.width])


def number_of(numbering: Numbering, words: list[int], first: int, hash: int) -> int:
    """The number of a row that begins at ``first``: the next one, ``count``, if it is new."""
    at: int = entry_of(numbering, hash)
    tag: int = tag_of(numbering, hash)
    entry: int = numbering.table[at]
    while entry != 0:
        if entry >> numbering.bits == tag:
            number: int = (entry & ((1 << numbering.bits) - 1)) - 1
            if is_row(numbering, number, words, first):
                return number
        at = at + 1 if at + 1 < len(numbering.table) else 0
        entry = numbering.table[at]
    numbering.table[at] = tag << numbering.bits | numbering.count + 1
    for k in range(numbering.width):
        numbering.rows[numbering.count * numbering.width + k] = words[first + k]
    numbering.count += 1
    return numbering.count - 1


def is_row(numbering: Numbering, number: int, words: list[int], first: int) -> bool:
    """Whether the row of a number is the one that begins at ``first``."""
    for k in range(numbering.width):
        if numbering.rows[number * numbering.width + k] != words[first + k]:
            return False
    return True


def forget_last(numbering: Numbering, hash: int) -> None:
    """Forget the row with the highest number, which has this hash. Where it stands nothing stood when it was entered:
    so all others are found as before."""
    at: int = entry_of(numbering, hash)
    while numbering.table[at] & ((1 << numbering.bits) - 1) != numbering.count:
        at = at + 1 if at + 1 < len(numbering.table) else 0
    numbering.table[at] = 0
    numbering.count -= 1


def enter_all(numbering: Numbering) -> None:
    """Enter all numbers into a new table."""
    for number in range(numbering.count):
        enter_again(numbering, number)


def enter_again(numbering: Numbering, number: int) -> None:
    """Enter a number into a table that has lost it."""
    hash: int = hash_row(numbering.rows, number * numbering.width, numbering.width)
    at: int = entry_of(numbering, hash)
    while numbering.table[at] != 0:
        at = at + 1 if at + 1 < len(numbering.table) else 0
    numbering.table[at] = tag_of(numbering, hash) << numbering.bits | number + 1
