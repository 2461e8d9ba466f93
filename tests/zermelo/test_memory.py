"""``--memory`` holds: the peak memory of processes, beyond that of one of the same kind with almost no work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from tempfile import TemporaryDirectory

import pytest

from zermelo.interpreter.native.llvm.engine import is_installed

pytest.importorskip("resource")

SPARE = {"reference": 16 << 20, "native": 60 << 20}
"""The additional memory of Python, LLVM and the libraries for larger work, in bytes."""

_PEAK = """
import json, resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "zermelo", *sys.argv[1:]], capture_output=True, text=True)
unit = 1 if sys.platform == "darwin" else 1024
print(json.dumps([resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit, done.stdout + done.stderr]))
"""


@cache
def peak(*arguments: str) -> tuple[int, str]:
    """The peak memory of a command, in bytes, and its output. Its cache is empty: LLVM takes memory, too."""
    with TemporaryDirectory() as empty:
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "ZERMELO_CACHE": empty},
        )
    most, said = json.loads(done.stdout)
    return most, said


COMMANDS = {
    "plays": (["plays", "go", "6"], ["plays", "tic_tac_toe", "2"]),
    "positions": (["show", "go", "--positions"], ["show", "tic_tac_toe", "--positions"]),
    "table": (["solve", "connect_four", "--solver", "alphabeta_table"], ["solve", "nim"]),
    "proofs": (["solve", "connect_four", "--solver", "dfpn"], ["solve", "nim", "--solver", "dfpn"]),
    "sampling": (["solve", "checkers", "--solver", "mcts"], ["solve", "nim", "--solver", "mcts", "--simulations", "9"]),
    "tree": (["solve", "goofspiel", "-p", "cards=5"], ["solve", "goofspiel"]),
    "program": (["solve", "liars_dice", "--solver", "sequence_form"], ["solve", "goofspiel"]),
    "answers": (["exploit", "liars_dice", "uniform"], ["exploit", "kuhn_poker", "uniform"]),
    "regrets": (["solve", "liars_dice", "--solver", "cfr_plus"], ["solve", "kuhn_poker", "--solver", "cfr_plus"]),
}
"""Commands that would take far more, and others of the same kind that take almost nothing."""

CASES = [
    *((name, "reference", 8) for name in ("plays", "positions", "table", "sampling", "tree")),
    *((name, "native", 8) for name in ("positions", "table", "tree", "regrets")),
    ("plays", "reference", 64),
    ("proofs", "reference", 64),
    ("proofs", "native", 64),
    ("sampling", "native", 64),
    ("program", "native", 64),
    ("answers", "native", 64),
]


@pytest.mark.parametrize(("name", "machine", "megabytes"), CASES)
def test_memory_holds(name: str, machine: str, megabytes: int) -> None:
    large, small = COMMANDS[name]
    base, ended = peak(*small, "--machine", machine)
    most, said = peak(*large, "--machine", machine, "--memory", f"{megabytes}M", "--time", "2")
    assert "error[" not in ended and "internal-error" not in said
    assert most - base < 2 * (megabytes << 20) + SPARE[machine], said


def test_what_one_phase_holds_is_counted_in_the_next() -> None:
    """The tree and its sequence form fit into the limit, and so does the linear program, but not all of them."""
    _, said = peak("solve", "goofspiel", "-p", "cards=5", "--machine", "native", "--memory", "38M")
    assert "the linear program" in said and "beside the" in said
    assert "which is limited to 38M" in said and "= help: --memory " in said


def test_what_does_not_fit_says_how_much_it_takes_and_how_to_allow_it() -> None:
    _, said = peak("solve", "liars_dice", "--solver", "sequence_form", "--memory", "64M")
    assert "error[out-of-memory]" in said
    assert "which is limited to 64M" in said and "= help: --memory " in said


_BOUNDED = """
import resource, sys
from zermelo.cli import main
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [((), 0, "value"), (("--memory", "8G"), 2, "error[out-of-memory]: there is not enough memory")],
)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound addresses")
def test_where_addresses_are_bounded_what_is_laid_out_ahead_is_too(
    options: tuple[str, ...], code: int, said: str
) -> None:
    """As by `ulimit -v` on many clusters; 8G of memory are more addresses than there are."""
    asked = ["solve", "tic_tac_toe", "--solver", "positions", "--machine", "native", *options]
    ran = subprocess.run([sys.executable, "-c", _BOUNDED, *asked], capture_output=True, text=True, check=False)
    assert ran.returncode == code and said in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("machine", "code", "said"),
    [
        ("auto", 0, "on the python machine"),
        ("native", 1, "machine code needs LLVM, for which `ulimit -v` leaves no room"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound addresses")
@pytest.mark.skipif(not is_installed(), reason="llvmlite is not installed")
def test_where_llvm_has_no_room_the_lowered_rules_run_in_python(machine: str, code: int, said: str) -> None:
    """LLVM would end the process: `terminate called after throwing an instance of 'std::bad_alloc'`."""
    asked = ["solve", "tic_tac_toe", "--solver", "positions", "--machine", machine]
    bounded = _BOUNDED.replace("3 << 30", "230 << 20")
    ran = subprocess.run([sys.executable, "-c", bounded, *asked], capture_output=True, text=True, check=False)
    assert ran.returncode == code and said in " ".join((ran.stdout + ran.stderr).split())
