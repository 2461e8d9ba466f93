"""What a file draws looks as it says: shapes, faces, colours, what lies below them, and the two ends of a board."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.drawing.positions import draw_position, entries_changed, small_boards
from zermelo.interpreter.elaboration.drawings import COLOURS
from zermelo.pictures.boards import MOVED
from zermelo.pictures.marks import (
    AREAS,
    BLACK,
    DARK,
    INK,
    NAMED,
    PALE,
    PAPER,
    WHITE,
    Disc,
    Lettering,
    Picture,
    Polygon,
    Rectangle,
    colours_of,
    nth_colour,
)
from zermelo.pictures.pieces import card, stone_colour
from zermelo.pictures.svg import svg

GAME = """game "Looks"
players Red, Blue, Cid
type Cell = grid(3, 2)
type Kind = king | pawn
type Piece = (owner: Player, kind: Kind)
type Pile = 1..2
var board[Cell]: Piece? = none
var left[Pile]: 0..20 = 0
var at: Cell? = none
{drawn}
setup:
    board[a1] := (Red, king)
    board[b1] := (Blue, pawn)
    board[c1] := (Cid, pawn)
    left[1] := 3
start at play
phase play:
    turn Red:
        move step(c in Cell) if board[c] is none and at is none:
            board[c] := (Red, pawn)
            at := c
            left[2] := 12
            go play
        move wait: go play
        move stop: end draw
endless draw
"""
RED, BLUE, CID = colours_of(("Red", "Blue", "Cid"))


def begin(drawn):
    return zermelo.loads(GAME.format(drawn=drawn)).initial


def on(picture, cell, kind):
    """The marks of a kind whose middles are in a cell."""
    (spot,) = (each for each in picture.spots if each.name == cell)

    def is_in(mark):
        box = mark.box
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        return spot.box.left < x < spot.box.right and spot.box.top < y < spot.box.bottom and box.width < spot.width

    return [mark for mark in picture.marks if isinstance(mark, kind) and is_in(mark)]


def stones(picture, cell):
    """The discs on a cell that are no marks of legal moves."""
    return [mark for mark in on(picture, cell, Disc) if mark.radius > 5 and mark.style.fill != "none"]


def test_a_look_is_that_of_the_value_else_of_its_part_else_of_the_others():
    drawn = draw_position(begin('drawn board as disc:\n    (Cid, pawn) = "x"\n    pawn = square white\n'), None)
    assert [mark.style.fill for mark in stones(drawn, "a1")] == [RED]
    assert [mark.style.fill for mark in on(drawn, "b1", Rectangle)] == [stone_colour(WHITE)]
    assert [(word.text, word.colour) for word in on(drawn, "c1", Lettering)] == [("x", CID)]
    assert not stones(drawn, "b1") and not stones(drawn, "c1") and not stones(drawn, "a2")


def test_a_colour_is_that_of_a_player_or_of_a_name():
    for colour, fill in (("Cid", CID), ("green", NAMED["green"]), ("black", stone_colour(BLACK))):
        drawn = draw_position(begin(f"drawn board as {colour} disc"), None)
        assert {mark.style.fill for cell in ("a1", "b1", "c1") for mark in stones(drawn, cell)} == {fill}


def test_the_word_text_is_the_sign_of_the_value():
    drawn = draw_position(begin('legend board:\n    "k" = (Red, king)\ndrawn board as disc text\n'), None)
    assert [word.text for word in on(drawn, "a1", Lettering)] == ["k"]
    assert [word.text for word in on(drawn, "b1", Lettering)] == ["(Blue, pawn)"]


def test_nothing_lies_on_an_empty_cell_unless_none_has_a_look():
    entries = ("king = ring", "none = disc white")
    plain, dotted = (draw_position(begin(f"drawn board as disc:\n    {each}"), None) for each in entries)
    assert not stones(plain, "a2") and len(stones(dotted, "a2")) == 1
    assert len(stones(dotted, "b1")) == 1, "what is there covers that"


def test_a_count_is_so_many_things_or_a_number():
    state = begin("drawn left as disc brown")
    few, many = draw_position(state, None), draw_position(state.after("step(a2)"), None)
    assert len([mark for mark in few.marks if isinstance(mark, Disc) and mark.style.fill == NAMED["brown"]]) == 3
    assert len([mark for mark in many.marks if isinstance(mark, Disc) and mark.style.fill == NAMED["brown"]]) == 4
    assert "12 in all" in [word.text for word in many.words]


def test_a_thing_stands_on_the_cell_that_a_variable_holds_even_on_a_board_that_is_drawn():
    state = begin('drawn board as disc\ndrawn at as "✿" Cid').after("step(b2)")
    assert [word.text for word in on(draw_position(state, None), "b2", Lettering)] == ["✿"]
    bare = begin("drawn board as disc").after("step(b2)")
    assert not on(draw_position(bare, None), "b2", Lettering)


@pytest.mark.parametrize("pattern", ["squares", "squares green", "checkerboard", "lines", "lines blue", ""])
def test_a_flipped_board_is_turned_round_with_all_that_lies_on_it(pattern):
    state = begin(f"drawn board as disc\n{f'drawn Cell as {pattern}' if pattern else ''}")
    there, back = draw_position(state, None), draw_position(state, None, is_flipped=True)
    one, other = ({spot.name: spot for spot in each.spots} for each in (there, back))
    left, top = min(spot.x for spot in there.spots), min(spot.y for spot in there.spots)
    right, bottom = (max(each) for each in zip(*((s.box.right, s.box.bottom) for s in there.spots), strict=True))
    assert one.keys() == other.keys()
    for name, spot in one.items():
        assert other[name].x - left == pytest.approx(right - spot.box.right)
        assert other[name].y - top == pytest.approx(bottom - spot.box.bottom)
    for cell in one:
        assert [m.style.fill for m in stones(there, cell)] == [m.style.fill for m in stones(back, cell)]


@pytest.mark.parametrize("shape", ["grid(3, 3)", "hex(3, 3)"])
def test_sides_have_the_colours_of_those_who_join_them(shape):
    sides = "left = Red, right = white\n    top = Blue, bottom = yellow"
    text = GAME.format(drawn=f"drawn Cell as:\n    {sides}\n").replace("grid(3, 2)", shape)
    state = zermelo.loads(text).initial
    for is_flipped in (False, True):
        drawn = draw_position(state, None, is_flipped=is_flipped)
        lines = [mark for mark in drawn.marks if isinstance(mark, Polygon) and mark.is_open and mark.style.width > 5]

        def middle(colour, lines=lines):
            points = [point for line in lines if line.style.stroke == colour for point in line.points]
            return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)

        across = middle(RED)[0] < middle(stone_colour(WHITE))[0]
        down = middle(BLUE)[1] < middle(NAMED["yellow"])[1]
        assert (across, down) == (not is_flipped, not is_flipped)


def test_the_last_move_is_what_it_names_else_what_it_changed_and_a_pass_changes_nothing():
    def yellow(state, player=None):
        marks = [mark for mark in draw_position(state, player).marks if isinstance(mark, Rectangle)]
        return len([mark for mark in marks if mark.style.fill == MOVED])

    four = zermelo.load("connect_four").initial
    assert yellow(four) == 0 and yellow(four.after("drop(1)")) == 1, "a column is no cell"
    othello = zermelo.load("othello").initial.after("place(c4)")
    assert yellow(othello) == 1, "not what is turned over"
    state = begin("drawn board as disc").after("step(a2)")
    assert yellow(state) == yellow(state.after("wait")) == 1
    assert yellow(zermelo.load("go", size=3).initial.after("pass")) == 0


def test_what_a_player_does_not_see_is_no_last_move_of_theirs():
    state = zermelo.load("dark_hex").initial.after("place(a1)")
    changed = {None: 2, "Red": 1, "Blue": 0}  # the stone, and what Red knows
    assert {player: len(entries_changed(state, player)) for player in changed} == changed
    assert not entries_changed(zermelo.load("dark_hex").initial, None)


UNTOLD = """game "Untold"
players A, B
type Cell = grid(3, 1)
var board[Cell]: Player? = none
var waited: 0..30 = 0 hidden
start at place
phase place:
    turn A:
        move place(c in Cell):
            board[c] := A
            go wait
phase wait:
    turn B:
        move wait secret if waited < 30:
            waited += 1
            go wait
        move deal secret: go deal
phase deal:
    chance:
        outcome left:
            {left}
        outcome right:
            {right}
phase other:
    chance:
        outcome rest:
            board[a1] := B
            board[c1] := B
            go end_
phase end_:
    turn A:
        move stop: end draw
"""


def seen_by_a(play, left="go end_", right="go end_"):
    state = zermelo.loads(UNTOLD.format(left=left, right=right)).initial
    for move in play:
        state = state.after(move)
    return state.information_state("A"), svg(draw_position(state, "A"))


def test_the_mark_of_the_last_move_does_not_tell_how_often_others_have_moved():
    plays = [["place(b1)", *["wait"] * times, "deal", "left"] for times in (0, 20)]
    assert seen_by_a(plays[0]) == seen_by_a(plays[1])


def test_the_mark_of_the_last_move_does_not_tell_the_order_of_what_chance_does():
    two = {"left": "board[a1] := B\n            go other", "right": "board[c1] := B\n            go other"}
    plays = [["place(b1)", "deal", first, "rest"] for first in two]
    assert seen_by_a(plays[0], **two) == seen_by_a(plays[1], **two)


# Points, cards and dice.


RACE = """game "Race"
players White, Black
type Point = 0..7
var men[Player, Point]: 0..9 = 0
var dice[Die]: 0..4 = 0
type Die = 1..6
{drawn}
setup:
    men[White, 1] := 7
    men[White, 7] := 2
    men[Black, 1] := 3
    men[Black, 0] := 4
    dice[3] := 2
start at play
phase play:
    turn White:
        move step:
            men[White, 1] := 6
            men[White, 2] := 1
            dice[3] := 1
            end draw
"""
FACING = "drawn Point as points facing:\n    7 = bar, 0 = off\ndrawn men as disc\ndrawn dice as die\n"


def race(drawn, is_flipped=False, play=()):
    state = zermelo.loads(RACE.format(drawn=drawn)).initial
    for move in play:
        state = state.after(move)
    return draw_position(state, None, is_flipped=is_flipped)


def men_above(picture, point, colour):
    """The men of a colour above or below the middle of a point, which is a spot."""
    (spot,) = (each for each in picture.spots if each.name == point)
    fill = stone_colour(colour)
    discs = [mark for mark in picture.marks if isinstance(mark, Disc) and mark.style.fill == fill and mark.radius > 5]
    box = spot.box
    return len([disc for disc in discs if box.left < disc.x < box.right and box.top < disc.y < box.bottom])


def test_players_who_face_each_other_count_the_points_from_different_ends():
    picture = race(FACING)
    assert {spot.name for spot in picture.spots} == {*"123456", "bar", "off"}
    assert men_above(picture, "1", WHITE) == 5 and "7" in [word.text for word in picture.words if word.is_bold]
    assert men_above(picture, "6", BLACK) == 3 and men_above(picture, "1", BLACK) == 0
    apart = race("drawn Point as points\ndrawn men as disc\n")
    assert [spot.name for spot in apart.spots] == [*"01234567", *"01234567"], "a board for each player"


def test_points_are_turned_round_with_the_board():
    there, back = race(FACING), race(FACING, is_flipped=True)
    one, other = ({spot.name: (spot.x, spot.y) for spot in each.spots} for each in (there, back))
    assert one["1"][0] > one["3"][0] and one["1"][1] > one["6"][1], "the first point is below, on the right"
    assert other["1"][0] < other["3"][0] and other["1"][1] < other["6"][1]
    assert men_above(back, "1", WHITE) == 5 and men_above(back, "6", BLACK) == 3


def test_points_of_the_last_move_are_marked():
    yellow = [
        [mark for mark in race(FACING, play=play).marks if isinstance(mark, Polygon) and mark.style.fill == MOVED]
        for play in ((), ("step",))
    ]
    assert [len(marks) for marks in yellow] == [0, 2]


def test_dice_show_what_is_counted():
    eyes = [mark for mark in race(FACING).marks if isinstance(mark, Disc) and mark.radius < 4]
    assert len(eyes) == 2 * 3, "two dice that show a three"


def test_hidden_cards_lie_face_down_beside_those_that_are_seen():
    state = zermelo.load("kuhn_poker").initial.after("deal(J, Q)")
    faces = {
        player: [word.text for word in draw_position(state, player).words if word.is_bold and len(word.text) == 1]
        for player in (None, "Alice", "Bob")
    }
    assert faces == {None: ["J", "Q"], "Alice": ["J", "?"], "Bob": ["?", "Q"]}
    for player in faces:
        assert len([mark for mark in draw_position(state, player).marks if isinstance(mark, Rectangle)]) == 2


def test_suits_have_their_colours():
    red, black = (card(sign, 30)[1].colour for sign in ("6♥", "6♠"))
    assert red != black and card("6♦", 30)[1].colour == red and card("6", 30)[1].colour == black


# Dark paper.


def test_dark_paper_has_other_colours_of_words_and_lines_and_stones_keep_theirs():
    state = begin("drawn board as disc")
    drawn = draw_position(state, None)
    text = svg(drawn)
    style = text[text.index("<style>") : text.index("</style>")]
    assert f'.zermelo :not(text)[fill="{PAPER}"]' in style and f'.zermelo [fill="{INK}"]' in style
    assert f'[stroke="{NAMED["brown"]}"]' not in style, "nothing is brown"
    assert f':not(text)[fill="{RED}"]' not in style, "a red stone stays as it is"
    assert "<style>" not in svg(drawn, has_style=False)


@pytest.mark.parametrize("light", [colour for colour in DARK if colour not in (PAPER, *AREAS)])
def test_words_can_be_read_on_dark_paper(light):
    def luminance(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    if light in {*NAMED.values(), *map(nth_colour, range(6)), *PALE.values()}:
        assert (luminance(DARK[light]) + 0.05) / (luminance(DARK[PAPER]) + 0.05) >= 4.5, "WCAG 2.2, 1.4.3"


def test_the_colours_of_looks_are_those_of_pictures():
    assert set(COLOURS) == set(NAMED)


def lines_of(picture):
    """The words of a picture, those of one height in a line, from left to right."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for mark in picture.marks:
        if isinstance(mark, Lettering):
            rows.setdefault(mark.y, []).append((mark.x, mark.text))
    return [" ".join(text for _, text in sorted(row)) for _, row in sorted(rows.items())]


def test_truth_values_of_players_are_lines_of_what_holds():
    """Who may castle where in chess: Black still may on both sides, White has moved the king."""
    state = zermelo.load("chess").initial
    for move in ("go_to(e2, e4)", "go_to(e7, e5)", "go_to(e1, e2)"):
        state = state.after(move)
    lines = lines_of(draw_position(state, None))
    assert "may_castle[White] none" in lines and "may_castle[Black] queen_side, king_side" in lines
    assert not any("true" in line or "false" in line for line in lines)


@pytest.mark.parametrize("game", ["hex", "backgammon", "chess", "connect_four", "blind_tic_tac_toe"])
def test_words_of_boards_are_large_enough_for_a_phone(game):
    """A phone shows a picture 350 pixels wide, where 9 are read: names along edges and above boards, words below."""
    picture = draw_position(zermelo.load(game).initial, None, is_titled=False)
    assert picture.words
    scale = 350 / (picture.box.width + 32)
    assert {word.text: word.size for word in picture.words if word.size * scale < 9} == {}


def test_boards_of_a_tree_are_smaller_if_there_are_many():
    """112 pixels is the longer side of one board; 400 squares of 50 are a page of a thousand."""
    start = zermelo.load("chess").initial
    boxes = [Picture("", small_boards(start, count=count)).box for count in (1, 50, 400, 40_000)]
    assert [max(round(box.width), round(box.height)) for box in boxes] == [112, 112, 50, 40]
