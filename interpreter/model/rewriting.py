"""Walking through models and rewriting them: parts, uses, null moves, live names, and depth."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from attrs import evolve, fields, has

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.model import Local, Model, Phase, SetLocal, Turn
from zermelo.interpreter.types import Type

# Generic walks over expressions: parts, free slots, substitution.
#
# The parts of expressions, statements, rules and decisions are found by their fields, so that a new kind needs no case
# here. Binders, parameters of rules and outcomes belong to the record that contains them.


E = TypeVar("E", bound="model.Expr | model.Outcome")
T = TypeVar("T", bound=Hashable)

Whole = model.Expr | model.Binder | model.Statement | model.Rule | model.Decision
"""Records with expressions."""

_WITHIN = (model.Binder, model.RuleParameter, model.WinOutcome, model.PayoffOutcome, model.PayoffForOutcome)
"""Records that belong to the record that contains them."""

_FIELDS: dict[type, dict[str, str | None]] = {}


def _fields(kind: type) -> dict[str, str | None]:
    """The fields of a record that may hold expressions, each with the reason why they must not be none, if any."""
    if kind not in _FIELDS:
        others = ("type", "span", "context", "variable", "define", "action")
        _FIELDS[kind] = {field.name: field.metadata.get("needed") for field in fields(kind) if field.name not in others}
    return _FIELDS[kind]


def subexpressions(whole: Whole) -> tuple[model.Expr, ...]:
    """The expressions directly inside this, in the order of the fields, without those of statements and rules inside
    it."""
    found: list[model.Expr] = []
    if isinstance(whole, model.Const):
        return ()
    for name in _fields(type(whole)):
        _collect_expressions(getattr(whole, name), found)
    return tuple(found)


def operands(whole: Whole) -> Iterator[tuple[model.Expr, str | None]]:
    """The same, each with the reason why it must not be none, if any."""
    for name, why in _fields(type(whole)).items():
        found: list[model.Expr] = []
        _collect_expressions(getattr(whole, name), found)
        for part in found:
            yield part, None if why is None else why.format(whole)


def _collect_expressions(value: Any, found: list[model.Expr]) -> None:
    if isinstance(value, model.Expr):
        found.append(value)
    elif isinstance(value, _WITHIN):
        for name in _fields(type(value)):
            _collect_expressions(getattr(value, name), found)
    elif isinstance(value, tuple):
        for item in value:
            _collect_expressions(item, found)


def walk(expr: model.Expr) -> Iterator[model.Expr]:
    """The expression and everything inside it, without the bodies of called defines."""
    check_deadline()
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(subexpressions(part)))


def slots(expr: model.Expr) -> set[int]:
    """The slots in the expression, bound ones included."""
    return {part.slot for part in walk(expr) if isinstance(part, model.Local)}


def bound_slots(expr: model.Expr) -> set[int]:
    """The slots that the expression itself binds."""
    bound: set[int] = set()
    for part in walk(expr):
        if isinstance(part, model.Let | model.Reach):
            bound.add(part.slot)
        elif isinstance(part, model.Quantified | model.Comprehension):
            bound.update(binder.slot for binder in part.binders)
    return bound


def free_slots(expr: model.Expr) -> set[int]:
    """The slots that the expression reads and does not bind."""
    return slots(expr) - bound_slots(expr)


def reads_state(expr: model.Expr) -> bool:
    """Whether the value can depend on the state, directly or through defines."""
    for part in walk(expr):
        if isinstance(part, model.Read | model.Repeated | model.Repetitions | model.Stuck | model.Chosen):
            return True
        if isinstance(part, model.Call) and part.define.reads_state:
            return True
    return False


def walk_with_defines(expr: model.Expr) -> Iterator[model.Expr]:
    """The expression and everything inside it, with the body of each called define, once."""
    met: set[model.Define] = set()
    waiting = [expr]
    while waiting:
        for part in walk(waiting.pop()):
            yield part
            if isinstance(part, model.Call) and part.define not in met:
                met.add(part.define)
                waiting.append(part.define.body)


def reads(expr: model.Expr) -> Iterator[model.Read]:
    """The reads of variables in the expression and in called defines."""
    return (part for part in walk_with_defines(expr) if isinstance(part, model.Read))


def is_closed(expr: model.Expr) -> bool:
    """Whether the value depends on neither state nor slots."""
    return not free_slots(expr) and not reads_state(expr)


def map_parts(expr: E, change: Callable[[model.Expr], model.Expr]) -> E:
    """The same expression, or outcome of an end, with every expression directly inside it changed."""
    if isinstance(expr, model.Const):
        return expr
    changes = {}
    for name in _fields(type(expr)):
        old = getattr(expr, name)
        new = _map_value(old, change)
        if new is not old:
            changes[name] = new
    return evolve(expr, **changes) if changes else expr


def _map_value(value: Any, change: Callable[[model.Expr], model.Expr]) -> Any:
    if isinstance(value, model.Expr):
        return change(value)
    if isinstance(value, model.Binder):
        return evolve(value, **{name: _map_value(getattr(value, name), change) for name in _fields(model.Binder)})
    if isinstance(value, tuple) and any(isinstance(item, model.Expr | model.Binder | tuple) for item in value):
        return tuple(_map_value(item, change) for item in value)
    return value


def substitute(expr: model.Expr, values: Mapping[int, model.Expr]) -> model.Expr:
    """The expression with expressions in place of slots."""
    if isinstance(expr, model.Local):
        return values.get(expr.slot, expr)
    return map_parts(expr, lambda part: substitute(part, values))


def unfold(call: model.Call) -> model.Expr:
    """The call inlined: the body of the define with arguments in place of parameters.

    The slots bound in the body are renumbered beyond those of the caller. An argument may be evaluated more than once,
    or never.
    """
    body = _renumber_slots(call.define.body, 1_000 * (1 + _highest_thousand(call)))
    values = {k + 1_000 * (1 + _highest_thousand(call)): argument for k, argument in enumerate(call.arguments)}
    return substitute(body, values)


def _highest_thousand(expr: model.Expr) -> int:
    used = slots(expr) | bound_slots(expr)
    return max(used, default=0) // 1_000


def _renumber_slots(expr: model.Expr, by: int) -> model.Expr:
    """The expression with all slots moved up, those of binders included."""
    if isinstance(expr, model.Local | model.Let | model.Reach):
        expr = evolve(expr, slot=expr.slot + by)
    elif isinstance(expr, model.Quantified | model.Comprehension):
        moved = tuple(evolve(binder, slot=binder.slot + by) for binder in expr.binders)
        expr = evolve(expr, binders=moved)
    return map_parts(expr, lambda part: _renumber_slots(part, by))


def reachable(first: Iterable[T], following: Callable[[T], Iterable[T]]) -> list[T]:
    """All that can be reached from the first, which are included, in the order in which they are found."""
    found = dict.fromkeys(first)
    waiting = list(found)
    while waiting:
        for each in following(waiting.pop()):
            if each not in found:
                found[each] = None
                waiting.append(each)
    return list(found)


# Walks over the blocks, statements and expressions of a model.


def rules_of(decision: model.Decision | None) -> tuple[model.Rule, ...]:
    match decision:
        case model.Turn(moves=rules) | model.Chance(outcomes=rules) | model.Together(moves=rules):
            return rules
        case None:
            return ()


def blocks(game: model.Model) -> Iterator[model.Block]:
    """Every block that is run by itself; each action once, not at its calls."""
    yield game.setup
    for action in game.actions:
        yield action.body
    for phase in game.phases.values():
        yield from blocks_of_phase(phase)
    yield (game.start,)


def blocks_of_phase(phase: model.Phase) -> Iterator[model.Block]:
    """The blocks of a phase: entry, effects of moves or outcomes, ``then`` and ``otherwise``."""
    yield phase.entry
    for rule in rules_of(phase.decision):
        yield rule.body
    if isinstance(phase.decision, model.Together):
        yield phase.decision.then
    if phase.otherwise is not None:
        yield phase.otherwise


def expressions(game: model.Model) -> Iterator[model.Expr]:
    """Every expression that is not inside another one."""
    yield from (define.body for define in game.defines)
    yield from expressions_of_rules(game)
    yield from expressions_beside_rules(game)


def expressions_of_rules(game: model.Model) -> Iterator[model.Expr]:
    """The expressions of the rules, outside defines: of statements, decisions without ``preferring``, and moves."""
    for block in blocks(game):
        for statement in live_statements(block):
            yield from subexpressions(statement)
    for phase in game.phases.values():
        yield from deciding_players(phase.decision)
        for rule in rules_of(phase.decision):
            yield from subexpressions(rule)


def deciding_players(decision: model.Decision | None) -> tuple[model.Expr, ...]:
    match decision:
        case model.Turn(player=who) | model.Together(players=who):
            return (who,)
    return ()


def expressions_beside_rules(game: model.Model) -> Iterator[model.Expr]:
    """The expressions that are asked beside the rules: hints, criteria of ``preferring``, who sees a variable."""
    for variable in game.variables:
        if isinstance(variable.visibility, model.SeenBy):
            yield variable.visibility.audience
    for phase in game.phases.values():
        if isinstance(phase.decision, model.Turn):
            yield from phase.decision.preferring
    yield from (loose.value for loose in game.loose)


def statements(block: model.Block) -> Iterator[model.Statement]:
    """All statements of a block, nested ones and those of called actions included."""
    for statement in own_statements(block):
        yield statement
        if isinstance(statement, model.Do):
            yield from statements(statement.action.body)


def own_statements(block: model.Block) -> Iterator[model.Statement]:
    """The same without those of actions, which have frames of their own. A table of many rows is branches in branches,
    so that a generator for each of them would pass every statement on through all others."""
    waiting = list(reversed(block))
    while waiting:
        statement = waiting.pop()
        yield statement
        match statement:
            case model.If_(yes=yes, no=no):
                waiting += [*reversed(no), *reversed(yes)]
            case model.For(body=body):
                waiting += reversed(body)


def live_statements(block: model.Block) -> Iterator[model.Statement]:
    """The same without the branches that the present parameters switch off."""
    waiting = list(reversed(block))
    while waiting:
        statement = waiting.pop()
        yield statement
        match statement:
            case model.If_(condition=model.Const(value=bool() as holds), yes=yes, no=no):
                waiting += reversed(yes if holds else no)
            case model.If_(yes=yes, no=no):
                waiting += [*reversed(no), *reversed(yes)]
            case model.For(body=body):
                waiting += reversed(body)


def phase_title(game: model.Model, phase: model.Phase) -> str:
    """The phase in messages: its name or label, or its line if it has neither."""
    if game.notation == "phases":
        return f"phase '{phase.name}'"
    return phase.name if phase.name.startswith("@") else f"line {phase.span.line}"


# The phases in which a search may try a null move.
#
# After a *null move* the other player is to move and nothing else has changed. No rule allows it, but many rules have a
# form that admits it: one phase for both players, with the player to move as its argument
# (``phase play(p: Player):`` with ``turn p:``). The null move changes this argument and keeps the variables. The entry
# statements do not run again, nothing is earned, and the history gets no entry.
#
# This needs two players, and a phase whose only parameter is the player to move: with another one the play may be in
# the middle of a compound move. The entry statements must leave no live names, since those may depend on the player.


def may_pass(model: Model, phase: Phase) -> bool:
    """Whether the phase admits a null move, provided that the other player has a move."""
    match phase.decision:
        case Turn(player=Local(slot=0)):
            leaves_names = any(isinstance(statement, SetLocal) for statement in statements(phase.entry))
            is_his = len(phase.parameters) == 1 and phase.parameters[0].type == model.player_type
            return len(model.players) == 2 and is_his and not leaves_names
    return False


# Liveness of the names of a phase at its decision: which ones belong to the position.
#
# The variables and the phase with its arguments do not always determine a position. A name bound on entering a phase
# keeps its value while the variables change::
#
#     phase b:
#         let old = x
#         x := 0
#         turn Bob: ...          # Bob's moves may depend on old, which no variable holds any more
#
# This is liveness as in compilers (Aho, Lam, Sethi and Ullman, *Compilers*, 9.2.5): a name is live at a point if its
# value there may be read later. The point here is the state at rest before a decision, and later is the decision: who
# makes it, the rules with their guards and effects, and ``then``. ``otherwise`` does not count, since it runs only if
# the play does not rest here.
#
# A live name that is a function of the rest of the position would only lengthen keys. It is one if it is bound once, on
# every path and unconditionally, to an expression of arguments, of other such names, and of variables that no later
# entry statement can assign. All other live names are *remembered*: they are part of the position, and seeing the
# variables is not knowing them.
#
# Soundness: a remembered name counts with its value. Any other live name equals its expression over the present
# variables, which have not changed since it was bound. So states with equal positions agree in all that the rest of the
# play can read of the frame.


def live_names(phase: model.Phase) -> frozenset[int]:
    """The slots that entry statements bind and that the decision of the phase may read."""
    return _slots_bound_in(phase.entry) & _slots_read_by_decision(phase.decision)


def names_for_otherwise(phase: model.Phase) -> frozenset[int]:
    """The slots that entry statements bind and that ``otherwise`` may read."""
    return frozenset() if phase.otherwise is None else _slots_bound_in(phase.entry) & _slots_read_in(phase.otherwise)


def kept_names(phase: model.Phase) -> frozenset[int]:
    """The slots that entry statements bind and that anything behind them may read."""
    return live_names(phase) | names_for_otherwise(phase)


def remembered_names(phase: model.Phase) -> tuple[int, ...]:
    """The live names that do not follow from the variables and the arguments at the decision, in order."""
    return tuple(sorted(live_names(phase) - _following_names(phase)))


def recalled_bindings(phase: model.Phase) -> tuple[model.SetLocal, ...]:
    """The bindings, in order, from which the live names that are not remembered can be computed again at the decision,
    from the variables and the arguments."""
    following, needed = _following_names(phase), set(live_names(phase))
    found: list[model.SetLocal] = []
    for statement in reversed(phase.entry):
        if isinstance(statement, model.SetLocal) and statement.slot in following & needed:
            needed |= free_slots(statement.value)
            found.append(statement)
    return tuple(reversed(found))


def _slots_bound_in(block: model.Block) -> frozenset[int]:
    return frozenset(
        statement.slot
        for statement in own_statements(block)
        if isinstance(statement, model.SetLocal | model.SetLocalField)
    )


def _slots_read_by_decision(decision: model.Decision | None) -> frozenset[int]:
    if decision is None:
        return frozenset()
    rules = rules_of(decision)
    asked = [part for whole in (decision, *rules) for part in subexpressions(whole)]
    blocks = [rule.body for rule in rules] + ([decision.then] if isinstance(decision, model.Together) else [])
    return frozenset().union(*map(free_slots, asked), *map(_slots_read_in, blocks))


def _slots_read_in(block: model.Block) -> frozenset[int]:
    inside = list(own_statements(block))
    asked = [part for statement in inside for part in subexpressions(statement)]
    changed = {statement.slot for statement in inside if isinstance(statement, model.SetLocalField)}
    return frozenset(changed).union(*map(free_slots, asked))


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
            changed_later = assigned_variables(phase.entry[k + 1 :])
            if free_slots(statement.value) <= following and _reads_only_unchanged(statement.value, changed_later):
                following.add(statement.slot)
    return following


def _reads_only_unchanged(expr: model.Expr, changed: set[model.Variable]) -> bool:
    """Whether the expression reads neither history nor decision, and no changed variable."""
    moments = (model.Repeated, model.Repetitions, model.Stuck, model.Chosen)
    if any(isinstance(part, moments) for part in walk_with_defines(expr)):
        return False
    return changed.isdisjoint(read.variable for read in reads(expr))


def assigned_variables(block: model.Block) -> set[model.Variable]:
    return {statement.variable for statement in statements(block) if isinstance(statement, model.Assign | model.Fill)}


# The depth and the size of rules with their defines and actions inlined.
#
# The depth of one declaration is limited (:mod:`zermelo.grammar.engine`), but defines can form chains of any length.
# Walks, checks, lowering and evaluation recurse along such a chain, and Python's usual stack holds some dozens of
# defines. So elaboration measures the depth, each define once and without recursion, and raises the recursion limit
# accordingly; rules deeper than :data:`DEEPEST_RULES` are refused before anything recurses into them. A chain in which
# each define calls the next one twice doubles with every line: rules larger than :data:`LARGEST_RULES` are refused,
# too.


DEEPEST_RULES: Final = 1_000
"""The deepest nesting of expressions and statements. Beyond some limit the stack of the process overflows, which kills
it: with 8 MB of stack, chains of 9,000 parts were read and played, those of 18,000 not."""

LARGEST_RULES: Final = 5_000
"""The most expressions and statements in a define or action; those of chess have some hundreds."""

_FRAMES_EACH: Final = 24
"""Python frames between an expression and one directly inside it; an estimate."""

_USUAL: Final = 1_000
"""Python's default recursion limit, enough for everything around the rules."""

_OTHERS: Final = (Type, Span, model.Variable, model.Const, model.Local)
"""Records that are leaves of the walk."""


def extent_of(root: object) -> tuple[int, int]:
    """The depth of a part of a model, and its number of expressions and statements."""
    deepest, size = 0, 0
    waiting: list[tuple[object, int]] = [(root, 1)]
    while waiting:
        thing, depth = waiting.pop()
        if isinstance(thing, tuple):
            waiting.extend((part, depth) for part in thing)
        elif isinstance(thing, model.Define | model.Action):
            deepest = max(deepest, depth + thing.depth)
            size += thing.size
        elif has(kind := type(thing)) and not isinstance(thing, _OTHERS):
            deepest = max(deepest, depth)
            size += 1
            waiting.extend((getattr(thing, field.name), depth + 1) for field in fields(kind))
    return deepest, size


def make_room(depth: int) -> None:
    """Raise Python's recursion limit to what rules of this depth take."""
    needed = _USUAL + _FRAMES_EACH * depth
    if depth > _USUAL // _FRAMES_EACH and sys.getrecursionlimit() < needed:
        sys.setrecursionlimit(needed)
