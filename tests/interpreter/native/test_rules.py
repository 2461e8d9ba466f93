"""The hints for search on the lowered machines, against the reference machine."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from all_machines import MACHINES, MAKERS, native_machine, needs_llvm, python_machine
from kernel_modules import modules
from written_games import model_of

import zermelo
from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, END, NULL_MOVE, PlayError
from zermelo.interpreter.model import Model
from zermelo.interpreter.model.cardinality import with_weights
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.reference.machine import ReferenceMachine

ASK_FEATURES = """
from __future__ import annotations

from zermelo.interpreter.native.dialect.words import TERMS, Context, State, features, ints

class Features:
    rules: Context
    state: State
    terms: ints[TERMS]

def ask_features(asked: Features, player: int) -> int:
    return features(asked.rules, asked.state, player, asked.terms)
"""
"""A kernel that queries the features."""

ASK = """
from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, State, {hint}

class Question:
    rules: Context
    state: State

def ask(question: Question, player: int) -> int:
    return {hint}(question.rules, question.state{player})
"""
"""A kernel that queries a hint."""


def load(name: str) -> Model:
    file = gamedefs.path(name)
    model, findings = check(Source(file.name, file.read_text(encoding="utf-8")))
    assert model is not None, findings
    return model


@pytest.fixture
def module(monkeypatch, tmp_path):
    return modules(tmp_path, monkeypatch)


def compare(model: Model, machine: LoweredMachine, length: int, module: Callable[[str, str], Any]) -> None:
    """Play at random and compare both machines in every position."""
    reference = ReferenceMachine(model)
    program = machine.program
    hints = {"estimate": model.estimate, "unsettled": model.unsettled, "order_key": model.order_moves}
    given = {name: hint for name, hint in hints.items() if hint is not None}
    assert program.estimate_denominator is not None
    made = {name: module(ASK.format(hint=name, player=", player" * (name == "estimate")), "") for name in given}
    kernels = {name: machine.load(kernel(each.ask)) for name, each in made.items()}
    questions = {name: kernels[name].new(each.Question) for name, each in made.items()}
    asking = module(ASK_FEATURES, "")
    terms, random = machine.load(kernel(asking.ask_features)), Random(3)
    asked = terms.new(asking.Features)
    one, two = reference.initial(), machine.initial()
    for _ in range(length):
        if reference.actor(one) == END:
            break
        moves = machine.moves(two) if reference.actor(one) != CHANCE else (reference.draw(one, random),)
        move = random.choice(moves)
        one, two = reference.after(one, move), machine.after(two, move)
        assert two.packed is not None
        for name, hint in given.items():
            kernels[name].put(questions[name].state, two.packed)
            for number, player in enumerate(model.players):
                found = kernels[name].call(made[name].ask, questions[name], number)
                scale = program.estimate_denominator if name == "estimate" else 1
                assert Fraction(found, scale) == reference.evaluate(one, hint, *([player] * (name == "estimate")))
        terms.put(asked.state, two.packed)
        for player in range(len(model.players)):
            terms.call(asking.ask_features, asked, player)
            written = tuple(map(Fraction, asked.terms, program.feature_denominators))
            assert written == reference.features(one, player) == machine.features(two, player) != ()


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello"])
def test_hints_are_lowered(name: str, make: Callable[[Model], LoweredMachine], module) -> None:
    model = load(name)
    compare(model, make(model), 60, module)


@pytest.mark.parametrize("name", ["checkers", "chess"])
def test_hints_of_long_rules_are_lowered(name: str, module) -> None:
    model = load(name)
    compare(model, python_machine(model), 25, module)


def test_other_weights_are_lowered(module) -> None:
    model = with_weights(load("connect_four"), {"threats": Fraction(1, 3), "open_lines": "-1/7"})
    machine = python_machine(model)
    assert machine.program.estimate_denominator == 21
    compare(model, machine, 40, module)


# Null moves: what they do not change, where they are impossible, and that all machines agree.


# `stop` ends the play, and only A may say it; B is stuck where `total` is 3.
COUNTING = """
game "Counting"
players A, B
claim zero_sum, perfect_information, terminates
var total: 0..9 = 0
var entered: 0..99 = 0
start at {start}
phase play(p: Player):
    entered += 1
    {names}turn p:
        move add(n in 1..3) if total + n <= 9 and not (p == B and total == 3):
            total += n
            go play(other p)
        move stop if p == A and total == 9:
            end win A
    otherwise:
        end win other p
phase sit(p: Player, of: 0..3):
    turn p:
        move rise: go play(other p)
phase stand:
    turn A:
        move walk: go play(B)
"""


@pytest.fixture(scope="module")
def machine():
    def load(start="play(A)", names=""):
        return zermelo.loads(COUNTING.format(start=start, names=names)).machine

    return load


def test_nothing_but_the_mover_changes(machine):
    machine = machine()
    state = machine.after(machine.initial(), machine.find_move(machine.initial(), "add(2)"))
    passed = machine.after_pass(state)
    assert machine.actor(state) == 1
    assert machine.actor(passed) == 0
    assert machine.entries(passed) == machine.entries(state), "entry statements do not run again"
    assert machine.play(passed) == (*machine.play(state), NULL_MOVE)
    assert machine.after_pass(passed) is None, "nobody passes behind a pass"
    after = machine.after(passed, machine.find_move(passed, "add(3)"))
    assert machine.actor(after) == 1


def test_who_has_no_move_cannot_be_passed_to(machine):
    machine = machine()
    state = machine.after(machine.initial(), machine.find_move(machine.initial(), "add(1)"))
    state = machine.after(state, machine.find_move(state, "add(2)"))
    assert machine.actor(state) == 0
    assert machine.after_pass(state) is None


@pytest.mark.parametrize(
    ("start", "names", "why"),
    [
        ("sit(A, 1)", "", "argument of phase 'play'"),
        ("stand", "", "argument of phase 'play'"),
        ("play(A)", "let twice = 2 * total\n    ", "no phase has the player to move"),
    ],
)
def test_no_pass_where_a_phase_says_more_than_whose_turn_it_is(machine, start, names, why):
    machine = machine(start, names)
    assert machine.after_pass(machine.initial()) is None
    assert why in facts(machine.model).can_pass.how


def test_three_players_do_not_pass():
    game = zermelo.load("three_player_tree")
    assert game.facts.can_pass.holds is False
    assert game.machine.after_pass(game.machine.initial()) is None


@pytest.mark.parametrize(
    "name", ["othello", "chess", "checkers", "connect_four", "nim", "go", "horizon_effect", "template"]
)
@pytest.mark.parametrize("make", [python_machine, native_machine])
def test_machines_agree_about_passes(name, make):
    model = zermelo.load(name).model
    reference, machine, random = ReferenceMachine(model), make(model), Random(7)
    here, there = reference.initial(), machine.initial()
    passes = 0
    for _ in range(12):
        if reference.actor(here) == END:
            break
        passed, also = reference.after_pass(here), machine.after_pass(there)
        assert (passed is None) == (also is None)
        if passed is not None:
            passes += 1
            assert machine.actor(also) == reference.actor(passed)
            assert machine.moves(also) == reference.moves(passed)
            move = random.choice(reference.moves(passed))
            behind, also_behind = reference.after(passed, move), machine.after(also, move)
            assert machine.actor(also_behind) == reference.actor(behind)
            assert machine.moves(also_behind) == reference.moves(behind)
            assert machine.entries(also_behind) == reference.entries(behind)
        move = random.choice(reference.moves(here))
        here, there = reference.after(here, move), machine.after(there, move)
    assert bool(passes) == bool(facts(model).can_pass.holds)


# Proofs that a step is preferred: sound, and found where the rules allow it.


WALK = """\
game "A walk with points to spend"
players A, B
var at[0..8]: 0..15 = 0
var points[1..3]: 0..3 = 0
define left = sum d in 1..3: points[d]
start at throw(A)
phase throw(p: Player):
    chance:
        outcome thrown(a in 1..3, b in 1..3):
            for d in 1..3: points[d] := 0
            points[a] := 2
            points[b] := 1
            go step(p)
phase step(p: Player):
    turn p preferring (-left):
        move walk(d in 1..3, k in 1..8) if points[d] > 0 and at[k] < 9 and (d != 2 or at[0] < 3):
            at[k] += 1
            {spend}
            if d == 3 and at[0] < 12: at[0] += d
            if {end}: end win p
            go {there}
    otherwise:
        go throw(other p)
phase pause(p: Player):
    if left == 1: go throw(other p)
    go step(p)
"""

PROVED = {
    "out of reach": ("points[d] -= 1", "at[0] >= 15", "step(p)"),
    "likely to end": ("points[d] -= 1", "at[3] > 3", "step(p)"),
    "ended by every move": ("points[d] -= 1", "left < 2", "step(p)"),
    "won back": ("points[d] := points[d] // 2", "at[0] >= 12", "step(p)"),
    "another phase": ("points[d] -= 1", "at[0] >= 12", "pause(p)"),
    "one step a turn": ("points[d] -= 1", "at[0] >= 12", "step(other p)"),
}


def program_of(name: str, spend: str, end: str, there: str):
    text = WALK.format(spend=spend, end=end, there=there)
    model, findings = check(Source(f"{name}.game", text))
    assert model is not None, findings
    return lower(model)


@pytest.mark.parametrize("name", PROVED)
def test_what_is_proved_is_preferred(name):
    program = program_of(name, *PROVED[name])
    (call,) = {line.split("(")[0][4:] for line in program.text.splitlines() if line.startswith("def proof_")}
    functions = execute(program.text)
    context = [0] * program.history.context
    room, weights = [0] * program.constants["MOVES"], [0] * program.constants["MOVES"]
    random, proved, seen, steps = Random(name), 0, 0, []
    for _ in range(25):
        state = [0] * program.layout.size
        functions["begin"](context, state)
        for _ in range(80):
            if functions["actor"](state) == -2:
                break
            if functions["actor"](state) == -1:
                count = functions["outcomes"](context, state, room, weights)
                steps = room[:count]
            else:
                every = room[: functions["steps"](context, state, room)]
                steps = room[: functions["moves"](context, state, room)]
                for move in every if len(every) > 1 else ():
                    is_proved = functions[call](context, state, move)
                    assert not is_proved or move in steps
                    proved, seen = proved + is_proved, seen + 1
            functions["apply"](context, state, random.choice(steps))
            assert context[0] == 0
    assert seen > 30
    assert proved > seen / 12


HOW_OFTEN = """\
game "There and back"
players A, B
var at: 0..1 = 0
var prize: 0..1 = 0
start at walk
phase walk:
    turn A preferring prize:
        move cross if repetitions(at) < 3:
            at := 1 - at
            go walk
        move stop:
            prize := if at == 0 and repetitions(at) == 3 then 1 else 0
            go rest
phase rest:
    turn B:
        move resign: end win A
"""


@pytest.mark.parametrize("make", MACHINES)
def test_a_turn_that_comes_back_sees_how_often_it_has_been_there(make):
    machine = make(model_of(HOW_OFTEN))
    state = machine.initial()
    for _ in range(4):
        (move,) = machine.moves(state)
        assert str(move) == "cross"
        state = machine.after(state, move)
    assert [str(move) for move in machine.moves(state)] == ["stop"]


# Witnesses in lowered rules, against the reference machine, in every state of a game with all kinds of them.


GAME = Path(__file__).parents[1] / "good" / "witnesses.game"

WITNESSES_ASK = """
from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, State, hole

@hole
def is_witness(rules: Context, state: State, number: int) -> int:
    ...

class Question:
    rules: Context
    state: State

def ask(question: Question, number: int) -> int:
    return is_witness(question.rules, question.state, number)
"""


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
def test_witnesses_are_lowered(make, monkeypatch, tmp_path):
    model, _ = check(Source(GAME.name, GAME.read_text(encoding="utf-8")))
    reference, machine = ReferenceMachine(model), make(model)
    made = modules(tmp_path, monkeypatch)(WITNESSES_ASK, "")
    loaded = machine.load(kernel(made.ask, is_witness="witnessed(rules, state, number)"))
    question = loaded.new(made.Question)
    pairs = [(reference.initial(), machine.initial())]
    seen = set()
    for one, other in pairs:
        loaded.put(question.state, other.packed)
        for number in range(len(model.witnesses)):
            found = bool(loaded.call(made.ask, question, number))
            assert found == reference.is_witnessed(one, number) == machine.is_witnessed(other, number)
            seen.add((number, found))
        pairs += [(reference.after(one, move), machine.after(other, move)) for move in choices_at(reference, one)]
    assert len(pairs) > 80
    assert {number for number, found in seen if found} == {
        number for number, witness in enumerate(model.witnesses) if witness.is_wanted and not witness.settings
    }


def test_what_cannot_be_lowered_is_left_to_the_reference_machine():
    text = """
        game "Take"
        players Ann, Bob
        var left: 0..3 = 3
        start at take(Ann)
        phase take(p: Player):
            turn p:
                move take(n in 1..2) if n <= left:
                    left -= n
                    if left == 0: end win p
                    go take(other p)
        never end payoff ({amount}, 1)
    """
    assert python_machine(model_of(text.replace("{amount}", "1/3"))).program.has("witnessed")
    assert not python_machine(model_of(text.replace("{amount}", "1/1000000000007"))).program.has("witnessed")


# Errors in ``setup`` are the same on every machine.


WRONG = """
game "Wrong"
players A, B
var place: 0..9 = 9
var size: 0..9 = 0
setup:
    place := 7 // size
start at play
phase play:
    turn A:
        move stop: end win A
"""


@pytest.mark.parametrize("make", [python_machine, native_machine])
def test_a_setup_that_goes_wrong(make):
    game = zermelo.loads(WRONG)
    with pytest.raises(ZermeloError) as wanted:
        game.machine.initial()
    with pytest.raises(ZermeloError) as found:
        make(game.model).initial()
    assert str(found.value) == str(wanted.value)


# ``reach`` over numbers: all reached numbers must be in the range of the start.


CLOSURES_GAME = """
game "Reach"
players A, B
var n: 0..9 = 0
var bound: 0..12 = BOUND
var steps: 0..6 = 0
define near(k: 1..3) = reach x from {n, 2}: {y in {x + k, x - 2} if y >= 0 and y < bound}
start at play(A)
phase play(p: Player):
    if steps == 6: end payoff {A: size(near(2)), B: n}
    turn p:
        move grow(k in 1..3) if n + k < 10 and size(near(k)) > 2:
            n += k
            steps += 1
            go play(other p)
        move jump(to in near(3)):
            n := to
            steps += 1
            go play(other p)
"""


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("bound", "goes_wrong"), [(10, False), (12, True)])
def test_closures_of_numbers(bound: int, goes_wrong: bool, make: Any) -> None:
    game = zermelo.loads(CLOSURES_GAME.replace("BOUND", str(bound)))
    machine = make(game.model)
    errors = 0
    for seed in range(12):
        found: list[list[object]] = []
        for each in (game.machine, machine):
            random, seen = Random(seed), list[object]()
            try:
                state = each.initial()
                while each.actor(state) != END:
                    moves = each.moves(state)
                    seen.append(moves)
                    state = each.after(state, random.choice(moves))
                seen.append(each.payoff(state))
            except PlayError as error:
                assert error.code == "assigned-out-of-range"
                seen.append(str(error))
                errors += 1
            found.append(seen)
        assert found[0] == found[1]
    assert (errors > 0) == goes_wrong


def test_a_closure_that_would_never_end_is_an_error_of_the_rules() -> None:
    endless = CLOSURES_GAME.replace("{y in {x + k, x - 2} if y >= 0 and y < bound}", "{x + k}").replace("BOUND", "1")
    game = zermelo.loads(endless)
    with pytest.raises(PlayError, match=r"a member of 'reach' is given 1[0-2], but takes only 0\.\.9"):
        game.machine.initial()


@pytest.mark.parametrize("make", MAKERS)
def test_a_domain_that_always_goes_wrong_does_so_when_it_is_asked(make: Any) -> None:
    game = zermelo.loads(
        CLOSURES_GAME.replace("BOUND", "10").replace("to in near(3)", "to in (reach x from {1, 2}: {x + 1})")
    )
    machine = make(game.model)
    found = []
    for each in (game.machine, machine):
        with pytest.raises(PlayError) as error:
            each.moves(each.initial())
        found.append(str(error.value))
    assert found[0] == found[1]


# Constructs of the language, each in a small game of ``alike/``, named for what it shows: it is lowered, and plays as
# on the reference machine, move for move, payoff for payoff, error for error.


ALIKE: Final = Path(__file__).parents[1] / "alike"
GAMES: Final = sorted(ALIKE.rglob("*.game"))


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.relative_to(ALIKE).with_suffix("").as_posix())
def test_constructs_play_alike(file: Path, plays_alike: Callable[[str], None]) -> None:
    plays_alike(file.read_text(encoding="utf-8"))
