"""What is reachable and what never is, against all plays of small games, one by one, and on all machines."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from random import Random

import pytest
from all_machines import AT_ONCE
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.small import write_small
from written_games import model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END, PlayError
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.validation.shortest_plays import ShortestPlays, search_positions
from zermelo.solvers.validation.witnesses import relevant_witnesses, sought_witnesses

TAKING = """
    game "Taking"
    players Ann, Bob
    param size: 3..9 = 7
    var pile: 0..9 = size
    var made: 0..9 = 0
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move take(n in 1..3) if n <= pile:
                pile -= n
                made += 1
                if pile == 0: end win p
                go choose(other p)
"""

CARDS = """
    game "Cards"                           # what is hidden counts as well
    players Ann, Bob
    type Card = low | middle | high
    var hand[Player]: Card?    private
    var passed: 0..2 = 0       hidden
    setup:
        hand := none
    start at deal
    phase deal:
        chance:
            outcome deal(a in Card, b in Card) if a != b weight (if a == high then 3 else 1):
                hand[Ann] := a
                hand[Bob] := b
                go bid(Ann)
    phase bid(p: Player):
        turn p:
            move stay secret:
                passed += 1
                if passed == 2: end draw
                go bid(other p)
            move show: go settle(p)
    phase settle(p: Player):
        if hand[p] == high: end payoff {p: 2, other p: -1}
        end payoff {p: -1/2, other p: 1}
"""

ROUNDS = """
    game "Rounds"                          # at once, with earnings, a discount and plays that come back
    players Ann, Bob
    discount 1/2
    var lead: -2..2 = 0
    start at show
    phase show:
        together:
            move fingers(n in 1..2)
        then:
            if fingers[Ann].n == fingers[Bob].n:
                if lead == 2: end payoff (3, 1)
                lead += 1
                earn Ann: 1
            else if lead > -2:
                lead -= 1
                earn Bob: 1/3
            else:
                end payoff (0, 1/5)
            go show
"""


def entries(machine, state):
    return {str(seen).partition(" = ")[0]: seen.value for seen in machine.entries(state)}


def is_at(phase):
    """A state in which somebody decides, or chance draws, in a phase."""
    return lambda machine, state: machine.actor(state) != END and state.phase.name == phase


def ends(*amounts):
    return lambda machine, state: state.end == tuple(map(Fraction, amounts))


def every(*parts):
    return lambda machine, state: all(part(machine, state) for part in parts)


def has(**values):
    return lambda machine, state: all(
        str(entries(machine, state).get(name)) == str(value) for name, value in values.items()
    )


def is_end(machine, state):
    return machine.actor(state) == END


CASES = [
    (TAKING, "pile == 1", has(pile=1)),
    (TAKING, "pile == 7", has(pile=7)),
    (TAKING, "made == 7 and pile > 0", every(has(made=7), lambda m, s: entries(m, s)["pile"] > 0)),
    (TAKING, "made == 7", has(made=7)),
    (TAKING, "end", is_end),
    (TAKING, "end draw", ends(0, 0)),
    (TAKING, "end win Bob", ends(-1, 1)),
    (TAKING, "end win Bob if made == 4", every(ends(-1, 1), has(made=4))),
    (TAKING, "end win Ann if made == 4", every(ends(1, -1), has(made=4))),
    (TAKING, "in choose if pile == 0", every(is_at("choose"), has(pile=0))),
    (TAKING, "in choose if p == Bob and pile == 2", lambda m, s: m.actor(s) == 1 and entries(m, s)["pile"] == 2),
    (CARDS, "in deal", is_at("deal")),
    (CARDS, "in bid if hand[p] == low", lambda m, s: m.actor(s) >= 0 and str(s.values[m.actor(s)]) == "low"),
    (CARDS, "passed == 1 and hand[Ann] == high and hand[Bob] == low", lambda m, s: str(s.values) == "(high, low, 1)"),
    (CARDS, "end draw", ends(0, 0)),
    (CARDS, "end payoff (2, -1)", ends(2, -1)),
    (CARDS, "end payoff (-1, 2) if passed == 1", every(ends(-1, 2), has(passed=1))),
    (CARDS, "end payoff (1, -1/2) if passed == 0", every(ends(1, "-1/2"), has(passed=0))),
    (CARDS, "end payoff (1, -1/2)", ends(1, "-1/2")),
    (CARDS, "end payoff (1/7, 1/7)", ends("1/7", "1/7")),
    (CARDS, "hand[Ann] is not none and hand[Ann] == hand[Bob]", lambda m, s: s.values[0] == s.values[1] is not None),
    (ROUNDS, "lead == 2", has(lead=2)),
    (ROUNDS, "lead == -2 or lead == 1", lambda m, s: entries(m, s)["lead"] in (-2, 1)),
    (ROUNDS, "end payoff (3, 1)", ends(3, 1)),
    (ROUNDS, "end payoff (0, 1/5)", ends(0, "1/5")),
    (ROUNDS, "end payoff (0, 1)", ends(0, 1)),
    (ROUNDS, "in show if lead == -1", every(is_at("show"), has(lead=-1))),
    (ROUNDS, "end if lead == 1", every(is_end, has(lead=1))),
]  # fmt: skip
"""Games with no play to a new position of more than ten moves; what is asked of them; and the same in Python."""


def found(model, make, most=None):
    machine = make(model)
    searched = search_positions(machine, facts(model), most, Limits(), ignore_progress, relevant_witnesses(model))
    assert searched.fault is None
    return sought_witnesses(ShortestPlays(machine, searched.graph), model, searched)


def shortest(model, is_such, most=10):
    """The length of a shortest play to such a state, by all plays of at most so many moves; None if there is none."""
    machine = ReferenceMachine(model)
    states = [machine.initial()]
    for length in range(most + 1):
        if any(is_such(machine, state) for state in states):
            return length
        states = [machine.after(state, move) for state in states for move in choices_at(machine, state)]
        if len(states) > 3000:  # plays that come back: one for each position and what it has just paid
            states = list({machine.position(state): state for state in states}.values())
    return None


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(("text", "said", "is_such"), CASES)
def test_it_agrees_with_all_plays(make, text, said, is_such):
    model = model_of(f"{text}\n    reachable {said}\n    never {said}\n")
    one, other = found(model, make)
    length = shortest(model, is_such)
    assert one.extent.is_whole
    assert one.holds is (length is not None)
    assert other.holds is (length is None)
    assert one.play == other.play
    if length is None:
        assert one.play is None
    else:
        assert one.play is not None
        assert len(one.play) == length
        machine = ReferenceMachine(model)
        state = machine.initial()
        for move in one.play:
            state = machine.after(state, move)
        assert is_such(machine, state)


@pytest.mark.parametrize("make", AT_ONCE)
def test_nothing_is_proved_of_what_has_not_been_searched(make):
    model = model_of(
        f"{TAKING}\n    reachable made == 6\n    never made == 6\n    reachable made == 2\n    never made == 9"
    )
    held = [each.holds for each in found(model, make, most=6)]
    assert held == [None, None, True, None]
    assert [each.holds for each in found(model, make)] == [True, False, True, True]


@pytest.mark.parametrize("make", AT_ONCE)
def test_other_parameters_are_another_question(make):
    model = model_of(
        f"{TAKING}\n    never pile == 9\n    never pile == 9 with size = 9\n    reachable pile == 7 with size = 7"
    )
    assert relevant_witnesses(model) == (0, 2)
    assert [each.holds for each in found(model, make)] == [True, True]


@pytest.mark.parametrize("make", AT_ONCE)
def test_the_history_tells_positions_apart_but_not_witnesses(make):
    text = """
        game "Round and round"
        players Ann, Bob
        var at_a: Bool = true
        var steps: 0..9 = 0
        start at walk(Ann)
        phase walk(p: Player):
            if repetitions(at_a) == 3: end draw
            turn p:
                move go_on:
                    at_a := not at_a
                    if steps < 9: steps += 1
                    go walk(p)
                move stop: end win p
        never steps == 5
        reachable steps == 4 and at_a
        never end draw if steps != 4
    """
    assert [each.holds for each in found(model_of(text), make)] == [True, True, True]


@pytest.mark.parametrize("make", AT_ONCE)
def test_an_error_of_a_line_is_an_error_of_the_game(make):
    text = """
        game "Unset"
        players Ann, Bob
        var chosen: 1..3
        start at choose
        phase choose:
            turn Ann:
                move choose(n in 1..3):
                    chosen := n
                    go answer
        phase answer:
            turn Bob:
                move answer(n in 1..3): end win (if n == chosen then Bob else Ann)
        never in answer if 6 / (chosen - 2) == 5
    """
    model = model_of(text)
    searched = search_positions(make(model), facts(model), None, Limits(), ignore_progress, relevant_witnesses(model))
    assert isinstance(searched.fault, PlayError)
    assert searched.fault.code == "zero-divisor"
    assert list(map(str, searched.fault.play)) == ["choose(2)"]


@pytest.mark.parametrize("make", AT_ONCE)
def test_a_line_may_fail_where_plays_begin(make):
    model = model_of(f"{TAKING}    never 6 / made == 5\n")
    searched = search_positions(make(model), facts(model), None, Limits(), ignore_progress, relevant_witnesses(model))
    assert isinstance(searched.fault, PlayError)
    assert (searched.fault.code, searched.fault.play) == ("zero-divisor", ())


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize("amount", ["1000000000000/7", "1/1000000000007", "2"])
def test_payments_of_any_size(make, amount):
    model = model_of(f"{TAKING}\n    never end payoff ({amount}, 1)\n    reachable end win Ann if made == 3")
    assert [each.holds for each in found(model, make)] == [True, True]


# ---------------------------------------------------------------------- random games

MOST_PLAYS = 3_000


def pairs(found):
    return zip(found[::2], found[1::2], strict=True)


def all_plays(machine, longest):
    """The states after all plays of each length, none joined; None in place of those that are too many, or too long, or
    if a rule fails."""
    try:
        states = [machine.initial()]
        for _ in range(longest):
            yield states
            states = [machine.after(state, move) for state in states for move in choices_at(machine, state)]
            if not states:
                return
            if len(states) > MOST_PLAYS:
                break
    except PlayError:
        pass
    yield None


def conditions(text, random):
    """Witnesses of a game with small numbers, as they are written, and the same in Python."""
    names = re.findall(r"^var (\w+): 0\.\.2", text, re.MULTILINE)
    phases = re.findall(r"^phase (\w+):", text, re.MULTILINE)
    for _ in range(6):
        name, other, phase = random.choice(names), random.choice(names), random.choice(phases)
        value, second = random.randint(0, 2), random.randint(0, 2)
        both = every(has(**{name: value}), has(**{other: second}))
        yield random.choice(
            [
                (f"{name} == {value}", has(**{name: value})),
                (f"{name} == {value} and {other} == {second}", both),
                (f"in {phase} if {name} == {value} and {other} == {second}", every(is_at(phase), both)),
                (f"end if {name} == {value} and {other} == {second}", every(is_end, both)),
                (f"in {phase}", is_at(phase)),
            ]
        )


@given(st.integers(0, 100_000))
@settings(max_examples=many(60))
def test_random_games_agree_with_all_their_plays(number):
    """What is found is at the end of a shortest play; what is proved never to be is in no play, none joined."""
    random = Random(number)
    text = write_small(random)
    while "phase " not in text:
        text = write_small(random)
    wanted = list(conditions(text, random))
    lines = "\n".join(f"reachable {said}\nnever {said}" for said, _ in wanted)
    model, _ = check(Source("random.game", f"{text}\n{lines}\n"))
    if model is None:
        return
    note(model.source.text)
    machine = ReferenceMachine(model)
    levels = list(itertools.takewhile(lambda states: states is not None, all_plays(machine, 12)))
    is_whole = all(machine.actor(state) == END for state in levels[-1]) if levels else False
    searched = search_positions(machine, facts(model), None, Limits(), ignore_progress, relevant_witnesses(model))
    if searched.fault is not None or searched.graph is None:
        return
    for one, other in pairs(sought_witnesses(ShortestPlays(machine, searched.graph), model, searched)):
        is_such = wanted.pop(0)[1]
        length = next((k for k, states in enumerate(levels) if any(is_such(machine, state) for state in states)), None)
        if length is not None:
            assert one.play is not None and len(one.play) == length and one.holds and other.holds is False
        elif is_whole:
            assert one.play is None and one.holds is not True and other.holds is not False
        if one.play is not None:
            state = machine.initial()
            for move in one.play:
                state = machine.after(state, move)
            assert is_such(machine, state)
