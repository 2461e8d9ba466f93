"""Counterfactual regret minimization: the variants, and the kernel, which makes as many iterations at a call as it is
told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.plain_kernels import load
from zermelo.solvers.common.checkpoint import pack, unpack
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.imperfect_information.flat_form import by_player, fill, flat_form, lengths
from zermelo.solvers.kernels.counterfactual_regret import DROP, KEEP, Players, iterate, start, take_averages
from zermelo.solvers.kernels.sequence_values import respond


@frozen
class Variant:
    """How an algorithm forgets, and weighs the average: what the fields of :class:`Players` of these names say."""

    title: str
    positive: int
    negative: int
    average: int
    predicts: bool = False


VARIANTS: Final[Mapping[str, Variant]] = {
    "cfr": Variant("CFR", KEEP, KEEP, 0),
    "cfr_plus": Variant("CFR+", KEEP, DROP, 2),
    "linear_cfr": Variant("linear CFR", 2, 2, 2),
    "discounted_cfr": Variant("discounted CFR", 3, 0, 4),
    "predictive_cfr_plus": Variant("predictive CFR+", KEEP, DROP, 4, predicts=True),
}

_KEPT: Final = ("regrets", "strategies", "plans", "sums")
"""What the next iterations depend on."""


class CounterfactualRegret:
    """The algorithm between two iterations; compiled where that is wanted and can be."""

    def __init__(self, form: SequenceForm, variant: Variant, compiled: bool = True) -> None:
        game = flat_form(form)
        columns = dict.fromkeys(("regrets", "strategies", "plans", "sums", "averages"), len(game["values"]))
        self._kernels = load(kernel(start, iterate, take_averages, respond), compiled)
        self.players = players = self._kernels.new(Players, form=lengths(game), **columns)
        fill(players.form, game)
        players.positive, players.negative = variant.positive, variant.negative
        players.average, players.predicts = variant.average, int(variant.predicts)
        self._kernels.call(start, players)

    @property
    def iterations(self) -> int:
        """How many iterations have been made."""
        return self.players.iterations

    def iterate(self, count: int = 1) -> None:
        """So many iterations; in each, every player once."""
        self._kernels.call(iterate, self.players, count)

    def averages(self) -> list[list[float]]:
        """The average plan of each player."""
        self._kernels.call(take_averages, self.players)
        return by_player(self.players.form, self.players.averages)

    def gains(self) -> list[float]:
        """What a best response to the average plans brings each player more than their own."""
        self._kernels.call(take_averages, self.players)
        self._kernels.call(respond, self.players.form, self.players.averages)
        return list(self.players.form.gains)

    def save(self) -> bytes | None:
        """All that the next iterations depend on; None in the middle of one."""
        players = self.players
        if players.at_work:
            return None
        return pack([players.iterations], [getattr(players, name) for name in _KEPT])

    def load(self, saved: bytes) -> None:
        """Go on from what was saved."""
        (self.players.iterations,), columns = unpack(saved, 1, len(_KEPT))
        fill(self.players, dict(zip(_KEPT, columns, strict=True)))
