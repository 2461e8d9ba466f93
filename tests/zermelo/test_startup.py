"""The modules that a command imports: for a small game importing takes most of the time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

RUN = """
import sys
from zermelo.cli import main
code = main(sys.argv[1:])
print(code, *sorted(sys.modules), file=sys.stderr)
"""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    """A cache that holds nothing but what a test puts there."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))


def loaded_by(*words: str, folder: Path = ROOT) -> set[str]:
    """The modules that a command has loaded in a fresh process."""
    done = subprocess.run([sys.executable, "-c", RUN, *words], cwd=folder, capture_output=True, text=True, check=True)
    code, *modules = done.stderr.split()
    assert code == "0"
    return set(modules)


@pytest.mark.parametrize("solver", ["minimax", "alphabeta"])
def test_a_game_that_is_kept_is_solved_without_what_reads_checks_and_lowers_it(solver):
    words = ("solve", "tic_tac_toe", "--solver", solver, "--machine", "native")  # whatever a search takes in Python
    loaded_by(*words)
    modules = loaded_by(*words)
    assert "zermelo.interpreter.native.running.machine" in modules
    reading = {"grammar.parse", "grammar.syntax", "interpreter.check", "interpreter.elaboration"}
    lowering = {f"interpreter.native.{name}" for name in ("expressions.lowering", "model_lowering", "llvm.functions")}
    running = {f"interpreter.{name}" for name in ("analysis", "evaluation.context", "reference.machine")}
    ours = {f"zermelo.{name}" for name in reading | lowering | running}
    assert modules & (ours | {"lark", "rich", "numpy", "scipy"}) == set()


def test_a_text_is_read_without_what_makes_tables_and_explains_mistakes():
    """The tables of the parser are made once on a machine, and stand beside the byte code."""
    loaded_by("check", "nim")
    assert loaded_by("check", "nim") & {"lark", "zermelo.grammar.syntax_diagnosis"} == set()


@pytest.mark.parametrize("words", [("check", "nim"), ("show", "nim"), ("moves", "nim"), ("plays", "nim", "2")])
def test_nothing_is_loaded_to_show_what_nobody_watches(words):
    """Nor to compress files, which ``shutil`` does besides telling how wide the terminal is."""
    assert loaded_by(*words) & {"rich", "shutil", "difflib", "xml"} == set()


def test_a_game_that_is_kept_is_shown_without_what_reads_it():
    """Making the classes of the syntax tree takes longer than showing a game."""
    loaded_by("show", "nim")
    modules = loaded_by("show", "nim")
    assert "zermelo.interpreter.model" in modules
    assert modules & {"lark", "zermelo.grammar.parse", "zermelo.grammar.syntax", "zermelo.interpreter.check"} == set()


def test_the_list_of_commands_loads_nothing_of_the_package():
    ours = {name for name in loaded_by("--help") if name.startswith("zermelo.")}
    assert ours == {f"zermelo.{name}" for name in ("cli", "interrupts", "version")}


def test_a_game_of_perfect_information_is_solved_without_strategies_and_policies():
    modules = loaded_by("solve", "nim")
    policies = {
        "zermelo.policies.policy_table",
        "zermelo.boards",
        "zermelo.solutions.strategy_table",
    }
    assert modules & policies == set()
    assert {name for name in modules if name.startswith("zermelo.solvers.forms.")} == set()


def test_a_file_is_checked_without_what_limits_a_search():
    modules = loaded_by("check", "nim")
    first = "zermelo.solvers.validation.first_positions"
    assert {name for name in modules if name.startswith("zermelo.solvers.")} == {"zermelo.solvers.validation", first}


def test_a_program_that_is_kept_is_run_without_what_lays_it_out():
    loaded_by("solve", "nim")
    modules = loaded_by("solve", "nim")
    assert "zermelo.interpreter.native.state_encoding.state_layout" in modules
    making = ("state_encoding.observations", "rules.decisions", "model_lowering")
    assert modules & {f"zermelo.interpreter.native.{name}" for name in making} == set()


def test_a_table_is_asked_without_what_searches(tmp_path):
    pytest.importorskip("pyarrow")
    folder = str(tmp_path / "table")
    loaded_by("table", "build", "nim", "-p", "heaps=2", "-o", folder)
    loaded_by("table", "query", folder)
    modules = loaded_by("table", "query", folder)
    assert "zermelo.solvers.tables.dataset" in modules
    asked = {"zermelo.grammar.parse", "zermelo.decisions", "zermelo.solvers.tables.building", "multiprocessing"}
    searches = ("zermelo.solvers.search", "zermelo.solvers.beliefs", "zermelo.solvers.imperfect_information")
    assert modules & asked == set() and not [name for name in modules if name.startswith(searches)]


MOST = {
    "explain no-solver": 13, "games": 14, "fmt --check game.game": 39, "check nim": 88, "show nim": 88,
    "moves nim": 103, "random nim --plays 10": 144, "plays nim 2": 145, "solve nim --solver minimax": 148,
    "solve tiger": 151, "solve tic_tac_toe": 156, "solve kuhn_poker": 162, "solve rock_paper_scissors": 161,
    "equilibria prisoners_dilemma": 172, "test nim": 178, "solve pig -p target=5": 186, "compare two_ply_tree": 208,
    "exploit kuhn_poker uniform": 208, "draw two_ply_tree tree": 214,
    "match kuhn_poker --seat Alice=random --seat Bob=random --plays 3": 224,
}  # fmt: skip
"""The modules of ours that a command loads at most, from an empty cache, without the compiler, which is loaded if a
moment passes before a kernel is done. Who needs fewer writes the new number here."""


@pytest.mark.parametrize("command", MOST)
def test_a_command_loads_no_more_modules_than_it_did(command, tmp_path, monkeypatch):
    (tmp_path / "game.game").write_bytes((ROOT / "gamedefs" / "nim.game").read_bytes())
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    ours = [name for name in loaded_by(*command.split(), folder=tmp_path) if name.startswith("zermelo")]
    assert sum(not name.startswith("zermelo.interpreter.native.llvm") for name in ours) <= MOST[command]
