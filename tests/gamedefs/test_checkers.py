"""English draughts."""

from __future__ import annotations

from random import Random


def complete_turns(play, length: int) -> int:
    """The number of sequences of complete turns; a turn may take several moves."""
    if length == 0:
        return 1
    count, waiting = 0, [play]
    while waiting:
        for move in (earlier := waiting.pop()).moves:
            later = earlier.go_on(move)
            if not later.ended and later.actor == play.actor:
                waiting.append(later)
            else:
                count += complete_turns(later, length - 1)
    return count


def test_sequences_of_complete_turns(start):
    assert [complete_turns(start("checkers"), length) for length in range(1, 5)] == [7, 49, 302, 1469]


def test_a_capture_is_obligatory(start):
    play = start("checkers").then("step(c3, d4)", "step(b6, c5)")
    assert play.legal == {"jump(d4, b6)"}


def test_the_man_that_has_captured_goes_on(start):
    play = start("checkers").then("step(c3, d4)", "step(b6, c5)", "jump(d4, b6)")
    assert play.actor == "White"  # a7 or c7 takes back; nothing more was to be taken
    assert play.legal == {"jump(a7, c5)", "jump(c7, a5)"}


def test_several_jumps_are_one_turn(start):
    random = Random(5)
    longest = 0
    for _ in range(5):
        play, mover, run, last = start("checkers"), "", 0, None
        for _ in range(120):
            if play.ended:
                break
            run = run + 1 if play.actor == mover else 1
            longest = max(longest, run)
            if run > 1:  # the piece that jumped jumps on, and nothing else may move
                assert {move.arguments[0] for move in play.moves} == {last.arguments[1]}
                assert {move.name for move in play.moves} == {"jump"}
            mover = play.actor
            last = random.choice(play.moves)
            play = play.go_on(last)
    assert longest > 1


def test_kings_that_only_walk_draw(start):
    """With the clock set to two steps."""
    random = Random(1)
    ends = set()
    for _ in range(10):
        play = start("checkers", patience=2)
        while not play.ended:
            play = play.at_random(random)
        ends.add(play.payoff)
    assert (0, 0) in ends
