"""Plays that fit what a player has perceived, drawn where they are too many to visit: a particle filter with moves.

What it computes: weighted *particles*, plays from the beginning, whose weights estimate the belief: on average a play
counts for P(play), and no play that fits is favoured.

How: what the player has perceived comes in *stages*, one perception after another, and all particles reach a stage
before any goes on.

- *Going on* (sequential importance sampling: Kong, Liu and Wong, 1994). At each step all continuations that still fit
  are looked at, one is chosen in proportion to its probability p, and the weight is multiplied by the sum S of these
  probabilities. A step with the probability p is then made with p/S and weighs S, which is p on average. Where chance
  may draw too much to look at it all, an outcome is drawn from those left possible by what the player perceives in full
  (a hand of cards, say); S is then the probability of all these, and a draw after which they perceive something else is
  a *dead end*. So is a step at which S is 0: somebody has played a card that is in another hand in this particle. If
  the outcomes of a draw are few, but it is one of many in a row, as where cards are dealt one by one, it is guided to
  what the player perceives after the last of them.
- *Resampling* (Gordon, Salmond and Smith, 1993). If the weights have become so unequal that they tell less than half as
  much as equal ones would, particles are drawn anew in proportion to their weights.
- *Moving* (Gilks and Berzuini, 2001). Copies are then told apart by steps of a Markov chain that leaves the belief of
  the stage as it is: two hands exchange a card, and the play goes on as it was.
- *Staying alive*. If hardly a particle reaches the next stage, more are drawn from those of the stage before, moved,
  and sent on, up to ``_ROUNDS`` times. Where they begin they have moved further each time, so that they come to deals
  that the first ones had not met.

Without resampling this is importance sampling, and the particles are independent. What it costs: the branching factor
times the length of the play for each particle, and some plays more for each that moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import count
from random import Random
from typing import Any, Final, Generic, TypeAlias

from attrs import define, evolve, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, Move, SampleSpace, Seen, Sighting, State
from zermelo.interpreter.values import OrderedSet, Value, in_type_order
from zermelo.solvers.beliefs.consistent_plays import Belief, Following, GatheredPositions
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress

# Moving a play about among those that fit, by a Markov chain that leaves their distribution as it is.
#
# What it computes: another play with the distribution of the first, if that is P(play) among the plays that have come
# to a stage. Source: Metropolis et al. (1953), Hastings (1970), over the choices on the way, as Wingate, Stuhlmüller
# and Goodman (2011) do for programs.
#
# The choices of chance and of the others on the way have their turns, one after another. In each, another choice is
# proposed in its place, while all choices behind it stay what they are. If one of them is not possible any more, if the
# player would perceive something else, or if the play would come to the stage sooner or later, nothing changes.
# Otherwise the change is made with probability min(1, P(new) q(back) / P(old) q(there)), where q is the probability
# with which one of the two is proposed from the other. Both ways to propose keep that simple:
#
# - *drawn anew*, as chance or the player would draw it: P favours a choice by as much as q does, so that only the
#   choices behind it count;
# - *exchanged*, for an outcome with sets as arguments, such as a deal of cards: two cards change places. A few outcomes
#   that are drawn independently of this one say which ones, so q is the same both ways. After a deal made anew hardly a
#   card could be played as it was; after an exchange of two cards, most can.
#
# The cards change places in all outcomes of chance behind it, too, and so do two values of which one is drawn anew in
# place of the other: if cards are dealt one by one, one of them cannot become another unless that is dealt in its
# place. Done twice this changes nothing, so it is fair both ways.
#
# A choice among many is proposed half as often as their number has binary digits: a hand changes card by card. That
# number depends on what lies before the choice, which its turn leaves as it is; so each turn is a step as above, and
# the turns together leave the distribution as it is, too.
#
# Cost: for each proposal the rest of the play, or less if it soon fails to fit.


_DRAWN: Final = 4
"""The number of outcomes that are drawn to say what may be exchanged."""

_ANEW: Final = 0.1
"""How often an outcome is drawn anew where something may be exchanged."""

_MOST_KEPT: Final = 10_000
"""The most plays that are kept with what they lead to; then all are forgotten, and looked at again."""

_Offered: TypeAlias = SampleSpace | dict[Move, Fraction]
"""What there is to choose from: outcomes, or moves with their probabilities."""


@define(eq=False)
class SharedWays(Generic[State]):
    """What has been looked at along the plays that are moved. Plays with the same beginning share it, as most do where
    few cards are dealt one by one. Keys are plays; ``following`` says which fit."""

    following: Following[State]
    _offered: dict[tuple[Move, ...], tuple[int, _Offered | None]] = field(factory=dict)
    _behind: dict[tuple[Move, ...], State | None] = field(factory=dict)

    def offered(self, play: tuple[Move, ...], state: State) -> tuple[int, _Offered | None]:
        """Who chooses after a play to ``state``, and from what: None at an end, and if choices cannot be counted."""
        if play not in self._offered:
            self._make_room(self._offered)
            actor = self.following.machine.actor(state)
            self._offered[play] = actor, _available_choices(self.following, state, actor)
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


def move_particle(ways: SharedWays[State], state: State, has_come: Callable[[State], bool], random: Random) -> State:
    """The state after another play to the same stage, which ``has_come`` tells; the same object if nothing changes."""
    beginning = way = _trace_play(ways, ways.following.machine.play(state), has_come)
    for number in way.hidden:
        for _ in range(_count_proposals(way.steps[number])):
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
        """The play after proposing another choice for a step: the changed play, or this one if nothing changes."""
        step = self.steps[number]
        proposal = _propose(step, random)
        if proposal.choice == step.choice:
            return self
        other = _replace_choice(self, number, proposal)
        if other is None:
            return self
        counted = number + 1 if proposal.is_drawn else number
        odds = Fraction(1)
        for new, old in zip(other.steps[counted:], self.steps[counted:], strict=True):
            odds *= new.chance / old.chance
        return other if random.random() < odds else self


def _trace_play(ways: SharedWays[State], choices: tuple[Move, ...], has_come: Callable[[State], bool]) -> _Way[State]:
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


def _replace_choice(way: _Way[State], number: int, proposal: _Proposal) -> _Way[State] | None:
    """The play with another choice at a step, and then as before; None if it is not possible, does not fit, makes
    other players choose than before, or comes to the stage at another time."""
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
        choice = _exchange_members(before.choice, proposal.exchange) if before.actor == CHANCE else before.choice
        step = _step(ways, play, state, choice)
        if step is not None and step.actor != before.actor:
            return None
    return None


def _step(ways: SharedWays[State], play: tuple[Move, ...], state: State, choice: Move) -> _Step[State] | None:
    """A choice after a play to a state; None if it is not possible (none is where the play has ended), or if choices
    cannot be counted."""
    actor, offered = ways.offered(play, state)
    chance = Fraction(0) if offered is None else _chance(offered, choice)
    return _Step(state, actor, choice, chance, offered) if offered is not None and chance else None


def _available_choices(following: Following[State], state: State, actor: int) -> _Offered | None:
    """What there is to choose from: outcomes, or moves with their probabilities; None at an end, and if it cannot be
    counted."""
    if actor == END:
        return None
    if actor != CHANCE:
        moves = following.machine.moves(state)
        return dict(zip(moves, _move_probabilities(following, state, actor, moves), strict=True))
    return following.countable_outcomes(state)


def _move_probabilities(
    following: Following[State], state: State, actor: int, moves: tuple[Move, ...]
) -> Sequence[Fraction]:
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


def _count_proposals(step: _Step[State]) -> int:
    """How often another choice is proposed."""
    choices = len(step.offered) if isinstance(step.offered, dict) else step.offered.count
    return (choices.bit_length() + 1) // 2


def _propose(step: _Step[State], random: Random) -> _Proposal:
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
            return _Proposal(_exchange_members(outcome, exchange), False, exchange)
    other = others[0]
    changed = [pair for pair in zip(outcome.arguments, other.arguments, strict=False) if pair[0] != pair[1]]
    if len(changed) == 1 and outcome.name == other.name:
        ((one, two),) = changed
        return _Proposal(other, True, {one: two, two: one})
    return _Proposal(other, True, {})


def _exchange_members(outcome: Move, exchange: Mapping[Value, Value]) -> Move:
    """The outcome in which members have changed places, in its arguments and in the sets among them."""
    return (
        Move(outcome.name, tuple(_exchange_in_value(value, exchange) for value in outcome.arguments))
        if exchange
        else outcome
    )


def _exchange_in_value(value: Value, exchange: Mapping[Value, Value]) -> Value:
    if isinstance(value, OrderedSet):
        if exchange.keys().isdisjoint(value.members):
            return value
        return in_type_order(OrderedSet(exchange.get(member, member) for member in value))
    return exchange.get(value, value)


def _members(value: Value) -> Iterable[Value]:
    return value if isinstance(value, OrderedSet) else (value,)


# Draws that follow each other, guided to what the player perceives after the last of them.
#
# Nothing of such draws is perceived before a player decides, or the play ends. Cards that are dealt one by one, or
# coins scattered over a board, would so be drawn blindly, and hardly ever come to fit. So an outcome is the more likely
# to be drawn the less the player's view of the state behind it differs from what they see next: by a factor of
# ``_PULL`` for every entry that is not yet, or no longer, as they perceive it, and for every member by which a set
# differs.
#
# That is importance sampling: whatever the outcome, the weight of the play is corrected by how much
# more likely it was made, so the belief is none the worse where an entry changes again, or cannot be seen at all. No
# outcome is left out.


_PULL: Final = 32
"""How much less likely an outcome becomes for each difference it makes."""


@define(eq=False)
class GuidedDraws(Generic[State]):
    """Guides the draws of plays that are to fit what a player knows."""

    following: Following[State]
    _expected: dict[int, dict[Any, Value]] = field(factory=dict)
    _behind: dict[tuple[Move, ...], list[tuple[State, Fraction, float]]] = field(factory=dict)

    def drawn(self, state: State, random: Random) -> tuple[State, Fraction] | None:
        """The state after a draw, and the probability of its outcome divided by that with which it was drawn; None if
        no outcome fits."""
        play = self.following.machine.play(state)
        if play not in self._behind:
            self._behind[play] = self._weigh_outcomes(state)
        behind = self._behind[play]
        if not behind:
            return None
        ((after, factor, _),) = random.choices(behind, [promise for _, _, promise in behind])
        return after, factor

    def _weigh_outcomes(self, state: State) -> list[tuple[State, Fraction, float]]:
        """The states after all outcomes that fit: each with the probability of its outcome divided by that with which
        it is drawn, and with a number in proportion to the latter."""
        behind = list(self.following.children(state))
        differences = [self.differences(after) for after, _ in behind]
        least = min(differences, default=0)
        promises = [chance / _PULL ** (each - least) for (_, chance), each in zip(behind, differences, strict=True)]
        total = sum(promises, Fraction(0))
        return [
            (after, chance * total / promise, float(promise))
            for (after, chance), promise in zip(behind, promises, strict=True)
        ]

    def differences(self, state: State) -> int:
        """How much the player's view differs from what they perceive next."""
        machine, player = self.following.machine, self.following.player
        expected = self.expected(len(machine.information_state(state, player)))
        view = machine.view(state, player)
        return sum(_distance(each.value, expected[_entry(each)]) for each in view if _entry(each) in expected)

    def expected(self, perceived: int) -> dict[Any, Value]:
        """What the player sees when they perceive something the next time, after so many observations."""
        if perceived not in self._expected:
            found: dict[Any, Value] = {}
            for number, observation in enumerate(self.following.known):
                if isinstance(observation, Sighting):
                    found.update((_entry(each), each.value) for each in observation.values)
                    if number >= perceived:
                        break
            self._expected[perceived] = found
        return self._expected[perceived]


def _entry(seen: Seen) -> tuple[str, tuple[Value, ...]]:
    return seen.variable, seen.indices


def _distance(value: Value, expected: Value) -> int:
    """How much two values differ: two sets by the number of members that only one of them has."""
    if isinstance(value, OrderedSet) and isinstance(expected, OrderedSet):
        return len(value.members ^ expected.members)
    return int(value != expected)


_MOST_LISTED: Final = 128
"""The most outcomes of successive draws of chance that are all looked at; if there are more, one is drawn."""

_ROUNDS: Final = 20
"""How often, at most, particles are sent on from a stage."""

_FEW: Final = 10
"""Particles are few if fewer than one in so many is left."""


@frozen
class Particle(Generic[State]):
    """A play to ``state``, and its ``weight``. Copies of one another that have not moved since are one ``family``."""

    state: State
    weight: Fraction
    family: int


@frozen
class DrawnPlays(Generic[State]):
    """The fitting plays to which so many ``particles`` have led, each once, with their shares of all weight. They tell
    as much about the belief as ``effective`` independent draws from it (Kong, 1992): (sum of weights)^2 / sum of
    squared weights, in which a family counts as one. Particles that have moved apart count as independent, which is a
    little too much."""

    particles: int
    states: tuple[tuple[State, Fraction], ...]
    effective: Fraction


def draw_plays(
    following: Following[State],
    random: Random,
    particles: int,
    limits: Limits,
    progress: Progress = ignore_progress,
) -> DrawnPlays[State]:
    """Plays that fit, by so many particles.

    Raises ``ZermeloError``: ``never-perceived`` if none of them comes to fit, ``out-of-time``."""
    last = _Filter(following, random, particles, limits, progress).run()
    total = sum((each.weight for each in last), Fraction(0))
    found: dict[tuple[Move, ...], tuple[State, Fraction]] = {}
    for each in last:
        play = following.machine.play(each.state)
        state, before = found.get(play, (each.state, Fraction(0)))
        found[play] = state, before + each.weight / total
    return DrawnPlays(particles, tuple(found.values()), _effective_size(last))


class _Filter(Generic[State]):
    """The particles on their way through the stages."""

    def __init__(
        self, following: Following[State], random: Random, particles: int, limits: Limits, progress: Progress
    ) -> None:
        self._following = following
        self._guide = GuidedDraws(following)
        self._ways = SharedWays(following)
        self._random = random
        self._particles = particles
        self._limits = limits
        self._progress = progress
        self._families = count()
        self._sent = 0
        self._continuations: dict[tuple[Move, ...], list[tuple[State, Fraction]] | None] = {}

    def run(self) -> list[Particle[State]]:
        """The particles at the last stage."""
        initial = self._following.machine.initial()
        here = [Particle(initial, Fraction(1), next(self._families)) for _ in range(self._particles)]
        for stage in range(len(self._following.known) + 1):
            here = self._particles_at(stage, here)
        return here

    def _particles_at(self, stage: int, before: list[Particle[State]]) -> list[Particle[State]]:
        """The particles at a stage, from those at the one before."""
        self._continuations.clear()
        here = self._advance_all(stage, before)
        rounds = 1
        while len(here) * _FEW < self._particles and rounds < _ROUNDS:
            before = self._resample(stage - 1, before)
            here += self._advance_all(stage, before)
            rounds += 1
        if not here:
            raise _none_fits_error(self._particles)
        return self._resample(stage, here) if 2 * _effective_size(here) < self._particles else here

    def _advance_all(self, stage: int, particles: Sequence[Particle[State]]) -> list[Particle[State]]:
        """The particles that come to a stage."""
        arrived = []
        for each in particles:
            self._sent += 1
            if self._sent % 64 == 0:
                self._progress(self._sent)
                self._limits.check({"nodes": self._sent})
            there = self._advance(stage, each)
            if there is not None:
                arrived.append(there)
        return arrived

    def _advance(self, stage: int, particle: Particle[State]) -> Particle[State] | None:
        """The particle at a stage; None after a dead end."""
        following, state, weight = self._following, particle.state, particle.weight
        in_a_row = False  # among successive draws that are too many to look at together: each is made by itself
        while not _has_reached_stage(following, stage, state):
            in_a_row = in_a_row and following.machine.actor(state) == CHANCE
            continuations = None if in_a_row else self._shared_continuations(state)
            in_a_row = continuations is None
            if continuations is None and following.machine.actor(state) != CHANCE:
                continuations = list(following.children(state))
            if continuations is None:
                drawn = self._draw_outcome(state)
                if drawn is None or not following.fits(drawn[0]):
                    return None
                state, chance = drawn
                weight *= chance
            elif continuations:
                weight *= sum(chance for _, chance in continuations)
                state = _choose_continuation(continuations, self._random)
            else:
                return None
        return evolve(particle, state=state, weight=weight)

    def _shared_continuations(self, state: State) -> list[tuple[State, Fraction]] | None:
        """The continuations of a play, which particles that have come the same way share."""
        play = self._following.machine.play(state)
        if play not in self._continuations:
            self._continuations[play] = _continuations(self._following, state)
        return self._continuations[play]

    def _draw_outcome(self, state: State) -> tuple[State, Fraction] | None:
        """The state after an outcome that is drawn, and what the weight is multiplied by; None after a dead end."""
        following = self._following
        if _count_outcomes(following, state) <= _MOST_LISTED:
            return self._guide.drawn(state, self._random)
        space = following.countable_outcomes(state)
        if space is None:
            return following.machine.after(state, following.machine.draw(state, self._random)), Fraction(1)
        return following.machine.after(state, space.draw(self._random)), space.mass

    def _resample(self, stage: int, particles: Sequence[Particle[State]]) -> list[Particle[State]]:
        """As many particles as there should be, of equal weight, drawn in proportion to theirs, and moved."""
        total = sum((each.weight for each in particles), Fraction(0))
        weight, copies = total / self._particles, []
        has_come = partial(_has_reached_stage, self._following, stage)
        for parent in _draw_systematically(particles, float(total), self._particles, self._random):
            state = move_particle(self._ways, parent.state, has_come, self._random)
            is_copy = state is parent.state
            copies.append(Particle(state, weight, parent.family if is_copy else next(self._families)))
        return copies


def _effective_size(particles: Sequence[Particle[State]]) -> Fraction:
    """How many particles of equal weight tell as much."""
    families: dict[int, Fraction] = {}
    for each in particles:
        families[each.family] = families.get(each.family, Fraction(0)) + each.weight
    total = sum(families.values(), Fraction(0))
    return total**2 / sum(weight**2 for weight in families.values())


def _draw_systematically(
    particles: Sequence[Particle[State]], total: float, wanted: int, random: Random
) -> list[Particle[State]]:
    """Particles drawn in proportion to their weights, at equal distances along them all (systematic resampling): each
    as often as its weight says, rounded up or down."""
    chosen, along, begin = list[Particle[State]](), 0.0, random.random()
    for each in particles:
        along += float(each.weight) / total * wanted
        while begin + len(chosen) < along and len(chosen) < wanted:
            chosen.append(each)
    return chosen + [particles[-1]] * (wanted - len(chosen))


# ------------------------------------------------------------ one particle


def _has_reached_stage(following: Following[State], stage: int, state: State) -> bool:
    """Whether a state that fits has come to a stage: so much has been perceived, or more by the same step."""
    if stage == len(following.known):
        return following.is_there(state)
    perceived = len(following.machine.information_state(state, following.player))
    return perceived >= stage and following.machine.actor(state) != CHANCE


def _continuations(following: Following[State], state: State) -> list[tuple[State, Fraction]] | None:
    """The states at the next decision that fit, with their probabilities. Draws of chance are not perceived one by one,
    so successive draws count as one step. None if chance is to draw, and has too many outcomes to look at."""
    reached: list[tuple[State, Fraction]] = []
    waiting = [(state, Fraction(1))]
    looked_at = 0
    while waiting:
        here, likely = waiting.pop()
        is_drawn = following.machine.actor(here) == CHANCE
        if here is not state and not is_drawn:
            reached.append((here, likely))
            continue
        if is_drawn:
            looked_at += _count_outcomes(following, here)
            if looked_at > _MOST_LISTED:
                return None
        waiting += [(after, likely * chance) for after, chance in following.children(here)]
    return reached


def _count_outcomes(following: Following[State], state: State) -> int:
    """The number of outcomes of chance; if they cannot be counted, a number above ``_MOST_LISTED``."""
    space = following.countable_outcomes(state)
    return _MOST_LISTED + 1 if space is None else space.count


def _choose_continuation(continuations: list[tuple[State, Fraction]], random: Random) -> State:
    ((state, _),) = random.choices(continuations, [float(chance) for _, chance in continuations])
    return state


def _none_fits_error(particles: int) -> ZermeloError:
    """The error of particles that all ended in dead ends."""
    return ZermeloError(
        "never-perceived",
        f"none of {particles:,} samples led to what the player has perceived",
        f"`--samples {4 * particles}` draws more; or the strategies of the others never lead there",
    )


# A belief by samples, where the plays that fit are too many to visit: by a particle filter.


SAMPLES: Final = 1_000
"""The number of samples that are drawn by default."""


def sample_belief(
    following: Following[State],
    random: Random,
    samples: int = SAMPLES,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
    by_standing: bool = False,
) -> Belief[State]:
    """An estimate of the belief; ``by_standing`` as in
    :func:`~zermelo.solvers.beliefs.consistent_plays.enumerate_belief`.

    Raises ``ZermeloError``: ``never-perceived`` if no sample fits, ``out-of-time``."""
    drawn = draw_plays(following, random, samples, limits or Limits(), progress)
    found = GatheredPositions(following.machine, by_standing)
    for state, weight in drawn.states:
        found.add(state, weight)
    positions = found.most_probable_first()
    return Belief(following.player, following.known, positions, False, drawn=samples, effective=drawn.effective)
