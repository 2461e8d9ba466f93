"""What a plain installation brings: every library that the program asks for without an extra."""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path

import pytest

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.libraries import imported

ROOT = Path(__file__).parents[3]


def _asked(extras):
    """The libraries that the program imports by ``imported`` without an extra."""
    for folder in ("solvers", "zermelo"):
        for path in (ROOT / folder).glob("**/*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("imported", "_library"):
                    words = [part.value if isinstance(part, ast.Constant) else "" for part in node.args]
                    if words[0] and not extras & set(words):
                        yield words[0].partition(".")[0]


def test_what_the_program_asks_for_is_installed_with_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = set(_asked(set(project["optional-dependencies"])))
    assert asked == {"flint", "highspy", "numpy", "scipy"}
    for module in asked:
        name = "python-flint" if module == "flint" else module
        assert any(line.startswith(name) for line in project["dependencies"]), name


@pytest.mark.parametrize(
    "module, extra, help",
    [
        ("flint", "", "pip install python-flint"),
        ("highspy", "", "pip install highspy"),
        ("pygambit", "gambit", "pip install 'zermelo[gambit]'"),
    ],
)
def test_an_error_says_how_to_install_what_is_missing(module, extra, help, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ZermeloError) as found:
        imported(module, "this", extra)
    assert (found.value.code, found.value.help) == ("library-missing", help)
    assert found.value.message == f"the library {module} is needed for this, and it is not installed"
