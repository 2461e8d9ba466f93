"""The sequence form as kernels have it: :class:`zermelo.solvers.kernels.sequence_values.Form`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.kernels.sequence_values import Form

Lists = Mapping[str, Sequence[float]]
"""What the lists of a record hold, by their names."""


def flat_form(form: SequenceForm) -> Lists:
    """A game as the lists of the record hold it, those that are worked on all 0."""
    players, count = range(len(form.players)), len(form.leaves[0])
    bases = list(accumulate((len(sequences) for sequences in form.players), initial=0))
    starts = list(accumulate((len(sequences.parents) for sequences in form.players), initial=0))
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
    return {
        "bases": bases,
        "sets": starts,
        "parents": parents,
        "firsts": firsts,
        "ends": ends,
        "rows": rows,
        "others": others,
        "payoffs": payoffs,
        "values": [0.0] * bases[-1],
        "gains": [0.0] * len(players),
    }


def lengths(lists: Lists) -> dict[str, int]:
    """How long the lists of a record are to be."""
    return {name: len(numbers) for name, numbers in lists.items()}


def fill(record: object, lists: Lists) -> None:
    """Put numbers into the lists of a record, which are as long."""
    for name, numbers in lists.items():
        getattr(record, name)[:] = list(numbers)


def by_player(form: Form, column: Sequence[float]) -> list[list[float]]:
    """Numbers for each sequence, player by player."""
    bases = list(form.bases)
    return [list(column[first:end]) for first, end in pairwise(bases)]
