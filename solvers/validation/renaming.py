"""The words of one game in those of another.

Two files may tell the same game in other words: ``take(2)`` in one, ``remove(2)`` in the other. A renaming maps
players, moves and members of the first game to the words of the second. It is given, or grows while the games are
compared: a word for a move that only the first game knows, and one that only the second knows, are taken for the same
if they are offered with the same arguments at the same moment, and no other word is. A wrong guess only makes games
differ that do not; games that are found to be equal are equal under the renaming that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field

_WORD = re.compile(r"[^\W\d]\w*")


@define(eq=False)
class Renaming:
    """``words``: from the first game's to the second's. ``settled`` are the second's words that have been compared,
    and are no longer the meaning of others."""

    words: dict[str, str] = field(factory=dict)
    settled: set[str] = field(factory=set)
    _agreed: set[str] = field(factory=set)
    _known: dict[str, str] = field(factory=dict)

    def __call__(self, text: str) -> str:
        """A text of the first game in the words of the second."""
        found = self._known.get(text)
        if found is None:
            found = _WORD.sub(lambda match: self.words.get(match[0], match[0]), text) if self.words else text
            self._known[text] = found
        return found

    def add(self, word: str, other: str) -> None:
        """Rename a word."""
        self.words[word] = other
        self._known.clear()

    def players(self, first: Sequence[str], second: Sequence[str]) -> tuple[int, ...] | None:
        """The number in the second game of each player of the first: by name, and those that are left in their order.
        None if the games have other numbers of players, or two players get the same name."""
        names = [self(name) for name in first]
        left = iter([name for name in second if name not in names])
        for name, renamed in zip(first, names, strict=True):
            if renamed not in second and (other := next(left, None)) is not None:
                self.add(name, other)
        names = [self(name) for name in first]
        if sorted(names) != sorted(second):
            return None
        return tuple(second.index(name) for name in names)

    def learn(self, first: Iterable[str], second: Iterable[str]) -> bool:
        """Rename moves that are offered at one moment, written in the second game's words as far as they are known,
        where only one word fits; whether any was."""
        ours, theirs = _by_name(first), _by_name(second)
        meant = {*self.words.values(), *self.settled}
        new = {name for name in ours.keys() - theirs.keys() if name not in meant}
        free = {name for name in theirs.keys() - ours.keys() if name not in meant}
        found = False
        for name in sorted(new):
            fitting = [other for other in free if theirs[other] == ours[name]]
            rivals = [other for other in new if ours[other] == ours[name]]
            if len(fitting) == 1 and len(rivals) == 1:
                self.add(name, fitting[0])
                found = True
        return found

    def agree(self, moves: Iterable[str]) -> None:
        """The games offer the same moves, in the second's words."""
        for move in moves:
            if move not in self._agreed:
                self._agreed.add(move)
                self.settled.update(_WORD.findall(move))


def _by_name(moves: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """The arguments with which each move is offered, as written."""
    found: dict[str, set[str]] = {}
    for move in moves:
        name, _, arguments = move.partition("(")
        found.setdefault(name, set()).add(arguments)
    return {name: frozenset(arguments) for name, arguments in found.items()}
