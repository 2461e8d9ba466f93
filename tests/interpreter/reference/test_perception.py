"""Information states, written out."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from all_machines import AT_ONCE
from random_cases import seeds
from random_games.labelled import LabelledTree, is_told_apart_as_labelled, labelled_tree
from random_games.paused import with_and_without
from written_games import model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import count_information_sets
from zermelo.interpreter.machine import CHANCE, END, Asked, Told
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.machine import LoweredMachine, machine_over
from zermelo.interpreter.reference.machine import ReferenceMachine


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


# What players earn is not perceived: they know of it what they are told, and what follows from the moves.


BANDIT = """
    game "Pull once, then pull or stop"
    players Ann
    var good: Bool hidden
    start at nature
    phase nature:
        chance:
            outcome good(b in Bool):
                good := b
                go pull(1)
    phase pull(n: 1..2):
        turn Ann:
            move pull:
                earn Ann: if good then 1 else -1
                {tell}
                if n == 2: end
                go pull(2)
            move stop: end
"""


@pytest.mark.parametrize(("tell", "is_known"), [("", False), ("tell Ann that got(if good then 1 else -1)", True)])
def test_a_player_knows_what_they_earned_if_they_are_told(machine_of, tell: str, is_known: bool) -> None:
    machine = machine_of(BANDIT.replace("{tell}", tell))
    start = machine.initial()
    assert machine.actor(start) == CHANCE
    first, second = (
        machine.after(after, machine.find_move(after, "pull"))
        for after in (machine.after(start, outcome) for outcome, _ in machine.outcomes(start))
    )
    assert machine.earned(first) != machine.earned(second)
    assert (machine.information_state(first, 0) != machine.information_state(second, 0)) == is_known


# Information sets of trees: exactly the nodes that the labels join, at any depth and after any moves of others. The
# trees are random, and their sets are known independently of the machines.


@pytest.mark.parametrize("seed", seeds(200))
def test_labels_alone_make_information_sets(seed: int) -> None:
    random = Random(seed)
    tree = labelled_tree(random, depth=random.choice((3, 4, 5)), players=random.choice((1, 2, 2, 3)))
    model = model_of(tree.game(random))
    assert is_told_apart_as_labelled(tree, ReferenceMachine(model))
    assert is_told_apart_as_labelled(tree, machine_over(lower(model)))


def test_the_trees_try_what_is_hard() -> None:
    """Many have a set with nodes at different depths, and after decisions of other players."""
    trees = [labelled_tree(Random(seed)) for seed in range(200)]
    deep = 0
    for tree in trees:
        depths: dict[int, set[int]] = {}
        for path, number in tree.sets.items():
            depths.setdefault(number, set()).add(len(path))
        deep += any(len(found) > 1 for found in depths.values())
    assert deep > 50


def test_a_label_that_would_need_forgetting_is_refused() -> None:
    """A node below another one of its own set: the player remembers their move there."""
    refused = 0
    for seed in range(100):
        tree = labelled_tree(Random(seed), players=1)
        joined = {path: node for path, node in tree.root.nodes() if node.player}
        pairs = [
            (above, below)
            for path, above in joined.items()
            for other, below in joined.items()
            if len(other) > len(path) and other[: len(path)] == path and set(above.names) == set(below.names)
        ]
        if not pairs:
            continue
        above, below = pairs[0]
        below.set = above.set
        labels = [label or f"set{number}" for number, label in enumerate(tree.labels)]
        _, findings = check(Source("labels.game", LabelledTree(tree.players, tree.root, tuple(labels)).game()), {})
        assert "forgetful-label" in {finding.code for finding in findings}
        refused += 1
    assert refused > 3


# There is no hidden clock: decisions that a player does not perceive leave no trace in their information state,
# however many they are, and whatever comes before and after them.


TRIALS = Path(__file__).parents[2] / "trial" / "proofs"
CY = 2


def lowered(model: Model) -> LoweredMachine:
    return machine_over(lower(model))


def states(machine: Any) -> dict[tuple[str, ...], Any]:
    """All decisions and ends, by their plays without the moves of Cy; plays that differ only in these are numbered."""
    found: dict[tuple[str, ...], Any] = {}
    waiting: list[tuple[tuple[str, ...], Any]] = [((), machine.initial())]
    while waiting:
        play, state = waiting.pop()
        actor = machine.actor(state)
        if actor not in (CHANCE, CY):
            found[(*play, str(len(found)))] = state
        moves = [move for move, _ in machine.outcomes(state)] if actor == CHANCE else machine.moves(state)
        for move in moves:
            waiting.append((play if actor == CY else (*play, f"{actor}: {move}"), machine.after(state, move)))
    return found


@pytest.mark.parametrize("on", [ReferenceMachine, lowered])
@pytest.mark.parametrize("seed", seeds(60))
def test_secret_decisions_of_another_leave_no_trace(seed: int, on: Any) -> None:
    plain, paused = map(model_of, with_and_without(Random(seed)))
    without, with_cy = on(plain), on(paused)
    expected = {play[:-1]: state for play, state in states(without).items()}
    met = states(with_cy)
    same_there: dict[Hashable, Hashable] = {}
    same_here: dict[Hashable, Hashable] = {}
    assert {play[:-1] for play in met} == expected.keys()
    for (*play, _), state in met.items():
        there = expected[tuple(play)]
        assert with_cy.actor(state) == without.actor(there)
        for player in (0, 1):
            known, in_plain = with_cy.information_state(state, player), without.information_state(there, player)
            assert list(map(str, known)) == list(map(str, in_plain)), play
            assert same_there.setdefault((player, known), in_plain) == in_plain
            assert same_here.setdefault((player, in_plain), known) == known
    if isinstance(with_cy, LoweredMachine):
        assert "machine" not in with_cy._twin.__dict__, "the lowered machine needs no fallback"


def test_the_random_games_have_secret_decisions_before_others() -> None:
    asked = 0
    for seed in range(60):
        machine = ReferenceMachine(model_of(with_and_without(Random(seed))[1]))
        for state in states(machine).values():
            before = state.before
            while before is not None and before.actor == CHANCE:
                before = before.before
            asked += state.actor != END and before is not None and before.actor == CY
    assert asked > 200


@pytest.mark.parametrize("name", ["02_label_split", "02b_hidden_clock_phases"])
def test_trials(name: str) -> None:
    model = model_of((TRIALS / f"{name}.game").read_text())
    for machine in (ReferenceMachine(model), lowered(model)):
        known: set[Hashable] = set()
        asked = 0
        for play, state in states(machine).items():
            if machine.actor(state) == 0 and len(play) > 1:
                known.add(machine.information_state(state, 0))
                asked += 1
        assert (asked, len(known)) == (2, 1)
        assert count_information_sets(machine, 100).count == 3


def test_what_comes_first_in_a_step_may_as_well_have_come_in_the_step_before(machine_of: Any, follow: Any) -> None:
    """A message by the move itself or by a secret move after it: the same observations in the same order."""
    machine = machine_of("""
        game "One step or two"
        players A, B
        start at p
        phase p:
            turn A:
                move at_once secret:
                    tell B that one
                    tell B that two
                    go answer
                move slowly secret:
                    tell B that one
                    go more
        phase more:
            turn A:
                move on secret:
                    tell B that two
                    go answer
        phase answer:
            turn B:
                move guess(n in 1..2): end draw
    """)
    one, two = follow(machine, "at_once"), follow(machine, "slowly", "on")
    assert machine.information_state(one, 1) == machine.information_state(two, 1)
    assert machine.information_state(one, 1) == (Told("one", ()), Told("two", ()), Asked("answer", ()))


def test_values_that_change_one_after_the_other_are_told_apart(machine_of: Any, follow: Any) -> None:
    machine = machine_of("""
        game "At once or not"
        players A, B
        var x: 0..1 = 0
        var y: 0..1 = 0
        start at p
        phase p:
            turn A:
                move both secret:
                    x := 1
                    y := 1
                    go answer
                move slowly secret:
                    x := 1
                    go more
                move back secret:
                    x := 1
                    go again
        phase more:
            turn A:
                move on secret:
                    y := 1
                    go answer
        phase again:
            turn A:
                move back secret:
                    x := 0
                    go answer
        phase answer:
            turn B:
                move guess(n in 1..2): end draw
    """)

    def seen(*play: str) -> list[str]:
        return list(map(str, machine.information_state(follow(machine, *play), 1)))

    assert seen("both") == ["x = 1; y = 1", "to decide: answer"]
    assert seen("slowly", "on") == ["x = 1", "y = 1", "to decide: answer"]
    assert seen("back", "back") == ["x = 1", "x = 0", "to decide: answer"]


@pytest.mark.parametrize("make", AT_ONCE)
def test_what_is_left_out_and_what_is_hidden_are_told_apart(make: Any, construct: Any, follow: Any) -> None:
    """An argument of a move, or of a phase, that is none and seen is no hidden one."""
    machine = make(model_of(construct("phases/optional_arguments")))
    state = follow(machine, "begin(a1)", "give(queen)", "give(none, (queen, 1))", "raise", "give", "give")
    seen_by = [[text for text in perceived(machine, state, player) if ": give" in text] for player in (0, 1)]
    assert seen_by[0] == ["Ann: give(queen)", "Bob: give(?, (queen, 1))", "Bob: give(none, ?)", "Bob: give(?)"]
    assert seen_by[1] == ["Ann: give(?)", "Bob: give(none, (queen, 1))", "Bob: give", "Bob: give"]


def test_observations_of_different_kinds_are_never_equal() -> None:
    """A message may have the name of a phase."""
    assert Told("answer", ()) != Asked("answer", ())
    assert len({Told("answer", ()), Asked("answer", ())}) == 2
