"""Sightings of large variables: the text, and the time to write it."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.evaluation.context import Audiences
from zermelo.interpreter.lowered_machines import machine_over
from zermelo.interpreter.machine import CHANCE
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.state_encoding.observations import Perception
from zermelo.interpreter.reference.machine import ReferenceMachine


def fields(width: int, seers: str) -> Model:
    text = f"""
        game "Fields"
        players Ann, Bob
        type Field = grid({width}, {width})
        var here[f: Field]: 0..2 = 0    seen by {seers}
        var there[f: Field, q: Player]: 0..2 = 0    seen by if f.x == 1 then {{q}} else {{Ann}}
        start at put
        phase put:
            turn Ann:
                move mark(f in Field) secret:
                    here[f] := 2
                    there[f, Bob] := 1
                    go answer
        phase answer:
            turn Bob:
                move ok: end draw
    """
    model, findings = check(Source("fields.game", dedent(text)), {})
    assert model is not None, findings
    return model


@pytest.mark.parametrize("seers", ["if f.y == 2 then {Bob} else {Ann}", "{Ann}"])
def test_sight_is_asked_for_once_however_many_entries_there_are(seers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    always = Audiences.always.func

    def counted(sight: Audiences) -> Any:
        asked.append(1)
        return always(sight)

    for width in (2, 8):
        model = fields(width, seers)
        with monkeypatch.context() as patched:
            patched.setattr(Audiences, "always", property(counted))
            asked.clear()
            assert isinstance(lower(model).perception, Perception)
        assert len(asked) == 1


@pytest.mark.parametrize("seers", ["if f.y == 2 then {Bob} else {Ann}", "{Ann}"])
def test_each_sees_his_entries(seers: str) -> None:
    model = fields(3, seers)
    reference, machine = ReferenceMachine(model), machine_over(lower(model))
    for move in reference.moves(reference.initial()):
        one, two = reference.after(reference.initial(), move), machine.after(machine.initial(), move)
        assert reference.actor(one) != CHANCE
        for player in (0, 1):
            assert tuple(machine.information_state(two, player)) == reference.information_state(one, player)
