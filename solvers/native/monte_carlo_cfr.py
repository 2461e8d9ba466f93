"""Monte Carlo counterfactual regret minimization by its kernel."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.native.running.plain_kernels import Array, plain_kernels
from zermelo.solvers.common.checkpoint import pack, unpack
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.flat_form import FlatForm
from zermelo.solvers.regret.monte_carlo_cfr import chances_of

_EXPORTS: Final = ("sampled_cfr", "sampled_averages", "responses")
_ITERATIONS, _DRAWN, _SEED = range(3)
"""Registers."""


class MonteCarloKernel:
    """As :class:`zermelo.solvers.regret.monte_carlo_cfr.MonteCarloRegret`, with the same numbers."""

    def __init__(
        self, tree: ExtensiveForm, form: SequenceForm, by_outcome: bool, seed: int = 0, compiled: bool = True
    ) -> None:
        text = kernel_text("sequence_values", "counterfactual_regret", "monte_carlo_cfr")
        self._kernels = kernels = plain_kernels(text, _EXPORTS, compiled)
        self._flat = flat = FlatForm(form, kernels)
        sets, players, nodes = tree.information_sets, len(form.players), tree.nodes
        first_of = [flat.bases[player] + first for player, first in zip(sets.players, sets.firsts, strict=True)]
        end_of = [first + sets.count(s) for s, first in enumerate(first_of)]
        numbers = (tree.firsts, tree.sets_of, first_of, end_of, sets.players, tree.children)
        gets = [payoff / tree.denominator for payoff in tree.payoffs]
        widest = max((tree.firsts[node + 1] - tree.firsts[node] for node in range(nodes)), default=0)
        self._tree = (*map(flat.numbers, numbers), flat.floats(chances_of(tree)), flat.floats(gets))
        self._regrets, self._strategies, self._sums, self._averages = (flat.column() for _ in range(4))
        self._scratch = (
            kernels.numbers(nodes),
            kernels.numbers(nodes),
            kernels.floats(nodes),
            kernels.floats(nodes),
            kernels.floats(widest),
        )
        self._registers = kernels.numbers(8)
        self._registers[_SEED] = seed
        self._sizes = (
            players,
            nodes,
            len(tree.children),
            len(sets),
            len(gets),
            flat.bases[-1],
            widest,
            int(by_outcome),
        )

    @property
    def iterations(self) -> int:
        """How many iterations have been made."""
        return int(self._registers[_ITERATIONS])

    def iterate(self, count: int = 1) -> None:
        """So many iterations; in each, every player traverses once."""
        columns = (self._regrets, self._strategies, self._sums)
        self._kernels.call_by_name(
            "sampled_cfr", *self._tree, *columns, *self._scratch, self._registers, *self._sizes, count
        )

    def averages(self) -> list[list[float]]:
        """The average plan of each player."""
        return self._flat.by_player(self._average())

    def gains(self) -> list[float]:
        """What a best response to the average plans brings each player more than his own."""
        return self._flat.gains(self._average())

    def save(self) -> bytes:
        """All that the next iterations depend on."""
        return pack([self.iterations, self._registers[_DRAWN]], [self._regrets, self._sums])

    def load(self, saved: bytes) -> None:
        """Go on from what was saved."""
        (self._registers[_ITERATIONS], self._registers[_DRAWN]), columns = unpack(saved, 2, 2)
        for column, numbers in zip((self._regrets, self._sums), columns, strict=True):
            column[:] = list(numbers)

    def _average(self) -> Array:
        columns = (self._sums, self._strategies, self._averages)
        self._kernels.call_by_name("sampled_averages", *self._flat.sets, *columns, *self._flat.sizes[:3])
        return self._averages
