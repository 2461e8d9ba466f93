"""Liveness of the names of a phase at its decision: which ones belong to the position.

The variables and the phase with its arguments do not always determine a position. A name bound on entering a phase
keeps its value while the variables change::

    phase b:
        let old = x
        x := 0
        turn Bob: ...          # Bob's moves may depend on old, which no variable holds any more

This is liveness as in compilers (Aho, Lam, Sethi and Ullman, *Compilers*, 9.2.5): a name is live at a point if its
value there may be read later. The point here is the state at rest before a decision, and later is the decision: who
makes it, the rules with their guards and effects, and ``then``. ``otherwise`` does not count, since it runs only if the
play does not rest here.

A live name that is a function of the rest of the position would only lengthen keys. It is one if it is bound once, on
every path and unconditionally, to an expression of arguments, of other such names, and of variables that no later entry
statement can assign. All other live names are *remembered*: they are part of the position, and seeing the variables is
not knowing them.

Soundness: a remembered name counts with its value. Any other live name equals its expression over the present
variables, which have not changed since it was bound. So states with equal positions agree in all that the rest of the
play can read of the frame.
"""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.model.rewriting import free_slots, reads, subexpressions, walk_with_defines
from zermelo.interpreter.model.walks import own_statements, rules_of, statements


def live_names(phase: model.Phase) -> frozenset[int]:
    """The slots that entry statements bind and that the decision of the phase may read."""
    return _bound(phase.entry) & _read_by_decision(phase.decision)


def names_for_otherwise(phase: model.Phase) -> frozenset[int]:
    """The slots that entry statements bind and that ``otherwise`` may read."""
    return frozenset() if phase.otherwise is None else _bound(phase.entry) & _read_by(phase.otherwise)


def remembered_names(phase: model.Phase) -> tuple[int, ...]:
    """The live names that do not follow from the variables and the arguments at the decision, in order."""
    return tuple(sorted(live_names(phase) - _following_names(phase)))


def recalled_bindings(phase: model.Phase) -> tuple[model.SetLocal, ...]:
    """The bindings that give the live names which are not remembered their values once more, from the variables and the
    arguments at the decision, in order."""
    following, needed = _following_names(phase), set(live_names(phase))
    found: list[model.SetLocal] = []
    for statement in reversed(phase.entry):
        if isinstance(statement, model.SetLocal) and statement.slot in following & needed:
            needed |= free_slots(statement.value)
            found.append(statement)
    return tuple(reversed(found))


def _bound(block: model.Block) -> frozenset[int]:
    return frozenset(
        statement.slot
        for statement in own_statements(block)
        if isinstance(statement, model.SetLocal | model.SetLocalField)
    )


def _read_by_decision(decision: model.Decision | None) -> frozenset[int]:
    if decision is None:
        return frozenset()
    found: set[int] = set()
    for rule in rules_of(decision):
        for expr in subexpressions(rule):
            found |= free_slots(expr)
        found |= _read_by(rule.body)
    for expr in subexpressions(decision):
        found |= free_slots(expr)
    if isinstance(decision, model.Together):
        found |= _read_by(decision.then)
    return frozenset(found)


def _read_by(block: model.Block) -> frozenset[int]:
    found: set[int] = set()
    for statement in own_statements(block):
        for expr in subexpressions(statement):
            found |= free_slots(expr)
        if isinstance(statement, model.SetLocalField):
            found.add(statement.slot)
    return frozenset(found)


def _following_names(phase: model.Phase) -> set[int]:
    """The names that follow from the variables and the arguments after the entry statements."""
    bindings = [
        statement.slot
        for statement in own_statements(phase.entry)
        if isinstance(statement, model.SetLocal | model.SetLocalField)
    ]
    following = set(range(len(phase.parameters)))
    for k, statement in enumerate(phase.entry):
        if isinstance(statement, model.SetLocal) and bindings.count(statement.slot) == 1:
            changed_later = _assigned(phase.entry[k + 1 :])
            if free_slots(statement.value) <= following and _reads_only_kept(statement.value, changed_later):
                following.add(statement.slot)
    return following


def _reads_only_kept(expr: model.Expr, changed: set[model.Variable]) -> bool:
    """Whether the expression reads neither history nor decision, and no changed variable."""
    moments = (model.Repeated, model.Repetitions, model.Stuck, model.Chosen)
    if any(isinstance(part, moments) for part in walk_with_defines(expr)):
        return False
    return changed.isdisjoint(read.variable for read in reads(expr))


def _assigned(block: model.Block) -> set[model.Variable]:
    return {statement.variable for statement in statements(block) if isinstance(statement, model.Assign | model.Fill)}
