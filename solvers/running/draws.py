"""Random numbers, the same as in kernels."""

from __future__ import annotations

from typing import Final

from attrs import define

from zermelo.interpreter.native.dialect.words import mix

_STATE: Final = (1 << 53) - 1


@define(eq=False)
class Draws:
    """The generator of random numbers that kernels have: ``drawn`` of
    :mod:`zermelo.interpreter.native.drawing.sampling`. The same ``state`` gives the same numbers here and there."""

    state: int

    def below(self, count: int) -> int:
        """A number from 0 to ``count - 1``."""
        self.state = (self.state + 668265263) & _STATE
        bits = mix(mix(self.state, 2654435769), 40503) >> 20
        return (bits * count) >> 43 if count < 1 << 20 else bits % count


def draws(seed: int) -> Draws:
    """The generator of a seed."""
    return Draws(mix(mix(seed, 40503), 668265263) & _STATE)
