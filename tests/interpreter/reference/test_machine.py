"""The machine's interface, and well-known counts."""

from __future__ import annotations

from collections import deque
from fractions import Fraction

import pytest

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, Move, PlayError


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


# Runs between two decisions.


HEAP = """
    game "Heap"
    players A, B
    var left: 0..9 = 3
    var skipped: 0..9 = 0
    start at play(A)
    phase play(p: Player):
        let most = min(2, left)
        if left == 0 and not stuck: end draw
        turn p:
            move take(n in 1..most):
                left -= n
                go play(other p)
        otherwise:
            skipped += most + 1
            if skipped == 2: end win p
            go play(other p)
"""


def test_entry_statements_otherwise_and_their_names(machine_of, follow) -> None:
    machine = machine_of(HEAP)
    assert [str(move) for move in machine.moves(follow(machine, "take(2)"))] == ["take(1)"]
    end = follow(machine, "take(2)", "take(1)")
    assert machine.actor(end) == END
    assert machine.payoff(end) == (-1, 1)


def test_stuck_tells_whether_the_decision_offers_nothing(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Stuck"
        players A
        var open: Bool = true
        start at play
        phase play:
            if stuck: end payoff {A: 5}
            turn A:
                move close if open:
                    open := false
                    go play
        """
    )
    assert machine.payoff(follow(machine, "close")) == (5,)


def test_a_deadlock_is_an_error(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Deadlock"
        players A
        var open: Bool = true
        start at play
        phase play:
            turn A:
                move stop if open: end draw
                move close if open:
                    open := false
                    go play
        """
    )
    with pytest.raises(PlayError) as caught:
        follow(machine, "close")
    assert caught.value.code == "deadlock"
    assert [str(move) for move in caught.value.play] == ["close"]


def test_phases_that_follow_each_other_for_ever_are_an_error(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Round"
        players A
        var lap: 0..400 = 0
        start at play
        phase play:
            turn A:
                move run(n in 1..2): go turn_round(n)
        phase turn_round(n: 1..2):
            if lap == 400 and n == 1: end payoff {A: 1}
            lap := min(400, lap + n)
            go turn_round(n)
        """
    )
    assert machine.payoff(follow(machine, "run(1)")) == (1,)
    with pytest.raises(PlayError) as caught:
        follow(machine, "run(2)")
    assert caught.value.code == "endless-go"


def test_ensuring_is_tested_right_after_the_effects(machine_of) -> None:
    machine = machine_of(
        """
        game "Ensuring"
        players A, B
        var x: 0..9 = 0
        start at play(A)
        phase play(p: Player):
            if x == 4: x := 0
            turn p:
                move put(n in 1..5) ensuring x % 2 == 0 and p == A:
                    let twice = n * 2
                    x := if twice < 9 then n else 8
                    if n == 5: end win p
                    go play(other p)
            otherwise:
                end draw
        """
    )
    assert [str(move) for move in machine.moves(machine.initial())] == ["put(2)", "put(4)", "put(5)"]


def test_choices_together_are_made_in_turn(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Together"
        players A, B, C
        var hand[Player]: 0..3 = 0
        setup:
            hand[A] := 2
            hand[C] := 1
        start at bid
        phase bid:
            together p in Player:
                move show(n in 1..hand[p])
                move hide if hand[p] == 2
            then:
                let a = if show[A].n is none then 9 else show[A].n
                let c = if show[C].n is none then 0 else show[C].n
                end payoff {A: if hide[A] then a else a + 1, B: if show[B].n is none then -1 else 1, C: c}
            otherwise:
                end draw
        """
    )
    first = machine.initial()
    assert machine.actor(first) == 0
    assert [str(move) for move in machine.moves(first)] == ["show(1)", "show(2)", "hide"]
    second = follow(machine, "hide")
    assert machine.actor(second) == 2
    assert machine.position(second) != machine.position(first)
    assert machine.payoff(follow(machine, "hide", "show(1)")) == (9, -1, 1)
    assert machine.payoff(follow(machine, "show(2)", "show(1)")) == (3, -1, 1)


def test_a_together_that_nobody_can_take_part_in_offers_nothing(machine_of) -> None:
    machine = machine_of(
        """
        game "Nobody"
        players A, B
        var open: Bool = false
        setup:
            open := 1 > 2
        start at bid
        phase bid:
            together:
                move show if open
            then:
                end draw
            otherwise:
                end win A
        """
    )
    assert machine.payoff(machine.initial()) == (1, -1)


def test_chance_that_offers_nothing_goes_on_with_otherwise(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Empty urn"
        players A
        var left: 0..2 = 1
        start at draw_one
        phase draw_one:
            chance:
                outcome ball(n in 1..2) weight left:
                    left -= 1
                    go draw_one
            otherwise:
                end payoff {A: 7}
        """
    )
    assert machine.payoff(follow(machine, "ball(2)")) == (7,)


def test_a_condition_that_may_fail_waits_for_those_before_it(machine_of) -> None:
    """Also if one between them could be tested sooner."""
    machine = machine_of(
        """
        game "Order of conditions"
        players A
        start at play
        phase play:
            turn A:
                move take(n in 0..2, m in 0..2) if n > m and n != 2 and 6 // n > 2: end draw
                move stop: end draw
        """
    )
    assert list(map(str, machine.moves(machine.initial()))) == ["take(1, 0)", "stop"]


@pytest.mark.parametrize(
    ("guard", "move", "play"),
    [("board[c + east] == A and level / (level - 1) > 0", "", []), ("true", "take(a1)", ["take(a1)"])],
)
def test_errors_in_guards_and_entry_statements_are_reported_too(machine_of, follow, guard, move, play) -> None:
    machine = machine_of(
        f"""
        game "Guards"
        players A
        type Cell = grid(2, 1)
        var board[Cell]: Player? = none
        var level: 0..2 = 1
        setup:
            board[b1] := A
        start at play
        phase play:
            level := level - (if board[a1] is none then 0 else 2)
            turn A:
                move take(c in Cell) if {guard}:
                    board[c] := A
                    go play
                move stop: end draw
        """
    )
    with pytest.raises(PlayError) as caught:
        follow(machine, *([move] if move else ["take(b1)"]))
    assert caught.value.code == ("assigned-out-of-range" if move else "zero-divisor")
    assert [str(made) for made in caught.value.play] == play


def test_what_a_play_pays_that_never_ends(machine_of) -> None:
    text = """
        game "Endless"
        players Ann, Bob
        param stake: 1..9 = 3
        discount 9/10
        {endless}
        start at play(Ann)
        phase play(p: Player):
            turn p:
                move wait: go play(other p)
        """
    endless = "endless payoff {q: (if q == Ann then stake else -stake) for q in Player}"
    machine = machine_of(text.format(endless=endless))
    assert machine.endless() == (3, -3)
    assert machine.discount == Fraction(9, 10)
    assert machine_of(text.format(endless="")).endless() is None
