"""Functions of kernels can be called without a list of their parameters at hand."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

KERNELS = sorted((Path(__file__).parents[3] / "solvers" / "kernels").glob("[a-z]*.py"))
INDICES = {"i", "k"}


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_a_function_takes_six_parameters_at_most_and_names_them(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        names = [each.arg for each in function.args.args]
        assert len(names) <= 6, f"{function.name}({', '.join(names)})"
        assert all(len(name) > 1 or name in INDICES for name in names), f"{function.name}({', '.join(names)})"
