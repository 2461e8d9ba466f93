"""Dead branches: an ``if`` whose test is decided by constants is replaced by one of its branches.

LLVM would do so as well, but not in a search function: for all that LLVM knows a call could be resumed anywhere in it,
and its frame must be known before.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Final, TypeVar

from attrs import frozen

_COMPARE: Final[Mapping[type[ast.cmpop], Callable[[int, int], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

_BLOCKS: Final = ("body", "orelse", "handlers")
"""The parts of a node that are statements, or have some."""

Block = TypeVar("Block", bound=ast.stmt)


def without_excluded(function: ast.FunctionDef, constants: Mapping[str, int]) -> ast.FunctionDef:
    """A function without the branches that its constants exclude; what is left of it is shared."""
    return _Excluding(constants).within(function)


@frozen(eq=False, repr=False)
class _Excluding:
    constants: Mapping[str, int]

    def within(self, node: Block) -> Block:
        """A statement without the branches that are excluded inside it."""
        blocks = {name: getattr(node, name) for name in _BLOCKS if getattr(node, name, None)}
        if not blocks:
            return node
        left = copy(node)
        for name, statements in blocks.items():
            setattr(left, name, list(self._left(statements)) or [ast.Pass()])
        return left

    def _left(self, statements: list[ast.stmt]) -> Iterator[ast.stmt]:
        for statement in statements:
            holds = self._holds(statement.test) if isinstance(statement, ast.If) else None
            if holds is None:
                yield self.within(statement)
            elif isinstance(statement, ast.If):
                yield from self._left(statement.body if holds else statement.orelse)

    def _holds(self, test: ast.expr) -> bool | None:
        """Whether a test holds, if constants decide it."""
        match test:
            case ast.BoolOp(op=op, values=parts):
                found = [self._holds(part) for part in parts]
                deciding = isinstance(op, ast.Or)
                return deciding if deciding in found else None if None in found else not deciding
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one, two = self._number(left), self._number(right)
                return None if one is None or two is None else _COMPARE[type(op)](one, two)
            case _:
                return None

    def _number(self, node: ast.expr) -> int | None:
        match node:
            case ast.Name(id=name):
                return self.constants.get(name)
            case ast.Constant(value=int(number)):
                return number
            case _:
                return None
