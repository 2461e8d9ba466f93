"""A game in sequence form, laid out so that a processor computes several information sets at once.

The layout, :class:`zermelo.solvers.kernels.counterfactual_regret.Form`, puts up to ``LANES`` information sets of a
player side by side, a *family*. Any sets with the same number of moves can be one, if none leads to another. It is best
if they differ only in what the player holds, and the others cannot tell them apart: then sequences that are side by
side end where the others have the same ones, and each of these is multiplied with a row of payoffs at once. No game
says which sets are alike in that sense. So it is found from the leaves, bottom-up: two sets at the same depth, with the
same number of moves, are *alike* if the same move of both ends at leaves with the same sequences of the others, or
leads to sets that are alike; and so are those that are both alike to a third one.

Top-down, sets that are alike and follow sequences of one row get the lanes of these, so that the weights of the row are
theirs. Few of them are not worth a family: they are put together, as those are that follow sequences of several rows.

Rows of payoffs that are equal are stored once: in liar's dice, whether a bid holds depends on the dice, not on the bids
before it, and so 295 thousand payoffs become some hundred rows. A sequence of which this would take more memory than
its leaves stays outside.

Nothing here changes a result, other than the last bits of sums.

Cost: one visit of every leaf and every sequence for each player.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import define, field

from zermelo.interpreter.native.dialect.words import LANES
from zermelo.solvers.forms.extensive_form import SequenceForm, Sequences
from zermelo.solvers.running.backend import Lists

_WORTHWHILE: Final = 3
"""The fewest sets that are alike for which a family of their own is worthwhile."""

_ENTRIES: Final = 2
"""The fewest leaves for each column, on average, for which columns are worthwhile."""

Column = tuple[int, ...]
"""The sequences of all others at a leaf."""


def bytes_at_leaf(players: int) -> int:
    """The memory that the way to the layout takes for each leaf, about: a column, its place in tables of columns, and
    the entry of an order."""
    return 240 + 8 * players


def lay_out(form: SequenceForm) -> Lists:
    """A game as the lists of the record hold it; the lists that a kernel works on are all 0."""
    layout = _Layout(form)
    layout.place_sequences()
    layout.place_leaves()
    return layout.lists()


def find_alike(sequences: Sequences, ends: Sequence[Sequence[Column]]) -> list[int]:
    """For each information set one that is alike, the same for all that are; ``ends`` are the columns of the leaves at
    which each sequence ends."""
    alike = list(range(len(sequences.parents)))

    def found(i: int) -> int:
        while alike[i] != i:
            alike[i] = i = alike[alike[i]]
        return i

    for level in reversed(levels_of(sequences)):
        first_with: dict[tuple[int, int, Column | int], int] = {}
        for i in level:
            options = sequences.options(i)
            for move, s in enumerate(options):
                goals: list[Column | int] = [*ends[s], *map(found, sequences.behind[s])]
                for goal in goals:
                    other = first_with.setdefault((len(options), move, goal), i)
                    if other != i:
                        alike[found(i)] = found(other)
    return [found(i) for i in range(len(alike))]


def levels_of(sequences: Sequences) -> list[list[int]]:
    """The information sets by how many of the player's own lie before them."""
    depth: list[int] = []
    levels: list[list[int]] = []
    for i, parent in enumerate(sequences.parents):
        before = sequences.set_of(parent)
        depth.append(0 if before < 0 else depth[before] + 1)
        if depth[i] == len(levels):
            levels.append([])
        levels[depth[i]].append(i)
    return levels


@define(eq=False)
class _Layout:
    """The lists in the making. ``places`` are the numbers of the sequences of each player."""

    form: SequenceForm
    places: list[array[int]] = field(factory=list)
    bases: list[int] = field(factory=lambda: [0])
    families: list[int] = field(factory=lambda: [0])
    parents: array[int] = field(factory=lambda: array("i"))
    leads: array[int] = field(factory=lambda: array("i"))
    firsts: array[int] = field(factory=lambda: array("i"))
    ends: array[int] = field(factory=lambda: array("i"))
    columns: array[int] = field(factory=lambda: array("i", [0]))
    others: array[int] = field(factory=lambda: array("i"))
    matrices: array[int] = field(factory=lambda: array("i"))
    payoffs: array[float] = field(factory=lambda: array("d"))
    bounds: list[int] = field(factory=lambda: [0])
    singles: array[int] = field(factory=lambda: array("i"))
    spans: array[int] = field(factory=lambda: array("i", [0]))
    single_others: array[int] = field(factory=lambda: array("i"))
    single_payoffs: array[float] = field(factory=lambda: array("d"))

    # ----------------------------------------------------------- families

    def place_sequences(self) -> None:
        for player, sequences in enumerate(self.form.players):
            root = self.bases[-1]
            places = array("i", [root * LANES] * len(sequences))
            self.places.append(places)
            row = root + 1
            alike = find_alike(sequences, self._ends(player))
            for level in levels_of(sequences):
                for parent, sets in self._families(sequences, level, alike, places):
                    count = len(sequences.options(next(i for i in sets if i is not None)))
                    if parent < 0:
                        parent = -1 - len(self.leads)
                        nothing = root * LANES + 1  # an empty lane
                        self.leads.extend(nothing if i is None else places[sequences.parents[i]] for i in sets)
                    self.parents.append(parent)
                    self.firsts.append(row)
                    self.ends.append(row + count)
                    for lane, i in enumerate(sets):
                        if i is not None:
                            for move, s in enumerate(sequences.options(i)):
                                places[s] = (row + move) * LANES + lane
                    row += count
            self.bases.append(row)
            self.families.append(len(self.parents))

    def _ends(self, player: int) -> list[list[Column]]:
        """The columns of the leaves at which each sequence of a player ends."""
        ends: list[list[Column]] = [[] for _ in range(len(self.form.players[player]))]
        for own, column in zip(self.form.leaves[player], self._columns(player), strict=True):
            ends[own].append(column)
        return ends

    def _columns(self, player: int) -> list[Column]:
        """The sequences of the others at each leaf."""
        others = [leaves for p, leaves in enumerate(self.form.leaves) if p != player]
        return list(zip(*others, strict=True)) if others else [()] * len(self.form.leaves[player])

    def _families(
        self, sequences: Sequences, level: Iterable[int], alike: Sequence[int], places: Sequence[int]
    ) -> Iterator[tuple[int, list[int | None]]]:
        """The families of a level, each as the row that leads to it, or -1, and the sets in its lanes."""
        beside: dict[tuple[int, int, int], list[int]] = defaultdict(list)
        times: dict[tuple[int, int], int] = defaultdict(int)
        for i in level:
            lead = places[sequences.parents[i]]
            turn = times[alike[i], lead]
            times[alike[i], lead] += 1
            beside[alike[i], lead // LANES, turn].append(i)
        by_kind: dict[int, list[int]] = defaultdict(list)
        for (kind, row, _), sets in beside.items():
            if len(sets) < _WORTHWHILE:
                by_kind[kind] += sets
                continue
            lanes: list[int | None] = [None] * LANES
            for i in sets:
                lanes[places[sequences.parents[i]] % LANES] = i
            yield row, lanes
        by_count: dict[int, list[int]] = defaultdict(list)
        for sets in by_kind.values():
            for at in range(0, len(sets), LANES):
                together = sets[at : at + LANES]
                if len(together) < _WORTHWHILE:
                    by_count[len(sequences.options(together[0]))] += together
                else:
                    yield -1, _filled(together)
        for sets in by_count.values():
            for at in range(0, len(sets), LANES):
                yield -1, _filled(sets[at : at + LANES])

    # ------------------------------------------------------------- leaves

    def place_leaves(self) -> None:
        stored: dict[bytes, int] = {}
        for player in range(len(self.form.players)):
            others = [each for p, each in enumerate(self.places) if p != player]
            for row, columns in self._rows(player):
                if sum(map(len, columns.values())) < _ENTRIES * len(columns):
                    self._place_singles(row, columns, others)
                    columns = {}
                matrix = array("d", bytes(8 * LANES * len(columns)))
                for at, (column, by_lane) in enumerate(columns.items()):
                    self.others.extend(of[s] for of, s in zip(others, column, strict=True))
                    for lane, payoff in by_lane.items():
                        matrix[at * LANES + lane] = payoff
                begin = stored.setdefault(matrix.tobytes(), len(self.payoffs) // LANES)
                if begin * LANES == len(self.payoffs):
                    self.payoffs.extend(matrix)
                self.matrices.append(begin)
                self.columns.append(self.columns[-1] + len(columns))
            self.bounds.append(len(self.singles))

    def _rows(self, player: int) -> Iterator[tuple[int, dict[Column, dict[int, float]]]]:
        """The rows of a player, each with the payoffs of its columns by lanes."""
        places = [self.places[player][own] for own in self.form.leaves[player]]
        at_leaves, payoffs, denominator = self._columns(player), self.form.payoffs[player], self.form.denominator
        order = sorted(range(len(places)), key=[place // LANES for place in places].__getitem__)
        at = 0
        for row in range(self.bases[player], self.bases[player + 1]):
            columns: dict[Column, dict[int, float]] = {}
            while at < len(order) and places[leaf := order[at]] // LANES == row:
                by_lane = columns.setdefault(at_leaves[leaf], {})
                lane = places[leaf] % LANES
                by_lane[lane] = by_lane.get(lane, 0.0) + payoffs[leaf] / denominator
                at += 1
            yield row, columns

    def _place_singles(
        self, row: int, columns: dict[Column, dict[int, float]], others: Sequence[Sequence[int]]
    ) -> None:
        """The sequences of a row each by itself."""
        for lane in sorted({lane for by_lane in columns.values() for lane in by_lane}):
            self.singles.append(row * LANES + lane)
            for column, by_lane in columns.items():
                if lane in by_lane:
                    self.single_others.extend(of[s] for of, s in zip(others, column, strict=True))
                    self.single_payoffs.append(by_lane[lane])
            self.spans.append(len(self.single_payoffs))

    def lists(self) -> Lists:
        return {
            "bases": self.bases,
            "families": self.families,
            "parents": self.parents,
            "leads": self.leads,
            "firsts": self.firsts,
            "ends": self.ends,
            "columns": self.columns,
            "others": self.others,
            "matrices": self.matrices,
            "payoffs": self.payoffs,
            "bounds": self.bounds,
            "singles": self.singles,
            "spans": self.spans,
            "single_others": self.single_others,
            "single_payoffs": self.single_payoffs,
            "values": array("d", bytes(8 * LANES * self.bases[-1])),
            "gains": [0.0] * len(self.places),
            "spare": [0.0] * LANES,
            "places": array("i", (place for places in self.places for place in places)),
        }


def _filled(sets: Sequence[int]) -> list[int | None]:
    """Sets in the first lanes."""
    return [*sets, *[None] * (LANES - len(sets))]
