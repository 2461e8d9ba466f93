"""Perfect information, as far as the rules alone prove it.

The player to move knows the position in two kinds of games.

*Every position is open*: every variable is seen by everybody, no phase in which a player decides has a secret argument
or a remembered name (:mod:`zermelo.interpreter.model.liveness`), no two players choose at once, and the rules do not
read the history. Soundness: the position consists of the variables, the phase and its arguments; a player has perceived
every change of the variables, and perceives the phase when they are to decide. Variables that only ``setup`` assigns
are known from the rules. Secret moves do no harm: they change nothing but what everybody sees.

*Every step is open*: chance never draws, no two players choose at once, and no move or argument of a move is secret.
Soundness: the position follows from the moves, which everybody has perceived in order. So two plays that look alike to
a player are the same play, with the same variables, names and history.

In all other games the question is open. Something hidden does not refute perfect information, since it may be told, or
follow from the rest: the refutation is a pair of plays that the player to move cannot tell apart
(:mod:`zermelo.interpreter.checks.information_sets`).
"""

from __future__ import annotations

from itertools import product

from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.analysis.simplifying import simplify
from zermelo.interpreter.model import Audience, Const, Expr, Model, Phase, Players, Together, Turn, Variable
from zermelo.interpreter.model.liveness import remembered_names
from zermelo.interpreter.model.rewriting import substitute
from zermelo.interpreter.model.walks import phase_title, rules_of
from zermelo.interpreter.values import Member, OrderedSet, Value, format_value

ENTRIES = 1000
"""A variable with more entries is not examined entry by entry."""


def simultaneous(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether several players may choose at once. ``phases`` are the reachable ones."""
    for phase in phases:
        if isinstance(phase.decision, Together):
            choosing = simplify(phase.decision.players)
            if len(model.players) > 1 and not (isinstance(choosing, Const) and len(choosing.value) < 2):
                return Fact(True, f"in {phase_title(model, phase)} several players choose at once")
    return Fact(False, "no two players choose at once")


def perfect_information(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether the player to move always knows the position: True, or None with an obstacle."""
    obstacle = _obstacle(model, phases)
    if not obstacle:
        return Fact(True, "everybody sees every variable, and no two players choose at once")
    if _is_open_to_follow(phases):
        return Fact(True, "everybody sees every move, chance never draws, and no two players choose at once")
    return Fact(None, obstacle)


def _is_open_to_follow(phases: tuple[Phase, ...]) -> bool:
    """Whether everybody perceives every step of a play."""
    return all(
        isinstance(phase.decision, Turn | None)
        and not any(
            rule.secret or any(parameter.secret for parameter in rule.parameters) for rule in rules_of(phase.decision)
        )
        for phase in phases
    )


def _obstacle(model: Model, phases: tuple[Phase, ...]) -> str:
    """Why the player to move may not know the position, as a clause; empty if every position is open."""
    at_once = simultaneous(model, phases)
    if at_once.holds:
        return at_once.how
    for variable in model.variables:
        if not variable.is_constant:
            hidden = _hidden(variable, model.players)
            if hidden:
                return hidden
    for phase in phases:
        if not isinstance(phase.decision, Turn | Together):
            continue
        for parameter in phase.parameters:
            if parameter.secret:
                unseen = f"see '{parameter.name}'" if model.notation == "phases" else "know which node has been reached"
                return f"the player to move in {phase_title(model, phase)} does not {unseen}"
        if remembered_names(phase):
            return f"{phase_title(model, phase)} remembers something that no variable shows any more"
    if model.history:
        return "the rules look at the history of the play, which players do not see in full"
    return ""


def _hidden(variable: Variable, players: Players) -> str:
    """Who does not see an entry of the variable, as a clause; empty if everybody sees all of it."""
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
            return f"who sees '{variable.name}' depends on the play"
        seeing = _members(audience.value)
        for player in players:
            if player not in seeing:
                index = f"[{', '.join(map(format_value, indices))}]" if indices else ""
                return f"{player.name} does not see '{variable.name}{index}'"
    return ""


def _members(audience: Value) -> OrderedSet:
    return OrderedSet((audience,)) if isinstance(audience, Member) else OrderedSet(audience or ())
