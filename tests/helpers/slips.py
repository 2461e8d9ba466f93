"""Small games with the slips that a student may make in them, as files of ``tests/interpreter/slips``.

A file begins with its game, in which nothing is wrong. Below ``### NAME`` stands what one slip changes: lines that go
(``-``), lines that come (``+``) and what is found there (``#!``), with a line of the game beside them (``=``) where
they alone do not say the place. An empty line stands between two places of one slip.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

from attrs import frozen
from told import MARK

FILES: Final = sorted((Path(__file__).parents[1] / "interpreter" / "slips").glob("*.txt"))
HEAD: Final = "### "


@frozen
class Slip:
    """A game with a slip. It is read and written like a file that has the whole text and its findings."""

    path: Path
    stem: str
    """Its name."""

    @property
    def name(self) -> str:
        return f"{self.stem}.game"

    def read_text(self, encoding: str) -> str:
        game, slips = _parts(self.path.read_text(encoding=encoding))
        return "".join(f"{line}\n" for line in changed(game, slips[self.stem]))

    def write_text(self, text: str, encoding: str) -> None:
        game, slips = _parts(self.path.read_text(encoding=encoding))
        slips[self.stem] = list(difference(game, text.splitlines()))
        parts = [game, *([f"{HEAD}{name}", *lines] for name, lines in slips.items())]
        self.path.write_text("\n".join("".join(f"{line}\n" for line in part) for part in parts), encoding=encoding)


def game_of(path: Path) -> str:
    """The game of a file of slips, without any."""
    return "".join(f"{line}\n" for line in _parts(path.read_text(encoding="utf-8"))[0])


def every_slip() -> list[Slip]:
    """The slips of all files, in their order."""
    return [Slip(path, name) for path in FILES for name in _parts(path.read_text(encoding="utf-8"))[1]]


def _parts(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """The lines of the game, and those of each slip by its name."""
    game, *slips = (part.rstrip("\n").split("\n") for part in f"\n{text}".split(f"\n{HEAD}"))
    return game[1:], {name: lines for name, *lines in slips}


def changed(game: Sequence[str], slip: Sequence[str]) -> list[str]:
    """The lines of the game with a slip and its findings."""
    lines = list(game)
    for place in "\n".join(slip).split("\n\n"):
        here = place.split("\n")
        before = [line[1:] for line in here if line[0] in "=-"]
        after = [line if line.startswith(MARK) else line[1:] for line in here if line[0] in "=+#"]
        (start,) = _places(lines, before)
        lines[start : start + len(before)] = after
    return lines


def difference(game: Sequence[str], told: Sequence[str]) -> Iterator[str]:
    """The lines of a slip that makes other lines of the game. Lines beside a change are added to it until it has one
    place alone: the one above, where that is not empty."""
    start = 0
    changes = SequenceMatcher(None, game, told, autojunk=False).get_opcodes()
    for kind, first, last, new_first, new_last in changes:
        if kind == "equal":
            continue
        above, below = first, last
        while len(_places(game, game[above:below])) != 1 or above == below:
            if above > start and (game[above - 1] or below == len(game)):
                above -= 1
            else:
                below += 1
        if start:
            yield ""
        yield from (f"={line}" for line in game[above:first])
        yield from (f"-{line}" for line in game[first:last])
        yield from (line if line.startswith(MARK) else f"+{line}" for line in told[new_first:new_last])
        yield from (f"={line}" for line in game[last:below])
        start = below


def _places(lines: Sequence[str], some: Sequence[str]) -> list[int]:
    """Where some lines stand among others, one after the other."""
    return [k for k in range(len(lines) - len(some) + 1) if list(lines[k : k + len(some)]) == list(some)]
