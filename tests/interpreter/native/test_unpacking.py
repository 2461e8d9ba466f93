"""States are read back from their keys."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.small import write_small
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.model_lowering import lower

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
        moves, weights = [0] * program.most_moves, [0] * program.most_moves
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
