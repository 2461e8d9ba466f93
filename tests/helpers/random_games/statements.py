"""Effects: assignments, branches, loops, payoffs, and the ends of paths through them."""

from __future__ import annotations

from attrs import evolve, frozen
from random_games.draft import Draft
from random_games.vocabulary import Function, Name, Scope


@frozen
class Statements(Draft):
    """Effects: assignments, branches, loops, payoffs, and the ends of paths through them."""

    def statements(self, scope: Scope, indent: str, budget: int) -> tuple[list[str], Scope]:
        """Some statements that do not leave the phase, and the scope after them."""
        lines: list[str] = []
        for _ in range(self.random.randint(0, budget)):
            choice = self.random.randrange(100)
            if choice < 45:
                lines.append(indent + self.assignment(scope))
            elif choice < 55:
                kind = self.pick(self.kinds)
                name = Name(self.new("v"), kind, self.pick(("one", "optional", "set", "optional set")))
                value = self.shaped(name, evolve(scope, depth=2))
                if value == "none" or "{" in value:
                    name = evolve(name, shape="one")
                    value = self.one(kind, evolve(scope, depth=2))
                if kind.sort != "number" and self.often(50):
                    lines.append(f"{indent}let {name.text} = {value}")
                    if not (kind.sort == "record" and value.startswith("(")):
                        scope = scope.with_names(name)
                    continue
                name = evolve(name, is_local=True)
                lines.append(f"{indent}var {name.text}: {name.type} = {value}")
                scope = scope.with_names(name)
            elif choice < 68:
                lines.append(f"{indent}if {self.condition(evolve(scope, depth=2))}:")
                lines += self.block(scope, indent, budget - 1)
                if self.often(20):
                    lines.append(f"{indent}else if {self.condition(evolve(scope, depth=1))}:")
                    lines += self.block(scope, indent, budget - 1)
                if self.often(40):
                    lines.append(f"{indent}else:")
                    lines += self.block(scope, indent, budget - 1)
            elif choice < 71:
                kind = self.pick([kind for kind in self.kinds if kind.sort != "record"])
                name = Name(self.new("h"), kind, "set")
                lines.append(f"{indent}for {name.text} in {self.groups(kind, evolve(scope, depth=1))}:")
                lines += self.block(scope.with_names(name), indent, budget - 1)
            elif choice < 80:
                binder, name = self.binder(evolve(scope, depth=1))
                inner = scope.with_names(name)
                if self.often(25):
                    more, other = self.binder(evolve(inner, depth=1))
                    binder, inner = f"{binder}, {more}", inner.with_names(other)
                guard = f" if {self.condition(evolve(inner, depth=1))}" if self.often(40) else ""
                lines.append(f"{indent}for {binder}{guard}:")
                lines += self.block(inner, indent, budget - 1)
            elif choice < 86:
                lines += self.match(scope, indent, budget)
            elif choice < 90:
                who = self.one(self.kinds[0], evolve(scope, depth=1)) if self.often(30) else self.pick(self.players)
                lines.append(f"{indent}earn {who}: {self.fraction(evolve(scope, depth=1))}")
            elif choice < 94:
                lines += self.message(evolve(scope, depth=1), indent)
            elif self.actions:
                action = self.pick(self.actions)
                lines.append(f"{indent}{self.call(action, evolve(scope, depth=1))}")
        return lines, scope

    def message(self, scope: Scope, indent: str) -> list[str]:
        """Something told or revealed, to one player or several."""
        make = self.pick((self.one, self.set))
        hearer = f"({make(self.kinds[0], scope)})" if self.often(25) else self.pick((*self.players, "Player"))
        if self.often(30):
            shown = self.entry(self.pick(self.variables), scope)
            return [f"{indent}reveal {shown}{f' to {hearer}' if self.often(50) else ''}"]
        kind = self.pick(self.kinds)
        told = self.one(kind, scope)
        label = f"heard{self.kinds.index(kind)}" if self.often(90) else "heard"
        return [] if told.startswith("(") else [f"{indent}tell {hearer} that {label}({told})"]

    def block(self, scope: Scope, indent: str, budget: int) -> list[str]:
        inner = indent + "    "
        lines, scope = self.statements(scope, inner, budget)
        return [*lines, inner + self.assignment(scope)]

    def match(self, scope: Scope, indent: str, budget: int) -> list[str]:
        kind = self.pick(
            [kind for kind in self.kinds if kind.sort in ("number", "enumeration", "order", "player", "bool")]
        )
        inner = indent + "    "
        lines = [f"{indent}match {self.one(kind, evolve(scope, depth=1))}:"]
        if kind.sort == "number":
            middle = (kind.low + kind.high) // 2
            patterns = [f"{kind.low}..{middle}"]
        else:
            patterns = list(kind.members[:-1])
        for pattern in [*patterns, "else"]:
            lines += [f"{inner}{pattern}:", *self.block(scope, inner, max(0, budget - 2))]
        return lines

    def assignment(self, scope: Scope) -> str:
        scope = evolve(scope, depth=2)
        locals = [name for name in scope.names if name.is_local]
        target = self.pick([*(name for name in self.variables if name.text != "clock"), *locals])
        if target.shape == "set" and self.often(60):
            return f"{self.entry(target, scope)} {self.pick(('+=', '-='))} {self.set(target.kind, scope)}"
        if "set" not in target.shape and target.kind.sort == "record" and self.often(30):
            name, part = self.pick(target.kind.fields)
            if part.sort == "number" and self.often(40):
                return f"{self.entry(target, scope)}.{name} {self.pick(('+=', '-='))} {self.pick('012')}"
            return f"{self.entry(target, scope)}.{name} := {self.one(part, scope)}"
        if target.kind.sort == "number" and target.shape == "one" and self.often(15):
            return f"{self.entry(target, scope)} {self.pick(('+=', '-='))} {self.pick('012')}"
        if target.kind.sort == "cell" and self.board[0] == "ring" and "set" not in target.shape and self.often(30):
            return f"{self.entry(target, scope)} {self.pick(('+=', '-='))} {self.number(scope.deeper())}"
        if target.kind.sort == "direction" and "set" not in target.shape and self.often(15):
            return f"{self.entry(target, scope)} {self.pick(('+=', '-='))} {self.one(target.kind, scope.deeper())}"
        if target.indices and self.often(10):
            return f"{target.text} := {self.shaped(target, evolve(scope, depth=1))}"
        return f"{self.entry(target, scope)} := {self.shaped(target, scope)}"

    def leave(self, scope: Scope) -> str:
        """The end of a path through the effects."""
        scope = evolve(scope, depth=2)
        if self.often(82):
            return self.go(self.pick(self.phases), scope)
        return self.end(scope)

    def go(self, phase: Function, scope: Scope) -> str:
        return f"go {self.call(phase, scope)}"

    def end(self, scope: Scope) -> str:
        choice = self.random.randrange(7)
        if choice == 0 and len(self.players) > 1:
            return f"end win {self.one(self.kinds[0], scope)}"
        if choice == 5 and len(self.players) > 1:
            winner, loser = self.random.sample(self.players, 2)
            return f"end win ({self.set(self.kinds[0], scope)} - {{{loser}}} + {{{winner}}})"
        if choice == 6:
            return "end"
        if choice == 1:
            return "end draw"
        word = self.pick(("payoff", "payoff", "by"))
        if choice == 2 and len(self.players) <= 2:
            return f"end payoff {self.one(self.kinds[0], scope)}: {self.fraction(scope)}"
        if choice == 2:
            return f"end payoff ({', '.join(self.fraction(scope) for _ in self.players)})"
        if choice == 3:
            return f"end {word} {{{', '.join(f'{player}: {self.fraction(scope)}' for player in self.players)}}}"
        name = Name(self.new("q"), self.kinds[0])
        return f"end {word} {{{name.text}: {self.fraction(scope.with_names(name))} for {name.text} in Player}}"

    def effects(self, scope: Scope, indent: str) -> list[str]:
        """The body of a move or outcome."""
        inner = indent + "    "
        lines = [inner + "clock += 1"]
        more, scope = self.statements(scope, inner, 3)
        lines += more
        if self.often(25):
            lines.append(f"{inner}if {self.condition(evolve(scope, depth=2))}:")
            lines.append(f"{inner}    {self.leave(scope)}")
        return [*lines, inner + self.leave(scope)]
