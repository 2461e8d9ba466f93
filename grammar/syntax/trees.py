"""The notations ``tree:`` and ``table:``."""

from __future__ import annotations

from zermelo.grammar.syntax.declarations import Declaration
from zermelo.grammar.syntax.expressions import Expression
from zermelo.grammar.syntax.nodes import Name, Node


class Leaf(Node):
    """A payoff tuple; one number is short for ``(x, -x)`` with two players, and for ``(x)`` with one."""

    amounts: tuple[Expression, ...]


class DecisionNode(Node):
    """``Player @label:`` and its branches."""

    player: Name
    label: Name | None
    branches: tuple[tuple[Name, TreeNode], ...]


class ChanceBranch(Node):
    probability: Expression
    name: Name
    child: TreeNode


class ChanceNode(Node):
    branches: tuple[ChanceBranch, ...]


TreeNode = Leaf | DecisionNode | ChanceNode


class Tree(Declaration):
    root: TreeNode


class TableCell(Node):
    amounts: tuple[Expression, ...]


class TableRow(Node):
    choice: Name
    cells: tuple[TableCell, ...]


class Table(Declaration):
    """``table:``, or ``table Third = left:`` for each choice of the other players (``others``)."""

    others: tuple[tuple[Name, Name], ...]
    row_player: Name
    column_player: Name
    columns: tuple[Name, ...]
    rows: tuple[TableRow, ...]
