"""The sequence form: a game as what its players' sequences of moves bring together.

What it is. A *sequence* of a player is what he does on the way to a point of the play: his own moves alone. A plan of
play gives every sequence a *realization weight*, the probability that he does his part of it: 1 for the empty one, and
those that go on from an information set sum to that of the sequence that leads there. An expected payoff is then a sum
over the leaves, of the chance to come there times the payoff times every player's weight; it is linear in the plan of
each player, and there are no more sequences than edges of the tree, where a normal form has exponentially many plans.

Source: Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game trees" (1994); von
Stengel, "Efficient computation of behavior strategies" (1996).

Leaves to which the same sequences lead are one, with their payoffs summed, each times the chance to come there.
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
    """What one player can do. His information set i follows sequence ``parents[i]`` and has the sequences
    ``firsts[i]`` to ``firsts[i + 1]`` (exclusive), one for each move; the last entry of ``firsts`` is how many there
    are. Sequence 0 is the empty one, and ``parents[i] < firsts[i]``. ``sets[i]`` is its number in the extensive
    form."""

    parents: array[int]
    firsts: array[int]
    sets: array[int]

    def __len__(self) -> int:
        return self.firsts[-1]


@frozen(eq=False)
class SequenceForm:
    """A game of any number of players. ``leaves[p][l]`` is player p's sequence at leaf l, and ``payoffs[p][l]``, over
    ``denominator``, what the leaf brings him, times the probability that chance does its part."""

    players: tuple[Sequences, ...]
    leaves: tuple[array[int], ...]
    payoffs: tuple[Sequence[int], ...]
    denominator: int

    @property
    def bytes(self) -> int:
        """What all its numbers take, about."""
        columns = (*self.leaves, *self.payoffs)
        return bytes_of(*columns, *(part for own in self.players for part in (own.parents, own.firsts, own.sets)))

    def expectation(self, plans: Sequence[Plan]) -> tuple[Fraction, ...]:
        """What each player gets on average when all follow their plans; exact."""
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
    """The sequence form of a game.

    Raises ``ZermeloError`` (``out-of-memory``) where it would not fit beside the tree."""
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
    """What the sequence form takes while it is made, about: for each leaf a key and a list of its sums with an entry of
    a table, and for each node and leaf how likely chance makes it."""
    return form.leaves * (180 + 60 * len(form.player_names)) + 80 * form.nodes


def _sequences(form: ExtensiveForm, player: int) -> Sequences:
    sets = form.information_sets
    own = array("q", (s for s in range(len(sets)) if sets.players[s] == player))
    total = 1 + sum(sets.count(s) for s in own)
    return Sequences(
        array("q", (sets.parents[s] for s in own)), array("q", [*(sets.firsts[s] for s in own), total]), own
    )


def plan_of(sequences: Sequences, strategy: Sequence[Fraction]) -> list[Fraction]:
    """The realization plan of a behaviour strategy, which gives for each sequence the probability of its last move
    where it is to be made (1 for the empty sequence)."""
    plan = [Fraction(1)] * len(sequences)
    for i, parent in enumerate(sequences.parents):
        for sequence in range(sequences.firsts[i], sequences.firsts[i + 1]):
            plan[sequence] = plan[parent] * strategy[sequence]
    return plan


def strategy_of(sequences: Sequences, plan: Plan) -> list[Fraction]:
    """The behaviour strategy of a realization plan. In sets that the plan never comes to, all moves are alike."""
    strategy = [Fraction(1)] * len(sequences)
    for i, parent in enumerate(sequences.parents):
        first, end = sequences.firsts[i], sequences.firsts[i + 1]
        for sequence in range(first, end):
            strategy[sequence] = plan[sequence] / plan[parent] if plan[parent] else Fraction(1, end - first)
    return strategy
