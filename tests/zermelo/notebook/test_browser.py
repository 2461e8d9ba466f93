"""The ES module in a real browser, over conversations in this process: clicks, keys, and what a reader is told."""

from __future__ import annotations

import pytest
from widget_page import opened

import zermelo
from zermelo.notebook.exploring import explorer
from zermelo.notebook.playing import table


def sent(page) -> list[dict[str, object]]:
    """The messages so far."""
    return page.evaluate("window.sent")


def wait_for_turn(conversation, page, turn: int) -> None:
    """Wait until the browser shows the page of a turn."""
    page.wait_for_function("turn => window.sent.length >= turn", arg=turn)
    page.wait_for_selector("#place:not([aria-busy])")
    assert conversation.turn == turn


def test_a_click_on_a_cell_is_a_move():
    it = table(zermelo.load("tic_tac_toe"), {"O": "best"}, 1)
    with opened(it) as page:
        page.locator(".board .spot[title=b2]").click()
        wait_for_turn(it, page, 1)
        assert sent(page) == [{"turn": 0, "do": "move", "number": 4}]
        assert page.locator(".log li").all_inner_texts() == it.page()["log"]
        page.get_by_role("button", name="Take back").click()
        wait_for_turn(it, page, 2)
        assert page.locator(".log li").count() == 0
        assert page.get_by_role("button", name="Take back").is_disabled()


def test_a_move_of_two_cells_takes_two_clicks_and_escape_begins_again():
    it = table(zermelo.load("chess"), {}, 1)
    with opened(it) as page:
        page.locator(".board .spot[title=e2]").click()
        assert page.locator(".moves button").all_inner_texts() == ["go_to(e2, e3)", "go_to(e2, e4)"]
        assert page.locator(".spot.open").evaluate_all("all => all.map(each => each.title).sort()") == ["e3", "e4"]
        page.keyboard.press("Escape")
        assert page.locator(".moves button").count() == 20 and sent(page) == []
        page.locator(".board .spot[title=e2]").click()
        page.locator(".board .spot[title=g1]").click()
        assert set(page.locator(".moves button").all_inner_texts()) == {"go_to(g1, f3)", "go_to(g1, h3)"}
        page.locator(".board .spot[title=f3]").click()
        wait_for_turn(it, page, 1)
        assert it.page()["log"] == ["White: go_to(g1, f3)"]


def test_several_moves_about_a_cell_are_asked_for():
    """In checkers and the like one click may leave several moves open; here always two."""
    game = zermelo.loads(
        'game "Two"\nplayers A, B\ntype C = grid(2, 1)\nvar on[C]: Player? = none\nstart at p\nphase p:\n    turn A:\n'
        "        move build(c in C):\n            on[c] := A\n            end\n        move step(c in C): end\n"
    )
    it = table(game, {"B": "random"}, 1)
    with opened(it) as page:
        page.locator(".board .spot[title=a1]").click()
        assert page.locator(".moves button").all_inner_texts() == ["build(a1)", "step(a1)"]
        page.get_by_role("button", name="step(a1)").click()
        wait_for_turn(it, page, 1)
        assert [str(move) for move in it.state.play] == ["step(a1)"]


def test_the_board_is_played_with_keys():
    """Arrows lead from cell to cell, Enter chooses; the focus stays where it was after a move."""
    it = table(zermelo.load("tic_tac_toe"), {}, 1)
    with opened(it) as page:
        page.get_by_role("button", name="Flip the board").focus()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.title") == "a1"
        for key, cell in (("ArrowRight", "b1"), ("ArrowUp", "b2"), ("ArrowLeft", "a2"), ("ArrowDown", "a1")):
            page.keyboard.press(key)
            assert page.evaluate("document.activeElement.title") == cell
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        wait_for_turn(it, page, 1)
        assert it.page()["log"] == ["X: mark(b1)"]
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.tagName") == "BUTTON"


def test_what_happens_is_announced():
    """A screen reader tells what changes in an element that stays."""
    it = table(zermelo.load("tic_tac_toe"), {}, 1)
    with opened(it) as page:
        page.evaluate("window.kept = document.querySelector('.status')")
        assert page.locator(".status").get_attribute("role") == "status"
        page.locator(".moves button").first.click()
        wait_for_turn(it, page, 1)
        assert page.evaluate("window.kept.isConnected && window.kept.textContent") == "O is to move"
        assert all(page.locator(".board .spot").evaluate_all("all => all.map(each => each.ariaLabel !== '')"))
        assert "Tic-tac-toe" in page.locator(".board img").get_attribute("alt")


def test_a_tree_is_walked_and_folded_by_mouse_and_keys():
    it = explorer(zermelo.solve(zermelo.load("two_ply_tree")))
    with opened(it) as page:
        assert page.locator(".tree .spot").count() == 13
        page.get_by_role("button", name="A2", exact=True).click()
        wait_for_turn(it, page, 1)
        assert page.locator(".tree [aria-current]").get_attribute("title") == "A2: MIN is to move, unfolded"
        page.locator(".tree [aria-current]").click()
        wait_for_turn(it, page, 2)
        assert page.locator(".tree .spot").count() == 10
        page.locator(".tree [aria-current]").focus()
        page.keyboard.press("Enter")
        wait_for_turn(it, page, 3)
        assert page.locator(".tree .spot").count() == 13
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        wait_for_turn(it, page, 4)
        assert it.page()["log"] == ["A1"]
        assert page.locator(".status").inner_text() == "MIN is to move"


def test_the_spots_lie_on_what_they_are_about():
    """The middle of the spot of a cell is the middle of the square that the picture has there."""
    it = table(zermelo.load("tic_tac_toe"), {"O": "random"}, 1)
    with opened(it, viewport={"width": 360, "height": 700}) as page:
        board = page.locator(".board img").bounding_box()
        spots = {name: page.locator(f".board .spot[title={name}]").bounding_box() for name in ("a1", "b1", "a2", "c3")}
        scale = board["width"] / it.page()["board"]["width"]
        assert spots["b1"]["x"] - spots["a1"]["x"] == pytest.approx(40 * scale, abs=0.5)
        assert spots["a1"]["y"] - spots["a2"]["y"] == pytest.approx(40 * scale, abs=0.5)
        assert board["x"] < spots["a1"]["x"] and spots["c3"]["x"] + spots["c3"]["width"] < board["x"] + board["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_takes_the_colours_of_the_page_and_fits_a_narrow_one(scheme):
    it = explorer(zermelo.load("kuhn_poker"))
    with opened(it, color_scheme=scheme, viewport={"width": 360, "height": 700}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        ink = page.evaluate("getComputedStyle(document.querySelector('.status')).color")
        assert ink == ("rgb(0, 0, 0)" if scheme == "light" else "rgb(255, 255, 255)")


def test_words_of_a_game_are_no_markup():
    game = zermelo.loads(
        'game "<img src=x onerror=alert(1)> <b>bold</b>"\nplayers A, B\nstart at p\nphase p:\n    turn A:\n'
        "        move m: end\n"
    )
    for it in (table(game, {"B": "random"}, 1), explorer(game)):
        with opened(it) as page:
            assert page.locator("#place b").count() == 0 and page.locator("#place img[src=x]").count() == 0
