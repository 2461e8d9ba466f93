"""Information states as kernels number them, as players know them."""

from __future__ import annotations

from array import array

from attrs import frozen

from zermelo.interpreter.machine import InformationState
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.state_encoding.observations import Perceived, Perception


@frozen(eq=False)
class KnownStates:
    """What is known in information states, put together from their observations, which a kernel has numbered
    (:mod:`zermelo.solvers.kernels.observations`). Set s knows information state ``known[s]``."""

    program: Program
    known: array[int]
    previous: array[int]
    starts: array[int]
    words: array[int]

    def __call__(self, s: int) -> InformationState:
        perception = self.program.perception
        if not isinstance(perception, Perception):
            return ()
        observations = []
        state, players = self.known[s], len(self.program.model.players)
        while state >= players:
            observations.append(tuple(self.words[self.starts[state] : self.starts[state + 1]]))
            state = self.previous[state]
        return Perceived(perception, tuple(reversed(observations)))
