"""Two games side by side: the kinds of differences, and random pairs against a search that joins no plays."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.small import write_small
from written_games import bundled_model, model_of

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.validation import difference
from zermelo.solvers.validation.difference import Compared, compare
from zermelo.solvers.validation.situations import Aspect

TAKING = """
    game "Taking"
    players Ann, Bob
    param heap: 0..9 = 3
    var left: 0..9 = heap
    start at play(Ann)
    phase play(who: Player):
        turn who:
            move take(n in 1..2) if n <= left:
                left -= n
                if left == 0: end payoff {who: 1, next who: -1}
                go play(next who)
"""

TREASURE = """
    game "Treasure"
    players Ann, Bob
    type Side = left | right
    var side: Side  hidden
    start at hide
    phase hide:
        chance:
            outcome bury(s in Side):
                side := s
                go look
    phase look:
        turn Ann:
            move ask: go dig
            move wait: go dig
    phase dig:
        turn Bob:
            move dig(s in Side):
                if s == side: end payoff {Bob: 1, Ann: 0}
                end payoff {Ann: 1, Bob: 0}
"""

ROUND = """
    game "Round"
    players Ann, Bob
    endless payoff {Ann: 0, Bob: 0}
    start at play(Ann)
    phase play(who: Player):
        turn who:
            move on: go play(next who)
            move stop: end payoff {who: 1, next who: -1}
"""


def compared(first: Any, second: Any, most: float = inf, perceives: bool = True, **words: str) -> Compared:
    """Two texts or models, compared."""
    machines = [ReferenceMachine(model_of(game) if isinstance(game, str) else game) for game in (first, second)]
    return compare(machines[0], machines[1], words, perceives, Limits(), most)


def variant(text: str, *changes: tuple[str, str]) -> str:
    """A text with changes."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def plays(found: Compared) -> tuple[str, ...]:
    """The play of a difference, in both games' words."""
    assert found.difference is not None
    return tuple(", ".join(map(str, play)) for play in found.difference.plays)


@pytest.mark.parametrize(
    ("old", "new", "kind", "play", "said"),
    [
        ("1..2", "1..3", Aspect.MOVES, "", ("nothing more", "take(3)")),
        ("= 3", "= 2", Aspect.MOVES, "take(1)", ("take(2)", "nothing more")),
        ("= 3", "= 4", Aspect.MOVES, "take(2)", ("nothing more", "take(2)")),
        ("if left == 0", "if left <= 1", Aspect.ACTOR, "take(2)", ("Bob is to move", "the play ends")),
        ("go play(next who)", "go play(who)", Aspect.ACTOR, "take(1)", ("Bob is to move", "Ann is to move")),
        ("{who: 1,", "{who: n,", Aspect.PAYOFFS, "take(1), take(2)", ("Ann -1, Bob 1", "Ann -1, Bob 2")),
        ("next who: -1", "next who: -1 - left", None, "", ("", "")),
        ("left -= n", "left -= n * n", Aspect.ERROR, "take(2)", ("no error", "assigned-out-of-range")),
        ("go play", "earn who: 1; go play", Aspect.EARNINGS, "take(1)", ("Ann 0, Bob 0", "Ann 1, Bob 0")),
        ("start", "endless payoff {Ann: 1, Bob: -1}\n    start", None, "", ("", "")),  # all plays end
        ("start", "discount 1/2\n    start", Aspect.DISCOUNT, "", ("1", "1/2")),
    ],
)
def test_the_shortest_play_on_which_games_differ(
    old: str, new: str, kind: Aspect | None, play: str, said: tuple[str, str]
) -> None:
    if "; " in new:
        new = new.replace("; ", "\n                ")
    changed = variant(TAKING, (old, new))
    found, turned = compared(TAKING, changed), compared(changed, TAKING)
    assert not found.stopped
    if kind is None:
        assert found.difference is None is turned.difference
        return
    assert found.difference is not None and turned.difference is not None
    assert (found.difference.aspect, turned.difference.aspect) == (kind, kind)
    assert plays(found) == plays(turned) == (play, play)
    assert found.difference.said == said == turned.difference.said[::-1]


def test_players_differ() -> None:
    third = variant(TAKING, ("Ann, Bob", "Ann, Bob, Cid"), ("{who: 1, next who: -1}", "{p: 0 for p in Player}"))
    found = compared(TAKING, third).difference
    assert found is not None
    assert (found.aspect, found.said) == (Aspect.PLAYERS, ("Ann, Bob", "Ann, Bob, Cid"))


def test_chances_differ() -> None:
    biased = variant(
        TREASURE, ("outcome bury(s in Side):", "outcome bury(s in Side) weight (if s == left then 2 else 1):")
    )
    found = compared(TREASURE, biased)
    assert found.difference is not None
    assert found.difference.aspect is Aspect.CHANCE
    assert found.difference.said == (
        "bury(left) with 1/2, bury(right) with 1/2",
        "bury(left) with 2/3, bury(right) with 1/3",
    )


def test_a_play_that_never_ends() -> None:
    found = compared(
        ROUND, variant(ROUND, ("endless payoff {Ann: 0, Bob: 0}", "endless payoff {Ann: 1, Bob: -1}")), perceives=False
    )
    assert found.difference is not None
    assert found.difference.aspect is Aspect.ENDLESS
    assert plays(found) == ("on, on", "on, on")
    assert found.difference.said == ("Ann 0, Bob 0", "Ann 1, Bob -1")


ASKED = variant(
    TREASURE, ("move ask: go dig", "move ask:\n                tell Ann that chest(side)\n                go dig")
)
TOLD_BOB = variant(
    TREASURE, ("move ask: go dig", "move ask:\n                tell Bob that chest(side)\n                go dig")
)


def test_who_perceives_what() -> None:
    """Ann has nothing to decide after she has asked, so that what she is told makes no difference; Bob has."""
    assert compared(TREASURE, ASKED).difference is None
    for first, second, said in (
        (TREASURE, TOLD_BOB, ("does not tell the two plays apart", "does")),
        (TOLD_BOB, TREASURE, ("tells the two plays apart", "does not")),
    ):
        found = compared(first, second).difference
        assert found is not None
        assert (found.aspect, found.player, found.said) == (Aspect.PERCEPTION, "Bob", said)
        assert [str(move) for move in found.plays[0]] == ["bury(left)", "ask"]
        assert [str(move) for move in found.others[1]] == ["bury(right)", "ask"]
    assert compared(TREASURE, TOLD_BOB, perceives=False).difference is None


def test_other_words_for_the_same_observation() -> None:
    """What is told, and what is seen of a variable, differ as texts, not as information."""
    seen = variant(
        TREASURE,
        ("start at hide", "var chest: Side  seen by Bob\n    start at hide"),
        ("move ask: go dig", "move ask:\n                chest := side\n                go dig"),
    )
    assert compared(TOLD_BOB, seen).difference is None


def test_words_are_found() -> None:
    other = variant(TAKING, ("take", "remove"), ("Ann", "White"), ("Bob", "Black"))
    found = compared(TAKING, other)
    assert found.difference is None
    assert found.words == {"Ann": "White", "Bob": "Black", "take": "remove"}


def test_words_that_could_mean_two_things_are_not_guessed() -> None:
    other = variant(TREASURE, ("ask", "hear"), ("wait", "pause"))
    found = compared(TREASURE, other).difference
    assert found is not None
    assert found.aspect is Aspect.MOVES
    assert compared(TREASURE, other, ask="hear", wait="pause").difference is None


def test_members_are_renamed_and_no_two_words_become_one() -> None:
    other = variant(TREASURE, ("left", "west"), ("right", "east"))
    assert compared(TREASURE, other, left="west", right="east").difference is None
    crossed = compared(TREASURE, other, left="east", right="west").difference
    assert crossed is None, "the sides are alike"
    joined = compared(TREASURE, TREASURE, left="right").difference
    assert joined is not None
    assert joined.aspect is Aspect.MOVES


def test_players_change_their_seats() -> None:
    """The order of the players in a file decides nothing by itself."""
    assert compared(TREASURE, variant(TREASURE, ("players Ann, Bob", "players Bob, Ann"))).difference is None


def test_a_walk_that_is_stopped_says_how_far_it_came() -> None:
    found = compared(bundled_model("tic_tac_toe"), bundled_model("tic_tac_toe"), most=100, perceives=False)
    assert (found.difference, found.length) == (None, 2)  # 1 + 9 + 72 positions after at most two moves
    assert found.stopped == "after 100 pairs of positions"
    small = Limits(memory=20_000)
    machine = ReferenceMachine(bundled_model("tic_tac_toe"))
    assert "memory" in compare(machine, machine, {}, False, small, inf).stopped


# ---------------------------------------------------------------------- random games


Leaf = tuple[Any, ...]


def shortest(first: ReferenceMachine, second: ReferenceMachine, longest: int) -> int | None:
    """The length of the shortest play on which two games differ, by all plays of each length in turn; None if none of
    up to ``longest`` moves does. Who perceives what is compared by the partition of the plays of all lengths so far."""
    begun = tried(first.initial), tried(second.initial)
    if isinstance(begun[0], str) or isinstance(begun[1], str):
        return None if begun[0] == begun[1] else 0
    level: list[tuple[Any, Any]] = [begun]
    told: list[tuple[int, Any, Any]] = []
    for length in range(longest + 1):
        after = []
        for ours, theirs in level:
            if told_of(first, ours) != told_of(second, theirs):
                return length
            actor = first.actor(ours)
            if actor >= 0:
                told.append((actor, first.information_state(ours, actor), second.information_state(theirs, actor)))
            if actor == END:
                continue
            moves = [move for move, _ in first.outcomes(ours)] if actor == CHANCE else first.moves(ours)
            after += [(tried(first.after, ours, move), tried(second.after, theirs, move)) for move in moves]
        for player, ours, theirs in told:
            for other, our, their in told:
                if player == other and (ours == our) != (theirs == their):
                    return length
        level = []
        for ours, theirs in after:
            if isinstance(ours, str) or isinstance(theirs, str):
                if ours != theirs:
                    return length + 1
            else:
                level.append((ours, theirs))
    return None


def told_of(machine: ReferenceMachine, state: Any) -> Leaf:
    """What is compared of a state."""
    try:
        actor = machine.actor(state)
        amounts = machine.payoff(state) if actor == END else machine.earned(state)
        chances = frozenset(machine.outcomes(state)) if actor == CHANCE else None
        return actor, amounts, chances, frozenset(machine.moves(state))
    except PlayError as error:
        return (error.code,)


def tried(step: Callable[..., Any], *arguments: Any) -> Any:
    """A state, or the code of the error that prevents it."""
    try:
        return step(*arguments)
    except PlayError as error:
        return error.code


LONGEST = 5


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
@settings(max_examples=many(60), deadline=None)
def test_random_games_with_a_change(number: int, random: Random) -> None:
    """A number of the file becomes another, or a word of secrecy: an independent search finds a difference where this
    one does, after as many moves."""
    text = write_small(Random(number))
    places = list(re.finditer(r"(?<![\w.])\d(?![\w.])|\bhidden\b|\bpublic\b", text))
    if not places:
        return
    place = random.choice(places)
    other = {"hidden": "public", "public": "hidden"}.get(place[0]) or str((int(place[0]) + 1) % 10)
    changed = text[: place.start()] + other + text[place.end() :]
    note(f"{text}\n\nin line {text[: place.start()].count(chr(10)) + 1}: {place[0]} becomes {other}")
    models = [check(Source("random.game", each))[0] for each in (text, changed)]
    if models[0] is None or models[1] is None:
        return
    first, second = ReferenceMachine(models[0]), ReferenceMachine(models[1])
    if first.player_names != second.player_names or first.discount != second.discount:
        return
    found = compare(first, second, {}, True, Limits(), 300)
    length = None if found.difference is None else len(found.difference.plays[0])
    if found.difference is not None and found.difference.aspect in (Aspect.PERCEPTION, Aspect.ENDLESS):
        length = max(length or 0, len(found.difference.others[0]))
    if found.difference is not None and found.difference.aspect is Aspect.ENDLESS:
        return
    if found.stopped and length is not None:  # a random play has shown it
        assert shortest(first, second, found.length) is None
        assert length > found.length and (length > LONGEST or shortest(first, second, length) is not None)
        return
    expected = shortest(first, second, min(LONGEST, found.length) if found.stopped else LONGEST)
    if expected is not None:
        assert length == expected
    elif length is not None:
        assert length > LONGEST


def test_a_pair_in_whose_rules_the_time_was_up_is_compared_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first pairs are given up in the middle of a rule, and the walk goes on with the pair at which it was."""
    whole, calls = difference._Walk._compare, []

    def interrupted(walk: Any, *pair: Any) -> Any:
        calls.append(pair)
        found = whole(walk, *pair)
        if len(calls) == 3:
            raise DeadlinePassed
        return found

    usual = compared(TAKING, TAKING)
    monkeypatch.setattr(difference._Walk, "_compare", interrupted)
    found = compared(TAKING, TAKING)
    assert (found.difference, found.stopped, found.pairs) == (None, "", usual.pairs)
    assert len(calls) == usual.pairs + 1
