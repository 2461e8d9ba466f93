"""Pictures, and what the page is told, are the same for a player after plays that they cannot tell apart."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import zermelo
from zermelo.drawing.positions import draw_position
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.svg import svg
from zermelo.serving.plays import position

GAMES = sorted((Path(__file__).parents[3] / "gamedefs").glob("*.game"))
HIDING = [
    path.stem
    for path in GAMES
    if any(word in path.read_text("utf-8") for word in ("hidden", "private", "secret", "together"))
]
LEVELS = 7
STATES = 40
"""So many states of each level are looked at, with as many children."""


def children(state, random):
    """Some states after one."""
    if state.is_over:
        return []
    try:
        moves = list(state.moves) or [move for move, _ in state.outcomes]
    except ZermeloError:  # too many outcomes to list them
        moves = list(dict.fromkeys(state.sample(random) for _ in range(4)))
    return [state.after(move) for move in random.sample(moves, min(4, len(moves)))]


def states_of(game):
    """Some states, level by level: more plays than one to each that a player sees."""
    random, level = Random(1), [game.initial]
    for _ in range(LEVELS):
        yield from level
        after = [child for state in level for child in children(state, random)]
        level = random.sample(after, min(STATES, len(after)))


@pytest.mark.parametrize("name", HIDING)
def test_nothing_shows_what_a_player_cannot_know(name):
    """Payoffs are told at the end, and during draws of chance that a draw is made, whatever a player knows."""
    shown = {}
    for state in states_of(zermelo.load(name)):
        if state.actor == zermelo.CHANCE:
            continue
        for player in state.game.players:
            known = player, state.information_state(player), state.status
            pictures = svg(draw_position(state, player)), position(state, player), position(state, player, True)
            assert shown.setdefault(known, pictures) == pictures, state.play
