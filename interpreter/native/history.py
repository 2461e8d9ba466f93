"""The history of the play, for rules that look at it.

Whenever a phase with a decision is entered, an *entry* is written behind the others into the context ``C``: the phase
with its arguments, then for each place in the rules that looks at the history the values of its variables, packed. The
state holds how many entries belong to its play, so that a search which goes back along its path overwrites those of the
branch it leaves.

A digest of every group of values stands apart, so that most entries are passed over at a glance. Where it agrees the
values themselves are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from functools import reduce
from typing import Final

from attrs import define, field

from interpreter import model
from interpreter.model import Model, Variable
from interpreter.native.bindings import Env, Scalar
from interpreter.native.dialect import mix
from interpreter.native.layout import Layout
from interpreter.native.lowering import SCALARS, Lowering
from interpreter.native.packing import packed_words
from interpreter.native.text import Body, Text

FIRST: Final = 1
"""Where the entries begin in the context."""

_MOST_ENTRIES: Final = 4096
"""How many decisions a play can have."""


@define
class History:
    """Where the parts of an entry stand: ``parts`` has for each group of variables its first word and how many."""

    layout: Layout
    parts: dict[tuple[Variable, ...], tuple[int, int]] = field(factory=dict)
    words: int = 0
    head: int = 0

    @property
    def context(self) -> int:
        """How long a context is."""
        return FIRST + _MOST_ENTRIES * (self.words + len(self.parts))

    def digests(self, variables: tuple[Variable, ...]) -> int:
        """Where the digests of a group of variables begin in the context."""
        return FIRST + _MOST_ENTRIES * (self.words + list(self.parts).index(variables))

    def digested(self, entries: list[tuple[int, ...]]) -> list[tuple[int, list[int]]]:
        """What stands in the context beside entries: from where on, and the digests."""
        return [
            (self.digests(group), [reduce(mix, entry[first : first + count], 0) for entry in entries])
            for group, (first, count) in self.parts.items()
        ]

    def context_of(self, packed: bytes) -> list[tuple[int, list[int]]]:
        """What stands in the context for a history that is kept with its state: from where on, and the words."""
        if not packed:
            return []
        words = [int.from_bytes(packed[k : k + 8], "little") for k in range(0, len(packed), 8)]
        entries = self.entries([0] * FIRST + words, len(words) // self.words)
        return [(FIRST, words), *self.digested(entries)]

    def entries(self, context: list[int], count: int) -> list[tuple[int, ...]]:
        """The entries of a play."""
        return [tuple(context[FIRST + k * self.words : FIRST + (k + 1) * self.words]) for k in range(count)]

    def future(self, game: Model, entries: list[tuple[int, ...]]) -> Hashable:
        """What the rest of a play can tell of its history."""
        found: list[Hashable] = []
        for place in game.history:
            first, count = self.parts[place.variables]
            values = [entry[first : first + count] for entry in entries]
            if isinstance(place, model.Repeated):
                found.append((values[-1], frozenset(values[:-1])))
            else:
                heads = [entry[: self.head] for entry in entries]
                found.append(frozenset(Counter(zip(heads, values, strict=True)).items()))
        return tuple(found)


def plan(game: Model, layout: Layout, text: Text) -> History:
    """The plan of the entries, and the functions that write them."""
    history = History(layout)
    if not game.history:
        return history
    head = packed_words(layout.pieces_of_phase)
    groups = list(dict.fromkeys(place.variables for place in game.history))
    projections = [(group, packed_words(layout.pieces_of(group))) for group in groups]
    history.head = history.words = len(head)
    lines = list(head)
    digests = []
    for group, words in projections:
        history.parts[group] = (history.words, len(words))
        digests.append((len(lines), len(words)))
        history.words += len(words)
        lines.extend(words)
    body = Body()
    body.line(f"n: int = S[{layout.history}]")
    with body.block(f"if n >= {_MOST_ENTRIES}"):
        with body.block("if C[0] == 0"):
            body.line(f"C[0] = {text.site('overflow', game.start.span)}")
        body.line("return 0")
    body.line(f"at: int = {FIRST} + n * {history.words}")
    for k, line in enumerate(lines):
        body.line(f"C[at + {k}] = {line}")
    for group, (first, count) in zip(groups, digests, strict=True):
        body.line(f"C[{history.digests(group)} + n] = {_digest([f'C[at + {first + k}]' for k in range(count)])}")
    body.line(f"S[{layout.history}] = n + 1")
    body.line("return 0")
    text.function("remember(C: ints[CONTEXT], S: state) -> int", body)
    return history


def _digest(words: list[str]) -> str:
    """The digest of some words in the dialect."""
    return reduce(lambda text, word: f"mix({text}, {word})", words, "0")


def _present(lowering: Lowering, variables: tuple[Variable, ...], body: Body) -> str:
    """Put the present values into names; the condition that the entry at ``at`` has the same."""
    history = lowering.history
    first, _ = history.parts[variables]
    tests = []
    for k, word in enumerate(packed_words(history.layout.pieces_of(variables))):
        body.line(f"now{k}: int = {word}")
        tests.append(f"C[at + {first + k}] == now{k}")
    return " and ".join(tests)


def _repeated(lowering: Lowering, expr: model.Repeated, env: Env) -> Scalar:
    """Entries up to the present one count once its decision is being made, earlier ones before."""
    history = lowering.history
    body = Body()
    same = _present(lowering, expr.variables, body)
    count = f"S[{history.layout.history}]" if lowering.is_deciding else f"S[{history.layout.history}] - 1"
    body.line(f"n: int = {count}")
    body.line(f"digest: int = {_digest([f'now{k}' for k in range(history.parts[expr.variables][1])])}")
    with body.block(f"if count(C, {history.digests(expr.variables)}, n, digest) == 0"):
        body.line("return 0")
    with body.block("for i in range(n)"):
        body.line(f"at: int = {FIRST} + i * {history.words}")
        with body.block(f"if {same}"):
            body.line("return 1")
    body.line("return 0")
    return Scalar(lowering.text.lift("repeated", body))


def _repetitions(lowering: Lowering, expr: model.Repetitions, env: Env) -> Scalar:
    history = lowering.history
    body = Body()
    same = _present(lowering, expr.variables, body)
    body.line(f"n: int = S[{history.layout.history}]")
    body.line("count_of: int = 0")
    body.line(f"digest: int = {_digest([f'now{k}' for k in range(history.parts[expr.variables][1])])}")
    with body.block(f"if count(C, {history.digests(expr.variables)}, n, digest) == 0"):
        body.line("return 0")
    heads = []
    for k in range(history.head):
        body.line(f"head{k}: int = C[{FIRST} + (n - 1) * {history.words} + {k}]")
        heads.append(f"C[at + {k}] == head{k}")
    with body.block("for i in range(n)"):
        body.line(f"at: int = {FIRST} + i * {history.words}")
        with body.block(f"if {' and '.join(heads)} and {same}"):
            body.line("count_of += 1")
    body.line("return count_of")
    return Scalar(lowering.text.lift("repetitions", body))


SCALARS[model.Repeated] = _repeated
SCALARS[model.Repetitions] = _repetitions
