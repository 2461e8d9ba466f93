"""Who knows the position, as far as the rules alone prove it.

A game is *public between rounds* if all who are to decide know the position, except for what others choose at the same
moment. If no two players ever choose at once, that is *perfect information*. Two kinds of games are proved to be such.

*Every position is open*: every variable is seen by everybody, no phase in which players decide has a secret argument
or a remembered name (:mod:`zermelo.interpreter.model.rewriting`), and the rules do not read the history. Soundness: the
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
(:mod:`zermelo.interpreter.checks.survey`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter import model
from zermelo.interpreter.analysis.parts import simplify
from zermelo.interpreter.model import Audience, Const, Expr, Model, Phase, Players, Together, Turn, Variable
from zermelo.interpreter.model.rewriting import (
    blocks,
    own_statements,
    phase_title,
    reads,
    remembered_names,
    rules_of,
    statements,
    subexpressions,
    substitute,
)
from zermelo.interpreter.values import Member, OrderedSet, Value, format_value

# A fact: whether a property holds of a game, and why.


@frozen(eq=False, repr=False)
class Fact(ByValue):
    """``holds`` is None while neither True nor False is proved.

    ``how`` is a clause without a capital or a full stop: the reason, or the obstacle to a proof.
    """

    holds: bool | None
    how: str

    def word(self, yes: str, no: str, open: str) -> str:
        """One of three words: the property holds, it does not, or neither is proved."""
        return open if self.holds is None else yes if self.holds else no


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


# Hidden variables that nobody can ever notice.
#
# A variable *matters* if everybody or some players may see it; or if it is read where a play is decided: by a
# condition, a guard, a domain, a weight, a name, an argument, a payment, a telling, the question who decides, an
# audience, a hint or a witness; or if the history of the play is asked for it; or if an assignment to another variable
# that matters reads it, in its value or in an index. What is left is hidden from everybody, and read by nothing but
# assignments to such variables.
#
# Soundness: let two positions differ only in variables that do not matter. Everything that is evaluated on the way to
# the next position gives the same in both, but for what is assigned to such variables; so the next positions differ
# only in those, too, and everybody perceives the same. The one thing by which they may show is an error: a value out of
# its range. Plays without errors have the same futures.


def unnoticed_variables(game: model.Model) -> list[model.Variable]:
    """The variables that do not matter, in the order of the file."""
    mattering = {variable for variable in game.variables if variable.visibility is not model.Audience.NOBODY}
    mattering |= {variable for asked in game.history for variable in asked.variables}
    mattering |= _read_by(_deciding(game))
    sources: dict[model.Variable, set[model.Variable]] = {}
    for block in blocks(game):
        for statement in own_statements(block):
            if isinstance(statement, model.Assign | model.Fill):
                sources.setdefault(statement.variable, set()).update(_read_by(subexpressions(statement)))
    waiting = list(mattering)
    while waiting:
        for source in sources.get(waiting.pop(), set()) - mattering:
            mattering.add(source)
            waiting.append(source)
    return [variable for variable in game.variables if variable not in mattering and not variable.is_constant]


def _deciding(game: model.Model) -> list[model.Expr]:
    """The expressions that decide how a play goes on, and what is perceived: all but those of assignments."""
    found = [
        variable.visibility.audience for variable in game.variables if isinstance(variable.visibility, model.SeenBy)
    ]
    for block in blocks(game):
        for statement in own_statements(block):
            if not isinstance(statement, model.Assign | model.Fill):
                found.extend(subexpressions(statement))
    for phase in game.phases.values():
        if phase.decision is not None:
            found.extend(subexpressions(phase.decision))
        for rule in rules_of(phase.decision):
            found.extend(subexpressions(rule))
    found.extend(loose.value for loose in game.loose)
    return found


def _read_by(expressions: Iterable[model.Expr]) -> set[model.Variable]:
    return {read.variable for expr in expressions for read in reads(expr)}


# Arguments of chance that entries of variables hold until somebody decides.
#
# After ``hand[North] := h`` the entry ``hand[North]`` holds the argument ``h`` of an outcome. Who sees the entry then
# perceives the argument whole, unless the entry changes again before the next decision or the end, when players
# perceive what has happened. So this is proved, from the text of the rules alone:
#
# * the assignment is made in every play through the rule: it is a statement of the body itself, and nothing before it
#   leaves the phase;
# * nothing overwrites it: of all that runs until a player decides, which are the rest of the body, and the entries,
#   ``otherwise`` and outcomes of the phases that can be reached without a decision, nothing else writes to the
# variable,   but for other entries, with constant indices;
# * the phase is not among these, so that the rule itself is not run again.
#
# The indices are constants or parameters of the phase. Whatever is not of this form holds nothing.


@frozen(eq=False)
class Held:
    """Argument number ``argument`` is the value of this entry when players next perceive anything."""

    argument: int
    variable: model.Variable
    indices: tuple[model.Expr, ...]


def held_arguments(game: model.Model, phase: model.Phase, rule: model.Rule) -> tuple[Held, ...]:
    """The arguments of an outcome of ``phase`` that entries hold."""
    reached = _reached(game, rule)
    if phase.name in reached:
        return ()
    unattended = [*statements(rule.body)]
    for name in reached:
        for block in _undecided(game.phases[name]):
            unattended += statements(block)
    number = {parameter.slot: k for k, parameter in enumerate(rule.parameters)}
    found = []
    for assignment in _certain(rule.body):
        value = assignment.value
        if (
            isinstance(value, model.Local)
            and value.slot in number
            and not assignment.path
            and all(_is_fixed(index, phase) for index in assignment.indices)
            and all(each is assignment or _leaves_alone(each, assignment) for each in unattended)
        ):
            found.append(Held(number[value.slot], assignment.variable, assignment.indices))
    return tuple(found)


def _certain(body: model.Block) -> Iterator[model.Assign]:
    """The assignments of a body that are made in every play."""
    for statement in body:
        if any(isinstance(part, model.Go | model.End) for part in statements((statement,))):
            return
        if isinstance(statement, model.Assign):
            yield statement


def _is_fixed(index: model.Expr, phase: model.Phase) -> bool:
    """Whether an index is a constant or a parameter of the phase."""
    return isinstance(index, model.Const) or (isinstance(index, model.Local) and index.slot < len(phase.parameters))


def _leaves_alone(statement: model.Statement, assignment: model.Assign) -> bool:
    """Whether a statement by itself does not write to the entry of an assignment."""
    if isinstance(statement, model.Fill):
        return statement.variable is not assignment.variable
    if not isinstance(statement, model.Assign) or statement.variable is not assignment.variable:
        return True
    pairs = zip(statement.indices, assignment.indices, strict=True)
    return any(
        isinstance(one, model.Const) and isinstance(other, model.Const) and one.value != other.value
        for one, other in pairs
    )


def _reached(game: model.Model, rule: model.Rule) -> set[str]:
    """The phases that a play may enter after an outcome before a player decides."""
    reached: set[str] = set()
    waiting = [rule.body]
    while waiting:
        for statement in statements(waiting.pop()):
            if isinstance(statement, model.Go) and statement.phase not in reached:
                reached.add(statement.phase)
                waiting += _undecided(game.phases[statement.phase])
    return reached


def _undecided(phase: model.Phase) -> Iterator[model.Block]:
    """The blocks of a phase that run without a decision of a player."""
    yield phase.entry
    if phase.otherwise is not None:
        yield phase.otherwise
    if isinstance(phase.decision, model.Chance):
        for rule in rules_of(phase.decision):
            yield rule.body
