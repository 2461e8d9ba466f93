"""Moves that are alike are drawn once: against brute force, and only where it is proved."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from zermelo.drawing.alike import AlikeMoves
from zermelo.drawing.game_trees import draw_game_tree, grow
from zermelo.grammar.diagnostics import ZermeloError

# Tic-tac-toe, by an independent computation: boards as nine characters, and the eight ways to turn and mirror them.

_TURNED = [6, 3, 0, 7, 4, 1, 8, 5, 2]
_MIRRORED = [2, 1, 0, 5, 4, 3, 8, 7, 6]


def images() -> list[list[int]]:
    found = [list(range(9))]
    for _ in range(3):
        found.append([found[-1][k] for k in _TURNED])
    return found + [[each[k] for k in _MIRRORED] for each in found]


def board(state) -> str:
    values = {str(seen.indices[0]): str(seen.value) for seen in state.view("X")}
    return "".join(values[f"{file}{rank}"][0] for rank in "321" for file in "abc")


def least(cells: str) -> str:
    return min("".join(cells[k] for k in image) for image in images())


def brute_classes(cells: str, squares: list[int]) -> set[frozenset[int]]:
    """The orbits of the free squares under those symmetries that leave the board as it is."""
    kept = [image for image in images() if "".join(cells[k] for k in image) == cells]
    return {frozenset(image.index(square) for image in kept) for square in squares}


def square(move) -> int:
    name = str(move.arguments[0])
    return "321".index(name[1]) * 3 + "abc".index(name[0])


def test_the_positions_of_tic_tac_toe_up_to_symmetry():
    """There are 765 essentially different positions, of which 1, 3, 12, 38, 108, 174 have so many marks, in all of
    which nobody can have won before (all boards with so many marks: OEIS A008907); and the children of each are those
    of brute force."""
    game = zermelo.load("tic_tac_toe")
    alike, level, counts = AlikeMoves.of(game), [game.initial], []
    while level:
        counts.append(len(level))
        below = {}
        for state in level:
            classes = [frozenset(square(state.moves[k]) for k in each) for each in alike.classes(state, state.moves)]
            free = [square(move) for move in state.moves]
            assert len(classes) == len(set(classes)) and set(classes) == brute_classes(board(state), free)
            for each in alike.classes(state, state.moves):
                after = state.after(state.moves[each[0]])
                below[least(board(after))] = after
        level = list(below.values())
    assert counts[:6] == [1, 3, 12, 38, 108, 174] and sum(counts) == 765


def test_the_figure_of_the_textbook():
    """Nilsson's tree: three first moves, with five, five and two replies; open lines of X less those of O are 1, 0, -1,
    1, 0 below the corner, -1, 0, -2, -1, 0 below the edge, 1 and 2 below the centre, which is best and brings 1."""
    game = zermelo.load("tic_tac_toe").reweighed(open_lines=1)
    tree = draw_game_tree(game.initial, 2, has_boards=True, merges=True)
    by_parent = [[node for node in tree.nodes if node.parent == number] for number in range(4)]
    assert [node.label for node in by_parent[0]] == [
        ("mark(a1) \N{MULTIPLICATION SIGN}4",),
        ("mark(b1) \N{MULTIPLICATION SIGN}4",),
        ("mark(b2)",),
    ]
    leaves = [sorted(int(node.value) for node in below) for below in by_parent[1:]]
    assert leaves == [[-1, 0, 0, 1, 1], [-2, -1, -1, 0, 0], [1, 2]]
    assert [node.value for node in tree.nodes[:4]] == ["1", "-1", "-2", "1"]
    assert [node.is_best for node in by_parent[0]] == [False, False, True]
    assert all(node.board for node in tree.nodes) and all(node.folded is None for node in tree.nodes)


@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 3), ("nim", 2), ("hex", 2), ("connect_four", 2)])
def test_what_is_left_out_has_the_values_of_what_is_drawn(name, depth):
    given = {"nim": {"heaps": 2}, "hex": {"size": 3}, "connect_four": {"rows": 4, "columns": 4}}.get(name, {})
    root = zermelo.load(name, **given).initial
    whole, merged = draw_game_tree(root, depth, 10_000), draw_game_tree(root, depth, 10_000, merges=True)
    grown, kept = grow(root, depth, 10_000), grow(root, depth, 10_000, alike_moves=AlikeMoves.of(root.game))
    assert len(kept) < len(grown)
    every = {node.state.play: drawn for node, drawn in zip(grown, whole.nodes, strict=True)}
    for node, drawn in zip(kept, merged.nodes, strict=True):
        alike = every[node.state.play]
        assert (drawn.value, drawn.is_best, drawn.folded) == (alike.value, alike.is_best, alike.folded)
        above = every[node.state.play[:-1]]
        siblings = [k for k, each in enumerate(whole.nodes) if each.parent == whole.nodes.index(above)]
        for place in node.stands_for:
            left_out = whole.nodes[siblings[place]]
            assert (left_out.value, left_out.is_best, left_out.folded) == (drawn.value, drawn.is_best, drawn.folded)


RAIN = """
game "Rain"
players A
type Cell = grid(2, 2)
var wet[Cell]: Bool = false
start at sky
phase sky:
    chance:
        outcome rain(c in Cell):
            wet[c] := true
            go guess
phase guess:
    {who}:
        {choice} point(c in Cell): end payoff A: if wet[c] then 1 else 0
"""


def test_a_player_sees_what_is_alike():
    tree = draw_game_tree(zermelo.loads(RAIN.format(who="turn A", choice="move")).initial, merges=True)
    labels = [
        (),
        ("rain(a1) \N{MULTIPLICATION SIGN}4",),
        ("point(a1)",),
        ("point(b1) \N{MULTIPLICATION SIGN}2",),
        ("point(b2)",),
    ]
    assert [node.label for node in tree.nodes] == labels
    assert [node.value for node in tree.nodes] == ["1", "1", "1", "0", "0"]


def test_outcomes_that_are_alike_are_one_with_their_probability():
    game = zermelo.loads(RAIN.format(who="chance", choice="outcome"))
    nodes = grow(game.initial, alike_moves=AlikeMoves.of(game))
    assert [node.probability for node in nodes] == [None, 1, Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    assert draw_game_tree(game.initial, merges=True).nodes[0].value == "1/4"


def test_equal_payoffs_make_no_moves_alike():
    """Nothing takes one branch of this tree to another, whatever they pay."""
    assert len(draw_game_tree(zermelo.load("two_ply_tree").initial, merges=True).nodes) == 13


def test_an_estimate_that_favours_a_side_makes_moves_different():
    """The rules do not notice that a board is turned, but the estimate does."""
    text = (zermelo.load("tic_tac_toe").model.source.text).split("estimate for p")[0]
    kept = [line for line in text.splitlines() if not line.startswith(("feature", "weight", "define open_to"))]
    rest = zermelo.load("tic_tac_toe").model.source.text.split("weighted sum")[1]
    plain = "\n".join(kept) + "\nestimate for p: {}" + rest
    one_sided = zermelo.loads(plain.format("if board[a1] == p then 1/2 else 0"))
    even = zermelo.loads(plain.format("if (some c in Cell: c == b2 and board[c] == p) then 1/2 else 0"))
    assert len(draw_game_tree(one_sided.initial, 1, merges=True).nodes) == 4
    leaves = draw_game_tree(one_sided.initial, 1, merges=True, has_boards=True).nodes[1:]
    assert [leaf.value for leaf in leaves].count("1/2") == 1 and leaves[0].label == ("mark(a1)",)
    assert len(draw_game_tree(even.initial, 1, merges=True, has_boards=True).nodes) == 4


@pytest.mark.parametrize("name", ["kuhn_poker", "matching_pennies", "leduc_poker"])
def test_where_something_is_hidden_nothing_is_merged(name):
    with pytest.raises(ZermeloError, match="only where nothing is hidden") as raised:
        draw_game_tree(zermelo.load(name).initial, merges=True)
    assert raised.value.code == "needs-perfect-information"


@pytest.mark.parametrize("name", ["chess", "go"])
def test_where_earlier_positions_count_nothing_is_alike(name):
    """A position that comes again is forbidden, or a draw: no symmetry of such rules is proved."""
    game = zermelo.load(name)
    offered = game.initial.moves
    assert AlikeMoves.of(game).classes(game.initial, offered) == [[number] for number in range(len(offered))]
