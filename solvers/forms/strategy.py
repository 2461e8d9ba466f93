"""Behaviour strategies: a probability for each move in each information set of a player.

Each move has a *loss*: the difference to the best move of the set, while the others follow their strategies, weighted
by the probability that chance and the others lead there. The player is *indifferent* to a move of probability 0 and
without loss; in an equilibrium, no move that is made has a loss.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from operator import eq
from typing import TYPE_CHECKING, Final, Protocol, overload

from attrs import evolve, field, frozen

from zermelo.foundation.records import RichlyDisplayed, Unchanging
from zermelo.interpreter.machine import InformationState, Move
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.best_response import complete_strategies, follow_best, gradient
from zermelo.solvers.forms.extensive_form import Plan, Sequences, sequence_form

if TYPE_CHECKING:
    from zermelo.solvers.forms.extensive_form import ExtensiveForm, SequenceForm


@frozen
class Decision:
    """A player's decision in an information set. ``reached`` is the probability that the player's own moves lead there;
    ``is_met``: it comes with positive probability while everybody follows their strategy. ``probabilities`` and
    ``losses`` are parallel to ``moves``. ``losses`` are None where nobody knows them."""

    known: InformationState
    moves: tuple[Move, ...]
    probabilities: tuple[Fraction, ...]
    losses: tuple[Fraction, ...] | None
    reached: Fraction
    is_met: bool

    @property
    def support(self) -> tuple[Move, ...]:
        """The moves of positive probability."""
        return tuple(move for move, chance in zip(self.moves, self.probabilities, strict=True) if chance)

    @property
    def indifferent(self) -> tuple[Move, ...]:
        """The moves of probability 0 that are as good as the best."""
        if self.losses is None:
            return ()
        rows = zip(self.moves, self.probabilities, self.losses, strict=True)
        return tuple(move for move, chance, loss in rows if not chance and not loss)


class DecisionSource(Protocol):
    """What makes decisions of a player, each of which has a *place*."""

    def decision(self, place: int) -> Decision:
        """The decision at a place."""

    def count(self, place: int) -> int:
        """The number of its moves."""

    def is_reached(self, place: int) -> bool:
        """Whether the player's own moves lead there with positive probability."""

    def is_met(self, place: int) -> bool:
        """Whether it is reached with positive probability while everybody follows their strategy."""


@frozen(eq=False)
class Decisions(Sequence[Decision], Unchanging):
    """Decisions of a player, each after those that lead to it. They are made when they are looked at: a strategy may
    have a hundred thousand, of which a person sees a page. A pickle has them all."""

    source: DecisionSource = field(repr=False)
    places: Sequence[int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> Decision: ...

    @overload
    def __getitem__(self, index: slice) -> Decisions: ...

    def __getitem__(self, index: int | slice) -> Decision | Decisions:
        found = self.places[index]
        return self.source.decision(found) if isinstance(found, int) else evolve(self, places=found)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decisions) and len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[Decisions], tuple[DecisionSource, Sequence[int]]]:
        return Decisions, (_Listed(tuple(self)), range(len(self)))

    @property
    def reached(self) -> Decisions:
        """Those reached with positive probability by the player's own moves."""
        return evolve(self, places=list(filter(self.source.is_reached, self.places)))

    @property
    def met(self) -> Decisions:
        """Those reached with positive probability while everybody follows their strategy; the same as ``reached`` where
        nobody knows all that the others do."""
        return evolve(self, places=list(filter(self.source.is_met, self.places)))

    @property
    def chosen(self) -> Decisions:
        """Those with more than one move."""
        return evolve(self, places=[place for place in self.places if self.source.count(place) > 1])


@frozen
class _Listed:
    """Decisions that have been made."""

    rows: tuple[Decision, ...]

    def decision(self, place: int) -> Decision:
        return self.rows[place]

    def count(self, place: int) -> int:
        return len(self.rows[place].moves)

    def is_reached(self, place: int) -> bool:
        return bool(self.rows[place].reached)

    def is_met(self, place: int) -> bool:
        return self.rows[place].is_met


@frozen(eq=False)
class _DecisionsInTree:
    """The decisions in the information sets of a player, whose indices are the places. ``worths`` gives the values of
    the player's sequences, over a scale; ``allowed`` the places to which the others and chance may lead; and
    ``behaviour`` what the player does, also where the plan does not lead."""

    tree: ExtensiveForm
    own: Sequences
    plan: Plan
    behaviour: Callable[[], Plan]
    worths: Callable[[], tuple[Sequence[int], int]]
    allowed: Callable[[], frozenset[int]]

    def decision(self, place: int) -> Decision:
        sets, options = self.tree.information_sets, self.own.options(place)
        values, scale = self.worths()
        best = max(values[sequence] for sequence in options)
        reached = self.plan[self.own.parents[place]]
        return Decision(
            sets.known(self.own.sets[place]),
            tuple(sets.moves_of(self.own.sets[place])),
            tuple(self.plan[sequence] / reached if reached else self.behaviour()[sequence] for sequence in options),
            tuple(Fraction(best - values[sequence], scale) for sequence in options),
            reached,
            self.is_met(place),
        )

    def count(self, place: int) -> int:
        return len(self.own.options(place))

    def is_reached(self, place: int) -> bool:
        return bool(self.plan[self.own.parents[place]])

    def is_met(self, place: int) -> bool:
        return self.is_reached(place) and place in self.allowed()


@frozen
class Strategy(RichlyDisplayed):
    """A player and their decisions. ``is_partial``: not all are listed, and in others the player makes all moves with
    equal probability."""

    player: str
    decisions: Decisions
    is_partial: bool = False


def strategies(
    tree: ExtensiveForm, form: SequenceForm, plans: Sequence[Plan], behaviours: Sequence[Plan] | None = None
) -> tuple[Strategy, ...]:
    """The strategies given by realization plans. ``behaviours``, a probability for each sequence, also define them in
    sets that the plans do not reach; without these they are best responses there (:mod:`.best_response`), which are
    found when somebody looks at such a set."""

    @cache
    def everywhere() -> Sequence[Plan]:
        return complete_strategies(form, plans) if behaviours is None else behaviours

    def decisions(player: int, own: Sequences, plan: Plan) -> Decisions:
        source = _DecisionsInTree(
            tree,
            own,
            plan,
            lambda: everywhere()[player],
            cache(partial(_sequence_values, form, player, plans)),
            cache(partial(_allowed_places, form, player, plans)),
        )
        return Decisions(source, range(len(own.parents)))

    players = enumerate(zip(tree.player_names, form.players, plans, strict=True))
    return tuple(Strategy(name, decisions(player, own, plan)) for player, (name, own, plan) in players)


def _sequence_values(form: SequenceForm, player: int, plans: Sequence[Plan]) -> tuple[Sequence[int], int]:
    """The value of each sequence of a player under best play afterwards, over a scale."""
    values, scale = gradient(form, player, plans)
    follow_best(form.players[player], values)
    return values, scale


def _allowed_places(form: SequenceForm, player: int, plans: Sequence[Plan]) -> frozenset[int]:
    """The places of a player's information sets to which the others' plans and chance may lead.

    Sound: where the others may lead to a history, their plans make some move in each of their sets behind it, and
    chance draws something, whatever the player does; so there is a leaf behind each move of the player's set there with
    positive weights of the others, and the set is met on the way up from that leaf."""
    own = form.players[player]
    others = [(plan, form.leaves[p]) for p, plan in enumerate(plans) if p != player]
    ends = {
        sequence for leaf, sequence in enumerate(form.leaves[player]) if all(plan[row[leaf]] for plan, row in others)
    }
    found: set[int] = set()
    for end in ends:
        for place, _ in own.steps(end):
            if place in found:
                break
            found.add(place)
    return frozenset(found)


# What the moves of an information set are worth to the player who is there, while the others follow their strategies.
#
# The player does not know the history, but what they have seen tells how likely each is: by the chance of the draws and
# of the others' moves that lead to it (Bayes). The values of sequences (:mod:`zermelo.solvers.forms.best_response`) are
# weighted by that chance; divided by their sum over the set they are means over what is possible there. The sum is
# found as a value, too: of the same game with every payoff 1. Where it is 0 the others never let the player come to the
# set, and there is no mean.


def decision_in(strategy: Strategy, known: InformationState) -> int | None:
    """The number of the decision of a player who has these observations."""
    seen = list(known)
    return next((k for k, decision in enumerate(strategy.decisions) if list(decision.known) == seen), None)


def information_set_values(
    strategies: Sequence[Strategy], player: int, number: int, limits: Limits
) -> tuple[Fraction, ...] | None:
    """What each move of a player's decision brings them if they go on best; None if the others, who follow their
    strategies, never let them come there. Raises ``ZermeloError`` (``out-of-memory``)."""
    sources = [_decisions_in_tree(strategy) for strategy in strategies]
    source, place = sources[player], strategies[player].decisions.places[number]
    options = source.own.options(place)
    ones = evolve(source.tree, payoffs=[1] * len(source.tree.payoffs), denominator=1)
    form = sequence_form(ones, limits)
    chances, whole = gradient(form, player, [each.plan for each in sources])
    follow_best(form.players[player], chances)  # all moves of a set lead on with the same chance
    if not chances[options[0]]:
        return None
    values, scale = source.worths()
    return tuple(Fraction(values[k], scale) / Fraction(chances[k], whole) for k in options)


def _decisions_in_tree(strategy: Strategy) -> _DecisionsInTree:
    source = strategy.decisions.source
    assert isinstance(source, _DecisionsInTree), "strategies from samples have no values"
    return source


# Behaviour strategies found by sampling: probabilities for the information sets that the samples have met.
#
# They are kept as weights, in floating point, and become probabilities when a decision is looked at. What a move loses
# is not known, since nobody has gone through the whole game.


_PARTS: Final = 1 << 40
"""The denominator of probabilities."""

_PARENTLESS: Final = -1


def round_shares(weights: Sequence[float]) -> list[Fraction]:
    """Probabilities nearly proportional to weights; uniform if all weights are 0."""
    total = sum(weights)
    shares = [weight / total if total > 0 else 1 / len(weights) for weight in weights]
    parts = [round(share * _PARTS) for share in shares]
    parts[parts.index(max(parts))] += _PARTS - sum(parts)
    return [Fraction(count, _PARTS) for count in parts]


@frozen
class SampledExploitability:
    """What the players gain on average by responses that have been learned from samples, and judged by plays of their
    own: ``mean``, and half the width of its interval of confidence, 95%. No response can do better than a best one; so
    it is an estimate of a lower bound for the exploitability."""

    mean: Fraction
    margin: Fraction


@frozen(eq=False)
class SampledSets:
    """Information sets met by samples, each after those that lead to it; the source of decisions in them. Set s is that
    of player ``owners[s]``, and has the rows from ``firsts[s]`` to ``firsts[s + 1]`` (exclusive): moves with their
    weights. ``parents[s]`` is the row of the player's move before it, or -1."""

    owners: Sequence[int]
    parents: Sequence[int]
    firsts: Sequence[int]
    weights: Sequence[float]
    move_of: Callable[[int], Move]
    known: Callable[[int], InformationState]
    _reached: dict[int, Fraction] = field(factory=dict, init=False, repr=False)

    def decision(self, s: int) -> Decision:
        """The decision in a set."""
        moves = tuple(map(self.move_of, range(self.firsts[s], self.firsts[s + 1])))
        return Decision(self.known(s), moves, tuple(self.chances(s)), None, self.reach(s), self.is_met(s))

    def count(self, s: int) -> int:
        """The number of moves of a set."""
        return self.firsts[s + 1] - self.firsts[s]

    def chances(self, s: int) -> list[Fraction]:
        """The probabilities of the moves of a set."""
        return round_shares(self.weights[self.firsts[s] : self.firsts[s + 1]])

    def reach(self, s: int) -> Fraction:
        """The probability with which the player's own moves lead to a set."""
        row = self.parents[s]
        if row == _PARENTLESS:
            return Fraction(1)
        if row not in self._reached:
            before = self.set_of(row)
            self._reached[row] = self.reach(before) * self.chances(before)[row - self.firsts[before]]
        return self._reached[row]

    def set_of(self, row: int) -> int:
        """The set to which a row belongs."""
        return bisect_right(self.firsts, row) - 1

    def is_reached(self, s: int) -> bool:
        """Whether its player's own moves lead to a set."""
        return bool(self._are_reached[s])

    def is_met(self, s: int) -> bool:
        """The same, since nobody knows all that the others do."""
        return self.is_reached(s)

    @cached_property
    def _are_reached(self) -> array[int]:
        found = array("b", bytes(len(self.owners)))
        for s, row in enumerate(self.parents):
            if row == _PARENTLESS:
                found[s] = 1
            else:
                before = self.set_of(row)
                found[s] = found[before] and self._is_made(before, row)
        return found

    def _is_made(self, s: int, row: int) -> bool:
        weights = self.weights[self.firsts[s] : self.firsts[s + 1]]
        return not any(weights) or self.weights[row] * _PARTS > sum(weights)


def sampled_strategies(players: Sequence[str], sets: SampledSets) -> tuple[Strategy, ...]:
    """The strategies of all players, in order."""
    places: list[list[int]] = [[] for _ in players]
    for s, owner in enumerate(sets.owners):
        places[owner].append(s)
    return tuple(
        Strategy(player, Decisions(sets, own), is_partial=True) for player, own in zip(players, places, strict=True)
    )
