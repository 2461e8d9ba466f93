"""Who sees what, as far as the rules alone tell.

Whoever is to decide knows the position where every variable is seen by everybody, no phase keeps an argument secret
and nobody chooses while another's choice is still unseen: the position is the variables, the phase and its arguments,
and nothing else. What only ``setup`` assigns is known from the rules, and moves need not be looked at: a secret one
changes nothing but what is seen anyway.
"""

from __future__ import annotations

from itertools import product

from interpreter.checks.fact import Fact
from interpreter.checks.symbolic import simplify
from interpreter.model import Audience, Const, Expr, Model, Phase, Players, Together, Variable
from interpreter.rewriting import substitute
from interpreter.values import Member, OrderedSet, Value, format_value

ENTRIES = 1000
"""A variable with more entries than this is not looked at entry by entry."""


def simultaneous(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether several players may choose at once. ``phases`` are those that a play may come to."""
    for phase in phases:
        if isinstance(phase.decision, Together):
            choosing = simplify(phase.decision.players)
            if len(model.players) > 1 and not (isinstance(choosing, Const) and len(choosing.value) < 2):
                return Fact(True, f"in {naming(model, phase)} several players choose at once")
    return Fact(False, "no two players choose at once")


def perfect_information(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether whoever is to decide always knows the position."""
    at_once = simultaneous(model, phases)
    if at_once.holds:
        return Fact(False, at_once.how)
    for variable in model.variables:
        if not variable.is_constant:
            hidden = _hidden(variable, model.players)
            if hidden:
                return Fact(False, hidden)
    for phase in phases:
        for parameter in phase.parameters:
            if parameter.secret and phase.decision is not None:
                unseen = f"see '{parameter.name}'" if model.notation == "phases" else "know which node has been reached"
                return Fact(False, f"whoever decides in {naming(model, phase)} does not {unseen}")
    return Fact(True, "everybody sees every variable, and no two players choose at once")


def naming(model: Model, phase: Phase) -> str:
    """The phase as a user knows it: by its name or label, or by its line where the file gives it neither."""
    if model.notation == "phases":
        return f"phase '{phase.name}'"
    return phase.name if phase.name.startswith("@") else f"line {phase.span.line}"


def _hidden(variable: Variable, players: Players) -> str:
    """Who does not see an entry of the variable, as a clause; empty where everybody sees all of it."""
    if variable.visibility is Audience.EVERYBODY:
        return ""
    if variable.visibility is Audience.NOBODY:
        return f"nobody sees '{variable.name}'"
    if variable.entries > ENTRIES:
        return f"not everybody sees '{variable.name}'"
    for indices in product(*(index.members for index in variable.indices)):
        slots: dict[int, Expr] = {
            k: Const(value, type=type, span=variable.span)
            for k, (value, type) in enumerate(zip(indices, variable.indices, strict=True))
        }
        audience = simplify(substitute(variable.visibility.audience, slots))
        if not isinstance(audience, Const):
            return f"it depends on the play who sees '{variable.name}'"
        seeing = _members(audience.value)
        for player in players:
            if player not in seeing:
                index = f"[{', '.join(map(format_value, indices))}]" if indices else ""
                return f"{player.name} does not see '{variable.name}{index}'"
    return ""


def _members(audience: Value) -> OrderedSet:
    return OrderedSet((audience,)) if isinstance(audience, Member) else OrderedSet(audience or ())
