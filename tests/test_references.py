"""What docstrings and comments refer to, as ``:func:`name```, is there, and elsewhere if it is a whole path."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from tools.rooms import MODULES, ROOT

REFERENCE: Final = re.compile(r":(mod|func|class|data|meth|exc):`~?([\w.]+)`")
FILES: Final = {file: module for module, file in MODULES.items()}


@cache
def names_in(module: str) -> frozenset[str]:
    """The names that a module defines or imports, at any depth; with those of a module of which it imports all."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / MODULES[module]).read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.ImportFrom(module=str(other), names=[ast.alias(name="*")]):
                found |= names_in(other)
            case ast.ImportFrom(names=names) | ast.Import(names=names):
                found |= {alias.asname or alias.name for alias in names}
    return frozenset(found)


def references(file: str) -> Iterator[tuple[int, str, str]]:
    """The references of a file: its line, its kind and its target."""
    for number, line in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), 1):
        for kind, target in REFERENCE.findall(line):
            yield number, kind, target


def leads_somewhere(file: str, kind: str, target: str) -> bool:
    module = FILES[file]
    package = module if file.endswith("__init__.py") else module.rpartition(".")[0]
    if not target.startswith((".", "zermelo")):
        return kind != "mod" and target.split(".")[0] in names_in(module)
    whole = package + target if target.startswith(".") else target
    if kind == "mod":
        return whole in MODULES and whole != module
    inside = max((name for name in MODULES if whole.startswith(f"{name}.")), key=len)
    return inside != module and whole[len(inside) + 1 :].split(".")[0] in names_in(inside)


@pytest.mark.parametrize("room", sorted({file.split("/")[0] for file in FILES}))
def test_references_lead_somewhere(room: str) -> None:
    lost = [
        f"{file}:{number}: {target}"
        for file in FILES
        if file.startswith(f"{room}/")
        for number, kind, target in references(file)
        if not leads_somewhere(file, kind, target)
    ]
    assert lost == []
