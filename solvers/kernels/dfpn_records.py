"""The records of df-pn (:mod:`.dfpn`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, Call, Context, ints
from zermelo.solvers.kernels.repetition import Watch

NEVER = 1 << 60
"""How many states a player needs who cannot reach their aim any more."""

MANY = 1 << 44
"""The greatest sum."""

NO_MOVE = -1


class Known:
    """What is known of a state: its proof and disproof numbers, and the bounds of its value."""

    proof: int
    disproof: int
    low: int
    high: int


class Outlook:
    """What a state comes to, by what is known behind its moves. The player to move needs least behind move number
    ``best``, and ``second`` behind the next best; ``others`` is what the other player needs in all. A failure ``rests``
    on the position of the path at this depth and those further down; ``NEVER`` if on none."""

    known: Known
    best: int
    second: int
    others: int
    rests: int


class Name:
    """What tells a state from others: the key of its position and what has been earned; in histories its number."""

    key: ints[KEY]
    beside: int


class Entry:
    """What the table knows of a state. The proof numbers belong to a question, the bounds to all; ``work`` is how many
    nodes it took to find that, at least 1 (0: there is no entry). In histories, ``first`` is the number of the state
    behind the first move."""

    name: Name
    known: Known
    question: int
    first: int
    work: int


class Search:
    """A search in progress: what the last state comes to (in the end the root), the move behind which that is looked,
    if it is, and how many states in histories have a number. The ``question`` is the number of what is asked: does the
    first player get ``need``, as far as the ``striver`` can prove? A play that ``goes_round`` ends the search if it is
    not to go on then."""

    rules: Context
    calls: list[Call]
    watch: Watch
    table: list[Entry]
    outlook: Outlook
    question: int
    need: int
    striver: int
    goes_round: bool
    value: Known
    depth: int
    nodes: int
    terminals: int
    hits: int
    seen: int
    numbers: int
