"""Every bundled game that has a board, points or cards says what they look like, and is drawn so from both ends."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.drawing.positions import draw_position, tokens_by_board
from zermelo.interpreter.types import BoardType
from zermelo.pictures.svg import svg


def has_board(game) -> bool:
    """Whether a variable is a board, or holds its cells."""
    entries = {}
    for entry in game.machine.entries(game.initial.machine_state):
        entries.setdefault(entry.variable, {})[entry.indices] = entry.value
    variables = [each for each in game.model.variables if not each.is_constant]
    on_board = any(each.indices and isinstance(each.indices[-1].base, BoardType) for each in variables)
    return on_board or bool(tokens_by_board(variables, entries))


def later(state, random, moves):
    """A state of a random play, after at most so many moves and outcomes."""
    for _ in range(moves):
        if state.is_over:
            break
        state = state.after(state.sample(random) if state.actor == "chance" else random.choice(state.moves))
    return state


BOARDS = [name for name in zermelo.games() if has_board(zermelo.load(name))]


@pytest.mark.parametrize("name", BOARDS)
def test_a_game_with_a_board_says_what_lies_on_it(name):
    model = zermelo.load(name).model
    shown = {each.variable.name for each in model.drawn}
    changing = [each for each in model.variables if not each.is_constant and each.indices]
    boards = {each.name for each in changing if isinstance(each.indices[-1].base, BoardType)}
    assert shown and boards <= shown


@pytest.mark.parametrize("name", [name for name in zermelo.games() if zermelo.load(name).model.drawn])
def test_what_is_drawn_can_be_seen_by_everybody_from_both_ends(name):
    random = Random(7)
    begin = zermelo.load(name).initial
    for moves in (0, 4, 9):
        state = later(begin, random, moves)
        for player in (None, *begin.game.players):
            there, back = (draw_position(state, player, is_flipped=each) for each in (False, True))
            assert sorted(spot.name for spot in there.spots) == sorted(spot.name for spot in back.spots)
            assert sorted(word.text for word in there.words) == sorted(word.text for word in back.words)
            assert len(there.marks) == len(back.marks) and there.description == back.description
            for picture in (there, back):
                ElementTree.fromstring(svg(picture))
