"""What happens between two decisions: runs through phases, dispatch by phase, null moves, and the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from zermelo.interpreter import model
from zermelo.interpreter.machine import MOST_PHASES
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.model.rewriting import may_pass, rules_of
from zermelo.interpreter.native.coding import state_layout as record
from zermelo.interpreter.native.coding.move_codes import RuleCode
from zermelo.interpreter.native.coding.state_layout import ACTOR, FIRST, PHASE, History, StateLayout, packed_words
from zermelo.interpreter.native.dialect.lowered_text import Body, Text
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import SCALARS, Lowering
from zermelo.interpreter.native.rules import payoffs
from zermelo.interpreter.native.rules import perception as perceiving
from zermelo.interpreter.native.sets.conditions import is_plain
from zermelo.interpreter.types import OptionalType

# Functions that do what the current phase says.


def by_phase(lowering: Lowering, cases: Sequence[tuple[int, Callable[[Body], None]]]) -> Body:
    """The body of a function that does what is written for the current phase, given by ascending numbers."""
    body = Body()
    current = lowering.text.let(body, "phase", f"S[{PHASE}]")
    body.choose(current, [(number, partial(write, body)) for number, write in cases])
    return body


def calls_by_phase(lowering: Lowering, stem: str, arguments: str, phases: Sequence[int]) -> Body:
    """The body of a function that returns what ``stem_k`` does in phase k, if it is one of ``phases``."""

    def call(number: int, body: Body) -> None:
        body.line(f"return {stem}_{number}({arguments})")

    return by_phase(lowering, [(number, partial(call, number)) for number in phases])


# Runs: the phases entered after a move, up to the next decision or the end.
#
# A run comes to rest at a decision that offers something. Finding out may be expensive, and drawing a random move finds
# out anyway. So there are two kinds of run: ``settle`` tests every decision, and ``arrive`` stops at the first one
# without a test, if possible. If that decision offers nothing, ``leave`` continues.


def run_functions(lowering: Lowering) -> None:
    """Write ``settle``, which enters phases until a decision offers something or the play ends; ``arrive``, which skips
    that test and returns the number of phases entered; ``apply`` and ``hurry``, which make a move and then do the one
    or the other; and ``leave``, which continues from a decision that offers nothing, given that number."""
    if any(phase.decision is None for phase in lowering.layout.phases):
        lowering.asking.repeat(MOST_PHASES)
    layout, text, ask = lowering.layout, lowering.text, Body()
    lowering.asking.ask(ask)
    names = {"settle_play": "settle", **{name: name for name in ("settle_behind", "arrive", "apply", "hurry")}}
    instantiate(
        text, "phases", names,
        PHASE=PHASE, ACTOR=ACTOR, ENDED=layout.ended, MOST_PHASES=MOST_PHASES,
        ENDLESS=text.site("endless-go", lowering.model.start.span),
        REMEMBERED=layout.remembered, NAMES=len(layout.remembered),
        ask=text.apart("ask", "(C: ints[CONTEXT]) -> int", ask),
        enter=_entering(lowering, "enter", is_asking=True), come=_entering(lowering, "come", is_asking=False),
    )  # fmt: skip

    def leave(number: int, phase: model.Phase, body: Body) -> None:
        _leave(lowering, number, phase, body)
        body.line("return settle_behind(C, S, steps)")

    decisions = [(k, partial(leave, k, phase)) for k, phase in enumerate(layout.phases) if phase.decision is not None]
    text.function("leave(C: ints[CONTEXT], S: state, steps: int) -> int", by_phase(lowering, decisions))


def _entering(lowering: Lowering, name: str, is_asking: bool) -> str:
    """The function that enters a phase and returns whether the run is at rest there. With ``is_asking``, every decision
    is tested for moves; otherwise most are not, which the result 2 means."""
    body = Body()
    entries = [partial(_enter, lowering, k, phase, is_asking, body) for k, phase in enumerate(lowering.layout.phases)]
    body.choose("phase", list(enumerate(entries)))
    return lowering.text.apart(name, "(C: ints[CONTEXT], S: state, phase: int) -> int", body)


def _enter(lowering: Lowering, number: int, phase: model.Phase, is_asking: bool, body: Body) -> None:
    if lowering.layout.history is not None and phase.decision is not None:
        body.line("remember(C, S)")
    if phase.entry:
        body.return_if(f"entry_{number}(C, S) != 0", 0)
    if phase.decision is None:
        return
    if not is_asking and _has_sure_actor(phase.decision):
        body.line(f"S[{ACTOR}] = actor_{number}(C, S)")
        body.line("return 2")
        return
    offered = lowering.text.let(body, "offered", f"offers_{number}(C, S)")
    with body.block(f"if {offered} != 0"):
        if isinstance(phase.decision, model.Together):
            body.line(f"S[{lowering.layout.waiting}] = {offered}")
        body.line(f"S[{ACTOR}] = actor_{number}(C, S)")
        body.line("return 1")
    _leave(lowering, number, phase, body)


def _has_sure_actor(decision: model.Decision) -> bool:
    """Whether the actor can be evaluated without failure before it is known whether anything is offered."""
    if isinstance(decision, model.Turn):
        return is_plain(decision.player) and not isinstance(decision.player.type, OptionalType)
    return isinstance(decision, model.Chance)


def _leave(lowering: Lowering, number: int, phase: model.Phase, body: Body) -> None:
    """Leave a decision that offers nothing."""
    if phase.otherwise is not None:
        body.line(f"otherwise_{number}(C, S)")
    else:
        assert phase.decision is not None
        lowering.fault(body, "deadlock", phase.decision.span)


def effects_function(lowering: Lowering) -> None:
    """Write ``effects``: makes a move or outcome in place; returns whether other players are to choose, too, before it
    takes effect."""
    layout, text, moves = lowering.layout, lowering.text, lowering.moves
    body = Body()
    perceiving.forget(lowering, body)
    rule = text.let(body, "rule", moves.rule_text("m"))

    def effects(k: int, phase: model.Phase, code: RuleCode) -> None:
        if isinstance(phase.decision, model.Together):
            body.line(f"return {_choosing(lowering, k)}(C, S, m)")
        else:
            if layout.decisions is not None:
                body.line(f"{payoffs.begin_run(lowering)}(S)")
            arguments = "".join(f", {code.argument_text('m', i)}" for i in range(len(code.arguments)))
            body.line(f"body_{code.number}(C, S{arguments})")

    cases = []
    for k, phase in enumerate(layout.phases):
        for of in rules_of(phase.decision):
            code = moves.of(phase.name, of.name)
            cases.append((code.number, partial(effects, k, phase, code)))
    body.choose(rule, cases)
    text.function("effects(C: ints[CONTEXT], S: state, m: int) -> int", body)


def _choosing(lowering: Lowering, number: int) -> str:
    """The name of the function that makes a choice in a phase where players choose at once."""
    layout = lowering.layout
    assert layout.choices is not None and layout.waiting is not None
    return instantiate(
        lowering.text, "phases", ACTOR=ACTOR, WAITING=layout.waiting, CHOICES=layout.choices,
        begin_run=payoffs.begin_run(lowering), take_effect=f"then_{number}",
    )["choose"]  # fmt: skip


# The lowering of null moves: the state in which the player to move has let the other one move instead.
#
# ``passed(C, S)`` makes it in place and returns whether that is possible. If not, ``S`` is invalid; a fault on the way
# is discarded, since the rules were not written for null moves. For their definition see
# :mod:`zermelo.interpreter.model.rewriting`. The function exists if a phase admits null moves.


def passing_function(lowering: Lowering) -> None:
    """Write the function, if a phase admits null moves."""
    layout = lowering.layout
    phases = [k for k, phase in enumerate(layout.phases) if may_pass(lowering.model, phase)]
    if not phases:
        return
    text, body = lowering.text, Body()
    body.choose("phase", [(k, partial(body.line, f"return offers_{k}(C, S)")) for k in phases])
    instantiate(
        text, "phases", {"passed": "passed"}, PHASE=PHASE, ACTOR=ACTOR, PLAYER=layout.arguments,
        offers=text.apart("offers_to_other", "(C: ints[CONTEXT], S: state, phase: int) -> int", body),
    )  # fmt: skip


# The code that writes and queries the history of a play (for its layout see
# :mod:`zermelo.interpreter.native.coding.state_layout`).


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
        text, "history", {"remember": "remember"},
        FIRST=FIRST, WORDS=history.words, MOST=record.MOST_ENTRIES, HISTORY=layout.history,
        OVERFLOW=text.site("overflow", game.start.span), GROUPS=len(groups),
        BEGINS=[first for first, _ in digests], ENDS=[first + count for first, count in digests],
        put_entry=text.apart("put_entry", "(C: ints[CONTEXT], S: state, at: int) -> int", body),
    )  # fmt: skip
    text.named("moments", f"(S: state) -> int:\n    return S[{layout.history}]\n")
    begins, ends = [first for first, _ in history.parts.values()], [sum(part) for part in history.parts.values()]
    reading = ("recorded", "take_reads", "add_reads", "may_read")
    instantiate(
        text, "history", {name: name for name in reading},
        FIRST=FIRST, WORDS=history.words, GROUPS=len(groups), BEGINS=begins, ENDS=ends, READS=history.reads,
    )  # fmt: skip
    if history.always_grows(game):
        text.named("is_same_past", "(C: ints[CONTEXT], before: int, now: int) -> int:\n    return before == now\n")
    else:
        instantiate(
            text, "history", {"is_same_past": "is_same_past"},
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
        lowering.text, "history",
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
