"""The history of a play, as the rules see it."""

from __future__ import annotations

WALK = """
    game "Walk"
    players A, B
    var at: 0..9 = 0
    var other_thing: 0..99 = 0
    start at walk(A, 0)
    phase walk(p: Player, n: 0..1):
        if repetitions(at) >= 3: end win p
        turn p:
            move to(x in 0..3) ensuring not repeated(at):
                at := x
                other_thing := min(99, other_thing + 1)
                go walk(other p, 0)
            move jump(x in 0..3, n in 0..1):
                at := x
                go walk(p, n)
            move count if repeated(at):
                end draw
"""


def legal(machine, state) -> str:
    return " ".join(str(move) for move in machine.moves(state) if move.name != "jump")


def test_an_ensuring_compares_with_all_decisions_up_to_this_one(machine_of, follow) -> None:
    machine = machine_of(WALK)
    assert legal(machine, machine.initial()) == "to(1) to(2) to(3)"
    assert legal(machine, follow(machine, "to(2)")) == "to(1) to(3)"
    assert legal(machine, follow(machine, "to(2)", "to(1)")) == "to(3)"


def test_a_guard_compares_with_the_decisions_before_this_one(machine_of, follow) -> None:
    machine = machine_of(WALK)
    assert legal(machine, follow(machine, "jump(2, 0)")) == "to(1) to(3)"
    assert legal(machine, follow(machine, "jump(0, 1)")) == "to(1) to(2) to(3) count"


def test_repetitions_count_the_same_phase_with_the_same_arguments(machine_of, follow) -> None:
    machine = machine_of(WALK)
    assert machine.actor(follow(machine, "jump(0, 0)")) == 0
    assert machine.payoff(follow(machine, "jump(0, 0)", "jump(0, 0)")) == (1, -1)
    assert machine.actor(follow(machine, "jump(0, 1)", "jump(0, 0)")) == 0
    assert machine.payoff(follow(machine, "jump(0, 1)", "jump(0, 0)", "jump(2, 0)", "jump(0, 0)")) == (1, -1)


def test_history_belongs_to_the_position(machine_of, follow) -> None:
    machine = machine_of(WALK)
    plays = [("jump(1, 0)", "jump(2, 0)", "jump(0, 0)"), ("jump(2, 0)", "jump(1, 0)", "jump(0, 0)")]
    first, second = (follow(machine, *play) for play in plays)
    assert machine.position(first) == machine.position(second)
    third = follow(machine, "jump(1, 0)", "jump(1, 0)", "jump(0, 0)")
    assert machine.position(first) != machine.position(third)


def test_chess_is_drawn_by_repetition(bundled, follow) -> None:
    machine = bundled("chess")
    once = ["go_to(g1, f3)", "go_to(g8, f6)", "go_to(f3, g1)", "go_to(f6, g8)"]
    assert machine.actor(follow(machine, *once)) == 0
    assert machine.payoff(follow(machine, *once, *once)) == (0, 0)


def test_superko_forbids_to_take_back_at_once(bundled, follow) -> None:
    machine = bundled("go", size=4)
    play = ["place(b1)", "place(c1)", "place(a2)", "place(d2)", "place(b3)", "place(c3)", "place(c2)", "place(b2)"]
    state = follow(machine, *play)
    legal_moves = [str(move) for move in machine.moves(state)]
    assert "place(c2)" not in legal_moves
    assert "place(a1)" in legal_moves
    finding = machine.why_not(state, "place(c2)")
    assert "would be false after it" in finding.message


ON_ENTERING = """
    game "On entering"
    players A, B
    var x: 0..2 = 0
    start at first
    phase first:
        x := 1
        turn A:
            move change:
                x := 2
                go second
            move keep:
                x := 0
                go second
    phase second:
        if x == 2: x := 1
        turn B:
            move old if repeated(x): end win B
            move new if not repeated(x): end win A
"""

PASSED_OVER = """
    game "Passed over"
    players A, B
    var x: 0..2 = 0
    start at first
    phase first:
        turn A:
            move never if x > 0: end draw
        otherwise: go second
    phase second:
        turn B:
            move old if repeated(x): end win B
            move new if not repeated(x): end win A
"""


def test_the_history_has_values_as_they_are_when_a_phase_is_entered(machine_of, follow) -> None:
    """``first`` was entered with 0, which counts, and decided with 1, which does not."""
    machine = machine_of(ON_ENTERING)
    assert legal(machine, follow(machine, "change")) == "new"
    assert legal(machine, follow(machine, "keep")) == "old"


def test_a_decision_that_is_passed_over_is_in_the_history(machine_of) -> None:
    machine = machine_of(PASSED_OVER)
    assert legal(machine, machine.initial()) == "old"
