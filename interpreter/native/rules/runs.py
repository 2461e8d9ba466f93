"""Runs: the phases entered after a move, up to the next decision or the end.

A run comes to rest at a decision that offers something. Finding out may be expensive, and drawing a random move finds
out anyway. So there are two kinds of run: ``settle`` tests every decision, and ``arrive`` stops at the first one
without a test, if possible. If that decision offers nothing, ``leave`` continues.
"""

from __future__ import annotations

from functools import partial

from zermelo.interpreter import model
from zermelo.interpreter.machine import MOST_PHASES
from zermelo.interpreter.model.walks import rules_of
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE
from zermelo.interpreter.native.coding.moves import RuleCode
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.perception import recording as perceiving
from zermelo.interpreter.native.rules import discounting
from zermelo.interpreter.native.rules.dispatch import by_phase
from zermelo.interpreter.native.sets.conditions import is_plain
from zermelo.interpreter.types import OptionalType


def run_functions(lowering: Lowering) -> None:
    """Write ``settle``, which enters phases until a decision offers something or the play ends; ``arrive``, which skips
    that test and returns the number of phases entered; ``apply`` and ``hurry``, which make a move and then do the one
    or the other; and ``leave``, which continues from a decision that offers nothing, given that number."""
    if any(phase.decision is None for phase in lowering.layout.phases):
        lowering.asking.repeat(MOST_PHASES)
    layout, text, ask = lowering.layout, lowering.text, Body()
    lowering.asking.ask(ask)
    instantiate(
        text, "running", {name: name for name in ("settle_behind", "arrive", "settle", "apply", "hurry")},
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
                body.line(f"{discounting.begin_run(lowering)}(S)")
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
        lowering.text, "choosing_at_once", ACTOR=ACTOR, WAITING=layout.waiting, CHOICES=layout.choices,
        begin_run=discounting.begin_run(lowering), take_effect=f"then_{number}",
    )["choose"]  # fmt: skip
