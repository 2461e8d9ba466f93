"""The machine's interface, and well-known counts."""

from __future__ import annotations

from collections import deque
from fractions import Fraction

import pytest

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, Move


def plays(machine, state, length: int) -> int:
    """The number of plays of this length from a state."""
    if length == 0:
        return 1
    moves = machine.moves(state) or tuple(move for move, _ in machine.outcomes(state))
    return len(moves) if length == 1 else sum(plays(machine, machine.after(state, move), length - 1) for move in moves)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("othello", [4, 12, 56, 244]),
        ("chess", [20, 400]),
        ("connect_four", [7, 49, 343]),
        ("tic_tac_toe", [9, 72, 504, 3024]),
        ("rock_paper_scissors", [3, 9, 0]),
    ],
)
def test_numbers_of_plays(bundled, name: str, expected: list[int]) -> None:
    machine = bundled(name)
    assert [plays(machine, machine.initial(), length) for length in range(1, len(expected) + 1)] == expected


def test_tic_tac_toe_has_5478_positions(bundled) -> None:
    machine = bundled("tic_tac_toe")
    first = machine.initial()
    seen = {machine.position(first)}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        for move in machine.moves(state):
            after = machine.after(state, move)
            if machine.position(after) not in seen:
                seen.add(machine.position(after))
                waiting.append(after)
    assert len(seen) == 5478


def test_a_play_from_beginning_to_end(bundled, follow) -> None:
    machine = bundled("tic_tac_toe")
    assert machine.player_names == ("X", "O")
    state = follow(machine, "mark(a1)", "mark(a2)", "mark(b1)", "mark(b2)")
    assert machine.actor(state) == 0
    assert [str(move) for move in machine.moves(state)] == ["mark(c1)", "mark(c2)", "mark(a3)", "mark(b3)", "mark(c3)"]
    end = machine.after(state, machine.find_move(state, "mark(c1)"))
    assert machine.actor(end) == END
    assert machine.moves(end) == machine.outcomes(end) == ()
    assert machine.payoff(end) == (1, -1)
    assert all(type(amount) is Fraction for amount in machine.payoff(end))
    assert [str(move) for move in machine.play(end)] == ["mark(a1)", "mark(a2)", "mark(b1)", "mark(b2)", "mark(c1)"]
    assert len(machine.moves(state)) == 5, "states are immutable"


def test_moves_that_are_not_legal_are_refused(bundled, follow) -> None:
    machine = bundled("tic_tac_toe")
    state = follow(machine, "mark(a1)")
    (taken,) = machine.play(state)
    for move in (taken, Move("mark", ("a2",)), Move("mark"), Move("pass")):
        with pytest.raises(ZermeloError) as caught:
            machine.after(state, move)
        assert caught.value.code == "illegal-move"
    with pytest.raises(ZermeloError) as caught:
        machine.payoff(state)
    assert caught.value.code == "game-over"


def test_nothing_can_be_moved_at_the_end(bundled, follow) -> None:
    machine = bundled("prisoners_dilemma")
    end = follow(machine, "cooperate", "defect")
    assert machine.payoff(end) == (0, 4)
    with pytest.raises(ZermeloError) as caught:
        machine.after(end, Move("cooperate"))
    assert caught.value.code == "game-over"


def test_chance_in_a_tree(bundled) -> None:
    machine = bundled("coin_flip_tree")
    state = machine.after(machine.initial(), machine.moves(machine.initial())[0])
    assert machine.actor(state) == CHANCE
    assert [(str(move), weight) for move, weight in machine.outcomes(state)] == [
        ("heads", Fraction(1, 2)),
        ("tails", Fraction(1, 2)),
    ]


DISCOUNTED = """
    game "Discounted"
    players A, B
    discount 1/2
    start at go_on(A)

    phase go_on(p: Player):
        turn p:
            move take(n in 1..4):
                earn p: n
                go coin(other p)
            move leave: end payoff {A: 8, B: 4}

    phase coin(p: Player):
        chance:
            outcome heads: go go_on(p)
            outcome tails:
                earn A: 100
                go go_on(p)
"""


def test_what_comes_later_counts_less_and_chance_is_no_decision(machine_of, follow) -> None:
    machine = machine_of(DISCOUNTED)
    state = follow(machine, "take(3)", "heads", "take(4)")
    assert machine.earned(state) == (3, 2)
    state = follow(machine, "take(3)", "tails", "take(4)", "heads", "leave")
    assert machine.payoff(state) == (3 + 50 + Fraction(8, 4), 2 + Fraction(4, 4))


def test_positions_leave_out_what_has_been_earned(machine_of, follow) -> None:
    machine = machine_of(DISCOUNTED)
    states = [follow(machine, f"take({n})", "heads") for n in (1, 4)]
    assert machine.position(states[0]) == machine.position(states[1])
    assert machine.earned(states[0]) != machine.earned(states[1])


def test_positions_leave_out_constants(machine_of) -> None:
    machine = machine_of(
        """
        game "Constant"
        players A
        var prize: 0..9 = 3
        var left: 0..9 = 2
        setup:
            prize := 7
        start at wait
        phase wait:
            turn A:
                move wait if left > 0:
                    left -= 1
                    go wait
            otherwise:
                end payoff {A: prize}
        """
    )
    assert machine.position(machine.initial()) == ("wait", (), (2,), ())
    assert machine.model.variables[0].is_constant


def test_loose_expressions_are_evaluated_in_a_state(bundled, follow) -> None:
    machine = bundled("tic_tac_toe")
    estimate = machine.model.estimate
    x, o = machine.model.players
    state = follow(machine, "mark(b2)")
    assert machine.evaluate(state, estimate, x) == Fraction(4, 9)
    assert machine.evaluate(state, estimate, o) == Fraction(-4, 9)
