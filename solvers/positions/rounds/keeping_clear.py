"""Steps in which a side keeps clear of positions of which nothing is known.

Some circles cannot be enclosed, or what is earned there has no total. If one side has a way to play that leads there by
no reply of the other and by no draw of chance, then what it guarantees by that is a bound, whatever such positions are
worth: the other ways are left out, and what remains is a game of its own, in which the side is not better off. If it
has no such way, that is not known to be bounded itself: it is as though those positions were infinitely bad for the
side. This is done for both sides, and only a position that has both bounds has a number.

A way that is left out may be the better one, but only if what is not known turns out well.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from attrs import evolve, frozen

from zermelo.solvers.positions.rounds.matrix_game import Mixture
from zermelo.solvers.positions.rounds.stochastic_game import BOTH, Mixing, Step


@frozen
class Clear:
    """What is left of a ``whole`` step: the ``options`` of a side by which it keeps clear, its ways, rows or columns;
    None if all are left."""

    whole: Step
    step: Step
    options: tuple[int, ...] | None = None

    def widened(self, choice: Mixing, side: int) -> Mixing:
        """A choice in the part as one in the whole step."""
        if self.options is None:
            return choice
        columns = self.whole.columns
        if self.whole.sign == BOTH and side < 0:
            return evolve(choice, columns=_spread(choice.columns, self.options, columns))
        return evolve(choice, rows=_spread(choice.rows, self.options, len(self.whole.ways) // columns))


def clear(step: Step, known: Collection[int], side: int) -> Clear | None:
    """What is left of a step if a side takes no way that may lead to positions other than the ``known`` ones; None if
    it cannot help it."""
    is_safe = [there in known for _, _, there in step.ways]
    if all(is_safe):
        return Clear(step, step)
    if step.sign in (0, -side):
        return None
    columns, rows = step.columns, len(step.ways) // step.columns
    if step.sign == BOTH and side < 0:
        options = tuple(j for j in range(columns) if all(is_safe[j::columns]))
        ways = [i * columns + j for i in range(rows) for j in options]
        columns = len(options)
    else:
        options = tuple(i for i in range(rows) if all(is_safe[i * columns : (i + 1) * columns]))
        ways = [i * columns + j for i in options for j in range(columns)]
    if not options:
        return None
    part = evolve(step, ways=[step.ways[k] for k in ways], edges=[step.edges[k] for k in ways], columns=columns)
    return Clear(step, part, options)


def clear_circle(steps: Sequence[Step], behind: Mapping[int, Fraction], side: int) -> list[Clear]:
    """What is left of the steps of a component if a side keeps clear of all but these positions ``behind`` it: the
    largest part of it that the side need not leave to anywhere else."""
    left = [Clear(step, step) for step in steps]
    while True:
        known = {*behind, *(part.step.position for part in left)}
        kept = [part for each in left if (part := clear(each.whole, known, side)) is not None]
        if len(kept) == len(left):
            return kept
        left = kept


def _spread(mixture: Mixture, options: Sequence[int], count: int) -> Mixture:
    """A mixture of some of so many options, as one of all."""
    chances = dict(zip(options, mixture, strict=True))
    return tuple(chances.get(option, Fraction(0)) for option in range(count))
