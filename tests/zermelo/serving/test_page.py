"""The page of ``zermelo serve`` in a real browser. Needs Debian's Chromium."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest
from endless import ENDLESS
from page_server import PATIENCE, Visit, text_of

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect
expect.set_options(timeout=PATIENCE)

ROOT = Path(__file__).parents[3]
GAME = (ROOT / "gamedefs" / "tic_tac_toe.game").read_text(encoding="utf-8")
TABS = ("Rules", "Play", "Tree", "Solve", "Share")


def in_both_schemes(page):
    """The page in light colours, and then in dark ones: styles alone tell them apart, so that it is opened once."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        yield scheme


def hold(page, what):
    """Holds back requests; the result waits for the only one, which the test hears of somewhat later than the page."""
    held = []
    page.route(what, lambda route: held.append(route))

    def only():
        while not held:
            page.wait_for_timeout(20)
        (route,) = held
        return route

    return only


def in_order(visit):
    visit.read()
    expect(visit.page.locator("#count")).to_have_text("Nothing found: the game is in order")


def shown(page):
    """Waits until the position that was asked for is shown: it would come between the two parts of a click."""
    expect(page.locator("#play-refused[aria-busy]")).to_have_count(0)


def from_gallery(visit, name):
    visit.page.get_by_role("button", name="Gallery").click()
    visit.page.get_by_label("Look for").fill(name)
    visit.page.locator("#games button:visible", has_text=name).first.click()
    expect(visit.page.locator("#gallery")).to_be_hidden()


def test_a_game_is_mended_played_solved_drawn_and_shared(visit, visits):
    page = visit.page
    visit.write(GAME.replace("if board[c] is none", "if bord[c] is none"))
    finding = page.locator("#findings li")
    expect(finding).to_contain_text("bord")
    expect(page.locator("#said")).to_contain_text("bord")
    expect(page.locator(".cm-lintRange-error")).to_have_text("bord")
    visit.shot("finding")
    finding.get_by_role("button", name="board").click()
    in_order(visit)

    visit.tab("Play")
    for cell, status in (("b2", "O is to move"), ("a1", "X is to move"), ("c3", "O is to move")):
        page.locator(f'[data-cell="{cell}"]').click()
        expect(page.locator("#status")).to_contain_text(status)
    expect(page.locator("#moves button")).to_have_count(6)
    visit.shot("play")

    visit.tab("Solve")
    page.get_by_role("button", name="Solve", exact=True).click()
    value = page.get_by_role("table", name="The value of the game")
    expect(value.get_by_role("row")).to_have_text(["playervalue", re.compile("X *0"), re.compile("O *0")])
    visit.shot("solve")

    visit.tab("Tree")
    expect(page.locator("#tree-drawn svg")).to_contain_text("mark(b2)")
    visit.shot("tree")

    link = visit.link()
    assert text_of(link) == GAME
    other = visits()
    other.open(link.removeprefix(other.address))
    assert other.link() == link


def test_a_search_to_a_depth_keeps_what_it_has_found(visit):
    page = visit.page
    from_gallery(visit, "Connect four")
    visit.tab("Solve")
    page.get_by_text("How far, how long").click()
    page.locator("#solving").get_by_label("Moves ahead").fill("4")
    visit.shot("solve-fields")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#solved")).to_contain_text("looked 4 plies ahead")
    expect(page.get_by_role("table", name="The value of the game")).to_be_visible()


def test_undo_takes_back_to_the_last_choice_at_the_keyboard(visit):
    page = visit.page
    visit.tab("Play")
    page.locator("#seats").get_by_label("O").select_option("random")
    shown(page)
    page.locator('[data-cell="b2"]').click()
    expect(page.locator("#moves button")).to_have_count(7)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#moves button")).to_have_count(9)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_button_is_readable_while_it_is_pointed_at(visits):
    visit = visits(reduced_motion="reduce")
    visit.open("")
    visit.tab("Solve")
    button = visit.page.get_by_role("button", name="Solve", exact=True)
    button.hover()
    for _ in in_both_schemes(visit.page):
        colours = button.evaluate(
            "button => [getComputedStyle(button).color, getComputedStyle(button).backgroundColor]"
        )
        light, dark = sorted((luminance(each) for each in colours), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, "WCAG 2.2, 1.4.3"


def luminance(colour):
    """The relative luminance of `rgb(r, g, b)`, as WCAG defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_two_clicks_at_once_are_one_move(visit):
    visit.tab("Play")
    visit.page.locator('[data-cell="b2"]').evaluate(
        "cell => [1, 2].map(() => cell.dispatchEvent(new MouseEvent('click')))"
    )
    expect(visit.page.locator("#moves button")).to_have_count(8)
    expect(visit.page.locator("#play-refused")).to_be_empty()


def test_a_hint_is_a_move_with_its_worth(visit):
    visit.write(GAME.replace("param size: 2..5 = 3", "param size: 2..5 = 2").replace("expect", "# expect"))
    in_order(visit)
    visit.tab("Play")
    visit.page.get_by_role("button", name="Hint").click()
    expect(visit.page.locator("#advice")).to_contain_text("mark(")
    expect(visit.page.locator("#advice")).to_contain_text("1")


def test_a_move_of_two_cells_is_two_clicks(visit):
    from_gallery(visit, "Breakthrough")
    visit.tab("Play")
    page = visit.page
    before = page.locator("#moves button").first
    before.wait_for()
    every = page.locator("#moves button").count()
    page.locator('[data-cell="a2"]').click()
    expect(page.locator("#moves button")).not_to_have_count(every)
    assert page.locator("#moves button").count() == 2  # straight on, and to one side: it stands at the edge
    page.locator('[data-cell="a3"]').click()
    expect(page.locator("#status")).to_contain_text("Black")


def test_a_column_is_clicked_anywhere(visit):
    """A disc falls to the lowest empty cell: a click above it will do."""
    from_gallery(visit, "Connect four")
    visit.tab("Play")
    page = visit.page
    for row, player in ((1, "Yellow"), (2, "Red"), (3, "Yellow")):
        column = page.locator(f'[data-cell="d{row}"]')
        expect(column).to_have_count(6)
        expect(column.locator("circle")).to_have_count(1)
        column.first.click()
        expect(page.locator("#status")).to_contain_text(f"{player} is to move")
    expect(page.locator("#told")).to_contain_text("drop(4)")
    visit.shot("column")


def test_only_the_targets_of_a_chosen_piece_are_marked(visit):
    from_gallery(visit, "Chess")
    visit.tab("Play")
    page = visit.page
    marks = page.locator("#board [data-cell] circle:visible")
    expect(marks).to_have_count(10 + 16)  # eight pawns and two knights can move, to the third rank and the fourth
    page.locator('[data-cell="g1"]').click()
    expect(marks).to_have_count(2)
    visit.shot("targets")
    for cell in ("f3", "h3"):
        expect(page.locator(f'[data-cell="{cell}"] circle')).to_be_visible()
    page.locator('[data-cell="g1"]').click()
    expect(marks).to_have_count(10 + 16)


def test_a_play_goes_on_with_its_rules_until_it_is_begun_again(visit):
    page = visit.page
    visit.tab("Play")
    changed = page.locator("#rules-changed")
    told = page.locator("#told li")
    visit.write(GAME.replace("Tic-tac-toe", "Noughts"))  # nobody has moved: the play follows the text
    expect(page.locator("#board svg title")).to_contain_text("Noughts")
    expect(changed).to_be_hidden()
    visit.write(GAME)
    expect(page.locator("#board svg title")).to_contain_text("Tic-tac-toe")
    for cell, status in (("c3", "O is to move"), ("b2", "X is to move")):
        page.locator(f'[data-cell="{cell}"]').click()
        expect(page.locator("#status")).to_contain_text(status)
    visit.write(GAME.replace("size: 2..5 = 3", "size: 2..5 = 4").replace("players X, O", "players Cross, Nought"))
    expect(changed).to_contain_text("The play goes on with the rules as they were.")
    page.locator('[data-cell="a1"]').click()
    expect(told).to_have_text(["X: mark(c3)", "O: mark(b2)", "X: mark(a1)"])
    changed.get_by_text("What has changed").click()
    expect(changed.locator("del").first).to_contain_text("param size: 2..5 = 3")
    expect(changed.locator("ins").first).to_contain_text("param size: 2..5 = 4")
    visit.shot("rules-changed")
    visit.write(GAME)
    expect(changed).to_be_hidden()
    visit.write(GAME.replace("size: 2..5 = 3", "size: 2..5 = 4"))
    changed.get_by_role("button", name="Begin again").click()
    expect(page.locator("#board [data-cell]")).to_have_count(16)
    expect(told).to_have_count(0)
    expect(changed).to_be_hidden()


def test_another_value_of_a_parameter_is_a_change_of_the_rules(visit):
    page = visit.page
    visit.tab("Play")
    page.locator('[data-cell="b2"]').click()
    expect(page.locator("#status")).to_contain_text("O is to move")
    visit.tab("Rules")
    page.get_by_label("size").fill("2")
    page.get_by_label("size").press("Enter")
    visit.tab("Play")
    page.locator("#rules-changed summary").click()
    expect(page.locator("#rules-changed")).to_contain_text("size is 2 now")
    expect(page.locator("#board [data-cell]")).to_have_count(9)
    page.get_by_role("button", name="Undo").click()  # nobody has moved any more
    expect(page.locator("#board [data-cell]")).to_have_count(4)


def test_a_play_goes_on_with_a_text_that_has_mistakes(visit):
    page = visit.page
    visit.tab("Play")
    page.locator('[data-cell="b2"]').click()
    expect(page.locator("#status")).to_contain_text("O is to move")
    visit.write("game")
    changed = page.locator("#rules-changed")
    changed.get_by_role("button", name="Go on with the new rules").click()
    expect(page.locator("#play-refused")).to_contain_text("something is missing")
    page.locator('[data-cell="a1"]').click()
    expect(page.locator("#status")).to_contain_text("X is to move")


def test_a_changed_text_goes_on_with_the_play_if_that_is_wanted(visit):
    page = visit.page
    visit.tab("Play")
    for cell, status in (("c3", "O is to move"), ("b2", "X is to move"), ("a1", "O is to move")):
        page.locator(f'[data-cell="{cell}"]').click()
        expect(page.locator("#status")).to_contain_text(status)
    told = page.locator("#told li")
    go_on = page.get_by_role("button", name="Go on with the new rules")
    visit.write(GAME.replace("Tic-tac-toe", "Noughts and crosses"))
    go_on.click()
    expect(page.locator("#board svg title")).to_contain_text("Noughts")
    expect(told).to_have_text(["X: mark(c3)", "O: mark(b2)", "X: mark(a1)"])
    expect(page.locator("#advice")).to_be_empty()
    visit.write(GAME.replace("if board[c] is none", "if board[c] is none and c.x != 2"))
    go_on.click()
    expect(page.locator("#advice")).to_contain_text("after 1 of its 3 moves")
    expect(told).to_have_text(["X: mark(c3)"])
    visit.write(GAME)  # and with what did not fit meanwhile
    go_on.click()
    expect(told).to_have_count(3)
    from_gallery(visit, "Connect four")
    expect(page.locator("#status")).to_contain_text("Red is to move")
    expect(told).to_have_count(0)
    expect(page.locator("#advice")).to_be_empty()


def test_moves_of_others_at_the_seats_do_not_stop_a_play(visit):
    """Nor is anything said of a play if another game has taken its place."""
    page = visit.page
    from_gallery(visit, "Kuhn poker")
    visit.tab("Play")
    expect(page.locator("#seen")).to_contain_text("hand[Alice]")
    expect(page.locator("#advice")).to_be_empty()


def test_a_board_that_is_flipped_while_another_game_is_on_its_way_is_of_that_game(visit):
    page = visit.page
    visit.tab("Play")
    page.locator('[data-cell="b2"]').wait_for()
    only = hold(page, "**/api/rules")
    visit.write(GAME.replace("move mark", "move draw"))
    only()
    page.unroute("**/api/rules")
    page.get_by_role("button", name="Flip the board").click()
    expect(page.locator("#moves button").first).to_have_text("draw(a1)")
    expect(page.locator("#play-refused")).to_be_empty()


def test_stones_and_figures_keep_their_colours_and_paper_does_not(visit):
    from_gallery(visit, "Breakthrough")
    visit.tab("Play")
    men = visit.page.locator("#board polygon")  # the body and the foot of each
    expect(men).to_have_count(64)
    for scheme in in_both_schemes(visit.page):
        fills = men.evaluate_all("all => all.map((shape) => getComputedStyle(shape).fill)")
        light = [sum(map(int, re.findall(r"\d+", fill))) > 600 for fill in fills]
        assert light.count(True) == light.count(False) == 32, "White's men are white, and Black's are black"
        paper = visit.page.locator("#board rect").first.evaluate("rect => getComputedStyle(rect).fill")
        assert (sum(map(int, re.findall(r"\d+", paper))) > 600) == (scheme == "light")
        visit.shot(f"breakthrough-{scheme}")


def test_the_board_is_flipped_and_stays_so(visit):
    page = visit.page
    from_gallery(visit, "Chess")
    visit.tab("Play")
    flip = page.get_by_role("button", name="Flip the board")
    cell = page.locator('#board [data-cell="a1"] > rect')
    below = float(cell.get_attribute("y"))
    flip.click()
    expect(flip).to_have_attribute("aria-pressed", "true")
    expect(cell).not_to_have_attribute("y", f"{below:.2f}")
    page.locator('#board [data-cell="e2"]').click()
    page.locator('#board [data-cell="e4"]').click()
    expect(page.locator("#told li")).to_have_text(["White: go_to(e2, e4)"])
    assert float(cell.get_attribute("y")) < below
    visit.shot("chess-flipped")
    from_gallery(visit, "Kuhn poker")
    expect(page.locator("#status")).to_contain_text("is to move")
    expect(flip).to_be_hidden()


def cards(page):
    """The cards of Kuhn poker that can be read on the tab Play, or are read aloud."""
    found = page.wait_for_function(
        """() => /hand\\[\\w+\\] = [JQK]/.test(document.querySelector("#seen").textContent)
            && [...document.querySelectorAll("#play *:not(:has(*)), #said")].map(each => each.textContent).join(" ")"""
    )
    return set(re.findall(r"\b[JQK]\b", found.json_value()))


def test_the_cards_of_others_are_nowhere_on_the_page(visit):
    from_gallery(visit, "Kuhn poker")
    visit.tab("Play")
    page = visit.page
    page.locator("#seats").get_by_label("Bob").select_option("random")
    for _ in range(6):
        page.locator("#moves button").first.evaluate("move => { move.dataset.earlier = 1 }")
        page.get_by_role("button", name="New play").click()
        expect(page.locator("[data-earlier]")).to_have_count(0)  # what was seen in the earlier play has left the page
        expect(page.locator("#moves button")).to_have_count(2)
        expect(page.locator("#seen")).to_contain_text(re.compile(r"hand\[Alice\] = [JQK]"))
        assert "deal(" not in page.locator("#play").inner_html()  # the facts, elsewhere, name plays as examples
        assert len(cards(page)) == 1
    page.get_by_label("Seen by").select_option("everybody")
    expect(page.locator("#told")).to_contain_text("deal(")
    assert len(cards(page)) == 2


def test_a_curtain_falls_between_two_players_at_one_screen(visit):
    from_gallery(visit, "Kuhn poker")
    visit.tab("Play")
    page = visit.page
    curtain = page.get_by_role("group", name="Pass the screen to Bob")
    card = r"hand\[Alice\] = [JQK]"
    expect(page.locator("#seen")).to_contain_text(re.compile(card))
    expect(curtain).to_be_hidden()
    page.locator("#moves button", has_text="bet").press("Enter")
    expect(curtain).to_be_focused()
    expect(page.locator("#said")).to_have_text("Pass the screen to Bob")
    nothing = page.locator("#board, #seen, #told, #moves, #status, #advice")
    assert nothing.all_text_contents() == [""] * 6
    assert not re.search(r"hand\[(Alice|Bob)|>[JQK]<", page.content().replace(page.locator("#editor").inner_html(), ""))
    visit.shot("curtain")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#seen")).to_contain_text(re.compile(r"hand\[Bob\] = [JQK]"))
    expect(page.locator("#seen")).not_to_contain_text(re.compile(card))
    expect(curtain).to_be_hidden()
    expect(page.locator("#moves button").first).to_be_focused()
    page.get_by_role("button", name="Undo").click()  # the screen goes back
    expect(page.get_by_role("group", name="Pass the screen to Alice")).to_be_visible()


def test_no_curtain_falls_where_nothing_is_hidden_or_nobody_else_sits(visit):
    page = visit.page
    visit.tab("Play")
    page.locator('[data-cell="b2"]').click()
    expect(page.locator("#status")).to_contain_text("O is to move")
    from_gallery(visit, "Kuhn poker")
    page.locator("#seats").get_by_label("Bob").select_option("random")
    shown(page)
    page.locator("#moves button", has_text="check").click()
    expect(page.locator("#told li", has_text="Bob")).to_have_count(1)
    expect(page.locator("#curtain")).to_be_hidden()


def test_a_curtain_goes_up_when_a_new_play_is_begun(visit):
    from_gallery(visit, "Kuhn poker")
    visit.tab("Play")
    page = visit.page
    page.locator("#moves button", has_text="bet").click()
    expect(page.locator("#curtain")).to_be_visible()
    page.get_by_role("button", name="New play").click()
    expect(page.locator("#curtain")).to_be_hidden()
    expect(page.locator("#seen")).to_contain_text("hand[Alice]")


def test_who_draws_for_chance_chooses_an_outcome(visit):
    from_gallery(visit, "Kuhn poker")
    visit.tab("Play")
    page = visit.page
    page.locator("#seats").get_by_label("Chance").select_option("you")
    page.get_by_role("button", name="New play").click()
    expect(page.locator("#moves button")).to_have_count(6)
    expect(page.locator("#moves button", has_text="deal(K, Q)")).to_have_text("deal(K, Q), 1/6")
    page.get_by_role("button", name="deal(K, Q)").click()
    expect(page.locator("#status")).to_contain_text("Alice")
    expect(page.locator("#seen")).to_contain_text("hand[Alice] = K")
    assert cards(page) == {"K"}


def test_a_new_play_takes_the_moves_of_the_play_before_away_at_once(visit):
    """Else a click on one of them would do nothing, since the new play is still asked for."""
    visit.tab("Play")
    expect(visit.page.locator("#moves button").first).to_be_visible()
    begin, moves = "document.getElementById('new-play').click()", "document.querySelectorAll('#moves button')"
    assert visit.page.evaluate(f"() => {{ {begin}; return {moves}.length }}") == 0
    expect(visit.page.locator("#moves button").first).to_be_visible()


def test_a_move_of_a_position_that_has_been_left_is_not_made(visit):
    """The moves shown are still those of the position before the one to which the play has been taken back."""
    page = visit.page
    visit.tab("Play")
    page.locator("#moves button").first.click()
    expect(page.locator("#undo")).to_be_enabled()
    page.evaluate("() => { document.getElementById('undo').click(); document.querySelector('#moves button').click() }")
    expect(page.locator("#undo")).to_be_disabled()
    expect(page.locator("#play-refused")).to_be_empty()


def test_what_is_chosen_at_the_same_moment_is_not_told(visit):
    from_gallery(visit, "Prisoner's dilemma")
    visit.tab("Play")
    page = visit.page
    for player in ("Row", "Column"):
        expect(page.locator("#status")).to_contain_text(player)
        assert "confess" not in page.locator("#told").inner_text()
        page.locator("#moves").get_by_role("button", name="confess").click()
    expect(page.locator("#no-moves")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("ended")


def test_a_hint_says_that_it_is_thought_about(visit):
    page = visit.page
    visit.tab("Play")
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()
    expect(page.locator("#thinking")).to_be_hidden()
    held = hold(page, "**/api/hint")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#thinking")).to_be_visible()
    held().continue_()
    expect(page.locator("#advice")).to_contain_text("brings")
    expect(page.locator("#thinking")).to_be_hidden()


def test_tabs_and_moves_are_reached_by_keys(visit):
    page = visit.page
    page.get_by_role("tab", name="Rules").focus()
    for name in ("Play", "Tree", "Solve", "Share", "Rules"):
        page.keyboard.press("ArrowRight")
        chosen = page.get_by_role("tab", name=name)
        expect(chosen).to_be_focused()
        expect(chosen).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("tabpanel")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.locator("#moves button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("O is to move")
    expect(page.locator("#said")).to_contain_text("O is to move")
    expect(page.locator("#moves button").first).to_be_focused()


def test_what_comes_late_is_not_said_of_a_tab_that_was_left(visit):
    """The drawing is held back until somebody has moved on another tab."""
    page = visit.page
    held = hold(page, "**/api/tree")
    visit.tab("Tree")
    page.locator("#tree-drawn[aria-busy=true]").wait_for()
    visit.tab("Play")
    page.locator('[data-cell="b2"]').click()
    expect(page.locator("#said")).to_contain_text("O is to move")
    held().continue_()
    page.locator("#tree-drawn svg").wait_for(state="attached")
    expect(page.locator("#said")).to_contain_text("O is to move")


def test_escape_leaves_the_editor(visit):
    page = visit.page
    editor = page.locator(".cm-content")
    editor.click()
    page.keyboard.press("Tab")
    expect(editor).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(editor).not_to_be_focused()


def test_words_are_completed_and_explained(visit):
    page = visit.page
    visit.write(f"{GAME}\nexp")
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("expect")
    page.keyboard.press("Escape")
    page.locator(".cm-content").press("Control+Home")
    page.locator(".cm-line span", has_text="players").first.hover()
    expect(page.locator(".cm-tooltip .explained")).to_be_visible()


def test_no_link_is_of_an_earlier_text(visit):
    page = visit.page
    visit.link()
    page.evaluate("() => { Response.prototype.arrayBuffer = () => new Promise(() => {}) }")  # no link is ever made
    visit.write(f"{GAME}\n")
    expect(page.locator("#link")).to_have_value("")
    assert page.locator("#link-length").inner_text() == ""
    expect(page.get_by_role("button", name="Copy")).to_be_disabled()


def test_a_text_is_formatted(visit):
    visit.write(GAME.replace("    turn p:", "    turn   p :"))
    in_order(visit)
    visit.page.get_by_role("button", name="Format").click()
    expect(visit.page.locator("#said")).to_have_text("formatted")
    assert text_of(visit.link()) == GAME


def test_the_language_stands_on_one_page(visit):
    page = visit.page
    sheet = page.get_by_role("dialog", name="The language on one page")
    page.get_by_role("button", name="The language").click()
    expect(sheet.locator("pre").first).to_contain_text('game "Stones"')
    expect(sheet.locator("strong", has_text="Slips")).to_be_attached()
    assert sheet.get_by_role("heading").all_inner_texts() == ["The language on one page"]
    assert "# The language" not in sheet.inner_text()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name="The language").click()
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()


def test_another_parameter_makes_another_game(visit):
    visit.page.get_by_label("size").fill("2")
    visit.page.get_by_label("size").press("Enter")
    visit.tab("Play")
    expect(visit.page.locator("#moves button")).to_have_count(4)


def test_what_is_written_into_a_field_stays_when_the_rules_come(visit):
    page = visit.page
    size = page.get_by_label("size")
    size.wait_for()
    visit.tab("Share")
    held = hold(page, "**/api/rules")
    visit.tab("Rules")
    size.fill("2")
    held().continue_()
    expect(page.locator("#rules-refused[aria-busy]")).to_have_count(0)
    expect(size).to_have_value("2")
    page.unroute("**/api/rules")
    page.locator("#rules-found h3").evaluate("it => { it.dataset.earlier = 1 }")
    size.press("Enter")
    expect(page.locator("[data-earlier]")).to_have_count(0)  # what is written there is the question now
    visit.tab("Play")
    expect(page.locator("#moves button")).to_have_count(4)


def test_a_wrong_parameter_can_be_mended(visit):
    size = visit.page.get_by_label("size")
    for value, count in (("99", 1), ("2", 0)):
        size.fill(value)
        size.press("Enter")
        expect(visit.page.locator("#rules").get_by_role("alert")).to_have_count(count)
    visit.write(GAME.replace("size", "width"))  # which has its own value
    in_order(visit)
    expect(visit.page.locator("#parameter-width")).to_have_value("3")


@pytest.mark.parametrize("code", ["x", "AAAA", "%%%", "q1b*"])
def test_a_damaged_link_is_said_to_be_one(visits, code):
    visit = visits()
    visit.open(f"#game={code}")
    expect(visit.page.get_by_role("alert")).to_contain_text("the game in the link cannot be read")


def test_a_link_has_what_was_to_be_seen(visit, visits):
    page = visit.page
    from_gallery(visit, "Kuhn poker")
    visit.tab("Play")
    page.locator("#seats").get_by_label("Chance").select_option("you")
    page.get_by_role("button", name="New play").click()  # chance may have drawn before
    page.get_by_label("Seen by").select_option(label="everybody")
    shown(page)
    for move in ("deal(K, Q)", "bet"):
        page.locator("#moves").get_by_role("button", name=move).click()
    expect(page.locator("#told li")).to_have_count(2)
    visit.tab("Solve")
    link = visit.link()
    expect(page.locator("#link-length")).to_contain_text("opens the tab Solve, after 2 moves")
    assert link == f"{visit.address}#bundled=kuhn_poker&play=deal(K,+Q)&play=bet&tab=solve"
    visit.shot("share")

    other = visits()
    other.open(link.removeprefix(other.address))
    expect(other.page.get_by_role("tab", name="Solve")).to_have_attribute("aria-selected", "true")
    assert other.link() == link
    other.tab("Play")
    expect(other.page.locator("#told")).to_contain_text("Alice: bet")
    other.page.evaluate("location.hash = '#bundled=nim&param.heaps=2&play=take(1, 3)&tab=play'")
    expect(other.page.locator("#told li")).to_have_count(1)
    expect(other.page.locator("#moves button")).to_have_count(4)
    assert other.link() == f"{other.address}#bundled=nim&param.heaps=2&play=take(1,+3)&tab=play"
    expect(other.page.locator("#notices")).to_be_empty()


@pytest.mark.parametrize(
    ("fragment", "said", "link"),
    [
        ("bundled=kuhn&tab=play", "there is no game 'kuhn' in the gallery", "bundled=tic_tac_toe&tab=rules"),
        ("bundled=nim&param.heaps=7&tab=tree", "heaps", "bundled=nim&tab=tree"),
        ("bundled=nim&param.height=2", "height", "bundled=nim&tab=rules"),
        ("bundled=kuhn_poker&play=deal(J,Q)&play=fold&play=bet&tab=play", "stops after 1 of its 3 moves: 'fold' is not",
         "bundled=kuhn_poker&play=deal(J,Q)&tab=play"),
        ("bundled=nim&tab=sauce", "there is no tab 'sauce'", "bundled=nim&tab=rules"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_link_is_said_and_the_rest_shown(visits, fragment, said, link):
    visit = visits()
    visit.open(f"#{fragment}")
    expect(visit.page.locator("#notices").get_by_role("alert")).to_contain_text(said)
    assert visit.link() == f"{visit.address}#{link}"


def test_a_name_is_never_markup(visit):
    visit.write(GAME.replace("Tic-tac-toe", "<img src=x onerror=alert(1)><b>bold</b>"))
    in_order(visit)
    expect(visit.page.locator("#rules-found h3")).to_have_text("<img src=x onerror=alert(1)><b>bold</b>")
    for name in ("Play", "Tree"):
        visit.tab(name)
        expect(visit.page.locator("[role=tabpanel]:visible svg title")).to_contain_text("<img")
    assert visit.page.locator("#panels img, #panels b").count() == 0


def test_work_that_does_not_end_is_stopped(visit):
    page = visit.page
    visit.write(ENDLESS)
    in_order(visit)
    visit.tab("Solve")
    page.get_by_role("button", name="Solve", exact=True).click()
    stop = page.get_by_role("button", name="Stop")
    expect(stop).to_be_enabled()
    stop.click()
    expect(page.locator("#solved")).to_contain_text("stopped")
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_enabled()


def test_a_refusal_is_shown_in_its_words(visit):
    """The words of a limit, as the server sends them in the middle of its work."""
    refused = {"code": "time-limit", "message": "no value has been found in 2 s", "hint": "a smaller game is faster"}
    events = f'event: progress\ndata: {{"text": "7 nodes"}}\n\nevent: refused\ndata: {json.dumps(refused)}\n\n'
    visit.page.route("**/api/solve", lambda route: route.fulfill(body=events, content_type="text/event-stream"))
    visit.tab("Solve")
    visit.page.get_by_role("button", name="Solve", exact=True).click()
    said = visit.page.locator("#solved").get_by_role("alert")
    for word in refused.values():
        expect(said).to_contain_text(word)
    expect(visit.page.get_by_role("button", name="Stop")).to_be_disabled()
    expect(visit.page.locator("#progress")).to_be_empty()


def analyse(visit):
    visit.page.get_by_role("button", name="Analyse").click()


def test_an_analysis_stands_beside_the_moves_and_on_the_board(visit):
    """Of tic-tac-toe after a corner, where only the centre draws."""
    page = visit.page
    visit.tab("Play")
    page.locator('[data-cell="a1"]').click()
    analyse(visit)
    expect(page.locator("#known")).to_have_text("exact values")
    worths = page.locator("#moves .worth")
    expect(worths).to_have_text(["drawn, best" if cell == "b2" else "lost in 6" for cell in
                                 ("b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")])  # fmt: skip
    badges = page.locator("#board .badge")
    expect(badges).to_have_count(8)
    expect(badges.filter(has_text="=")).to_have_count(1)
    expect(page.locator("#board .step").first).to_have_text("1")
    expect(page.locator("#best-line")).to_contain_text("Best play: mark(b2), ")
    expect(page.locator("#said")).to_contain_text("best: mark(b2), drawn")
    expect(page.get_by_role("button", name="mark(b2) drawn, best")).to_be_visible()
    buttons, head = (page.locator(each).bounding_box() for each in ("#analyse", "#analysis-head"))
    assert head["y"] - buttons["y"] - buttons["height"] < 40, "without advice there is no gap for it"
    visit.shot("analysis")
    analyse(visit)
    expect(page.locator("#analysis")).to_be_hidden()
    expect(page.locator(".worth, .badge, .step")).to_have_count(0)


def lose_by_a_slip(visit):
    """Three moves of tic-tac-toe beside their values, the second one a slip; returns the page."""
    page = visit.page
    visit.tab("Play")
    analyse(visit)
    for cell, status in (("a1", "O is to move"), ("a2", "X is to move"), ("b2", "O is to move")):
        page.locator(f'[data-cell="{cell}"]').click()
        expect(page.locator("#status")).to_contain_text(status)
    return page


def test_the_course_of_the_value_shows_what_was_lost_and_leads_there(visit):
    page = lose_by_a_slip(visit)
    expect(page.locator(".chart .moment")).to_have_count(4)
    expect(page.locator(".chart .tick")).to_have_text(["won", "drawn", "lost"])
    expect(page.locator("#losses li")).to_have_text(["2. O: mark(a2), from drawn to lost in 6"])
    expect(page.locator("#moment-told")).to_have_text("after 3 of 3: won in 4 for X")
    visit.shot("course")
    page.get_by_label("Value for").select_option("O")
    expect(page.locator("#moment-told")).to_have_text("after 3 of 3: lost in 4 for O")
    page.locator("#losses button").click()
    expect(page.locator("#told li")).to_have_text(["X: mark(a1)"])
    expect(page.locator("#moves button")).to_have_count(8)
    slider = page.get_by_role("slider", name="The moment of the play")
    expect(slider).to_have_attribute("aria-valuetext", "after 1 of 3: drawn for O")
    slider.focus()
    page.keyboard.press("End")
    expect(page.locator("#told li")).to_have_count(3)
    page.locator(".chart").click(position={"x": 52, "y": 50})
    expect(page.locator("#told li")).to_have_count(0)
    page.locator('[data-cell="b2"]').click()
    expect(page.locator("#moment-told")).to_have_text("after 1 of 1: drawn for O")
    expect(page.locator("#losses li")).to_have_count(0)


def test_a_click_counts_though_the_course_is_drawn_meanwhile(visit):
    page = lose_by_a_slip(visit)
    expect(page.locator("#losses li")).to_have_text(["2. O: mark(a2), from drawn to lost in 6"])
    kept = """() => {
        const pressed = [document.querySelector("#losses button"), document.querySelector(".chart")]
        document.querySelector("#course-of").dispatchEvent(new Event("change"))
        return pressed.map((each) => each.isConnected)
    }"""
    assert page.evaluate(kept) == [True, True]  # what the mouse went down on is there when it goes up
    page.locator("#losses button").click()
    expect(page.locator("#told li")).to_have_count(1)


def test_an_analysis_is_given_up_when_the_play_goes_on(visit):
    page = visit.page
    visit.tab("Play")
    held = hold(page, "**/api/analysis")
    analyse(visit)
    held()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/analysis")):
        page.locator('[data-cell="b2"]').click()
    expect(page.locator("#status")).to_contain_text("O is to move")


def test_an_analysis_tells_only_what_the_player_to_move_can_know(visit):
    from_gallery(visit, "Kuhn poker")
    visit.tab("Play")
    page = visit.page
    page.locator("#seats").get_by_label("Bob").select_option("random")
    analyse(visit)
    expect(page.locator("#moves .worth")).to_have_count(2)
    expect(page.locator("#known")).to_contain_text("Alice knows no more than they see")
    assert len(cards(page)) == 1
    expect(page.locator("#course-of option")).to_have_text(["Alice"])
    page.get_by_label("Seen by").select_option("Bob")
    expect(page.locator("#known")).to_contain_text("may be told to the player to move alone")
    expect(page.locator(".worth")).to_have_count(0)


def test_the_targets_of_a_piece_have_their_own_values(visit):
    from_gallery(visit, "Breakthrough")
    visit.tab("Play")
    page = visit.page
    analyse(visit)
    expect(page.locator("#known")).to_contain_text("plies: estimates, no values")
    expect(page.locator("#board .badge")).to_have_count(8)
    expect(page.locator("#board .arrow").first).to_be_attached()
    page.locator('[data-cell="a2"]').click()
    expect(page.locator("#board .badge")).to_have_count(2)
    expect(page.locator("#moves .worth")).to_have_count(2)
    visit.shot("targets-analysed")


def test_values_are_readable(visits):
    visit = visits(reduced_motion="reduce")
    visit.open()
    visit.tab("Play")
    page = visit.page
    for cell, status in (("a1", "O is to move"), ("a2", "X is to move")):
        page.locator(f'[data-cell="{cell}"]').click()
        expect(page.locator("#status")).to_contain_text(status)
    analyse(visit)
    expect(page.locator("#known")).to_have_text("exact values")
    for _ in in_both_schemes(page):
        pairs = page.evaluate(  # in one go, since the board may be drawn again at any time
            """() => [
                ...[...document.querySelectorAll("#moves .worth")].map((worth) => (
                    [getComputedStyle(worth).color, getComputedStyle(worth.closest("button")).backgroundColor]
                )),
                ...[...document.querySelectorAll("#board .badge")].map((badge) => (
                    [...badge.children].map((shape) => getComputedStyle(shape).fill)
                )),
            ]"""
        )
        assert len(pairs) == 14
        for pair in pairs:
            light, dark = sorted((luminance(each) for each in pair), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, "WCAG 2.2, 1.4.3"


def test_a_server_that_has_ended_is_said_to_be_gone(visit):
    for path in ("findings", "solve", "limits"):  # the last one is asked for to see whether the server is back
        visit.page.route(f"**/api/{path}", lambda route: route.abort())
    visit.write(f"{GAME}\n")
    expect(visit.page.locator("#findings")).to_contain_text("the server does not answer")
    expect(visit.page.locator("#count")).to_have_text("The text has not been read")
    visit.tab("Solve")
    visit.page.get_by_role("button", name="Solve", exact=True).click()
    expect(visit.page.locator("#solved")).to_contain_text("the server does not answer")
    expect(visit.page.get_by_role("button", name="Solve", exact=True)).to_be_enabled()
    visit.page.unroute_all()
    in_order(visit)  # no request fails any more
    assert all("net::ERR_FAILED" in wrong for wrong in visit.wrong)
    visit.wrong.clear()


def test_the_page_goes_on_when_the_server_is_back(visit):
    visit.page.route("**/api/**", lambda route: route.abort())
    visit.write(f"{GAME}\nvar unused: 0..1 = 0\n")
    expect(visit.page.locator("#findings")).to_contain_text("the page goes on by itself")
    visit.page.unroute("**/api/**")
    expect(visit.page.locator("#findings")).to_contain_text("'unused' is never used")
    visit.read()
    visit.wrong.clear()


def test_a_reload_keeps_what_has_been_written(visit):
    text = GAME.replace("Tic-tac-toe", "Mine")
    visit.write(text)
    visit.page.reload()
    expect(visit.page.locator("#notices")).to_contain_text("This is what you have written here.")
    assert text_of(visit.link()) == text
    visit.page.get_by_role("button", name="Begin anew").click()
    expect(visit.page.locator(".cm-content")).to_contain_text("Tic-tac-toe")


def test_a_new_tab_offers_what_was_written_in_another_one(visit):
    text = GAME.replace("Tic-tac-toe", "Mine")
    visit.write(text)
    other = Visit(visit.page.context.new_page(), visit.address)
    other.open()
    expect(other.page.locator("#notices")).to_contain_text("You have written a game here before: Mine")
    other.page.get_by_role("button", name="Open it").click()
    assert text_of(other.link()) == text
    assert other.wrong == []


def test_what_gives_way_to_a_game_of_the_gallery_is_offered_later(visit):
    visit.write(GAME.replace("Tic-tac-toe", "Mine"))
    visit.page.get_by_role("button", name="Gallery").click()
    visit.page.get_by_role("button", name=re.compile(r"^Nim\b")).first.click()
    expect(visit.page.locator(".cm-content")).to_contain_text("whoever takes the last object wins")
    visit.page.reload()
    expect(visit.page.locator("#notices")).to_contain_text("You have written a game here before: Mine")


def test_where_the_browser_keeps_nothing_leaving_is_asked_about(visit):
    visit.page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full') }")
    visit.open()
    asked = []
    visit.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    visit.write(f"{GAME}\n")
    visit.page.reload()
    assert asked == ["beforeunload"]


def test_a_link_to_an_endless_text_is_refused(visits):
    deflate = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = b"".join(deflate.compress(bytes(1 << 20)) for _ in range(64)) + deflate.flush()
    visit = visits()
    visit.open(f"#game={urlsafe_b64encode(packed).decode().rstrip('=')}")
    expect(visit.page.get_by_role("alert")).to_contain_text("the game in the link cannot be read")


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_page(visits, width):
    visit = visits(width=width)
    visit.open()
    for name in TABS:
        visit.tab(name)
        filled = {"Rules": "#rules-found h3", "Play": "#board svg", "Tree": "#tree-drawn svg"}
        visit.page.locator(filled.get(name, "[role=tabpanel]:visible")).wait_for()
        for scheme in in_both_schemes(visit.page):
            visit.shot(f"{name.lower()}-{width}-{scheme}")
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    from_gallery(visit, "Chess")
    visit.tab("Play")
    visit.page.locator("#board title", has_text="Chess").wait_for(state="attached")
    for scheme in in_both_schemes(visit.page):
        visit.shot(f"chess-{width}-{scheme}")
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.page.get_by_role("button", name="The language").click()
    visit.page.locator("#sheet pre").first.wait_for()
    for scheme in in_both_schemes(visit.page):
        visit.shot(f"sheet-{width}-{scheme}")
        assert visit.page.locator("#sheet-text").evaluate("it => it.scrollWidth <= it.clientWidth")


def test_the_page_is_dark_where_the_system_is(visits):
    brightness = {}
    for scheme in ("light", "dark"):
        visit = visits(color_scheme=scheme)
        visit.open()
        colour = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
        brightness[scheme] = sum(map(int, re.findall(r"\d+", colour)[:3]))
    assert brightness["dark"] < 200 < 600 < brightness["light"]


def test_nothing_moves_where_that_is_not_wanted(visits):
    seconds = {}
    for wanted in ("no-preference", "reduce"):
        visit = visits(reduced_motion=wanted)
        visit.open()
        style = visit.page.locator("#format").evaluate("button => getComputedStyle(button).transitionDuration")
        seconds[wanted] = style
    assert seconds["reduce"] == "0s" != seconds["no-preference"]


def test_a_tree_of_an_earlier_text_is_drawn_again(visit):
    page = visit.page
    visit.tab("Tree")
    expect(page.locator("#tree-drawn svg")).to_contain_text("mark(b2)")
    from_gallery(visit, "Prisoner's dilemma")
    expect(page.locator("#tree-old")).to_be_visible()
    visit.tab("Rules")
    visit.tab("Tree")
    expect(page.locator("#tree-drawn svg")).to_contain_text("Prisoner")
    expect(page.locator("#tree-old")).to_be_hidden()


def watch_two_plies(visit):
    from_gallery(visit, "A two-ply tree")
    visit.tab("Tree")
    visit.page.locator("#tree-solver").fill("alphabeta")
    visit.page.get_by_role("button", name="Watch the search").click()
    expect(visit.page.locator("#watch-count")).to_have_text("step 1 of 16")


def test_a_search_is_watched_forwards_and_backwards(visit):
    page = visit.page
    watch_two_plies(visit)
    said, drawn = page.locator("#watch-said"), page.locator("#tree-drawn svg")
    expect(said).to_have_text("The root: MAX is to move.")
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    page.get_by_role("button", name="Step").click()
    expect(said).to_have_text("A1: MIN is to move.")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("A11: the end: 3; beta at A1 is now 3.")
    expect(drawn).to_contain_text("≤ 3")
    page.keyboard.press("ArrowLeft")
    expect(drawn).not_to_contain_text("≤ 3")
    slider = page.get_by_label("The step of the search")
    slider.focus()
    slider.press("End")
    expect(page.locator("#watch-count")).to_have_text("step 16 of 16")
    expect(said).to_contain_text("The search is done.")
    expect(page.get_by_role("button", name="Step")).to_be_disabled()
    visit.shot("watching")
    page.clock.install(time=0)
    page.clock.pause_at(1_000)  # and from now on only the test lets time go on
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#watch-count")).to_have_text("step 1 of 16")
    page.clock.run_for(3_100)
    expect(page.locator("#watch-count")).to_have_text("step 3 of 16")
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(10_000)
    expect(page.locator("#watch-count")).to_have_text("step 3 of 16")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(1_600)
    expect(page.locator("#watch-count")).to_have_text("step 4 of 16")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator("#watching")).to_be_hidden()
    expect(page.locator("#tree-drawn")).to_contain_text("11 nodes visited")


def test_students_are_asked_what_is_cut_next(visit):
    page = visit.page
    watch_two_plies(visit)
    said, step = page.locator("#watch-said"), page.get_by_role("button", name="Step")
    page.get_by_label("ask what is cut next").check()
    page.get_by_label("The step of the search").fill("8")
    expect(said).to_have_text("A21: the end: 2; beta at A2 is now 2.")
    step.click()
    expect(said).to_have_text("Something is cut off now. Which branch is not looked at, and why?")
    expect(step).to_be_disabled()
    expect(page.locator("#watch-count")).to_have_text("step 8 of 16")
    answer = page.get_by_role("button", name="Show the answer")
    expect(answer).to_be_focused()
    visit.shot("watching_question")
    answer.press("Enter")
    expect(said).to_contain_text("A22 and A23 are not looked at")
    expect(answer).to_be_hidden()
    page.get_by_label("ask what is cut next").uncheck()
    page.get_by_label("The step of the search").fill("8")
    step.click()
    expect(said).to_contain_text("A22 and A23 are not looked at")


def test_a_search_that_is_too_large_is_not_watched(visit):
    visit.tab("Tree")
    visit.page.locator("#depth").fill("")
    visit.page.get_by_role("button", name="Watch the search").click()
    expect(visit.page.locator("#tree-drawn")).to_contain_text("trace-too-large")
    expect(visit.page.locator("#watching")).to_be_hidden()


def test_headings_and_labels_say_what_is_where(visit):
    page = visit.page
    headings = [page.get_by_role("heading", level=level).all_inner_texts() for level in (1, 2)]
    assert headings == [["Zermelo"], ["The game"]]
    expect(page.get_by_role("textbox", name="The text of the game")).to_be_visible()
    for name in TABS:
        visit.tab(name)
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
    unnamed = "input:not([id]), select:not([id])"
    in_labels = "label input:not([id]), label select:not([id])"
    assert page.locator(unnamed).count() == page.locator(in_labels).count()


def test_axe_finds_nothing(visits):
    axe = pytest.importorskip("axe_playwright_python.base", reason="axe is not installed")
    visit = visits(bypass_csp=True, reduced_motion="reduce")
    visit.open()
    visit.page.evaluate(axe.AXE_SCRIPT)
    for name in TABS:
        visit.tab(name)
        if name in ("Play", "Tree"):
            visit.page.locator("[role=tabpanel]:visible svg").first.wait_for()
        if name == "Play":
            visit.page.locator('[data-cell="b2"]').click()
            analyse(visit)
            expect(visit.page.locator("#moves .worth")).to_have_count(8)
        for scheme in in_both_schemes(visit.page):
            found = visit.page.evaluate("axe.run()")
            assert [(scheme, each["id"], each["nodes"][0]["html"]) for each in found["violations"]] == []
