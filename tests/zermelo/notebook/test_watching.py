"""A search to watch in a notebook: by its messages, and in a real browser."""

from __future__ import annotations

import pytest
from widget_page import opened

import zermelo
from zermelo.drawing.frames import QUESTION, search_frames
from zermelo.notebook import watch
from zermelo.notebook.watching import Watching


@pytest.fixture
def watching():
    return Watching(search_frames(zermelo.load("two_ply_tree").initial, "alphabeta"))


def tell(watching, **message):
    watching.obey({"turn": watching.turn, **message})
    return watching.page()


def enabled(page) -> list[str]:
    return [button["text"] for button in page["buttons"] if button["is_enabled"]]


def test_steps_go_forwards_and_backwards(watching):
    page = watching.page()
    assert page["status"] == "The root: MAX is to move." and enabled(page) == ["Step", "Ask what is cut next"]
    assert page["steps"] == {"at": 0, "last": 15, "goes_on": True}
    assert tell(watching, do="press", name="step")["status"] == "A1: MIN is to move."
    page = tell(watching, do="step", number=15)
    assert page["status"].startswith("The search is done.") and enabled(page) == ["Back", "Ask what is cut next"]
    assert not page["steps"]["goes_on"]
    assert tell(watching, do="press", name="back")["steps"]["at"] == 14
    for number in (-1, 16):
        assert tell(watching, do="step", number=number)["steps"]["at"] == 14


def test_a_node_leads_to_the_step_at_which_it_was_entered(watching):
    page = tell(watching, do="step", number=9)
    spots = {spot["name"]: spot["label"] for spot in page["tree"]["spots"]}
    assert spots["5"] == "A2: MIN is to move." and [*spots] == [*map(str, range(8))], "not what comes later"
    assert [spot["name"] for spot in page["tree"]["spots"] if spot["is_current"]] == ["7"]
    assert tell(watching, do="spot", name="5")["status"] == "A2: MIN is to move."
    assert tell(watching, do="spot", name="x")["status"] == "A2: MIN is to move."


def test_students_are_asked_before_a_cut_off_alone(watching):
    tell(watching, do="press", name="ask")
    asked = []
    for _ in range(15):
        page = tell(watching, do="press", name="step")
        if page["status"] == QUESTION:
            asked.append(page["steps"]["at"])
            assert not page["steps"]["goes_on"] and "Show the answer" in enabled(page)
            page = tell(watching, do="press", name="step")
            assert "A22 and A23 are not looked at" in page["status"] and "Step" in enabled(page)
    assert asked == [7] and watching.at == 15
    for number in (3, 8, 7):
        assert tell(watching, do="step", number=number)["steps"]["at"] == number, "who leaps over it is not asked"
    assert tell(watching, do="step", number=8)["status"] == QUESTION
    assert tell(watching, do="press", name="back")["steps"]["at"] == 6, "nobody has to answer"


def test_the_widget_of_a_search():
    pytest.importorskip("anywidget")
    widget = watch(zermelo.load("tic_tac_toe"), depth=1)
    assert repr(widget) == "<Widget of 'Tic-tac-toe (size = 3): alpha-beta, 1 move ahead'>"
    assert widget.page["steps"]["last"] == 11 and widget.page["status"] == "The root: X is to move."
    widget.close()
    with pytest.raises(zermelo.ZermeloError) as raised:
        watch(zermelo.load("tic_tac_toe"))
    assert raised.value.code == "trace-too-large"


def test_a_search_is_played_and_scrubbed_in_a_browser(watching):
    with opened(watching, viewport={"width": 900, "height": 700}) as page:
        count, status = page.locator(".steps span"), page.locator(".status")
        page.clock.install(time=0)
        page.clock.pause_at(1_000)  # from now on only the test lets time go on
        page.get_by_role("button", name="Play").click()
        page.clock.run_for(1_500)
        page.get_by_text("step 2 of 16").wait_for()
        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(6_000)
        assert count.inner_text() == "step 2 of 16"
        page.get_by_role("button", name="Play").click()
        page.get_by_label("The step").press("ArrowRight")
        page.get_by_text("step 3 of 16").wait_for()
        page.get_by_role("button", name="Play").wait_for()
        page.clock.run_for(6_000)
        assert count.inner_text() == "step 3 of 16"
        assert status.inner_text() == "A11: the end: 3; beta at A1 is now 3."
        page.get_by_role("button", name="Ask what is cut next").click()
        page.get_by_role("button", name="Do not ask what is cut next").wait_for()
        page.get_by_label("The step").fill("7")
        page.get_by_text("step 8 of 16").wait_for()
        page.get_by_role("button", name="Step").press("Enter")
        answer = page.get_by_role("button", name="Show the answer")
        answer.wait_for()
        assert status.inner_text() == QUESTION and page.get_by_role("button", name="Play").is_disabled()
        assert answer.evaluate("each => each === document.activeElement")
        answer.press("Enter")
        page.get_by_text("step 9 of 16").wait_for()
        assert "A22 and A23 are not looked at" in status.inner_text()
        page.locator(".spot[title^='A1:']").click()
        page.get_by_text("step 2 of 16").wait_for()
