"""What several searches need to know of plays: cycles, rounds, sizes, and recursion as deep as a play is long."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.survey import Loop

if TYPE_CHECKING:
    from zermelo.interpreter.checks.survey import Loop

# Cycles found by searches.


class GoesRound(ZermeloError):
    """The refusal (``needs-end``) of a game in which a search has found a cycle, the ``loop``. ``beside`` says what is
    in the way of a search that goes on nevertheless."""

    def __init__(self, loop: Loop, beside: str = "") -> None:
        message = f"a play of this game may never end: {loop}{', ' if beside else ''}{beside}"
        super().__init__("needs-end", message)
        self.loop = loop


# Positions in which some of those who choose at once have chosen.


def within_round() -> ZermeloError:
    """Why what is left of a round is not solved."""
    return ZermeloError(
        "no-value",
        "somebody has chosen already, and others, who choose at the same moment, do not know what: the position has no "
        "value of its own, since it depends on what they think",
        "name in --after the choices of all of them, or of none",
    )


# The size of a game.


@frozen
class Size:
    """The number of positions, of ends among them, and of moves of the longest play (None if unknown or unbounded).
    ``stopped`` says what ended the count early, empty if nothing did. ``loop`` is a play with a cycle, if one was
    met."""

    positions: int
    terminals: int
    longest: int | None
    stopped: str
    loop: Loop | None = None

    @property
    def finished(self) -> bool:
        return not self.stopped


# Recursion without the stack of Python, which a long play would overflow.


Node = TypeVar("Node")
Result = TypeVar("Result")


def depth_first(visit: Callable[[Node], Generator[Node, Result, Result]], root: Node) -> Result:
    """The result of ``visit(root)``, a generator that yields the nodes whose results it needs and is sent these."""
    path = [visit(root)]
    results: list[Result] = []
    while path:
        try:
            asked = path[-1].send(results.pop()) if results else next(path[-1])
        except StopIteration as ended:
            path.pop()
            results.append(ended.value)
        else:
            path.append(visit(asked))
    return results.pop()
