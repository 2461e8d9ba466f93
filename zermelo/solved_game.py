"""A solution together with what it is a solution of: what :func:`zermelo.solve` gives."""

from __future__ import annotations

from attrs import field, fields, frozen

from zermelo.foundation.records import RichlyDisplayed
from zermelo.game import Game, State
from zermelo.solvers.solution import Solution


@frozen(eq=False, kw_only=True, repr=False)
class SolvedGame(RichlyDisplayed, Solution):
    """A solution of the game that begins in ``root``; it is shown with the names of its players.

    >>> import zermelo
    >>> print(zermelo.solve(zermelo.load("two_ply_tree"), "minimax"))
    player  value
    MAX     3
    MIN     -3
    <BLANKLINE>
    solver     minimax
    why        it was asked for
    best move  A1
    best play  A1, A11
    """

    root: State = field(eq=False, repr=False)

    def __repr__(self) -> str:
        from zermelo.numbers import in_words, short_text

        pays = ", ".join(short_text((amount - self.error, amount + self.error)) for amount in self.value)
        return f"<solution of '{self.game.title}' by {self.solver}: {in_words(self.game.facts, self)} {pays}>"

    @property
    def game(self) -> Game:
        """The game."""
        return self.root.game


def solved(root: State, solution: Solution) -> SolvedGame:
    """A solution with the state that it begins in."""
    return SolvedGame(**{each.name: getattr(solution, each.name) for each in fields(Solution)}, root=root)
