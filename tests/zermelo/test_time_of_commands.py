"""``--time`` and Ctrl-C on the command line: they end any work, with a message."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from interrupting import BY_NAME, interrupted

from zermelo.cli import main
from zermelo.commands import check
from zermelo.foundation.deadline import check_deadline
from zermelo.gamedefs import path
from zermelo.interrupts import INTERRUPTED
from zermelo.solvers.common.limits import LimitReached, Limits

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
    "check --deep": (),
    "diff": (),
    "report": (),
    "solve --after take(1)": (),
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
    said = "stopped", "out-of-time", "needs-", "time ran out", "Not solved: there is no result within 0.5 s"
    assert any(words in printed.out + printed.err for words in said)


def test_every_line_of_a_test_ends_in_time(capsys):
    assert main(["test", str(TRIAL / "slow_lines.game"), "--time", "1"]) == 0
    said = capsys.readouterr().out
    assert "1 passed, 3 skipped, 2 open." in said and "inf s" not in said


def test_the_files_before_the_time_is_up_are_printed(capsys, tmp_path, monkeypatch):
    for name in ("first", "second"):
        (tmp_path / f"{name}.game").write_text(path("nim").read_text(encoding="utf-8"), encoding="utf-8")
    whole = check._check_deep

    def one_alone(file, options):
        if "second" in file:
            raise Limits(1.0).out_of_time({})
        return whole(file, options)

    monkeypatch.setattr(check, "_check_deep", one_alone)
    assert main(["check", str(tmp_path), "--deep", "--positions", "10"]) == 1
    printed = capsys.readouterr()
    assert "first.game: no findings" in printed.out and "out-of-time" in printed.err


def test_the_end_of_an_outer_block_is_that_of_the_outer_one(clock):
    outer = Limits(2.0, begin=0.0)
    with pytest.raises(LimitReached, match="within 2 s"), outer.enforce(), Limits(begin=0.0).enforce():
        clock[0] = 3.0
        check_deadline()


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
