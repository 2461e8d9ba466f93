"""What is unused: by games in which one thing is, and near misses in which nothing is; and in random games by what
happens without it."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve
from hypothesis import given, note, settings
from hypothesis import strategies as st
from marked_rules import told
from random_cases import many
from random_games.writer import write_game
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter import model as rules
from zermelo.interpreter.analysis import held_key, parts_of
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.machine import END, PlayError
from zermelo.interpreter.model.rewriting import rules_of
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.types import BOOL
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.validation.about_coverage import Unused, cover, coverage_replies

PILE = """
game "Pile"
players Ann, Bob
DECLARED
var pile: 0..9 = 9
start at choose(Ann)
phase choose(p: Player):
    ENTRY
    turn p:
        move take(n in 1..2) if n <= pile GUARD:
            pile -= n
            if pile == 0: end win p
            EFFECT
            go choose(other p)
    OTHERWISE
phase rest(p: Player):
    turn p:
        move skip: end draw
"""

REST = "if pile == 4: go rest(p)"


def written(**parts):
    """The game with ``parts`` in place of the words in capitals."""
    lines = []
    for line in PILE.split("\n"):
        for word in ("DECLARED", "ENTRY", "GUARD", "EFFECT", "OTHERWISE"):
            if word in line:
                part = parts.get(word, REST if word == "EFFECT" else "")
                indent = line[: len(line) - len(line.lstrip())]
                line = line.replace(word, part.replace("\n", "\n" + indent))
        lines.append(line)
    return "\n".join(lines)


def replies_of(model, most=None):
    return list(coverage_replies(cover(model, most, Limits(), ignore_progress)))


def found(text):
    """The code of each finding, and the text that it points at."""
    model = model_of(text)
    findings = [answer.finding for answer in replies_of(model) if answer.finding is not None]
    return [(finding.code, model.source.excerpt(finding.span)) for finding in findings]


MOOD = "type Mood = calm | cross\nvar mood: Mood = calm"
TAKEN = "var taken: 1..2? = none"
COST = "define cost(n: 0..9) = match n:\n    {}\n    else: 3"
ACTION = "action note(n: 0..9):\n    if n > {}: earn Ann: 1"

CASES = {
    "nothing": ({}, []),
    "a branch": ({"EFFECT": f"{REST}\nif pile > 8: end draw"}, [("never-reached", "end draw")]),
    "a branch that one play takes": ({"EFFECT": f"{REST}\nif pile > 7: end draw"}, []),
    "a branch with branches, named once": (
        {"EFFECT": f"{REST}\nif pile > 8:\n    if p == Ann: end draw\n    end win p"},
        [("never-reached", "p == Ann")],
    ),
    "an else": (
        {"EFFECT": f"{REST}\nif pile < 9: earn p: 1\nelse: earn p: 2"},
        [("never-reached", "earn p: 2")],
    ),
    "an else if": (
        {"EFFECT": f"{REST}\nif pile > 5: earn p: 1\nelse if pile > 6: earn p: 2\nelse: earn p: 3"},
        [("never-reached", "earn p: 2")],
    ),
    "the rest, after a condition that always holds": (
        {"EFFECT": "if pile < 9: go rest(p)"},  # which leaves the pile so high that more is never asked
        [("never-reached", "end win p"), ("idle-condition", "n <= pile"), ("idle-condition", "pile < 9")],
    ),
    "part of a guard": ({"GUARD": "and pile > 0"}, [("idle-condition", "pile > 0")]),
    "part of a guard that decides": ({"GUARD": "and pile + n != 9"}, []),
    "ensuring": ({"GUARD": "ensuring pile < 9"}, [("idle-condition", "pile < 9")]),
    "ensuring that decides": ({"GUARD": "ensuring pile != 7"}, []),
    "an otherwise": ({"OTHERWISE": "otherwise: end draw"}, [("never-reached", "end draw")]),
    "an otherwise that is needed": ({"OTHERWISE": "otherwise: end draw", "GUARD": "and pile + n != 2"}, []),
    "a phase, by the way there": ({"EFFECT": "if pile > 8: go rest(p)"}, [("never-reached", "go rest(p)")]),
    "cases of a match": (
        {"DECLARED": COST.format("1: 2\n    8: 4"), "EFFECT": f"{REST}\nif pile < 7: earn p: cost(pile)"},
        [("never-reached", "4")],
    ),
    "a case of a match of statements": (
        {"DECLARED": MOOD, "EFFECT": f"{REST}\nmatch mood:\n    calm: mood := calm\n    cross: earn p: 1"},
        [("never-reached", "earn p: 1"), ("unused-value", "mood: Mood")],
    ),
    "a branch of an action": (
        {"DECLARED": ACTION.format(8), "EFFECT": f"{REST}\nnote(pile)"},
        [("never-reached", "earn Ann: 1")],
    ),
    "no branch of an action": ({"DECLARED": ACTION.format(7), "EFFECT": f"{REST}\nnote(pile)"}, []),
    "the side of an expression": (
        {"EFFECT": f"{REST}\nearn p: (if pile == 9 then 1 else 2)"},
        [("never-reached", "1")],
    ),
    "what is done where something is none, which never is": (
        {
            "DECLARED": f"{TAKEN}\ndefine worth(n: 1..2?) = match n:\n    1: 1\n    2: 2\n    none: 0",
            "EFFECT": f"{REST}\ntaken := n\nearn p: worth(taken)\nif taken is none: end draw",
        },
        [],
    ),
    "what asks only whether something is there, which it always is": (
        {
            "DECLARED": TAKEN,
            "GUARD": "ensuring taken is not none",
            "EFFECT": f"{REST}\ntaken := n\nif taken is not none: earn p: 1",
        },
        [],
    ),
    "a condition that asks something else, too": (
        {"DECLARED": TAKEN, "EFFECT": f"{REST}\ntaken := n\nif taken is not none and pile > 0: earn p: 1"},
        [("idle-condition", "taken is not none and pile > 0")],
    ),
    "something that always is none": (
        {"DECLARED": TAKEN, "EFFECT": f"{REST}\ntaken := none\nif taken is none: earn p: 1"},
        [("idle-condition", "taken is none")],
    ),
    "a value that nobody assigns": (
        {"DECLARED": MOOD, "EFFECT": f"{REST}\nmood := calm"},
        [("unused-value", "mood: Mood")],
    ),
    "a value that an unused line would assign": (
        {"DECLARED": MOOD, "EFFECT": f"{REST}\nif pile > 8: mood := cross"},
        [("never-reached", "mood := cross")],
    ),
    "a value that a line assigns": (
        {"DECLARED": MOOD, "EFFECT": f"{REST}\nif pile == 6: mood := cross"},
        [],
    ),
    "a value that all entries are given at once": (
        {"DECLARED": "type Mood = calm | cross\nvar moods[Player]: Mood = calm", "EFFECT": f"{REST}\nmoods := cross"},
        [],
    ),
    "a value that no entry is given": (
        {"DECLARED": "type Mood = calm | cross\nvar moods[Player]: Mood = calm", "EFFECT": f"{REST}\nmoods := calm"},
        [("unused-value", "moods[Player]: Mood")],
    ),
    "truth that is never found": (
        {"DECLARED": "var late: Bool = false", "EFFECT": f"{REST}\nlate := pile > 8"},
        [("unused-value", "late: Bool")],
    ),
    "numbers may stay below their bounds": ({"DECLARED": "var k: 0..9 = 0", "EFFECT": f"{REST}\nk := pile"}, []),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_unused(case):
    parts, said = CASES[case]
    assert found(written(**parts)) == said


def test_the_way_to_a_phase_names_it():
    (answer, *_) = replies_of(model_of(written(EFFECT="if pile > 8: go rest(p)")))
    assert answer.finding.remark == "so no play comes to phase rest"


EARLY = """
game "Early"
players Ann, Bob
var n: 0..2 = 0
start at first
phase first:
    turn Ann:
        move add(k in 1..2):
            n := k
            go second
phase second:
    if n > WHEN: end win Ann
    turn Bob:
        move stop: end draw
        move add(k in 1..2) if k < n: end win Bob
"""


def test_a_decision_that_is_never_made_is_due_to_the_condition_before_it():
    assert found(EARLY.replace("WHEN", "0")) == [("idle-condition", "n > 0")]


def test_a_move_is_missed_where_only_others_of_its_name_are_made():
    assert found(EARLY.replace("WHEN", "1")) == [("never-reached", "add")]


DRAWS = """game "Draws"
players Ann
var x: 0..4 = 0
start at draw
phase draw:
    chance for k in 1..2 if GUARD:
        outcome more: x += 1
        outcome less: x := 0
    then: go ask
phase ask:
    turn Ann:
        move stop: end payoff Ann: x
"""


@pytest.mark.parametrize(("guard", "idle"), [("x < 3", [("idle-condition", "x < 3")]), ("x < 1", [])])
def test_a_guard_of_draws_that_always_holds_is_a_condition(guard, idle):
    assert found(DRAWS.replace("GUARD", guard)) == idle


def test_with_parameters_it_is_no_finding():
    text = written(DECLARED="param most: 1..8 = 8", EFFECT=f"{REST}\nif pile > most: end draw")
    answers = replies_of(model_of(text))
    assert [answer.finding for answer in answers] == [None] * 3
    assert (answers[0].answer, answers[0].how) == ("no: line 14", "proved for these values of the parameters")
    assert replies_of(model_of(text, most=7))[0].answer == "yes"


def test_what_a_parameter_switches_off_is_no_part():
    text = written(DECLARED="param late: Bool = false", EFFECT=f"{REST}\nif late: end draw")
    assert replies_of(model_of(text))[0].answer == "yes"


def test_neither_is_a_move_or_what_follows_in_its_place():
    declared = "param late: Bool = false"
    text = written(DECLARED=declared, ENTRY="if not late:\n    if pile > 4: end draw\n    end win p")
    (phase,) = [part for part in parts_of(model_of(text)) if part.kind == "phase" and part.name == "choose"]
    assert {part.kind for part in phase.walk()} == {"phase", "if", "branch", "end"}
    text = written(DECLARED=declared, GUARD="and not late", OTHERWISE="otherwise: end draw")
    (phase,) = [part for part in parts_of(model_of(text, late=True)) if part.kind == "phase" and part.name == "choose"]
    assert {part.kind for part in phase.walk()} == {"phase", "turn", "otherwise", "end"}


def test_of_a_part_of_the_positions_nothing_is_found():
    answers = replies_of(model_of(written(EFFECT=f"{REST}\nif pile > 8: end draw")), most=3)
    assert [answer.finding for answer in answers] == [None] * 3
    assert answers[0].answer.startswith("not seen: line")
    assert answers[0].how.startswith("within 3 positions, sampled in ")


def test_an_error_that_only_random_plays_meet():
    text = written(EFFECT=f"{REST}\nif pile == 1: pile -= 2")
    (answer,) = replies_of(model_of(text), most=1)
    assert (answer.finding.code, answer.how) == ("assigned-out-of-range", "a play shows it")
    machine = ReferenceMachine(model_of(text))
    state = machine.initial()
    for move in answer.play[:-1]:
        state = machine.after(state, move)
    with pytest.raises(PlayError):
        machine.after(state, answer.play[-1])


def test_a_move_that_ensuring_refuses_uses_what_its_effects_do():
    parts = {"DECLARED": MOOD, "GUARD": "ensuring mood == calm"}
    assert found(written(**parts, EFFECT=f"{REST}\nif pile == 7: mood := cross")) == []


def test_choices_of_a_define_that_a_hint_asks_too_are_left_out():
    parts = {"DECLARED": COST.format("1: 2\n    9: 4"), "EFFECT": f"{REST}\nif pile < 7: earn p: cost(pile)"}
    assert found(written(**parts)) == [("never-reached", "4")]
    assert found(written(**parts) + "\nestimate for p: cost(pile)") == []


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "kuhn_poker",
        "dice_race",
        "ludo",
        "subtraction_game",
        "snakes_and_ladders",
        "coin_flip_tree",
        "prisoners_dilemma",
    ],
)
def test_sound_games(name):
    assert [answer.answer for answer in replies_of(bundled_model(name))] == ["yes"] * 3


def unused_in(number):
    """A random game all of whose positions have been searched, with what is unused; None if it is no such game."""
    text = write_game(Random(number))
    note(text)
    model, _ = check(Source("random.game", text))
    if model is None or model.notation != "phases":
        return None
    coverage = cover(model, 150, Limits(), ignore_progress)
    if coverage.fault is not None or not coverage.extent.is_whole:
        return None
    return model, Unused(coverage)


@settings(max_examples=many(60))
@given(number=st.integers(0, 100_000))
def test_unused_statements_of_random_games_tell_no_mark(number):
    given_ = unused_in(number)
    if given_ is not None:
        model, unused = given_
        marks, _ = told(model)
        for part in unused.parts:
            if part.key.what == "ran":
                key = part.key
                assert not marks[f"ran {key.kind} {key.start} {key.end}"]


@settings(max_examples=many(60))
@given(number=st.integers(0, 100_000))
def test_idle_guards_of_random_games_change_nothing(number):
    given_ = unused_in(number)
    if given_ is not None:
        model, unused = given_
        idle = {condition.held for condition in unused.conditions if condition.asks == "guard"}
        assert graph(without_guards(model, idle)) == graph(model)


def graph(model):
    """The positions and their moves."""
    machine = ReferenceMachine(model)
    waiting, found = [machine.initial()], {}
    for state in waiting:
        if state.actor != END and machine.position(state) not in found:
            moves = choices_at(machine, state)
            found[machine.position(state)] = moves
            waiting.extend(machine.after(state, move) for move in moves)
    return found


def without_guards(model, idle):
    """The model with true in place of guards with these keys."""

    def freed(rule):
        guards = tuple(
            tuple(rules.Const(True, type=BOOL, span=part.span) if held_key(part) in idle else part for part in parts)
            for parts in rule.guards
        )
        return evolve(rule, guards=guards)

    def phase(old):
        changed = tuple(map(freed, rules_of(old.decision)))
        match old.decision:
            case rules.Chance():
                return evolve(old, decision=evolve(old.decision, outcomes=changed))
            case rules.Turn() | rules.Together():
                return evolve(old, decision=evolve(old.decision, moves=changed))
        return old

    return evolve(model, phases={name: phase(old) for name, old in model.phases.items()})


def test_the_positions_searched_are_those_at_which_somebody_is_to_move():
    """Nine stones, of which Ann never meets 8, nor Bob 9: the ends are no positions to search."""
    assert cover(model_of(written(EFFECT="")), None, Limits(), ignore_progress).extent.positions == 16
