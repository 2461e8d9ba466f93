"""Counterfactual regret minimization, over the whole tree and by sampling: the hosts of the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

# The sequence form as kernels have it: :class:`zermelo.solvers.kernels.counterfactual_regret.Form`.


def flat_form(form: SequenceForm) -> Lists:
    """A game as the lists of the record hold it; the lists that a kernel works on are all 0."""
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


# An algorithm between two iterations, whatever its kernel.


class Minimizer:
    """An algorithm between two iterations, which may be stopped and resumed: compiled where that is wanted and can be.
    ``record`` is what its kernels work on; what the next iterations depend on is in its fields ``counters`` and
    ``columns``. ``step`` and ``average`` are the kernels that iterate and that work out the average plans."""

    counters: tuple[str, ...]
    columns: tuple[str, ...]
    step: staticmethod[..., Any]
    average: staticmethod[..., Any]

    def __init__(self, kernels: PlainKernels, record: Any) -> None:
        self._kernels, self.record = kernels, record

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
        return [list(self.record.averages[first:end]) for first, end in pairwise(list(self.record.form.bases))]

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
        return pack([getattr(record, name) for name in self.counters], [getattr(record, name) for name in self.columns])

    def load(self, saved: bytes) -> None:
        """Resume from a saved state."""
        counters, columns = unpack(saved, len(self.counters), len(self.columns))
        for name, count in zip(self.counters, counters, strict=True):
            setattr(self.record, name, count)
        fill_lists(self.record, dict(zip(self.columns, columns, strict=True)))


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

    def __init__(self, form: SequenceForm, variant: Variant, compiled: bool = True) -> None:
        game = flat_form(form)
        lengths = dict.fromkeys((*self.columns, "averages"), len(game["values"]))
        kernels = load(kernel(start, iterate, take_averages, respond), compiled)
        players = kernels.new(Players, form=lengths_of(game), **lengths)
        fill_lists(players.form, game)
        players.positive, players.negative = variant.positive, variant.negative
        players.average, players.predicts = variant.average, int(variant.predicts)
        kernels.call(start, players)
        super().__init__(kernels, players)


class MonteCarloRegret(Minimizer):
    """Monte Carlo counterfactual regret minimization."""

    counters, columns = ("iterations", "draws"), ("regrets", "sums")
    step, average = staticmethod(iterate_samples), staticmethod(plan_averages)

    def __init__(
        self, tree: ExtensiveForm, form: SequenceForm, by_outcome: bool, seed: int = 0, compiled: bool = True
    ) -> None:
        game, nodes = flat_form(form), tree.nodes
        laid = _flat_tree(tree, game["bases"])
        lengths = dict.fromkeys(("regrets", "strategies", "sums", "averages"), len(game["values"]))
        lengths |= {"met": nodes, "values": nodes, "odds": most_edges(tree)}
        kernels = load(kernel(iterate_samples, plan_averages, respond), compiled)
        sampling = kernels.new(Sampling, form=lengths_of(game), tree=lengths_of(laid), **lengths)
        fill_lists(sampling.form, game)
        fill_lists(sampling.tree, laid)
        sampling.seed, sampling.by_outcome = seed, int(by_outcome)
        super().__init__(kernels, sampling)


def most_edges(tree: ExtensiveForm) -> int:
    """The most edges of a node."""
    return max((tree.firsts[node + 1] - tree.firsts[node] for node in range(tree.nodes)), default=0)


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
#
# A kernel writes down for every player at every leaf what all others do, so for games of several players it may be more
# than the building of the tree needs.


_BYTES: Final = 8
"""The bytes of a number, whole or not."""


def check_memory(tree: ExtensiveForm, form: SequenceForm, is_sampled: bool, is_compiled: bool, limits: Limits) -> None:
    """Raise ``ZermeloError`` (``out-of-memory``) where iteration would take more than the limit leaves."""
    worked_on = (_BYTES if is_compiled else OBJECT_BYTES) * count_kernel_numbers(tree, form, is_sampled)
    listed = OBJECT_BYTES * len(form.players) ** 2 * len(form.leaves[0])  # before it comes into arrays
    limits.require(worked_on + listed, f"iteration over {len(form.leaves[0]):,} leaves")


def count_kernel_numbers(tree: ExtensiveForm, form: SequenceForm, is_sampled: bool) -> int:
    """How many numbers are in the lists that a kernel has of the game and for its iteration."""
    players, leaves = len(form.players), len(form.leaves[0])
    sequences, sets = sum(map(len, form.players)), sum(len(player.parents) for player in form.players)
    flat = (players + 1) + (players + 1) + 3 * sets  # what is about sequences and sets
    flat += sequences + 1 + players * leaves * players  # what is about leaves: the others' sequences, and a payoff
    flat += sequences + players  # values and gains
    if not is_sampled:
        return flat + 5 * sequences
    copied = len(tree.firsts) + len(tree.sets_of) + 3 * sets + 2 * len(tree.children) + len(tree.payoffs)
    return flat + copied + 4 * sequences + 4 * tree.nodes + most_edges(tree)


# The algorithms of the solvers that iterate.


def minimizer(
    name: str, machine: Machine[Any], tree: ExtensiveForm, form: SequenceForm, seed: int, limits: Limits
) -> Minimizer:
    """The algorithm of a solver that iterates: its kernel, compiled where the machine is.

    Raises ``ZermeloError`` (``out-of-memory``)."""
    is_compiled = isinstance(machine, LoweredMachine) and machine.is_compiled
    check_memory(tree, form, name not in VARIANTS, is_compiled, limits)
    if name in VARIANTS:
        return CounterfactualRegret(form, VARIANTS[name], is_compiled)
    return MonteCarloRegret(tree, form, name == "outcome_sampling", seed, is_compiled)
