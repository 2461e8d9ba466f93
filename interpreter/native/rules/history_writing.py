"""The code that writes and queries the history of a play (for its layout see
:mod:`zermelo.interpreter.native.coding.history`)."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.interpreter import model
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.native.coding import history as record
from zermelo.interpreter.native.coding.history import FIRST, History
from zermelo.interpreter.native.coding.layout import StateLayout
from zermelo.interpreter.native.coding.packing import packed_words
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body, Text
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import SCALARS, Lowering


def plan_history(game: Model, layout: StateLayout, text: Text) -> History:
    """The layout of entries; writes the functions that record them, and those that kernels ask about the past."""
    history = History(layout)
    if not game.history:
        text.named("moments", "(S: state) -> int:\n    return 0\n")
        text.named("is_same_past", "(C: ints[CONTEXT], before: int, now: int) -> int:\n    return 1\n")
        text.named("recorded", "(C: ints[CONTEXT], entry: int, word: int) -> int:\n    return 0\n")
        text.named("take_reads", "(C: ints[CONTEXT], past: ints[PAST]) -> int:\n    return 0\n")
        text.named("add_reads", "(C: ints[CONTEXT], past: ints[PAST]) -> int:\n    return 0\n")
        text.named("may_read", "(C: ints[CONTEXT], past: ints[PAST], entry: int) -> int:\n    return 0\n")
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
    body.write("C", "at", lines)
    assert layout.history is not None
    instantiate(
        text, "remembering", {"remember": "remember"},
        FIRST=FIRST, WORDS=history.words, MOST=record.MOST_ENTRIES, HISTORY=layout.history,
        OVERFLOW=text.site("overflow", game.start.span), GROUPS=len(groups),
        BEGINS=[first for first, _ in digests], ENDS=[first + count for first, count in digests],
        put_entry=text.apart("put_entry", "(C: ints[CONTEXT], S: state, at: int) -> int", body),
    )  # fmt: skip
    text.named("moments", f"(S: state) -> int:\n    return S[{layout.history}]\n")
    begins, ends = [first for first, _ in history.parts.values()], [sum(part) for part in history.parts.values()]
    reading = ("recorded", "take_reads", "add_reads", "may_read")
    instantiate(
        text, "reading", {name: name for name in reading},
        FIRST=FIRST, WORDS=history.words, GROUPS=len(groups), BEGINS=begins, ENDS=ends, READS=history.reads,
    )  # fmt: skip
    if history.always_grows(game):
        text.named("is_same_past", "(C: ints[CONTEXT], before: int, now: int) -> int:\n    return before == now\n")
    else:
        instantiate(
            text, "same_past", {"is_same_past": "is_same_past"},
            FIRST=FIRST, WORDS=history.words, GROUPS=len(groups), BEGINS=begins, ENDS=ends,
        )  # fmt: skip
    return history


def _occurrences(lowering: Lowering, variables: tuple[Variable, ...]) -> Mapping[str, str]:
    """The functions that look for the current values of these variables in the history."""
    history, body = lowering.history, Body()
    assert history.layout.history is not None
    first, count = history.parts[variables]
    body.write("values", 0, packed_words(history.layout.pieces_of(variables)))
    head = f"(S: state, values: ints[{count}]) -> int"
    return instantiate(
        lowering.text, "occurrences",
        FIRST=FIRST, WORDS=history.words, HEAD=history.head, BEGIN=first, COUNT=count,
        DIGESTS=history.digests(variables), READS=history.reads, HISTORY=history.layout.history,
        put_values=lowering.text.apart("put_values", head, body),
    )  # fmt: skip


def _repeated(lowering: Lowering, expr: model.Repeated, env: Env) -> Scalar:
    """During a decision its own entry counts, too; before, earlier ones only."""
    entries = f"S[{lowering.history.layout.history}]"
    function = _occurrences(lowering, expr.variables)["repeated"]
    return Scalar(f"{function}(C, S, {entries if lowering.is_deciding else f'{entries} - 1'})")


def _repetitions(lowering: Lowering, expr: model.Repetitions, env: Env) -> Scalar:
    return Scalar(f"{_occurrences(lowering, expr.variables)['repetitions']}(C, S)")


SCALARS[model.Repeated] = _repeated
SCALARS[model.Repetitions] = _repetitions
