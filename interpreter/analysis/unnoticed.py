"""Hidden variables that nobody can ever notice.

A variable *matters* if everybody or some players may see it; or if it is read where a play is decided: by a condition,
a guard, a domain, a weight, a name, an argument, a payment, a telling, the question who decides, an audience, a hint or
a witness; or if the history of the play is asked for it; or if an assignment to another variable that matters reads it,
in its value or in an index. What is left is hidden from everybody, and read by nothing but assignments to such
variables.

Soundness: let two positions differ only in variables that do not matter. Everything that is evaluated on the way to the
next position gives the same in both, but for what is assigned to such variables; so the next positions differ only in
those, too, and everybody perceives the same. The one thing by which they may show is an error: a value out of its
range. Plays without errors have the same futures.
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.interpreter import model
from zermelo.interpreter.model.rewriting import reads, subexpressions
from zermelo.interpreter.model.walks import blocks, own_statements, rules_of


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
