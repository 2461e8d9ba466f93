"""What a notebook shows of games, states, solutions, strategies and equilibria."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.drawing.game_trees import NODES
from zermelo.drawing.positions import draw_position
from zermelo.pictures.svg import svg

HTML = "text/html"
SVG = "image/svg+xml"
TEXT = "text/plain"


class Elements(HTMLParser):
    """The elements and the words of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.bold: list[str] = []
        self._is_bold = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self._is_bold = dict(attributes).get("font-weight") == "bold"
        assert not any(name.startswith("on") or name in ("href", "src") for name, _ in attributes)

    def handle_data(self, data):
        self.words.append(data)
        if self._is_bold:
            self.bold.append(data)


def shown(thing) -> Elements:
    return Elements(thing._repr_mimebundle_()[HTML])


def rows_of(text: str) -> list[list[str]]:
    """The cells of all tables in HTML, row by row."""
    parsed = ElementTree.fromstring(text)
    return [["".join(cell.itertext()) for cell in row] for row in parsed.iter("tr")]


def test_a_small_game_shows_its_tree():
    """The tree of Russell and Norvig: nine leaves."""
    words = shown(zermelo.load("two_ply_tree")).words
    assert "A two-ply tree" in words and "MAX, MIN" in words
    assert {f"A{i}{j}" for i in "123" for j in "123"} <= set(words)
    assert "Numbers: what MAX gets if everybody plays best. Bold: moves that are made then." not in words


def test_a_larger_game_shows_its_opening():
    game = zermelo.load("chess")
    assert svg(draw_position(game.initial, None)) in game._repr_mimebundle_()[HTML]


def test_a_state_shows_its_board():
    state = zermelo.load("tic_tac_toe").initial.after("mark(b2)")
    bundle = state._repr_mimebundle_()
    assert bundle == {TEXT: str(state), SVG: svg(draw_position(state, None))}


def test_a_solution_shows_value_note_and_the_tree_with_what_is_best():
    solution = zermelo.solve(zermelo.load("two_ply_tree"), solver="enhanced_alphabeta")
    bundle = solution._repr_mimebundle_()
    rows = rows_of(bundle[HTML])
    assert rows[:3] == [["player", "value"], ["MAX", "3"], ["MIN", "-3"]]
    assert ["best move", "A1"] in rows and any(row[0] == "note" for row in rows)
    assert [word for word in Elements(bundle[HTML]).bold if word.startswith("A")] == [
        "A two-ply tree", "A1", "A11", "A21", "A33",
    ]  # fmt: skip


@pytest.mark.parametrize("solver", ["enhanced_alphabeta", "positions"])
def test_a_solution_from_a_later_position_shows_the_tree_from_there(solver):
    """After A2 the leaves are 2, 4 and 6, and MIN goes to 2."""
    solution = zermelo.solve(zermelo.load("two_ply_tree").initial.after("A2"), solver=solver)
    parsed = shown(solution)
    assert {word for word in parsed.words if word[:1] == "A" and word[1:].isdigit()} == {"A21", "A22", "A23"}
    assert {"2", "4", "6"} <= set(parsed.words) and not {"3", "12", "14"} & set(parsed.words)
    assert [word for word in parsed.bold if word.startswith("A2")] == ["A21"]


def test_a_solution_of_hidden_information_shows_its_own_strategies_on_the_tree():
    """The equilibria of Kuhn poker have a parameter, how often Alice bets with a jack (Kuhn 1950): the tree shows that
    of the solution, whichever it is."""
    solution = zermelo.solve(zermelo.load("kuhn_poker"))
    bundle = solution._repr_mimebundle_()
    parsed = Elements(bundle[HTML])
    decision = next(each for each in solution.strategies[0].decisions if "J" in str(each.known[0]))
    assert {str(chance) for chance in decision.probabilities} <= set(parsed.words)
    assert "-1/18 ≈ -0.05556" in parsed.words and "-1/18" in parsed.words
    assert ["Alice sees", "after", "Alice does", "might as well"] in rows_of(bundle[HTML])


def test_what_is_not_exact_is_not_called_an_equilibrium():
    words = shown(zermelo.solve(zermelo.load("matching_pennies"), "cfr")).words
    assert not any("in equilibrium" in word for word in words)


def test_a_strategy_is_a_table():
    strategy = zermelo.solve(zermelo.load("kuhn_poker")).strategies[1]
    bundle = strategy._repr_mimebundle_()
    assert rows_of(bundle[HTML])[0] == ["Bob sees", "after", "Bob does", "might as well"]
    assert bundle[TEXT] == str(strategy) and "call" in str(strategy)
    assert repr(strategy).startswith("Strategy(player='Bob'")


def test_equilibria_are_a_table():
    """Chicken has two equilibria in pure strategies and one in mixed ones."""
    found = zermelo.equilibria(zermelo.load("chicken"))
    rows = rows_of(found._repr_mimebundle_()[HTML])
    assert ["swerve", "6, 6", "2, 7"] in rows
    assert sum(row[-1].startswith(("pure", "mixed")) for row in rows) == 3
    assert "pure" in str(found) and repr(found) == "<3 equilibria of 'Chicken'>"


def test_printed_games_and_solutions_are_readable():
    game = zermelo.load("tic_tac_toe")
    assert str(game).startswith("Tic-tac-toe (size = 3)\n\nplayers      X, O\n")
    assert repr(game) == "<Game 'Tic-tac-toe' (size = 3)>"
    solution = zermelo.solve(zermelo.load("two_ply_tree"))
    assert str(solution).startswith("player  value\nMAX     3\n")
    assert repr(solution) == "<solution of 'A two-ply tree' by enhanced_alphabeta: value 3, -3>"
    poker = zermelo.solve(zermelo.load("kuhn_poker"))
    assert repr(poker) == "<solution of 'Kuhn poker' by sequence_form: value ≈ -0.05556, ≈ 0.05556>"


HOSTILE = """
game "<script>alert(1)</script> &amp; <b>"
players A, B
claim zero_sum
type Card = low < high
type Cell = grid(2, 1)
var hand[Player]: Card private
var board[Cell]: Card? = none
start at deal
phase deal:
    chance:
        outcome deal(a in Card):
            hand[A] := a
            hand[B] := high
            board[a1] := a
            board[b1] := high
            go p
phase p:
    turn A:
        move stop: end payoff {A: 1, B: -1}
        move try:
            end win if hand[A] == high then A else B
"""


@pytest.fixture(scope="module")
def hostile():
    """A game whose title and signs would be markup, if they were not escaped."""
    return zermelo.loads(HOSTILE)


def test_words_of_a_game_are_no_markup(hostile):
    solution = zermelo.solve(hostile)
    for thing in (hostile, solution, *solution.strategies, zermelo.equilibria(hostile)):
        tags = set(shown(thing).tags)
        assert tags & {"script", "b", "i"} == set()
    assert all(hostile.title in shown(thing).words for thing in (hostile, solution, zermelo.equilibria(hostile)))
    picture = ElementTree.fromstring(hostile.initial.after("deal(low)")._repr_mimebundle_()[SVG])
    assert {each.tag.rpartition("}")[2] for each in picture.iter()} <= {"svg", "title", "desc", "style", "rect", "text"}


def test_an_error_of_the_rules_is_no_error_of_what_shows_them():
    game = zermelo.loads(
        'game "Bad"\nplayers A, B\nvar n: 0..9 = 0\nstart at p\nphase p:\n    turn A:\n        move m:\n'
        "            n := 1 / n\n            end win A\n"
    )
    assert game._repr_mimebundle_() is None
    assert repr(game) == "<Game 'Bad'>" and str(game).startswith("Bad\n")


@pytest.mark.parametrize("name", zermelo.games())
def test_every_bundled_game_and_its_opening_have_a_picture(name):
    game = zermelo.load(name)
    assert "<svg" in game._repr_mimebundle_()[HTML]
    assert SVG in game.initial._repr_mimebundle_()


def test_nothing_is_solved_unasked(monkeypatch):
    def refuse(*arguments, **named):
        raise AssertionError("a solver is asked")

    for name in (
        "zermelo.drawing.game_trees.solve",
        "zermelo.drawing.game_trees.solve_knowing",
        "zermelo.solving.search",
    ):
        monkeypatch.setattr(name, refuse)
    for name in ("two_ply_tree", "kuhn_poker", "chess", "goofspiel"):
        game = zermelo.load(name)
        assert HTML in game._repr_mimebundle_() and SVG in game.initial._repr_mimebundle_()


def test_the_tree_of_a_large_solution_is_not_built(monkeypatch):
    """Whatever the game, no more moves are made than a small tree has nodes."""
    solution = zermelo.solve(zermelo.load("tic_tac_toe"))
    made = []
    after = zermelo.State.after
    monkeypatch.setattr(zermelo.State, "after", lambda state, move: (made.append(move), after(state, move))[1])
    assert "<svg" not in solution._repr_mimebundle_()[HTML]
    assert 0 < len(made) < 100


def test_a_large_position_is_text():
    rules = "start at p\nphase p:\n    turn A:\n        move m: end\n"
    for board in ("grid(40, 40)", f"graph({' - '.join(f'n{k}' for k in range(150))})"):
        game = zermelo.loads(f'game "x"\nplayers A, B\ntype C = {board}\nvar on[C]: Player? = none\n{rules}')
        assert set(game.initial._repr_mimebundle_()) == {TEXT}
        assert HTML in game._repr_mimebundle_()


def test_a_wide_tree_is_bounded_before_it_is_built(monkeypatch):
    """A level that does not fit is counted, and its states are not made."""
    from zermelo.drawing.game_trees import grow

    made = []
    after = zermelo.State.after
    monkeypatch.setattr(zermelo.State, "after", lambda state, move: (made.append(move), after(state, move))[1])
    assert len(grow(zermelo.load("chess").initial, most=NODES)) == 21
    assert len(made) == 20


def test_ipython_shows_what_the_bundle_says():
    formatter = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    game = zermelo.load("two_ply_tree")
    data, _ = formatter.format(game)
    assert data == {**data, **game._repr_mimebundle_()}


def test_without_the_public_names_things_are_shown_by_their_repr():
    code = "from zermelo.loading import load; g = load('nim'); print(str(g) == repr(g), g._repr_mimebundle_())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "True None\n"
