"""`zermelo draw`: what the pictures show, held against what is known of the games, and what is refused."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.boards import MOVED, OPEN
from zermelo.pictures.marks import Picture, Rectangle, Style
from zermelo.pictures.svg import encode_picture
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form import double_description, nash

SPACE = {"svg": "http://www.w3.org/2000/svg"}


def words_of(text: str) -> list[str]:
    """The words of an SVG, but for the title and the remarks."""
    return [each.text or "" for each in ElementTree.fromstring(text).findall("svg:text", SPACE)]


def test_the_tree_of_the_textbook(run):
    """Russell and Norvig: the values of MIN's nodes are 3, 2 and 2, so MAX's is 3."""
    ran = run("draw", "two_ply_tree")
    assert ran.code == 0 and ran.err == ""
    words = words_of(ran.out)
    assert words[:3] == ["A two-ply tree", "MAX", "MIN"]
    numbers = [word for word in words if word.isdecimal()]
    assert sorted(map(int, numbers)) == sorted([3, 3, 2, 2, 3, 12, 8, 2, 4, 6, 14, 5, 2])
    assert re.findall(r'font-weight="bold">(A\d+)<', ran.out) == ["A1", "A11", "A21", "A33"]


def test_alpha_beta_crosses_out_what_it_does_not_look_at(run):
    """In the same tree alpha-beta leaves out two leaves, those behind A22 and A23."""
    ran = run("draw", "two_ply_tree", "--solver", "alphabeta")
    assert re.findall(r'fill="#6e7781" text-anchor="middle">(A\d+)<', ran.out) == ["A22", "A23"]
    assert "11 nodes visited" in ran.out
    assert any(word.endswith("3  β ∞") for word in words_of(ran.out)), "the window behind A1"


def test_deepening_draws_a_tree_for_each_depth(run):
    ran = run("draw", "tic_tac_toe", "--solver", "minimax", "--deepening", "--depth", "2")
    assert [word for word in words_of(ran.out) if word.endswith("ahead")] == [
        "Tic-tac-toe (size = 3): minimax, 1 move ahead",
        "Tic-tac-toe (size = 3): minimax, 2 moves ahead",
    ]
    assert "10 nodes visited" in ran.out and "82 nodes visited" in ran.out
    assert ran.out.count("The leaves at the horizon are estimates.") == 2


def test_what_is_folded_up_is_the_rest_of_the_tree(run):
    """The tree of tic-tac-toe has 549,946 nodes (counted by many: 255,168 plays end in it)."""
    for depth, shown in ((1, 10), (2, 82)):
        ran = run("draw", "tic_tac_toe", "--depth", str(depth))
        folded = [int(word.removesuffix(" nodes").replace(",", "")) for word in words_of(ran.out) if "nodes" in word]
        assert shown + sum(folded) == 549_946


def test_an_equilibrium_of_kuhn_poker(run):
    """The value is -1/18 (Kuhn 1950); there are twelve information sets of two nodes each, six for each player."""
    ran = run("draw", "kuhn_poker")
    assert "-1/18" in words_of(ran.out)
    dotted = re.findall(r'stroke="(#\w+)"[^>]*stroke-dasharray="0.1 5"', ran.out)
    assert sorted(dotted.count(colour) for colour in set(dotted)) == [6, 6]


def test_players_who_are_not_opponents_have_tuples(run):
    words = words_of(run("draw", "three_player_tree").out)
    assert "(4, 3, 2)" in words and any("(A, B, C) get" in word or "get if" in word for word in words)


def test_the_table_of_the_prisoners(run):
    """Both confess in the only equilibrium; a best response is underlined wherever it is one."""
    ran = run("draw", "prisoners_dilemma", "table")
    assert ran.code == 0
    assert ran.out.count('stroke="#b8860b" stroke-width') == 1, "one frame"
    assert ran.out.count('height="1.6"') == 4, "confessing is the best response to everything"


def test_the_table_of_pennies_has_no_frame(run):
    ran = run("draw", "matching_pennies", "table")
    assert 'stroke="#b8860b"' not in ran.out and ran.out.count('height="1.6"') == 4
    assert "heads 1/2, tails 1/2" in ran.out


@pytest.mark.parametrize("is_said", [False, True])
def test_a_table_too_large_for_its_mixed_equilibria_says_so(run, monkeypatch, is_said):
    """A larger table than a picture has would be; none of these equilibria is pure."""
    if is_said:
        monkeypatch.setattr(double_description, "MOST_NUMBERS", 10)
    ran = run("draw", "rock_paper_scissors", "table")
    assert ran.code == 0 and ("too large to find all mixed equilibria" in ran.out) is is_said
    assert ("In equilibrium: " in ran.out) is not is_said


@pytest.mark.parametrize("picture", ["table", "payoffs"])
def test_where_time_was_too_short_for_mixed_equilibria_the_picture_says_that(picture, run, monkeypatch):
    def slow(*_):
        raise Limits(seconds=1).out_of_time({})

    monkeypatch.setattr(nash, "extreme_equilibria", slow)
    said = " ".join(words_of(run("draw", "battle_of_the_sexes", picture, "--time", "60").out))
    assert "half of the time was not enough" in said.lower() and "a longer --time may be" in said
    assert "too large" not in said


@pytest.mark.parametrize(
    ("game", "code"), [("three_player_tree", "needs-two-players"), ("liars_dice", "too-many-strategies")]
)
def test_what_is_no_table_is_refused(run, game, code):
    ran = run("draw", game, "table")
    assert ran.code == 1 and f"error[{code}]" in ran.err


def test_too_many_outcomes_are_counted(run):
    assert "736,281,000 outcomes" in words_of(run("draw", "four_card_whist").out)


def test_a_position_shows_signs_last_move_and_legal_moves(run):
    ran = run("draw", "tic_tac_toe", "position", "--after", "mark(b2); mark(a1)")
    words = words_of(ran.out)
    assert words[:2] == ["Tic-tac-toe (size = 3)", "after mark(b2), mark(a1)"]
    assert ran.out.count("<polyline") == 2, "the strokes of X"
    assert ran.out.count('fill="none" stroke="#c44e00"') == 1, "the ring is that of O"
    assert ran.out.count(f'fill="{MOVED}"') == 1, "the last move"
    assert ran.out.count(f'fill="{OPEN}"') == 7, "the cells that are free"


def test_a_view_hides_what_the_player_does_not_see(run):
    words = words_of(run("draw", "kuhn_poker", "position", "--after", "deal(J, Q)", "--view", "Bob").out)
    assert "Alice is to move, as Bob sees it" in words
    assert "Q" in words and "J" not in words


def test_a_view_does_not_tell_secret_moves(run):
    """In dark hex a player does not see where the other one has put a stone."""
    ran = run("draw", "dark_hex", "position", "-p", "size=3", "--after", "place(b2)", "--view", "Blue")
    assert not re.search(r">b2<|\(b2\)", ran.out) and "Blue is to move, as Blue sees it" in ran.out


def test_cells_that_are_not_in_play_are_empty(run):
    """In checkers a variable has a value on the 32 dark squares alone; a question mark is for what is not seen."""
    drawn = run("draw", "checkers", "position").out
    circles = ElementTree.fromstring(drawn).findall(".//svg:circle", SPACE)
    men = [fill for circle in circles if (fill := circle.get("fill"))]
    assert "?" not in words_of(drawn) and sorted(map(men.count, set(men)))[-2:] == [12, 12], "12 men each"


def test_png_and_pdf(run, tmp_path):
    pytest.importorskip("cairosvg")
    for ending, begin in ((".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<svg")):
        path = tmp_path / f"tree{ending}"
        assert run("draw", "two_ply_tree", "-o", str(path)).code == 0
        assert path.read_bytes().startswith(begin)


def test_looks_are_for_every_picture(run, tmp_path):
    path = tmp_path / "tree.tex"
    assert run("draw", "two_ply_tree", "-o", str(path)).code == 0
    assert path.read_text("utf-8").startswith("% A two-ply tree\n") and "\\end{tikzpicture}" in path.read_text("utf-8")
    for what in ("tree", "position", "table"):
        ran = run("draw", "chicken", what, "--plain", "--font-size", "24")
        colours = set(re.findall(r'(?:fill|stroke)="#(\w+)"', ran.out))
        assert ran.code == 0 and all(each[:2] == each[2:4] == each[4:] for each in colours)
        assert 'font-size="32"' in ran.out, "the title"
    assert "<style" not in run("draw", "chicken", "--theme", "light").out


def test_without_the_library_a_message_names_the_extra(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    ran = run("draw", "two_ply_tree", "-o", str(tmp_path / "tree.png"))
    assert ran.code == 1 and "library-missing" in ran.err and "zermelo[pictures]" in ran.err
    assert not (tmp_path / "tree.png").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    (
        (("-o", "tree.gif"), "bad-usage", "'.gif'"),
        (("-o", "tree"), "bad-usage", "needs an ending"),
        (("--view", "MAX"), "bad-usage", "this kind: position"),
        (("--boards",), "bad-usage", "A two-ply tree has no board"),
        (("sizes", "--boards"), "bad-usage", "this kind: tree"),
        (("table", "--merge-symmetric"), "bad-usage", "argument --merge-symmetric"),
        (("payoffs", "--hide", "best"), "bad-usage", "argument --hide"),
        (("--hide", "windows"), "bad-usage", "only the picture of a search has windows"),
        (("--hide", "moves"), "bad-usage", "invalid choice: 'moves'"),
        (("--plain", "--theme", "dark"), "bad-usage", "argument --plain: black and white is for light paper"),
        (("--theme", "blue"), "bad-usage", "invalid choice: 'blue'"),
        (("--font-size", "0"), "bad-usage", "argument --font-size"),
        (("--solver", "minimax", "--boards"), "bad-usage", "argument --boards: with minimax"),
        (("--solver", "alphabeta", "--merge-symmetric"), "bad-usage", "argument --merge-symmetric: with alphabeta"),
        (("position", "--depth", "2"), "bad-usage", "this kind: tree, sizes"),
        (("position", "--view", "Max"), "unknown-player", "did you mean 'MAX'?"),
        (("--deepening",), "bad-usage", "it needs a --depth"),
        (("--solver", "alphabet"), "unknown-solver", "did you mean 'alphabeta'?"),
        (("--solver", "alphabeta", "--nodes", "5"), "trace-too-large", "more than 5 nodes"),
        (("--solver", "sequence_form"), "needs-imperfect-information", "sequence_form"),
        (("--solver", "mcts"), "no-policy", "with --frames its tree is drawn"),
        (("--solver", "dfpn"), "no-policy", "these do: alphabeta_table, positions, alphabeta, minimax"),
    ),
)
def test_refusals(run, tmp_path, monkeypatch, words, code, said):
    monkeypatch.chdir(tmp_path)
    ran = run("draw", "two_ply_tree", *words)
    assert ran.code == (1 if code.startswith(("needs", "trace", "no-")) else 2) and ran.out == ""
    assert f"error[{code}]" in ran.err and said in ran.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", zermelo.games())
def test_every_bundled_game_draws_without_overlap(name):
    from zermelo.drawing.game_trees import draw_game_tree
    from zermelo.drawing.positions import draw_position
    from zermelo.pictures.trees import tree_picture

    begin = zermelo.load(name).initial
    pictures = [tree_picture(draw_game_tree(begin, most=60)), draw_position(begin, None)]
    pictures += [draw_position(begin, player) for player in begin.game.players]
    for picture in pictures:
        words = sorted(picture.words, key=lambda words: words.box.top)
        for k, one in enumerate(words):
            for other in words[k + 1 :]:
                if other.box.top >= one.box.bottom:
                    break
                assert not one.box.overlaps(other.box), f"'{one.text}' and '{other.text}'"


def test_a_wide_picture_has_fewer_pixels_and_one_that_is_too_wide_is_no_png(tmp_path):
    """Cairo paints 32,767 pixels a side."""

    def line(length):
        return Picture("a line", (Rectangle(0, 0, length, 1, Style(fill="#000000")),))

    pytest.importorskip("cairosvg")
    png = encode_picture(line(20_000), tmp_path / "line.png")
    assert 32_000 < int.from_bytes(png[16:20], "big") <= 32_767, "the width"
    with pytest.raises(ZermeloError, match="no room for a picture of 40,032 by 33 pixels") as raised:
        encode_picture(line(40_000), tmp_path / "line.png")
    assert raised.value.code == "bad-usage"
    assert encode_picture(line(40_000), tmp_path / "line.pdf").startswith(b"%PDF")


def test_a_search_that_does_not_fit_has_advice_about_pictures(run):
    refused = run("draw", "kuhn_poker", "--solver", "minimax")
    assert refused.code == 1 and "--trace" not in refused.err
    assert "leave out --solver: no search that can be drawn fits this game" in refused.err
    assert "--solver expectiminimax" in run("draw", "coin_flip_tree", "--solver", "minimax").err


@pytest.mark.parametrize(
    "command",
    [
        ["draw", "two_ply_tree", "--solver", "alphabeta", "--depth", "2"],
        ["draw", "tic_tac_toe", "--solver", "minimax", "--depth", "2", "--time", "600"],
        ["solve", "two_ply_tree", "--depth", "2"],
        ["solve", "two_ply_tree", "--solver", "minimax", "--depth", "2", "--time", "600", "--steps"],
        ["moves", "two_ply_tree", "--values", "--depth", "2"],
        ["moves", "two_ply_tree", "--values", "--depth", "1"],
    ],
    ids=" ".join,
)
def test_a_search_that_is_not_cut_off_needs_no_estimate(run, command):
    assert run(*command).code == 0
