"""Values of a type: names, literals, choices among others, and what may be none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from attrs import evolve, frozen
from random_games.draft import Draft
from random_games.vocabulary import DIRECTIONS, MEMBERS, WAY, Kind, Name, Scope


@frozen
class Values(Draft):
    """Values of a type: names, literals, choices among others, and what may be none."""

    def one(self, kind: Kind, scope: Scope) -> str:
        """A value of the type, never none."""
        if kind.sort == "number":
            return self.number_in(kind, scope)
        if kind.sort == "bool":
            return self.condition(scope)
        options: list[Callable[[], str]] = []
        names = self.named(scope, kind, "one") + self.calls(scope, kind, "one")
        if names:
            options += [lambda: self.pick(names)] * 4
        if kind.sort == "record":
            options += [lambda: self.record(kind, scope.deeper())]
        else:
            options += [lambda: self.pick(kind.members)]
        if scope.depth > 0:
            inner_scope = scope.deeper()
            options += [
                lambda: self.chosen(kind, scope),
                lambda: self.rescued(kind, scope),
                lambda: self.looked_up(kind, scope),
            ]
            if kind.sort == "direction":
                options += [
                    lambda: f"(-{self.one(kind, inner_scope)})",
                    lambda: f"({self.one(kind, inner_scope)} + north)",
                ]
            if kind.sort == "steps":
                options += [lambda: self.stepped(kind, scope.deeper())] * 3
            if kind.sort in MEMBERS:
                options.append(lambda: f"{kind.text}({self.random.randint(1, len(kind.members))})")
                options.append(lambda: f"{kind.text}(1 + {self.number(scope.deeper())} % {len(kind.members)})")
            if kind.sort == "player":
                following = "other" if len(self.players) == 2 and self.often(60) else "next"
                options += [lambda: f"({following} {self.one(kind, scope.deeper())})"] * 2
            for holder in self.kinds:
                for name, part in holder.fields:
                    if part == kind:
                        for text in self.named(scope.deeper(), holder, "one"):
                            options.append(partial("{}.{}".format, text, name))
        return self.pick(options)()

    def record(self, kind: Kind, scope: Scope) -> str:
        return f"({', '.join(self.one(part, scope) for _, part in kind.fields)})"

    def stepped(self, kind: Kind, scope: Scope) -> str:
        """A number on the steps of a type, most of the time."""
        count = f"{self.number(scope)} % {len(kind.members)}"
        if self.often(15):
            return f"({self.pick(kind.members)} + {self.number(scope)} / 2)"
        return f"({count} / 2)" if kind.text == "Half" else f"(10 * ({count}) - 10)"

    def chosen(self, kind: Kind, scope: Scope) -> str:
        inner = scope.deeper()
        return f"(if {self.condition(inner)} then {self.one(kind, inner)} else {self.one(kind, inner)})"

    def rescued(self, kind: Kind, scope: Scope) -> str:
        """A value that may be none, or another one in that case."""
        inner, name = scope.deeper(), self.new("u")
        return (
            f"((if {name} is none then {self.one(kind, inner)} else {name}) "
            f"where {name} = {self.optional(kind, inner)})"
        )

    def looked_up(self, kind: Kind, scope: Scope, whole: bool = True) -> str:
        """A value from a table with one key or two; unless it is ``whole``, keys may be missing."""
        kinds = [each for each in self.kinds if each.sort in MEMBERS]
        keys = [self.pick(kinds) for _ in range(self.random.randint(1, 2))]
        inner = evolve(scope, depth=0)
        constant = evolve(inner, is_constant=True, names=())
        points = list(product(*(each.members for each in keys)))
        if not whole:
            points = points[: self.random.randint(1, len(points))]
        entries = (f"{self.tuple(point)}: {self.one(kind, constant)}" for point in points)
        return f"{{{', '.join(entries)}}}[{', '.join(self.one(each, inner) for each in keys)}]"

    def tuple(self, parts: Sequence[str]) -> str:
        return f"({', '.join(parts)})" if len(parts) > 1 else parts[0]

    def optional(self, kind: Kind, scope: Scope) -> str:
        options: list[Callable[[], str]] = [lambda: "none", lambda: self.one(kind, scope)]
        names = self.named(scope, kind, "optional") + self.calls(scope, kind, "optional")
        if names:
            options += [lambda: self.pick(names)] * 4
        if scope.depth > 0:
            inner = scope.deeper()
            options += [lambda: self.first(kind, inner)] * 2
            if kind.sort == "number":
                options += [lambda: f"{self.pick(('max', 'min'))}({self.set(kind, inner)})"] * 2
                options += [lambda: self.extreme(kind, inner)]
            if kind.sort in MEMBERS:
                options += [lambda: f"{kind.text}({self.number(inner)})"]
                options += [lambda: self.looked_up(kind, inner, whole=False)]
            if kind.sort == "player":
                options += [lambda: f"(next {self.one(kind, inner)} in {self.set(kind, inner)})"] * 2
            if kind.sort == "direction":
                cell = next(each for each in self.kinds if each.sort == "cell")
                options += [lambda: f"direction({self.one(cell, inner)}, {self.one(cell, inner)})"] * 2
            if kind.sort == "cell" and kind in self.kinds and WAY in self.kinds:
                options += [lambda: f"({self.one(kind, inner)} + {self.one(WAY, inner)})"] * 2
            if kind.sort == "cell" and self.board[0] == "grid":
                options += [lambda: f"({self.one(kind, inner)} + {self.pick(DIRECTIONS)})"] * 2
                options += [lambda: f"Cell({self.number(inner)}, {self.number(inner)})"]
            for holder in self.kinds:
                for name, part in holder.fields:
                    if part == kind:
                        for text in self.named(inner, holder, "optional"):
                            options.append(partial("{}.{}".format, text, name))
        return self.pick(options)()

    def extreme(self, kind: Kind, scope: Scope) -> str:
        binder, name = self.binder(scope)
        return f"({self.pick(('max', 'min'))} {binder}: {self.number_in(kind, scope.with_names(name))})"

    def first(self, kind: Kind, scope: Scope) -> str:
        name = Name(self.new("x"), kind)
        condition = self.condition(scope.with_names(name))
        return f"({self.pick(('first', 'last'))} {name.text} in {self.domain(kind, scope)}: {condition})"
