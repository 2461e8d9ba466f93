"""Random games in the notations without phases: trees and tables."""

from __future__ import annotations

from itertools import count
from random import Random

_CHANCES = (("1/2", "1/2"), ("1/3", "2/3"), ("0.25", "1/2", "1/4"), ("1",))


def tree(random: Random) -> str:
    """A game tree with chance and information sets; a set has nodes at one depth with the same moves."""
    players = random.choice((("A", "B"), ("A", "B", "C"), ("A",)))
    owners = [random.choice(players) for _ in range(4)]
    widths = [random.randint(1, 3) for _ in range(4)]
    labelled = [random.random() < 0.4 for _ in range(4)]

    marks = count()

    def payoff() -> str:
        def number() -> str:
            return random.choice(("{}", "{} / 2", "{} + 1/3", "-{}", "worth({})")).format(random.randint(0, 9))

        if len(players) < 3 and random.random() < 0.7:
            return number()
        return f"({', '.join(number() for _ in players)})" if len(players) > 1 else number()

    def node(depth: int, indent: str, seen: str) -> list[str]:
        """The lines of a node; nodes with a different ``seen`` must have different labels."""
        if depth == 3 or (depth > 0 and random.random() < 0.25):
            return [payoff()]
        inner = indent + "    "
        if random.random() < 0.2:
            lines = ["chance:"]
            for k, chance in enumerate(random.choice(_CHANCES)):
                lines += _under(f"{inner}{chance} o{k}: ", node(depth + 1, inner, seen))
            return lines
        owner, width = owners[depth], widths[depth]
        label = f" @set{depth}{seen}" if labelled[depth] else ""
        mark = owner if label else f"{owner}{next(marks)}_"
        lines = [f"{owner}{label}:"]
        for k in range(width):
            known = f"{seen}_{mark}{k}" if owner in owners[depth + 1 :] else seen
            lines += _under(f"{inner}m{k}: ", node(depth + 1, inner, known))
        return lines

    root = node(0, "    ", "")
    head = ['game "Random tree"', "", f"players {', '.join(players)}", "", "define worth(x: 0..9) = x * x", ""]
    return "\n".join([*head, "tree:", *_under("    ", root)]) + "\n"


def _under(first: str, lines: list[str]) -> list[str]:
    return [first + lines[0], *lines[1:]]


def table(random: Random) -> str:
    """A game in normal form of two or three players."""
    players = ("A", "B", "C")[: random.choice((2, 2, 3))]
    rows, columns, thirds = (random.randint(1, 3) for _ in range(3))

    def cell() -> str:
        return ", ".join(str(random.choice((-1, 0, 1, 2, "1/2", "0.3"))) for _ in players)

    lines = ['game "Random table"', "", f"players {', '.join(players)}"]
    for third in range(thirds if len(players) == 3 else 1):
        lines += ["", f"table C = t{third}:" if len(players) == 3 else "table:"]
        lines.append("    A \\ B | " + " | ".join(f"c{column}" for column in range(columns)))
        for row in range(rows):
            lines.append(f"    r{row} | " + " | ".join(cell() for _ in range(columns)))
    return "\n".join(lines) + "\n"
