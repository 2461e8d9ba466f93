"""Random games, written as text, over the whole language.

A game is written from the inside of the language's types: an expression is made for a type, from names that are in
scope, so that the checker accepts nearly all of them. A clock that every move winds on ends each play. What can go
wrong only while a game is played (a number that leaves its range, a value that is not set, a step off the board) is
written now and then on purpose. One game in twelve is a tree or a table.
"""

from __future__ import annotations

from random import Random

from attrs import frozen
from random_games.conditions import Conditions
from random_games.declarations import Declarations
from random_games.explicit import table, tree
from random_games.hostile import hostile_names
from random_games.numbers import Numbers
from random_games.phases import Phases
from random_games.sets import Sets
from random_games.sets_of_sets import SetsOfSets
from random_games.statements import Statements
from random_games.values import Values
from random_games.vocabulary import BOOL, Function, Kind, Scope, number_type


@frozen
class Writer(Values, Numbers, Conditions, Sets, SetsOfSets, Statements, Phases, Declarations):
    """Writes one game of phases."""

    def game(self) -> str:
        lines = ['game "Random"', "", self.who_plays()]
        self.kinds.append(Kind("Player", "player", tuple(self.players)))
        self.kinds.append(self.pick((number_type(0, 3), number_type(-2, 2), number_type(-5, -1), number_type(1, 6))))
        if self.often(50):
            self.kinds.append(BOOL)
        if self.often(15):
            lines += ["param few: 2..4 = 3", "require few < 5"]
            self.kinds.append(Kind("0..few", "number", (), 0, 3))
        lines += self.types()
        lines.append("")
        lines += self.declarations()
        for _ in range(self.random.randint(1, 3)):
            shapes = ("one", "one", "one", "optional", "set", "optional set")
            self.phases.append(Function(self.new("phase"), self.formals("a", 2, shapes)))
        for _ in range(self.random.randint(0, 3)):
            lines += self.define()
        for _ in range(self.random.randint(0, 2)):
            action = Function(self.new("act"), self.formals("a", 2))
            written = ", ".join(f"{f.text}: {f.type}" for f in action.formals)
            lines.append(f"action {action.name}{f'({written})' if written else ''}:")
            lines += self.block(Scope(action.formals), "", 2)
            self.actions.append(action)
        if self.often(40):
            constants = Scope(depth=1)
            lines += ["", "setup:", *(f"    {self.assignment(constants)}" for _ in range(2))]
        lines += ["", f"start at {self.call(self.phases[0], Scope(depth=1, is_constant=True))}", ""]
        for phase in self.phases:
            lines += self.phase(phase)
        if self.often(15):
            lines.append(f"endless {self.pick(('draw', 'payoff {q: 0 for q in Player}'))}")
        if self.often(12):
            lines.append(f"discount {self.pick(('9/10', '1/2', '0.75'))}")
        return "\n".join(lines) + "\n"

    def who_plays(self) -> str:
        """The line that names the players."""
        if self.often(10):
            self.players.extend(("P1", "P2", "P3"))
            return "players 2..4 = 3"
        self.players.extend(self.pick((("A", "B"), ("A", "B"), ("A", "B", "C"), ("A",))))
        return f"players {', '.join(self.players)}"


def write_game(random: Random) -> str:
    """A small random game; most of them pass the checker, and no play of them is long."""
    notation = random.randrange(24)
    if notation == 0:
        return tree(random)
    if notation == 1:
        return table(random)
    return Writer(random).game()


def write_hostile_game(random: Random) -> str:
    """The same with names that a lowering might take for its own; no trees or tables."""
    return Writer(random, names=hostile_names(random)).game()
