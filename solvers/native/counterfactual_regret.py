"""Counterfactual regret minimization by its kernel, which makes as many iterations at a call as it is told."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.native.running.plain_kernels import Array, plain_kernels
from zermelo.solvers.common.checkpoint import pack, unpack
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.flat_form import FlatForm
from zermelo.solvers.regret.counterfactual_regret import Variant

_EXPORTS: Final = ("cfr_begin", "cfr", "averages", "responses")
_ITERATIONS, _POSITIVE, _NEGATIVE, _AVERAGE, _PREDICTS = range(5)
"""Registers."""


class RegretKernel:
    """As :class:`zermelo.solvers.regret.counterfactual_regret.CounterfactualRegret`, with the same
    numbers."""

    def __init__(self, form: SequenceForm, variant: Variant, compiled: bool = True) -> None:
        text = kernel_text("sequence_values", "counterfactual_regret")
        self._kernels = plain_kernels(text, _EXPORTS, compiled)
        self._flat = flat = FlatForm(form, self._kernels)
        self._regrets, self._strategies, self._plans, self._sums = self._kept = [flat.column() for _ in range(4)]
        self._values, self._averages = flat.column(), flat.column()
        self._registers = self._kernels.numbers(8)
        self._registers[_POSITIVE] = variant.positive
        self._registers[_NEGATIVE] = variant.negative
        self._registers[_AVERAGE] = variant.average
        self._registers[_PREDICTS] = int(variant.predicts)
        self._call("cfr_begin")

    @property
    def iterations(self) -> int:
        """How many iterations have been made."""
        return int(self._registers[_ITERATIONS])

    def iterate(self, count: int = 1) -> None:
        """So many iterations; in each, every player once."""
        self._call("cfr", count)

    def averages(self) -> list[list[float]]:
        """The average plan of each player."""
        return self._flat.by_player(self._average())

    def gains(self) -> list[float]:
        """What a best response to the average plans brings each player more than his own."""
        return self._flat.gains(self._average())

    def save(self) -> bytes:
        """All that the next iterations depend on."""
        return pack([self.iterations], self._kept)

    def load(self, saved: bytes) -> None:
        """Go on from what was saved."""
        (self._registers[_ITERATIONS],), columns = unpack(saved, 1, len(self._kept))
        for column, numbers in zip(self._kept, columns, strict=True):
            column[:] = list(numbers)

    def _average(self) -> Array:
        players, _, sequences, *_ = self._flat.sizes
        self._kernels.call_by_name("averages", self._flat.sets[0], self._sums, self._averages, players, sequences)
        return self._averages

    def _call(self, name: str, *arguments: int) -> None:
        flat = self._flat
        columns = (self._values, *self._kept, self._registers)
        self._kernels.call_by_name(name, *flat.sets, *flat.leaves, *columns, *flat.sizes, *arguments)
