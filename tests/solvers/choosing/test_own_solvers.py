"""Solvers of other packages: the one of docs/own_solver.md, installed, and entry points that are not right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
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
        ("solver_without_function:SOLVER", "no attribute 'mine'"),
        ("solver_with_mistake:SOLVER", "NameError: name 'Solver' is not defined"),
        ("solver_half_written:SOLVER", "SyntaxError: "),
        ("solver_with_own_error:SOLVER", "Odd: no license"),
        ("solver_that_leaves:SOLVER", "SystemExit: no license"),
    ],
)
def test_an_entry_that_is_not_right(value, why, tmp_path, monkeypatch):
    made = "from zermelo.solvers.choosing.registry import Solver\nSOLVER = Solver({!r}, '', {!r}, (), '')\n"
    (tmp_path / "solver_of_another_name.py").write_text(made.format("other", "json"))
    (tmp_path / "solver_without_module.py").write_text(made.format("mine", "missing_module"))
    (tmp_path / "solver_without_function.py").write_text(made.format("mine", "json"))
    (tmp_path / "solver_with_mistake.py").write_text("SOLVER = Solver()")
    (tmp_path / "solver_half_written.py").write_text("SOLVER = (")
    (tmp_path / "solver_with_own_error.py").write_text("class Odd(Exception): ...\nraise Odd('no license')")
    (tmp_path / "solver_that_leaves.py").write_text("raise SystemExit('no license')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_entries", lambda: (EntryPoint("mine", value, registry.ENTRY_POINTS),))
    with pytest.raises(ZermeloError) as raised:
        registry.find_solver("mine")
    for error in (raised.value, registry.broken_solvers()["mine"]):
        assert error.code == "solver-not-loaded"
        assert why in error.message
    assert registry.all_solvers() == list(registry.SOLVERS.values())
    assert registry.find_solver("minimax") is registry.SOLVERS["minimax"]  # nobody else suffers


FAULTY = """\
from fractions import Fraction

from zermelo.solvers.choosing.registry import Solver
from zermelo.solvers.solution import Answer

SOLVER = Solver("mine", "mine", __name__, (), "", function="search")


class Odd(Exception):
    pass


def search(problem):
    {}
"""


@pytest.fixture
def faulty(tmp_path, monkeypatch):
    """Installs a solver with this body."""

    def install(body):
        name = f"faulty_{len(list(tmp_path.glob('faulty_*')))}_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(FAULTY.format(body))
        monkeypatch.syspath_prepend(tmp_path)
        entries = (
            EntryPoint("mine", f"{name}:SOLVER", registry.ENTRY_POINTS),
            EntryPoint("missing", "nowhere_at_all:SOLVER", registry.ENTRY_POINTS),
        )
        monkeypatch.setattr(registry, "_entries", lambda: entries)
        return name

    return install


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("1 // 0", "ZeroDivisionError: integer division or modulo by zero (in {}, line 14)"),
        ("raise Odd('no license')", "Odd: no license (in {}, line 14)"),
        ("raise SystemExit(3)", "SystemExit: 3 (in {}, line 14)"),
        ("return 3", "it returned int, and not an Answer"),
        ("return Answer(value=(0.5, -0.5), counts={{}})", "its value is no exact number for each of MAX, MIN"),
        ("return Answer(value=3, counts={{}})", "TypeError: "),
        ("return Answer(value=(Fraction(3), Fraction(-3)), counts={{}})", "its counts lack nodes or terminals"),
        ("return Answer(value=(3, -3), counts={{}}, best=None)", "TypeError: "),
        ("return Answer(value=(3, -3), counts={{}}, best=('A1',))", "its best moves or those of its line are no moves"),
        ("return Answer(value=(3, -3), counts={{}}, line=('A1',))", "its best moves or those of its line are no moves"),
        ("return Answer(value=(3, -3), counts={{}}, certainty='exact')", "its certainty is no Certainty"),
    ],
)
def test_a_fault_in_the_solver_of_another_package_is_told_as_such(body, why, faulty):
    name = faulty(body.replace("{{}}", "{}"))
    with pytest.raises(ZermeloError) as raised:
        zermelo.solve(zermelo.load("two_ply_tree"), solver="mine")
    assert raised.value.code == "solver-failed"
    assert raised.value.message.startswith(f"the solver mine of the package {name} failed: {why.format(name)}")
    assert "ZERMELO_TRACEBACK" in raised.value.help


def test_the_command_line_shows_the_traceback_of_another_package(faulty, monkeypatch, capsys):
    faulty("1 // 0")
    monkeypatch.setenv("ZERMELO_TRACEBACK", "1")
    assert main(["solve", "two_ply_tree", "--solver", "mine"]) == 1
    printed = capsys.readouterr().err
    assert "    1 // 0\n" in printed and "solver-failed" in printed and "fault in Zermelo" not in printed


def test_broken_packages_do_not_stop_the_others(faulty):
    faulty("1 // 0")
    game = zermelo.load("two_ply_tree")
    assert zermelo.solve(game).value == (3, -3)
    found = {outcome.solver: outcome for outcome in zermelo.compare(game).outcomes}
    assert found["minimax"].value == found["alphabeta"].value == (3, -3)
    assert (found["mine"].stopped, found["missing"].stopped) == ("solver-failed", "solver-not-loaded")
    assert "ZeroDivisionError" in found["mine"].why and "nowhere_at_all" in found["missing"].why


def test_ours_come_first(monkeypatch):
    monkeypatch.setattr(registry, "_entries", lambda: (EntryPoint("Minimax", "nowhere:X", registry.ENTRY_POINTS),))
    assert registry.find_solver("minimax") is registry.SOLVERS["minimax"]
    assert registry.all_solvers() == list(registry.SOLVERS.values())


def test_a_misspelt_name_is_suggested(monkeypatch):
    monkeypatch.setattr(registry, "_entries", lambda: (EntryPoint("quantum", "nowhere:X", registry.ENTRY_POINTS),))
    with pytest.raises(ZermeloError) as raised:
        registry.find_solver("quantun")
    assert "did you mean 'quantum'?" in raised.value.help
