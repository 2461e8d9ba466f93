"""Solvers of other packages: the one of docs/own_solver.md, installed, and entry points that are not right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.choosing import registry

PACKAGE = Path(__file__).parent / "plain_minimax"
PAGE = Path(__file__).parents[3] / "docs" / "own_solver.md"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder in which the package has been installed."""
    folder = tmp_path_factory.mktemp("packages")
    source = tmp_path_factory.mktemp("source")
    for file in PACKAGE.iterdir():
        if file.is_file():
            (source / file.name).write_bytes(file.read_bytes())
    quiet = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "install", *quiet, "--target", folder, source], check=True)
    return folder


@pytest.fixture
def zermelo_with(installed):
    """Runs a command in a process that sees the package; what it prints."""

    def run(*words):
        path = os.pathsep.join([str(installed), *filter(None, [os.environ.get("PYTHONPATH")])])
        ran = subprocess.run(
            [sys.executable, "-m", "zermelo", *words],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        return ran.stdout

    return run


def test_a_package_adds_a_solver(zermelo_with):
    found = json.loads(zermelo_with("solve", "two_ply_tree", "--solver", "Plain-Minimax", "--verify", "--json"))
    assert (found["solver"], found["value"]["MAX"]) == ("plain_minimax", "3")
    compared = json.loads(zermelo_with("compare", "two_ply_tree", "--json"))
    row = next(row for row in compared["solvers"] if row["solver"] == "plain_minimax")
    assert (row["certainty"], row["best"]) == ("exact", ["A1"])


def test_it_is_never_the_default(zermelo_with):
    assert json.loads(zermelo_with("solve", "two_ply_tree", "--json"))["solver"] != "plain_minimax"


def test_the_page_shows_the_package():
    text = PAGE.read_text(encoding="utf-8")
    assert (PACKAGE / "plain_minimax.py").read_text(encoding="utf-8") in text
    _, _, metadata = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8").partition("[project]")
    assert f"[project]{metadata}" in text


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("nowhere_at_all:SOLVER", "No module named 'nowhere_at_all'"),
        ("zermelo.solvers.choosing.registry:NOTHING", "NOTHING"),
        ("zermelo.solvers.choosing.registry:SOLVERS", "is not its Solver"),
        ("solver_of_another_name:SOLVER", "is not its Solver"),
        ("solver_without_module:SOLVER", "No module named 'missing_module'"),
    ],
)
def test_an_entry_that_is_not_right(value, why, tmp_path, monkeypatch):
    made = "from zermelo.solvers.choosing.registry import Solver\nSOLVER = Solver({!r}, '', {!r}, (), '')\n"
    (tmp_path / "solver_of_another_name.py").write_text(made.format("other", "json"))
    (tmp_path / "solver_without_module.py").write_text(made.format("mine", "missing_module"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_entries", lambda: (EntryPoint("mine", value, registry.ENTRY_POINTS),))
    for ask in (lambda: registry.find_solver("mine"), registry.all_solvers):
        with pytest.raises(ZermeloError) as raised:
            ask()
        assert raised.value.code == "solver-not-loaded"
        assert why in raised.value.message
    assert registry.find_solver("minimax") is registry.SOLVERS["minimax"]  # nobody else suffers


def test_ours_come_first(monkeypatch):
    monkeypatch.setattr(registry, "_entries", lambda: (EntryPoint("Minimax", "nowhere:X", registry.ENTRY_POINTS),))
    assert registry.find_solver("minimax") is registry.SOLVERS["minimax"]
    assert registry.all_solvers() == list(registry.SOLVERS.values())


def test_a_misspelt_name_is_suggested(monkeypatch):
    monkeypatch.setattr(registry, "_entries", lambda: (EntryPoint("quantum", "nowhere:X", registry.ENTRY_POINTS),))
    with pytest.raises(ZermeloError) as raised:
        registry.find_solver("quantun")
    assert "did you mean 'quantum'?" in raised.value.help
