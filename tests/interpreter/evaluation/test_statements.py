"""Effects, from written games."""

from __future__ import annotations

import pytest

from zermelo.interpreter.machine import PlayError


def shown(machine, state) -> str:
    return " ".join(map(str, machine.view(state, 0)))


def test_effects_run_in_order_and_the_rest_keeps_its_value(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Order"
        players A
        type Cell = grid(2, 2)
        var x: 0..9 = 1
        var y: 0..9 = 5
        var board[Cell]: Bool = false
        start at play
        phase play:
            turn A:
                move stop: end draw
                move go_on:
                    x := x + 1
                    y := x * 2
                    x += 1
                    go play
                move fill:
                    board := true
                    board[b1] := false
                    go play
        """
    )
    assert shown(machine, follow(machine, "go_on")).startswith("x = 3 y = 4 board[a1] = false")
    assert shown(machine, follow(machine, "fill")).endswith(
        "board[a1] = true board[b1] = false board[a2] = true board[b2] = true"
    )


def test_what_defines_say_changes_with_the_effects(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Counted"
        players A
        type Cell = grid(2, 2)
        var x: 0..9 = 0
        var board[Cell]: Bool = false
        define full = count c in Cell: board[c]
        start at play
        phase play:
            turn A:
                move stop: end draw
                move entry:
                    if full == 0: board[b1] := true
                    x := full
                    go play
                move whole:
                    if full == 0: board := true
                    x := full
                    go play
        """
    )
    assert shown(machine, follow(machine, "entry")).startswith("x = 1 ")
    assert shown(machine, follow(machine, "whole")).startswith("x = 4 ")


def test_for_makes_its_bindings_before_it_runs(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "For"
        players A
        var x: 0..99 = 2
        var seen[1..3]: Bool = false
        start at play
        phase play:
            turn A:
                move stop: end draw
                move count_up:
                    for i in 1..x, j in 1..i if i + j < 4:
                        x := 10 * x + j
                        seen[i] := true
                    go play
                move leave_early:
                    for i in 1..3:
                        seen[i] := true
                        if i == 2: go play
                    go play
        """
    )
    assert shown(machine, follow(machine, "leave_early")).endswith("seen[1] = true seen[2] = true seen[3] = false")
    with pytest.raises(PlayError, match="x is given 211, but takes only"):
        follow(machine, "count_up")


def test_fields_of_records_can_be_assigned(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Fields"
        players A, B
        type Man = (owner: Player, crowned: Bool)
        type Cell = grid(2, 1)
        var board[Cell]: Man? = none
        setup:
            board[a1] := (B, false)
        start at play
        phase play:
            turn A:
                move stop: end draw
                move crown(c in Cell):
                    board[c].crowned := true
                    go play
        """
    )
    assert shown(machine, follow(machine, "crown(a1)")) == "board[a1] = (B, true) board[b1] = none"
    with pytest.raises(PlayError) as caught:
        follow(machine, "crown(a1)", "crown(b1)")
    assert caught.value.code == "none-value"


def test_actions_have_names_of_their_own(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Action"
        players A
        var x: 0..9 = 0
        var y: 0..9 = 0
        action raise_by(n: 1..3):
            let twice = 2 * n
            x := twice
        start at play
        phase play:
            turn A:
                move stop: end draw
                move pick(n in 1..4):
                    raise_by(if n == 4 then n else 3)
                    y := n
                    go play
        """
    )
    assert shown(machine, follow(machine, "pick(2)")) == "x = 6 y = 2"
    with pytest.raises(PlayError) as caught:
        follow(machine, "pick(4)")
    assert caught.value.code == "assigned-out-of-range"
    assert "n of raise_by is given 4, but takes only 1..3" in caught.value.message


def test_fields_of_local_records(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Local fields"
        players A
        type Spot = (x: 0..9, y: 0..9)
        type Pair = (left: Spot, right: Spot)
        var pair: Pair
        start at play
        phase play:
            turn A:
                move stop: end draw
                move build(n in 1..9):
                    var new: Pair = ((1, 2), (3, 4))
                    new.right.x := n + 4
                    pair := new
                    pair.left.y := new.right.x
                    go play
                move change:
                    pair.left.x := 1
                    go play
        """
    )
    assert shown(machine, machine.initial()) == ""
    assert shown(machine, follow(machine, "build(5)")) == "pair = ((1, 9), (9, 4))"
    with pytest.raises(PlayError, match=r"right.x is given 10"):
        follow(machine, "build(6)")
    with pytest.raises(PlayError) as caught:
        follow(machine, "change")
    assert caught.value.code == "unset-variable"


def test_sets_are_stored_in_the_order_of_their_type(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Sets"
        players A
        type Digit = 1..5
        type Held = (digits: set of Digit, owner: Player)
        var digits: set of Digit = {}
        var held: Held
        start at play({})
        phase play(s: set of Digit):
            turn A:
                move stop: end draw
                move down(n in Digit):
                    digits := {n - i for i in 0..(n - 1)}
                    held := ({n - i for i in 0..(n - 1)}, A)
                    go play({n - i for i in 0..(n - 1)})
        """
    )
    state = follow(machine, "down(3)")
    assert shown(machine, state) == "digits = {1, 2, 3} held = ({1, 2, 3}, A)"
    assert str(machine.information_state(state, 0)[-1]).endswith("to decide: play({1, 2, 3})")


def test_entries_of_two_indices(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Two indices"
        players A, B
        type Step = 2..4
        var table[Player, Step]: 0..9
        var sum_up: 0..99 = 0
        start at play
        phase play:
            turn A:
                move stop: end draw
                move put(p in Player, s in Step):
                    table[p, s] := number(p) + s
                    go play
                move look(p in Player, s in Step):
                    sum_up := table[p, s]
                    go play
        """
    )
    state = follow(machine, "put(B, 3)", "put(A, 4)", "look(B, 3)")
    assert shown(machine, state) == "table[A, 4] = 5 table[B, 3] = 5 sum_up = 5"
    with pytest.raises(PlayError) as caught:
        follow(machine, "put(B, 3)", "look(A, 3)")
    assert caught.value.code == "unset-variable"
    assert "table[A, 3] is read before it has a value" in caught.value.message


def test_local_variables(machine_of, follow) -> None:
    machine = machine_of(
        """
        game "Local"
        players A
        var x: 0..99 = 0
        start at play
        phase play:
            turn A:
                move stop: end draw
                move add_up(n in 1..5):
                    var found: 0..10 = 0
                    for i in 1..n:
                        found += i
                    x := found
                    go play
        """
    )
    assert shown(machine, follow(machine, "add_up(4)")) == "x = 10"
    with pytest.raises(PlayError, match="found is given 15"):
        follow(machine, "add_up(5)")


ERRORS = """
    game "Errors"
    players A, B
    type Cell = grid(2, 2)
    type Level = 1..3
    var board[Cell]: Player? = none
    var level: Level = 1
    var unset: Level
    var height[Level]: Level = 1
    var chosen: set of Level = {1}
    start at play
    phase play:
        turn A:
            move stop: end draw
            move mark(n in 1..5):
                chosen += {n}
                go play
            move high:
                level := level + 2
                go play
            move low:
                level := level - 1
                go play
            move unset:
                level := unset
                go play
            move off(c in Cell):
                board[c + north] := A
                go play
            move tall:
                height[1] := height[level * 2]
                go play
            move divide:
                level := 2 / (level - 1)
                go play
"""


@pytest.mark.parametrize(
    ("moves", "code", "says"),
    [
        (["high", "high"], "assigned-out-of-range", "level is given 5, but takes only 1..3"),
        (["low"], "assigned-out-of-range", "level is given 0"),
        (["mark(2)", "mark(5)"], "assigned-out-of-range", "chosen is given {1, 2, 5}, but takes only set of 1..3"),
        (["unset"], "unset-variable", "unset is read before it has a value"),
        (["off(a1)", "off(b2)"], "none-value", "its index is none"),
        (["high", "tall"], "index-out-of-range", "height has no entry 6; its index is 1..3"),
        (["divide"], "zero-divisor", "divides by 0"),
    ],
)
def test_what_goes_wrong_is_reported_with_the_play(machine_of, follow, moves, code, says) -> None:
    machine = machine_of(ERRORS)
    with pytest.raises(PlayError) as caught:
        follow(machine, *moves)
    error = caught.value
    assert error.code == error.finding.code == code
    assert says in error.finding.message
    assert [str(move) for move in error.play] == moves
    name = moves[-1].partition("(")[0]
    line = machine.model.source.line(error.finding.span.line - 1)
    assert f"move {name}" in line
    assert [machine.model.source.excerpt(label.span) for label in error.finding.labels] == [name]


# The history of a play, as the rules see it.


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
