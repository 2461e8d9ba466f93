"""The sequence form: the payoffs of a game by the players' sequences of moves.

A *sequence* of a player consists of their own moves on the way to a node. A *realization plan* gives every sequence a
weight, the probability that the player makes its moves if the others do their part: 1 for the empty one, and the
weights of the sequences from an information set sum to that of the sequence that leads there. An expected payoff is
then a sum over the leaves, of chance's reach probability times the payoff times the players' weights. It is linear in
the plan of each player, and there are no more sequences than edges of the tree, whereas a normal form has exponentially
many plans.

Source: Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game trees" (1994); von
Stengel, "Efficient computation of behavior strategies" (1996).

Leaves with the same sequences are merged: their payoffs, weighted by chance's reach probabilities, are summed.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction

from attrs import frozen

from zermelo.solvers.common.columns import bytes_of, column
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm

Plan = Sequence[Fraction]
"""A realization plan: a weight for each sequence of a player."""


@frozen(eq=False)
class Sequences:
    """The sequences of a player. Their information set i follows sequence ``parents[i]`` and has the sequences
    ``firsts[i]`` to ``firsts[i + 1]`` (exclusive), one for each move; the last entry of ``firsts`` is the number of
    sequences. Sequence 0 is the empty one, and ``parents[i] < firsts[i]``. ``sets[i]`` is the number of the set in the
    extensive form."""

    parents: array[int]
    firsts: array[int]
    sets: array[int]

    def __len__(self) -> int:
        return self.firsts[-1]


@frozen(eq=False)
class SequenceForm:
    """A game of any number of players. ``leaves[p][l]`` is player p's sequence at leaf l, and ``payoffs[p][l]``, over
    ``denominator``, their payoff there times chance's reach probability."""

    players: tuple[Sequences, ...]
    leaves: tuple[array[int], ...]
    payoffs: tuple[Sequence[int], ...]
    denominator: int

    @property
    def bytes(self) -> int:
        """The memory of all numbers, about."""
        columns = (*self.leaves, *self.payoffs)
        return bytes_of(*columns, *(part for own in self.players for part in (own.parents, own.firsts, own.sets)))

    def expectation(self, plans: Sequence[Plan]) -> tuple[Fraction, ...]:
        """The exact expected payoffs if all follow their plans."""
        totals = [Fraction(0)] * len(self.players)
        for leaf in range(len(self.leaves[0])):
            reached = Fraction(1)
            for plan, sequences in zip(plans, self.leaves, strict=True):
                reached *= plan[sequences[leaf]]
                if not reached:
                    break
            else:
                for player, payoffs in enumerate(self.payoffs):
                    totals[player] += reached * payoffs[leaf]
        return tuple(total / self.denominator for total in totals)


def sequence_form(form: ExtensiveForm, limits: Limits) -> SequenceForm:
    """The sequence form of a game. Raises ``ZermeloError`` (``out-of-memory``) if it does not fit beside the tree."""
    limits.require(_bytes_of(form), f"the sequence form of a game of {form.histories:,} histories")
    names = range(len(form.player_names))
    merged: dict[tuple[int, ...], list[int]] = {}
    chance, scale = form.chance()
    for leaf, reach in enumerate(chance):
        at = leaf * len(names)
        sums = merged.setdefault(tuple(form.sequences[at : at + len(names)]), [0] * len(names))
        for player in names:
            sums[player] += reach * form.payoffs[at + player]
    leaves = tuple(array("q", (sequences[player] for sequences in merged)) for player in names)
    payoffs = tuple(column([sums[player] for sums in merged.values()]) for player in names)
    made = SequenceForm(tuple(_sequences(form, player) for player in names), leaves, payoffs, scale * form.denominator)
    limits.hold(made, made.bytes)
    return made


def _bytes_of(form: ExtensiveForm) -> int:
    """The memory for making the sequence form, about: for each leaf a key, a list of sums and an entry of a table, and
    for each node and leaf chance's reach probability."""
    return form.leaves * (180 + 60 * len(form.player_names)) + 80 * form.nodes


def _sequences(form: ExtensiveForm, player: int) -> Sequences:
    sets = form.information_sets
    own = array("q", (s for s in range(len(sets)) if sets.players[s] == player))
    total = 1 + sum(sets.count(s) for s in own)
    return Sequences(
        array("q", (sets.parents[s] for s in own)), array("q", [*(sets.firsts[s] for s in own), total]), own
    )


def plan_of(sequences: Sequences, strategy: Sequence[Fraction]) -> list[Fraction]:
    """The realization plan of a behaviour strategy, which gives the probability of the last move of each sequence (1
    for the empty one)."""
    plan = [Fraction(1)] * len(sequences)
    for i, parent in enumerate(sequences.parents):
        for sequence in range(sequences.firsts[i], sequences.firsts[i + 1]):
            plan[sequence] = plan[parent] * strategy[sequence]
    return plan


def strategy_of(sequences: Sequences, plan: Plan) -> list[Fraction]:
    """The behaviour strategy of a realization plan, uniform in sets that the plan does not reach."""
    strategy = [Fraction(1)] * len(sequences)
    for i, parent in enumerate(sequences.parents):
        first, end = sequences.firsts[i], sequences.firsts[i + 1]
        for sequence in range(first, end):
            strategy[sequence] = plan[sequence] / plan[parent] if plan[parent] else Fraction(1, end - first)
    return strategy
