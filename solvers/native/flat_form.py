"""The sequence form in the arrays that kernels work on; ``solvers/kernels/sequence_values.py`` says what they hold."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from zermelo.interpreter.native.running.plain_kernels import Array, PlainKernels
from zermelo.solvers.forms.sequence_form import SequenceForm


class FlatForm:
    """``sets`` are the arrays about sequences and information sets, and ``leaves`` those about leaves; ``sizes`` are
    the numbers of players, sets and sequences, then those of leaves and of others' sequences at leaves, counted for
    every player. The sequences of player p begin at ``bases[p]``."""

    def __init__(self, form: SequenceForm, kernels: PlainKernels) -> None:
        self.kernels = kernels
        players, count = range(len(form.players)), len(form.leaves[0])
        self.bases = bases = list(accumulate((len(sequences) for sequences in form.players), initial=0))
        starts = accumulate((len(sequences.parents) for sequences in form.players), initial=0)
        parents: list[int] = []
        firsts: list[int] = []
        ends: list[int] = []
        rows = [0]
        others: list[int] = []
        payoffs: list[float] = []
        for p, (base, sequences) in enumerate(zip(bases, form.players, strict=False)):
            parents += (base + s for s in sequences.parents)
            firsts += (base + s for s in sequences.firsts[:-1])
            ends += (base + s for s in sequences.firsts[1:])
            own = form.leaves[p]
            order = sorted(range(count), key=own.__getitem__)
            theirs = [(form.leaves[q], bases[q]) for q in players if q != p]
            payoffs += (form.payoffs[p][leaf] / form.denominator for leaf in order)
            others += (column[leaf] + start for leaf in order for column, start in theirs)
            at = [0] * len(sequences)
            for s in own:
                at[s] += 1
            rows += accumulate(at[1:], initial=rows[-1] + at[0])
        self.sets = tuple(map(self.numbers, (bases, starts, parents, firsts, ends)))
        self.leaves = (self.numbers(rows), self.numbers(others), self.floats(payoffs))
        self.sizes = (len(form.players), len(parents), bases[-1], len(payoffs), len(others))
        self._values = kernels.floats(bases[-1])
        self._gains = kernels.floats(len(form.players))

    def numbers(self, values: Iterable[int]) -> Array:
        """An array of these numbers."""
        listed = list(values)
        numbers = self.kernels.numbers(len(listed))
        numbers[:] = listed
        return numbers

    def floats(self, values: list[float]) -> Array:
        """An array of these numbers in floating point."""
        floats = self.kernels.floats(len(values))
        floats[:] = values
        return floats

    def column(self) -> Array:
        """An array with a number in floating point for each sequence."""
        return self.kernels.floats(self.bases[-1])

    def by_player(self, column: Array) -> list[list[float]]:
        """What such an array holds, player by player."""
        return [list(column[first:end]) for first, end in zip(self.bases, self.bases[1:], strict=False)]

    def gains(self, plans: Array) -> list[float]:
        """What a best response brings each player more than ``plans``; by the kernel ``responses``."""
        arrays = (*self.sets, *self.leaves, plans, self._values, self._gains)
        self.kernels.call_by_name("responses", *arrays, *self.sizes)
        return list(self._gains)
