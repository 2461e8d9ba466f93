"""``--time`` and Ctrl-C on the command line: they end any work, with a message."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from interrupting import BY_NAME, interrupted

from zermelo.cli import main
from zermelo.interrupts import INTERRUPTED

TRIAL = Path(__file__).parent.parent / "trial" / "limits"
MACHINES = ("auto", "native", "python", "reference")
COMMANDS = {
    "solve": (),
    "solve --depth 3 --estimate rollouts": (),
    "solve --solver mcts": (),
    "equilibria": (),
    "correlated": (),
    "compare": (),
    "plays": ("3",),
    "random": (),
    "exploit": ("uniform",),
    "match": ("uniform",),
    "show --positions": (),
}


def endless(name, folder):
    """A file of the trial; a constant range that is too long is replaced by one that depends on a variable."""
    text = (TRIAL / f"{name}.game").read_text(encoding="utf-8")
    file = folder / f"{name}.game"
    file.write_text(text.replace("1..9223372036854775808", "1..9223372036854775797 + total"), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["h_slow", "hang_p2"])
def test_a_search_among_endless_moves_ends_in_time(machine, name, capsys, tmp_path):
    assert main(["solve", endless(name, tmp_path), "--machine", machine, "--time", "0.5"]) in (1, 2)
    said = capsys.readouterr().err
    assert "out-of-time" in said or "machine-unavailable" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_ends_in_time(command, capsys):
    name, *options = command.split()
    slow = str(TRIAL / "h_slow.game")
    assert main([name, slow, *COMMANDS[command], *options, "--time", "0.5"]) in (0, 1)
    printed = capsys.readouterr()
    assert "stopped" in printed.out or "out-of-time" in printed.out + printed.err or "needs-" in printed.err


def test_checking_and_lowering_are_within_the_time(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    assert main(["solve", "checkers", "--depth", "1", "--time", "0"]) == 1
    assert "out-of-time" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["h_slow", "hang_p2", "payoff_count"])
def test_an_interrupt_ends_it(machine, name, tmp_path):
    words = ["random", endless(name, tmp_path), "--machine", machine, "--plays", "1000"]  # one of them takes for ever
    code, said = interrupted(BY_NAME, words, 1.5)
    assert "Traceback" not in said
    assert (code, "Interrupted" in said) == (INTERRUPTED, True) or "error[" in said  # some are refused before
