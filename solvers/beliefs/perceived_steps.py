"""A game as one player meets it: from one of their decisions to the next, and what they perceive on the way.

What a player knows at a decision is a set of positions that they cannot tell apart. All searches over such sets need to
know of a game is this: after a move in one of these positions, which positions may be the next in which the player is
to decide, and what will the player have perceived by then? Both depend on the position alone, since an observation
tells of values and messages of one step, and a position holds all that the rest of a play depends on. So positions are
numbered, and each move in each of them is played out once, however many sets they occur in.

For one player against chance this is a partially observable Markov decision process (Astrom 1965; Kaelbling, Littman
and Cassandra 1998): positions are its states, and what is perceived its observations.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from math import lcm
from typing import Generic

from attrs import define, field, frozen

from zermelo.interpreter.checks.information_sets import moves_differ
from zermelo.interpreter.checks.loops import Loop
from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, State
from zermelo.solvers.beliefs.meter import Meter
from zermelo.solvers.beliefs.standing import later_payments
from zermelo.solvers.common.going_round import GoesRound


@frozen(eq=False)
class Followed:
    """What may follow, up to the player's next decision or the end. ``arrivals`` are what they perceive, the number of
    the position in which they are to decide then, and the probability of that over ``scale``: the product of those of
    chance alone, as if the others' moves were certain. ``ends`` are the amounts that ends bring, in ascending order,
    each once, and ``mean`` is what is gained on the way, on average. Amounts are the player's, without what they had
    before.
    """

    scale: int
    arrivals: tuple[tuple[InformationState, int, int], ...]
    ends: tuple[Fraction, ...]
    mean: Fraction


@define(eq=False)
class PerceivedSteps(Generic[State]):
    """The steps of ``player``, found when they are asked for. ``counts_earnings``: positions in which the player has
    earned different amounts are different. ``states`` has a state for each number of a position, and ``earned`` what
    the player has earned there."""

    machine: Machine[State]
    player: int
    counts_earnings: bool
    meter: Meter
    states: list[State] = field(factory=list)
    earned: list[Fraction] = field(factory=list)
    numbers: dict[Hashable, int] = field(factory=dict)
    found: dict[tuple[int, Move], Followed] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.meter.keep(self.states, self.earned, self.numbers, self.found)

    def moves(self, positions: tuple[int, ...]) -> tuple[Move, ...]:
        """The moves in positions that the player cannot tell apart. Raises ``ZermeloError`` (``moves-differ``)."""
        first = self.states[positions[0]]
        offered = self.machine.moves(first)
        for position in positions[1:]:
            state = self.states[position]
            if set(self.machine.moves(state)) != set(offered):
                raise moves_differ(self.machine, self.player, first, state)
        return offered

    def after(self, position: int, move: Move) -> Followed:
        """What may follow a move in a position of this number."""
        known = self.found.get((position, move))
        if known is None:
            state = self.states[position]
            heard = len(self.machine.information_state(state, self.player))
            after = self.machine.after(state, move)
            known = self.found[position, move] = self._played_out(after, heard, self.earned[position])
        return known

    def beginning(self, state: State) -> Followed:
        """What may follow a state with which the search begins.

        Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``, ``too-many-outcomes``; :class:`GoesRound` if the
        others or chance may go on for ever."""
        heard = len(self.machine.information_state(state, self.player))
        return self._played_out(state, heard, self.machine.earned(state)[self.player])

    def _played_out(self, state: State, heard: int, had: Fraction) -> Followed:
        """What may follow a state, for a player who had made so many observations and earned so much before."""
        arrivals: dict[tuple[InformationState, int], Fraction] = {}
        ends: set[Fraction] = set()
        mean = Fraction(0)
        for there, chance in self._ways_on(state):
            if self.machine.actor(there) == END:
                amount = self.machine.payoff(there)[self.player] - had
                ends.add(amount)
            else:
                earned = self.machine.earned(there)[self.player]
                amount = earned - had
                arrival = self.machine.information_state(there, self.player)[heard:], self._number(there, earned)
                arrivals[arrival] = arrivals.get(arrival, Fraction(0)) + chance
            mean += chance * amount
        scale = lcm(*(chance.denominator for chance in arrivals.values()))
        return Followed(
            scale,
            tuple((perceived, number, int(chance * scale)) for (perceived, number), chance in arrivals.items()),
            tuple(sorted(ends)),
            mean,
        )

    def _ways_on(self, first: State) -> Iterator[tuple[State, Fraction]]:
        """The next decisions of the player and the ends that may come, with their probabilities."""
        machine, path = self.machine, dict[Hashable, int]()
        waiting = [(first, Fraction(1), False)]
        while waiting:
            state, chance, is_done = waiting.pop()
            actor = machine.actor(state)
            if actor in (END, self.player):
                yield state, chance
                continue
            position = machine.position(state)
            if is_done:
                del path[position]
                continue
            self.meter.look()
            if position in path:
                play = machine.play(state)
                raise GoesRound(Loop(play[: path[position]], play[path[position] :]))
            path[position] = len(machine.play(state))
            waiting.append((state, chance, True))
            if actor == CHANCE:
                ways = [(outcome, chance * likely) for outcome, likely in machine.outcomes(state)]
            else:
                ways = [(move, chance) for move in machine.moves(state)]
            waiting += [(machine.after(state, move), likely, False) for move, likely in reversed(ways)]

    def _number(self, state: State, earned: Fraction) -> int:
        """The number of the position of a state. With a discount, later payoffs are worth less, so that the same
        position at another time is another one."""
        machine = self.machine
        key = machine.position(state), earned if self.counts_earnings else None, later_payments(machine, state)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.states)
            self.states.append(state)
            self.earned.append(earned)
        return number
