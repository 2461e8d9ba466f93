"""Runs: what a move sets off, up to the next decision or the end."""

from __future__ import annotations

from typing import Final

from interpreter import model
from interpreter.checks.parts import rules_of
from interpreter.native.layout import ACTOR, PHASE
from interpreter.native.lowering import Lowering
from interpreter.native.text import Body

_MOST_STEPS: Final = 10_000
"""After how many phases without a decision a run counts as endless."""


def settle_function(lowering: Lowering) -> None:
    """``settle``: enter phases until a decision offers something or the play ends."""
    layout, text = lowering.layout, lowering.text
    body = Body()
    steps, phase = text.local(body, "steps"), text.local(body, "phase")
    body.line(f"{steps}: int = 0")
    with body.block("while 1"):
        body.line(f"{phase}: int = S[{PHASE}]")
        body.line(f"{steps} += 1")
        with body.block(f"if {steps} > {_MOST_STEPS} and C[0] == 0"):
            body.line(f"C[0] = {text.site('endless-go', lowering.model.start.span)}")
        with body.block(f"if {phase} == {layout.ended} or C[0] != 0"):
            body.line(f"S[{PHASE}] = {layout.ended}")
            body.line(f"S[{ACTOR}] = 0")
            body.line("return 0")
        for number, of in enumerate(layout.phases):
            with body.block(f"{'if' if number == 0 else 'elif'} {phase} == {number}"):
                _enter(lowering, number, of, body)
    body.line("return 0")
    text.function("settle(C: ints[CONTEXT], S: state) -> int", body)


def _enter(lowering: Lowering, number: int, phase: model.Phase, body: Body) -> None:
    if lowering.layout.history is not None and phase.decision is not None:
        body.line("remember(C, S)")
    if phase.entry:
        with body.block(f"if entry_{number}(C, S) != 0"):
            body.line("continue")
    if phase.decision is None:
        return
    offered = lowering.text.local(body, "offered")
    body.line(f"{offered}: int = offers_{number}(C, S)")
    with body.block(f"if {offered} != 0"):
        if isinstance(phase.decision, model.Together):
            body.line(f"S[{lowering.layout.waiting}] = {offered}")
        body.line(f"S[{ACTOR}] = actor_{number}(C, S)")
        body.line("return 0")
    if phase.otherwise is not None:
        body.line(f"otherwise_{number}(C, S)")
    else:
        with body.block("if C[0] == 0"):
            body.line(f"C[0] = {lowering.text.site('deadlock', phase.decision.span)}")


def apply_function(lowering: Lowering) -> None:
    """``effects``: make a move or outcome in place; ``apply``: and come to rest."""
    layout, text, moves = lowering.layout, lowering.text, lowering.moves
    body = Body()
    rule = text.local(body, "rule")
    body.line(f"{rule}: int = {moves.rule_text('m')}")
    number = 0
    for k, phase in enumerate(layout.phases):
        rules = rules_of(phase.decision)
        for of in rules:
            code = moves.of(phase.name, of.name)
            with body.block(f"{'if' if number == 0 else 'elif'} {rule} == {code.number}"):
                number += 1
                if isinstance(phase.decision, model.Together):
                    _choose(lowering, k, body)
                else:
                    arguments = "".join(f", {code.argument_text('m', i)}" for i in range(len(code.arguments)))
                    body.line(f"body_{code.number}(C, S{arguments})")
    body.line("return 0")
    text.function("effects(C: ints[CONTEXT], S: state, m: int) -> int", body)
    whole = Body()
    with whole.block("if effects(C, S, m) != 0"):
        whole.line("return 0")
    whole.line("return settle(C, S)")
    text.function("apply(C: ints[CONTEXT], S: state, m: int) -> int", whole)


def _choose(lowering: Lowering, number: int, body: Body) -> None:
    layout = lowering.layout
    assert layout.choices is not None and layout.waiting is not None
    body.line(f"S[{layout.choices} + S[{ACTOR}] - 2] = m + 1")
    body.line(f"S[{layout.waiting}] = S[{layout.waiting}] & (S[{layout.waiting}] - 1)")
    with body.block(f"if S[{layout.waiting}] != 0"):
        body.line(f"S[{ACTOR}] = lowest(S[{layout.waiting}]) + 2")
        body.line("return 1")
    body.line(f"then_{number}(C, S)")
    for k in range(len(lowering.model.players)):
        body.line(f"S[{layout.choices + k}] = 0")
