"""Draws that follow each other, guided to what the player perceives after the last of them.

Nothing of such draws is perceived before a player decides, or the play ends. Cards that are dealt one by one, or coins
scattered over a board, would so be drawn blindly, and hardly ever come to fit. So an outcome is the more likely to be
drawn the less the player's view of the state behind it differs from what they see next: by a factor of ``_PULL`` for
every entry that is not yet, or no longer, as they perceive it, and for every member by which a set differs.

That is importance sampling (:mod:`.particles`): whatever the outcome, the weight of the play is corrected by how much
more likely it was made, so the belief is none the worse where an entry changes again, or cannot be seen at all. No
outcome is left out.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, Final, Generic

from attrs import define, field

from zermelo.interpreter.machine import Move, Seen, Sighting, State
from zermelo.interpreter.values import OrderedSet, Value
from zermelo.solvers.beliefs.consistent_plays import Following

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
            self._behind[play] = self._looked_at(state)
        behind = self._behind[play]
        if not behind:
            return None
        ((after, factor, _),) = random.choices(behind, [promise for _, _, promise in behind])
        return after, factor

    def _looked_at(self, state: State) -> list[tuple[State, Fraction, float]]:
        """The states after all outcomes that fit: each with the probability of its outcome divided by that with which
        it is drawn, and in proportion to what that is."""
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
        """In how much the player's view differs from what they perceive next."""
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
    """In how much two values differ: sets in their members."""
    if isinstance(value, OrderedSet) and isinstance(expected, OrderedSet):
        return len(value.members ^ expected.members)
    return int(value != expected)
