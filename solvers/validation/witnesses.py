"""Whether plays come to what the file calls ``reachable``, or says is ``never`` so.

A play that comes to such a position settles both. It is a shortest one, since positions are searched breadth first, and
all of them are tested, whatever the players know of them. That no play does is said only if all positions have been
searched. A witness cannot tell more apart than positions, since it reads variables, and the phase with its arguments,
which belong to the position (:mod:`zermelo.interpreter.model.rewriting`); and every end of a play is tested itself.
"""

from __future__ import annotations

from attrs import evolve, frozen

from zermelo.foundation.records import Displayed
from zermelo.interpreter.checks.claims import is_about_present_game
from zermelo.interpreter.machine import display_text
from zermelo.interpreter.model import Model, Witness
from zermelo.solvers.positions.graph.graph import AT_ROOT, NOT_MET
from zermelo.solvers.validation.shortest_plays import Extent, Play, Searched, ShortestPlays


@frozen(eq=False, repr=False)
class Sought(Displayed):
    """What a search says of a witness: a shortest ``play`` to such a position, None if none has been found."""

    witness: Witness
    play: Play | None
    extent: Extent

    @property
    def holds(self) -> bool | None:
        """Whether the line holds; None if that is not known."""
        if self.play is not None:
            return self.witness.is_wanted
        return not self.witness.is_wanted if self.extent.is_whole else None

    @property
    def how(self) -> str:
        """The play, or the extent of the search without one, in words."""
        if self.play is not None:
            return f"after {', '.join(map(display_text, self.play))}" if self.play else "at the beginning"
        return f"no play comes to it; searched: {self.extent.said or 'nothing'}"


def relevant_witnesses(model: Model) -> tuple[int, ...]:
    """The numbers of the witnesses that concern the game with its present parameters."""
    return tuple(number for number, witness in enumerate(model.witnesses) if is_about_present_game(model, witness))


def sought_witnesses(plays: ShortestPlays, model: Model, searched: Searched) -> tuple[Sought, ...]:
    """What a search has found of the witnesses that it has watched for; ``plays`` are those of its graph."""
    seen = evolve(searched.extent, plays=0)  # random plays are not watched
    return tuple(
        Sought(model.witnesses[number], _play(plays, edge), seen)
        for number, edge in zip(searched.watched, plays.graph.met, strict=True)
    )


def _play(plays: ShortestPlays, edge: int) -> Play | None:
    """The shortest play that ends with an edge."""
    if edge == NOT_MET:
        return None
    return () if edge == AT_ROOT else plays.through(edge)
