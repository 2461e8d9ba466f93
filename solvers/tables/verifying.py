"""Verifying a table: every value against those of the positions behind it, from the rules and the files alone.

Nothing of what solved the positions is used: no graph, no order of positions, no numbers of edges. Each key is read
back as a position, whose moves are made (:mod:`zermelo.solvers.kernels.expansion`); what they lead to is looked up
among the keys of the table. Then these equations are checked, exactly, for each position and all players:

- Who acts is who the rules say, wherever a move leads there. Whatever a move leads to has a row, unless it is an end.
- Where a player decides, the value is what some move brings, and no move brings that player more.
- Where chance draws, the value is the mean of what the outcomes bring.
- Of the moves that keep the value those who hurry take the nearest to the end, and the others the farthest; the
  distance is one more. As many moves are best as keep the value and, where somebody hurries, that distance.

**What follows.** If plays end, the values are right by induction. If plays may go round and somebody gets more than the
middle, which an endless play pays, distances prove it: they fall with each move of best play, so that those who hurry
come to an end, and those who delay keep to what they are left with as long as it lasts. And in the middle each side
keeps its value by moves that keep it. So in contests without chance all values are proved, if the rules say what
an endless play pays. If they do not, it is not looked into whether a value that the table leaves undefined has to be,
and where moves earn something, too, distances come from two analyses and are not checked. Where chance is in circles
several solutions of the equations may exist, and only that the values are one of them is shown; likewise among three
and more players, where it is one equilibrium of several.

Cost: the keys and values of the table in memory, and one look-up by bisection for each edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final

import numpy
from attrs import define, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.kernels.expansion import expand
from zermelo.solvers.tables.dataset import Key, TableFiles, damaged, key_names
from zermelo.solvers.tables.expanding import Expander, Faulty, Moves
from zermelo.solvers.tables.keys import key_source, sortable
from zermelo.solvers.tables.rows import CHANCE_MOVES, payoff_of

Array = numpy.ndarray[Any, Any]

_NOWHERE: Final = 1 << 40
"""A distance beyond all others, for positions from which best play does not come to an end."""

_SMALL: Final = 1 << 30
"""Numbers up to here may be multiplied with each other in 64 bits."""

_ROW_BYTES: Final = 13
"""The bytes of a row in arrays, beside its key."""


@frozen(eq=False)
class KnownRows:
    """All rows of a table in arrays: the keys in their order, each as one number or, of several words, as text that
    sorts alike; the actors; the numbers of the payoffs, of which ``amounts`` has those of all players over one
    denominator, and ``defined`` tells whether there are any; distances, and numbers of best moves, -1 where there is
    none."""

    words: Array
    keys: Array
    actors: Array
    outcomes: Array
    amounts: Array
    denominator: int
    defined: Array
    distances: Array
    best: Array

    def values(self, places: slice | Array) -> Array:
        """The values of some rows for all players."""
        found: Array = self.amounts[self.outcomes[places]]
        return found

    def is_known(self, places: slice | Array) -> Array:
        """Whether some rows have values."""
        found: Array = self.defined[self.outcomes[places]]
        return found


def read_all(files: TableFiles, players: tuple[str, ...], unit: int, limits: Limits, progress: Progress) -> KnownRows:
    """The rows of a table, each row group compared with its digest. Values are over a multiple of ``unit``.

    Raises ``ZermeloError`` (``damaged-table``, ``out-of-memory``)."""
    count, width = files.rows, files.width
    twice = 1 if width == 1 else 2
    limits.require((_ROW_BYTES + 8 * width * twice) * count, f"the rows of {count:,} positions")
    words = numpy.empty((count, width), "uint64")
    actors, numbers = numpy.empty(count, "int8"), dict[Any, int]()
    distances, best, outcomes = (numpy.empty(count, "int32") for _ in range(3))
    names, first = [*players, CHANCE_MOVES], 0
    for group in files.groups():
        part = slice(first, first + group.num_rows)
        for k, name in enumerate(key_names(width)):
            words[part, k] = group.column(name).to_numpy()
        actors[part] = _actors(group.column("to_move"), names)
        distances[part] = group.column("moves_to_the_end").fill_null(-1).to_numpy()
        best[part] = group.column("best_moves").fill_null(-1).to_numpy()
        outcomes[part] = _outcomes(group, players, numbers)
        first += group.num_rows
        progress(first)
        limits.check({"nodes": first})
    payoffs = [payoff or (Fraction(0),) * len(players) for payoff in numbers]
    denominator = lcm(unit, *(amount.denominator for payoff in payoffs for amount in payoff))
    whole = [[int(amount * denominator) for amount in payoff] for payoff in payoffs]
    is_small = max(denominator, *(abs(number) for row in whole for number in row)) < _SMALL
    amounts = numpy.array(whole, "int64" if is_small else object)
    defined = numpy.array([payoff is not None for payoff in numbers], bool)
    actors[actors == len(players)] = CHANCE
    return KnownRows(words, sortable(words), actors, outcomes, amounts, denominator, defined, distances, best)


def _actors(column: Any, names: list[str]) -> Array:
    """The places of the names in a column."""
    coded = column.combine_chunks().dictionary_encode()
    places = [names.index(name) for name in coded.dictionary.to_pylist()]
    found: Array = numpy.array(places, "int8")[coded.indices.to_numpy()]
    return found


def _outcomes(group: Any, players: tuple[str, ...], numbers: dict[Any, int]) -> Array:
    """For each row of a group the number of its payoff, which is entered if it is a new one; None stands for none."""
    names = [name for name in group.column_names if name.startswith("value_")]
    places = numpy.zeros(group.num_rows, "int64")
    for name in names:
        coded = group.column(name).combine_chunks().dictionary_encode(null_encoding="encode")
        places = places * len(coded.dictionary) + coded.indices.to_numpy(zero_copy_only=False)
        _, places = numpy.unique(places, return_inverse=True)
    _, firsts = numpy.unique(places, return_index=True)
    rows = group.select(names).take(firsts).to_pylist()
    found = [numbers.setdefault(payoff_of(row, players), len(numbers)) for row in rows]
    return numpy.array(found, "int32")[places]


# The equations.


@frozen
class Hurry:
    """Who hurries (:class:`~zermelo.solvers.tables.rows.WhoHurries`): the numbers of the players who want
    ``more``, the ``middle``, whether there ``is_one`` analysis, with which everybody hurries in the middle, and whether
    moves earn something."""

    more: frozenset[int]
    middle: Fraction | None
    is_one: bool
    has_rewards: bool

    def of(self, values: Array, denominator: int, actors: Array) -> tuple[Array, Array]:
        """In which positions the player to move hurries, and which are worth the middle."""
        wants = numpy.isin(actors, list(self.more))
        if self.middle is None:
            return wants, numpy.zeros(len(actors), bool)
        middle = int(self.middle * denominator)
        above, is_middle = values[:, 0] > middle, values[:, 0] == middle
        below = ~above & ~is_middle
        return (wants & above) | (~wants & below) | (is_middle & (wants | self.is_one)), is_middle


@define(eq=False)
class TableVerifier:
    """Verifies the rows of a table with the rules of a ``machine``. ``hurry`` says who hurries, as
    :class:`~zermelo.solvers.tables.rows.WhoHurries` does. Only the rows at these places are ``judged``, by default
    all."""

    machine: LoweredMachine
    images: Images | None
    rows: KnownRows
    hurry: Hurry | None
    limits: Limits
    progress: Progress
    judged: Array | None = None

    def find_flaw(self) -> tuple[int, str] | None:
        """The place of a row that is wrong, and what is wrong with it; None if all is right. Raises ``ZermeloError``
        (``out-of-time``, ``out-of-memory``)."""
        source = key_source(self.images, expand)
        return self.machine.with_room(lambda: self.machine.run(source, self._find_flaw))

    def _find_flaw(self, kernels: Kernels) -> tuple[int, str] | None:
        expander, judged = Expander(self.machine, kernels), slice(None) if self.judged is None else self.judged
        try:
            for made in expander.moves(self.rows.words[judged], self.rows.actors[judged]):
                flaw = JudgedMoves(self, made).flaw()
                if flaw is not None:
                    return flaw
                self.progress(made.first)
                self.limits.check({"nodes": made.first})
        except Faulty as fault:
            return self.place(fault.place), "it stands for no position of the game"
        return None

    def places(self, first: int, count: int) -> slice | Array:
        """The places of so many judged rows."""
        part = slice(first, first + count)
        return part if self.judged is None else self.judged[part]

    def place(self, number: int) -> int:
        """The place of a judged row."""
        return number if self.judged is None else int(self.judged[number])


@frozen(eq=False)
class JudgedMoves:
    """Positions with their moves, by which the rows are judged."""

    verifier: TableVerifier
    moves: Moves

    def flaw(self) -> tuple[int, str] | None:
        """The first flaw; None if there is none."""
        rows, here = self.verifier.rows, self.verifier.places(self.moves.first, self.moves.count)
        empty = numpy.diff(self.moves.firsts) == 0
        if empty.any():
            return self._at(empty, "it has no moves")
        inner = self.moves.kinds != END
        sought = sortable(self.moves.targets[inner])
        places = numpy.minimum(numpy.searchsorted(rows.keys, sought), len(rows.keys) - 1)
        if (lost := rows.keys[places] != sought).any():
            return self._from(lost, inner, "one of its moves leads to a position that has no row")
        if (other := rows.actors[places] != self.moves.kinds[inner]).any():
            return self._from(other, inner, "one of its moves leads to where another one is to move")
        behind = numpy.full(len(self.moves.kinds), -1)
        behind[inner] = places
        return self._wrong_value(here, behind)

    def _at(self, wrong: Array, why: str) -> tuple[int, str]:
        """The flaw of the first of the positions that are wrong."""
        return self.verifier.place(self.moves.first + int(wrong.argmax())), why

    def _from(self, wrong: Array, edges: Array, why: str) -> tuple[int, str]:
        """The flaw of the position that the first wrong edge leaves, among some edges."""
        return self.verifier.place(self.moves.first + int(self.moves.sources[edges][wrong.argmax()])), why

    def _wrong_value(self, here: slice | Array, behind: Array) -> tuple[int, str] | None:
        rows, sources, machine = self.verifier.rows, self.moves.sources, self.verifier.machine
        inner, factor = behind >= 0, machine.discount
        actors, is_known = rows.actors[here], rows.is_known(here)
        if not is_known.all() and (machine.endless() is not None or factor < 1):
            return self._at(~is_known, "it has no value")
        scale = rows.denominator // machine.program.denominator * factor.denominator
        paid = self.moves.paid
        most = max(int(abs(paid).max(initial=0)), 1) * scale
        if rows.amounts.dtype == object or max(most, rows.denominator * factor.denominator) >= _SMALL:
            paid = paid.astype(object)
        later = numpy.where((actors >= 0)[sources] & inner, factor.numerator, factor.denominator)
        values = rows.values(here) * factor.denominator
        worths = paid * scale + (later * inner)[:, None] * rows.values(behind)
        edge_known = ~inner | rows.is_known(behind)
        wrong = self._wrong_means(actors, is_known, values, worths, edge_known)
        if wrong is not None:
            return wrong
        chosen = (actors >= 0) & is_known
        player = numpy.maximum(actors, 0)[sources]
        edges = numpy.arange(len(sources))
        gains = worths[edges, player] - values[sources, player]
        judged = chosen[sources] & edge_known
        if (better := judged & (gains > 0)).any():
            return self._from(better, edges, "a move brings more than its value")
        keep = judged & (worths == values[sources]).all(axis=1)
        if (none := chosen & (numpy.bincount(sources[keep], minlength=len(actors)) == 0)).any():
            return self._at(none, "no move brings its value")
        as_good = numpy.bincount(sources[judged & (gains == 0)], minlength=len(actors))
        return self._wrong_steps(here, behind, chosen, keep, as_good, edge_known)

    def _wrong_means(
        self, actors: Array, is_known: Array, values: Array, worths: Array, edge_known: Array
    ) -> tuple[int, str] | None:
        """Where chance draws and the value is not the mean."""
        draws = (actors == CHANCE) & is_known
        if not draws.any():
            return None
        firsts, weights = self.moves.firsts[:-1], self.moves.weights.astype(object)[:, None]
        judged = draws & numpy.logical_and.reduceat(edge_known, firsts)
        sums = numpy.add.reduceat(weights * worths, firsts, axis=0)
        whole = numpy.add.reduceat(weights, firsts, axis=0)
        wrong = judged & (sums != whole * values).any(axis=1).astype(bool)
        return self._at(wrong, "the mean of what chance brings is not its value") if wrong.any() else None

    def _wrong_steps(
        self, here: slice | Array, behind: Array, chosen: Array, keep: Array, as_good: Array, edge_known: Array
    ) -> tuple[int, str] | None:
        """Where the distance or the number of best moves is wrong."""
        rows, hurry = self.verifier.rows, self.verifier.hurry
        sources, firsts = self.moves.sources, self.moves.firsts[:-1]
        best, distances = rows.best[here], rows.distances[here]
        # Without a worth of endless plays, moves to where no value is defined may be best for who delays.
        too_many = (best > as_good) & (hurry is None or hurry.is_one)
        wrong = numpy.where(chosen, (best < 1) | too_many, best >= 0)
        if wrong.any():
            return self._at(wrong, "the number of its best moves is wrong")
        if hurry is None:
            wrong = distances >= 0
            return self._at(wrong, "it has a distance") if wrong.any() else None
        ahead = numpy.where(behind < 0, 0, rows.distances[behind])
        steps = numpy.where(ahead < 0, _NOWHERE, ahead.astype("int64")) + 1
        nearest = numpy.minimum.reduceat(numpy.where(keep, steps, 2 * _NOWHERE), firsts)
        farthest = numpy.maximum.reduceat(numpy.where(keep, steps, -1), firsts)
        hurries, is_middle = hurry.of(rows.values(here), rows.denominator, rows.actors[here])
        right = numpy.where(hurries, nearest, farthest)
        right = numpy.where(right >= _NOWHERE, -1, right)
        judged = chosen
        if not hurry.is_one:
            judged = chosen & numpy.logical_and.reduceat(edge_known, firsts) & ~hurry.has_rewards
        if (wrong := judged & (distances != right)).any():
            return self._at(wrong, "its distance is not that of its moves")
        if not hurry.is_one:
            return None
        counted = keep & (is_middle[sources] | (steps == distances[sources]))
        count = numpy.bincount(sources[counted], minlength=len(best))
        wrong = chosen & (is_middle | (distances >= 0)) & (count != best)
        return self._at(wrong, "the number of its best moves is wrong") if wrong.any() else None


def verify(
    files: TableFiles,
    machine: LoweredMachine,
    images: Images | None,
    limits: Limits,
    progress: Progress,
    last: Sequence[Key] = (),
) -> None:
    """Verify a table of the game of a machine, but not its positions with the ``last`` keys, behind which it has none.
    Raises ``ZermeloError``: ``damaged-table`` if something in it is wrong, ``out-of-time``, ``out-of-memory``."""
    hurry, unit = None, machine.program.denominator
    players = machine.player_names
    if (record := files.manifest["who_hurries"]) is not None:
        middle = None if record["middle"] is None else Fraction(record["middle"])
        more = frozenset(map(players.index, record["more"]))
        has_rewards = machine.program.layout.earnings is not None
        hurry = Hurry(more, middle, record["in_the_middle"] == "everybody", has_rewards)
        unit = lcm(unit, 1 if middle is None else middle.denominator)
    rows = read_all(files, players, unit, limits, progress)
    flaw = None
    if not (rows.keys[1:] > rows.keys[:-1]).all():
        flaw = 1 + int((rows.keys[1:] <= rows.keys[:-1]).argmax()), "it does not come behind the one before it"
    judged = None
    if last:
        judged = numpy.flatnonzero(~numpy.isin(rows.keys, sortable(numpy.array(last, "uint64"))))
    flaw = flaw or TableVerifier(machine, images, rows, hurry, limits, progress, judged).find_flaw()
    if flaw is not None:
        place, why = flaw
        raise row_is_wrong(files, rows.words[place], why)


def row_is_wrong(files: TableFiles, key: Iterable[int], why: str) -> ZermeloError:
    """The error of a row of which something is wrong."""
    words = ", ".join(f"{name} = {word}" for name, word in zip(key_names(files.width), key, strict=True))
    return damaged(files.folder, f"the row with {words} is wrong: {why}")
