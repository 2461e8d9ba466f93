"""Variables of very many entries, several of which share a slot of the state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from all_machines import MAKERS, python_machine
from hypothesis import given, note, settings
from hypothesis import strategies as st
from played_alike import play_alike
from random_cases import many
from random_games.small import write_small
from written_games import bundled_model, model_of

import zermelo
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.dialect.lowered_text import Body, Text, Unsupported
from zermelo.interpreter.native.expressions.bindings import Writer, growing_list, growing_set
from zermelo.interpreter.native.model_lowering import lower

GAME = """
game "Roads"
players A, B
type Cell = grid(9, 8)
type Inner = {c in Cell if c.x > 2}
var used[Cell, Cell]: Bool = false
var cost[Inner, Cell]: 0..100
var owner[Cell, Cell]: Player? = none
var groups[Cell, 1..50]: set of 1..9 = {}
var roads[Cell, Cell]: (n: 0..3, p: Player?) = (0, none)
var far[Cell, Cell]: 0..30 = 0
var at: Cell = a1
var step: 0..12 = 0
setup:
    for c in Cell, d in Cell: far[c, d] := distance(c, d)
    for c in Inner: cost[c, a1] := far[c, a1]
start at play(A)
phase play(p: Player):
    if step == 12: end payoff {A: far[c3, at] + (count c in Cell: owner[c, at] == A), B: 0}
    turn p:
        move go_to(c in neighbours(at)) if not used[at, c]HISTORY:
            used[at, c] := true
            owner[c, at] := p
            groups[c, 50] := groups[at, 50] + {1 + step % 9}
            roads[c, at].n := (roads[c, at].n + 1) % 4
            roads[c, at].p := if owner[at, c] is none then p else owner[at, c]
            cost[c3, c] := step * 3 + far[at, c]
            at := c
            step += 1
            go play(other p)
        move dear if step == 1:
            cost[c3, a1] := 99 + 2 * far[at, a1]
            step += 1
            go play(other p)
        move forget if step % 5 == 1:
            used := false
            step += 1
            go play(other p)
        move keep(k in groups[at, 50]):
            groups := {k}
            owner := p
            roads := roads[at, a1]
            cost := k
            step += 1
            go play(other p)
        move look(c in {e5}) if step == 1:
            cost[c3, c] := cost[c4, c]
            step += 1
            go play(other p)
    otherwise: end draw
"""


def played(machine: Any, random: Random) -> list[object]:
    """The transcript of a random play, up to its end or its error."""
    seen: list[object] = []
    state = machine.initial()
    try:
        while machine.actor(state) != END:
            moves = machine.moves(state)
            seen.append(moves)
            state = machine.after(state, random.choice(moves))
    except PlayError as error:
        seen.append((error.code, str(error)))
    else:
        seen.append(machine.payoff(state))
    return seen


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("history", ["", " ensuring not repeated(used, at)"])
def test_large_variables_play_as_on_the_reference_machine(history: str, make: Any) -> None:
    game = zermelo.loads(GAME.replace("HISTORY", history))
    machine = make(game.model)
    places = {variable.name: place for variable, place in machine.program.layout.places.items()}
    assert {name: place.per_slot for name, place in places.items() if place.per_slot > 1} == {
        "used": 128, "cost": 16, "owner": 64, "groups": 8, "roads": 32, "far": 16,
    }  # fmt: skip
    for seed in range(6):
        assert played(machine, Random(seed)) == played(game.machine, Random(seed))


@pytest.mark.parametrize("make", MAKERS)
def test_positions_of_large_variables_are_told_apart(make: Any) -> None:
    game = zermelo.loads(GAME.replace("HISTORY", ""))
    machine = make(game.model)
    there: dict[object, object] = {}
    back: dict[object, object] = {}
    random = Random(4)
    for _ in range(6):
        one, two = game.machine.initial(), machine.initial()
        for _ in range(4):
            here, also = game.machine.position(one), machine.position(two)
            assert there.setdefault(here, also) == also
            assert back.setdefault(also, here) == here
            move = random.choice(machine.moves(two))
            one, two = game.machine.after(one, move), machine.after(two, move)
    assert len(there) > 10


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("name", "code"), [("dear", "assigned-out-of-range"), ("look(e5)", "unset-variable")])
def test_their_errors_are_those_of_the_reference_machine(name: str, code: str, make: Any) -> None:
    game = zermelo.loads(GAME.replace("HISTORY", ""))
    found = []
    for machine in (game.machine, make(game.model)):
        state = machine.initial()
        state = machine.after(state, machine.moves(state)[0])
        with pytest.raises(PlayError) as error:
            machine.after(state, machine.find_move(state, name))
        found.append((error.value.code, str(error.value)))
    assert found[0] == found[1]
    assert found[0][0] == code


# A tree of thousands of phases: dispatch by bisection, in texts that Python can parse.


DEPTH = 11


def tree(depth: int) -> str:
    """A full binary tree, each decision a phase of its own."""
    lines = ['game "Tree"', "players A, B", "start at node1"]
    for node in range(1, 2**depth):
        lines += [f"phase node{node}:", f"    turn {'AB'[node.bit_length() % 2]}:"]
        for name, child in (("left", 2 * node), ("right", 2 * node + 1)):
            there = f"go node{child}" if child < 2**depth else f"end win {'AB'[child * 7 % 5 % 2]}"
            lines.append(f"        move {name}: {there}")
    return "\n".join(lines) + "\n"


def test_hundreds_of_draws():
    """Outcomes of chance are listed once for each phase, in the same time for each."""
    text = tree(9).replace("    turn B:", "    chance:")
    lines = text.splitlines()
    for k, line in enumerate(lines):
        if line == "    chance:":
            lines[k + 1] = lines[k + 1].replace("move left", "outcome left weight 3")
            lines[k + 2] = lines[k + 2].replace("move right", "outcome right")
    game = zermelo.loads("\n".join(lines) + "\n")
    machine = python_machine(game.model)
    one, two = game.machine.initial(), machine.initial()
    while game.machine.actor(one) != END:
        assert machine.outcomes(two) == game.machine.outcomes(one)
        move = (game.machine.moves(one) or [outcome for outcome, _ in game.machine.outcomes(one)])[0]
        one, two = game.machine.after(one, move), machine.after(two, move)
    assert machine.payoff(two) == game.machine.payoff(one)
    lots = [values for (_, values) in map(_lots, machine.program.text.splitlines()) if values]
    assert any(sorted(Counter(values).values()) == [1, 3] for values in lots)


def _lots(line: str) -> tuple[str, list[int]]:
    """A table of the program's text: its name and its values."""
    found = re.fullmatch(r"(T__\d+) = \((.+?),?\)", line)
    return ("", []) if found is None else (found[1], [int(value) for value in found[2].split(",")])


def test_thousands_of_decisions():
    game = zermelo.loads(tree(DEPTH))
    machine = python_machine(game.model)
    reference, random = game.machine, Random(7)
    for _ in range(20):
        play_alike(reference, machine, reference.initial(), machine.initial(), random)


# States are read back from their keys.


BUNDLED = ["backgammon", "chess", "dice_race", "goofspiel", "kalah", "leduc_poker", "morra", "othello", "pirates"]


def check_play(model: Model, random: Random, length: int = 25) -> None:
    """Along a random play every state is read back from its key, over the first state of the play, and offers the same
    moves, which lead to the same positions."""
    program = lower(model)
    run = execute(program.text)
    first, context = [0] * program.layout.size, [0] * program.history.context
    run["begin"](context, first)
    here = list(first)

    def key_of(state: list[int]) -> list[int]:
        key = [0] * program.layout.key_words
        run["pack"](state, key)
        return key

    def offers(state: list[int]) -> list[tuple[int, int]]:
        moves, weights = [0] * program.constants["MOVES"], [0] * program.constants["MOVES"]
        if run["actor"](state) == CHANCE:
            count = run["outcomes"](context, state, moves, weights)
        else:
            count = run["moves"](context, state, moves)
        return list(zip(moves[:count], weights[:count], strict=True))

    for _ in range(length):
        actor = run["actor"](here)
        if actor == END or context[0]:
            return
        there = list(first)
        run["unpack"](context, there, key_of(here), actor)
        assert not context[0]
        assert key_of(there) == key_of(here)
        assert run["actor"](there) == actor
        assert run["is_within_round"](there) == run["is_within_round"](here)
        assert [run["earned"](there, p) for p in range(len(model.players))] == [0] * len(model.players)
        moves = offers(here)
        assert offers(there) == moves
        if context[0] or not moves:
            return
        move = random.choice(moves)[0]
        for state in (here, there):
            run["apply"](context, state, move)
        if context[0]:
            return
        assert run["actor"](there) == run["actor"](here)
        assert key_of(there) == key_of(here)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_games(name: str) -> None:
    for seed in range(3):
        check_play(bundled_model(name), Random(seed), 60)


def test_large_variables_come_back_from_their_keys() -> None:
    """Several of them, in slots of more than 64 bits."""
    model = model_of(GAME.replace("HISTORY", ""))
    check_play(model, Random(1), 4)


NAMES = """\
game "Names"
players Ann, Bob
var at: 0..9 = 3
start at step(Ann, 2)
phase step(p: Player, n: 0..9):
    let total = at + n
    let before = at
    at := (at + 1) % 10
    let now = at
    let twice = 2 * now + n
    let part = {now, n, 0} + {c in 0..9 if c % 3 == n % 3}
    turn p:
        move on(k in part) if twice > 5 or k == 0: go step(other p, (now + before + k) % 10)
        move stop if total > 3: end payoff (twice, now)
"""


def test_names_that_follow_from_the_rest_and_names_that_do_not() -> None:
    for seed in range(20):
        check_play(model_of(NAMES), Random(seed))


BELOW_ZERO = """\
game "Below zero"
players Ann, Bob
type Cell = grid(SIDE, 10)
var cells: set of Cell = {}
var x: 0..3 = 0
var y: 0..3 = 0
start at ann
phase ann:
    let follows = x - 3
    let too = follows - y
    turn Ann:
        move add(c in {a1, a2, a3}) if c not in cells and x > 2 + too + follows:
            cells += {c}
            x := (x + 1) % 4
            go bob(-2)
        move out: end payoff (too, 0)
phase bob(d: -2..0):
    let before = cells
    let negative = x + d - 2
    cells -= {a1}
    x := 3
    let later = y + d
    turn Bob:
        move take(n in 0..3) if n > later + negative + 4:
            y := n
            if before == cells: go ann
            end payoff (negative, later)
        move pass:
            y := (y + 1) % 4
            go ann
"""


@pytest.mark.parametrize("side", [5, 10])
def test_names_of_numbers_below_zero(side: int) -> None:
    """With sets of up to 64 members, and of more, so that slots have 128 bits."""
    for seed in range(20):
        check_play(model_of(BELOW_ZERO.replace("SIDE", str(side))), Random(seed))


@settings(max_examples=many(60))
@given(st.integers(0, 100_000), st.integers(0, 5))
def test_small_random_games(number: int, seed: int) -> None:
    """Most phases of these bind names before the decision."""
    check_text(write_small(Random(number)), seed)


@settings(max_examples=many(80))
@given(st.integers(0, 100_000), st.integers(0, 5))
def test_random_games(random_game: Callable[[Random], str], number: int, seed: int) -> None:
    check_text(random_game(Random(number)), seed)


def check_text(text: str, seed: int) -> None:
    """Check a play of a game if there is one, it can be lowered, and its positions do not depend on the past."""
    note(text)
    model, _ = check(Source("random.game", text))
    if model is None or model.history:
        return
    try:
        check_play(model, Random(seed))
    except Unsupported:
        return


# Loops, sets and lists in generated code, which runs here as Python.


def function(text: Text, body: Body, result: str) -> Callable[[int], int]:
    """The body as a function of y."""
    text.function("moves(y: int) -> int", body, result)
    return execute(f"from __future__ import annotations\n{text.render()}")["moves"]


def test_a_loop_takes_the_members_out_of_a_set_in_order():
    text, body = Text(), Body()
    rest, found = text.let(body, "rest", "y", "bits"), text.let(body, "found", 0)
    with Writer(text, 64).each_member(body, rest, low=-2) as code:
        body.line(f"{found} = {found} * 10 + {code} + 2")
    count = function(text, body, f"{found} * 100 + {rest}")
    assert count(0) == 0
    assert count(0b11010) == 13400


def test_a_loop_goes_on_with_members_that_it_adds():
    text, body = Text(), Body()
    todo, steps = text.let(body, "todo", "y", "bits"), text.let(body, "steps", 0)
    with Writer(text, 64).each_member(body, todo) as place:
        body.line(f"{steps} += 1")
        body.line(f"{todo} = {todo} | (({place} < 5) << ({place} + 1))")
    assert function(text, body, steps)(0b100) == 4


def test_a_loop_reads_the_entries_of_a_part_of_a_table():
    text, body = Text(), Body()
    table, found = text.table([3, 1, 4, 1, 5]), text.let(body, "found", 0)
    with Writer(text, 64).each_entry(body, table, "1, y") as entry:
        body.line(f"{found} = {found} * 10 + {entry}")
    read = function(text, body, found)
    assert [read(1), read(4)] == [0, 141]


def test_a_growing_set_has_what_was_added():
    text, body = Text(), Body()
    found = growing_set(text, body, "found", low=-3)
    with body.block("for i in range(y)"):
        found.add(body, "(i - 3)")
        found.add(body, "0")
    build = function(text, body, found.mask)
    assert [build(0), build(1), build(3)] == [0, 0b1001, 0b1111]


def test_a_growing_list_keeps_its_arrays_in_step():
    text, body = Text(), Body()
    numbers, squares = text.array(body, "numbers", 9), text.array(body, "squares", 9)
    found = growing_list(text, body, numbers, squares)
    with body.block("for i in range(2, y)"):
        found.append(body, "i", "i * i")
    last = function(text, body, f"{found.count} * 100 + {numbers}[{found.count} - 1] * 10 + {squares}[1]")
    assert last(5) == 349
