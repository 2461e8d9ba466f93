"""Growth: how the time of checking, lowering and compiling grows with the size of synthetic games.

A pass over all pairs of moves does not matter in games of ten moves, and makes the tool useless at a thousand. So each
part of a file is doubled repeatedly, all else being equal, and the result is the *exponent* of the last doublings: 1
for linear growth, 2 for quadratic growth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import log2
from time import process_time
from typing import Final, TypeVar

from benchmarks.measure import REPEATS
from benchmarks.report import Growth
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.model_lowering import lower

Made = TypeVar("Made")

_DOUBLINGS: Final = 4
_LAST: Final = 2
"""The number of last doublings that determine the exponent: constant costs weigh little there."""

_LIMIT: Final = 1.5
"""The bound on the exponent of a stage: the time may grow as n log n, and clocks are coarse."""


def entries(n: int) -> str:
    """A variable of n entries, changed by every move."""
    mark = f"move mark(k in 1..{n}) if not marks[k]:\n            marks[k] := true"
    return _game(f"var marks[1..{n}]: Bool = false", mark)


def moves(n: int) -> str:
    """A turn of n moves."""
    return _game("", "\n        ".join(f"move act{k}:\n            left -= {1 + k % 2}" for k in range(n)))


def phases(n: int) -> str:
    """A ring of n phases."""
    turns = "\n\n".join(
        f"phase step{k}(p: Player):\n    if left <= 0: end win p\n    turn p:\n        move take(n in 1..2):\n"
        f"            left := max(0, left - n)\n            go step{(k + 1) % n}(other p)"
        for k in range(n)
    )
    return f"{_HEAD}\nstart at step0(Ann)\n\n{turns}\n"


def defines(n: int) -> str:
    """A chain of n defines, each of which uses the one before, and all of which are used."""
    chain = "\n".join(
        f"define d{k}(x: 0..9) = " + ("x > 3" if k == 0 else f"x == {k % 10} or (x < {k % 7} and d{k - 1}(x))")
        for k in range(n)
    )
    return _game(chain, f"move take(k in 1..2) if d{n - 1}(k + 1):\n            left -= 1")


def players(n: int) -> str:
    """n players, who move in turn."""
    names = ", ".join(f"P{k}" for k in range(n))
    return (
        f'game "Growth"\nplayers {names}\nvar left: -2..9 = 9\nvar sums[Player]: 0..9 = 0\nstart at play(P0)\n\n'
        "phase play(p: Player):\n    if left <= 0: end win p\n    turn p:\n        move take(n in 1..2):\n"
        "            left -= n\n            sums[p] := min(9, sums[p] + n)\n            go play(next p)\n"
    )


def tables(n: int) -> str:
    """A table of n rows and 2 columns."""
    rows = "\n".join(f"    r{k} | {k % 5} | {-(k % 3)}" for k in range(n))
    return f'game "Growth"\nplayers Row, Column\ntable:\n    Row \\ Column | left | right\n{rows}\n'


def lines(n: int, line: str = "") -> str:
    """n lines that say nothing, before and behind a game."""
    said = f"{line}\n" * n
    return f"{said}{_TAKE}{said}"


def long_words(n: int) -> str:
    """A name, a title and a comment of n letters each."""
    return _TAKE.replace("take", "t" * n).replace("Growth", "G" * n) + f"# {'c' * n}\n"


def many_defines(n: int) -> str:
    """n defines that have nothing to do with each other."""
    return _TAKE + "".join(f"define d{k} = {k}\n" for k in range(n))


GAMES: Final[dict[str, tuple[Callable[[int], str], int]]] = {
    "entries": (entries, 8),
    "moves": (moves, 16),
    "phases": (phases, 8),
    "defines": (defines, 4),
    "players": (players, 4),
    "tables": (tables, 4),
    "blank lines": (lines, 1_000),
    "comments": (partial(lines, line="# said"), 1_000),
    "letters of a word": (long_words, 1_000),
    "separate defines": (many_defines, 100),
}
"""The parts that are doubled, and their initial sizes."""

_HEAD: Final = 'game "Growth"\nplayers Ann, Bob\nvar left: -2..9 = 9'


def _game(declared: str, move: str) -> str:
    """A game with these declarations and this move, after which the other player is to move."""
    parts = move.split("\n        move ")
    moves = "\n        move ".join(f"{part}\n            go play(other p)" for part in parts)
    return (
        f"{_HEAD}\n{declared}\nstart at play(Ann)\n\nphase play(p: Player):\n    if left <= 0: end win p\n    turn p:\n"
        f"        {moves}\n    otherwise:\n        end draw\n"
    )


_TAKE: Final = _game("", "move take(k in 1..2):\n            left -= k")


def growth(name: str) -> list[Growth]:
    """The time of each stage while the part ``name`` is doubled."""
    write, first = GAMES[name]
    sizes = [first << k for k in range(_DOUBLINGS + 1)]
    seconds: dict[str, list[float]] = {}
    for size in sizes:
        for stage, took in _stages(Source(f"{name}.game", write(size))):
            seconds.setdefault(stage, []).append(took)
    return [
        Growth(task=f"{stage} a game of {sizes[0]} to {sizes[-1]} {name}", seconds=tuple(took), exponent=exponent(took),
               limit=_LIMIT)
        for stage, took in seconds.items()
    ]  # fmt: skip


def exponent(seconds: list[float]) -> float:
    """The exponent of the time as a power of the size, over the last doublings."""
    return log2(seconds[-1] / seconds[-1 - _LAST]) / _LAST


def _stages(source: Source) -> Iterator[tuple[str, float]]:
    """The stages by name, with their times in seconds."""
    took, model = _best(partial(_check_model, source))
    yield "check", took
    took, program = _best(partial(lower, model))
    yield "lower", took
    from zermelo.interpreter.native.dialect.language import parse_module
    from zermelo.interpreter.native.llvm.functions import emit

    exports = ("begin", "moves", "apply", "payoff")
    took, _ = _best(lambda: emit(parse_module(program.text), program.layout.width, exports))
    yield "emit", took


def _check_model(source: Source) -> Model:
    model, findings = check(source)
    assert model is not None, findings
    return model


def _best(work: Callable[[], Made]) -> tuple[float, Made]:
    """The least processor time of several runs of a stage, and its result."""
    best = None
    for _ in range(REPEATS):
        begin = process_time()
        made = work()
        seconds = process_time() - begin
        best = seconds if best is None else min(best, seconds)
    assert best is not None
    return best, made
