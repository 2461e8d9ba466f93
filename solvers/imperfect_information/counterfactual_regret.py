"""Counterfactual regret minimization, over the whole tree and by sampling: the hosts of the kernels."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

from attrs import frozen

from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import PlainKernels, load
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits, pack, unpack
from zermelo.solvers.common.numbers import OBJECT_BYTES
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, SequenceForm
from zermelo.solvers.imperfect_information.lanes import bytes_at_leaf, lay_out
from zermelo.solvers.kernels.counterfactual_regret import (
    DROP,
    KEEP,
    Players,
    Sampling,
    iterate,
    iterate_samples,
    plan_averages,
    respond,
    start,
    take_averages,
)
from zermelo.solvers.running.backend import Lists, fill_lists, lengths_of

# An algorithm between two iterations, whatever its kernel.


class Minimizer:
    """An algorithm between two iterations, which may be stopped and resumed: compiled where that is wanted and can be.
    ``record`` is what its kernels work on; what the next iterations depend on is in its fields ``counters`` and
    ``columns``. ``step`` and ``average`` are the kernels that iterate and that work out the average plans."""

    counters: tuple[str, ...]
    columns: tuple[str, ...]
    step: staticmethod[..., Any]
    average: staticmethod[..., Any]

    def __init__(self, kernels: PlainKernels, record: Any, form: SequenceForm) -> None:
        self._kernels, self.record = kernels, record
        self.starts = list(accumulate(map(len, form.players), initial=0))

    @property
    def iterations(self) -> int:
        """The number of iterations made; in each, every player has a turn."""
        count: int = self.record.iterations
        return count

    def iterate(self, count: int = 1) -> None:
        """Make ``count`` more iterations."""
        self._kernels.call(self.step, self.record, count)

    def averages(self) -> list[list[float]]:
        """The average plan of each player, up to rounding."""
        self._kernels.call(self.average, self.record)
        weights = list(self.record.averages)
        averages = [weights[place] for place in self.record.form.places]
        return [averages[first:end] for first, end in pairwise(self.starts)]

    def gains(self) -> list[float]:
        """Each player's gain by a best response to the average plans, up to rounding."""
        self._kernels.call(self.average, self.record)
        self._kernels.call(respond, self.record.form, self.record.averages)
        return list(self.record.form.gains)

    def save(self) -> bytes | None:
        """All that determines the next iterations; None in the middle of one, after an interrupt."""
        record = self.record
        if record.at_work:
            return None
        return pack([getattr(record, name) for name in self.counters], [self.column(name) for name in self.columns])

    def load(self, saved: bytes) -> None:
        """Resume from a saved state."""
        counters, columns = unpack(saved, len(self.counters), len(self.columns))
        for name, count in zip(self.counters, counters, strict=True):
            setattr(self.record, name, count)
        for name, column in zip(self.columns, columns, strict=True):
            self.set_column(name, column)

    def column(self, name: str) -> Sequence[float]:
        """A list of the record, by sequences."""
        column: Sequence[float] = getattr(self.record, name)
        return column

    def set_column(self, name: str, column: Sequence[float]) -> None:
        """Set such a list."""
        fill_lists(self.record, {name: column})


# The variants of counterfactual regret minimization, over the whole tree and by sampling.


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


class CounterfactualRegret(Minimizer):
    """Counterfactual regret minimization over the whole tree."""

    counters, columns = ("iterations",), ("regrets", "strategies", "plans", "sums")
    step, average = staticmethod(iterate), staticmethod(take_averages)

    def __init__(
        self, form: SequenceForm, variant: Variant, compiled: bool = True, limits: Limits | None = None
    ) -> None:
        game = lay_out(form)
        rows = dict.fromkeys((*self.columns, "averages"), len(game["values"]))
        _check_memory(game.values(), sum(rows.values()), compiled, limits)
        kernels = load(kernel(start, iterate, take_averages, respond, OTHERS=len(form.players) - 1), compiled)
        players = kernels.new(Players, form=lengths_of(game), **rows)
        fill_lists(players.form, game)
        players.positive, players.negative = variant.positive, variant.negative
        players.average, players.predicts = variant.average, int(variant.predicts)
        kernels.call(start, players)
        super().__init__(kernels, players, form)

    def column(self, name: str) -> Sequence[float]:
        """A list of the record, by sequences as they are numbered without lanes."""
        entries = list(super().column(name))
        return [entries[place] for place in self.record.form.places]

    def set_column(self, name: str, column: Sequence[float]) -> None:
        """Set such a list."""
        entries = list(super().column(name))
        for place, number in zip(self.record.form.places, column, strict=True):
            entries[place] = number
        super().set_column(name, entries)


class MonteCarloRegret(Minimizer):
    """Monte Carlo counterfactual regret minimization."""

    counters, columns = ("iterations", "draws"), ("regrets", "sums")
    step, average = staticmethod(iterate_samples), staticmethod(plan_averages)

    def __init__(
        self,
        tree: ExtensiveForm,
        form: SequenceForm,
        by_outcome: bool,
        seed: int = 0,
        compiled: bool = True,
        limits: Limits | None = None,
    ) -> None:
        game, own, nodes = lay_out(form), _flat_sequences(form), tree.nodes
        laid = _flat_tree(tree, own["bases"])
        lengths = dict.fromkeys(("regrets", "strategies", "sums"), len(game["places"]))
        lengths |= {"averages": len(game["values"]), "met": nodes, "values": nodes, "odds": most_edges(tree)}
        worked_on = sum(lengths.values()) + (_STOP_WORDS - 1) * nodes
        _check_memory((*game.values(), *own.values(), *laid.values()), worked_on, compiled, limits)
        kernels = load(kernel(iterate_samples, plan_averages, respond, OTHERS=len(form.players) - 1), compiled)
        sampling = kernels.new(Sampling, form=lengths_of(game), own=lengths_of(own), tree=lengths_of(laid), **lengths)
        for record, lists in ((sampling.form, game), (sampling.own, own), (sampling.tree, laid)):
            fill_lists(record, lists)
        sampling.seed, sampling.by_outcome = seed, int(by_outcome)
        super().__init__(kernels, sampling, form)


def most_edges(tree: ExtensiveForm) -> int:
    """The most edges of a node."""
    return max((tree.firsts[node + 1] - tree.firsts[node] for node in range(tree.nodes)), default=0)


def _flat_sequences(form: SequenceForm) -> Lists:
    """What the lists of :class:`zermelo.solvers.kernels.counterfactual_regret.Sequences` hold."""
    bases = list(accumulate(map(len, form.players), initial=0))
    pairs = list(zip(bases, form.players, strict=False))
    return {
        "bases": bases,
        "sets": list(accumulate((len(own.parents) for own in form.players), initial=0)),
        "parents": [base + s for base, own in pairs for s in own.parents],
        "firsts": [base + s for base, own in pairs for s in own.firsts[:-1]],
        "ends": [base + s for base, own in pairs for s in own.firsts[1:]],
    }


def _flat_tree(tree: ExtensiveForm, bases: Sequence[float]) -> Lists:
    """What the lists of :class:`zermelo.solvers.kernels.counterfactual_regret.Tree` hold; the sequences of player p
    begin at ``bases[p]``."""
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
            edges = tree.edges(node)
            total = sum(tree.weights[edge] for edge in edges)
            for edge in edges:
                chances[edge] = tree.weights[edge] / total
    return chances


# The memory of the arrays in which kernels iterate, beside the extensive form and the sequence form.


_BYTES: Final = 8
"""The bytes of a number, whole or not, unless it has its place in half of them."""

_STOP_WORDS: Final = 3
"""The numbers of a :class:`~zermelo.solvers.kernels.counterfactual_regret.Stop`."""


def _check_memory(game: Iterable[Sequence[float]], worked_on: int, is_compiled: bool, limits: Limits | None) -> None:
    """Raise ``ZermeloError`` (``out-of-memory``) where the lists of a game, and so many numbers to work on, would take
    more than the limit leaves."""
    if limits is None:
        return
    lists = list(game)
    if is_compiled:
        needed = sum(len(each) * (each.itemsize if isinstance(each, array) else _BYTES) for each in lists)
        needed += worked_on * _BYTES
    else:
        needed = (sum(map(len, lists)) + worked_on) * OBJECT_BYTES
    limits.require(needed, "iteration")


# The algorithms of the solvers that iterate.


def minimizer(
    name: str, machine: Machine[Any], tree: ExtensiveForm, form: SequenceForm, seed: int, limits: Limits
) -> Minimizer:
    """The algorithm of a solver that iterates: its kernel, compiled where the machine is.

    Raises ``ZermeloError`` (``out-of-memory``)."""
    is_compiled = isinstance(machine, LoweredMachine) and machine.is_compiled
    leaves = len(form.leaves[0])
    limits.require(leaves * bytes_at_leaf(len(form.players)), f"iteration over {leaves:,} leaves")
    if name in VARIANTS:
        return CounterfactualRegret(form, VARIANTS[name], is_compiled, limits)
    return MonteCarloRegret(tree, form, name == "outcome_sampling", seed, is_compiled, limits)
