"""The widget itself: what it tells the browser, and what is said where its library is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from random import Random

import pytest

import zermelo
from zermelo.drawing.game_trees import NODES, grow
from zermelo.game import CHANCE
from zermelo.notebook import explore, play
from zermelo.notebook.exploring import explorer
from zermelo.notebook.playing import table


def test_a_message_of_the_browser_changes_the_page():
    pytest.importorskip("anywidget")
    widget = play(zermelo.load("tic_tac_toe"), {"O": "random"}, seed=1)
    assert widget.page["status"] == "X is to move"
    widget._handle_custom_msg({"turn": 0, "do": "move", "number": 4}, [])
    assert widget.page["turn"] == 1 and widget.page["log"][0] == "X: mark(b2)"
    assert "page" in widget.keys, "it is known to the browser"
    assert "export default" in widget._esm and ".zermelo" in widget._css
    widget.close()


def test_a_tree_is_explored_by_messages():
    pytest.importorskip("anywidget")
    widget = explore(zermelo.solve(zermelo.load("two_ply_tree")))
    assert [move["text"] for move in widget.page["moves"] if move["is_best"]] == ["A1"]
    widget._handle_custom_msg({"turn": 0, "do": "move", "number": 0}, [])
    assert widget.page["log"] == ["A1"]
    widget.close()


@pytest.mark.parametrize("make", [explore, play])
def test_the_extra_is_named_where_the_library_is_missing(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(zermelo.ZermeloError, match="anywidget is needed for widgets in notebooks") as raised:
        make(zermelo.load("tic_tac_toe"))
    assert raised.value.code == "library-missing" and "zermelo[notebook]" in raised.value.help


def test_pictures_need_no_library():
    code = (
        "import sys; sys.modules['anywidget'] = None\nimport zermelo\n"
        "assert zermelo.load('nim')._repr_mimebundle_()['text/html']\n"
        "assert not {'IPython', 'ipywidgets', 'traitlets'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


# A tree to click through, by its messages, without a browser.


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


# Playing by pages and messages, without a browser: what a person may do, and what they may know.


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
    files, ranks = "abcdefgh", "87654321"
    for spot in page["board"]["spots"]:  # cells of one size, a margin around them
        file, rank = files.index(spot["name"][0]), ranks.index(spot["name"][1])
        assert spot["left"] - box["left"] == pytest.approx(file * box["width"])
        assert spot["top"] - box["top"] == pytest.approx((rank - 5) * box["height"])
    board = page["board"]
    x, y, width, height = map(float, re.search(r'viewBox="([^"]+)"', board["svg"])[1].split())
    assert (width, height) == pytest.approx((board["width"], board["height"]))
    drawn = {(float(x), float(y)) for x, y in re.findall(r'<rect x="([^"]+)" y="([^"]+)"', board["svg"])}
    corner = (box["left"] * width + x, box["top"] * height + y)
    assert min(abs(corner[0] - a) + abs(corner[1] - b) for a, b in drawn) < 1e-6


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


def test_a_board_is_flipped_by_a_button():
    it = table(zermelo.load("tic_tac_toe"), {"O": "random"}, 3)

    def height(page, name):
        return next(spot["top"] for spot in page["board"]["spots"] if spot["name"] == name)

    first = it.page()
    flipped = tell(it, do="press", name="flip")
    assert height(flipped, "a1") == height(first, "a3") != height(first, "a1")
    assert tell(it, do="press", name="flip")["board"] == first["board"]
    cards = table(zermelo.load("kuhn_poker"), {"Bob": "random"}, 3).page()
    assert "flip" not in [each["name"] for each in cards["buttons"]], "nothing lies on a board"


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
def test_a_message_without_sense_changes_nothing_in_playing(message):
    it = table(zermelo.load("tic_tac_toe"), {"O": "random"}, 1)
    before = it.page()
    it.obey({"turn": 0, **message} if isinstance(message, dict) else message)
    assert {**it.page(), "turn": 0} == before
