"""What lies on boards stands in the middle of its square and stays in it, and what lies side by side keeps apart."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from zermelo.pictures.marks import BLACK, INK, WHITE, Box, Disc, Lettering, Mark, Picture, Rectangle
from zermelo.pictures.pieces import Piece, card, die, piece_marks, pieces_marks, row_marks

ROOM = 40.0


def around(marks: list[Mark] | tuple[Mark, ...]) -> Box:
    return Picture("", tuple(marks)).box


def lettering(marks: list[Mark]) -> Lettering:
    (word,) = (mark for mark in marks if isinstance(mark, Lettering))
    return word


def is_within(inner: Box, outer: Box) -> bool:
    near = 1e-6
    return (
        outer.left - near <= inner.left
        and inner.right <= outer.right + near
        and outer.top - near <= inner.top
        and inner.bottom <= outer.bottom + near
    )


@pytest.mark.parametrize("face", ["", "K", "10", "a long text", "♠", "6", "7", "✿"])
@pytest.mark.parametrize("shape", ["disc", "ring", "square", "card", "die", ""])
def test_a_piece_stands_in_the_middle_of_its_square(shape: str, face: str) -> None:
    marks = piece_marks(Piece(face, BLACK, shape), ROOM)
    if not marks:
        assert shape == face == ""
        return
    box = around(marks)
    assert abs(box.left + box.right) < 1e-6 and abs(box.top + box.bottom) < (1e-6 if shape else ROOM / 6)
    words = [mark for mark in marks if isinstance(mark, Lettering)]
    for word in words:
        assert word.text == face and abs(word.box.left + word.box.right) < 1e-6
        assert abs(word.box.top + word.box.bottom) < word.size / 3
        if shape:
            assert is_within(word.box, around([mark for mark in marks if mark is not word]))
    assert bool(words) == (shape == "card" or (shape == "die" and face != "6") or bool(face and shape != "die"))
    if shape not in ("card", "die") or face == "6":  # a card is as wide as what stands on it
        assert is_within(box, Box(-ROOM / 2, -ROOM / 2, ROOM / 2, ROOM / 2))
        assert box.width > ROOM / 2 or face in ("K", "6", "7", "♠", "✿")


def test_of_several_there_is_a_number_unless_they_say_something() -> None:
    for shape in ("disc", "ring", "square"):
        assert lettering(piece_marks(Piece("", BLACK, shape, 12), ROOM)).text == "12"
        assert lettering(piece_marks(Piece("K", BLACK, shape, 12), ROOM)).text == "K"
        assert not any(isinstance(mark, Lettering) for mark in piece_marks(Piece("", BLACK, shape), ROOM))
    assert lettering(piece_marks(Piece("", BLACK, "card", 12), ROOM)).text == ""
    assert lettering(piece_marks(Piece("", BLACK, "disc", 0), ROOM)).text == "0"


def test_letters_on_dark_things_are_light_and_on_light_things_dark() -> None:
    for shape in ("disc", "square"):
        on_dark, on_light = (lettering(piece_marks(Piece("K", each, shape), ROOM)).colour for each in (BLACK, WHITE))
        assert int(on_dark[1:3], 16) > 200 and int(on_light[1:3], 16) < 100


@pytest.mark.parametrize("number", range(1, 7))
def test_the_eyes_of_a_die_look_the_same_from_both_ends(number: int) -> None:
    """And the odd ones have one in the middle."""
    eyes = {(round(mark.x, 6), round(mark.y, 6)) for mark in die(number, ROOM) if isinstance(mark, Disc)}
    assert len(eyes) == number
    assert eyes == {(ROOM - x, ROOM - y) for x, y in eyes}
    assert ((ROOM / 2, ROOM / 2) in eyes) == (number % 2 == 1)
    assert min(abs(x - 0) for x, _ in eyes) == (ROOM / 2 if number == 1 else ROOM / 4)


@pytest.mark.parametrize("sign", ["A", "10♠", "?", "a very long name"])
def test_a_card_is_as_wide_as_its_sign_and_higher_than_wide_if_that_is_short(sign: str) -> None:
    marks = card(sign, ROOM)
    (paper,) = (mark for mark in marks if isinstance(mark, Rectangle))
    word = lettering(marks)
    assert (paper.x, paper.y, paper.height) == (0, 0, ROOM)
    assert is_within(word.box, paper.box) and abs(word.box.left + word.box.right - paper.width) < 1e-6
    assert (paper.width < ROOM) == (len(sign) == 1)
    assert (paper.style.fill == card("A", ROOM)[0].style.fill) == (sign != "?")  # type: ignore[union-attr]
    assert paper.width - word.box.width >= ROOM * 0.2


@pytest.mark.parametrize("count", range(1, 11))
def test_several_pieces_share_a_square(count: int) -> None:
    """In rows as even as can be, of which the last stands in the middle."""
    boxes = [mark.box for mark in pieces_marks([Piece("", BLACK, "square")] * count, ROOM)]
    assert len(boxes) == count and not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(is_within(box, Box(-ROOM / 2, -ROOM / 2, ROOM / 2, ROOM / 2)) for box in boxes)
    rows = sorted({round(box.top, 6) for box in boxes})
    for row in rows:
        there = [box for box in boxes if round(box.top, 6) == row]
        assert abs(min(box.left for box in there) + max(box.right for box in there)) < 1e-6
        assert len(there) == max(1, -(-count // len(rows))) or row == rows[-1]
    assert abs(min(box.top for box in boxes) + max(box.bottom for box in boxes)) < 1e-6
    across = next(k for k in range(1, 5) if k * k >= count)
    assert len(rows) == -(-count // across)
    assert boxes == sorted(boxes, key=lambda box: (round(box.top, 6), box.left)), "row by row, from the left"
    assert count == 1 or boxes[0].width > ROOM / across * 0.7


def test_pieces_in_a_row_begin_at_its_left_end_and_keep_apart() -> None:
    row = [Piece("K", shape="card"), Piece("", BLACK, "disc", 8), Piece("6", shape="die"), Piece("a long one", INK)]
    marks = row_marks([(piece, "") for piece in row], ROOM)
    outer = [mark.box for mark in marks if isinstance(mark, Rectangle) or (isinstance(mark, Disc) and mark.radius > 9)]
    assert len(outer) == 1 + 8 + 1, "eight are drawn one by one"
    boxes = [*outer, marks[-1].box]
    assert boxes[0].left == 0
    assert all(0 < other.left - one.right < ROOM / 2 for one, other in pairwise(boxes))
    assert not any(isinstance(mark, Lettering) and "in all" in mark.text for mark in marks)
    many = row_marks([(Piece("", BLACK, "disc", 9), ""), (Piece("", WHITE, "disc"), "")], ROOM)
    first, words, last = many
    assert isinstance(words, Lettering) and words.text == "9 in all"
    assert first.box.left == 0 and first.box.right < words.box.left < words.box.right < last.box.left
