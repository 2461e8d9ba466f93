"""Small games whose plays go round: with chance, moves at once, earnings, a discount, a payoff of endless plays.

A few phases lead to each other in any order. What is carried along are a light, which moves turn on and off, and a
purse, which only becomes fuller, so that something may be earned that is not earned again and again; sometimes it is.
"""

from __future__ import annotations

from random import Random

from attrs import field, frozen


@frozen
class Circling:
    """The writer of one game. ``aim`` is "alone", "against", "common" or "any", as for random graphs."""

    random: Random
    aim: str
    has_chance: bool
    has_rounds: bool
    players: tuple[str, ...] = field(init=False)
    phases: tuple[str, ...] = field(init=False)
    earning: int = field(init=False)
    """In how many of a hundred moves something is earned again and again."""

    def __attrs_post_init__(self) -> None:
        most = {"alone": 1, "against": 2}.get(self.aim) or self.random.choice((2, 3))
        object.__setattr__(self, "players", ("Ann", "Bob", "Cy")[:most])
        object.__setattr__(self, "phases", tuple(f"s{k}" for k in range(self.random.randint(2, 4))))
        object.__setattr__(self, "earning", self.random.choice((0, 0, 0, 30)))

    def often(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def payoff(self) -> str:
        """The payoffs of all; they sum to 0 if two are against each other."""
        number = self.random.choice(("-2", "-1", "0", "0", "1", "2", "1/3", "light", "purse - 1"))
        if self.aim == "against":
            return f"({number}, -({number}))"
        if self.aim == "any":
            return f"({', '.join(str(self.random.randint(-2, 2)) for _ in self.players)})"
        if self.aim == "alone":
            return "{Ann: " + number + "}"
        return f"({', '.join(number for _ in self.players)})"

    def earn(self, indent: str) -> list[str]:
        amount = self.random.choice(("-1", "1", "1/2"))
        if self.aim == "against":
            return [f"{indent}earn Ann: {amount}", f"{indent}earn Bob: -({amount})"]
        if self.aim == "any":
            return [f"{indent}earn {self.random.choice(self.players)}: {amount}"]
        return [f"{indent}earn {player}: {amount}" for player in self.players]

    def way_on(self) -> str:
        return f"end payoff {self.payoff()}" if self.often(28) else f"go {self.random.choice(self.phases)}"

    def leave(self, indent: str) -> list[str]:
        lines = []
        if self.often(25):
            lines.append(f"{indent}light := {self.random.choice(('0', '1', '1 - light'))}")
        if self.often(self.earning):
            lines += self.earn(indent)
        if self.often(20):
            full = [f"{indent}if purse < 2:", *self.earn(indent + "    "), f"{indent}    purse += 1"]
            lines += [*full, f"{indent}    {self.way_on()}"]
        if self.often(15):
            lines += [f"{indent}if light == {self.random.randrange(2)}: {self.way_on()}"]
        return [*lines, indent + self.way_on()]

    def phase(self, name: str) -> list[str]:
        lines = [f"phase {name}:"]
        if self.often(10):
            lines.append(f"    if light == 1 and purse == 2: end payoff {self.payoff()}")
        kind = self.random.randrange(100)
        if self.has_chance and kind < 35:
            lines.append("    chance:")
            for k in range(self.random.choice((1, 2, 2, 3))):
                weight = self.random.choice(("", " weight 2", " weight light + 1", " weight 1/3", " weight purse"))
                lines += [f"        outcome o{k}{weight if k else ''}:", *self.leave("            ")]
        elif self.has_rounds and kind > 60 and len(self.players) > 1:
            lines += ["    together:", "        move up", "        move down"]
            if self.often(30):
                lines.append("        move wait if light == 1")
            lines.append("    then:")
            for first in self.random.choice((("up", "down"), ("up",))):
                for second in ("up", "down"):
                    lines.append(f"        if {first}[Ann] and {second}[Bob]: {self.way_on()}")
            lines += self.leave("        ")
        else:
            lines.append(f"    turn {self.random.choice(self.players)}:")
            for k in range(self.random.choice((1, 2, 2, 3))):
                formal, guard = (" if light == 0", "") if k and self.often(15) else ("", "")
                if self.often(10):
                    formal = "(n in 0..1)"
                lines += [f"        move m{k}{formal}{guard}:", *self.leave("            ")]
        return [*lines, ""]

    def game(self) -> str:
        lines = ['game "Circling"', f"players {', '.join(self.players)}", "var light: 0..1 = 0", "var purse: 0..2 = 0"]
        if self.often(70):
            lines.append("endless draw" if self.often(30) else f"endless payoff {self.constant()}")
        if self.often(25):
            lines.append(f"discount {self.random.choice(('1/2', '9/10'))}")
        lines += ["start at s0", ""]
        for name in self.phases:
            lines += self.phase(name)
        return "\n".join(lines) + "\n"

    def constant(self) -> str:
        """What an endless play pays."""
        number = self.random.choice((-7, -1, 0, 1, 7))
        if self.aim == "against":
            return f"({number}, {-number})"
        if self.aim == "alone":
            return f"{{Ann: {number}}}"
        return f"({', '.join(str(number) for _ in self.players)})"


def write_circling(random: Random, aim: str, has_chance: bool, has_rounds: bool) -> str:
    """One of these games, as text."""
    return Circling(random, aim, has_chance, has_rounds).game()
