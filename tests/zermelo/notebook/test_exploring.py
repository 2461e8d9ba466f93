"""A tree to click through, by its messages, without a browser."""

from __future__ import annotations

import json

import pytest

import zermelo
from zermelo.drawing.game_trees import NODES, grow
from zermelo.notebook.exploring import explorer


def names(conversation) -> set[str]:
    """The nodes that are shown, by their numbers."""
    return {spot["name"] for spot in conversation.page()["tree"]["spots"]}


def tell(conversation, **message):
    """A message about the page that is shown; the page after it, which must be plain data."""
    conversation.obey({"turn": conversation.turn, **message})
    page = conversation.page()
    assert json.loads(json.dumps(page)) == page
    return page


def current(page) -> str:
    (name,) = [spot["name"] for spot in page["tree"]["spots"] if spot["is_current"]]
    return name


def test_a_small_tree_is_unfolded_and_a_large_one_by_a_level():
    assert len(names(explorer(zermelo.load("two_ply_tree")))) == 13
    assert len(names(explorer(zermelo.load("kuhn_poker")))) == 55
    assert len(names(explorer(zermelo.load("tic_tac_toe")))) == 10


def test_moves_and_pointing_lead_to_the_same_nodes():
    one, other = explorer(zermelo.load("tic_tac_toe")), explorer(zermelo.load("tic_tac_toe"))
    page = tell(one, do="move", number=4)
    assert page["log"] == ["mark(b2)"] and page["status"] == "O is to move"
    assert len(names(one)) == 10, "the node that is reached is not unfolded unasked"
    there = current(page)
    assert current(tell(other, do="spot", name=there)) == there
    assert len(names(other)) == 18
    page = tell(one, do="move", number=0)
    assert page["log"] == ["mark(b2)", "mark(a1)"] and len(names(one)) == 18
    assert [move["text"] for move in page["moves"]] == [
        str(move) for move in zermelo.load("tic_tac_toe").initial.after("mark(b2)").after("mark(a1)").moves
    ]


def test_folding_hides_what_is_below_and_unfolding_shows_it_again():
    it = explorer(zermelo.load("two_ply_tree"))
    all_nodes = names(it)
    first = current(tell(it, do="move", number=0))
    page = tell(it, do="spot", name=first)
    assert len(page["tree"]["spots"]) == 10 and current(page) == first
    assert "folded up" in next(spot["label"] for spot in page["tree"]["spots"] if spot["is_current"])
    tell(it, do="press", name="fold")
    assert names(it) == all_nodes


def test_back_leads_to_the_parent_and_no_farther():
    it = explorer(zermelo.load("two_ply_tree"))
    tell(it, do="move", number=1)
    assert tell(it, do="press", name="back")["log"] == []
    page = tell(it, do="press", name="back")
    assert page["log"] == [] and current(page) == "0"
    assert {button["name"]: button["is_enabled"] for button in page["buttons"]} == {"back": False, "fold": True}


def test_whatever_is_above_is_folded_up_the_current_node_is_shown():
    it = explorer(zermelo.load("kuhn_poker"))
    for _ in range(3):
        tell(it, do="move", number=0)
    assert current(tell(it, do="spot", name="0")) == "0", "pointing at it goes there"
    page = tell(it, do="spot", name="0")
    assert [spot["name"] for spot in page["tree"]["spots"]] == ["0"] and current(page) == "0"


def test_values_and_best_moves_are_those_of_the_solution():
    """In tic-tac-toe the middle and a corner answer each other; after b1 every answer but five gives the win away or
    not (all by backward induction over the rules)."""
    game = zermelo.load("tic_tac_toe")
    it = explorer(zermelo.solve(game))
    page = tell(it, do="move", number=1)
    best = {move["text"] for move in page["moves"] if move["is_best"]}
    assert best == {str(move) for move in zermelo.solve(game.initial.after("mark(b1)"), "minimax").best}
    assert 0 < len(best) < 8


def test_probabilities_are_those_of_the_strategies():
    it = explorer(zermelo.solve(zermelo.load("matching_pennies"), "cfr_plus"))
    assert [move["detail"] for move in it.page()["moves"]] == ["1/2", "1/2"]
    deals = explorer(zermelo.solve(zermelo.load("kuhn_poker"))).page()["moves"]
    assert [move["detail"] for move in deals] == ["1/6"] * 6


def test_the_tree_from_a_position_on():
    state = zermelo.load("two_ply_tree").initial.after("A2")
    it = explorer(state)
    assert len(names(it)) == 4 and it.page()["log"] == ["A2"]
    assert len(names(explorer(zermelo.solve(state)))) == 4


def test_there_is_room_for_so_many_nodes():
    it = explorer(zermelo.load("go"))
    for _ in range(5):
        page = tell(it, do="move", number=0)
    assert len(names(it)) <= NODES and "Fold up another branch" in page["remark"]
    tell(it, do="spot", name="0")
    page = tell(it, do="spot", name="0")
    assert page["remark"] == "" and len(names(it)) == 1, "now there is room again"


def test_what_is_too_much_is_said():
    it = explorer(zermelo.load("four_card_whist"))
    assert names(it) == {"0"}
    page = tell(it, do="press", name="fold")
    assert page["remark"] == "What follows here is too much for a picture." and page["moves"] == []


@pytest.mark.parametrize(
    "message",
    [
        None, [], "move", {}, {"do": "move"}, {"do": "move", "number": "0"}, {"do": "move", "number": 9},
        {"do": "move", "number": -1}, {"do": "spot", "name": "999"}, {"do": "spot", "name": "-1"},
        {"do": "spot", "name": 3}, {"do": "spot", "name": "²"}, {"do": "press", "name": "quit"}, {"do": ["move"]},
    ],
)  # fmt: skip
def test_a_message_without_sense_changes_nothing(message):
    it = explorer(zermelo.load("two_ply_tree"))
    before = it.page()
    it.obey({"turn": 0, **message} if isinstance(message, dict) else message)
    assert {**it.page(), "turn": 0} == before


def test_a_message_about_an_older_page_changes_nothing():
    """A second click that comes before the answer to the first is about a page that is shown no more."""
    it = explorer(zermelo.load("two_ply_tree"))
    click = {"turn": 0, "do": "move", "number": 0}
    it.obey(click)
    once = it.page()
    it.obey(click)
    assert it.page() == once and once["log"] == ["A1"]


def test_an_error_of_the_rules_is_a_remark():
    it = explorer(
        zermelo.loads(
            'game "Bad"\nplayers A, B\nvar n: 0..9 = 0\nstart at p\n'
            "phase p:\n    turn A:\n        move fine(k in 1..70): go q\n"
            "phase q:\n    turn B:\n        move m:\n            n := 1 / n\n            end win A\n"
        )
    )
    tell(it, do="move", number=0)
    page = tell(it, do="press", name="fold")
    assert "0" in page["remark"] and page["log"] == ["fine(1)"]
    assert tell(it, do="press", name="back")["log"] == []


def test_a_whole_tree_has_the_nodes_that_are_drawn():
    for name in ("coin_flip_tree", "three_player_tree", "kuhn_poker"):
        assert len(names(explorer(zermelo.load(name)))) == len(grow(zermelo.load(name).initial))


def test_a_node_that_cannot_be_shown_is_not_gone_to(monkeypatch):
    from zermelo.notebook import exploring

    def fails(state, *others, **named):
        if str(state.play[-1:]) != "()":
            raise zermelo.ZermeloError("bad-usage", "it cannot be drawn", "leave it")
        return drawn(state, *others, **named)

    it = explorer(zermelo.load("two_ply_tree"))
    before, drawn = it.page(), exploring.bounded_position
    monkeypatch.setattr(exploring, "bounded_position", fails)
    page = tell(it, do="spot", name="2")
    assert page["remark"] == "it cannot be drawn (leave it)"
    assert {**page, "turn": 0, "remark": ""} == before
    page = tell(it, do="press", name="fold")
    assert page["remark"] == "" and len(page["tree"]["spots"]) == 1, "it goes on where it was"
