"""Whoever wins hurries, and whoever loses delays: against an enumeration of all plays of small games."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from all_machines import needs_llvm
from random_cases import seeds

from zermelo import load, loads, solve
from zermelo.solvers.positions import quickest_wins
from zermelo.solvers.positions.quickest_wins import NOT_QUICKEST
from zermelo.solving import solve_knowing

TRIAL = Path(__file__).parents[2] / "trial" / "best"

HEAPS = """
game "Heaps"
players Ann, Bob
claim zero_sum
type Heap = 1..2
var left[Heap]: 0..9 = 0
setup:
    left[1] := {first}
    left[2] := {second}
start at play(Ann)
phase play(p: Player):
    turn p:
        move take(h in Heap, n in {{{takes}}}) if n <= left[h]:
            left[h] -= n
            go play(other p)
    otherwise: {end}
"""


def key_of(state):
    return state.actor, str(state.view("Ann"))


def by_hand(state, memo):
    """What the player to move gets, and how many moves it takes if whoever wins hurries and the other delays."""
    key = key_of(state)
    if state.is_over:
        return state.payoff[0], 0
    if key not in memo:
        sign = 1 if state.actor == "Ann" else -1
        found = []
        for move in state.moves:
            value, length = by_hand(state.after(move), memo)
            hurry = -(length + 1) if sign * value > 0 else length + 1
            found.append((sign * value, hurry, length + 1, move))
        most = max(each[:2] for each in found)
        memo[key] = sign * most[0], next(each[2] for each in found if each[:2] == most)
        memo[key, "best"] = {str(each[3]) for each in found if each[:2] == most}
    return memo[key]


def heaps(random):
    takes = ", ".join(map(str, sorted(random.sample(range(1, 6), random.randint(2, 3)))))
    end = random.choice(("end win p", "end win other p"))
    return loads(HEAPS.format(first=random.randint(2, 7), second=random.randint(0, 6), takes=takes, end=end))


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("most", [None, 4, 12])
def test_the_best_moves_win_soonest_or_lose_latest(seed, most, monkeypatch):
    """With all positions, and with so few that it may stay open."""
    game = heaps(Random(seed))
    if most is not None:
        monkeypatch.setattr(quickest_wins, "_MOST", most)
    memo = {}
    value, length = by_hand(game.initial, memo)
    solution = solve_knowing(game.facts, game, hurries=True)
    assert solution.value[0] == value
    if solution.notes and NOT_QUICKEST in solution.notes:
        assert most is not None
        return
    assert solution.distance == length
    assert len(solution.line) == length
    if length:
        assert {str(move) for move in solution.best} == memo[
            (game.initial.actor, str(game.initial.view("Ann"))), "best"
        ]


@pytest.mark.parametrize(
    ("name", "line"),
    [("g1b_slow_win", "quick on win"), ("g1c_slow_loss", "dance hit up hit up hit down")],
)
def test_wins_are_not_put_off_nor_losses_hurried(name, line):
    solution = solve(load(TRIAL / f"{name}.game"))
    assert " ".join(map(str, solution.line)) == line


def test_a_lost_position_is_not_given_up():
    """Tic-tac-toe: X threatens c3, and wins anyway; whatever else O does loses two moves sooner."""
    game = load("tic_tac_toe")
    state = game.initial
    for text in ("mark(b2)", "mark(a2)", "mark(a1)"):
        state = state.after(next(move for move in state.moves if str(move) == text))
    solution = solve(state)
    assert [str(move) for move in solution.best] == ["mark(c3)"]
    assert len(solution.line) == 4


@needs_llvm
def test_what_is_not_found_is_said(monkeypatch):
    monkeypatch.setattr(quickest_wins, "_MOST", 2)
    solution = solve(load("nim"))
    assert NOT_QUICKEST in solution.notes
    assert solution.distance is None


TWO_WAYS = """
game "Two ways to win"
players Ann, Bob
start at root
phase root:
    turn Ann:
        move left: go left
        move right: go right
        move long: go long(3)
phase left:
    turn Bob:
        move give_up: end win Ann
phase right:
    turn Bob:
        move give_up: end win Ann
phase long(n: 0..3):
    turn Ann:
        move wait if n > 0: go long(n - 1)
        move win if n == 0: end win Ann
"""


def test_a_win_is_the_quickest_only_if_all_nearer_positions_have_been_looked_into(monkeypatch):
    """The positions are those of the phases, found in this order: the last of ``long`` may stay out, but neither
    ``right``, behind which there is a win as near as that behind ``left``, nor the first of ``long``."""
    game, told = loads(TWO_WAYS), []
    for most in range(1, 9):
        monkeypatch.setattr(quickest_wins, "_MOST", most)
        solution = solve_knowing(game.facts, game, hurries=True)
        assert solution.value == (1, -1)
        told.append(NOT_QUICKEST not in solution.notes)
        if told[-1]:
            assert ([str(move) for move in solution.best], solution.distance) == (["left", "right"], 2)
    assert told == sorted(told) and told[-1] and not told[2], told
    assert told.index(True) < 6, "a position that is farther away than the win has not been looked into"
