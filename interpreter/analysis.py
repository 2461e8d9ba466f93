"""Static analysis of rules: who knows the position, and what rules consist of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, Literal, NamedTuple

from attrs import frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import NOWHERE, Span
from zermelo.interpreter import model
from zermelo.interpreter.evaluation.expressions import evaluate_constant
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.model.cardinality import evaluation_cost
from zermelo.interpreter.model.rewriting import (
    blocks,
    deciding_players,
    expressions_beside_rules,
    expressions_of_rules,
    is_closed,
    map_parts,
    own_statements,
    phase_title,
    reachable,
    reads,
    reads_state,
    remembered_names,
    rules_of,
    statements,
    subexpressions,
    substitute,
    walk,
)
from zermelo.interpreter.types import OptionalType, SetType, strip_none
from zermelo.interpreter.values import EvaluationError, Member, OrderedSet, Value, format_value

# The parts of the rules that a play may use or leave unused: phases, moves, statements, branches, cases, conditions.
#
# Parts are places of the text, and are nested as the text is: a part is used only if the one around it is. Rules that
# elaboration makes of one place, such as the nodes of a tree, are one part. A branch that the present parameters switch
# off (an ``if`` with a constant condition) is no part, and neither is anything inside a closed expression, whose value
# is the same in every play.


# Who knows the position, as far as the rules alone prove it.
#
# A game is *public between rounds* if all who are to decide know the position, except for what others choose at the
# same moment. If no two players ever choose at once, that is *perfect information*. Two kinds of games are proved to be
# such.
#
# *Every position is open*: every variable is seen by everybody, no phase in which players decide has a secret argument
# or a remembered name (:mod:`zermelo.interpreter.model.rewriting`), and the rules do not read the history. Soundness:
# the position consists of the variables, the phase and its arguments, and within a round of what has been chosen there.
# At every decision a player has perceived every change of the variables, and they perceive the phase and its arguments
# when they are to decide. All who choose at once perceive that when the round begins, and nothing that the position
# holds changes before its last choice, except for the choices themselves. Variables that only ``setup`` assigns are
# known from the rules. Secret moves do no harm: they change nothing but what everybody sees.
#
# *Every step is open*: chance never draws, and no move or argument of a move is secret. Soundness: the position follows
# from the moves. Suppose that two plays look alike to a player who is to decide, and follow them to the last position
# in which they are the same and no round is under way. If one player moves there, everybody perceives the move, and it
# is the same. If several choose at once, there are two cases. Either the round is over, and everybody has perceived all
# choices in the order of the players, after their own, so that these are the same. Or the player is to choose in it in
# both plays, since their own choice would tell the two apart; then the plays differ only in what others choose at that
# moment. So up to a round the plays are the same, with the same variables, names and history.
#
# In all other games the question is open. Something hidden refutes neither, since it may be told, or follow from the
# rest: the refutation is a pair of plays that the player to move cannot tell apart
# (:mod:`zermelo.interpreter.checks.game_facts`).


FEW = 8
"""The most values of a type that is split into cases."""

FOLDED = 10_000
"""The most evaluations for folding a closed part, and so the most members of a folded set, which a proof reads many
times."""

BINDING = (model.Quantified, model.Comprehension, model.Reach, model.Let)
"""The expressions that bind names."""


def open_parts(expr: model.Expr) -> Iterator[model.Expr]:
    """The expression and its parts, without those inside a binding expression."""
    yield expr
    if not isinstance(expr, BINDING):
        for part in subexpressions(expr):
            yield from open_parts(part)


def simplify(expr: model.Expr) -> model.Expr:
    """The expression with its cheap closed parts folded, and simplified accordingly."""
    check_deadline()
    if isinstance(expr, model.Const | model.Local):
        return expr
    if isinstance(expr, model.Let):
        return simplify(substitute(expr.body, {expr.slot: expr.value}))
    expr = map_parts(expr, simplify)
    match expr:
        case model.If(model.Const(value), yes, no):
            return yes if value else no
        case model.And(parts) | model.Or(parts):
            decisive = isinstance(expr, model.Or)
            if any(isinstance(part, model.Const) and part.value is decisive for part in parts):
                return model.Const(decisive, type=expr.type, span=expr.span)
        case model.Quantified("sum", (binder,), body):
            elements = list_values(binder)
            if elements is not None and len(elements) <= FEW:
                return _add_up(expr, [substitute(body, {binder.slot: element}) for element in elements])
    parts = subexpressions(expr)
    closed = is_closed(expr) if isinstance(expr, BINDING) else all(isinstance(part, model.Const) for part in parts)
    if not closed or reads_state(expr) or evaluation_cost(expr) > FOLDED:
        return expr
    try:
        return model.Const(evaluate_constant(expr), type=expr.type, span=expr.span)
    except EvaluationError:  # an error whenever it is evaluated: no play gets beyond it
        return expr


def list_values(binder: model.Binder) -> list[model.Const] | None:
    """The values of a binder, if they are the same in every state."""
    domain = simplify(binder.domain)
    if binder.tests or binder.stop is not None or not isinstance(domain, model.Const):
        return None
    collection = strip_none(domain.type)
    assert isinstance(collection, SetType), "the checker keeps sets apart from other values"
    values: OrderedSet = domain.value
    return [model.Const(value, type=collection.element, span=domain.span) for value in values]


def _add_up(whole: model.Expr, parts: list[model.Expr]) -> model.Expr:
    total: model.Expr = model.Const(0, type=whole.type, span=whole.span)
    for part in parts:
        total = model.Arithmetic("+", total, simplify(part), type=whole.type, span=whole.span)
    return total


What = Literal["ran", "held", "failed"]

Thing = model.Statement | model.Phase | model.Decision | model.Rule | model.Define | model.Action


class Key(NamedTuple):
    """What is counted: how often the thing at a place ran, or how often the condition there held or failed. ``kind`` is
    that of the thing, which tells ``not in`` from the ``in`` at the same place."""

    what: What
    kind: str
    start: int
    end: int


def ran_key(thing: Thing) -> Key:
    return _key("ran", thing)


def held_key(condition: model.Expr) -> Key:
    return _key("held", condition)


def failed_key(condition: model.Expr) -> Key:
    return _key("failed", condition)


def _key(what: What, thing: Thing | model.Expr) -> Key:
    return Key(what, type(thing).__name__, thing.span.start, thing.span.end)


@frozen(eq=False, repr=False)
class Condition(Displayed):
    """A condition that decides something: ``asks`` says what it belongs to. It ``is_settled`` if the rules and the
    parameters alone decide it. ``if_none`` is its value where something is none, if that is all that it asks."""

    asks: Literal["if", "case", "guard", "ensuring", "test"]
    span: Span
    held: Key
    failed: Key
    is_settled: bool
    if_none: bool | None


@frozen(eq=False, repr=False)
class RulePart(Displayed):
    """A part of the rules. ``kind`` is in the user's words (``phase``, ``move``, ``end``, ``branch``, ``case``), or
    ``none`` for the branch or case of a value that is none, which the types may demand though it never happens;
    ``name`` is empty for a part without a name, and that of the phase for a ``go``. ``conditions`` are tested whenever
    the part is used; they leave out those of the parts ``inside``."""

    kind: str
    name: str
    span: Span
    key: Key
    conditions: tuple[Condition, ...]
    inside: tuple[RulePart, ...]

    def walk(self) -> Iterator[RulePart]:
        """This part and all inside it, in the order of the file."""
        yield self
        for part in self.inside:
            yield from part.walk()


_KINDS: Final[dict[type[model.Statement], str]] = {model.End: "end", model.Go: "go"}


def parts_of(game: model.Model) -> tuple[RulePart, ...]:
    """All parts of the rules, the outermost ones."""
    found = [*_block((*game.setup, game.start))]
    called = defines_of(expressions_of_rules(game))
    for define in game.defines:
        if define not in called:
            continue
        conditions, inside = _conditions_and_choices([define.body])
        found.append(_part("define", define.name, define.span, ran_key(define), conditions, inside))
    for action in game.actions:
        found.append(_part("action", action.name, action.span, ran_key(action), [], _block(action.body)))
    found += [_phase(phase) for phase in game.phases.values()]
    return tuple(part for part in found if part.span != NOWHERE)


def defines_of(whole: Iterable[model.Expr]) -> set[model.Define]:
    """The defines that expressions call, directly or through others."""

    def called(parts: Iterable[model.Expr]) -> Iterator[model.Define]:
        return (part.define for expr in parts for part in walk(expr) if isinstance(part, model.Call))

    return set(reachable(called(whole), lambda define: called([define.body])))


def _part(
    kind: str, name: str, span: Span, key: Key, conditions: Iterable[Condition], inside: Iterable[RulePart]
) -> RulePart:
    return RulePart(kind, name, span, key, tuple(conditions), tuple(inside))


def _phase(phase: model.Phase) -> RulePart:
    inside = _block(phase.entry)
    decision = phase.decision
    if not may_fall_through(phase.entry):
        return RulePart("phase", phase.name, phase.span, ran_key(phase), (), tuple(inside))
    if decision is not None:
        kind = {model.Turn: "turn", model.Chance: "chance", model.Together: "together"}[type(decision)]
        conditions, deeper = _conditions_and_choices(deciding_players(decision))
        rules = [
            _rule(rule, "outcome" if kind == "chance" else "move") for rule in rules_of(decision) if _may_offer(rule)
        ]
        then = _block(decision.then) if isinstance(decision, model.Together) else []
        key = ran_key(decision)
        inside.append(_part(kind, "", decision.span, key, conditions, [*deeper, *rules, *then]))
    if phase.otherwise:
        block = _block(phase.otherwise)
        first = phase.otherwise[0]
        inside.append(_part("otherwise", "", first.span, ran_key(first), [], block))
    return _part("phase", phase.name, phase.span, ran_key(phase), [], inside)


def _may_offer(rule: model.Rule) -> bool:
    """Whether a rule may have moves under the present parameters."""
    return all(_settled_value(part) is not False for parts in rule.guards for part in parts)


def _rule(rule: model.Rule, kind: str) -> RulePart:
    asked = [part for parts in rule.guards for part in parts]
    conditions = [_condition("guard", part) for part in asked]
    if rule.ensuring is not None:
        conditions.append(_condition("ensuring", rule.ensuring))
    more, inside = _conditions_and_choices(subexpressions(rule))
    return _part(kind, rule.name, rule.span, ran_key(rule), [*conditions, *more], [*inside, *_block(rule.body)])


def _condition(asks: Literal["if", "case", "guard", "ensuring", "test"], expr: model.Expr) -> Condition:
    return Condition(
        asks, expr.span, held_key(expr), failed_key(expr), _settled_value(expr) is not None, _value_if_none(expr)
    )


def _value_if_none(test: model.Expr) -> bool | None:
    """The value of a condition that asks only whether something is none, where it is; None for other conditions."""
    match test:
        case model.IsNone():
            return True
        case model.Not(operand=operand):
            within = _value_if_none(operand)
            return None if within is None else not within
        case model.And(parts=parts) if all(_value_if_none(part) is False for part in parts):
            return False
        case model.Or(parts=parts) if all(_value_if_none(part) for part in parts):
            return True
        case _:
            return None


# ------------------------------------------------------------- statements


def _block(block: model.Block) -> list[RulePart]:
    """The parts of a block, without those that the parameters switch off."""
    found = list[RulePart]()
    for statement in block:
        found += _statement(statement)
        if not may_fall_through((statement,)):
            break
    return found


def may_fall_through(block: model.Block) -> bool:
    """Whether some path may fall through a block, under the present parameters."""
    for statement in block:
        match statement:
            case model.Go() | model.End():
                return False
            case model.If_(condition=test, yes=yes, no=no):
                holds = _settled_value(test)
                open_branches = [yes, no] if holds is None else [yes if holds else no]
                if not any(map(may_fall_through, open_branches)):
                    return False
            case model.Do(action=action) if not may_fall_through(action.body):
                return False
    return True


def _settled_value(test: model.Expr) -> bool | None:
    """The value of a condition that the parameters settle."""
    known = simplify(test)
    return known.value if isinstance(known, model.Const) else None


def _statement(statement: model.Statement) -> Iterator[RulePart]:
    key = ran_key(statement)
    match statement:
        case model.If_(condition=test, yes=yes, no=no) if (holds := _settled_value(test)) is not None:
            yield from _block(yes if holds else no)
        case model.If_(condition=test, yes=yes, no=no):
            asks = _question_kind(test)
            conditions, inside = _conditions_and_choices([test])
            yes_kind, no_kind = _branch_kinds(test)
            if no and isinstance(no[0], model.Go) and no[0].is_next_draw:
                no = ()  # no file writes it
            branches = [
                *_branch(yes, held_key(test), yes_kind),
                *_branch(no, failed_key(test), no_kind, asks == "case"),
            ]
            kind = "match" if asks == "case" else "if"
            yield _part(kind, "", statement.span, key, [_condition(asks, test), *conditions], [*inside, *branches])
        case model.For(body=body):
            conditions, inside = _conditions_and_choices(subexpressions(statement))
            yield _part("for", "", statement.span, key, conditions, [*inside, *_block(body)])
        case _:
            conditions, inside = _conditions_and_choices(subexpressions(statement))
            kind = _KINDS.get(type(statement), "statement")
            name = statement.phase if isinstance(statement, model.Go) else ""
            yield _part(kind, name, statement.span, key, conditions, inside)


def _branch(block: model.Block, key: Key, kind: str, is_rest: bool = False) -> Iterator[RulePart]:
    """The branch of an ``if``, unless it is empty. If it ``is_rest``, the further cases of a match, they become parts
    beside the first case."""
    match block:
        case ():
            return
        case (model.If_(condition=test),) if (
            is_rest and _settled_value(test) is None and _question_kind(test) == "case"
        ):
            yield from _block(block)
        case _:
            yield _part(kind, "", block[0].span, key, [], _block(block))


def _branch_kinds(test: model.Expr) -> tuple[str, str]:
    """The kinds of the two branches of a condition, where it holds and where it fails. The last case of a match has no
    test of its own: if the subject may be none, this case may be the one for none."""
    if _question_kind(test) == "case":
        if _value_if_none(test):
            return "none", "case"
        return "case", "none" if any(_may_be_none_subject(part) for part in walk(test)) else "case"
    match _value_if_none(test):
        case True:
            return "none", "else"
        case False:
            return "branch", "none"
        case _:
            return "branch", "else"


def _may_be_none_subject(part: model.Expr) -> bool:
    return isinstance(part, model.Local) and part.name == "match" and isinstance(part.type, OptionalType)


def _question_kind(test: model.Expr) -> Literal["if", "case"]:
    """Whether a condition is that of a case of a ``match``, whose subject has a name that no file can write."""
    match test:
        case model.Or(parts=(first, *_)):
            return _question_kind(first)
        case model.Compare(left=model.Local(name="match")) | model.IsNone(operand=model.Local(name="match")):
            return "case"
        case model.Contains(item=model.Local(name="match")):
            return "case"
        case _:
            return "if"


# ------------------------------------------------------------- expressions


def _conditions_and_choices(whole: Iterable[model.Expr]) -> tuple[list[Condition], list[RulePart]]:
    """The conditions of expressions outside any choice, and the choices as parts."""
    conditions, inside = list[Condition](), list[RulePart]()
    for expr in whole:
        _collect(expr, conditions, inside)
    return conditions, inside


def _collect(expr: model.Expr, conditions: list[Condition], inside: list[RulePart]) -> None:
    if is_closed(expr):
        return
    match expr:
        case model.If(condition=test, yes=yes, no=no) if (holds := _settled_value(test)) is not None:
            _collect(yes if holds else no, conditions, inside)
            return
        case model.If(condition=test, yes=yes, no=no):
            asks = _question_kind(test)
            conditions.append(_condition(asks, test))
            _collect(test, conditions, inside)
            yes_kind, no_kind = _branch_kinds(test)
            inside += _choice(yes, held_key(test), yes_kind)
            inside += _choice(no, failed_key(test), no_kind, asks == "case")
            return
        case model.Quantified(binders=binders) | model.Comprehension(binders=binders):
            tests = (test for binder in binders for test in (binder.stop_condition, *binder.tests) if test is not None)
            conditions.extend(_condition("test", test) for test in tests)
    for part in subexpressions(expr):
        _collect(part, conditions, inside)


def _choice(expr: model.Expr, key: Key, kind: str, is_rest: bool = False) -> Iterator[RulePart]:
    """One side of an ``if`` in an expression. If it ``is_rest``, further cases of a match become parts beside it."""
    conditions, inside = _conditions_and_choices([expr])
    match expr:
        case model.If(condition=test) if is_rest and _question_kind(test) == "case":
            yield from inside
        case _:
            yield _part(kind, "", expr.span, key, conditions, inside)


# The proof that players know the position, and the obstacle to it.


ENTRIES = 1000
"""A variable with more entries is not examined entry by entry."""


def simultaneous_choices(game: model.Model, phases: tuple[model.Phase, ...]) -> Fact:
    """Whether several players may choose at once. ``phases`` are the reachable ones."""
    for phase in phases:
        if isinstance(phase.decision, model.Together):
            choosing = simplify(phase.decision.players)
            if len(game.players) > 1 and not (isinstance(choosing, model.Const) and len(choosing.value) < 2):
                return Fact(True, f"in {phase_title(game, phase)} several players choose at once")
    return Fact(False, "no two players choose at once")


def perfect_information(game: model.Model, phases: tuple[model.Phase, ...]) -> Fact:
    """Whether the player to move always knows the position: True, or None with an obstacle."""
    at_once = simultaneous_choices(game, phases)
    if at_once.holds:
        return Fact(None, at_once.how)
    public = public_between_rounds(game, phases)
    return Fact(True, f"{public.how}, and {at_once.how}") if public.holds else public


def public_between_rounds(game: model.Model, phases: tuple[model.Phase, ...]) -> Fact:
    """Whether all who are to decide always know the position, except for what others choose at the same moment: True,
    or None with an obstacle."""
    obstacle = _obstacle(game, phases)
    if not obstacle:
        return Fact(True, "everybody sees every variable")
    if _is_open_to_follow(phases):
        return Fact(True, "everybody sees every move and chance never draws")
    return Fact(None, obstacle)


def _is_open_to_follow(phases: tuple[model.Phase, ...]) -> bool:
    """Whether everybody perceives every step of a play, once it is complete."""
    return all(
        isinstance(phase.decision, model.Turn | model.Together | None)
        and not any(
            rule.secret or any(parameter.secret for parameter in rule.parameters) for rule in rules_of(phase.decision)
        )
        for phase in phases
    )


def _obstacle(game: model.Model, phases: tuple[model.Phase, ...]) -> str:
    """Why those who are to decide may not know the position, as a clause; empty if every position is open."""
    for variable in game.variables:
        if not variable.is_constant:
            hidden = _unseen_entry(variable, game.players)
            if hidden:
                return hidden
    for phase in phases:
        if not isinstance(phase.decision, model.Turn | model.Together):
            continue
        for parameter in phase.parameters:
            if parameter.secret:
                unseen = f"see '{parameter.name}'" if game.notation == "phases" else "know which node has been reached"
                return f"the player to move in {phase_title(game, phase)} does not {unseen}"
        if remembered_names(phase):
            return f"{phase_title(game, phase)} remembers something that no variable shows any more"
    if game.history:
        return "the rules look at the history of the play, which players do not see in full"
    return ""


def _unseen_entry(variable: model.Variable, players: model.Players) -> str:
    """Who does not see an entry of the variable, as a clause; empty if everybody sees all of it."""
    if variable.visibility is model.Audience.EVERYBODY:
        return ""
    if variable.visibility is model.Audience.NOBODY:
        return f"nobody sees '{variable.name}'"
    if variable.entries > ENTRIES:
        return f"not everybody sees '{variable.name}'"
    for indices in product(*(index.members for index in variable.indices)):
        slots: dict[int, model.Expr] = {
            k: model.Const(value, type=type, span=variable.span)
            for k, (value, type) in enumerate(zip(indices, variable.indices, strict=True))
        }
        audience = simplify(substitute(variable.visibility.audience, slots))
        if not isinstance(audience, model.Const):
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
# only in those, too, and everybody perceives the same. Such variables can show only by an error, a value out of its
# range. Plays without errors have the same futures.


def unnoticed_variables(game: model.Model) -> list[model.Variable]:
    """The variables that do not matter, in the order of the file."""
    mattering = {variable for variable in game.variables if variable.visibility is not model.Audience.NOBODY}
    mattering |= {variable for asked in game.history for variable in asked.variables}
    sources: dict[model.Variable, set[model.Variable]] = {}
    others = [*expressions_beside_rules(game)]
    for phase in game.phases.values():
        others += deciding_players(phase.decision)
        others += (part for rule in rules_of(phase.decision) for part in subexpressions(rule))
    for block in blocks(game):
        for statement in own_statements(block):
            if isinstance(statement, model.Assign | model.Fill):
                sources.setdefault(statement.variable, set()).update(_read_by(subexpressions(statement)))
            else:
                others += subexpressions(statement)
    mattering |= _read_by(others)
    mattering = set(reachable(mattering, lambda variable: sources.get(variable, ())))
    return [variable for variable in game.variables if variable not in mattering and not variable.is_constant]


def _read_by(expressions: Iterable[model.Expr]) -> set[model.Variable]:
    return {read.variable for expr in expressions for read in reads(expr)}


# Arguments of chance that entries of variables hold until somebody decides.
#
# After ``hand[North] := h`` the entry ``hand[North]`` holds the argument ``h`` of an outcome. A player who sees the
# entry then perceives the whole argument, unless the entry changes again before the next decision or the end, when
# players perceive what has happened. So this is proved, from the text of the rules alone:
#
# * the assignment is made in every play through the rule: it is a statement of the body itself, and nothing before it
#   leaves the phase;
# * nothing overwrites it: of the statements that run until a player decides (the body of the rule, and the entry,
#   ``otherwise`` and outcomes of every phase that can be reached without a decision), no other one writes to the
#   variable, except to other entries, with constant indices;
# * the phase is not among these, so that the rule itself is not run again.
#
# The indices are constants or parameters of the phase. An assignment of any other form proves nothing.


@frozen(eq=False, repr=False)
class Held:
    """Argument number ``argument`` is the value of this entry when players next perceive anything."""

    argument: int
    variable: model.Variable
    indices: tuple[model.Expr, ...]


def held_arguments(game: model.Model, phase: model.Phase, rule: model.Rule) -> tuple[Held, ...]:
    """The arguments of an outcome of ``phase`` that entries hold."""
    reached = _phases_before_decision(game, rule)
    if phase.name in reached:
        return ()
    unattended = [*statements(rule.body)]
    for name in reached:
        for block in _blocks_before_decision(game.phases[name]):
            unattended += statements(block)
    number = {parameter.slot: k for k, parameter in enumerate(rule.parameters)}
    found = []
    for assignment in _certain_assignments(rule.body):
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


def _certain_assignments(body: model.Block) -> Iterator[model.Assign]:
    """The assignments of a body that are made in every play."""
    for statement in body:
        if any(isinstance(part, model.Go | model.End) for part in statements((statement,))):
            return
        if isinstance(statement, model.Assign):
            yield statement


def _is_fixed(index: model.Expr, phase: model.Phase) -> bool:
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


def _phases_before_decision(game: model.Model, rule: model.Rule) -> list[str]:
    """The phases that a play may enter after an outcome before a player decides."""

    def entered(blocks: Iterable[model.Block]) -> Iterator[str]:
        return (each.phase for block in blocks for each in statements(block) if isinstance(each, model.Go))

    return reachable(entered([rule.body]), lambda name: entered(_blocks_before_decision(game.phases[name])))


def _blocks_before_decision(phase: model.Phase) -> Iterator[model.Block]:
    """The blocks of a phase that run without a decision of a player."""
    yield phase.entry
    if phase.otherwise is not None:
        yield phase.otherwise
    if isinstance(phase.decision, model.Chance):
        for rule in rules_of(phase.decision):
            yield rule.body
