"""Runs: what a move sets off, up to the next decision or the end.

A run comes to rest at a decision that offers something. Whether it does can take long to find out, and whoever draws a
random move finds out anyway. So there are two runs: ``settle`` asks every decision, and ``arrive`` stops at the first
one without asking, where that can be. Where nothing turns out to be offered there, ``leave`` goes on.
"""

from __future__ import annotations

from functools import partial

from zermelo.interpreter import model
from zermelo.interpreter.checks.parts import rules_of
from zermelo.interpreter.machine import MOST_PHASES
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE
from zermelo.interpreter.native.coding.moves import RuleCode
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.perception import recording as perceiving
from zermelo.interpreter.native.rules import discounting
from zermelo.interpreter.native.sets.conditions import is_plain
from zermelo.interpreter.types import OptionalType


def run_functions(lowering: Lowering) -> None:
    """``settle``: enter phases until a decision offers something or the play ends; ``arrive``, which does not ask, and
    tells how many it has entered; and ``leave``: go on from a decision that offers nothing, behind so many phases."""
    if any(phase.decision is None for phase in lowering.layout.phases):
        lowering.asking.repeat(MOST_PHASES)
    _run(lowering, "settle_behind", "steps", is_asking=True)
    _run(lowering, "arrive", "0", is_asking=False)
    whole = Body()
    whole.line("return settle_behind(C, S, 0)")
    lowering.text.function("settle(C: ints[CONTEXT], S: state) -> int", whole)
    body = Body()
    current = lowering.text.local(body, "phase")
    body.line(f"{current}: int = S[{PHASE}]")

    def leave(number: int, phase: model.Phase) -> None:
        _leave(lowering, number, phase, body)
        body.line("return settle_behind(C, S, steps)")

    decisions = [(k, phase) for k, phase in enumerate(lowering.layout.phases) if phase.decision is not None]
    body.choose(current, [(k, partial(leave, k, phase)) for k, phase in decisions])
    body.line("return 0")
    lowering.text.function("leave(C: ints[CONTEXT], S: state, steps: int) -> int", body)


def _run(lowering: Lowering, name: str, entered: str, is_asking: bool) -> None:
    """The function that enters phases, behind as many as have been ``entered``. What does not ask returns how many
    these are then."""
    layout, text = lowering.layout, lowering.text
    body = Body()
    count, phase = text.local(body, "count"), text.local(body, "phase")
    body.line(f"{count}: int = {entered}")
    with body.block("while 1"):
        body.line(f"{phase}: int = S[{PHASE}]")
        body.line(f"{count} += 1")
        for slot in layout.remembered:
            body.line(f"S[{slot}] = 0")
        with body.block(f"if {count} > {MOST_PHASES} and {phase} != {layout.ended} and C[0] == 0"):
            body.line(f"C[0] = {text.site('endless-go', lowering.model.start.span)}")
        lowering.asking.ask(body)
        with body.block(f"if {phase} == {layout.ended} or C[0] != 0"):
            body.line(f"S[{PHASE}] = {layout.ended}")
            body.line(f"S[{ACTOR}] = 0")
            body.line("return 0")
        returned = "" if is_asking else count
        entries = [partial(_enter, lowering, number, of, returned, body) for number, of in enumerate(layout.phases)]
        body.choose(phase, list(enumerate(entries)))
    body.line("return 0")
    given = ", steps: int" if is_asking else ""
    text.function(f"{name}(C: ints[CONTEXT], S: state{given}) -> int", body)


def _enter(lowering: Lowering, number: int, phase: model.Phase, count: str, body: Body) -> None:
    """Enter a phase. Where there is a ``count`` to return, a decision is not asked whether it offers anything."""
    if lowering.layout.history is not None and phase.decision is not None:
        body.line("remember(C, S)")
    if phase.entry:
        with body.block(f"if entry_{number}(C, S) != 0"):
            body.line("continue")
    if phase.decision is None:
        return
    if count and _has_sure_actor(phase.decision):
        body.line(f"S[{ACTOR}] = actor_{number}(C, S)")
        body.line(f"return {count}")
        return
    offered = lowering.text.local(body, "offered")
    body.line(f"{offered}: int = offers_{number}(C, S)")
    with body.block(f"if {offered} != 0"):
        if isinstance(phase.decision, model.Together):
            body.line(f"S[{lowering.layout.waiting}] = {offered}")
        body.line(f"S[{ACTOR}] = actor_{number}(C, S)")
        body.line("return 0")
    _leave(lowering, number, phase, body)


def _has_sure_actor(decision: model.Decision) -> bool:
    """Whether it can be told who acts, with nothing going wrong, before it is known that anything is offered."""
    if isinstance(decision, model.Turn):
        return is_plain(decision.player) and not isinstance(decision.player.type, OptionalType)
    return isinstance(decision, model.Chance)


def _leave(lowering: Lowering, number: int, phase: model.Phase, body: Body) -> None:
    """Leave a decision that offers nothing."""
    if phase.otherwise is not None:
        body.line(f"otherwise_{number}(C, S)")
    else:
        assert phase.decision is not None
        with body.block("if C[0] == 0"):
            body.line(f"C[0] = {lowering.text.site('deadlock', phase.decision.span)}")


def apply_function(lowering: Lowering) -> None:
    """``effects``: make a move or outcome in place; ``apply``: and come to rest; ``hurry``: without asking there."""
    layout, text, moves = lowering.layout, lowering.text, lowering.moves
    body = Body()
    perceiving.forget(lowering, body)
    rule = text.local(body, "rule")
    body.line(f"{rule}: int = {moves.rule_text('m')}")

    def effects(k: int, phase: model.Phase, code: RuleCode) -> None:
        if isinstance(phase.decision, model.Together):
            _choose(lowering, k, body)
        else:
            discounting.begin_run(layout, body)
            arguments = "".join(f", {code.argument_text('m', i)}" for i in range(len(code.arguments)))
            body.line(f"body_{code.number}(C, S{arguments})")

    cases = []
    for k, phase in enumerate(layout.phases):
        for of in rules_of(phase.decision):
            code = moves.of(phase.name, of.name)
            cases.append((code.number, partial(effects, k, phase, code)))
    body.choose(rule, cases)
    body.line("return 0")
    text.function("effects(C: ints[CONTEXT], S: state, m: int) -> int", body)
    for name, run in (("apply", "settle"), ("hurry", "arrive")):
        whole = Body()
        with whole.block("if effects(C, S, m) != 0"):
            whole.line("return 0")
        whole.line(f"return {run}(C, S)")
        text.function(f"{name}(C: ints[CONTEXT], S: state, m: int) -> int", whole)


def _choose(lowering: Lowering, number: int, body: Body) -> None:
    layout = lowering.layout
    assert layout.choices is not None and layout.waiting is not None
    body.line(f"S[{layout.choices} + S[{ACTOR}] - 2] = m + 1")
    body.line(f"S[{layout.waiting}] = S[{layout.waiting}] & (S[{layout.waiting}] - 1)")
    with body.block(f"if S[{layout.waiting}] != 0"):
        body.line(f"S[{ACTOR}] = lowest(S[{layout.waiting}]) + 2")
        body.line("return 1")
    discounting.begin_run(layout, body)
    body.line(f"then_{number}(C, S)")
    for k in range(len(lowering.model.players)):
        body.line(f"S[{layout.choices + k}] = 0")
