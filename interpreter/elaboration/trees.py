"""Phases and their decisions; and games written as trees and tables, as the phases that they stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final

from attrs import define, evolve, field

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix, Label, Span
from zermelo.grammar.words import LEAVES, LEAVES_HELP
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.declarations import formal_parameters
from zermelo.interpreter.elaboration.expressions import (
    broken_expression,
    declared_element,
    elaborate,
    elaborate_as,
    elaborate_condition,
    elaborate_constant,
    is_known,
    require_constant,
)
from zermelo.interpreter.elaboration.names import depends_on_parameters, report_doubles, report_undefined
from zermelo.interpreter.elaboration.operators import domain_of, elaborate_number
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.elaboration.statements import block_of, payoff_tuple, statements_in
from zermelo.interpreter.intervals import literal
from zermelo.interpreter.model.cardinality import in_words, is_never_empty, is_ordered
from zermelo.interpreter.model.rewriting import slots, walk
from zermelo.interpreter.types import BOOL, NUMBER, NoneType, NumberType, OptionalType, SetType, Type, optional
from zermelo.interpreter.values import EMPTY, Member, OrderedSet, Value

LARGEST_DOMAIN = 10_000_000
"""The most members of a constant range as the domain of a move or an outcome: the reference machine tries so many in
some seconds."""

MOST_DRAWS = 1_000
"""The most draws of one ``chance for``; more is a slip."""


def declare_phase(written: syntax.Phase, scope: Scope) -> tuple[model.FormalParameter, ...]:
    """The parameters of a phase, which must be known before the body of any phase with a ``go`` is elaborated."""
    return formal_parameters(written.parameters, scope, of_phase=True)


def phase_of(written: syntax.Phase, parameters: tuple[model.FormalParameter, ...], scope: Scope) -> model.Phase:
    """The phase; ``scope`` holds its parameters. Entry, decision and ``otherwise`` share one frame."""
    if isinstance(written.decision, syntax.Chance) and written.decision.binders:
        return _drawing_phase(written, written.decision, parameters, scope)
    scope.stuck_allowed = written.decision is not None
    entry = statements_in(written.entry, scope)
    scope.stuck_allowed = False
    decision = None if written.decision is None else _decision(written.decision, scope)
    otherwise = None if written.otherwise is None else block_of(written.otherwise, scope)
    scope.report_unused()
    return model.Phase(written.name.text, parameters, entry, decision, otherwise, scope.frame.size, written.name.span)


# ``chance for x in S, y in T if G:``, lowered to a loop of draws.
#
# The phase gets one more parameter, the number of the draw; a ``go`` of the file sets it to 1. The names are those that
# tables have for this number. An outcome that does not leave the phase goes to the next number, and so does a number
# whose guard does not hold. The number after the last one is that of no draw: there the play goes on with ``then``.


def _drawing_phase(
    written: syntax.Phase, draws: syntax.Chance, parameters: tuple[model.FormalParameter, ...], scope: Scope
) -> model.Phase:
    heading = draws.binders[0].span.to((draws.guard or draws.binders[-1]).span)
    slot, inner = scope.frame.new_slot(), scope
    bound: list[tuple[int, syntax.Binder, Type]] = []
    sets: list[tuple[Value, ...]] = []
    help = "a guard may depend on it, as in: chance for k in 1..3 if k <= left"
    for binder in draws.binders:
        domain, element = domain_of(binder.domain, inner)
        members = require_constant(domain, inner, "a set of 'chance for'", help)
        inner = inner.inner()
        declared = declared_element(members, element, inner)
        bound.append((inner.bind(binder.name, element, "name", expendable=True, declared=declared), binder, element))
        sets.append(members.value.items if is_known(members) else (None,))
    if prod(map(len, sets)) > MOST_DRAWS:
        message = f"these are {prod(map(len, sets)):,} draws; the limit is {MOST_DRAWS:,}"
        scope.findings.report("out-of-range", heading, message, help="use smaller sets")
        sets = [(None,) for _ in sets]
    bindings = list(product(*sets))
    last = len(bindings) + 1
    number = model.Local(slot, "draw", type=NumberType(1, last), span=heading)
    names = []
    for k, (name, binder, element) in enumerate(bound if bindings else ()):
        values = dict(enumerate((binding[k] for binding in (*bindings, bindings[-1])), start=1))
        value = model.Lookup(values, number, True, type=element, span=binder.span)
        names.append(model.SetLocal(name, value, binder.name.text, span=binder.span))

    def at(draw: int, block: model.Block) -> model.Block:
        here = model.Const(draw, type=literal(draw), span=heading)
        test = model.Compare("==", number, here, type=BOOL, span=heading)
        return (model.If_(test, block, (), span=heading),) if block else ()

    one = model.Const(1, type=literal(1), span=heading)
    following = model.Arithmetic("+", number, one, type=NumberType(2, last + 1), span=heading)
    same = (model.Local(k, each.name, type=each.type.base, span=heading) for k, each in enumerate(parameters))
    go_on = (model.Go(written.name.text, (*same, following), is_next_draw=True, span=heading),)
    entry = at(1, block_of(written.entry, scope))
    guard = None if draws.guard is None else elaborate_condition(draws.guard, inner, "a guard")
    skip = () if guard is None else (model.If_(guard, (), go_on, span=guard.span),)
    outcomes = tuple(_outcome(outcome, inner) for outcome in draws.outcomes)
    _report_doubles(outcomes, "outcome", scope)
    outcomes = tuple(rule if _leaves(rule.body) else evolve(rule, body=(*rule.body, *go_on)) for rule in outcomes)
    then = block_of(draws.then, scope)
    otherwise = None if written.otherwise is None else block_of(written.otherwise, inner)
    scope.report_unused()
    formals = (*parameters, model.FormalParameter("draw", number.type, False, heading))
    decision = None
    if bindings:
        entry, decision = (*names, *entry, *at(last, then), *skip), model.Chance(outcomes, draws.span, heading, then)
    else:
        entry, otherwise = (*entry, *then), None
    return model.Phase(written.name.text, formals, entry, decision, otherwise, scope.frame.size, written.name.span)


def _leaves(block: model.Block) -> bool:
    """Whether every path through the block leaves the phase, whatever the parameters are."""
    for statement in block:
        match statement:
            case model.Go() | model.End():
                return True
            case model.If_(yes=yes, no=no) if _leaves(yes) and _leaves(no):
                return True
            case model.Do(action=action) if _leaves(action.body):
                return True
    return False


def _whose_turn(turn: syntax.Turn, scope: Scope) -> model.Expr:
    player = turn.player
    if not (isinstance(player, syntax.Reference) and player.name == "chance"):
        return elaborate_as(player, scope, scope.globals.player_type, "the expression after 'turn'")
    head = turn.span.to(player.span)
    scope.findings.report(
        "foreign-word",
        head,
        "chance draws, and has no turn",
        help="write 'chance:', and 'outcome' for each 'move'",
        fix=Fix(head, "chance", "write 'chance'"),
    )
    return broken_expression(player.span)


def _decision(written: syntax.Decision, scope: Scope) -> model.Decision:
    match written:
        case syntax.Turn():
            player = _whose_turn(written, scope)
            preferring = tuple(_preference(part, scope) for part in written.values("preferring"))
            moves = tuple(_move(move, scope) for move in written.moves)
            _report_doubles(moves, "move", scope)
            return model.Turn(player, preferring, moves, written.span)
        case syntax.Chance():
            outcomes = tuple(_outcome(outcome, scope) for outcome in written.outcomes)
            _report_doubles(outcomes, "outcome", scope)
            return model.Chance(outcomes, written.span)
        case syntax.Together():
            return _together(written, scope)


def _preference(written: syntax.Expression, scope: Scope) -> model.Expr:
    typed = elaborate(written, scope, None)
    if is_known(typed) and not is_ordered(typed.type):
        message = f"'preferring' compares, but {in_words(typed.type)} has no order"
        scope.findings.report("type-mismatch", written.span, message)
    return typed


def _report_doubles(rules: tuple[model.Rule, ...], kind: str, scope: Scope) -> None:
    """Report two rules of one name in a decision, whose moves would look the same."""
    named = ((rule.name, rule.span) for rule in rules)
    report_doubles(named, scope.findings, f"this decision has two {kind}s '{{}}'", help="rename one of them")


def _together(written: syntax.Together, scope: Scope) -> model.Together:
    players = scope.globals.player_type
    inner = scope.inner()
    if written.binder is None:
        chosen: model.Expr = model.Const(players.members, type=SetType(players), span=written.span)
        slot = scope.frame.new_slot()
        inner.unnamed_chooser = written.span.beginning(len("together"))
    else:
        chosen, element = domain_of(written.binder.domain, scope, players)
        if is_known(chosen) and element is not players:
            message = f"'together' is for a set of players, but this is {in_words(chosen.type)}"
            scope.findings.report("type-mismatch", written.binder.domain.span, message)
        slot = inner.bind(written.binder.name, players, "name", expendable=True)
    faults = len(scope.findings.errors)
    moves = tuple(_move(move, inner) for move in written.moves)
    _report_doubles(moves, "move", scope)
    then_scope = scope.inner()
    then_scope.choices = {move.name: move for move in moves}
    then_scope.sure_to_choose = _sure_to_choose(chosen, moves) if faults == len(scope.findings.errors) else None
    then = statements_in(written.then, then_scope)
    return model.Together(chosen, slot, moves, then, written.span)


def _sure_to_choose(players: model.Expr, moves: tuple[model.Rule, ...]) -> OrderedSet:
    """The players who are sure to make the only choice, so that it is never none."""
    domains = [parameter.domain for rule in moves for parameter in rule.parameters if not parameter.is_optional]
    is_only = len(moves) == 1 and not any(moves[0].guards)
    if not is_only or not isinstance(players, model.Const) or not is_known(players):
        return EMPTY
    offered = all(is_never_empty(domain, lambda item: not isinstance(item, model.Const)) for domain in domains)
    return players.value if offered else EMPTY


def _parameters(
    written: tuple[syntax.MoveParameter, ...], scope: Scope
) -> tuple[tuple[model.RuleParameter, ...], Scope]:
    """The parameters of a rule; the domain of each may use the earlier ones."""
    made: list[model.RuleParameter] = []
    for parameter in written:
        domain, element = domain_of(parameter.domain, scope)
        _report_endless(domain, scope)
        scope = scope.inner()
        declared = declared_element(domain, element, scope)
        if parameter.is_optional:
            element, declared = optional(element), optional(declared)
        slot = scope.bind(parameter.name, element, "parameter", expendable=True, declared=declared)
        made.append(
            model.RuleParameter(slot, parameter.name.text, domain, element, parameter.secret, parameter.name.span)
        )
    return tuple(made), scope


def _report_endless(domain: model.Expr, scope: Scope) -> None:
    """Report a constant range that is too large to try all its members, however few of them pass the guard."""
    if not isinstance(domain, model.RangeSet):
        return
    ends = [end.type for end in (domain.low, domain.high)]
    low, high = (end.low if isinstance(end, NumberType) and end.low == end.high else None for end in ends)
    if low is None or high is None:
        return
    members = int(high - low) + 1
    if members > LARGEST_DOMAIN:
        scope.findings.report(
            "out-of-range",
            domain.span,
            f"this range has {members:,} members, each of which the decision tries; the limit is {LARGEST_DOMAIN:,}",
            help="put the bound into the range, as in 1..min(3, left), rather than after 'if'",
        )


def _move(written: syntax.Move, scope: Scope) -> model.Rule:
    parameters, inner = _parameters(written.parameters, scope.inner())
    guards = split_guard(_guard(written.guard, inner), parameters)
    ensuring = None
    if written.ensuring is not None:
        ensuring = elaborate_condition(written.ensuring, inner, "the condition after 'ensuring'")
    body = () if written.body is None else block_of(written.body, inner)
    return model.Rule(
        scope.globals.declarations.move_name(written.name),
        parameters,
        guards,
        ensuring,
        written.secret,
        None,
        None,
        body,
        written.name.span,
    )


def report_never_drawn(
    outcome: syntax.Name, what: str, number: model.Expr | None, written: syntax.Expression | None, scope: Scope
) -> None:
    """Report an outcome whose weight or probability is 0 whatever the parameters are. It is no mistake if a parameter
    at the end of its range rules an outcome out."""
    if number is None or written is None or not isinstance(number, model.Const) or number.value != 0:
        return
    if not depends_on_parameters(written, scope.globals.declarations):
        scope.findings.report(
            "zero-probability",
            number.span,
            f"the outcome '{outcome.text}' can never be drawn",
            remark=f"its {what} is 0",
            help="remove it",
        )


def _outcome(written: syntax.OutcomeClause, scope: Scope) -> model.Rule:
    parameters, inner = _parameters(written.parameters, scope.inner())
    guards = split_guard(_guard(written.guard, inner), parameters)
    weight = None if written.weight is None else elaborate_number(written.weight, inner, "a weight")
    probability = None if written.probability is None else elaborate_number(written.probability, inner, "a probability")
    report_never_drawn(written.name, "weight", weight, written.weight, inner)
    report_never_drawn(written.name, "probability", probability, written.probability, inner)
    body = block_of(written.body, inner)
    name = scope.globals.declarations.move_name(written.name)
    return model.Rule(name, parameters, guards, None, False, weight, probability, body, written.name.span)


def _guard(written: syntax.Expression | None, scope: Scope) -> tuple[model.Expr, ...]:
    """The conjuncts of a guard."""
    if written is None:
        return ()
    typed = elaborate_condition(written, scope, "a guard")
    return _parts(typed)


def _parts(guard: model.Expr) -> tuple[model.Expr, ...]:
    if isinstance(guard, model.And):
        return tuple(part for operand in guard.parts for part in _parts(operand))
    return (guard,)


def split_guard(
    parts: tuple[model.Expr, ...], parameters: tuple[model.RuleParameter, ...]
) -> tuple[tuple[model.Expr, ...], ...]:
    """The conjuncts by the number of parameters that they need, so that each is tested early.

    A conjunct whose evaluation could be an error stays after those written before it: one of them may exclude that.
    """
    level_of = {parameter.slot: level for level, parameter in enumerate(parameters, start=1)}
    levels: list[list[model.Expr]] = [[] for _ in range(len(parameters) + 1)]
    deepest = 0
    for part in parts:
        level = max((level_of.get(slot, 0) for slot in slots(part)), default=0)
        if _can_fail(part):
            level = max(level, deepest)
        deepest = max(deepest, level)
        levels[level].append(part)
    return tuple(map(tuple, levels))


def _can_fail(part: model.Expr) -> bool:
    """Whether evaluating it may be an error: something may be none, unset or a divisor, or is hidden in a define."""
    return any(
        isinstance(inner.type, OptionalType | NoneType)
        or isinstance(inner, model.Call | model.Arithmetic)
        or (isinstance(inner, model.Read) and not inner.variable.has_initial)
        for inner in walk(part)
    )


# Generated names of phases, for the nodes of a tree and for a table.
#
# They cannot clash with names in a file, which consist of letters, digits and underscores (``NAME`` in ``game.lark``):
# each generated name has another character. Nor can they clash with each other: a path begins with a slash and a label
# with ``@``, which names do not contain, so that a path determines its names.


Path = tuple[str, ...]
"""The names of the branches from the root to a node of a tree."""

TABLE: Final = "the table"
"""The phase of a game in ``table:`` notation."""


def node_phase(path: Path) -> str:
    """The phase of a node without a label: ``/``, ``/deal/raise``."""
    return "/" + "/".join(path)


def label_phase(name: str) -> str:
    """The phase of the nodes with a label: ``@name``."""
    return f"@{name}"


# The ``tree:`` notation, lowered to phases.
#
# Every chance node becomes a phase, and so does every information set: a decision node without a label, or all nodes of
# one label. The node within the set is a secret argument of the phase, so that the player sees only the label. If
# labels join nodes, moves are secret, too: perception is defined by the labels.
#
# Recall is perfect by construction (players never forget what they have seen and done), so a label that joins nodes
# with different own pasts of their player is contradictory, and is reported.


_NODE_SLOT = 0


@define(eq=False, repr=False)
class _InformationSet:
    """The nodes of one label, or one node without a label."""

    phase: str
    player: Member
    label: syntax.Name | None
    branches: tuple[str, ...]
    nodes: list[tuple[Path, syntax.DecisionNode]] = field(factory=list)
    pasts: list[tuple[tuple[str, str], ...]] = field(factory=list)


@define(eq=False, repr=False)
class _Lowering:
    """The state of the lowering of a tree: what has been lowered, and the ends that have been met."""

    scope: Scope
    sets: dict[str, _InformationSet] = field(factory=dict)
    phases: dict[str, model.Phase] = field(factory=dict)
    ends: list[WrittenEnd] = field(factory=list)

    @property
    def joined(self) -> bool:
        """Whether some label joins several nodes."""
        return any(len(joint.nodes) > 1 for joint in self.sets.values())


def lower_tree(tree: syntax.Tree, scope: Scope) -> tuple[dict[str, model.Phase], model.Go]:
    """The phases of the tree, and the ``go`` to the first."""
    lowering = _Lowering(scope)
    _collect(tree.root, (), {}, lowering)
    for path, node in _nodes(tree.root, ()):
        if isinstance(node, syntax.ChanceNode):
            _lower_chance(path, node, lowering)
    for joint in lowering.sets.values():
        _report_forgetful(joint, scope)
        _lower_decision(joint, lowering)
    if isinstance(tree.root, syntax.Leaf):
        only = model.Phase(node_phase(()), (), (_end(tree.root, lowering),), None, None, 0, tree.root.span)
        return {only.name: only}, model.Go(only.name, (), span=tree.root.span)
    _report_lone_payoffs(lowering.ends, scope)
    return lowering.phases, _go(tree.root, (), lowering, tree.root.span)


def _nodes(node: syntax.TreeNode, path: Path) -> Iterator[tuple[Path, syntax.TreeNode]]:
    yield path, node
    for name, child in _branches(node):
        yield from _nodes(child, (*path, name.text))


def _branches(node: syntax.TreeNode) -> tuple[tuple[syntax.Name, syntax.TreeNode], ...]:
    match node:
        case syntax.DecisionNode(branches=branches):
            return branches
        case syntax.ChanceNode(branches=outcomes):
            return tuple((outcome.name, outcome.child) for outcome in outcomes)
        case _:
            return ()


def _set_name(node: syntax.DecisionNode, path: Path) -> str:
    return node_phase(path) if node.label is None else label_phase(node.label.text)


# ---------------------------------------------------------------- information sets


def _collect(
    node: syntax.TreeNode, path: Path, pasts: dict[str, tuple[tuple[str, str], ...]], lowering: _Lowering
) -> None:
    """Sort the decision nodes into information sets. ``pasts`` holds, for each player, their own past: the sets in
    which they have moved before, with the moves."""
    _report_double_branches(node, lowering.scope)
    if not isinstance(node, syntax.DecisionNode):
        for branch, child in _branches(node):
            _collect(child, (*path, branch.text), pasts, lowering)
        return
    player = _player(node.player, lowering.scope)
    name = _set_name(node, path)
    joint = _information_set_of(name, node, player, lowering)
    past = pasts.get(player.name, ())
    joint.nodes.append((path, node))
    joint.pasts.append(past)
    for branch, child in node.branches:
        _collect(child, (*path, branch.text), {**pasts, player.name: (*past, (name, branch.text))}, lowering)


def _player(name: syntax.Name, scope: Scope) -> Member:
    players = scope.globals.player_type
    if name.text not in players.by_name:
        report_undefined(name.text, name.span, "player", [*players.by_name, "chance"], scope.findings)
        return players.listed[0]
    scope.globals.use_part(players, name.text, name.span)
    return players.by_name[name.text]


def _information_set_of(name: str, node: syntax.DecisionNode, player: Member, lowering: _Lowering) -> _InformationSet:
    """The information set of a node, which must agree with its earlier nodes."""
    branches = tuple(branch.text for branch, _ in node.branches)
    joint = lowering.sets.get(name)
    if joint is None:
        joint = lowering.sets[name] = _InformationSet(name, player, node.label, branches)
        return joint
    if node.label is None:  # behind two branches of one name, which are reported
        return joint
    first = joint.nodes[0][1]
    if joint.player is not player:
        lowering.scope.findings.report(
            "label-mismatch",
            node.player.span,
            f"the nodes of @{node.label} belong to different players: {joint.player.name} and {player.name}",
            labels=[Label(first.player.span, "the first of them")],
            help="an information set belongs to one player; give this node another label",
        )
    elif set(joint.branches) != set(branches):
        lowering.scope.findings.report(
            "label-mismatch",
            node.label.span,
            f"the nodes of @{node.label} offer different moves: {', '.join(joint.branches)} and {', '.join(branches)}",
            labels=[Label(first.player.span, "the first of them")],
            help="a player who cannot tell positions apart must have the same moves in all of them",
        )
    return joint


def _report_double_branches(node: syntax.TreeNode, scope: Scope) -> None:
    named = ((name.text, name.span) for name, _ in _branches(node))
    message, help = "two branches of this node are called '{}'", "give one of them another name"
    report_doubles(named, scope.findings, message, help=help)


def _report_forgetful(joint: _InformationSet, scope: Scope) -> None:
    for (_, node), past in zip(joint.nodes[1:], joint.pasts[1:], strict=True):
        first = joint.pasts[0]
        if past == first or node.label is None:
            continue
        differ = [move for _, move in past] != [move for _, move in first]
        memory = "their own moves" if differ else "what they knew then"
        scope.findings.report(
            "forgetful-label",
            node.label.span,
            f"{joint.player.name} can tell the nodes of @{node.label} apart by "
            + ("their own earlier moves" if differ else "where they moved before"),
            remark=f"moves before this node: {_past_in_words(past, not differ)}",
            labels=[
                Label(joint.nodes[0][1].player.span, f"moves before this node: {_past_in_words(first, not differ)}")
            ],
            help=f"players remember {memory}; give the nodes different labels",
        )


def _past_in_words(past: tuple[tuple[str, str], ...], with_places: bool) -> str:
    """Own moves, and where they were made: ``@label``, or the branches that lead to a node without a label."""
    return ", then ".join(f"{move} at {place}" if with_places else move for place, move in past) or "none"


# ------------------------------------------------------------------------- lowering


def _lower_decision(joint: _InformationSet, lowering: _Lowering) -> None:
    scope = lowering.scope
    first = joint.nodes[0][1]
    count = len(joint.nodes)
    numbers = NumberType(0, count - 1, 1)
    rules = []
    for branch, _ in first.branches:
        body: model.Block = ()
        for index in reversed(range(count)):
            path, node = joint.nodes[index]
            child = next((child for name, child in node.branches if name.text == branch.text), None)
            if child is None:
                continue
            leads_to = _statement(child, (*path, branch.text), lowering)
            body = (_choose_node(index, numbers, leads_to, body, branch.span),) if body else (leads_to,)
        secret = lowering.joined
        rules.append(
            model.Rule(
                scope.globals.declarations.move_name(branch), (), ((),), None, secret, None, None, body, branch.span
            )
        )
    player = model.Const(joint.player, type=scope.globals.player_type, span=first.player.span)
    parameters = (model.FormalParameter("node", numbers, True, first.span),) if count > 1 else ()
    turn = model.Turn(player, (), tuple(rules), first.span)
    lowering.phases[joint.phase] = model.Phase(
        joint.phase, parameters, (), turn, None, len(parameters), first.player.span
    )


def _choose_node(
    index: int, numbers: NumberType, leads_to: model.Statement, rest: model.Block, span: Span
) -> model.Statement:
    """The statement that follows the branch of the reached node."""
    node = model.Local(_NODE_SLOT, "node", type=numbers, span=span)
    this = model.Const(index, type=numbers, span=span)
    return model.If_(model.Compare("==", node, this, type=BOOL, span=span), (leads_to,), rest, span=span)


def _lower_chance(path: Path, node: syntax.ChanceNode, lowering: _Lowering) -> None:
    rules = []
    for branch in node.branches:
        probability = elaborate_constant(branch.probability, lowering.scope, NUMBER, "a probability")
        report_never_drawn(branch.name, "probability", probability, branch.probability, lowering.scope)
        body = (_statement(branch.child, (*path, branch.name.text), lowering),)
        weight = probability if is_known(probability) else None
        shown = lowering.scope.globals.declarations.move_name(branch.name)
        rules.append(model.Rule(shown, (), ((),), None, False, None, weight, body, branch.name.span))
    name = node_phase(path)
    lowering.phases[name] = model.Phase(name, (), (), model.Chance(tuple(rules), node.span), None, 0, node.span)


def _statement(node: syntax.TreeNode, path: Path, lowering: _Lowering) -> model.Statement:
    return _end(node, lowering) if isinstance(node, syntax.Leaf) else _go(node, path, lowering, node.span)


_STATEMENTS: Final = ("draw", "payoff")
"""Words that stand for an end elsewhere."""


def _end(leaf: syntax.Leaf, lowering: _Lowering) -> model.End:
    scope = lowering.scope
    (*_, last) = leaf.amounts
    word = str(last.name) if isinstance(last, syntax.Reference | syntax.Call) else ""
    if word in _STATEMENTS and scope.find(word) is None and word not in scope.globals.declarations.named:
        scope.findings.report("foreign-word", leaf.span, LEAVES, help=LEAVES_HELP)
        return model.End(model.PayoffOutcome(()), span=leaf.span)
    end = model.End(model.PayoffOutcome(payoff_tuple(leaf.amounts, scope, leaf.span)), span=leaf.span)
    lowering.ends.append((len(leaf.amounts), end))
    return end


WrittenEnd = tuple[int, model.End]
"""An end of a tree or table, behind the number of payoffs that are written there."""


def _report_lone_payoffs(ends: list[WrittenEnd], scope: Scope) -> None:
    """Report one payoff alone, short for ``(x, -x)``, where the two of another end do not sum to zero: the second one
    has been forgotten. A lone 0 is a draw."""
    unequal = next((end for written, end in ends if written == 2 and sum(_known_payoffs(end))), None)
    if unequal is None:
        return
    for written, end in ends:
        if written == 1 and any(_known_payoffs(end)):
            scope.findings.report(
                "lone-payoff",
                end.span,
                "one payoff alone is short for (x, -x), but the game is not zero-sum",
                labels=[Label(unequal.span, "these do not sum to zero")],
                help="write the payoffs of both players",
            )


def _known_payoffs(end: model.End) -> list[Value]:
    """The payoffs of an end, if all of them are constants."""
    assert isinstance(end.outcome, model.PayoffOutcome)
    amounts = [amount for _, amount in end.outcome.entries]
    known = [amount.value for amount in amounts if isinstance(amount, model.Const) and is_known(amount)]
    return known if len(known) == len(amounts) else []


def _go(node: syntax.TreeNode, path: Path, lowering: _Lowering, span: Span) -> model.Go:
    if not isinstance(node, syntax.DecisionNode):
        return model.Go(node_phase(path), (), span=span)
    joint = lowering.sets[_set_name(node, path)]
    if len(joint.nodes) == 1:
        return model.Go(joint.phase, (), span=span)
    index = next(k for k, (known_path, _) in enumerate(joint.nodes) if known_path == path)
    numbers: Type = NumberType(0, len(joint.nodes) - 1, 1)
    return model.Go(joint.phase, (model.Const(index, type=numbers, span=span),), span=span)


# The ``table:`` notation, lowered to one phase with a ``together``.


Choices = tuple[str, ...]
"""One choice for each player, in the order of the players."""


def lower_tables(tables: tuple[syntax.Table, ...], scope: Scope) -> tuple[dict[str, model.Phase], model.Go]:
    """The only phase of the game, and the ``go`` to it."""
    players = scope.globals.player_type.listed
    span = tables[0].span
    go = model.Go(TABLE, (), span=span)
    unreadable = {TABLE: model.Phase(TABLE, (), (model.Do(model.UNKNOWN_ACTION, (), span=span),), None, None, 0, span)}
    if _report_strangers(tables, scope):
        return unreadable, go
    offered = _choices_of_players(tables, scope)
    if any(not offered[player.name] for player in players):
        _report_players_without_choice(offered, tables[0], scope)
        return unreadable, go
    cells = _cells(tables, scope)
    for choices in product(*(offered[player.name] for player in players)):
        if choices not in cells:
            _report_missing(choices, players, tables, scope)
            cells[choices] = model.End(model.DrawOutcome(), span=span)
    slot = scope.frame.new_slot()
    rules = _rules(offered, slot, scope)
    together = model.Together(
        model.Const(scope.globals.player_type.members, type=SetType(scope.globals.player_type), span=span),
        slot,
        rules,
        _choice_tree((), players, offered, {rule.name: rule for rule in rules}, cells, scope, span),
        span,
    )
    phase = model.Phase(TABLE, (), (), together, None, scope.frame.size, span)
    return {TABLE: phase}, go


def _report_strangers(tables: tuple[syntax.Table, ...], scope: Scope) -> bool:
    """Report names that are not players'; whether there are any."""
    players = scope.globals.player_type.by_name
    found = False
    for table in tables:
        for name in (*(player for player, _ in table.others), table.row_player, table.column_player):
            if name.text not in players:
                report_undefined(name.text, name.span, "player", players, scope.findings)
                found = True
            scope.globals.use_part(scope.globals.player_type, name.text, name.span)
    return found


def _choices_of_players(tables: tuple[syntax.Table, ...], scope: Scope) -> dict[str, dict[str, Span]]:
    """For each player, their choices in the order of the text, with the place of the first occurrence."""
    offered: dict[str, dict[str, Span]] = {player.name: {} for player in scope.globals.player_type.listed}
    first = tables[0]
    for table in tables:
        written = [(player, [choice]) for player, choice in table.others]
        written += [(table.row_player, [row.choice for row in table.rows]), (table.column_player, list(table.columns))]
        players = ((player.text, player.span) for player, _ in written)
        report_doubles(players, scope.findings, "{} has two places in this table")
        for player, choices in written:
            named = ((choice.text, choice.span) for choice in choices)
            report_doubles(named, scope.findings, "the table has '{}' twice", "doubled-cell")
            for choice in choices:
                offered[player.text].setdefault(scope.globals.declarations.move_name(choice), choice.span)
        sides = (table.row_player.text, table.column_player.text)
        if sides != (first.row_player.text, first.column_player.text):
            scope.findings.report(
                "label-mismatch",
                table.row_player.span,
                "all tables of a game have the same row player and the same column player",
                labels=[Label(first.row_player.span, "as the first one has")],
            )
    return offered


def _report_players_without_choice(offered: dict[str, dict[str, Span]], table: syntax.Table, scope: Scope) -> None:
    without = [name for name, choices in offered.items() if not choices]
    scope.findings.report(
        "missing-cell",
        table.span,
        f"the table gives no choice to {', '.join(without)}",
        help=f"with more than two players write one table for each choice, as in 'table {without[-1]} = left:'",
    )


def _cells(tables: tuple[syntax.Table, ...], scope: Scope) -> dict[Choices, model.End]:
    """The outcome of every combination of choices."""
    names = [player.name for player in scope.globals.player_type.listed]
    cells: dict[Choices, model.End] = {}
    ends: list[WrittenEnd] = []
    for table in tables:
        rows, columns = _repeated_choices([row.choice for row in table.rows]), _repeated_choices(list(table.columns))
        fixed = {player.text: choice.text for player, choice in table.others}
        for row in table.rows:
            _report_length(row, table, scope)
            for column, cell in zip(table.columns, row.cells, strict=False):
                chosen = {**fixed, table.row_player.text: row.choice.text, table.column_player.text: column.text}
                choices = tuple(chosen.get(name, "") for name in names)
                entries = payoff_tuple(cell.amounts, scope, cell.span)
                if choices in cells and (row.choice.text in rows or column.text in columns):
                    continue  # the row or column has been reported
                if choices in cells:
                    shown = ", ".join(choices)
                    message, label = f"the cell for {shown} occurs twice", Label(cells[choices].span, "the first one")
                    scope.findings.report("doubled-cell", cell.span, message, labels=[label])
                    continue
                cells[choices] = model.End(model.PayoffOutcome(entries), span=cell.span)
                ends.append((len(cell.amounts), cells[choices]))
    _report_lone_payoffs(ends, scope)
    return cells


def _repeated_choices(choices: list[syntax.Name]) -> set[str]:
    return {choice for choice, count in Counter(choice.text for choice in choices).items() if count > 1}


def _report_length(row: syntax.TableRow, table: syntax.Table, scope: Scope) -> None:
    missing = len(table.columns) - len(row.cells)
    if missing > 0:
        names = ", ".join(str(column) for column in table.columns[-missing:])
        message = f"the row '{row.choice}' has no cell for {names}"
        scope.findings.report("missing-cell", row.span, message, help="every row has a cell for every column")
    elif missing < 0:
        message = f"the row '{row.choice}' has {len(row.cells)} cells, but there are {len(table.columns)} columns"
        scope.findings.report("doubled-cell", row.cells[len(table.columns)].span, message)


def _report_missing(choices: Choices, players: model.Players, tables: tuple[syntax.Table, ...], scope: Scope) -> None:
    """Report a combination without a cell, except in a short row, which has been reported."""
    chosen = {player.name: choice for player, choice in zip(players, choices, strict=True)}
    fitting = [t for t in tables if all(chosen[player.text] == choice.text for player, choice in t.others)]
    table = fitting[0] if fitting else tables[-1]
    short = any(len(row.cells) < len(table.columns) for row in table.rows)
    if not short:
        shown = ", ".join(f"{player.name} = {choice}" for player, choice in zip(players, choices, strict=True))
        scope.findings.report("missing-cell", table.span, f"no table has a cell for {shown}")


def _rules(offered: dict[str, dict[str, Span]], slot: int, scope: Scope) -> tuple[model.Rule, ...]:
    """One rule for each name of a choice, for all players who have it."""
    players = scope.globals.player_type
    spans: dict[str, Span] = {}
    for choices in offered.values():
        for choice, span in choices.items():
            spans.setdefault(choice, span)
    rules = []
    for choice, span in spans.items():
        who = OrderedSet(member for member in players.listed if choice in offered[member.name])
        guard: tuple[model.Expr, ...] = ()
        if len(who) < len(players.listed):
            mover = model.Local(slot, "player", type=players, span=span)
            allowed = model.Const(who, type=SetType(players), span=span)
            guard = (model.Contains(mover, allowed, type=BOOL, span=span),)
        rules.append(model.Rule(choice, (), (guard,), None, False, None, None, (), span))
    return tuple(rules)


def _choice_tree(
    chosen: Choices,
    players: model.Players,
    offered: dict[str, dict[str, Span]],
    rules: dict[str, model.Rule],
    cells: dict[Choices, model.End],
    scope: Scope,
    span: Span,
) -> model.Block:
    """A decision tree, player by player, to the cell of the choices."""
    if len(chosen) == len(players):
        return (cells[chosen],)
    player: Member = players[len(chosen)]
    block: model.Block = ()
    for choice in reversed(offered[player.name]):
        leads_to = _choice_tree((*chosen, choice), players, offered, rules, cells, scope, span)
        if not block:
            block = leads_to
            continue
        who = model.Const(player, type=scope.globals.player_type, span=span)
        test = model.Chosen(rules[choice], who, None, type=BOOL, span=span)
        block = (model.If_(test, leads_to, block, span=span),)
    return block
