"""What the analysis tells, and to whom, on the page of ``zermelo serve`` in a real browser."""

from __future__ import annotations

import json
import re

import pytest
from page_server import PATIENCE

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect
expect.set_options(timeout=PATIENCE)

SHOWN = "#status, #board, #preview, #seen, #told, #moves, #advice, #known, #best-line, #course-drawn, #losses"


def play(visit, name):
    """The tab Play with a bundled game."""
    visit.page.get_by_role("button", name="Gallery").click()
    visit.page.get_by_label("Look for").fill(name)
    visit.page.locator("#games button", has=visit.page.get_by_text(name, exact=True)).click()
    visit.tab("Play")
    visit.page.locator("#moves button").first.wait_for()
    return visit.page


def analyse(page):
    page.get_by_role("button", name="Analyse").click()


def move(page, text):
    page.locator(f'#moves button[data-move="{text}"]').click()


def test_nothing_of_an_analysis_is_left_behind_the_curtain(visit):
    page = play(visit, "Kuhn poker")
    analyse(page)
    expect(page.locator("#moves .worth")).to_have_count(2)
    move(page, "check")
    expect(page.get_by_role("group", name="Pass the screen to Bob")).to_be_visible()
    assert not any(page.locator(SHOWN).all_text_contents())
    page.get_by_role("button", name="Show what Bob sees").click()
    expect(page.locator("#moves .worth")).to_have_count(2)
    move(page, "bet")
    page.get_by_role("button", name="Show what Alice sees").click()
    expect(page.locator("#course-of option")).to_have_text(["Alice"])
    expect(page.locator(".chart .moment")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("group", name="Pass the screen to Bob")).to_be_visible()
    assert not any(page.locator(SHOWN).all_text_contents())
    expect(page.locator("#course")).to_be_hidden()
    assert page.locator("#moment").get_attribute("aria-valuetext") is None


def test_the_course_does_not_tell_how_often_another_player_has_tried(visit):
    """In blind tic-tac-toe, O tries a cell in vain, which X does not hear of."""
    page = play(visit, "Blind tic-tac-toe")
    analyse(page)
    move(page, "mark(a1)")
    page.get_by_role("button", name="Show what O sees").click()
    move(page, "mark(a1)")
    expect(page.locator("#moves button")).to_have_count(8)
    expect(page.locator("#moment-told")).to_contain_text("moment 2 of 2")
    move(page, "mark(b1)")
    page.get_by_role("button", name="Show what X sees").click()
    expect(page.locator("#moment-told")).to_contain_text("moment 2 of 2")
    assert page.locator("#moment").get_attribute("max") == "1"
    page.get_by_role("slider", name="The moment of the play").press("Home")
    expect(page.locator("#moves button")).to_have_count(9)
    expect(page.locator("#moment-told")).to_contain_text("at the beginning")


def test_estimates_of_the_course_give_way_to_exact_values(visit):
    """Of tic-tac-toe; in brief looks nothing is found but estimates, as on a machine that is slow."""
    values = {name: {"number": 0.5, "text": "0.5", "standing": "", "span": None} for name in "XO"}
    guessed = {"moves": [], "values": values, "line": [], "said": "searched 2 plies", "isExact": False}

    def answered(route):
        if route.request.post_data_json["brief"]:
            body = f"event: solved\ndata: {json.dumps(guessed)}\n\n"
            return route.fulfill(body=body, content_type="text/event-stream")
        return route.continue_()

    page = visit.page
    page.route("**/api/analysis", answered)
    visit.tab("Play")
    for cell in ("a1", "a2"):
        move(page, f"mark({cell})")
        expect(page.locator("#told")).to_contain_text(f"mark({cell})")
    analyse(page)
    expect(page.locator("#losses li")).to_have_text(["2. O: mark(a2), from drawn to lost in 6"])
    expect(page.locator(".chart .moment.drawn")).to_have_count(2)


def test_what_no_simulation_has_tried_has_no_sign_on_the_board(visit):
    worth = {"mixing": "", "standing": "", "isBest": False, "loss": None, "values": {}}
    moves = [
        {**worth, "move": "mark(a1)", "text": "0.5", "sign": "+.5", "amount": 0.5},
        {**worth, "move": "mark(b1)", "text": "?", "sign": "?", "amount": None},
    ]
    found = {"moves": moves, "values": {}, "line": [], "said": "a guess", "isExact": False}
    page = visit.page
    page.route("**/api/analysis", lambda route: route.fulfill(
        body=f"event: solved\ndata: {json.dumps(found)}\n\n", content_type="text/event-stream"))  # fmt: skip
    visit.tab("Play")
    analyse(page)
    expect(page.locator("#moves .worth")).to_have_text(["0.5", "?"])
    expect(page.locator("#board .badge")).to_have_text(["+.5"])


def test_what_a_card_is_worth_does_not_cover_it(visit):
    page = play(visit, "Two-handed whist, four cards each, no trumps")
    analyse(page)
    expect(page.locator("#board .badge")).to_have_count(4)
    middles = page.evaluate(
        """() => [...document.querySelectorAll("#board .badge rect")].map((badge) => {
            const own = badge.getBBox()
            const tops = [...document.querySelectorAll("#board .entry rect")].map((card) => card.getBBox().y)
            return Math.min(...tops.map((top) => Math.abs(own.y + own.height / 2 - top)))
        })"""
    )
    assert max(middles) < 0.1, "on the upper edge of a card"


def test_the_analysis_goes_on_with_the_rules_of_the_play(visit):
    """The text is changed so that nothing could be played any more."""
    page = visit.page
    visit.tab("Play")
    analyse(page)
    move(page, "mark(b2)")
    expect(page.locator("#moves .worth")).to_have_count(8)
    visit.write(page.locator(".cm-content").inner_text().replace("players X, O", "players X, P, O"))
    expect(page.locator("#rules-changed")).to_contain_text(re.compile("The game has changed"))
    move(page, "mark(a1)")
    expect(page.locator("#known")).to_have_text("exact values")
    expect(page.locator("#moves .worth")).to_have_count(7)
