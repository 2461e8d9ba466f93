"""Verifying a table: every value against those of the positions behind it, from the rules and the files alone.

Nothing of what solved the positions is used: no graph, no order of positions, no numbers of edges. Each key is read
back as a position, whose moves are made (:mod:`zermelo.solvers.kernels.expansion`); what they lead to is looked up
among the keys of the table. Then these equations are checked, exactly, for each position and all players:

- Who acts is who the rules say, wherever a move leads there. Whatever a move leads to has a row, unless it is an end.
- A value is not defined only where one behind it is not; so where plays end, all are, by induction.
- Where a player decides, the value is what some move brings, and no move brings that player more.
- Where chance draws, the value is the mean of what the outcomes bring.
- To each position, but for those with which the table begins, a move leads.
- Of the moves that keep the value those who hurry take the nearest to the end, and the others the farthest; the
  distance is one more. As many moves are best as keep the value and, where somebody hurries, that distance.

**No more than there is.** A table has every position to which its beginnings lead, by the first of these. If plays end,
it has no other: from any position one comes by the moves that lead there back to a beginning. If plays may go round, a
circle of positions could lead to itself alone; so all rows are then gone through from the beginnings on, if they fit
into memory. If they do not, a forged circle, whose values may be right, is not noticed.

**What follows.** If plays end, the values are right by induction. If plays may go round and somebody gets more than the
middle, which an endless play pays, distances prove it: they fall with each move of best play, so that those who hurry
come to an end, and those who delay keep to what they are left with as long as it lasts. And in the middle each side
keeps its value by moves that keep it. So in contests without chance all values are proved, if the rules say what
an endless play pays. If they do not, it is not looked into whether a value that the table leaves undefined has to be,
and where moves earn something, too, distances come from two analyses and are not checked. Where chance is in circles
several solutions of the equations may exist, and only that the values are one of them is shown; likewise among three
and more players, where it is one equilibrium of several.

Cost: a byte for each row; and as many positions as fit into memory are looked up at a time, by bisection: 33 bytes each
with a key of one word, and 24 more for each other word. If these are all, the moves of each row are made once, or
twice, if plays may go round. Else the table is verified span
by span: the moves of row groups are made until so many positions lie behind them; what the table says of these is found
by reading it once; and the moves are made again, to be judged. So moves are made twice, and the table is read once for
each span; one row group of it is in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from math import lcm
from typing import Any, Final

import numpy
from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, Payoff
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.kernels.expansion import expand
from zermelo.solvers.tables.dataset import Key, TableFiles, damaged, key_names
from zermelo.solvers.tables.expanding import Expander, Faulty, Moves
from zermelo.solvers.tables.keys import key_source, sortable, sortable_kind, words_of
from zermelo.solvers.tables.rows import CHANCE_MOVES, payoff_of

Array = numpy.ndarray[Any, Any]

_NOWHERE: Final = 1 << 40
"""A distance beyond all others, for positions from which best play does not come to an end."""

_SMALL: Final = 1 << 30
"""Numbers up to here may be multiplied with each other in 64 bits."""

_ROW_BYTES: Final = 9
"""The bytes of a row in arrays of those that are looked up, beside its key."""

_PAYOFF_BYTES: Final = 400
"""The bytes of a payoff with its number, where there may be one for each row."""

_NARROW: Final = ("int8", "int16")
"""Columns of values with so few bits that there are few payoffs."""

_SORTED: Final = 3
"""So many times a key is in memory while those that are sought are sorted."""

_LOST: Final = "no play leads to it"
"""What is wrong with a row that is one too many."""

_NOBODY: Final = -100
"""Who acts in a position that has no row."""

Flaw = tuple[Key, str]
"""The key of a row that is wrong, and what is wrong with it."""


# Rows in arrays.


@define(eq=False)
class Payoffs:
    """Different payoffs in the order in which they come up, None for one that is not defined; and in arrays those of
    all players over one ``denominator``, a multiple of ``unit``, and which are ``defined``."""

    players: tuple[str, ...]
    unit: int
    _numbers: dict[Payoff | None, int] = field(factory=dict)
    denominator: int = 1
    amounts: Array = field(factory=lambda: numpy.zeros((0, 0), "int64"))
    defined: Array = field(factory=lambda: numpy.zeros(0, bool))

    def enter(self, group: Any) -> Array:
        """The numbers of the payoffs of a row group."""
        names = [name for name in group.column_names if name.startswith("value_")]
        places = numpy.zeros(group.num_rows, "int64")
        for name in names:
            coded = group.column(name).combine_chunks().dictionary_encode(null_encoding="encode")
            places = places * len(coded.dictionary) + coded.indices.to_numpy(zero_copy_only=False)
            _, places = numpy.unique(places, return_inverse=True)
        _, firsts = numpy.unique(places, return_index=True)
        rows = group.select(names).take(firsts).to_pylist()
        found = [self._numbers.setdefault(payoff_of(row, self.players), len(self._numbers)) for row in rows]
        return numpy.array(found, "int32")[places]

    def complete(self) -> None:
        """Make the arrays, when all payoffs have been entered."""
        payoffs = [payoff or (Fraction(0),) * len(self.players) for payoff in self._numbers]
        self.denominator = lcm(self.unit, *(amount.denominator for payoff in payoffs for amount in payoff))
        whole = [[int(amount * self.denominator) for amount in payoff] for payoff in payoffs]
        is_small = max(self.denominator, *(abs(number) for row in whole for number in row)) < _SMALL
        self.amounts = numpy.array(whole, "int64" if is_small else object)
        self.defined = numpy.array([payoff is not None for payoff in self._numbers], bool)


@frozen(eq=False)
class KnownRows:
    """Rows in the order of their keys, in arrays: the keys, sortable; the actors; the numbers of their ``payoffs``; and
    the distances, -1 where there is none."""

    payoffs: Payoffs
    keys: Array
    actors: Array
    outcomes: Array
    distances: Array

    @classmethod
    def of(cls, group: Any, width: int, payoffs: Payoffs) -> KnownRows:
        """Those of a row group."""
        actors = _actors(group.column("to_move"), [*payoffs.players, CHANCE_MOVES])
        actors[actors == len(payoffs.players)] = CHANCE
        distances = group.column("moves_to_the_end").fill_null(-1).to_numpy().astype("int32")
        return cls(payoffs, _keys(group, width), actors, payoffs.enter(group), distances)

    @classmethod
    def of_nobody(cls, keys: Array, payoffs: Payoffs) -> KnownRows:
        """Rows of these keys before anything is known of them."""
        actors = numpy.full(len(keys), _NOBODY, "int8")
        return cls(payoffs, keys, actors, *(numpy.zeros(len(keys), "int32") for _ in range(2)))

    def put(self, places: Array, others: KnownRows, chosen: Array) -> None:
        """Take over some others' rows."""
        self.actors[places] = others.actors[chosen]
        self.outcomes[places] = others.outcomes[chosen]
        self.distances[places] = others.distances[chosen]

    def values(self, places: slice | Array) -> Array:
        """The values of some rows for all players."""
        found: Array = self.payoffs.amounts[self.outcomes[places]]
        return found

    def is_known(self, places: slice | Array) -> Array:
        """Whether some rows have values."""
        found: Array = self.payoffs.defined[self.outcomes[places]]
        return found


def _keys(group: Any, width: int) -> Array:
    """The keys of a row group, sortable."""
    columns = [group.column(name).to_numpy() for name in key_names(width)]
    return columns[0] if width == 1 else sortable(numpy.stack(columns, axis=1))


def _actors(column: Any, names: list[str]) -> Array:
    """The places of the names in a column."""
    coded = column.combine_chunks().dictionary_encode()
    places = [names.index(name) for name in coded.dictionary.to_pylist()]
    found: Array = numpy.array(places, "int8")[coded.indices.to_numpy()]
    return found


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


@frozen(eq=False)
class JudgedMoves:
    """Positions with their ``moves``, by which their ``rows`` and ``best``, the numbers of best moves, are judged.
    ``behind`` has the rows of all positions to which the moves lead, and those to which one does are marked as
    ``met``."""

    machine: LoweredMachine
    hurry: Hurry | None
    rows: KnownRows
    best: Array
    behind: KnownRows
    met: Array
    moves: Moves

    def flaw(self) -> tuple[int, str] | None:
        """The place of the first flaw, and what it is; None if there is none."""
        here = slice(self.moves.first, self.moves.first + self.moves.count)
        empty = numpy.diff(self.moves.firsts) == 0
        if empty.any():
            return self._at(empty, "it has no moves")
        inner, there = self.moves.kinds != END, self.behind
        sought = sortable(self.moves.targets[inner])
        places = numpy.minimum(numpy.searchsorted(there.keys, sought), len(there.keys) - 1)
        if (lost := (there.keys[places] != sought) | (there.actors[places] == _NOBODY)).any():
            return self._from(lost, inner, "one of its moves leads to a position that has no row")
        if (other := there.actors[places] != self.moves.kinds[inner]).any():
            return self._from(other, inner, "one of its moves leads to where another one is to move")
        self.met[places] = True
        return self._wrong_value(here, inner, places)

    def _at(self, wrong: Array, why: str) -> tuple[int, str]:
        """The flaw of the first of the positions that are wrong."""
        return self.moves.first + int(wrong.argmax()), why

    def _from(self, wrong: Array, edges: Array, why: str) -> tuple[int, str]:
        """The flaw of the position that the first wrong edge leaves, among some edges."""
        return self.moves.first + int(self.moves.sources[edges][wrong.argmax()]), why

    def _wrong_value(self, here: slice, inner: Array, places: Array) -> tuple[int, str] | None:
        rows, sources, machine = self.rows, self.moves.sources, self.machine
        payoffs, factor = rows.payoffs, machine.discount
        actors, is_known = rows.actors[here], rows.is_known(here)
        if not is_known.all() and (machine.endless() is not None or factor < 1):
            return self._at(~is_known, "it has no value")
        scale = payoffs.denominator // machine.program.denominator * factor.denominator
        paid = self.moves.paid
        most = max(int(abs(paid).max(initial=0)), 1) * scale
        if payoffs.amounts.dtype == object or max(most, payoffs.denominator * factor.denominator) >= _SMALL:
            paid = paid.astype(object)
        values = rows.values(here) * factor.denominator
        later = numpy.where(actors[sources[inner]] >= 0, factor.numerator, factor.denominator)
        worths, edge_known = paid * scale, ~inner
        behind, is_exchanged = self.behind.values(places), self.moves.exchanged[inner]
        if is_exchanged.any():
            behind = numpy.where(is_exchanged[:, None], behind[:, ::-1], behind)
        worths[inner] += later[:, None] * behind
        edge_known[inner] = self.behind.is_known(places)
        if (undefined := ~is_known & numpy.logical_and.reduceat(edge_known, self.moves.firsts[:-1])).any():
            return self._at(undefined, "it has no value, though all that its moves lead to have one")
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
        return self._wrong_steps(here, self._steps(inner, places), chosen, keep, as_good, edge_known)

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

    def _steps(self, inner: Array, places: Array) -> Array:
        """The distances by the moves."""
        steps, ahead = numpy.ones(len(inner), "int64"), self.behind.distances[places].astype("int64")
        steps[inner] += numpy.where(ahead < 0, _NOWHERE, ahead)
        return steps

    def _wrong_steps(
        self, here: slice, steps: Array, chosen: Array, keep: Array, as_good: Array, edge_known: Array
    ) -> tuple[int, str] | None:
        """Where the distance or the number of best moves is wrong."""
        rows, hurry = self.rows, self.hurry
        sources, firsts = self.moves.sources, self.moves.firsts[:-1]
        best, distances = self.best[here], rows.distances[here]
        # Without a worth of endless plays, moves to where no value is defined may be best for who delays.
        too_many = (best > as_good) & (hurry is None or hurry.is_one)
        wrong = numpy.where(chosen, (best < 1) | too_many, best >= 0)
        if wrong.any():
            return self._at(wrong, "the number of its best moves is wrong")
        if hurry is None:
            wrong = distances >= 0
            return self._at(wrong, "it has a distance") if wrong.any() else None
        nearest = numpy.minimum.reduceat(numpy.where(keep, steps, 2 * _NOWHERE), firsts)
        farthest = numpy.maximum.reduceat(numpy.where(keep, steps, -1), firsts)
        hurries, is_middle = hurry.of(rows.values(here), rows.payoffs.denominator, rows.actors[here])
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


# Going through a table.


@define(eq=False)
class TableVerifier:
    """Verifies the rows of a table with the rules of a ``machine``, and values over a multiple of ``unit``. ``hurry``
    says who hurries, as :class:`~zermelo.solvers.tables.rows.WhoHurries` does. It begins at positions with the keys
    ``roots``, after which plays ``may_go_round``; if there are none, it does not matter which rows it has. Rows with
    the keys ``last``, behind which the table has none, are not judged. If it is said what is ``decisive``, the table
    has no positions that only come up behind other moves of decided positions: there the value is the most that any
    play can pay those to move, whatever their other moves bring."""

    files: TableFiles
    machine: LoweredMachine
    images: Images | None
    hurry: Hurry | None
    unit: int
    roots: Array
    may_go_round: bool
    last: Array
    decisive: Sequence[int]
    limits: Limits
    progress: Progress
    _judged: int = 0
    _met: Array = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._met = numpy.zeros(self.files.rows, bool)

    def find_flaw(self) -> Flaw | None:
        """The first row that is wrong; None if all is right. Raises ``ZermeloError`` (``damaged-table``,
        ``out-of-time``)."""
        source = key_source(self.images, expand)
        return self._misplaced() or self.machine.with_room(lambda: self.machine.run(source, self._find_flaw))

    def _misplaced(self) -> Flaw | None:
        """A row that does not come behind the one before it."""
        before = numpy.empty(0, sortable_kind(self.files.width))
        for keys in self._keys():
            keys = numpy.concatenate([before, keys])
            if (wrong := keys[1:] <= keys[:-1]).any():
                return self._flaw(keys, 1 + int(wrong.argmax()), "it does not come behind the one before it")
            before = keys[-1:]
        return None

    def _find_flaw(self, kernels: Kernels) -> Flaw | None:
        expander, end = Expander(self.machine, kernels, self.decisive), 0
        is_whole = self._most >= self.files.rows
        self._judged = 0
        while (first := end) < self.files.group_count:
            payoffs = Payoffs(self.machine.player_names, self.unit)
            if is_whole:
                end, sought = self.files.group_count, numpy.concatenate(list(self._keys()))
            else:
                end, sought = self._keys_behind(expander, first, payoffs)
            behind = self._rows_of(sought, payoffs, numpy.zeros(0, bool) if is_whole else self._met)
            met = self._met if is_whole else numpy.zeros(len(sought), bool)
            payoffs.complete()
            for group in map(self._to_judge, self._groups(first, end)):
                rows = KnownRows.of(group, self.files.width, payoffs)
                if (flaw := self._flaw_of(expander, rows, group.column("best_moves"), behind, met)) is not None:
                    return self._flaw(rows.keys, *flaw)
                self._judged += group.num_rows
        if not len(self.roots):
            return None
        return self._unmet() or (self._unreached(expander, behind) if is_whole and self.may_go_round else None)

    def _unmet(self) -> Flaw | None:
        """A row to which no move leads, and with which the table does not begin."""
        first = 0
        for keys in self._keys():
            lost = ~self._met[first : first + len(keys)] & ~numpy.isin(keys, self.roots)
            if lost.any():
                return self._flaw(keys, int(lost.argmax()), _LOST)
            first += len(keys)
        return None

    def _unreached(self, expander: Expander, rows: KnownRows) -> Flaw | None:
        """A row to which no play leads, among all, whose moves lead to one another."""
        reached = numpy.isin(rows.keys, self.roots)
        waiting = numpy.flatnonzero(reached)
        while len(waiting):
            fresh = []
            for made in expander.moves(words_of(rows.keys[waiting], self.files.width), rows.actors[waiting]):
                there = numpy.searchsorted(rows.keys, sortable(made.targets[made.kinds != END]))
                fresh.append(numpy.unique(there[~reached[there]]))
                self.limits.check({"nodes": self._judged})
            waiting = _united(fresh)
            reached[waiting] = True
        return None if reached.all() else self._flaw(rows.keys, int(reached.argmin()), _LOST)

    def _flaw_of(
        self, expander: Expander, rows: KnownRows, best: Any, behind: KnownRows, met: Array
    ) -> tuple[int, str] | None:
        """The place of the first flaw among some rows, and what it is."""
        counts = best.fill_null(-1).to_numpy()
        try:
            for made in expander.moves(words_of(rows.keys, self.files.width), rows.actors):
                flaw = JudgedMoves(self.machine, self.hurry, rows, counts, behind, met, made).flaw()
                if flaw is not None:
                    return flaw
        except Faulty as fault:
            return fault.place, "it stands for no position of the game"
        return None

    def _flaw(self, keys: Array, place: int, why: str) -> Flaw:
        (words,) = words_of(keys[place : place + 1], self.files.width)
        return tuple(map(int, words)), why

    def _to_judge(self, group: Any) -> Any:
        """The rows of a row group that are judged."""
        return group.filter(~numpy.isin(_keys(group, self.files.width), self.last)) if len(self.last) else group

    def _keys(self) -> Iterator[Array]:
        """The keys of all row groups."""
        for group in self._groups(columns=key_names(self.files.width)):
            yield _keys(group, self.files.width)

    def _groups(self, first: int = 0, end: int | None = None, columns: list[str] | None = None) -> Iterator[Any]:
        """Row groups, each compared with its digest, as long as there is time."""
        for group in self.files.groups(first, end, columns):
            self.progress(self._judged)
            self.limits.check({"nodes": self._judged})
            yield group

    # ------------------------------------------------------------ what lies behind some rows

    @property
    def _most(self) -> int:
        """The positions that can be looked up together."""
        schema = next(self.files.groups(0, 1)).schema
        is_narrow = all(str(schema.field(name).type) in _NARROW for name in schema.names if name.startswith("value_"))
        each = 8 * self.files.width * _SORTED + _ROW_BYTES + (0 if is_narrow else _PAYOFF_BYTES)
        return max(0, self.limits.free - self.files.rows) // each

    def _keys_behind(self, expander: Expander, first: int, payoffs: Payoffs) -> tuple[int, Array]:
        """Where a span of row groups ends that begins with the ``first``: when as many positions lie behind it as can
        be looked up together; and the keys of these, sorted. The payoffs of the span are entered."""
        width, most, end = self.files.width, self._most, first
        sought = numpy.empty(0, sortable_kind(width))
        fresh: list[Array] = []
        for group in map(self._to_judge, self._groups(first)):
            rows = KnownRows.of(group, width, payoffs)
            with suppress(Faulty):  # which is told when the row is judged
                for made in expander.moves(words_of(rows.keys, width), rows.actors):
                    fresh.append(numpy.unique(sortable(made.targets[made.kinds != END])))
            end += 1
            if len(sought) + sum(map(len, fresh)) >= most:
                sought, fresh = _united([sought, *fresh]), []
                if 4 * len(sought) > 3 * most:
                    break
        return end, _united([sought, *fresh])

    def _rows_of(self, sought: Array, payoffs: Payoffs, met: Array) -> KnownRows:
        """The rows of sorted keys, which are marked as ``met``, unless that is empty."""
        found, before = KnownRows.of_nobody(sought, payoffs), 0
        for group in self._groups():
            keys = _keys(group, self.files.width)
            first = int(numpy.searchsorted(sought, keys[:1])[0])
            end = int(numpy.searchsorted(sought, keys[-1:], "right")[0])
            places = numpy.searchsorted(keys, sought[first:end])
            is_there = keys[places] == sought[first:end]
            if is_there.any():
                rows = KnownRows.of(group, self.files.width, payoffs)
                found.put(first + numpy.flatnonzero(is_there), rows, places[is_there])
                if len(met):
                    met[before + places[is_there]] = True
            before += len(keys)
        return found


def _united(parts: Sequence[Array]) -> Array:
    """All different keys of some arrays, sorted."""
    whole = numpy.concatenate(parts)
    whole.sort()
    is_first = numpy.ones(len(whole), bool)
    is_first[1:] = whole[1:] != whole[:-1]
    return whole[is_first]


def verify(
    files: TableFiles,
    machine: LoweredMachine,
    images: Images | None,
    limits: Limits,
    progress: Progress,
    roots: Sequence[Key] = (),
    may_go_round: bool = True,
    last: Sequence[Key] = (),
    decisive: Sequence[int] = (),
) -> None:
    """Verify a table of the game of a machine that begins at positions with the keys ``roots``, after which plays
    ``may_go_round``; or a part of one, but not its positions with the ``last`` keys, behind which it has none; or one
    without missed wins, by what is ``decisive``. Raises ``ZermeloError``: ``damaged-table`` if something in it is
    wrong, ``out-of-time``."""
    hurry, unit = None, machine.program.denominator
    if (record := files.manifest["who_hurries"]) is not None:
        middle = None if record["middle"] is None else Fraction(record["middle"])
        more = frozenset(map(machine.player_names.index, record["more"]))
        has_rewards = machine.program.layout.earnings is not None
        hurry = Hurry(more, middle, record["in_the_middle"] == "everybody", has_rewards)
        unit = lcm(unit, 1 if middle is None else middle.denominator)
    begun, unjudged = (sortable(numpy.array(keys, "uint64").reshape(len(keys), files.width)) for keys in (roots, last))
    flaw = TableVerifier(
        files, machine, images, hurry, unit, begun, may_go_round, unjudged, decisive, limits, progress
    ).find_flaw()
    if flaw is not None:
        raise row_is_wrong(files, *flaw)


def row_is_wrong(files: TableFiles, key: Iterable[int], why: str) -> ZermeloError:
    """The error of a row of which something is wrong."""
    words = ", ".join(f"{name} = {word}" for name, word in zip(key_names(files.width), key, strict=True))
    return damaged(files.folder, f"the row with {words} is wrong: {why}")
