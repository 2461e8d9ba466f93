"""From the kernel dialect to LLVM's intermediate representation, as text.

Names become stack slots, which LLVM turns into registers; types follow
:mod:`zermelo.interpreter.native.dialect.language`.
"""

from __future__ import annotations

import ast
from collections import Counter
from math import inf
from typing import Final

from zermelo.interpreter.native.dialect.parsing import parse_module
from zermelo.interpreter.native.llvm.functions import Function
from zermelo.interpreter.native.llvm.module import Module
from zermelo.interpreter.native.llvm.searches import SearchFunction

_SHORT: Final = 30
"""The most lines of a function that is inlined everywhere: about as long as a call."""

_CALLS: Final = {"after": "apply"}
"""The words of the dialect that call a function of the rules."""


def emit(text: str, width: int, exports: tuple[str, ...], inlines: bool = False) -> str:
    """The module for a text whose ``bits`` are ``width`` wide; the host can call ``exports``. Unreachable functions are
    left out. With ``inlines``, the decision about inlining is made here, not by LLVM: for short functions, and those
    with a single call site."""
    module = Module(parse_module(text), width, exports)
    needed = _needed(module.functions, exports)
    mentions = Counter(name.id for names in needed.values() for name in names)
    written = []
    for function in module.functions:
        if function.name in needed:
            longest = inf if mentions[function.name] == 1 else _SHORT
            assigned = {name.id for name in needed[function.name] if isinstance(name.ctx, ast.Store)}
            made = SearchFunction if function is module.search else Function
            written.append(made(module, function).render(assigned, longest if inlines else 0))
    return module.render(written)


def _needed(functions: list[ast.FunctionDef], exports: tuple[str, ...]) -> dict[str, list[ast.Name]]:
    """The exported functions and all functions reachable from them, each with the names that it mentions."""
    by_name = {function.name: function for function in functions}
    needed: dict[str, list[ast.Name]] = {}
    waiting = list(exports)
    while waiting:
        name = waiting.pop()
        if name in by_name and name not in needed:
            needed[name] = _names(by_name[name])
            waiting += {_CALLS.get(mentioned.id, mentioned.id) for mentioned in needed[name]}
    return needed


def _names(function: ast.FunctionDef) -> list[ast.Name]:
    """The names in a function, unordered. (With ``ast.walk``, half as fast, this took half the time of emitting.)"""
    found: list[ast.Name] = []
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            found.append(node)
            continue
        for name in node._fields:
            part = getattr(node, name)
            if isinstance(part, list):
                waiting += part
            elif isinstance(part, ast.AST):
                waiting.append(part)
    return found
