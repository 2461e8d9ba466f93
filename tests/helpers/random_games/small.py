"""Small random games for the referee, who can visit every history.

They consist of constructs that once had bugs, or may have: names bound on entering a phase before the variables change,
histories, secret moves and decisions that others do not notice, changing audiences, ``together``, chance with weights,
sets to which none is added, labels at different depths of a tree, payoffs beyond 64 bits, names that clash with others
or with words of generated code. A clock ends most plays; games without one are for the proofs of termination.
"""

from __future__ import annotations

from random import Random

from attrs import field, frozen

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check

_STEMS = (
    "x",
    "score",
    "score1",
    "T",
    "T0",
    "root",
    "S",
    "C",
    "a",
    "b",
    "k",
    "state",
    "n1",
    "n11",
    "v",
    "m",
    "p1",
    "turns",
)
_HUGE = (2**31, 2**53 + 1, 2**61, 2**62 - 1, 2**63 - 1, 2**63, 2**64 + 1, 3**45, 10**30)


@frozen
class Small:
    """The draft of a small game. ``numbers`` are the variables 0..2 with their declarations, ``sum`` is the kind of its
    payoffs (``zero``, ``common`` or ``any``), and ``secrecy`` the probability of a secret move, in percent."""

    random: Random
    players: tuple[str, ...]
    sum: str
    secrecy: int
    scale: str
    has_clock: bool
    numbers: list[str] = field(factory=list)
    has_set: bool = False
    history: str = ""
    defines: list[str] = field(factory=list)
    phases: tuple[str, ...] = ()
    chance: tuple[str, ...] = ()

    def often(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def pick(self, options: tuple[str, ...] | list[str]) -> str:
        return self.random.choice(options)

    # ------------------------------------------------------------------ expressions

    def number(self, names: list[str]) -> str:
        """A whole number from -4 to 9 or so."""
        choices = [*names, *names, *self.numbers, *self.defines, str(self.random.randint(0, 3))]
        one = self.pick(choices)
        if self.often(35):
            other = self.pick(choices)
            return self.pick((f"({one} + {other})", f"({one} * {other})", f"({one} - {other})", f"max({one}, {other})"))
        if self.history and self.often(25):
            return self.history
        return one

    def condition(self, names: list[str]) -> str:
        if self.has_set and self.often(25):
            return f"{self.pick(('a1', 'b1'))} {self.pick(('in', 'not in'))} cells"
        return f"{self.number(names)} {self.pick(('<', '>', '==', '!=', '<='))} {self.number(names)}"

    def amount(self, names: list[str]) -> str:
        one = self.number(names)
        if self.often(30):
            one = f"(if {self.condition(names)} then {one} else {self.number(names)})"
        return f"({one}){self.scale}" if self.scale else one

    # ------------------------------------------------------------------ statements

    def effects(self, names: list[str], indent: str) -> list[str]:
        lines = []
        for _ in range(self.random.choice((0, 1, 1, 2))):
            target = self.pick(self.numbers)
            choice = self.random.randrange(100)
            if choice < 60:
                lines.append(f"{target} := {self.value(names)}")
            elif choice < 70:
                lines += [f"if {self.condition(names)}:", f"    {target} := {self.value(names)}"]
            elif choice < 80 and self.has_set:
                cell = self.pick(("a1", "b1"))
                lines.append(f"cells {self.pick(('+=', '-='))} {{{cell} + {self.pick(('west', 'east'))}}}")
            elif choice < 90:
                lines.append(f"tell {self.pick(self.players)} that heard({self.pick(self.numbers)})")
            else:
                lines.append(
                    f"earn {self.pick(self.players)}: {self.amount(names)}" if self.sum == "any" else f"{target} := 0"
                )
        return [indent + line for line in lines]

    def value(self, names: list[str]) -> str:
        """A number from 0 to 2."""
        choice = self.random.randrange(10)
        if choice < 4:
            return self.pick(("0", "1", "2"))
        if choice < 7 and names:
            return f"max(0, min(2, {self.pick(names)}))"
        return f"({self.number(names)}) % 3"

    def end(self, names: list[str]) -> str:
        if self.sum == "common":
            return f"end payoff {{q: {self.amount(names)} for q in Player}}"
        if self.sum == "zero" and len(self.players) == 2:
            if self.often(15):
                return f"end win {self.pick(self.players)}"
            worth = self.amount(names)
            return f"end payoff {self.players[0]}: {worth}"
        if self.often(10) and len(self.players) > 1:
            return f"end win {self.pick(self.players)}"
        amounts = ", ".join(self.amount(names) for _ in self.players)
        return f"end payoff ({amounts})" if len(self.players) > 1 else f"end payoff {{{self.players[0]}: {amounts}}}"

    def leave(self, names: list[str], indent: str) -> list[str]:
        lines = self.effects(names, indent)
        if self.often(25):
            lines.append(f"{indent}if {self.condition(names)}: {self.way_on(names)}")
        return [*lines, indent + self.way_on(names)]

    def way_on(self, names: list[str]) -> str:
        return self.end(names) if self.often(20) else f"go {self.pick(self.phases)}"

    # ------------------------------------------------------------------ phases

    def phase(self, name: str) -> list[str]:
        lines, names = [f"phase {name}:"], []
        if self.has_clock:
            lines.append(f"    if clock == 0: {self.end([])}")
            lines.append("    clock -= 1")
        for old in ("old", "older"):
            if self.often(35):
                lines.append(f"    let {old} = {self.number([])}")
                names.append(old)
                if self.often(70):
                    lines.append(f"    {self.pick(self.numbers)} := {self.value([])}")
        if self.history and self.often(40):
            lines.append(
                f"    if {self.history} {self.pick(('>', '=='))} {self.random.randint(1, 2)}: {self.end(names)}"
            )
        if name in self.chance:
            lines += self.draws(names)
        elif self.often(15) and len(self.players) > 1:
            lines += self.together(names)
        else:
            lines += self.turn(names)
        if self.often(60) or not self.has_clock:
            lines.append(f"    otherwise: {self.way_on(names) if self.often(15) else self.end(names)}")
        return [*lines, ""]

    def turn(self, names: list[str]) -> list[str]:
        lines = [f"    turn {self.pick(self.players)}:"]
        for k in range(self.random.choice((1, 2, 2, 2, 3))):
            secret = " secret" if self.often(self.secrecy) else ""
            inner, formals = names, ""
            if self.often(30):
                formals = f"({'secret ' if self.often(self.secrecy) else ''}n in 0..{self.random.randint(1, 2)})"
                inner = [*names, "n"]
            guard = f" if {self.condition(inner)}" if self.often(25) and not self.secrecy else ""
            lines.append(f"        move m{k}{formals}{secret}{guard}:")
            lines += self.leave(inner, "            ")
        return lines

    def together(self, names: list[str]) -> list[str]:
        lines = [
            "    together:",
            "        move up",
            f"        move down{' secret' if self.often(self.secrecy) else ''}",
            "    then:",
        ]
        one = self.pick(self.players)
        lines.append(f"        if up[{one}]: {self.way_on(names)}")
        return [*lines, *self.leave(names, "        ")]

    def draws(self, names: list[str]) -> list[str]:
        lines = ["    chance:"]
        for k in range(2):
            lines.append(f"        outcome o{k}{self.pick(('', ' weight 2', f' weight {self.value(names)} + 1'))}:")
            lines += self.leave(names, "            ")
        return lines

    # ------------------------------------------------------------------ the file

    def named(self) -> list[str]:
        """Defines whose names may be mistaken for others, or for words of generated code."""
        lines = []
        names = [name for name in (*_STEMS, "score12", "T1", "total") if name not in self.numbers]
        for name in self.random.sample(names, self.random.choice((0, 0, 1, 2, 4))):
            if self.often(50):
                entries = ", ".join(f"{k}: {self.random.randint(0, 3)}" for k in range(3))
                lines.append(f"define {name} = {{{entries}}}[{self.pick(self.numbers)}]")
            else:
                lines.append(f"define {name} = if {self.condition([])} then {self.number([])} else {self.number([])}")
            self.defines.append(name)
        return lines

    def game(self) -> str:
        lines = ['game "Small"', f"players {', '.join(self.players)}", ""]
        stems = self.random.sample(_STEMS, self.random.randint(1, 3))
        self.numbers.extend(stems)
        for name in stems:
            seen = self.pick(("  hidden", f"  seen by {self.pick(self.players)}")) if self.often(self.secrecy) else ""
            if self.secrecy and self.often(12):
                seen = f"  seen by if open == 1 then Player else {{{self.pick(self.players)}}}"
            lines.append(f"var {name}: 0..2 = {self.random.randint(0, 2)}{seen}")
        lines.append("var open: 0..2 = 0")
        self.numbers.append("open")
        if self.has_clock:
            most = self.random.randint(1, 4)
            lines.append(f"var clock: 0..{most} = {most}{'  hidden' if self.secrecy else ''}")
        if self.has_set:
            lines += [
                "type Cell = grid(2, 1)",
                f"var cells: set of Cell = {{}}{'  hidden' if self.often(self.secrecy) else ''}",
            ]
        lines += ["", *self.named(), "", f"start at {self.phases[0]}", ""]
        if self.often(20):
            lines.append(f"discount {self.pick(('1/2', '9/10'))}")
        for name in self.phases:
            lines += self.phase(name)
        return "\n".join(lines) + "\n"


def write_small(random: Random) -> str:
    """A small random game of phases, or sometimes a tree with labels. One in some thousands is refused, since it can
    never end, and another one is written instead."""
    while True:
        text = _write_any_small(random)
        if check(Source("small.game", text))[0] is not None:
            return text


def write_of_three(random: Random) -> str:
    """A small random game of three players who see everything; now and then later payoffs count less."""
    while True:
        text = write_small(random)
        if "Ann, Bob, Cy" in text and not any(word in text for word in ("hidden", "seen by", "secret", "@")):
            discount = f"\ndiscount {random.choice(('1/2', '2/3', '9/10'))}\n" if random.random() < 0.3 else ""
            return text + discount


def _write_any_small(random: Random) -> str:
    if random.random() < 0.3:
        return write_tree(random)
    players = random.choice((("Ann", "Bob"),) * 6 + (("Ann", "Bob", "Cy"), ("Ann",)))
    kind = (
        random.choice(("zero", "zero", "zero", "common", "any"))
        if len(players) == 2
        else random.choice(("common", "any"))
    )
    scale = ""
    if random.random() < 0.15:
        scale = random.choice((" * {}", " / {}", " * {} / 7")).format(random.choice(_HUGE))
    phases = tuple(random.sample(("a", "b", "c", "root", "phase1", "play"), random.randint(2, 4)))
    chance = tuple(name for name in phases if random.random() < 0.25)
    secrecy = random.choice((0, 0, 45, 45, 90))
    draft = Small(
        random, players, kind, secrecy, scale, random.random() < 0.9,
        has_set=random.random() < 0.2, history="", phases=phases, chance=chance,
    )  # fmt: skip
    if random.random() < 0.15:
        object.__setattr__(draft, "history", "repetitions(open)")
    return draft.game()


def write_tree(random: Random) -> str:
    """A tree whose labels join nodes at any depth with the same own past."""
    names = ("root", "x", "y", "other", "a", "b", "l", "r")
    players = random.choice((("Ann", "Bob"),) * 3 + (("Ann", "Bob", "Cy"),))
    scale = random.choice(("",) * 6 + tuple(f" * {huge}" for huge in _HUGE[:3]))
    labels: dict[tuple[object, ...], str] = {}

    def payoff() -> str:
        if len(players) == 2 and random.random() < 0.8:
            return f"{random.randint(-4, 4)}{scale}"
        return f"({', '.join(str(random.randint(-4, 4)) + scale for _ in players)})"

    def node(depth: int, pasts: dict[str, tuple[object, ...]], indent: str) -> list[str]:
        if depth >= random.choice((2, 3, 4)) or (depth and random.random() < 0.15):
            return [payoff()]
        inner = indent + "    "
        chosen = random.sample(names, 2)
        if random.random() < 0.25:
            lines = ["chance:"]
            for share, name in zip(random.choice((("1/2", "1/2"), ("1/3", "2/3"))), chosen, strict=True):
                lines += _below(f"{inner}{share} {name}: ", node(depth + 1, pasts, inner))
            return lines
        player = random.choice(players)
        label, moves = "", tuple(chosen)
        if random.random() < 0.7:
            key = (player, pasts.get(player, ()), random.randrange(2))
            moves = ("l", "r") if random.random() < 0.8 else ("root", "r")
            label = f" @{labels.setdefault((*key, moves), f's{len(labels)}')}"
        lines = [f"{player}{label}:"]
        mark: object = label or object()
        for name in moves:
            past = {**pasts, player: (*pasts.get(player, ()), mark, name)}
            lines += _below(f"{inner}{name}: ", node(depth + 1, past, inner))
        return lines

    head = ['game "Small tree"', f"players {', '.join(players)}", ""]
    return "\n".join([*head, "tree:", *_below("    ", node(0, {}, "    "))]) + "\n"


def _below(first: str, lines: list[str]) -> list[str]:
    return [first + lines[0], *lines[1:]]
