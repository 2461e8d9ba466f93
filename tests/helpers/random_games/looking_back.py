"""Small games whose rules look at the history in all ways there are: a table must tell pasts apart that they do.

A clock ends all plays. So positions meet after the same number of moves, with other histories behind them. Places and
coats are powers of 2, so that few other values lie between those that the rules have looked for.
"""

from __future__ import annotations

from attrs import frozen
from hypothesis import strategies as st

LOOKS = (
    "repeated(at)",
    "repeated(coat)",
    "repeated(at, coat)",
    "repetitions(at) >= 2",
    "repetitions(coat) >= 3",
    "repetitions(at, coat) == 2",
)


@frozen
class Way:
    """A move to a place in a coat, and what the rules look for on it: before it is offered, or in a phase without a
    decision on the way."""

    at: int
    coat: int
    ensured: str
    judged: str


@frozen
class Place:
    """Who moves there, and where to; what the rules look for on coming there, and what the play pays if they find it;
    the coat that is put on before the decision."""

    player: str
    ways: tuple[Way, ...]
    looked: str
    found: int
    changes: int | None


@frozen
class LookingBack:
    """The places, how many moves there are, and what a play pays that goes on to the end, by a look at the history."""

    places: tuple[Place, ...]
    clock: int
    last: str

    def text(self) -> str:
        """The game."""
        lines = ['game "Looking back"', "players A, B", f"var at: 0..{1 << len(self.places)} = 1", "var coat: 0..4 = 1"]
        lines += [f"var clock: 0..{self.clock} = {self.clock}", "start at place0"]
        judges: list[str] = []
        for k, place in enumerate(self.places):
            lines.append(f"phase place{k}:")
            if place.looked:
                lines.append(f"    if {place.looked}: {_end(str(place.found))}")
            lines.append(f"    if clock == 0: {_end(f'if {self.last} then 2 else at - coat')}")
            lines.append("    clock -= 1")
            if place.changes is not None:
                lines.append(f"    coat := {1 << place.changes}")
            lines.append(f"    turn {place.player}:")
            for number, way in enumerate(place.ways):
                ensuring = f" ensuring not {way.ensured}" if way.ensured else ""
                lines += [f"        move m{number}{ensuring}:", f"            at := {1 << way.at}"]
                lines.append(f"            coat := {1 << way.coat}")
                lines.append(f"            go {f'judge{k}_{number}' if way.judged else f'place{way.at}'}")
                if way.judged:
                    judges += [f"phase judge{k}_{number}:", f"    if {way.judged}: {_end(str(1 - place.found))}"]
                    judges.append(f"    go place{way.at}")
            lines.append(f"    otherwise: {_end(str(-place.found))}")
        return "\n".join(lines + judges) + "\n"


def _end(amount: str) -> str:
    return f"end payoff ({amount}, -({amount}))"


@st.composite
def looking_back(draw: st.DrawFn) -> LookingBack:
    """One of them."""
    count = draw(st.integers(2, 4))
    looks = draw(st.lists(st.sampled_from(LOOKS), min_size=1, max_size=2, unique=True))
    perhaps = st.sampled_from(["", "", *looks])
    way = st.builds(Way, at=st.integers(0, count - 1), coat=st.integers(0, 2), ensured=perhaps, judged=perhaps)
    place = st.builds(
        Place,
        player=st.sampled_from("AB"),
        ways=st.lists(way, min_size=1, max_size=3).map(tuple),
        looked=perhaps,
        found=st.integers(-2, 2),
        changes=st.none() | st.integers(0, 2),
    )
    places = draw(st.lists(place, min_size=count, max_size=count))
    return LookingBack(tuple(places), draw(st.integers(3, 7)), draw(st.sampled_from(looks)))
