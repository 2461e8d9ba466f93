"""Boards that are graphs: their names have room, and their parts stand near each other."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import atan2, dist, pi

import pytest

import zermelo
from zermelo.drawing.game_trees import draw_game_tree
from zermelo.drawing.positions import draw_position, tokens_by_board
from zermelo.pictures.marks import (
    INK,
    NAMED,
    PALE,
    Disc,
    Lettering,
    Picture,
    Polygon,
    Rectangle,
    Spot,
    colours_of,
    named_colour,
    nth_colour,
    symbol,
)
from zermelo.pictures.pieces import die
from zermelo.pictures.svg import svg
from zermelo.pictures.trees import tree_picture

LONG = "a_harbour_in_the_far_north"


def drawn(shape):
    """The picture of an empty board."""
    game = zermelo.loads(
        f'game "T"\nplayers A, B\ntype C = {shape}\nvar on[C]: Player? = none\nstart at play\n'
        f"phase play:\n    turn A:\n        move take(c in C):\n            on[c] := A\n            end\n"
    )
    return draw_position(game.initial, None, is_titled=False)


def words_of(graph, cell):
    """The words on a board that is a graph."""
    words = drawn(f"graph({graph})").words
    assert any(word.text == cell for word in words)
    return words


@pytest.mark.parametrize(
    "graph",
    [
        f"{LONG} - {LONG}_2 - {LONG}_3 - {LONG}_4 - {LONG}",
        f"{LONG} - {LONG}_2 - {LONG}_3 - {LONG}_4 - {LONG}_5 - {LONG}_6 - {LONG}",
        ", ".join(f"{LONG} - {LONG}_{k}" for k in range(2, 10)),
    ],
)
def test_long_names_do_not_lie_upon_each_other(graph):
    words = words_of(graph, LONG)
    assert not any(one.box.overlaps(other.box) for one, other in combinations(words, 2))


def test_parts_of_a_graph_stand_near_each_other():
    """However many cells they have: two stars of ten points each, whose cells are two steps apart at most."""
    stars = ", ".join(f"{star} - {star}{k}" for star in "ab" for k in range(1, 11))
    words = words_of(stars, "a10")
    across = max(word.x for word in words) - min(word.x for word in words)
    down = max(word.y for word in words) - min(word.y for word in words)
    assert max(across, down) < 500


@pytest.mark.parametrize("size", [3, 5, 12, 30])
def test_the_cells_of_a_ring_stand_on_a_circle_clockwise_from_the_top(size):
    """Neighbours have the same room everywhere, and a line joins them, once."""
    picture = drawn(f"ring({size})")
    places = {spot.name: (spot.x + spot.width / 2, spot.y + spot.height / 2) for spot in picture.spots}
    middle = tuple(sum(place[k] for place in places.values()) / size for k in range(2))
    radius = middle[1] - places["0"][1]
    assert places["0"] == pytest.approx((middle[0], middle[1] - radius))
    around = [places[str(k)] for k in range(size)]
    assert [dist(middle, place) for place in around] == pytest.approx([radius] * size)
    turns = [atan2(y - middle[1], x - middle[0]) for x, y in around]
    assert [(after - turn) % (2 * pi) for turn, after in pairwise(turns)] == pytest.approx([2 * pi / size] * (size - 1))
    assert dist(*around[:2]) > picture.spots[0].width
    ends = [mark.points for mark in picture.marks if isinstance(mark, Polygon)]
    joined = [sorted(min(range(size), key=lambda k: dist(around[k], end)) for end in each) for each in ends]
    assert sorted(joined) == sorted(sorted((k, (k + 1) % size)) for k in range(size))


def test_hexagons_that_touch_are_as_far_apart_and_their_files_and_ranks_are_named_once():
    picture = drawn("hex(4, 3)")
    places = {spot.name: (spot.x + spot.width / 2, spot.y + spot.height / 2) for spot in picture.spots}
    steps = [dist(places["b2"], places[other]) for other in ("a2", "c2", "b1", "b3", "c1", "a3")]
    assert steps == pytest.approx([steps[0]] * 6)
    assert places["b3"][1] < places["b2"][1] < places["b1"][1]
    words = [word.text for word in picture.words]
    assert all(words.count(name) == 1 for name in "abcd123")


# Players are told apart by shape and colour, and what is named as a colour has it.


PIECES = """game "Pieces"
players Ann, Red
type Piece = white_king | black_king | red_or_blue | greenish
type Board = grid(5, 1)
var board[Board]: Piece? = none

setup:
    board := layout
        "wbrg."

legend board:
    "w" = white_king
    "b" = black_king
    "r" = red_or_blue
    "g" = greenish
    "." = none

start at p
phase p:
    turn Ann:
        move on:
            board[a1] := none
            end
"""


def test_a_name_says_a_colour():
    assert named_colour("Red") == NAMED["red"] and named_colour("yellow_2") == NAMED["yellow"]
    for name in ("Redmond", "Ann", "red_or_blue", ""):
        assert named_colour(name) is None


def test_players_have_the_colours_of_their_names():
    assert colours_of(("Red", "Blue")) == (NAMED["red"], NAMED["blue"])
    assert colours_of(("Ann", "Bob", "Cid")) == tuple(map(nth_colour, range(3)))
    assert colours_of(("Ann", "Blue")) == (nth_colour(1), NAMED["blue"]), "no two have one colour"
    assert len(set(colours_of(("light_red", "dark_red", "Bob")))) == 3


def test_the_shape_is_that_of_the_number():
    for number in range(2):
        assert symbol(number, ("Red", "White")).points == symbol(number, ("Ann", "Bob")).points


@pytest.mark.parametrize("colour", sorted({PALE.get(colour, colour) for colour in NAMED.values()}))
def test_thin_words_in_a_colour_can_be_read_on_paper(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    assert 1.05 / (luminance + 0.05) >= 4.5, "WCAG 2.2, 1.4.3"


@pytest.mark.parametrize("colour", PALE)
def test_pale_letters_have_an_edge_or_are_darker(colour):
    bold, thin = (
        svg(Picture("", (Lettering(0, 0, "W", 20, colour, is_bold=each),)), has_style=False) for each in (True, False)
    )
    assert f'fill="{colour}" stroke="#000000"' in bold
    assert "stroke" not in thin and f'fill="{PALE[colour]}"' in thin


def test_pieces_have_the_colours_of_their_names():
    drawn = draw_position(zermelo.loads(PIECES).initial, None)
    signs = {word.text: word.colour for word in drawn.words if word.is_bold}
    assert (signs["w"], signs["b"]) == (NAMED["white"], NAMED["black"])
    assert signs["r"] == signs["g"] == INK
    state = zermelo.load("connect_four").initial.after("drop(1)").after("drop(2)")
    fills = [mark.style.fill for mark in draw_position(state, None).marks if isinstance(mark, Disc)]
    assert fills.count(NAMED["red"]) == fills.count(NAMED["yellow"]) == 1


# Cells that variables hold are tokens on their board, if no variable is drawn as it.


TWO_RUNNERS = """game "Two runners"
players Ann, Bob
type Track = graph(a - b - c - d, b - d)
var runner[Player]: Track? = none
var goal: Track = d   hidden
var left: set of Track = {a, c}
var rounds: 0..3 = 0

setup:
    runner[Ann] := a

start at run
phase run:
    turn Ann:
        move run(c in Track):
            runner[Ann] := c
            goal := b
            left := {}
            rounds += 1
            end
"""


def tokens_drawn(state, player=None):
    return draw_position(state, player)


def words(picture):
    return [mark.text for mark in picture.marks if isinstance(mark, Lettering)]


def inside(picture, name):
    """The signs on a cell."""
    (spot,) = (each for each in picture.spots if each.name == name)
    return [
        mark.text
        for mark in picture.marks
        if isinstance(mark, Lettering)
        and mark.is_bold
        and spot.box.left < mark.x < spot.box.right
        and spot.box.top < mark.y < spot.box.bottom
    ]


def test_tokens_stand_on_their_cells():
    picture = tokens_drawn(zermelo.loads(TWO_RUNNERS).initial)
    assert len(picture.spots) == 4
    assert inside(picture, "a") == ["RA L"] and inside(picture, "d") == ["G"] and inside(picture, "c") == ["L"]
    assert inside(picture, "b") == []
    told = words(picture)
    assert told[told.index("runner[Bob]") + 1] == "none" and told[told.index("left") + 1] == "a, c"


def test_what_is_hidden_stands_nowhere():
    picture = tokens_drawn(zermelo.loads(TWO_RUNNERS).initial, "Bob")
    assert inside(picture, "d") == []
    told = words(picture)
    assert told[told.index("goal") + 1] == "?" and "? is hidden from Bob." in " ".join(told)


def test_a_board_that_is_drawn_gets_no_tokens():
    """The square that a pawn has jumped over is a variable of chess."""
    chess = zermelo.load("chess")
    entries = {}
    for entry in chess.machine.entries(chess.initial.machine_state):
        entries.setdefault(entry.variable, {})[entry.indices] = entry.value
    assert not tokens_by_board(chess.model.variables, entries)
    assert "en_passant" in words(tokens_drawn(chess.initial))


@pytest.mark.parametrize("name", ["rook_ending", "pit_cave", "kriegspiel_ending", "two_taxis"])
def test_signs_differ(name):
    game = zermelo.load(name)
    entries = {}
    for entry in game.machine.entries(game.initial.machine_state):
        entries.setdefault(entry.variable, {})[entry.indices] = entry.value
    for own in tokens_by_board(game.model.variables, entries).values():
        assert len({token.sign for token in own}) == len(own)


def test_a_die_has_as_many_eyes_as_its_number():
    """They lie alike from all corners, one of an odd number in the middle."""
    for number in range(1, 7):
        eyes = [(each.x, each.y) for each in die(number, 26) if isinstance(each, Disc)]
        (face,) = (each for each in die(number, 26) if isinstance(each, Rectangle))
        middle = face.x + face.width / 2, face.y + face.height / 2
        assert len(eyes) == len(set(eyes)) == number and (middle in eyes) == (number % 2 == 1)
        assert set(eyes) == {(2 * middle[0] - x, 2 * middle[1] - y) for x, y in eyes}


def test_a_long_play_is_told_in_lines_of_which_the_last_are_kept():
    state = zermelo.load("connect_four").initial
    for k in range(28):  # no four in a row
        state = state.after(f"drop({(1, 3, 5, 7, 2, 4, 6)[k % 7]})")
    rows = [text for text in words(tokens_drawn(state)) if "drop(" in text]
    assert len(rows) == 3 and rows[0].startswith("... ") and rows[-1].endswith(str(state.play[-1]))
    assert all(len(row) <= 90 for row in rows)


def test_marks_are_explained_where_there_are_some():
    begin = zermelo.load("tic_tac_toe").initial
    assert "Green: legal moves." in words(tokens_drawn(begin))
    assert "Yellow: the last move. Green: legal moves." in words(tokens_drawn(begin.after("mark(b2)")))
    assert not [word for word in words(tokens_drawn(zermelo.load("kuhn_poker").initial)) if "Green" in word]


# Places with names in pictures: every cell and every node has one, where it is drawn, and nobody sees it.


RULES = "start at p\nphase p:\n    turn A:\n        move put(c in C):\n            on[c] := A\n            end\n"


def board(shape: str) -> Picture:
    game = zermelo.loads(f'game "x"\nplayers A, B\ntype C = {shape}\nvar on[C]: Player? = none\n{RULES}')
    return draw_position(game.initial, None)


@pytest.mark.parametrize(
    ("shape", "count"), [("grid(4, 3)", 12), ("hex(4, 3)", 12), ("ring(7)", 7), ("graph(a - b - c - a, c - d)", 4)]
)
def test_every_cell_is_a_spot_about_its_shape(shape, count):
    """The legal moves are marked by a dot in the middle of each cell, which must be the middle of its spot."""
    drawn = board(shape)
    assert len(drawn.spots) == len({spot.name for spot in drawn.spots}) == count
    dots = {(round(mark.x, 6), round(mark.y, 6)) for mark in drawn.marks if isinstance(mark, Disc) and mark.radius == 4}
    assert {(round(s.x + s.width / 2, 6), round(s.y + s.height / 2, 6)) for s in drawn.spots} == dots
    for one, other in combinations(drawn.spots, 2):
        overlap = min(one.box.right, other.box.right) - max(one.box.left, other.box.left)
        above = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
        assert min(overlap, above) < 1e-6, "a click is about one cell"


def test_the_name_of_a_spot_is_that_of_its_cell():
    """On a grid files and ranks stand at the edges: a spot is above its file and beside its rank."""
    drawn = board("grid(3, 2)")
    at = {mark.text: mark for mark in drawn.marks if isinstance(mark, Lettering)}
    for spot in drawn.spots:
        file, rank = at[spot.name[0]], at[spot.name[1]]
        assert spot.box.left < file.x < spot.box.right and spot.box.top < rank.y < spot.box.bottom


def test_every_node_of_a_tree_is_a_spot():
    drawn = tree_picture(draw_game_tree(zermelo.load("kuhn_poker").initial))
    assert [spot.name for spot in drawn.spots] == [str(k) for k in range(55)]
    shapes = [mark.box for mark in drawn.marks if isinstance(mark, Polygon | Disc | Rectangle)]
    for spot in drawn.spots:
        assert any(spot.box.overlaps(shape) for shape in shapes)


def test_nobody_sees_a_spot():
    drawn = board("hex(2, 2)")
    others = tuple(mark for mark in drawn.marks if not isinstance(mark, Spot))
    assert svg(drawn) == svg(Picture(drawn.title, others, drawn.description))
    assert Picture("", (*others, Spot(-500, -500, 1, 1, "far"))).box == drawn.box
