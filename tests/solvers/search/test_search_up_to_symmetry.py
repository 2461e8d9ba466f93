"""A long search keeps one entry for positions that are alike: its value, best move and line are those without."""

from __future__ import annotations

import pytest
from all_machines import native_machine, needs_llvm

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search import window_search
from zermelo.solvers.search.alphabeta import alphabeta_table
from zermelo.solvers.search.window_search import enhanced_alphabeta, iterative_deepening
from zermelo.solvers.solution import Answer, Problem

pytestmark = needs_llvm

GAMES = {
    "connect_four": {"rows": 3, "columns": 4, "run": 3},
    "dots_and_boxes": {"rows": 1, "columns": 2},
    "hex": {"size": 3},
    "nim": {},
    "tic_tac_toe": {},
}


def search(game: zermelo.Game, threads: int = 1) -> Answer:
    machine = native_machine(game.model)
    limits = Limits(memory=1 << 24, threads=threads)
    return enhanced_alphabeta(Problem(machine, facts(game.model), machine.initial(), limits=limits))


def told(answer: Answer) -> tuple[object, ...]:
    return answer.value, answer.best, answer.line


@pytest.fixture
def soon(monkeypatch):
    """The images with which searches begin anew, which they do after some twenty nodes."""
    monkeypatch.setattr(window_search, "_LONG", 20)
    monkeypatch.setattr(window_search, "_ALONE", 0)
    made = []

    class Noted(window_search._TakesLong):
        def __init__(self, images, counts):
            made.append(images)
            super().__init__(images, counts)

    monkeypatch.setattr(window_search, "_TakesLong", Noted)
    return made


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", GAMES)
def test_up_to_symmetry_it_finds_the_same(name, threads, soon, monkeypatch):
    """Dots and boxes pay on the way, which an entry leaves out; in hex players may change places, which is no symmetry
    that leaves them as they are."""
    game = zermelo.load(name, **GAMES[name])
    machine = native_machine(game.model)
    found = search(game, threads)
    assert len(soon) == 1 or (threads > 1 and not soon)  # others may be done before
    assert not any(images.exchange for images in soon)
    assert found.value == alphabeta_table(Problem(machine, facts(game.model), machine.initial())).value
    monkeypatch.setattr(window_search, "_LONG", 1 << 40)
    assert told(found) == told(search(game))


def test_what_is_alike_is_searched_once(soon, monkeypatch):
    game = zermelo.load("connect_four", rows=4, columns=4)
    folded = search(game).counts["nodes"]
    monkeypatch.setattr(window_search, "_LONG", 1 << 40)
    assert folded < 0.8 * search(game).counts["nodes"]


def test_a_search_up_to_symmetry_is_left_to_the_next_one(soon):
    """But not to one that deepens, which trusts the best move of an entry: that may be one of an image."""
    game = zermelo.load("connect_four", rows=4, columns=4)
    machine = native_machine(game.model)
    problem = Problem(machine, facts(game.model), machine.initial(), limits=Limits(memory=1 << 24))
    first = enhanced_alphabeta(problem)
    again = enhanced_alphabeta(problem)
    assert told(again) == told(first) and len(soon) == 1
    assert again.counts["nodes"] < 2 * first.counts["nodes"]
    assert iterative_deepening(problem).value == first.value
