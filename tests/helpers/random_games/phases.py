"""Phases and their decisions."""

from __future__ import annotations

from attrs import evolve, frozen
from random_games.draft import Draft
from random_games.vocabulary import BOOL, Function, Name, Scope


@frozen
class Phases(Draft):
    """Phases and their decisions."""

    def move_formals(self, scope: Scope, most: int, can_hide: bool = True) -> tuple[str, Scope]:
        texts = []
        for _ in range(self.random.randint(0, most)):
            binder, name = self.binder(evolve(scope, depth=2))
            if name.kind.sort != "record" and self.often(8):
                chosen = self.set(name.kind, evolve(scope, depth=1))
                binder = f"{name.text} in subsets({chosen}, {self.random.randint(1, 2)})"
                if self.often(30):
                    binder = f"{name.text} in {self.groups(name.kind, evolve(scope, depth=1))}"
                name = evolve(name, shape="set")
            if self.often(10):
                binder += "?"
                name = evolve(name, shape="optional" if name.shape == "one" else "optional set")
            secret = "secret " if can_hide and self.often(10) else ""
            texts.append(secret + binder)
            scope = scope.with_names(name)
        return (f"({', '.join(texts)})" if texts else ""), scope

    def phase(self, function: Function) -> list[str]:
        written = ", ".join(f"{'secret ' if self.often(10) else ''}{f.text}: {f.type}" for f in function.formals)
        scope = Scope(function.formals)
        lines = [f"phase {function.name}{f'({written})' if written else ''}:"]
        lines.append(f"    if clock >= 5: {self.end(evolve(scope, depth=1))}")
        board = [name for name in self.variables if name.text != "clock"]
        if self.often(15):
            call = self.pick((f"repeated({self.pick(board).text})", f"repetitions({self.pick(board).text}) > 1"))
            lines.append(f"    if {call}: {self.end(evolve(scope, depth=1))}")
        more, scope = self.statements(scope, "    ", 2)
        lines += more
        choice = self.random.randrange(100)
        decide = (
            self.draws if choice < 8 else self.chance if choice < 25 else self.together if choice < 45 else self.turn
        )
        if decide == self.draws:
            scope = Scope(function.formals)
        elif self.often(5):  # after the names that the decision may use
            lines.append(f"    if stuck: {self.end(evolve(scope, depth=1))}")
        lines += decide(scope)
        if self.often(70):
            lines += ["    otherwise:", f"        {self.end(evolve(scope, depth=1))}"]
        return [*lines, ""]

    def turn(self, scope: Scope) -> list[str]:
        inner = evolve(scope, depth=1)
        preferring = f" preferring ({self.number(inner)}, {self.number(inner)})" if self.often(8) else ""
        if preferring and self.often(40):
            preferring = f" preferring {self.number(inner)}"
        lines = [f"    turn {self.one(self.kinds[0], inner)}{preferring}:"]
        if "Road" in self.board and self.often(40):
            lines += [f"        move {self.new('m')}(r in Road) if not taken[r]:", "            taken[r] := true"]
            lines += self.effects(scope, "        ")
        for _ in range(self.random.randint(1, 3)):
            written, names = self.move_formals(scope, 2)
            line = f"        move {self.new('m')}{written}"
            if self.often(10):
                line += " secret"
            if self.often(60):
                line += f" if {self.condition(evolve(names, depth=3))}"
            if self.often(15):
                board = self.pick([name for name in self.variables if name.text != "clock"])
                after = self.condition(evolve(names, depth=2)) if self.often(80) else f"not repeated({board.text})"
                line += f" ensuring {after}"
            lines += [line + ":", *self.effects(names, "        ")]
        return lines

    def chance(self, scope: Scope) -> list[str]:
        lines = ["    chance:"]
        choice = self.random.randrange(3)
        inner = evolve(scope, depth=1)
        if choice == 0:
            prob = f"((clock + abs({self.number(inner)})) % 4) / 3"
            lines += [f"        outcome {self.new('o')} prob {prob}:", *self.effects(scope, "        ")]
            return [*lines, f"        outcome {self.new('o')} prob 1 - {prob}:", *self.effects(scope, "        ")]
        for _ in range(self.random.randint(1, 2)):
            written, names = self.move_formals(scope, 2, can_hide=False)
            line = f"        outcome {self.new('o')}{written}"
            if self.often(40):
                line += f" if {self.condition(evolve(names, depth=2))}"
            if choice == 1:
                weight = f"abs({self.number(evolve(names, depth=1))})"
                weights = [f"{weight} / 3 + 1/2", f"{weight} + 1"]
                weights += [] if self.is_certain(weight, names) else [weight]
                line += f" weight {self.pick(weights)}"
            lines += [line + ":", *self.effects(names, "        ")]
        return lines

    def draws(self, formals: Scope) -> list[str]:
        """Several draws; what names the entry statements have is not known in them."""
        binders, scope = [], formals
        for _ in range(self.random.randint(1, 2)):
            kind, name = self.pick([kind for kind in self.kinds if kind.sort != "record"]), self.new("x")
            chosen = {self.one(kind, Scope(depth=0, is_constant=True)) for _ in range(2)}
            binders.append(f"{name} in {{{', '.join(sorted(chosen))}}}")
            scope = scope.with_names(Name(name, kind))
        guard = f" and {self.condition(evolve(scope, depth=2))}" if self.often(50) else ""
        lines = [f"    chance for {', '.join(binders)} if clock < 5{guard}:"]
        for _ in range(self.random.randint(1, 2)):
            written, names = self.move_formals(scope, 2, can_hide=False)
            line = f"        outcome {self.new('o')}{written}"
            if self.often(40):
                line += f" if {self.condition(evolve(names, depth=2))}"
            effects = self.effects(names, "        ")
            lines += [line + ":", *(effects[:-1] if self.often(80) else effects)]
        return [*lines, "    then:", *self.effects(formals, "    ")]

    def together(self, scope: Scope) -> list[str]:
        player = Name(self.new("p"), self.kinds[0])
        lines = [f"    together {player.text} in {self.domain(self.kinds[0], evolve(scope, depth=1))}:"]
        shown = []
        for _ in range(self.random.randint(1, 2)):
            name, kind, argument = self.new("m"), self.pick(self.kinds), self.new("t")
            inner = scope.with_names(player)
            secret = " secret" if self.often(15) else ""
            if self.often(70):
                whole = self.domain(kind, evolve(inner, depth=1))
                is_set = kind.sort != "record" and self.often(15)
                if is_set:
                    whole = f"subsets({kind.text}, {self.random.randint(1, 2)})"
                optional = "?" if not is_set and self.often(15) else ""
                guard = ""
                if self.often(40):
                    chosen = Name(argument, kind, "set" if is_set else "optional" if optional else "one")
                    guard = f" if {self.condition(evolve(inner.with_names(chosen), depth=2))}"
                lines.append(f"        move {name}({argument} in {whole}{optional}){secret}{guard}")
                if not is_set:
                    shown.append(Name(f"{name}[{{}}].{argument}", kind, "optional"))
            else:
                guard = f" if {self.condition(evolve(inner, depth=2))}" if self.often(50) else ""
                lines.append(f"        move {name}{secret}{guard}")
                shown.append(Name(f"{name}[{{}}]", BOOL))
        lines.append("    then:")
        who = self.pick(self.players)
        names = [evolve(name, text=name.text.format(who)) for name in shown]
        return [*lines, *self.effects(scope.with_names(*names), "    ")]
