"""Declarations before the phases: types, variables, defines."""

from __future__ import annotations

from attrs import frozen
from random_games.draft import Draft
from random_games.vocabulary import WAY, Function, Kind, Name, Scope


@frozen
class Declarations(Draft):
    """Types, variables, defines."""

    def types(self) -> list[str]:
        lines = []
        if self.often(70):
            self.kinds.append(Kind("Colour", "enumeration", ("red", "green", "blue")))
            lines.append("type Colour = red | green | blue")
        if self.often(70) or len(self.kinds) == 2:
            self.kinds.append(Kind("Rank", "order", ("J", "Q", "K")))
            lines.append("type Rank = J < Q < K")
        if self.often(25):
            self.kinds.append(Kind("Few", "number", (), 0, 6))
            lines.append("type Few = 0..6")
        if self.often(25):
            self.kinds.append(Kind("Half", "steps", ("0", "1/2", "1", "3/2", "2")))
            lines.append("type Half = 0..2 by 1/2")
        if self.often(15):
            self.kinds.append(Kind("Tens", "steps", ("(-10)", "0", "10", "20")))
            lines.append("type Tens = -10..20 by 10")
        if self.often(70):
            lines.append(f"type Cell = {self.make_board()}")
            if self.board[0] in ("grid", "hex") and self.often(30):
                self.kinds.append(WAY)
            if self.board[0] != "ring" and self.often(40):
                self.board.append("Road")
                lines.append("type Road = edges(Cell)")
        if self.often(25) and any(kind.text == "Colour" for kind in self.kinds):
            self.kinds.append(Kind("Warm", "enumeration", ("red", "green")))
            lines.append("type Warm = {red, green}")
        if self.often(50):
            parts = [self.pick(self.kinds) for _ in range(2)]
            self.kinds.append(Kind("Piece", "record", fields=(("f", parts[0]), ("g", parts[1]))))
            lines.append(f"type Piece = (f: {parts[0].text}, g: {parts[1].text})")
        return lines

    def make_board(self) -> str:
        board = self.pick(("grid", "grid", "hex", "ring", "graph"))
        self.board.append(board)
        if board == "ring":
            size = self.random.randint(3, 7)
            members = tuple(f"Cell({k})" for k in range(size))
            text = f"ring({size})"
        elif board == "graph":
            members = ("n1", "n2", "n3", "n4", "n5")
            text = self.pick(("graph(n1 - n2 - n3 - n1, n3 - n4 - n5)", "graph(n1 - n2 - n3 - n4 - n5, n1 - n5)"))
        else:
            w, h = self.pick(((2, 2), (3, 3), (3, 2), (4, 2), (9, 9)) if self.often(8) else ((2, 2), (3, 2), (2, 3)))
            members = tuple(f"{'abcdefghi'[x]}{y + 1}" for y in range(min(h, 3)) for x in range(min(w, 3)))
            text = f"{board}({w}, {h})"
        self.kinds.append(Kind("Cell", "cell", members))
        return text

    def declarations(self) -> list[str]:
        lines = ["var clock: 0..9 = 0"]
        if "Road" in self.board:
            lines.append("var taken[Road]: Bool = false")
        for _ in range(self.random.randint(2, 5)):
            shape = self.pick(("one", "one", "optional", "set", "optional set"))
            kinds = [kind for kind in self.kinds if "set" not in shape or kind.sort != "record" or self.often(30)]
            kind = self.pick(kinds)
            indices = tuple(self.pick(self.kinds) for _ in range(self.pick((0, 0, 1, 1, 2))))
            indices = tuple(each for each in indices if each.sort != "record")
            variable = Name(self.new("s"), kind, shape, indices)
            value = self.shaped(variable, Scope(depth=1 if self.often(30) else 0, is_constant=True))
            first = "" if shape == "one" and self.often(12) else f" = {value}"
            seen = self.pick(("", "", "", "  hidden", f"  seen by {self.pick(self.players)}"))
            if self.often(8):
                everybody, one = self.pick(("Player", "none")), self.pick(self.players)
                other = f"{{{one}}}" if everybody == "Player" else one
                seen = f"  seen by if clock >= {self.random.randint(1, 3)} then {everybody} else {other}"
            if indices and indices[0].sort == "player" and self.often(50):
                seen = "  private"
            index = f"[{', '.join(each.text for each in indices)}]" if indices else ""
            lines.append(f"var {variable.text}{index}: {variable.type}{first}{seen}")
            self.variables.append(variable)
        return [*lines, ""]

    def matched(self, result: Name, formals: tuple[Name, ...]) -> str:
        """The cases of a ``match`` that gives a value."""
        over = self.pick([kind for kind in self.kinds if kind.sort in ("enumeration", "order", "player", "bool")])
        scope = Scope(formals, depth=1)
        cases = [f"    {member}: {self.shaped(result, scope)}" for member in over.members[:-1]]
        return "\n".join(
            [
                f"{self.one(over, scope)}:",
                *cases,
                f"    else: {self.one(result.kind, scope) if result.shape != 'set' else self.shaped(result, scope)}",
                "",
            ]
        )

    def define(self) -> list[str]:
        shape = self.pick(("one", "optional", "set"))
        result = Name(self.new("d"), self.pick(self.kinds), shape)
        formals = self.formals("a", 2, ("one", "one", "one", "set", "optional", "optional set"))
        written = ", ".join(f"{f.text}: {f.type}" for f in formals)
        if result.kind.sort != "record" and self.often(15):
            head = f"define {result.text}{f'({written})' if written else ''}"
            cases = self.matched(result, formals)
            self.defines.append(Function(result.text, formals, result))
            return [f"{head} = match {cases}"]
        value = self.shaped(result, Scope(formals))
        if value == "none":
            value = self.optional(result.kind, Scope(formals, depth=2))
        if value == "none" or (result.kind.sort == "record" and shape != "set"):
            return []
        if result.kind.sort == "number" and shape == "one":
            value = f"max({result.kind.low}, min({result.kind.high}, {value}))"
        self.defines.append(Function(result.text, formals, result))
        return [f"define {result.text}{f'({written})' if written else ''} = {value}", ""]
