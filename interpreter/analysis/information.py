"""Who knows the position, as far as the rules alone prove it.

A game is *public between rounds* if all who are to decide know the position, except for what others choose at the same
moment. If no two players ever choose at once, that is *perfect information*. Two kinds of games are proved to be such.

*Every position is open*: every variable is seen by everybody, no phase in which players decide has a secret argument
or a remembered name (:mod:`zermelo.interpreter.model.liveness`), and the rules do not read the history. Soundness: the
position consists of the variables, the phase and its arguments, and within a round of what has been chosen there. At
every decision a player has perceived every change of the variables, and they perceive the phase and its arguments when
they are to decide. All who choose at once perceive that when the round begins, and nothing that the position holds
changes before its last choice, except for the choices themselves. Variables that only ``setup`` assigns are known from
the rules. Secret moves do no harm: they change nothing but what everybody sees.

*Every step is open*: chance never draws, and no move or argument of a move is secret. Soundness: the position follows
from the moves. Suppose that two plays look alike to a player who is to decide, and follow them to the last position in
which they are the same and no round is under way. If one player moves there, everybody perceives the move, and it is
the same. If several choose at once, either round is over, and everybody has perceived all its choices in the order of
the players after their own, so that they are the same; or the player is to choose in it in both plays, since their own
choice would tell the two apart; then the plays differ only in what others choose at that moment. So up to a round the
plays are the same, with the same variables, names and history.

In all other games the question is open. Something hidden refutes neither, since it may be told, or follow from the
rest: the refutation is a pair of plays that the player to move cannot tell apart
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
    at_once = simultaneous(model, phases)
    if at_once.holds:
        return Fact(None, at_once.how)
    public = public_between_rounds(model, phases)
    return Fact(True, f"{public.how}, and {at_once.how}") if public.holds else public


def public_between_rounds(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether all who are to decide always know the position, except for what others choose at the same moment: True,
    or None with an obstacle."""
    obstacle = _obstacle(model, phases)
    if not obstacle:
        return Fact(True, "everybody sees every variable")
    if _is_open_to_follow(phases):
        return Fact(True, "everybody sees every move and chance never draws")
    return Fact(None, obstacle)


def _is_open_to_follow(phases: tuple[Phase, ...]) -> bool:
    """Whether everybody perceives every step of a play, once it is complete."""
    return all(
        isinstance(phase.decision, Turn | Together | None)
        and not any(
            rule.secret or any(parameter.secret for parameter in rule.parameters) for rule in rules_of(phase.decision)
        )
        for phase in phases
    )


def _obstacle(model: Model, phases: tuple[Phase, ...]) -> str:
    """Why those who are to decide may not know the position, as a clause; empty if every position is open."""
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
