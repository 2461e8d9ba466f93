"""Dead branches: an ``if`` whose test is decided by constants is replaced by one of its branches.

LLVM would do so as well, but not in a search function: for all that LLVM knows a call could be resumed anywhere in it,
and its frame must be known before.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final

_COMPARE: Final[Mapping[type[ast.cmpop], Callable[[int, int], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def without_excluded(function: ast.FunctionDef, constants: Mapping[str, int]) -> ast.FunctionDef:
    """A function without the branches that its constants exclude."""
    left: ast.FunctionDef = _Excluding(constants).visit(deepcopy(function))
    return left


class _Excluding(ast.NodeTransformer):
    def __init__(self, constants: Mapping[str, int]) -> None:
        self._constants = constants

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        holds = self._holds(node.test)
        if holds is None:
            return node
        return (node.body if holds else node.orelse) or ast.Pass()

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
                return self._constants.get(name)
            case ast.Constant(value=int(number)):
                return number
            case _:
                return None
