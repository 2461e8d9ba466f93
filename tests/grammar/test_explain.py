"""Every code of a finding has a page, and both its examples are run."""

from __future__ import annotations

import shlex
import sys
from fractions import Fraction
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from zermelo.cli import main
from zermelo.grammar.diagnostics import CODES, Example, Stage, ZermeloError, explanation
from zermelo.grammar.reading import read_text
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import count_information_sets
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.loading import loads
from zermelo.solvers.choosing import registry
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.solution import Answer, Problem
from zermelo.testing.mutation import validate

SOUND = explanation("unknown-character").right[0].text
PAGES = Path(__file__).parents[2] / "grammar" / "explanations"


def codes(stage: Stage) -> list[str]:
    return [code.name for code in CODES.values() if code.stage is stage]


def findings(example: Example) -> list[str]:
    """The codes of the findings in a ``game`` block, or in the game of a ``python`` block."""
    content = example.text if example.kind == "game" else eval(example.text)
    source, found = read_text("example.game", content.encode() if isinstance(content, str) else content)
    if source is not None:
        _, found = check(source)
    return [finding.code for finding in found]


def test_there_is_a_page_for_every_code_and_no_other():
    assert {page.stem for page in PAGES.glob("*.md")} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_a_text_and_two_examples(code):
    page = explanation(code)
    assert page.title == CODES[code].title
    assert len(page.text) > 80
    assert page.wrong
    assert page.right
    assert max(map(len, page.text.splitlines())) <= 100


@pytest.mark.parametrize("code", codes(Stage.CHECK))
def test_the_wrong_file_is_found_and_the_right_one_is_clean(code):
    page = explanation(code)
    assert set(findings(page.wrong[0])) == {code}
    assert findings(page.right[0]) == []


@pytest.mark.parametrize("code", codes(Stage.PLAY))
def test_the_wrong_game_goes_wrong_and_the_right_one_does_not(code):
    page = explanation(code)
    with pytest.raises(ZermeloError) as raised:
        explore(page.wrong[0].text)
    assert raised.value.code == code
    explore(page.right[0].text)
    assert findings(page.right[0]) == []


def explore(text: str) -> None:
    """Play a game at random a hundred times, and list its information sets."""
    source, _ = read_text("example.game", text.encode())
    model, _ = check(source)
    machine = ReferenceMachine(model)
    random = Random(1)
    for _ in range(100):
        state = machine.initial()
        for _ in range(50):
            actor = machine.actor(state)
            if actor == END:
                machine.payoff(state)
                break
            move = machine.draw(state, random) if actor == CHANCE else random.choice(machine.moves(state))
            state = machine.after(state, move)
    count_information_sets(machine, limit=200)


@pytest.mark.parametrize("code", codes(Stage.POSITIONS))
def test_the_wrong_game_shows_a_flaw_and_the_right_one_none(code):
    page = explanation(code)
    assert flaws(page.wrong[0]) == {code}
    assert flaws(page.right[0]) == set()
    assert findings(page.wrong[0]) == findings(page.right[0]) == []


def flaws(example: Example) -> set[str]:
    """The codes of what the positions of a game show."""
    validation = validate(loads(example.text), None, Limits(), ignore_progress)
    return {answer.finding.code for answer in validation.replies if answer.finding is not None}


@pytest.mark.parametrize("code", codes(Stage.REQUEST))
def test_the_wrong_command_is_refused_and_the_right_one_is_not(code, tmp_path, monkeypatch, capsys):
    page = explanation(code)
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as here:
        if code in ("library-missing", "broken-installation"):
            here.setitem(sys.modules, "pyarrow" if code == "library-missing" else "highspy", None)
        if code == "values-disagree":
            plant_a_wrong_solver(here)
        if code in ("solver-not-loaded", "solver-failed"):
            name = "search" if code == "solver-not-loaded" else "SOLVER"
            entry = EntryPoint("plain_minimax", f"faulty_minimax:{name}", registry.ENTRY_POINTS)
            here.setattr(registry, "_entries", lambda: (entry,))
            Path("faulty_minimax.py").write_text(
                "from zermelo.solvers.choosing.registry import Solver\n"
                "SOLVER = Solver('plain_minimax', '', 'faulty_minimax', (), '', function='search')\n"
                "search = lambda problem: 1 // 0\n"
            )
            here.syspath_prepend(tmp_path)
        if code == "internal-error":
            here.setattr("zermelo.commands.solve.game_of", lambda options: 1 // 0)
        status, printed = run(page.wrong, capsys)
    assert status != 0
    assert code in printed
    status, printed = run(page.right, capsys)
    assert status == 0, printed


def plant_a_wrong_solver(here: pytest.MonkeyPatch) -> None:
    """Make minimax return a loss of the first player."""
    right = SOLVERS["minimax"].algorithm

    def wrong(problem: Problem[Any]) -> Answer:
        return evolve(right(problem), value=(Fraction(-1), Fraction(1)))

    here.setattr("zermelo.solvers.search.alphabeta.minimax", wrong)


def run(examples: tuple[Example, ...], capsys) -> tuple[int, str]:
    """Run the commands of a page; the exit status of the last one, and their whole output."""
    status, printed = 0, ""
    Path("example.game").write_text(SOUND, encoding="utf-8")
    for example in examples:
        if example.kind in ("game", "efg"):
            Path(f"example.{example.kind}").write_text(example.text, encoding="utf-8")
            continue
        for line in example.text.splitlines():
            if line.startswith("$ zermelo "):
                status = main(shlex.split(line)[2:])
                captured = capsys.readouterr()
                printed += captured.out + captured.err
    return status, printed


def test_an_unknown_code_is_refused_with_a_suggestion():
    with pytest.raises(ZermeloError) as raised:
        explanation("mising-colon")
    assert raised.value.code == "unknown-code"
    assert "missing-colon" in raised.value.help
