"""Random games of phases in two versions: the second one has additional secret decisions of Cy.

Ann and Bob do not perceive these, so their observations are those of the same play without Cy's moves. Cy decides only
where that does not split a visible step in two: before a decision, and before chance if the move has changed only what
nobody sees.
"""

from __future__ import annotations

from random import Random

from attrs import define, field

_HEAD = """\
game "Paused"
players Ann, Bob, Cy
type Few = 0..2
var card[Player]: Few = 0       private
var open_card: Few = 0
var lamp: Few = 0               seen by if open_card == 1 then {Ann, Bob} else {Bob}
var dark: Few = 0               hidden
var murk: Few = 0               hidden
start at p0
"""

_SEEN = ("open_card := {n}", "card[Ann] := {n}", "card[Bob] := {n}", "lamp := {n}")
_TOLD = ("tell Ann that heard({n})", "tell {{Ann, Bob}} that news", "tell Bob that heard({n})", "tell Bob that p1")


@define
class _Writing:
    random: Random
    phases: int
    kinds: list[str] = field(factory=list)
    plain: list[str] = field(factory=list)
    paused: list[str] = field(factory=list)
    pauses: set[int] = field(factory=set)

    def line(self, depth: int, text: str) -> None:
        for lines in (self.plain, self.paused):
            lines.append("    " * depth + text)

    def phase(self, k: int) -> None:
        kind = self.kinds[k]
        self.line(0, f"phase p{k}:")
        if kind == "chance":
            self.line(1, "chance:")
        elif kind == "together":
            self.line(1, "together p in {Ann, Bob}:")
        else:
            self.line(1, f"turn {kind}:")
        for option in range(self.random.choice((1, 2, 2))):
            self.rule(k, kind, f"m{option}")
        if kind == "together":
            self.line(1, "then:")
            self.effects(k, kind, self.random.choice(("0", "if m0[Ann] then 1 else 0")), 2)

    def rule(self, k: int, kind: str, name: str) -> None:
        random = self.random
        if kind == "chance":
            self.line(2, f"outcome {name}(n in 0..{random.choice((0, 1, 2))}):")
            self.effects(k, kind, "n", 3)
        elif kind == "together":
            self.line(2, f"move {name}{random.choice(('', ' secret'))}")
        else:
            hidden = random.choice(("", "secret "))
            self.line(2, f"move {name}({hidden}n in 0..{random.choice((0, 1))}){random.choice(('', ' secret'))}:")
            self.effects(k, kind, "n", 3)

    def effects(self, k: int, kind: str, n: str, depth: int) -> None:
        random = self.random
        seen = random.sample(_SEEN, random.choice((0, 0, 1, 2)))
        for effect in (*seen, *random.sample(_TOLD, random.choice((0, 0, 1)))):
            self.line(depth, effect.format(n=n))
        if random.random() < 0.6:
            self.line(depth, f"dark := {n}")
        later = range(k + 1, self.phases)
        for condition in (f"if dark == {random.choice((0, 1))}: ", ""):
            there = random.choice(later[:2]) if later and random.random() < 0.85 else None
            if there is None:
                self.line(depth, f"{condition}end payoff (dark, {random.randint(-2, 2)}, 0)")
                continue
            if self.kinds[there] != "chance" or not (seen or kind == "chance"):
                often = random.choice(("", "if dark != 1: "))
                if not (condition and often):
                    self.pauses.add(there)
                    pause = f"{condition or often}go pause{there}({random.choice((0, 1))})"
                    self.paused.append("    " * depth + pause)
                    if condition:
                        self.plain.append("    " * depth + f"{condition}go p{there}")
                        continue
                    if not often:
                        self.plain.append("    " * depth + f"go p{there}")
                        continue
            self.line(depth, f"{condition}go p{there}")


def with_and_without(random: Random) -> tuple[str, str]:
    """The text of a game, and of the same game with decisions of Cy."""
    writing = _Writing(random, random.choice((3, 4, 4, 5)))
    writing.kinds = [random.choice(("Ann", "Bob", "Ann", "Bob", "chance", "together")) for _ in range(writing.phases)]
    for k in range(writing.phases):
        writing.phase(k)
    for k in sorted(writing.pauses):
        writing.paused += [
            f"phase pause{k}(left: 0..1):",
            "    turn Cy:",
            "        move nothing secret:",
            f"            if left == 0: go p{k}",
            f"            go pause{k}(left - 1)",
            "        move stir(n in 0..1) secret:",
            "            murk := n",
            "            card[Cy] := n",
            f"            go p{k}",
        ]
    return _HEAD + "\n".join(writing.plain) + "\n", _HEAD + "\n".join(writing.paused) + "\n"
