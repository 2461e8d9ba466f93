"""Positions of a game whose exact values are known before a search, which goes no further where it meets one."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import frozen

from zermelo.foundation.records import Displayed

if TYPE_CHECKING:
    from zermelo.interpreter.native.images import Images


@frozen(eq=False, repr=False)
class Endgames(Displayed):
    """The positions in the order of their packed keys, each worth one of the ``amounts`` to the first player, without
    what has been earned before. ``halves`` and ``outcomes`` are as in
    :class:`zermelo.solvers.kernels.window.Endgames`. With ``images`` there is one position for all that are images of
    each other, under the least of their keys."""

    halves: array[int]
    outcomes: array[int]
    amounts: Sequence[Fraction]
    images: Images | None

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return HALF_BYTES * (len(self.halves) + len(self.outcomes))


HALF_BYTES = 4
"""The bytes of a number in ``halves`` and ``outcomes``."""
