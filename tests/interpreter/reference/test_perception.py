"""Information states, written out."""

from __future__ import annotations

from zermelo.interpreter.machine import CHANCE, END


def perceived(machine, state, player: int) -> list[str]:
    return [str(observation) for observation in machine.information_state(state, player)]


def test_kuhn_poker(bundled, follow) -> None:
    machine = bundled("kuhn_poker")
    assert perceived(machine, machine.initial(), 0) == []
    state = follow(machine, "deal(J, Q)", "check", "bet", "call")
    assert perceived(machine, state, 0) == [
        "hand[Alice] = J",
        "to decide: opening",
        "Alice: check",
        "Bob: bet",
        "to decide: answer(Alice)",
        "Alice: call",
    ]
    assert perceived(machine, state, 1) == [
        "hand[Bob] = Q",
        "Alice: check",
        "to decide: reply",
        "Bob: bet",
        "Alice: call",
    ]


def information_sets(machine, state, found: set) -> set:
    actor = machine.actor(state)
    if actor == END:
        return found
    moves = machine.moves(state) if actor >= 0 else [move for move, _ in machine.outcomes(state)]
    if actor >= 0:
        found.add((actor, machine.information_state(state, actor), moves))
    for move in moves:
        information_sets(machine, machine.after(state, move), found)
    return found


def test_kuhn_poker_has_twelve_information_sets(bundled) -> None:
    machine = bundled("kuhn_poker")
    assert len(information_sets(machine, machine.initial(), set())) == 12


def test_nodes_of_one_label_share_an_information_set(bundled) -> None:
    machine = bundled("forked_roads")
    assert len(information_sets(machine, machine.initial(), set())) == 2


def test_secret_moves_leave_no_trace(bundled, follow) -> None:
    machine = bundled("blind_tic_tac_toe")
    state = follow(machine, "mark(a1)", "mark(a1)", "mark(b1)")
    assert perceived(machine, state, 0) == [
        "to decide: play(X)",
        "X: mark(a1)",
        "known[X, a1] = X",
        "to decide: play(X)",
    ]
    assert perceived(machine, state, 1) == [
        "to decide: play(O)",
        "O: mark(a1)",
        "known[O, a1] = X",
        "to decide: play(O)",
        "O: mark(b1)",
        "known[O, b1] = O",
    ]


SECRETS = """
    game "Secrets"
    players A, B, C
    type Card = 1..3
    var hand[Player]: Card = 1     private
    var table: 0..3 = 0
    var shown[Player]: Bool = false
    var open[q: Player]: Card = 1  seen by if shown[q] then Player else {q}
    var spy: Card = 2              hidden
    var lamp: Card = 3             seen by if table == 2 then B else none
    start at play(A, 2)

    phase play(p: Player, secret n: Card):
        turn p:
            move discard(secret c in Card, d in Card):
                hand[p] := c
                table := d
                tell p that well_done
                tell Player - {p} that discarded(d)
                go toss(next p)
            move peek secret:
                tell p that spied(spy)
                go play(next p, 1)
            move show:
                shown[p] := true
                go play(next p, 2)
            move hold(c in Card) secret:
                open[p] := c
                go play(next p, 3)
            move stop: end draw

    phase toss(p: Player):
        chance:
            outcome toss(c in Card):
                hand[p] := c
                spy := c
                go play(p, c)
"""


def test_secret_arguments_messages_and_chance(machine_of, follow) -> None:
    machine = machine_of(SECRETS)
    state = follow(machine, "discard(3, 2)", "toss(2)")
    assert perceived(machine, state, 0) == [
        "to decide: play(A, ?)",
        "A: discard(3, 2)",
        "told well_done",
        "hand[A] = 3; table = 2",
    ]
    assert perceived(machine, state, 1) == [
        "A: discard(?, 2)",
        "told discarded(2)",
        "hand[B] = 2; lamp = 3; table = 2",
        "to decide: play(B, ?)",
    ]
    assert perceived(machine, state, 2) == ["A: discard(?, 2)", "told discarded(2)", "table = 2"]
    middle = follow(machine, "discard(3, 2)")
    assert machine.actor(middle) == CHANCE
    assert perceived(machine, middle, 2) == []


def test_a_value_that_becomes_visible_is_perceived(machine_of, follow) -> None:
    machine = machine_of(SECRETS)
    state = follow(machine, "hold(3)", "stop")
    assert perceived(machine, state, 1) == ["to decide: play(B, ?)", "B: stop"]
    state = follow(machine, "hold(3)", "peek", "peek", "show")
    assert perceived(machine, state, 0) == [
        "to decide: play(A, ?)",
        "A: hold(3)",
        "open[A] = 3",
        "to decide: play(A, ?)",
        "A: show",
        "shown[A] = true",
    ]
    assert perceived(machine, state, 1) == [
        "to decide: play(B, ?)",
        "B: peek",
        "told spied(2)",
        "A: show",
        "open[A] = 3; shown[A] = true",
        "to decide: play(B, ?)",
    ]


def test_what_nobody_sees_tells_no_plays_apart(machine_of, follow) -> None:
    machine = machine_of(SECRETS)
    plays = [("peek", "peek"), ("peek", "hold(2)"), ("hold(1)", "peek")]
    assert len({machine.information_state(follow(machine, *play), 2) for play in plays}) == 1


def test_views_show_what_is_set_and_seen_now(machine_of, bundled, follow) -> None:
    machine = machine_of(SECRETS)
    state = follow(machine, "hold(3)")
    assert [str(seen) for seen in machine.view(state, 2)] == [
        "hand[C] = 1",
        "table = 0",
        "shown[A] = false",
        "shown[B] = false",
        "shown[C] = false",
        "open[C] = 1",
    ]
    kuhn = bundled("kuhn_poker")
    assert kuhn.view(kuhn.initial(), 0) == ()
    assert [str(seen) for seen in kuhn.view(follow(kuhn, "deal(K, J)"), 1)] == ["hand[Bob] = J"]


TOGETHER = """
    game "Together"
    players A, B, C
    var has[Player]: Bool = true hidden
    var money: 0..9 = 0
    start at lots
    phase lots:
        chance:
            outcome drawn(p in Player, b in Bool):
                has[p] := b
                go bid
    phase bid:
        together p in Player:
            move bid(n in 1..2) if has[p]
            move hide(secret n in 1..2) if has[p]
            move wait secret if has[p]
        then:
            money := if bid[A].n is none then 2 else 1
            if money == 2 and bid[B].n is not none: end draw
            go bid
    endless draw
"""


def test_choices_together_are_seen_when_the_last_has_chosen(machine_of, follow) -> None:
    machine = machine_of(TOGETHER)
    first = follow(machine, "drawn(A, true)")
    assert [perceived(machine, first, player) for player in range(3)] == [["to decide: bid"]] * 3
    second = follow(machine, "drawn(A, true)", "bid(2)")
    assert perceived(machine, second, 0) == ["to decide: bid", "A: bid(2)"]
    assert perceived(machine, second, 1) == ["to decide: bid"]
    last = follow(machine, "drawn(A, true)", "bid(2)", "hide(1)", "wait")
    assert perceived(machine, last, 0) == [
        "to decide: bid",
        "A: bid(2)",
        "B: hide(?)",
        "money = 1",
        "to decide: bid",
    ]
    assert perceived(machine, last, 1) == [
        "to decide: bid",
        "B: hide(1)",
        "A: bid(2)",
        "money = 1",
        "to decide: bid",
    ]
    assert perceived(machine, last, 2) == [
        "to decide: bid",
        "C: wait",
        "A: bid(2)",
        "B: hide(?)",
        "money = 1",
        "to decide: bid",
    ]


def test_nobody_notices_in_which_order_choices_are_asked_for(machine_of, follow) -> None:
    machine = machine_of(TOGETHER)
    all_three = follow(machine, "drawn(A, true)", "wait", "wait", "wait")
    two = follow(machine, "drawn(C, false)", "wait", "wait")
    assert machine.information_state(all_three, 1) == machine.information_state(two, 1)
    two = follow(machine, "drawn(A, false)", "wait", "wait")
    assert machine.information_state(all_three, 2) == machine.information_state(two, 2)
