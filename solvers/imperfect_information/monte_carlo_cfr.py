"""Monte Carlo counterfactual regret minimization by its kernel."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.plain_kernels import load
from zermelo.solvers.common.checkpoint import pack, unpack
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.imperfect_information.flat_form import Lists, by_player, fill, flat_form, lengths
from zermelo.solvers.kernels.monte_carlo_cfr import Sampling, iterate_samples, plan_averages
from zermelo.solvers.kernels.sequence_values import respond


class MonteCarloRegret:
    """The algorithm between two iterations; compiled where that is wanted and can be."""

    def __init__(
        self, tree: ExtensiveForm, form: SequenceForm, by_outcome: bool, seed: int = 0, compiled: bool = True
    ) -> None:
        game, nodes = flat_form(form), tree.nodes
        laid = _flat_tree(tree, game["bases"])
        columns = dict.fromkeys(("regrets", "strategies", "sums", "averages"), len(game["values"]))
        columns |= {"met": nodes, "values": nodes, "odds": widest(tree)}
        self._kernels = load(kernel(iterate_samples, plan_averages, respond), compiled)
        self.sampling = sampling = self._kernels.new(Sampling, form=lengths(game), tree=lengths(laid), **columns)
        fill(sampling.form, game)
        fill(sampling.tree, laid)
        sampling.seed, sampling.by_outcome = seed, int(by_outcome)

    @property
    def iterations(self) -> int:
        """How many iterations have been made."""
        return self.sampling.iterations

    def iterate(self, count: int = 1) -> None:
        """So many iterations; in each, every player traverses once."""
        self._kernels.call(iterate_samples, self.sampling, count)

    def averages(self) -> list[list[float]]:
        """The average plan of each player."""
        self._kernels.call(plan_averages, self.sampling)
        return by_player(self.sampling.form, self.sampling.averages)

    def gains(self) -> list[float]:
        """What a best response to the average plans brings each player more than their own."""
        self._kernels.call(plan_averages, self.sampling)
        self._kernels.call(respond, self.sampling.form, self.sampling.averages)
        return list(self.sampling.form.gains)

    def save(self) -> bytes | None:
        """All that the next iterations depend on; None in the middle of one."""
        sampling = self.sampling
        if sampling.at_work:
            return None
        return pack([sampling.iterations, sampling.draws], [sampling.regrets, sampling.sums])

    def load(self, saved: bytes) -> None:
        """Go on from what was saved."""
        (self.sampling.iterations, self.sampling.draws), (regrets, sums) = unpack(saved, 2, 2)
        fill(self.sampling, {"regrets": regrets, "sums": sums})


def widest(tree: ExtensiveForm) -> int:
    """The most edges of a node."""
    return max((tree.firsts[node + 1] - tree.firsts[node] for node in range(tree.nodes)), default=0)


def _flat_tree(tree: ExtensiveForm, bases: Sequence[float]) -> Lists:
    """What the lists of :class:`zermelo.solvers.kernels.monte_carlo_cfr.Tree` hold; the sequences of player p begin at
    ``bases[p]``."""
    sets = tree.information_sets
    firsts = [int(bases[player]) + first for player, first in zip(sets.players, sets.firsts, strict=True)]
    return {
        "edges": tree.firsts,
        "sets_of": tree.sets_of,
        "firsts": firsts,
        "ends": [first + sets.count(s) for s, first in enumerate(firsts)],
        "owners": sets.players,
        "children": tree.children,
        "chances": _chances(tree),
        "payoffs": [payoff / tree.denominator for payoff in tree.payoffs],
    }


def _chances(tree: ExtensiveForm) -> list[float]:
    """The probability of each edge where chance draws; 1 elsewhere."""
    chances = [1.0] * len(tree.children)
    for node, s in enumerate(tree.sets_of):
        if s == CHANCE_NODE:
            edges = range(tree.firsts[node], tree.firsts[node + 1])
            total = sum(tree.weights[edge] for edge in edges)
            for edge in edges:
                chances[edge] = tree.weights[edge] / total
    return chances
