"""The outcomes of chance that are consistent with what a player has perceived later.

Where an entry of a variable is proved to hold an argument of the outcome
(:mod:`zermelo.interpreter.analysis.held_arguments`), a player who always sees the entry perceives its value at the next
decision, if it is another one than before; that is the first value of the entry that they perceive after the outcome.
So the argument is known, and an outcome with another one is not consistent. If they perceive no value of the entry at
all, no outcome of the rule is consistent. What may leave the entry as it was, says nothing.

This leaves out only outcomes that are not consistent: all those that are remain, with their exact probabilities. Those
that remain need not all be consistent, since players may perceive more than such arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.interpreter.analysis.held_arguments import held_arguments
from zermelo.interpreter.evaluation.context import Closure, Compiles
from zermelo.interpreter.evaluation.variables import place_of_entry
from zermelo.interpreter.machine import Observation, SampleSpace, Seen, Sighting
from zermelo.interpreter.reference.decisions import CompiledPhase
from zermelo.interpreter.reference.perception import Perceiver
from zermelo.interpreter.reference.run import Runner
from zermelo.interpreter.reference.state import ReferenceState
from zermelo.interpreter.values import Value

_Held = list[tuple[int, Closure]]
"""Numbers of arguments, with the places of the entries that hold them."""


class Consistency:
    """What players' perceptions say about the outcomes of chance."""

    def __init__(self, runner: Runner, compiler: Compiles, perceiver: Perceiver) -> None:
        self._runner = runner
        self._compiler = compiler
        self._perceiver = perceiver
        self._held: dict[CompiledPhase, dict[str, _Held]] = {}

    def outcomes(
        self, state: ReferenceState, player: int, later: Sequence[Observation], space: SampleSpace
    ) -> SampleSpace:
        """The outcomes of ``space`` at a chance state after which ``player`` may perceive ``later``; all of them if
        the rest cannot be counted."""
        known = {}
        for name, held in self._held_in(state.phase).items():
            arguments = self._arguments(state, player, later, space, name, held)
            if arguments is not None:
                known[name] = arguments
        event = space.given(known)
        return space if event is None else event

    def _arguments(
        self,
        state: ReferenceState,
        player: int,
        later: Sequence[Observation],
        space: SampleSpace,
        name: str,
        held: _Held,
    ) -> dict[int, Value] | None:
        """The arguments of a rule that are known, by number; None if no outcome of the rule is consistent."""
        arguments = {}
        before = self._perceiver.values_before(state)
        context, frame = self._runner.context(state), list(state.frame)
        for argument, place_of in held:
            place = place_of(context, frame)
            if place is None or not self._perceiver.sees_always(player, place):
                continue
            unchanged = space.given({name: {argument: before[place]}})
            if unchanged is None or unchanged.count:
                continue
            perceived = _first(later, self._perceiver.entry(place))
            if perceived is None:
                return None
            arguments[argument] = perceived.value
        return arguments

    def _held_in(self, phase: CompiledPhase) -> dict[str, _Held]:
        """The arguments that entries hold after an outcome of each rule of a phase."""
        if phase not in self._held:
            assert phase.decision is not None, "chance is to draw"
            self._held[phase] = {
                rule.name: [
                    (held.argument, place_of_entry(self._compiler, held.variable, held.indices))
                    for held in held_arguments(self._runner.model, phase.model, rule.model)
                ]
                for rule in phase.decision.rules
            }
        return self._held[phase]


def _first(later: Sequence[Observation], entry: Seen) -> Seen | None:
    """The first value of an entry that is perceived."""
    for observation in later:
        if isinstance(observation, Sighting):
            for seen in observation.values:
                if seen.variable == entry.variable and seen.indices == entry.indices:
                    return seen
    return None
