"""Moving a play about among those that fit, by a Markov chain that leaves their distribution as it is.

What it computes: another play that is distributed as the first, if that is by P(play) among those that have come to a
stage. Source: Metropolis et al. (1953), Hastings (1970), over the choices on the way, as Wingate, Stuhlmüller and
Goodman (2011) do for programs.

The choices of chance and of the others on the way have their turns, one after another. In each, another choice is
proposed in its place, while all choices behind it stay what they are. If one of them is not possible any more, if the
player would perceive something else, or if the play would come to the stage sooner or later, nothing changes. Otherwise
the change is made with probability min(1, P(new) q(back) / P(old) q(there)), where q is the probability with which one
of the two is proposed from the other. Both ways to propose keep that simple:

- *drawn anew*, as chance or the player would draw it: what q favours, P does by as much, so that only the choices
  behind it count;
- *exchanged*, for an outcome with sets as arguments, such as a deal of cards: two cards change places. Which ones, a
  few outcomes say that are drawn apart from this one, so q is the same both ways. After a deal made anew hardly a card
  could be played as it was; after an exchange of two cards, most can.

The cards change places in all outcomes of chance behind it, too, and so do two values of which one is drawn anew in
place of the other: if cards are dealt one by one, one of them cannot become another unless that is dealt in its place.
Done twice this changes nothing, so it is fair both ways.

A choice among many is proposed half as often as their number has binary digits: a hand changes card by card. That
number depends on what lies before the choice, which its turn leaves as it is; so each turn is a step as above, and the
turns together leave the distribution as it is, too.

Cost: for each proposal the rest of the play, or less if it soon fails to fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final, Generic, TypeAlias

from attrs import define, evolve, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, Move, SampleSpace, State
from zermelo.interpreter.values import OrderedSet, Value, canonical
from zermelo.solvers.beliefs.consistent_plays import Following

_DRAWN: Final = 4
"""How many outcomes say what may be exchanged."""

_ANEW: Final = 0.1
"""How often an outcome is drawn anew where something may be exchanged."""

_MOST_KEPT: Final = 10_000
"""How many plays are kept with what they lead to; then all are forgotten, and looked at again."""

_Offered: TypeAlias = SampleSpace | dict[Move, Fraction]
"""What there is to choose from: outcomes, or moves with their probabilities."""


@define(eq=False)
class SharedWays(Generic[State]):
    """What has been looked at on the ways of plays that are moved: those that come the same way share it, as most do
    where few cards are dealt one by one. Keys are plays; ``following`` says which fit."""

    following: Following[State]
    _offered: dict[tuple[Move, ...], tuple[int, _Offered | None]] = field(factory=dict)
    _behind: dict[tuple[Move, ...], State | None] = field(factory=dict)

    def offered(self, play: tuple[Move, ...], state: State) -> tuple[int, _Offered | None]:
        """Who chooses after a play to ``state``, and from what: None at an end, and if that cannot be counted."""
        if play not in self._offered:
            self._make_room(self._offered)
            actor = self.following.machine.actor(state)
            self._offered[play] = actor, _offered(self.following, state, actor)
        return self._offered[play]

    def behind(self, play: tuple[Move, ...], before: State) -> State | None:
        """The state after a play whose last choice is made in the state ``before``; None if it does not fit."""
        if play not in self._behind:
            self._make_room(self._behind)
            state = self.following.machine.after(before, play[-1])
            self._behind[play] = state if self.following.fits(state) else None
        return self._behind[play]

    def _make_room(self, kept: dict[tuple[Move, ...], Any]) -> None:
        if len(kept) >= _MOST_KEPT:
            kept.clear()


def moved(ways: SharedWays[State], state: State, has_come: Callable[[State], bool], random: Random) -> State:
    """The state after another play to the same stage, ``has_come`` says which; the same object if nothing changes."""
    beginning = way = _along(ways, ways.following.machine.play(state), has_come)
    for number in way.hidden:
        for _ in range(_proposals(way.steps[number])):
            way = way.changed(number, random)
    return state if way is beginning else way.state


@frozen
class _Step(Generic[State]):
    """A choice on the way: the ``state`` in which it is made, by whom, the ``choice``, its probability, and what there
    is to choose from: outcomes, or moves with their probabilities."""

    state: State
    actor: int
    choice: Move
    chance: Fraction
    offered: _Offered

    def instead(self, choice: Move) -> _Step[State] | None:
        """Another choice in the same state; None if it is not possible."""
        chance = _chance(self.offered, choice)
        return evolve(self, choice=choice, chance=chance) if chance else None


@frozen(eq=False)
class _Way(Generic[State]):
    """A play: its steps, the ``state`` to which they lead, and the numbers of the steps that are not the player's."""

    ways: SharedWays[State]
    has_come: Callable[[State], bool]
    steps: tuple[_Step[State], ...]
    state: State
    hidden: tuple[int, ...]

    def changed(self, number: int, random: Random) -> _Way[State]:
        """The play after another choice has been proposed for a step."""
        step = self.steps[number]
        proposal = _proposed(step, random)
        if proposal.choice == step.choice:
            return self
        other = _from(self, number, proposal)
        if other is None:
            return self
        counted = number + 1 if proposal.is_drawn else number
        odds = Fraction(1)
        for new, old in zip(other.steps[counted:], self.steps[counted:], strict=True):
            odds *= new.chance / old.chance
        return other if random.random() < odds else self


def _along(ways: SharedWays[State], choices: tuple[Move, ...], has_come: Callable[[State], bool]) -> _Way[State]:
    """A play from the beginning. An outcome that cannot be counted, and what lies before it, stays as it is."""
    machine = ways.following.machine
    state, steps = machine.initial(), list[_Step[State]]()
    hidden = list[int]()
    for number, choice in enumerate(choices):
        step = _step(ways, choices[:number], state, choice)
        if step is None:
            hidden.clear()
            step = _Step(state, CHANCE, choice, Fraction(1), {})
        elif step.actor != ways.following.player:
            hidden.append(len(steps))
        steps.append(step)
        behind = ways.behind(choices[: number + 1], state)
        assert behind is not None, "the play fits"
        state = behind
    return _Way(ways, has_come, tuple(steps), state, tuple(hidden))


def _from(way: _Way[State], number: int, proposal: _Proposal) -> _Way[State] | None:
    """The play with another choice at a step, and then as before; None if it is not possible, does not fit, is by
    others than before, or comes to the stage at another time."""
    ways, steps = way.ways, list(way.steps[:number])
    play = tuple(step.choice for step in steps)
    step = way.steps[number].instead(proposal.choice)
    for before in (*way.steps[number + 1 :], None):
        if step is None:
            return None
        steps.append(step)
        play = (*play, step.choice)
        state = ways.behind(play, step.state)
        if state is None or way.has_come(state) != (before is None):
            return None
        if before is None:
            return _Way(ways, way.has_come, tuple(steps), state, way.hidden)
        choice = _exchanged(before.choice, proposal.exchange) if before.actor == CHANCE else before.choice
        step = _step(ways, play, state, choice)
        if step is not None and step.actor != before.actor:
            return None
    return None


def _step(ways: SharedWays[State], play: tuple[Move, ...], state: State, choice: Move) -> _Step[State] | None:
    """A choice after a play to a state; None if it is not possible, as none is where the play has ended, or cannot be
    counted."""
    actor, offered = ways.offered(play, state)
    chance = Fraction(0) if offered is None else _chance(offered, choice)
    return _Step(state, actor, choice, chance, offered) if offered is not None and chance else None


def _offered(following: Following[State], state: State, actor: int) -> _Offered | None:
    """What there is to choose from: outcomes, or moves with their probabilities; None at an end, and if it cannot be
    counted."""
    if actor == END:
        return None
    if actor != CHANCE:
        moves = following.machine.moves(state)
        return dict(zip(moves, _shares(following, state, actor, moves), strict=True))
    try:
        return following.outcomes(state)
    except ZermeloError as error:
        if error.code != "too-many-outcomes":
            raise
        return None


def _shares(following: Following[State], state: State, actor: int, moves: tuple[Move, ...]) -> Sequence[Fraction]:
    """How probable the moves of a player are; the player's own count as certain."""
    if actor == following.player:
        return [Fraction(1)] * len(moves)
    return following.behaviour(actor, following.machine.information_state(state, actor), moves)


def _chance(offered: _Offered, choice: Move) -> Fraction:
    """How probable a choice is; 0 if it is not possible."""
    if isinstance(offered, dict):
        return offered.get(choice, Fraction(0))
    return offered.mass * offered.probability(choice)


# ---------------------------------------------------------------- proposals


@frozen
class _Proposal:
    """Another ``choice``, whether it is drawn anew, and what changes places in all outcomes behind it."""

    choice: Move
    is_drawn: bool
    exchange: Mapping[Value, Value]


def _proposals(step: _Step[State]) -> int:
    """How often another choice is proposed."""
    choices = len(step.offered) if isinstance(step.offered, dict) else step.offered.count
    return (choices.bit_length() + 1) // 2


def _proposed(step: _Step[State], random: Random) -> _Proposal:
    offered, outcome = step.offered, step.choice
    if isinstance(offered, dict):
        return _Proposal(random.choices(list(offered), list(map(float, offered.values())))[0], True, {})
    others = [offered.draw(random) for _ in range(_DRAWN)]
    if any(isinstance(value, OrderedSet) for other in others for value in other.arguments) and random.random() > _ANEW:
        arguments = [{other.arguments[k] for other in others} for k in range(min(len(o.arguments) for o in others))]
        dealt = {card for hands in arguments if len(hands) > 1 for hand in hands for card in _members(hand)}
        if len(dealt) > 1:
            one, two = random.sample(sorted(dealt, key=str), 2)
            exchange = {one: two, two: one}
            return _Proposal(_exchanged(outcome, exchange), False, exchange)
    other = others[0]
    changed = [pair for pair in zip(outcome.arguments, other.arguments, strict=False) if pair[0] != pair[1]]
    if len(changed) == 1 and outcome.name == other.name:
        ((one, two),) = changed
        return _Proposal(other, True, {one: two, two: one})
    return _Proposal(other, True, {})


def _exchanged(outcome: Move, exchange: Mapping[Value, Value]) -> Move:
    """The outcome in which members have changed places, in its arguments and in the sets among them."""
    return Move(outcome.name, tuple(_with(value, exchange) for value in outcome.arguments)) if exchange else outcome


def _with(value: Value, exchange: Mapping[Value, Value]) -> Value:
    if isinstance(value, OrderedSet):
        if exchange.keys().isdisjoint(value.members):
            return value
        return canonical(OrderedSet(exchange.get(member, member) for member in value))
    return exchange.get(value, value)


def _members(value: Value) -> Iterable[Value]:
    return value if isinstance(value, OrderedSet) else (value,)
