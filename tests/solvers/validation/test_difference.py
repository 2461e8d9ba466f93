"""Two games side by side: the kinds of differences, and random pairs against a search that joins no plays."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf
from random import Random
from typing import Any

import pytest
from all_machines import compiled_machine, python_machine
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.small import write_small
from written_games import bundled_model, model_of

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.validation import difference
from zermelo.solvers.validation.difference import Compared, compare
from zermelo.solvers.validation.situations import LONGEST, Aspect, Renaming, Side, TracedPlays

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


STOP = "            move stop: end payoff {who: 1, next who: -1}\n"


@pytest.mark.parametrize(
    "text", [ROUND, variant(ROUND, (STOP, ""), ("            move on", f"{STOP}            move on"))]
)
def test_a_play_that_never_ends(text: str) -> None:
    """Whether the move that ends the play comes first among the moves or last."""
    found = compared(
        text, variant(text, ("endless payoff {Ann: 0, Bob: 0}", "endless payoff {Ann: 1, Bob: -1}")), perceives=False
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


@pytest.mark.parametrize("decision", ["turn Ann", "chance"])
@pytest.mark.parametrize("names", [("left", "right"), ("right", "left")])
def test_two_moves_that_get_one_text_are_two(decision: str, names: tuple[str, str]) -> None:
    rule = "outcome" if decision == "chance" else "move"
    one = f"""
    game "Ways"
    players Ann, Bob
    start at choose
    phase choose:
        {decision}:
            {rule} {names[0]}: end draw
"""
    two = one + f"            {rule} {names[1]}: end draw\n"
    found = compared(two, one, **{names[1]: names[0]}).difference
    assert found is not None
    assert found.aspect is Aspect.MOVES


def test_players_change_their_seats() -> None:
    """The order of the players in a file decides nothing by itself."""
    assert compared(TREASURE, variant(TREASURE, ("players Ann, Bob", "players Bob, Ann"))).difference is None


SHOWN = """
    game "Shown"
    players Ann, Bob, Cid
    var coin: 0..1 = 0    seen by Bob
    start at toss
    phase toss:
        chance:
            outcome toss(n in 0..1):
                coin := n
                go ask(Ann)
    phase ask(p: Player):
        turn p:
            move guess(n in 0..1):
                if p == Cid: end draw
                go ask(next p)
"""


def test_who_sees_something_is_found_whatever_the_seats_are() -> None:
    seats = variant(SHOWN, ("players Ann, Bob, Cid", "players Cid, Ann, Bob"))
    assert compared(SHOWN, seats).difference is None
    for other in ("Ann", "Cid"):
        found = compared(SHOWN, variant(seats, ("seen by Bob", f"seen by {other}"))).difference
        assert found is not None
        assert found.aspect is Aspect.PERCEPTION


def learned(first: list[str], second: list[str], words: dict[str, str], settled: list[str]) -> dict[str, str]:
    renaming = Renaming(dict(words))
    renaming.agree(settled)
    renaming.learn(first, second)
    return renaming.words


def test_one_word_alone_may_fit() -> None:
    assert learned(["a", "b(1)"], ["x", "y(1)"], {}, []) == {"a": "x", "b": "y"}
    assert learned(["a", "b"], ["x"], {}, []) == learned(["a"], ["x", "y"], {}, []) == {}
    assert learned(["a(1)"], ["x(2)"], {}, []) == learned(["x"], ["x"], {}, []) == {}
    assert learned(["a"], ["x", "y"], {}, ["y"]) == {"a": "x"}, "what has been compared has its meaning"
    assert learned(["a"], ["x"], {"b": "x"}, []) == {"b": "x"}


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


DIFFERENCE_LONGEST = 5


def with_a_change(number: int, random: Random) -> tuple[Model, Model] | None:
    """A random game twice, the second time with another number in its file, or another word of secrecy."""
    text = write_small(Random(number))
    places = list(re.finditer(r"(?<![\w.])\d(?![\w.])|\bhidden\b|\bpublic\b", text))
    if not places:
        return None
    place = random.choice(places)
    other = {"hidden": "public", "public": "hidden"}.get(place[0]) or str((int(place[0]) + 1) % 10)
    changed = text[: place.start()] + other + text[place.end() :]
    note(f"{text}\n\nin line {text[: place.start()].count(chr(10)) + 1}: {place[0]} becomes {other}")
    first, second = (check(Source("random.game", each))[0] for each in (text, changed))
    return None if first is None or second is None else (first, second)


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
@settings(max_examples=many(60), deadline=None)
def test_random_games_with_a_change(number: int, random: Random) -> None:
    """A number of the file becomes another, or a word of secrecy: an independent search finds a difference where this
    one does, after as many moves."""
    models = with_a_change(number, random)
    if models is None:
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
        assert length > found.length and (length > DIFFERENCE_LONGEST or shortest(first, second, length) is not None)
        return
    expected = shortest(first, second, min(DIFFERENCE_LONGEST, found.length) if found.stopped else DIFFERENCE_LONGEST)
    if expected is not None:
        assert length == expected
    elif length is not None:
        assert length > DIFFERENCE_LONGEST


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


# Random plays of two games in step: what they show is true, and is found where not all plays can be compared.


LONG = """
    game "Long way"
    players Ann, Bob
    var at: 0..99 = 0
    start at walk(Ann)
    phase walk(who: Player):
        turn who:
            move step(n in 1..3):
                at += n
                if at >= 30: end win who
                go walk(next who)
"""

CARDS = """
    game "Cards"
    players Ann, Bob
    type Card = 1..24
    var hand[Player]: set of Card = {}   private
    start at deal
    phase deal:
        chance:
            outcome deal(a in subsets(Card, 8), b in subsets(Card - a, 8)):
                hand[Ann] := a
                hand[Bob] := b
                go play
    phase play:
        turn Ann:
            move call: go reply
    phase reply:
        turn Bob:
            move show:
                if 7 in hand[Bob]: end win Bob
                end win Ann
"""


def machines(first, *changes):
    """A game, and the same with changes of its text."""
    second = first
    for old, new in changes:
        assert old in second
        second = second.replace(old, new)
    return ReferenceMachine(model_of(first)), ReferenceMachine(model_of(second))


def test_what_is_far_from_the_beginning():
    """All plays of four moves are alike; those that reach 30 are not."""
    found = compare(*machines(LONG, ("at >= 30", "at >= 29")), {}, False, Limits(), 50)
    assert found.stopped == "after 50 pairs of positions"
    assert found.difference is not None and found.difference.aspect is Aspect.ACTOR
    assert found.length < 10 <= len(found.difference.plays[0]) == len(found.difference.plays[1]) < 20
    assert found.plays > 1


def test_words_that_only_plays_meet():
    """A move with another name comes after the pairs that are compared: its name is learned there, too."""
    late = LONG.replace("move step", "move rest if at >= 20:\n                go walk(next who)\n            move step")
    found = compare(*machines(late, ("move rest", "move wait")), {}, False, Limits(), 10)
    assert (found.difference, found.words) == (None, {"rest": "wait"}) and found.stopped
    found = compare(*machines(late, ("move rest if at >= 20", "move wait if at >= 21")), {}, False, Limits(), 10)
    assert found.difference is not None and found.difference.aspect is Aspect.MOVES


def test_without_plays_nothing_is_shown():
    found = compare(*machines(LONG, ("at >= 30", "at >= 29")), {}, False, Limits(), 50, plays=0)
    assert (found.difference, found.plays) == (None, 0)


def test_deals_that_nobody_can_list():
    found = compare(*machines(CARDS), {}, True, Limits(), 50)
    assert found.difference is None and "too many outcomes" in found.stopped and found.plays == 200
    found = compare(*machines(CARDS, ("7 in hand[Bob]", "8 in hand[Bob]")), {}, True, Limits(), 50)
    assert found.difference is not None and found.difference.aspect is Aspect.PAYOFFS
    assert [str(move) for move in found.difference.plays[0][1:]] == ["call", "show"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("subsets(Card - a, 8)", "subsets(Card - a, 7)"), ("9,465,511,770 outcomes", "8,413,788,240 outcomes")),
        (("1..24", "1..25"), ("9,465,511,770 outcomes", "26,293,088,250 outcomes")),
    ],
)
def test_other_deals(change, said):
    """By hand: 24! / (8! 8! 8!), 24! / (8! 7! 9!), 25! / (8! 8! 9!)."""
    found = compare(*machines(CARDS, change), {}, True, Limits(), 50)
    assert found.difference is not None
    assert (found.difference.aspect, found.difference.said) == (Aspect.CHANCE, said)
    assert not found.stopped, "no play is shorter"


def test_as_many_deals_of_other_cards():
    found = compare(*machines(CARDS, ("1..24", "2..25")), {}, True, Limits(), 50)
    assert found.difference is not None and found.difference.aspect is Aspect.CHANCE
    with_a_card_less, without = found.difference.said
    assert " with 1/9465511770" in with_a_card_less and without.startswith("no deal(")


ENDLESS = """
    game "Round"
    players Ann, Bob
    endless draw
    var coin[Player]: Side? = none
    type Side = heads | tails
    start at toss
    phase toss:
        together p in Player:
            move show(s in Side)
        then:
            if show[Ann].s == show[Bob].s: go toss
            end win (if show[Ann].s == heads then Ann else Bob)
"""


@pytest.mark.parametrize("machine", [ReferenceMachine, python_machine])
def test_plays_that_never_end(machine):
    """Players remember what they have seen, so the pairs are too many; but a play goes round."""
    first = machine(model_of(ENDLESS))
    second = machine(model_of(ENDLESS.replace("endless draw", "endless win Bob")))
    found = compare(first, second, {}, True, Limits(), 100)
    assert found.stopped and found.difference is not None
    assert (found.difference.aspect, found.difference.said) == (Aspect.ENDLESS, ("Ann 0, Bob 0", "Ann -1, Bob 1"))
    for play in found.difference.plays:
        assert len(play) == 2 and len({str(move) for move in play}) == 1, "one round, which comes back to the beginning"
    assert compare(first, first, {}, True, Limits(), 100).difference is None


@pytest.mark.parametrize("machine", [ReferenceMachine, python_machine])
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
@settings(max_examples=many(60), deadline=None)
def test_what_random_plays_show_of_random_games(machine: Any, number: int, random: Random) -> None:
    """The two plays are replayed: the games do differ there, or tell other plays apart."""
    models = with_a_change(number, random)
    if models is None:
        return
    try:
        first, second = machine(models[0]), machine(models[1])
    except Unsupported:
        return
    if first.player_names != second.player_names or first.discount != second.discount:
        return
    found = compare(first, second, {}, True, Limits(), 1, plays=1_000)
    if found.difference is None or not found.stopped:
        return
    shown = found.difference
    if shown.aspect is Aspect.PERCEPTION:
        player = first.player_names.index(shown.player)
        same = [
            machine.information_state(replayed(machine, one), player)
            == machine.information_state(replayed(machine, two), player)
            for machine, one, two in zip((first, second), shown.plays, shown.others, strict=True)
        ]
        assert same[0] != same[1]
    else:
        assert looked(first, shown.plays[0]) != looked(second, shown.plays[1])


def replayed(machine, play):
    state = machine.initial()
    for move in play:
        state = machine.after(state, machine.find_move(state, str(move)))
    return state


def looked(machine, play):
    """What there is to see after a play, or the error of the rules."""
    try:
        state = replayed(machine, play)
        actor = machine.actor(state)
        amounts = machine.payoff(state) if actor == -2 else machine.earned(state)
        return actor, amounts, set(map(str, machine.moves(state))), actor == -1 and set(machine.outcomes(state))
    except PlayError as error:
        return error.code


# Random plays of two games that kernels make: alike where the games are, and suspect where the games differ.


LOCK = """
    game "Lock"
    players Ann, Bob
    param prize: 1..9 = 1
    var digits: 0..9 = 0
    var paid: 0..9 = 0
    start at turning(Ann)
    phase turning(who: Player):
        turn who:
            move turn_to(n in 0..9):
                if n != 3: end draw
                digits += 1
                if digits == 7: go opened(who)
                go turning(other who)
    phase opened(who: Player):
        turn who:
            move take(n in 1..3):
                paid := n
                if n == 2: end payoff {who: prize, other who: -prize}
                end win who
"""
COMBINATION = ("turn_to(3)",) * 7

WALK = """
    game "Walk"
    players Ann, Bob
    param length: 1..99 = 30
    var at: 0..99 = 0
    start at toss(Ann)
    phase toss(who: Player):
        chance:
            outcome far weight 2: go walk(who, 2)
            outcome near weight 1: go walk(who, 1)
    phase walk(who: Player, most: 1..2):
        turn who:
            move step(n in 1..most):
                at += n
                if at >= length: end win who
                go toss(next who)
"""
MACHINES = [python_machine, compiled_machine]


def suspect(first, second, plays=300, beginnings=()):
    """What the kernels suspect, and after how many plays."""
    order = tuple(range(len(first.player_names)))
    sides = Side(first, order, str), Side(second, order, str)
    roots = []
    for beginning in ((), *beginnings):
        states = [machine.initial() for machine in (first, second)]
        for text in beginning:
            pairs = zip((first, second), states, strict=True)
            states = [machine.after(state, machine.find_move(state, text)) for machine, state in pairs]
        roots.append((beginning, *states))
    traced = TracedPlays(*sides, roots)
    return traced.suspect(plays, Limits(), ignore_progress, 0.0), traced.played


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker", "pig", "colonel_blotto", "rock_paper_scissors_match"])
def test_nothing_is_suspect_in_one_game(machine, name):
    models = bundled_model(name), bundled_model(name)
    assert suspect(*map(machine, models), plays=20) == ((), 20)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_short_play_to_where_the_games_differ(machine):
    """At 30 or more one game ends, at 29 the other, too: plays to 29 take from 15 steps to 29, with as many draws."""
    models = model_of(WALK), model_of(WALK, length=29)
    moves, played = suspect(*map(machine, models))
    assert played == 300 and 2 * 15 <= len(moves) < 2 * 22
    assert sum(int(move[5]) for move in moves if move.startswith("step")) == 29


def test_plays_are_the_same_in_python_and_as_machine_code():
    models = model_of(WALK), model_of(WALK, length=29)
    assert suspect(*map(python_machine, models)) == suspect(*map(compiled_machine, models))


@pytest.mark.parametrize("machine", MACHINES)
def test_other_chances(machine):
    changed = WALK.replace("weight 2", "weight 3")
    moves, _ = suspect(machine(model_of(WALK)), machine(model_of(changed)))
    assert moves == (), "the root itself is other"
    found = compare(machine(model_of(WALK)), machine(model_of(changed)), {}, False, Limits(), 1)
    assert found.difference is not None and found.difference.aspect is Aspect.CHANCE


@pytest.mark.parametrize("machine", MACHINES)
def test_from_where_given_moves_lead(machine):
    """A lock opens for one combination in ten millions; what differs comes after it."""
    first, second = machine(model_of(LOCK)), machine(model_of(LOCK, prize=2))
    assert suspect(first, second)[0] == ()
    assert suspect(first, second, beginnings=[COMBINATION])[0] == (*COMBINATION, "take(2)")
    found = compare(first, second, {}, False, Limits(), 3, plays=300, beginnings=[COMBINATION])
    assert found.difference is not None and found.difference.aspect is Aspect.PAYOFFS
    assert [str(move) for move in found.difference.plays[0]] == [*COMBINATION, "take(2)"]
    assert compare(first, second, {}, False, Limits(), 3, plays=300).difference is None


def test_given_moves_on_the_reference_machine():
    """Random plays begin with them there, too."""
    first, second = ReferenceMachine(model_of(LOCK)), ReferenceMachine(model_of(LOCK, prize=2))
    given = [COMBINATION, ("turn_to(10)", "nonsense")]
    found = compare(first, second, {}, False, Limits(), 3, beginnings=given)
    assert found.difference is not None and found.difference.said == ("Ann 1, Bob -1", "Ann 2, Bob -2")
    found = compare(first, second, {}, False, Limits(), 3, plays=1, beginnings=[(*COMBINATION, "take(2)")])
    assert found.difference is not None, "the given moves alone"


@pytest.mark.parametrize("machine", MACHINES)
def test_a_rule_that_fails_in_one_game(machine):
    changed = LOCK.replace("paid := n", "paid := n + 7")
    moves, _ = suspect(machine(model_of(LOCK)), machine(model_of(changed)), beginnings=[COMBINATION])
    assert moves == (*COMBINATION, "take(3)")


def test_what_kernels_cannot_tell():
    """Other units of payoffs, or no kernels at all."""
    thirds = LOCK.replace("{who: prize, other who: -prize}", "{who: prize / 3, other who: -prize / 3}")
    for other in (python_machine(model_of(thirds)), ReferenceMachine(model_of(LOCK))):
        assert suspect(python_machine(model_of(LOCK)), other) == ((), 0)


def test_plays_without_an_end():
    """Each is given up after as many moves as a play may have."""
    text = """
        game "Round"
        players Ann, Bob
        endless draw
        var at: 0..3 = 0
        start at turning(Ann)
        phase turning(who: Player):
            turn who:
                move on:
                    at := (at + 2) % 4
                    go turning(next who)
                move stop if at == 1: end draw
    """
    moves, played = suspect(compiled_machine(model_of(text)), compiled_machine(model_of(text)), plays=100)
    assert moves == () and 100 * 100 / (LONGEST + 1) <= played <= 100
