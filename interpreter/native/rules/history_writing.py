"""The text that writes the history of a play and looks into it (see :mod:`zermelo.interpreter.native.coding.history`
for where it stands)."""

from __future__ import annotations

from functools import reduce
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.native.coding import history as record
from zermelo.interpreter.native.coding.history import FIRST, History
from zermelo.interpreter.native.coding.layout import Layout
from zermelo.interpreter.native.coding.packing import packed_words
from zermelo.interpreter.native.dialect.text import Body, Text
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import SCALARS, Lowering

_WORDS_IN_A_LINE: Final = 16


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
    with body.block(f"if n >= {record.MOST_ENTRIES}"):
        with body.block("if C[0] == 0"):
            body.line(f"C[0] = {text.site('overflow', game.start.span)}")
        body.line("return 0")
    body.line(f"at: int = {FIRST} + n * {history.words}")
    for k, line in enumerate(lines):
        body.line(f"C[at + {k}] = {line}")
    for group, (first, count) in zip(groups, digests, strict=True):
        digest = _digest([f"C[at + {first + k}]" for k in range(count)], body)
        body.line(f"C[{history.digests(group)} + n] = {digest}")
    body.line(f"S[{layout.history}] = n + 1")
    body.line("return 0")
    text.function("remember(C: ints[CONTEXT], S: state) -> int", body)
    return history


def _digest(words: list[str], body: Body) -> str:
    """The digest of some words in the dialect; of many, it is stirred line by line in the body."""
    digest = "0"
    for first in range(0, len(words), _WORDS_IN_A_LINE):
        if first:
            body.line(f"stirred: int = {digest}")
            digest = "stirred"
        digest = reduce(lambda text, word: f"mix({text}, {word})", words[first : first + _WORDS_IN_A_LINE], digest)
    return digest


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
    body.line(f"digest: int = {_digest([f'now{k}' for k in range(history.parts[expr.variables][1])], body)}")
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
    body.line(f"digest: int = {_digest([f'now{k}' for k in range(history.parts[expr.variables][1])], body)}")
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
