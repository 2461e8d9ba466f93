"""Small games of positions that lead to each other: they come back, and are reached in several ways.

What ends their plays is what proofs and tables may get wrong: a clock, the numbers of positions that fall by an order
that no rule tells, a history that forbids to come back, or one that ends the play when it does. What is paid may depend
on the way, too: by what is earned on it, by its length, or by the last position before, which some alone remember.
"""

from __future__ import annotations

from attrs import frozen
from hypothesis import strategies as st

ENDINGS = ("clock", "falling", "forbidden", "repeated", "third time")


@frozen
class Spot:
    """A position: who moves there, where to, with what each way earns the first player, and what the first player gets
    by the way out, if there is one, and where nothing else is left; whether the position before counts there, too."""

    player: str
    ways: tuple[tuple[int, int], ...]
    out: int | None
    stuck: int
    remembers: bool


@frozen
class Winding:
    """``discount`` is empty, or what a unit is worth after each ply; ``clock`` how many moves a clock allows."""

    spots: tuple[Spot, ...]
    ending: str
    discount: str
    clock: int

    def text(self) -> str:
        """The game."""
        most = len(self.spots)
        lines = ['game "Winding"', "players A, B", f"var at: 0..{most} = 0", f"var before: 0..{most} = 0"]
        if self.ending == "clock":
            lines.append(f"var clock: 0..{self.clock} = {self.clock}")
        if self.discount:
            lines.append(f"discount {self.discount}")
        lines.append("start at spot0")
        for k, spot in enumerate(self.spots):
            lines += [f"phase spot{k}:", *self._ends(spot), f"    turn {spot.player}:", *self._moves(k, spot)]
            lines.append(f"    otherwise: {_end(spot, spot.stuck)}")
        return "\n".join(lines) + "\n"

    def _ends(self, spot: Spot) -> list[str]:
        match self.ending:
            case "clock":
                return [f"    if clock == 0: {_end(spot, spot.stuck)}", "    clock -= 1"]
            case "repeated":
                return [f"    if repeated(at): {_end(spot, spot.stuck)}"]
            case "third time":
                return [f"    if repetitions(at) >= 3: {_end(spot, spot.stuck)}"]
        return []

    def _moves(self, k: int, spot: Spot) -> list[str]:
        ensuring = " ensuring not repeated(at)" if self.ending == "forbidden" else ""
        lines = []
        for there, earned in spot.ways:
            if self.ending == "falling" and not _falls(k, there):
                continue
            lines += [f"        move to{there}{ensuring}:", "            before := at", f"            at := {there}"]
            if earned:
                lines += [f"            earn A: {earned}", f"            earn B: {-earned}"]
            lines.append(f"            go spot{there}")
        if spot.out is not None or not lines:
            lines.append(f"        move out: {_end(spot, spot.stuck if spot.out is None else spot.out)}")
        return lines


def _falls(k: int, there: int) -> bool:
    """Whether one position comes before another in an order that is not that of their numbers."""
    return (k * 5 + 3) % 7 < (there * 5 + 3) % 7


def _end(spot: Spot, amount: int) -> str:
    worth = f"{amount} + before" if spot.remembers else f"{amount}"
    return f"end payoff ({worth}, -({worth}))"


@st.composite
def windings(draw: st.DrawFn) -> Winding:
    """One of them."""
    count = draw(st.integers(2, 7))
    earned = draw(st.sampled_from([st.just(0), st.just(0), st.integers(-1, 1)]))
    amounts = draw(st.sampled_from([st.integers(0, 1), st.integers(-2, 2)]))
    spot = st.builds(
        Spot,
        player=st.sampled_from("AB"),
        ways=st.dictionaries(st.integers(0, count - 1), earned, min_size=1, max_size=4).map(
            lambda ways: (*ways.items(),)
        ),
        out=st.sampled_from([True, False, False, False]).flatmap(lambda has: amounts if has else st.none()),
        stuck=amounts,
        remembers=st.sampled_from([True, False, False, False]),
    )
    spots = draw(st.lists(spot, min_size=count, max_size=count))
    discount = draw(st.sampled_from(["", "", "", "1/2"]))
    return Winding(tuple(spots), draw(st.sampled_from(ENDINGS)), discount, draw(st.integers(1, 8)))
