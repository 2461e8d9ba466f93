"""The notations ``tree:`` and ``table:``."""

from __future__ import annotations

from attrs import frozen

from zermelo.grammar.syntax.declarations import Declaration
from zermelo.grammar.syntax.expressions import Expression
from zermelo.grammar.syntax.nodes import Name, Node


@frozen(eq=False, repr=False)
class Leaf(Node):
    """A payoff tuple; one number is short for ``(x, -x)`` with two players, and for ``(x)`` with one."""

    amounts: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class DecisionNode(Node):
    """``Player @label:`` and its branches."""

    player: Name
    label: Name | None
    branches: tuple[tuple[Name, TreeNode], ...]


@frozen(eq=False, repr=False)
class ChanceBranch(Node):
    probability: Expression
    name: Name
    child: TreeNode


@frozen(eq=False, repr=False)
class ChanceNode(Node):
    branches: tuple[ChanceBranch, ...]


TreeNode = Leaf | DecisionNode | ChanceNode


@frozen(eq=False, repr=False)
class Tree(Declaration):
    root: TreeNode


@frozen(eq=False, repr=False)
class TableCell(Node):
    amounts: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class TableRow(Node):
    choice: Name
    cells: tuple[TableCell, ...]


@frozen(eq=False, repr=False)
class Table(Declaration):
    """``table:``, or ``table Third = left:`` for each choice of the other players (``others``)."""

    others: tuple[tuple[Name, Name], ...]
    row_player: Name
    column_player: Name
    columns: tuple[Name, ...]
    rows: tuple[TableRow, ...]
