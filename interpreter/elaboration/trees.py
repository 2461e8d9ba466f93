"""The ``tree:`` notation, lowered to phases.

Every chance node becomes a phase, and so does every information set: a decision node without a label, or all nodes of
one label. The node within the set is a secret argument of the phase, so that the player sees only the label. If labels
join nodes, moves are secret, too: perception is defined by the labels.

Recall is perfect by construction (players never forget what they have seen and done), so a label that joins nodes with
different own pasts of their player is contradictory, and is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration import generated
from zermelo.interpreter.elaboration.expressions import constant, known
from zermelo.interpreter.elaboration.generated import Path
from zermelo.interpreter.elaboration.names import report_doubles, undefined
from zermelo.interpreter.elaboration.phases import report_never_drawn
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.elaboration.statements import payoff_tuple
from zermelo.interpreter.types import BOOL, NUMBER, NumberType, Type
from zermelo.interpreter.values import Member

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
    """The state of the lowering of a tree."""

    scope: Scope
    sets: dict[str, _InformationSet] = field(factory=dict)
    phases: dict[str, model.Phase] = field(factory=dict)

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
        only = model.Phase(generated.node_phase(()), (), (_end(tree.root, scope),), None, None, 0, tree.root.span)
        return {only.name: only}, model.Go(only.name, (), span=tree.root.span)
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
    return generated.node_phase(path) if node.label is None else generated.label(node.label.text)


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
    joint = _enter(name, node, player, lowering)
    past = pasts.get(player.name, ())
    joint.nodes.append((path, node))
    joint.pasts.append(past)
    for branch, child in node.branches:
        _collect(child, (*path, branch.text), {**pasts, player.name: (*past, (name, branch.text))}, lowering)


def _player(name: syntax.Name, scope: Scope) -> Member:
    players = scope.globals.player_type
    if name.text not in players.by_name:
        undefined(name.text, name.span, "player", [*players.by_name, "chance"], scope.findings)
        return players.listed[0]
    scope.globals.use_part(players, name.text, name.span)
    return players.by_name[name.text]


def _enter(name: str, node: syntax.DecisionNode, player: Member, lowering: _Lowering) -> _InformationSet:
    """The information set of a node, which must agree with its earlier nodes."""
    branches = tuple(branch.text for branch, _ in node.branches)
    joint = lowering.sets.get(name)
    if joint is None:
        joint = lowering.sets[name] = _InformationSet(name, player, node.label, branches)
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
            node.span if node.label is None else node.label.span,
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
            remark=f"moves before this node: {_past(past, not differ)}",
            labels=[Label(joint.nodes[0][1].player.span, f"moves before this node: {_past(first, not differ)}")],
            help=f"players remember {memory}; give the nodes different labels",
        )


def _past(past: tuple[tuple[str, str], ...], with_places: bool) -> str:
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
        rules.append(model.Rule(branch.text, (), ((),), None, secret, None, None, body, branch.span))
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
        probability = constant(branch.probability, lowering.scope, NUMBER, "a probability")
        report_never_drawn(branch.name, "probability", probability, branch.probability, lowering.scope)
        body = (_statement(branch.child, (*path, branch.name.text), lowering),)
        weight = probability if known(probability) else None
        rules.append(model.Rule(branch.name.text, (), ((),), None, False, None, weight, body, branch.name.span))
    name = generated.node_phase(path)
    lowering.phases[name] = model.Phase(name, (), (), model.Chance(tuple(rules), node.span), None, 0, node.span)


def _statement(node: syntax.TreeNode, path: Path, lowering: _Lowering) -> model.Statement:
    return _end(node, lowering.scope) if isinstance(node, syntax.Leaf) else _go(node, path, lowering, node.span)


def _end(leaf: syntax.Leaf, scope: Scope) -> model.End:
    entries = payoff_tuple(leaf.amounts, scope, leaf.span)
    return model.End(model.PayoffOutcome(entries), span=leaf.span)


def _go(node: syntax.TreeNode, path: Path, lowering: _Lowering, span: Span) -> model.Go:
    if not isinstance(node, syntax.DecisionNode):
        return model.Go(generated.node_phase(path), (), span=span)
    joint = lowering.sets[_set_name(node, path)]
    if len(joint.nodes) == 1:
        return model.Go(joint.phase, (), span=span)
    index = next(k for k, (known_path, _) in enumerate(joint.nodes) if known_path == path)
    numbers: Type = NumberType(0, len(joint.nodes) - 1, 1)
    return model.Go(joint.phase, (model.Const(index, type=numbers, span=span),), span=span)
