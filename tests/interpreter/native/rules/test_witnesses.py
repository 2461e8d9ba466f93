"""Witnesses in lowered rules, against the reference machine, in every state of a game with all kinds of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from kernel_modules import modules
from written_games import model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.reference.machine import ReferenceMachine

GAME = Path(__file__).parents[2] / "good" / "witnesses.game"

ASK = """
from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, State, hole

@hole
def is_witness(rules: Context, state: State, number: int) -> int:
    ...

class Question:
    rules: Context
    state: State

def ask(question: Question, number: int) -> int:
    return is_witness(question.rules, question.state, number)
"""


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
def test_witnesses_are_lowered(make, monkeypatch, tmp_path):
    model, _ = check(Source(GAME.name, GAME.read_text(encoding="utf-8")))
    reference, machine = ReferenceMachine(model), make(model)
    made = modules(tmp_path, monkeypatch)(ASK, "")
    loaded = machine.load(kernel(made.ask, is_witness="witnessed(rules, state, number)"))
    question = loaded.new(made.Question)
    pairs = [(reference.initial(), machine.initial())]
    seen = set()
    for one, other in pairs:
        loaded.put(question.state, other.packed)
        for number in range(len(model.witnesses)):
            found = bool(loaded.call(made.ask, question, number))
            assert found == reference.is_witnessed(one, number) == machine.is_witnessed(other, number)
            seen.add((number, found))
        pairs += [(reference.after(one, move), machine.after(other, move)) for move in choices_at(reference, one)]
    assert len(pairs) > 80
    assert {number for number, found in seen if found} == {
        number for number, witness in enumerate(model.witnesses) if witness.is_wanted and not witness.settings
    }


def test_what_cannot_be_lowered_is_left_to_the_reference_machine():
    text = """
        game "Take"
        players Ann, Bob
        var left: 0..3 = 3
        start at take(Ann)
        phase take(p: Player):
            turn p:
                move take(n in 1..2) if n <= left:
                    left -= n
                    if left == 0: end win p
                    go take(other p)
        never end payoff ({amount}, 1)
    """
    assert python_machine(model_of(text.replace("{amount}", "1/3"))).program.has("witnessed")
    assert not python_machine(model_of(text.replace("{amount}", "1/1000000000007"))).program.has("witnessed")
