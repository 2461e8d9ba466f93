"""The board on the page of ``zermelo serve``, in a real browser: moves are made where they are about something, by
clicks, by dragging and by keys, and are shown before they are made."""

from __future__ import annotations

import re

import pytest
from page_server import PATIENCE

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect
expect.set_options(timeout=PATIENCE)

OPENING = """
game "From point to point"
players White, Black
claim zero_sum, perfect_information
endless draw
type Die = 1..6
type Place = 0..13
var men_on[Player, Place]: 0..4 = 0
var dice[Die]: 0..2 = 0
drawn Place as points facing:
    13 = bar, 0 = off
drawn men_on as disc
drawn dice as die
setup:
    for p in Player:
        men_on[p, 12] := 1
        men_on[p, 2] := 2
    dice[2] := 1
    dice[3] := 1
start at play(White)
phase play(p: Player):
    turn p:
        move step(q in Place, d in Die) if q > 0 and men_on[p, q] > 0 and dice[d] > 0:
            men_on[p, q] -= 1
            men_on[p, max(0, q - d)] += 1
            dice[d] -= 1
            if men_on[p, 0] == 3: end win p
            go play(p)
    otherwise:
        dice[2] := 1
        dice[3] := 1
        go play(other p)
"""


def play(visit, name=None, text=None):
    """The tab Play with a bundled game, or with a text."""
    if name is not None:
        visit.page.get_by_role("button", name="Gallery").click()
        visit.page.get_by_label("Look for").fill(name)
        visit.page.locator("#games button", has=visit.page.get_by_text(name, exact=True)).click()
    if text is not None:
        visit.write(text)
    visit.read()  # the board has its place
    visit.tab("Play")
    visit.page.locator("#moves button").first.wait_for()
    return visit.page


def place(page, name):
    return page.locator(f'#board [data-cell="{name}"]').first


def middle(page, name):
    box = place(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_card_of_the_hand_is_clicked(visit):
    page = play(visit, "Goofspiel")
    expect(page.locator("#board [data-cell]")).to_have_count(3)  # the prizes cannot be clicked
    place(page, "hand[One]: 2").hover()
    expect(page.locator("#preview")).to_have_text("bid(2)")
    expect(page.locator("#moves .pointed")).to_have_text("bid(2)")
    place(page, "hand[One]: 2").click()
    page.get_by_role("button", name="Show what Two sees").click()
    expect(page.locator("#board [data-cell='hand[Two]: 3']")).to_be_attached()
    expect(page.get_by_role("button", name="Flip the board")).to_be_hidden()


def test_a_heap_is_clicked_and_the_list_has_what_is_left(visit):
    page = play(visit, "Nim")
    place(page, "left[1]").click()
    expect(page.locator("#moves button")).to_have_text(["take(1, 1)", "take(1, 2)", "take(1, 3)"])
    place(page, "left[1]").click()
    expect(page.locator("#moves button")).to_have_count(12)


def test_amounts_of_one_thing_stand_in_a_row(visit):
    page = play(visit, "Nim")
    rows = page.locator("#moves li")
    expect(rows.locator(".hint")).to_have_text(["take(1, …)", "take(2, …)", "take(3, …)"])
    (top,) = {each.bounding_box()["y"] for each in rows.nth(1).get_by_role("button").all()}
    assert top > rows.nth(0).get_by_role("button").first.bounding_box()["y"]
    expect(page.get_by_role("heading", name="So far")).to_be_hidden()
    page.locator('#moves button[data-move="take(2, 3)"]').click()
    expect(page.locator("#told")).to_have_text("Ann: take(2, 3)")
    expect(page.get_by_role("heading", name="So far")).to_be_visible()
    expect(rows).to_have_text(["take(1, …)" + "".join(f"take(1, {k})" for k in (1, 2, 3)), "take(2, 1)",
                               "take(3, …)" + "".join(f"take(3, {k})" for k in (1, 2, 3, 4, 5))])  # fmt: skip


def test_a_man_goes_from_point_to_point_by_two_clicks(visit):
    page = play(visit, text=OPENING)
    place(page, "12").click()
    expect(page.locator("#board .next")).to_have_count(2)
    place(page, "10").hover()
    expect(page.locator("#preview")).to_have_text("step(12, 2)")
    visit.shot("points")
    place(page, "10").click()
    expect(page.locator("#told li")).to_have_text(["White: step(12, 2)"])


def test_of_moves_with_the_same_clicks_a_die_tells_which(visit):
    page = play(visit, text=OPENING)
    place(page, "2").click()
    place(page, "off").click()
    expect(page.locator("#moves button")).to_have_text(["step(2, 2)", "step(2, 3)"])
    place(page, "dice[3]").click()
    expect(page.locator("#told li")).to_have_text(["White: step(2, 3)"])


def test_a_piece_is_dragged_and_goes_back_where_it_may_not_stay(visit):
    page = play(visit, "Breakthrough")
    page.mouse.move(*middle(page, "b2"))
    page.mouse.down()
    page.mouse.move(*middle(page, "b4"), steps=4)
    expect(page.locator("#board [transform]").first).to_be_attached()
    expect(page.locator("#board .over")).to_have_count(0)
    page.mouse.up()
    expect(page.locator("#board [transform], #board .chosen")).to_have_count(0)
    page.mouse.move(*middle(page, "b2"))
    page.mouse.down()
    page.mouse.move(*middle(page, "c3"), steps=4)
    expect(page.locator("#board .over")).to_have_attribute("data-cell", "c3")
    visit.shot("dragged")
    page.mouse.up()
    expect(page.locator("#told li")).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("Black")


def test_a_finger_drags_a_man_to_another_point(visits):
    visit = visits(width=390, has_touch=True)
    visit.open()
    page = play(visit, text=OPENING)
    place(page, "12").scroll_into_view_if_needed()
    touch = page.context.new_cdp_session(page)

    def send(kind, *point):
        points = [{"x": point[0], "y": point[1]}] if point else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    (x, y), (left, top) = middle(page, "12"), middle(page, "9")
    send("touchStart", x, y)
    for part in (0.2, 0.6, 1):
        send("touchMove", x + (left - x) * part, y + (top - y) * part)
    expect(page.locator("#board .over")).to_have_attribute("data-cell", "9")
    send("touchEnd")
    expect(page.locator("#told li")).to_have_text(["White: step(12, 3)"])


def test_the_board_is_played_by_keys(visit):
    page = play(visit, "Breakthrough")
    first = page.locator("#board [data-cell][tabindex='0']")
    expect(first).to_have_count(1)
    place(page, "a2").focus()
    expect(page.locator("#preview")).to_contain_text("a2")
    page.keyboard.press("ArrowRight")
    expect(place(page, "b2")).to_be_focused()
    expect(place(page, "b2")).to_have_attribute("aria-label", re.compile(r"b2: \w+\(b2, "))
    page.keyboard.press("Enter")
    expect(place(page, "b2")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(place(page, "b2")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    expect(place(page, "b3")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("Black")
    expect(page.locator("#board :focus")).to_have_count(1)


def test_keys_go_on_in_the_list_where_nothing_is_left_to_click(visit):
    page = play(visit, "Nim")
    place(page, "left[2]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#moves button").first).to_be_focused()
    expect(page.locator("#moves button").first).to_have_text("take(2, 1)")


def test_a_move_in_the_list_shows_its_places(visit):
    page = play(visit, "Breakthrough")
    move = page.locator("#moves button").first
    move.hover()
    names = re.findall(r"[a-h][1-8]", move.inner_text())
    expect(page.locator("#board .target")).to_have_count(2)
    assert set(page.locator("#board .target").evaluate_all("all => all.map((each) => each.dataset.cell)")) == set(names)
