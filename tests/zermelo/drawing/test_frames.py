"""A search to watch, moment by moment."""

from __future__ import annotations

import re
import zlib
from itertools import combinations
from math import inf
from xml.etree import ElementTree

import pytest
from attrs import evolve

import zermelo
from zermelo.drawing.frames import search_frames
from zermelo.drawing.searches import ALPHA, search_picture
from zermelo.drawing.sizes import search_milestone
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import Disc, Lettering, Polygon, Spot, sheet
from zermelo.pictures.trees import captioned
from zermelo.solvers.common.limits import Limits


def watched(name: str, *given):
    return search_frames(zermelo.load(name).initial, *given)


def beside(frame, number: int) -> str:
    """The value beside the symbol of a node."""
    (spot,) = (spot for spot in frame.picture.spots if spot.name == str(number))
    right, middle = spot.box.right, (spot.box.top + spot.box.bottom) / 2
    words = [each for each in frame.picture.words if 0 < each.x - right < 8 and abs(each.y - middle) < 8]
    return words[0].text if words else ""


def looks(picture) -> list[object]:
    """The marks of a picture wherever they are: frames have room for words that are wider at other moments."""
    marks = (mark for mark in picture.marks if not isinstance(mark, Spot))
    return [evolve(mark, x=0, y=0) if isinstance(mark, Lettering) else (type(mark), mark.style) for mark in marks]


def crossed_out(frame) -> int:
    """How many branches two strokes cross."""
    strokes = [mark for mark in frame.picture.marks if isinstance(mark, Polygon) and mark.style.width == 1.6]
    return len(strokes) // 2


def ahead(frame) -> int:
    """How many branches nobody has tried yet."""
    return sum(isinstance(mark, Disc) and mark.radius == 3.5 for mark in frame.picture.marks)


def test_the_textbook_tree_step_by_step():
    """Russell and Norvig, Artificial Intelligence, figure 5.5 in the third edition, (a) to (f): what is known of MAX's
    root and of the three nodes of MIN."""
    found = watched("two_ply_tree", "alphabeta")
    at = {frame.said.partition(":")[0]: frame for frame in found[:-1]}  # the last frame about each node
    known = {leaf: [beside(at[leaf], node) for node in (0, 1)] for leaf in ("A11", "A12", "A13")}
    assert known == {"A11": ["", "≤ 3"], "A12": ["", "≤ 3"], "A13": ["", "≤ 3"]}
    assert [beside(at["A1"], node) for node in (0, 1)] == ["≥ 3", "3"]
    assert [beside(at["A2"], node) for node in (0, 1, 5)] == ["≥ 3", "3", "≤ 2"]
    assert at["A2"].cut == ("A22", "A23") and crossed_out(at["A21"]) == 0 and crossed_out(at["A2"]) == 2
    known = {leaf: beside(at[leaf], 7) for leaf in ("A31", "A32", "A33")}
    assert known == {"A31": "≤ 14", "A32": "≤ 5", "A33": "≤ 2"}
    assert [beside(at["The root"], node) for node in (0, 1, 5, 7)] == ["3", "3", "≤ 2", "2"]
    assert f"{ALPHA} 3  β 2" in {word.text for word in at["A2"].picture.words}, "the window that has closed"


def test_nothing_is_shown_before_the_search_knows_it():
    """The moves of a node can be seen once it is entered, and what is behind them when they are tried."""
    first, second, *_ = watched("two_ply_tree", "alphabeta")
    labels = [{word.text for word in frame.picture.words if re.match(r"A\d", word.text)} for frame in (first, second)]
    assert labels == [{"A1", "A2", "A3"}, {"A1", "A2", "A3", "A11", "A12", "A13"}]
    assert not {"3", "≥ 3", "≤ 3"} & {word.text for word in second.picture.words}
    assert all(frame.picture.description == frame.said for frame in (first, second))


def test_a_probe_shows_its_one_move_whatever_comes_later():
    """In the second draw heads is looked at again, and tails is not; both probes look the same."""
    found = watched("coin_flip_tree", "star2")
    heads, tails = [number for number, frame in enumerate(found) if "a probe" in frame.said][2:]
    assert [ahead(found[heads]), ahead(found[tails])] == [2, 1], "one move, and for heads the other outcome"
    assert [crossed_out(found[tails]), crossed_out(found[-1])] == [0, 1]


LATE = """game "Late"
players MAX, MIN
claim zero_sum
tree:
    MAX:
        A: 5
        B: MIN:
            C: MAX:
                D: MIN:
                    D1: 2
                    D2: -9
                E: 7
            F: 6
"""


def test_what_fails_low_is_no_bound_one_level_up():
    """D is worth 2 at most, in truth -9: so C is not worth 2 at least."""
    found = search_frames(zermelo.loads(LATE).initial, "alphabeta")
    at = {frame.said.partition(":")[0]: frame for frame in found}
    (c,) = (frame.current for frame in found if frame.said.startswith("C: MAX is to move"))
    assert [beside(at["D"], int(at["D"].current)), beside(at["D"], int(c))] == ["≤ 2", ""]
    assert beside(at["E"], int(c)) == "≥ 7"


SEARCHES = [
    ("two_ply_tree", "alphabeta", inf),
    ("two_ply_tree", "minimax", inf),
    ("two_ply_tree", "alphabeta_table", inf),
    ("coin_flip_tree", "expectiminimax", inf),
    ("coin_flip_tree", "star1", inf),
    ("coin_flip_tree", "star2", inf),
    ("three_player_tree", "maxn", inf),
    ("tic_tac_toe", "alphabeta", 2),
]


@pytest.mark.parametrize(("name", "solver", "depth"), SEARCHES)
def test_the_frames_lead_to_the_picture_of_the_whole_search(name, solver, depth):
    found = watched(name, solver, depth)
    whole = search_picture(zermelo.load(name).initial, solver, [depth], 300, Limits(), lambda count: None)
    assert looks(found[-1].picture)[1:] == looks(whole)
    assert len({sheet(frame.picture) for frame in found}) == 1
    places = [{spot.name: spot.box for spot in frame.picture.spots} for frame in found]
    assert all(each.items() <= places[-1].items() for each in places), "a node never moves"
    assert not any(map(has_overlaps, found))
    cut = [len(frame.cut) for frame in found]
    assert [crossed_out(frame) for frame in found] == [sum(cut[: k + 1]) for k in range(len(cut))]
    assert [("not looked at" in frame.said) for frame in found] == [bool(frame.cut) for frame in found]
    assert sum(cut) == 0 or solver not in ("minimax", "expectiminimax", "maxn")


def has_overlaps(frame) -> bool:
    boxes = [word.box for word in frame.picture.words]
    return any(one.overlaps(other) for one, other in combinations(boxes, 2))


WIDE = """game "Wide"
players MAX, MIN
claim zero_sum
tree:
    MAX:
        X: MIN:
            a: 1000000
            b: 1
        Y: 5
"""


def test_there_is_room_for_what_is_known_for_a_while_only():
    """X is worth a million at most, and then 1."""
    assert not any(map(has_overlaps, search_frames(zermelo.loads(WIDE).initial, "alphabeta")))


def test_the_search_that_fits_is_watched_if_none_is_named():
    found = {name: watched(name)[0].picture.title for name in ("two_ply_tree", "coin_flip_tree", "three_player_tree")}
    assert {title.rpartition(": ")[2] for title in found.values()} == {"alpha-beta", "expectiminimax", "max^n"}


@pytest.mark.parametrize(
    ("name", "solver", "code"),
    [("tic_tac_toe", "alphabeta", "trace-too-large"), ("kuhn_poker", None, "needs-perfect-information")],
)
def test_what_cannot_be_watched(name, solver, code):
    with pytest.raises(ZermeloError) as caught:
        watched(name, solver)
    assert caught.value.code == code and "leave out --solver" not in caught.value.help


def test_simulations_are_shown_after_powers_of_two():
    """A node has been simulated as often as all its children together, and once more for each simulation that ended
    there: one in A1, none at the root. The means are those of the search itself."""
    found = watched("two_ply_tree", "mcts")
    assert [frame.said.partition(":")[0] for frame in found] == [
        "After 1 simulation", *(f"After {2**k} simulations" for k in range(1, 7))
    ]  # fmt: skip
    assert len({sheet(frame.picture) for frame in found}) == 1
    for k, frame in enumerate(found):
        visits = [int(word.text[2:]) for word in frame.picture.words if word.text.startswith("n ")]
        below = [visits[n] for n, x in enumerate(labels_in_order(frame)) if re.fullmatch(r"A\d", x)]
        assert visits[0] == 2**k == sum(below) and len(visits) == min(2**k + 1, 13)
    last = search_milestone(zermelo.load("two_ply_tree").initial, 64, 0, Limits(), lambda count: None)
    best, mean = next(iter(last.figures.items()))
    assert (
        f"{best} has been simulated most" in found[-1].said and f"a mean of {float(mean):.3g} for MAX" in found[-1].said
    )
    with pytest.raises(ZermeloError) as caught:
        watched("two_ply_tree", "mcts", 2)
    assert caught.value.code == "searches-to-the-end"


def labels_in_order(frame) -> list[str]:
    """The moves to the nodes, in the order of their numbers; nothing at the root."""
    return ["", *(word.text for word in frame.picture.words if re.fullmatch(r"A\d+", word.text))]


def test_captions_have_room_in_all_pictures():
    found = watched("two_ply_tree", "alphabeta")
    pictures = captioned([frame.picture for frame in found], [frame.said for frame in found])
    assert len({sheet(picture) for picture in pictures}) == 1
    for frame, picture in zip(found, pictures, strict=True):
        words = [mark.text for mark in picture.marks if isinstance(mark, Lettering) and mark.size == 14]
        assert " ".join(words) == frame.said


def test_numbered_files_and_pages(run, tmp_path):
    ran = run("draw", "two_ply_tree", "--solver", "alphabeta", "--frames", "-o", str(tmp_path / "search.svg"))
    assert ran.code == 0 and ran.out.startswith("16 pictures: ") and "search-001.svg to " in ran.out
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"search-{number:03}.svg" for number in range(1, 17)]
    assert len({ElementTree.parse(file).getroot().get("viewBox") for file in files}) == 1
    assert "A22 and A23 are not looked at" in re.sub(r"\s*</text>\s*<text[^>]*>", " ", files[8].read_text("utf-8"))
    pytest.importorskip("cairosvg")
    assert run("draw", "two_ply_tree", "--frames", "-o", str(tmp_path / "search.pdf")).code == 0
    assert pages((tmp_path / "search.pdf").read_bytes()) == 16


def pages(document: bytes) -> int:
    """How many pages a PDF has, some of which may be in compressed streams."""
    parts = [document]
    for stream in re.finditer(rb"stream\r?\n", document):
        try:
            parts.append(zlib.decompressobj().decompress(document[stream.end() :]))
        except zlib.error:
            continue
    return sum(len(re.findall(rb"/Type /Page\b", part)) for part in parts)


def test_files_of_a_longer_search_do_not_stay(run, tmp_path):
    """What follows without a gap is removed, and said to be; nothing else is touched."""
    kept = [tmp_path / name for name in ("search-040.svg", "search-017.png", "other-017.svg", "search-17.svg")]
    for each in (*kept, tmp_path / "search-017.svg", tmp_path / "search-018.svg"):
        each.write_text("before")
    words = ("draw", "two_ply_tree", "--solver", "alphabeta", "--frames", "-o", str(tmp_path / "search.svg"))
    ran = run(*words)
    assert ran.out.splitlines()[0].startswith("16 pictures: ") and ran.out.splitlines()[1] == (
        f"Removed, since they are of an earlier search: {tmp_path / 'search-017.svg'} to {tmp_path / 'search-018.svg'}"
    )
    written = {tmp_path / f"search-{number:03}.svg" for number in range(1, 17)}
    assert {*tmp_path.iterdir()} == {*written, *kept} and all(each.read_text() == "before" for each in kept)
    assert len(run(*words).out.splitlines()) == 1


def test_the_command_writes_the_frames_of_the_function(run, tmp_path):
    found = zermelo.load("tic_tac_toe").draw_frames("alphabeta", depth=1)
    run("draw", "tic_tac_toe", "--solver=alphabeta", "--depth=1", "--frames", "--plain", "-o", str(tmp_path / "a.svg"))
    found.save(tmp_path / "b.svg", plain=True)
    one, other = ([each.read_bytes() for each in sorted(tmp_path.glob(f"{name}-*.svg"))] for name in "ab")
    assert one == other and len(one) == len(found.frames) == len(found.rows())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--solver", "alphabeta"), "needs the name of a file"),
        (("-o", "search.csv"), "needs the name of a file"),
        (("-o", "search.svg", "--hide", "values"), "--hide: it does not go together with --frames"),
        (("-o", "search.svg", "--solver", "minimax", "--solver", "maxn"), "frames are those of one search"),
        (("position", "-o", "position.svg"), "it says nothing about this picture"),
    ],
)
def test_what_does_not_go_with_frames(run, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    ran = run("draw", "two_ply_tree", "--frames", *words)
    assert ran.code == 2 and "bad-usage" in ran.err and says in " ".join(ran.err.split())
    assert not list(tmp_path.iterdir())
