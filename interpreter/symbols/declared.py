"""The names that a syntax tree declares, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from zermelo.grammar import syntax
from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.elaboration.names import nodes_in
from zermelo.interpreter.symbols.symbol import Kind


@frozen(eq=False, repr=False)
class Declared(Displayed):
    """A name, what it stands for, the node that declares it, and the declaration at the left margin around that."""

    name: syntax.Name
    kind: Kind
    node: syntax.Node
    top: syntax.Declaration


def declared_in(tree: syntax.GameFile) -> Iterator[Declared]:
    """All names that a file declares. What follows ``with`` in an expectation or a witness are parameters, declared
    elsewhere."""
    for top in tree.declarations:
        for node in nodes_in(_without_settings(top)):
            for name, kind in _names_of(node):
                yield Declared(name, kind, node, top)


def _without_settings(top: syntax.Declaration) -> syntax.Node:
    match top:
        case syntax.Expect(expectation=said) | syntax.Witness(event=said):
            return said
    return top


def _names_of(node: syntax.Node) -> Iterator[tuple[syntax.Name, Kind]]:
    """The names that a node itself declares."""
    match node:
        case syntax.Players(names=names):
            yield from ((name, "player") for name in names)
        case syntax.Parameter(name=name):
            yield name, "parameter"
        case syntax.TypeDeclaration(name=name):
            yield name, "type"
        case syntax.Variable(name=name):
            yield name, "variable"
        case syntax.Feature(name=name):
            yield name, "feature"
        case syntax.Define(name=name):
            yield name, "define"
        case syntax.Action(name=name):
            yield name, "action"
        case syntax.Phase(name=name):
            yield name, "phase"
        case syntax.Enumeration(members=members):
            yield from ((name, "member") for name in members)
        case syntax.GraphType(chains=chains):
            yield from ((name, "member") for name in {name.text: name for name in _backward(chains)}.values())
        case syntax.RecordField(name=name):
            yield name, "field"
        case syntax.Move(name=name):
            yield name, "move"
        case syntax.OutcomeClause(name=name) | syntax.ChanceBranch(name=name):
            yield name, "outcome"
        case syntax.DecisionNode(label=label, branches=branches):
            if label is not None:
                yield label, "information set"
            yield from ((name, "move") for name, _ in branches)
        case syntax.Table(others=others, columns=columns):
            yield from ((name, "choice") for _, name in others)
            yield from ((name, "choice") for name in columns)
        case syntax.TableRow(choice=name):
            yield name, "choice"
        case _:
            yield from _local_names_of(node)


def _local_names_of(node: syntax.Node) -> Iterator[tuple[syntax.Name, Kind]]:
    match node:
        case syntax.MoveParameter(name=name) | syntax.FormalParameter(name=name):
            yield name, "argument"
        case syntax.VariableIndex(name=syntax.Name() as name):
            yield name, "name"
        case syntax.Binder(name=name) | syntax.Binding(name=name) | syntax.Reach(name=name) | syntax.Let(name=name):
            yield name, "name"
        case syntax.LocalVariable(name=name):
            yield name, "local variable"
        case syntax.Estimate(player=name):
            yield name, "name"
        case _:
            pass


def _backward(chains: tuple[tuple[syntax.Name, ...], ...]) -> list[syntax.Name]:
    """The cells of a graph, from the last to the first: of a cell that is written twice the first place counts."""
    return [name for chain in chains for name in chain][::-1]
