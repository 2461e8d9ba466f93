"""The facts about what is left of a play if all cards are laid open."""

from __future__ import annotations

from attrs import evolve

from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.checks.phase_graph import phases_after
from zermelo.interpreter.model import Chance, Model, Together


def with_open_cards(facts: Facts, model: Model, phase: str) -> Facts:
    """The facts about the game that a play at a decision in this phase becomes if everybody sees everything from there
    on, as far as the phases behind it tell: chance may be behind it, and choices made at once never become open. A
    phase that the model does not have, as that of a node in a tree, stands for all of them."""
    here = model.phases.get(phase)
    phases = tuple(model.phases.values()) if here is None else (here, *phases_after(model, here))
    ahead = {type(each.decision) for each in phases}
    at_once = Together in ahead
    return evolve(
        facts,
        chance=facts.chance if Chance in ahead else Fact(False, "chance draws no more"),
        simultaneous=facts.simultaneous if at_once else Fact(False, "players choose one after the other"),
        perfect_information=Fact(False, facts.simultaneous.how) if at_once else Fact(True, "all cards are open"),
    )
