"""Observations never tell more than a player knows, tell all that they see, and are laid out as their blocks say."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.paused import with_and_without
from random_games.writer import write_game

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.evaluation.context import Audiences
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.machine import CHANCE, Asked, Told
from zermelo.interpreter.numbering import observations
from zermelo.interpreter.numbering.observations import information_text

KINDS = """\
game "Kinds"
players Ann, Bob

type Colour = red | blue
type Card = (colour: Colour, rank: 1..40)
type Cell = grid(3, 2)

var at[Cell, Colour]: Bool = false
var card[Player]: Card             private
var hand: set of Colour = {}       hidden
var left: 0..9 = 9

phase deal:
    chance:
        outcome deal(r in 1..40):
            card[Bob] := (blue, r)
            tell Bob that sum(r, 2 * r)
            go play(Ann)

phase play(p: Player):
    turn p:
        move put(c in Cell):
            at[c, blue] := true
            left -= 4
            hand := {red}
            if left < 4: end draw
            go play(other p)

start at deal
"""

SECRET = """\
game "Secret"
players Ann, Bob

phase first:
    turn Ann:
        move bid(secret n in 1..3): go second

phase second:
    turn Bob:
        move pass: end draw

start at first
"""


def part(game, observation, name):
    """A block of an observation, in its shape."""
    block = game.view_encoding.block(name)
    return observation[block.offset : block.offset + block.size].reshape(block.shape)


def test_blocks_are_laid_out_one_after_the_other():
    encoding = zermelo.loads(KINDS).view_encoding
    assert [(block.name, block.kind, block.shape) for block in encoding.blocks] == [
        ("player", "player", (2,)),
        ("at", "variable", (2, 3, 2, 1)),
        ("card", "variable", (2, 1 + 2 + 4)),
        ("left", "variable", (4,)),
        ("sum/2", "message", (1 + 4 + 4,)),
        ("play", "phase", (1 + 2,)),
    ]
    assert encoding.block("card").meanings == (
        "card is known", "card.colour is red", "card.colour is blue",
        "card.rank > 1", "card.rank > 2", "card.rank > 3", "card.rank beyond 4",
    )  # fmt: skip
    ends = [block.offset + block.size for block in encoding.blocks]
    assert [block.offset for block in encoding.blocks] == [0, *ends[:-1]] and encoding.size == ends[-1]
    assert {block.name for block in zermelo.loads(KINDS).full_encoding.blocks} >= {"hand", "deal"}
    with pytest.raises(KeyError, match="there is no 'hand'; there are player, at"):
        encoding.block("hand")


def test_what_the_numbers_say():
    game = zermelo.loads(KINDS)
    state = game.initial.after("deal(7)").after("put(b1)")
    seen = state.observation("Bob")
    assert seen.dtype == np.float32 and seen.shape == (game.view_encoding.size,)
    assert part(game, seen, "player").tolist() == [0, 1]
    assert part(game, seen, "at")[0, 1].tolist() == [[0], [1]] and part(game, seen, "at").sum() == 1
    assert part(game, seen, "card").tolist() == [[0] * 7, [1, 0, 1, 1, 1, 1, 3]]
    assert part(game, seen, "left").tolist() == [1, 1, 1, 2]
    assert part(game, seen, "sum/2").tolist()[0] == 1
    assert part(game, seen, "play").tolist() == [1, 0, 1]
    other = state.observation("Ann")
    assert not part(game, other, "card").any() and not part(game, other, "sum/2").any()
    assert not part(game, other, "play").any()  # she is not asked
    whole = game.full_encoding.block("hand")
    assert state.full_observation()[whole.offset : whole.offset + whole.size].tolist() == [1, 0]


def test_one_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(observations, "MOST_UNITS", 20)
    with pytest.raises(ZermeloError, match="more than 20 numbers, 14 for 'card'") as refused:
        zermelo.loads(KINDS).initial.observation("Ann")
    assert refused.value.code == "needs-bounds"


def random_states(random):
    """A random game with some states of its plays, up to an error of the rules; no states if it has an error at once or
    its text is not accepted."""
    text = with_and_without(random)[0] if random.random() < 0.3 else write_game(random)
    try:
        game = zermelo.loads(text)
        beginning = game.initial
    except ZermeloError:
        return None, []
    states = [beginning]
    for _ in range(6):
        state = beginning
        with suppress(ZermeloError):
            for _ in range(12):
                legal = [move for move, _ in state.outcomes] or state.moves
                if not legal:
                    break
                state = state.after(random.choice(legal))
                states.append(state)
    return game, states


@settings(max_examples=many(40))
@given(st.integers(0, 10**9))
def test_states_that_a_player_cannot_tell_apart_look_alike(number):
    """And those that they can tell apart have different texts and recollections, which are of perfect recall."""
    game, states = random_states(Random(number))
    looks, texts, known_by_text, known_by_rows = {}, {}, {}, {}
    for state, player in product(states, () if game is None else game.players):
        known, seen = state.information_state(player), state.observation(player).tobytes()
        text = information_text(known)
        assert looks.setdefault((player, known), seen) == seen
        assert texts.setdefault((player, known), text) == text
        assert known_by_text.setdefault((player, text), known) == known
        rows = state.recollection(player)
        assert len(rows) == len(known) and known_by_rows.setdefault((player, rows.tobytes()), known) == known


@settings(max_examples=many(40))
@given(st.integers(0, 10**9))
def test_where_audiences_are_fixed_the_view_is_one_of_the_present_values(number):
    """Worked out from the state alone: the values that the player may see, the last message of each kind, and the phase
    in which they are asked."""
    game, states = random_states(Random(number))
    if game is None:
        return
    audiences, machine, encoding = Audiences(game.model, Compiler()), game.machine, game.view_encoding
    for whole, (player, member) in product(states, enumerate(game.model.players)):
        state = whole.machine_state
        is_fixed = audiences.ever(member) == audiences.always[member]
        if machine.actor(state) == CHANCE or machine.is_within_round(state) or not is_fixed:
            continue
        seen, known = whole.observation(member.name), machine.information_state(state, player)
        expected = np.zeros(encoding.size, np.float32)
        expected[player] = 1
        for entry in machine.view(state, player):
            block = next((each for each in encoding.blocks if each.name == entry.variable), None)
            if block is not None:
                variable = next(each for each in game.model.variables if each.name == entry.variable)
                place = list(product(*(type.members for type in variable.indices))).index(entry.indices)
                write(expected, block, place, entry.value)
        for told in known:
            if isinstance(told, Told):
                write(expected, encoding.block(f"{told.label}/{len(told.arguments)}"), 0, told.arguments)
        if player in machine.choosers(state):
            asked = known[-1]
            assert isinstance(asked, Asked)
            write(expected, next(b for b in encoding.blocks if (b.kind, b.name) == ("phase", asked.phase)), 0,
                  asked.arguments)  # fmt: skip
        assert seen.tolist() == expected.tolist()


def write(numbers, block, place, value):
    """What units say, in their own words."""
    for k, unit in enumerate(block.units):
        held = value
        for step in unit.path:
            held = held[step] if held is not None else None
        match unit.kind:
            case "known":
                said = 1
            case "is":
                said = held == unit.value and type(held) is type(unit.value)
            case "has":
                said = held is not None and unit.value in held
            case "over":
                said = held is not None and held > unit.value
            case "beyond":
                said = 0 if held is None else max(0, int((held - unit.value) / unit.step))
            case _:
                said = 0 if held is None else held
        numbers[block.offset + place * len(block.units) + k] = said


def test_a_recollection_has_a_row_for_each_observation():
    game = zermelo.loads(KINDS)
    encoding = game.recollection_encoding
    rows = game.initial.after("deal(7)").after("put(b1)").recollection("Bob")
    assert rows.shape == (5, encoding.size)  # what he is told, his card, her move, the board, the question

    def read(row, name):
        block = encoding.block(name)
        return rows[row, block.offset : block.offset + block.size].reshape(block.shape)

    assert read(0, "sum/2")[0] == 1 and not read(1, "sum/2").any()
    assert read(1, "card").tolist() == [[0] * 7, [1, 0, 1, 1, 1, 1, 3]] and not read(2, "card").any()
    assert read(2, "put/1").tolist() == [1, 0, 0, 1, 0, 0, 0, 0]
    assert read(3, "at")[0, 1].tolist() == [[0, 0], [1, 1]] and read(3, "left").tolist() == [1, 1, 1, 1, 2]
    assert read(4, "play").tolist() == [1, 0, 1]


def test_what_is_hidden_of_a_move_is_not_recollected():
    game = zermelo.load("kuhn_poker")
    with_secret = zermelo.loads(SECRET)
    told = [with_secret.initial.after(f"bid({n})").recollection("Bob") for n in (1, 2)]
    own = [with_secret.initial.after(f"bid({n})").recollection("Ann") for n in (1, 2)]
    assert (told[0] == told[1]).all() and (own[0] != own[1]).any()
    block = with_secret.recollection_encoding.block("bid/1")
    assert block.meanings[2] == "argument 1 is seen"
    assert (told[0][0, block.offset + 2], own[0][-1, block.offset + 2]) == (0, 1)
    assert game.recollection_encoding.block("bet/0").meanings == ("player is Alice", "player is Bob")


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "kuhn_poker", "leduc_poker", "liars_dice", "hanabi"])
def test_machines_show_the_same(name):
    """The view and the whole, on the reference machine and on the one whose rules are lowered."""
    game = zermelo.load(name)
    one, two, random = game.initial, game.on("python").initial, Random(1)
    while not one.is_over:
        for player in game.players:
            assert (one.observation(player) == two.observation(player)).all()
        assert (one.full_observation() == two.full_observation()).all()
        assert (one.choosers, one.is_together) == (two.choosers, two.is_together)
        move = one.sample(random) if one.actor == zermelo.CHANCE else random.choice(one.moves)
        one, two = one.after(move), two.after(move)
