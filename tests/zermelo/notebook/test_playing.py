"""Playing by pages and messages, without a browser: what a person may do, and what they may know."""

from __future__ import annotations

import json
from random import Random

import pytest

import zermelo
from zermelo.game import CHANCE
from zermelo.notebook.playing import table


def tell(conversation, **message):
    """A message about the page that is shown; the page after it, which must be plain data."""
    conversation.obey({"turn": conversation.turn, **message})
    page = conversation.page()
    assert json.loads(json.dumps(page)) == page
    return page


def numbered(page, text: str) -> int:
    return [move["text"] for move in page["moves"]].index(text)


def test_a_seat_answers_at_once():
    it = table(zermelo.load("tic_tac_toe"), {"O": "best"}, 1)
    page = tell(it, do="move", number=numbered(it.page(), "mark(b2)"))
    assert page["log"][0] == "X: mark(b2)" and len(page["log"]) == 2 and page["status"] == "X is to move"
    assert len(page["moves"]) == 7


def test_the_best_seat_does_not_lose():
    for seed in range(5):
        it, random = table(zermelo.load("tic_tac_toe"), {"X": "best"}, seed), Random(seed)
        page = it.page()
        assert len(page["log"]) == 1, "it begins"
        while page["moves"]:
            page = tell(it, do="move", number=random.randrange(len(page["moves"])))
        assert it.state.is_over and it.state.payoff[0] >= 0


def test_cells_of_moves_are_spots_of_the_board():
    page = table(zermelo.load("chess"), {"Black": "random"}, 1).page()
    assert {spot["name"] for spot in page["board"]["spots"]} == {
        cell for move in page["moves"] for cell in move["cells"]
    }
    assert page["moves"][numbered(page, "go_to(e2, e4)")]["cells"] == ["e2", "e4"]
    box = next(spot for spot in page["board"]["spots"] if spot["name"] == "a3")
    other = next(spot for spot in page["board"]["spots"] if spot["name"] == "h4")
    assert 0 < box["left"] < other["left"] < 1 and 0 < other["top"] < box["top"] < 1
    assert box["width"] * page["board"]["width"] == pytest.approx(40)


def test_a_move_without_cells_is_about_the_one_that_it_changes():
    page = table(zermelo.load("connect_four"), {"Yellow": "random"}, 1).page()
    assert [move["cells"] for move in page["moves"]] == [[f"{file}1"] for file in "abcdefg"]
    assert {spot["name"] for spot in page["board"]["spots"]} == {f"{file}1" for file in "abcdefg"}


def test_moves_are_taken_back_and_a_play_begins_again():
    it = table(zermelo.load("tic_tac_toe"), {"O": "random"}, 3)
    first = it.page()
    second = tell(it, do="move", number=0)
    tell(it, do="move", number=0)
    assert tell(it, do="press", name="undo")["log"] == second["log"]
    assert tell(it, do="press", name="undo")["log"] == first["log"] == []
    assert tell(it, do="press", name="undo")["log"] == [], "there is nothing left to take back"
    tell(it, do="move", number=0)
    page = tell(it, do="press", name="again")
    assert page["log"] == [] and not page["buttons"][0]["is_enabled"]


def test_a_seed_makes_chance_the_same():
    def played(seed: int) -> list[str]:
        it = table(zermelo.load("pig"), {"Bob": "random"}, seed)
        for _ in range(30):
            if it.page()["moves"]:
                tell(it, do="move", number=0)
        return it.page()["log"]

    assert played(1) == played(1) != played(2)


def test_several_people_play_where_nothing_is_hidden():
    it = table(zermelo.load("tic_tac_toe"), {}, None)
    assert tell(it, do="move", number=0)["status"] == "O is to move"


def states(state):
    """All states of a small game from one on."""
    yield state
    moves = [outcome for outcome, _ in state.outcomes] if state.actor == CHANCE else state.moves
    for move in moves:
        yield from states(state.after(move))


@pytest.mark.parametrize(
    ("name", "parameters"), [("kuhn_poker", {}), ("dark_hex", {"size": 2}), ("goofspiel", {"cards": 3})]
)
def test_a_page_holds_what_the_person_may_know(name, parameters):
    """States that the person cannot tell apart have the same page: so nothing hidden is in it, in whatever part."""
    game = zermelo.load(name, **parameters)
    for player in game.players:
        others = {other: "random" for other in game.players if other != player}
        it = table(game, others, 1)
        pages: dict[object, str] = {}
        different = 0
        for state in states(game.initial):
            if state.actor == player:
                it.state = state
                known = tuple(state.information_state(player))
                different += known in pages
                page = json.dumps(it.content())
                assert pages.setdefault(known, page) == page
        assert different > 0, "some states look alike"


def test_at_the_end_everything_is_shown():
    it = table(zermelo.load("kuhn_poker"), {"Bob": "random"}, 1)
    assert "hand[Bob]" not in it.page()["text"]
    while it.page()["moves"]:
        tell(it, do="move", number=0)
    page = it.page()
    assert "hand[Bob]" in page["text"] and "the play has ended" in page["status"]
    assert not page["buttons"][0]["is_enabled"], "nobody may play on with what they have seen now"
    assert tell(it, do="press", name="undo")["log"] == page["log"]


@pytest.mark.parametrize(
    ("name", "seats", "code", "said"),
    [
        ("kuhn_poker", {}, "bad-usage", "the same screen"),
        ("tic_tac_toe", {"O": "best", "X": "best"}, "bad-usage", "nobody is left to play"),
        ("tic_tac_toe", {"O": "bset"}, "bad-usage", "'bset'"),
        ("tic_tac_toe", {"Y": "best"}, "unknown-player", "'Y'"),
    ],
)
def test_tables_that_are_refused(name, seats, code, said):
    with pytest.raises(zermelo.ZermeloError, match=said) as raised:
        table(zermelo.load(name), seats, None)
    assert raised.value.code == code


def test_an_interrupt_takes_the_move_back(monkeypatch):
    it = table(zermelo.load("tic_tac_toe"), {"O": "random"}, 1)

    def interrupted(state):
        raise KeyboardInterrupt

    before = it.page()
    monkeypatch.setattr(type(it.seats["O"]), "choose", lambda seat, state: interrupted(state))
    page = tell(it, do="move", number=0)
    assert page["remark"] == "This has been interrupted."
    assert {**page, "turn": 0, "remark": ""} == before
    monkeypatch.undo()
    assert len(tell(it, do="move", number=0)["log"]) == 2


def test_others_who_go_on_for_ever_are_stopped():
    waiting = "phase p:\n    turn B:\n        move wait: go p\n        move done: go q\n"
    game = zermelo.loads(f'game "x"\nplayers A, B\nstart at p\n{waiting}phase q:\n    turn A:\n        move m: end\n')
    it = table(game, {"B": "random"}, 1)
    while not it.page()["moves"]:
        assert it.page()["buttons"][-1]["name"] == "on"
        tell(it, do="press", name="on")
    assert it.page()["status"] == "A is to move"


@pytest.mark.parametrize(
    "message", [None, {"do": "move", "number": 99}, {"do": "move", "number": None}, {"do": "press"}]
)
def test_a_message_without_sense_changes_nothing(message):
    it = table(zermelo.load("tic_tac_toe"), {"O": "random"}, 1)
    before = it.page()
    it.obey({"turn": 0, **message} if isinstance(message, dict) else message)
    assert {**it.page(), "turn": 0} == before
