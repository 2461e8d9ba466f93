"""Conditions: comparisons, membership, quantifiers."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen
from random_games.draft import Draft
from random_games.vocabulary import BOOL, DIRECTIONS, Kind, Name, Scope


@frozen
class Conditions(Draft):
    """Conditions: comparisons, membership, quantifiers."""

    def condition(self, scope: Scope) -> str:
        names = self.named(scope, BOOL, "one") + self.calls(scope, BOOL, "one")
        if scope.depth <= 0:
            return self.pick([*names, "true", "false"]) if names else self.compared(scope)
        inner = scope.deeper()
        options: list[Callable[[], str]] = [
            lambda: self.compared(inner),
            lambda: self.compared(inner),
            lambda: self.equal(inner),
            lambda: self.equal(inner),
            lambda: (
                f"({self.optional(self.pick(self.kinds), evolve(inner, depth=max(inner.depth, 1)))} "
                f"is {self.pick(('', 'not '))}none)"
            ),
            lambda: self.membership(inner),
            lambda: f"(not {self.condition(inner)})",
            lambda: f"({self.condition(inner)} {self.pick(('and', 'or'))} {self.condition(inner)})",
            lambda: self.quantified(inner),
            lambda: self.quantified(inner),
            lambda: self.some_subset(inner),
            lambda: self.asked_of_groups(inner),
            lambda: f"any({self.set(self.pick(self.kinds), inner)})",
            lambda: self.of_named_set(inner),
            lambda: f"(if {self.condition(inner)} then {self.condition(inner)} else {self.condition(inner)})",
        ]
        if names:
            options += [lambda: self.pick(names)] * 2
        cell = next((kind for kind in self.kinds if kind.sort == "cell"), None)
        if cell is not None and "Road" in self.board and not scope.is_constant:
            options += [lambda: self.some_road(cell, inner)] * 2
        if cell is not None and self.board[0] != "ring":
            options.append(lambda: f"connected({self.set(cell, inner)})")
            options.append(
                lambda: f"connected({self.set(cell, inner)}, {self.set(cell, inner)}, {self.set(cell, inner)})"
            )
            options.append(lambda: self.some_line(cell, inner))
        if cell is not None and self.board[0] == "grid":
            options.append(lambda: self.some_direction(cell, inner))
        return self.pick(options)()

    def of_named_set(self, scope: Scope) -> str:
        kind = self.pick([kind for kind in self.kinds if kind.sort != "record"])
        name = Name(self.new("w"), kind, "set")
        return f"({self.condition(scope.with_names(name))} where {name.text} = {self.set(kind, scope)})"

    def some_direction(self, cell: Kind, scope: Scope) -> str:
        between = f"direction({self.one(cell, scope)}, {self.one(cell, scope)})"
        return f"({between} {self.pick(('==', '!='))} {self.pick(DIRECTIONS)})"

    def some_road(self, cell: Kind, scope: Scope) -> str:
        road = self.new("r")
        cells = self.set(cell, scope)
        what = self.pick((f"taken[{road}]", f"{self.one(cell, scope)} in {road}.ends", f"any({road}.ends * {cells})"))
        return f"({self.pick(('some', 'all', 'no'))} {road} in Road: {what})"

    def some_line(self, cell: Kind, scope: Scope) -> str:
        line, name = self.new("l"), Name(self.new("x"), cell)
        quantifiers = self.pick((("some", "all"), ("all", "some"), ("no", "all"), ("count", "some")))
        condition = self.condition(scope.with_names(name))
        words = ["lines(Cell, 2)"]
        if self.board[0] == "grid":
            words += ["rows(Cell)", "columns(Cell)", "diagonals(Cell)"]
        straight = self.pick(words)
        text = f"({quantifiers[0]} {line} in {straight}: {quantifiers[1]} {name.text} in {line}: {condition})"
        return f"({text} > 1)" if quantifiers[0] == "count" else text

    def some_subset(self, scope: Scope) -> str:
        kind = self.pick([kind for kind in self.kinds if kind.sort not in ("record", "cell")])
        name = Name(self.new("h"), kind, "set")
        condition = self.condition(scope.with_names(name))
        chosen = f"subsets({self.set(kind, scope)}, {self.random.randint(0, 2)})"
        return f"({self.pick(('some', 'all', 'no'))} {name.text} in {chosen}: {condition})"

    def compared(self, scope: Scope) -> str:
        ordered = [kind for kind in self.kinds if kind.sort == "order"]
        operator = self.pick(("<", "<=", ">", ">=", "==", "!="))
        if ordered and self.often(20):
            return f"({self.one(ordered[0], scope)} {operator} {self.one(ordered[0], scope)})"
        if self.often(12):
            pairs = [f"({self.number(scope)}, {self.number(scope.deeper())})" for _ in range(2)]
            return f"({pairs[0]} {operator} {pairs[1]})"
        left = self.number(scope) if self.often(85) else self.fraction(scope)
        return f"({left} {operator} {self.number(scope)})"

    def equal(self, scope: Scope) -> str:
        kind, operator = self.pick(self.kinds), self.pick(("==", "!="))
        choice = self.random.randrange(4)
        if choice == 0:
            return f"({self.set(kind, scope)} {operator} {self.set(kind, scope)})"
        names = [name for name in (*scope.names, *self.variables) if name.kind == kind and name.shape == "optional"]
        if choice < 3 and names and not scope.is_constant:
            return f"({self.entry(self.pick(names), scope)} {operator} {self.optional(kind, scope)})"
        return f"({self.one(kind, scope)} {operator} {self.one(kind, scope)})"

    def membership(self, scope: Scope) -> str:
        kind = self.pick(self.kinds)
        value = self.optional(kind, scope) if self.often(20) else self.one(kind, scope)
        if value == "none":
            value = self.one(kind, scope)
        return f"({value} {self.pick(('', 'not '))}in {self.set(kind, scope)})"

    def quantified(self, scope: Scope) -> str:
        binder, name = self.binder(scope)
        inner = scope.with_names(name)
        if self.often(30):
            more, other = self.binder(inner)
            binder, inner = f"{binder}, {more}", inner.with_names(other)
        return f"({self.pick(('some', 'all', 'no'))} {binder}: {self.condition(inner)})"
