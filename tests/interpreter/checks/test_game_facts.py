""""""

from __future__ import annotations

from fractions import Fraction

import pytest
from attrs import evolve
from written_games import bundled_model, model_of

from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.analysis import unnoticed_variables
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import CHECK_EVERY, Facts, choices_at, shortest_failure, survey
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import CHANCE, END, Move, PlayError
from zermelo.interpreter.reference.machine import ReferenceMachine

UNKNOWN = Fact(None, "not proved")
NOTHING_KNOWN = Facts(
    ("A", "B"), UNKNOWN, None, UNKNOWN, Fact(True, ""), Fact(False, ""), Fact(True, ""), Fact(True, ""), UNKNOWN
)


def look(machine, positions=10_000, seconds=60.0, progress=None):
    return survey(machine, positions, seconds, progress)


def nim(position):
    mover, heaps = position
    if not any(heaps):
        return END, ((-1, 1) if mover == 0 else (1, -1))
    following = {}
    for k, heap in enumerate(heaps):
        for take in range(1, heap + 1):
            following[f"take({k}, {take})"] = (1 - mover, (*heaps[:k], heap - take, *heaps[k + 1 :]))
    return mover, following


def test_positions_of_nim(toy):
    reached, waiting = set(), [(0, (1, 2, 3))]
    while waiting:
        position = waiting.pop()
        if position not in reached:
            reached.add(position)
            actor, following = nim(position)
            waiting.extend(following.values() if actor != END else ())
    found = look(toy((0, (1, 2, 3)), nim))
    assert found.finished
    assert found.positions == len(reached)
    assert found.terminals == 2
    assert found.longest == 6
    assert found.sums == (0,)
    assert found.loop is None
    assert not found.chance


def test_facts_become_proved(toy):
    known = NOTHING_KNOWN.with_survey(look(toy((0, (1, 1)), nim)))
    assert (known.constant_sum.holds, known.sum) == (True, 0)
    assert known.terminates.holds
    assert known.terminates.how == "all 4 positions have been visited, and none can come back"
    assert known.chance.holds is True  # proved by the rules already
    assert evolve(NOTHING_KNOWN, chance=UNKNOWN).with_survey(look(toy((0, (1, 1)), nim))).chance.holds is False
    assert known.common_payoff.holds is False
    assert known.common_payoff.how == "one play pays (-1, 1)"
    assert known.ends


def loops(position):
    return {
        "a": (0, {"on": "b", "off": "end"}),
        "b": (1, {"on": "c", "off": "end"}),
        "c": (CHANCE, {"back": ("1/2", "b"), "end": ("1/2", "end")}),
        "end": (END, (1, -1)),
    }[position]


def test_loop_is_shown(toy):
    found = look(toy("a", loops))
    assert found.finished
    assert found.positions == 4
    assert found.longest is None
    assert found.chance
    assert str(found.loop) == "after on, on, back lead back to the same position"
    known = NOTHING_KNOWN.with_survey(found)
    assert known.terminates == Fact(False, "after on, on, back lead back to the same position")
    assert known.constant_sum.holds is None  # an infinite play may pay something else


def test_sums_that_differ(toy):
    machine = toy("a", lambda p: {"a": (0, {"l": "x", "r": "y"}), "x": (END, (1, 0)), "y": (END, (2, 2))}[p])
    known = NOTHING_KNOWN.with_survey(look(machine))
    assert known.constant_sum == Fact(False, "one play pays 1 in all and another 4")


def test_what_is_proved_stays(toy):
    proved = evolve(NOTHING_KNOWN, constant_sum=Fact(True, "by the rules"), sum=Fraction(0))
    assert proved.with_survey(look(toy((0, (1, 1)), nim))).constant_sum.how == "by the rules"


def test_limit_of_positions(toy):
    found = look(toy(0, lambda k: (0, {"on": k + 1})), positions=100)
    assert not found.finished
    assert found.stopped == "after 100 positions"
    assert found.positions == 100
    assert found.longest is None
    assert NOTHING_KNOWN.with_survey(found) == NOTHING_KNOWN


def test_limit_of_time_and_progress(toy):
    seen: list[int] = []
    endless = toy(0, lambda k: (0, {"on": k + 1}))
    assert look(endless, seconds=0.0).stopped == "after 0 s"
    look(endless, positions=2 * CHECK_EVERY, progress=seen.append)
    assert seen == [CHECK_EVERY, 2 * CHECK_EVERY]


def test_long_plays_need_no_recursion(toy):
    length = 20_000
    found = look(toy(0, lambda k: (END, (0, 0)) if k == length else (0, {"on": k + 1})), positions=length + 1)
    assert found.longest == length


class Earning:
    """Two paths to one position; the first player earns ``ways[k]`` (and the opponent ``others[k]``) on path k."""

    player_names = ("A", "B")

    def __init__(self, ways, others):
        self.paid = list(zip(ways, others, strict=True))

    def initial(self):
        return ()

    def actor(self, state):
        return END if len(state) == 2 else 0

    def moves(self, state):
        return (Move("0"), Move("1")) if not state else (Move("on"),)

    def after(self, state, move):
        return (*state, move)

    def position(self, state):
        return len(state)

    def earned(self, state):
        return tuple(map(Fraction, self.paid[int(state[0].name)])) if state else (Fraction(0), Fraction(0))

    payoff = earned

    def play(self, state):
        return state


@pytest.mark.parametrize(
    ("ways", "others", "constant", "common"),
    [
        ((1, 3), (-1, -3), True, False),
        ((1, 3), (0, 0), None, False),
        ((1, 3), (1, 3), None, True),
        ((2, 2), (2, 2), True, True),
        ((0, 3), (0, -3), True, None),
    ],
)
def test_earnings_may_depend_on_the_path(ways, others, constant, common):
    known = NOTHING_KNOWN.with_survey(look(Earning(ways, others)))
    assert known.constant_sum.holds is constant
    assert known.common_payoff.holds is common


def test_draws_with_too_many_outcomes(toy):
    class Deal(toy):
        def outcomes(self, state):
            raise ZermeloError("too-many-outcomes", "too many")

    found = look(Deal("a", lambda position: (CHANCE, {})))
    assert found.stopped == "at a draw with too many outcomes to list"


def test_another_sum_is_refuted_only_if_some_play_ends():
    known = evolve(NOTHING_KNOWN, constant_sum=Fact(True, "proved"), sum=Fraction(1))
    assert known.sums_to(1).holds and known.zero_sum.holds is None
    assert evolve(known, ends=True).zero_sum.holds is False


RUNS_OVER = """
game "Runs over"
players Ann, Bob
var n: 0..5 = 0
start at go_on(Ann)
phase go_on(p: Player):
    turn p:
        move add(k in 1..3):
            n += k
            if n == 5: end win p
            go go_on(other p)
"""


@pytest.fixture
def machine():
    model, _ = check(Source("runs_over.game", RUNS_OVER))
    return ReferenceMachine(model)


def test_a_long_way_to_an_error_is_made_short(machine):
    with pytest.raises(PlayError) as found:
        survey(machine, 1_000, 60.0)
    assert len(found.value.play) > 2
    assert list(map(str, shortest_failure(machine, found.value).play)) == ["add(3)", "add(3)"]


def test_a_play_that_cannot_be_shorter_is_kept(machine):
    after = machine.after(machine.initial(), machine.find_move(machine.initial(), "add(3)"))
    with pytest.raises(PlayError) as found:
        machine.after(after, machine.find_move(after, "add(3)"))
    assert shortest_failure(machine, found.value) is found.value


# Variables that nobody can notice: the plays of a game are the same whatever such a variable is at the beginning.


TEXT = """
    game "Steps"
    players Ann, Bob
    type Place = a | b
    var asked: 0..3 = ASKED hidden
    var other_one: 0..3 = 0 hidden
    var latest: 0..3 = 0 hidden
    var board[Place]: 0..3 = 0
    start at step(1)
    phase step(k: 0..3):
        RULE
        turn Ann:
            move go_on(n in 0..1):
                EFFECT
                asked := (asked + 1) % 4
                if k == 3: end payoff {Ann: board[a] - board[b], Bob: board[b]}
                go step(k + 1)
    action put(n: 0..3):
        board[a] := n
"""

RULES = [
    ("other_one := asked", "", True),
    ("other_one := asked\n        latest := other_one", "", True),
    ("", "asked := (asked + n) % 4", True),
    ("", "if asked % 2 == 0: board[a] := 1", False),
    ("other_one := asked", "if other_one == 0: board[a] := 1", False),
    ("other_one := asked", "board[b] := other_one", False),
    ("", "board[if asked % 2 == 0 then a else b] := n", False),
    ("", "put(asked)", False),
    ("", "earn Ann: asked", False),
    ("", "tell Bob that it(asked)", False),
    ("let given = asked", "board[a] := given", False),
]


def game(rule, effect, asked=0):
    text = TEXT.replace("RULE", rule).replace("EFFECT", effect).replace("ASKED", str(asked))
    return model_of("\n".join(line for line in text.splitlines() if line.strip()))


def plays(model):
    """All plays with what they pay, and what everybody perceives on the way."""
    machine = ReferenceMachine(model)
    waiting, found = [machine.initial()], []
    while waiting:
        state = waiting.pop()
        offered = choices_at(machine, state)
        known = [str(tuple(map(str, machine.information_state(state, player)))) for player in (0, 1)]
        found.append((machine.play(state), known, machine.payoff(state) if not offered else None))
        waiting.extend(machine.after(state, move) for move in offered)
    return found


@pytest.mark.parametrize(("rule", "effect", "is_unnoticed"), RULES)
def test_a_game_is_the_same_whatever_they_are(rule, effect, is_unnoticed):
    assert ("asked" in [variable.name for variable in unnoticed_variables(game(rule, effect))]) == is_unnoticed
    assert (plays(game(rule, effect)) == plays(game(rule, effect, asked=1))) == is_unnoticed


@pytest.mark.parametrize("name", gamedefs.names())
def test_in_bundled_games_there_are_none(name):
    assert unnoticed_variables(bundled_model(name)) == []
