"""What fails in the first positions of a file is found by a check of it, on every machine at the same place."""

from __future__ import annotations

from pathlib import Path

import pytest
from told import hold

import zermelo
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.loading import check_source
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.validation import first_positions
from zermelo.solvers.validation.first_positions import first_fault
from zermelo.solvers.validation.shortest_plays import search_positions

FILES = sorted((Path(__file__).parent / "first_positions").glob("*.game"))
SOUND = 'game "Sound"\nplayers Ann, Bob\nstart at s\nphase s:\n    turn Ann:\n        move m: end draw\n'
COUNTER = """\
game "A counter that runs out"
players Ann
var n: 0..{most} = 0
start at count
phase count:
    turn Ann:
        move add:
            n += 1
            go count
        move stop: end payoff (n)
"""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_fails_first_is_found(file: Path) -> None:
    findings = hold(file, lambda source: check_source(source, {}))
    assert len(findings.errors) == (0 if file.stem == "sound" else 1)


@pytest.mark.parametrize("machine", ["python", "reference"])
@pytest.mark.parametrize("file", [file for file in FILES if file.stem != "dealt"], ids=lambda file: file.stem)
def test_a_search_of_all_positions_finds_the_same(file: Path, machine: str) -> None:
    game = zermelo.load(file)
    fault, chosen = first_fault(game.model), game.on(machine)
    searched = search_positions(chosen.machine, chosen.facts, None, Limits(), ignore_progress)
    assert _shown(searched.fault) == _shown(fault)


def _shown(fault: PlayError | None) -> object:
    return fault and (fault.code, fault.finding.span, len(fault.play))


def test_it_ends_after_a_fixed_amount_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [found.code for found in zermelo.check(COUNTER.format(most=50))] == ["assigned-out-of-range"]
    monkeypatch.setattr(first_positions, "WORK", 40 * first_positions.MOVE)
    assert [found.code for found in zermelo.check(COUNTER.format(most=50))] == []


def test_long_loops_are_work() -> None:
    loop = SOUND.replace("m:", "m if (sum a in 1..999, b in 1..999, c in 1..999: a * b * c) > 0:")
    assert list(zermelo.check(loop)) == []
    sets = SOUND.replace("m:", "m if size({{s - t} for s in subsets(1..20, 10) for t in subsets(1..20, 10)}) > 0:")
    assert list(zermelo.check(sets)) == []


def test_listing_outcomes_and_copying_large_states_are_work(monkeypatch: pytest.MonkeyPatch) -> None:
    many = (
        SOUND.replace("start", "type D = 1..300\nstart")
        .replace("turn Ann", "chance")
        .replace("move m", "outcome m(a in D, b in D)")
    )
    large = COUNTER.format(most=2).replace("var", "type D = 1..100\nvar board[D, D]: Bool = false\nvar")
    large = large.replace("n += 1", "n += 1\n            board[n, n] := true")
    monkeypatch.setattr(first_positions, "WORK", 1000)
    made = []
    after = ReferenceMachine.after
    monkeypatch.setattr(ReferenceMachine, "after", lambda *given: made.append(given) or after(*given))
    for text in (many, large):
        assert list(zermelo.check(text)) == []
        assert len(made) < 3
        made.clear()


def test_a_file_with_errors_is_not_visited() -> None:
    text = COUNTER.format(most=1).replace("stop: end payoff (n)", "stop: end payoff (m)")
    assert [found.code for found in zermelo.check(text)] == ["undefined-name"]


def test_given_parameters_count(run, game_file) -> None:
    file = game_file(COUNTER.format(most="most").replace("players Ann\n", "players Ann\nparam most: 1..900 = 900\n"))
    assert run("check", file).code == 0
    assert run("check", file, "-p", "most=2", "--format", "concise").out == (
        "test.game:9:13: error[assigned-out-of-range] n is given 3, but takes only 0..2 (after add, add, add)\n"
    )


def test_deep_checks_name_each_place_once(run, game_file) -> None:
    text = (Path(__file__).parent / "first_positions" / "divided.game").read_text(encoding="utf-8")
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#!"))
    shallow, deep = (run("check", game_file(text), *more) for more in ((), ("--deep",)))
    assert (shallow.code, shallow.out.count("test.game:8")) == (1, 1)
    assert (deep.code, deep.out.count("test.game:8")) == (1, 1)
