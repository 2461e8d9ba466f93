"""Random contests of two players without chance, written as text, with few positions and plays that can go round."""

from __future__ import annotations

from hypothesis import strategies as st

PAYOFFS = (-2, -1, 0, 1, 2)


@st.composite
def contests(draw: st.DrawFn) -> str:
    """A graph of phases with one to three moves each, which end the play or go on, to the same player or the other.
    What endless plays pay may be worse than all ends, better, or as good as some."""
    size = draw(st.integers(1, 9))
    endless = draw(st.sampled_from((-3, -2, -1, 0, 0, 1, 2, 3)))
    paid = draw(st.sampled_from(((-1, 1), (-1, 0, 1), PAYOFFS, (1, 2))))
    lines = ['game "A contest"', "players Ann, Bob", f"endless payoff ({endless}, {-endless})", "start at s0"]
    for place in range(size):
        lines += [f"phase s{place}:", f"    turn {draw(st.sampled_from(('Ann', 'Bob')))}:"]
        for k in range(draw(st.integers(1, 3))):
            if draw(st.integers(0, 3)) == 0:
                amount = draw(st.sampled_from(paid))
                lines.append(f"        move m{k}: end payoff ({amount}, {-amount})")
            else:
                lines.append(f"        move m{k}: go s{draw(st.integers(0, size - 1))}")
    return "\n".join(lines) + "\n"


WAYS = {
    "on": ("at := {there}", "go play(other p)"),
    "again": ("at := {there}", "go play(p)"),
    "win": ("end win p",),
    "lose": ("end win other p",),
    "little": ("end draw",),
}


@st.composite
def even_contests(draw: st.DrawFn) -> str:
    """Both players have the same moves, along the edges of a graph of places: so they may be exchanged."""
    size = draw(st.integers(2, 7))
    lines = ['game "An even contest"', "players Ann, Bob", "endless draw"]
    lines += [f"var at: 0..{size - 1} = 0", "start at play(Ann)", "phase play(p: Player):", "    turn p:"]
    for k in range(draw(st.integers(1, 3))):
        lines.append(f"        move m{k}:")
        for place in range(size):
            way = draw(st.sampled_from(("on", "on", "on", "on", *WAYS)))
            there = draw(st.integers(0, size - 1))
            case = "else" if place == size - 1 else f"{'if' if place == 0 else 'else if'} at == {place}"
            lines.append(f"            {case}:")
            lines += [f"                {line.format(there=there)}" for line in WAYS[way]]
    return "\n".join(lines) + "\n"
