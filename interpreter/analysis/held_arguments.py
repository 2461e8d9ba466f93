"""Arguments of chance that entries of variables hold until somebody decides.

After ``hand[North] := h`` the entry ``hand[North]`` holds the argument ``h`` of an outcome. Who sees the entry then
perceives the argument whole, unless the entry changes again before the next decision or the end, when players perceive
what has happened. So this is proved, from the text of the rules alone:

* the assignment is made in every play through the rule: it is a statement of the body itself, and nothing before it
  leaves the phase;
* nothing overwrites it: of all that runs until a player decides, which are the rest of the body, and the entries,
  ``otherwise`` and outcomes of the phases that can be reached without a decision, nothing else writes to the variable,
  but for other entries, with constant indices;
* the phase is not among these, so that the rule itself is not run again.

The indices are constants or parameters of the phase. Whatever is not of this form holds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from zermelo.interpreter import model
from zermelo.interpreter.model.walks import rules_of, statements


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
