"""Boards and other variables as text."""

from __future__ import annotations

from textwrap import dedent

import pytest

import zermelo
from zermelo.boards import draw_variables
from zermelo.drawing.game_trees import draw_game_tree, grow, worths_by, worths_of
from zermelo.positions import outcomes_in_words, view_text
from zermelo.solvers.common.limits import Limits


def drawn(declarations: str, **parameters: int) -> str:
    """The first position of a game with these declarations and trivial rules."""
    rules = "start at p\nphase p:\n    turn A:\n        move m: end\n"
    text = f'game "x"\nplayers A, B\n{dedent(declarations)}\n{rules}'
    game = zermelo.loads(text, **parameters)
    return draw_variables(game.model, game.machine.entries(game.initial.machine_state))


def rows(text: str) -> list[str]:
    return text.splitlines()


def test_without_a_legend_players_are_initials():
    text = drawn(
        """
        type Cell = grid(3, 2)
        var board[Cell]: Player? = none
        setup: board[b1] := B
        """
    )
    assert rows(text) == ["2 . . .", "1 . B .", "  a b c"]


def test_numbers_widen_the_columns():
    text = drawn(
        """
        type Cell = grid(2, 10)
        var height[Cell]: 0..99 = 7
        setup: height[b10] := 42
        """
    )
    assert rows(text)[:2] == ["10  7 42", " 9  7  7"]
    assert rows(text)[-1] == "    a  b"


def test_truth_values_are_marked():
    assert rows(drawn("type C = grid(2, 1)\nvar on[C]: Bool = false\nsetup: on[b1] := true")) == ["1 . #", "  a b"]


def test_names_with_the_same_initial_are_written_out():
    text = drawn("type Kind = rock | rook\ntype C = grid(2, 1)\nvar on[C]: Kind? = none\nsetup: on[a1] := rook")
    assert rows(text) == ["1 rook    .", "     a    b"]


def test_a_hexagonal_board_is_slanted():
    text = drawn("type C = hex(3, 3)\nvar on[C]: Player? = none\nsetup: on[a3] := A")
    assert rows(text) == ["3   A . .", "2  . . .", "1 . . .", "  a b c"]


def test_a_ring_is_a_row():
    text = drawn("type C = ring(4)\nvar on[C]: Player? = none\nsetup: on[2] := A")
    assert rows(text) == [" . . A .", " 0 1 2 3"]


def test_a_long_row_is_broken():
    text = drawn("type C = ring(60)\nvar on[C]: Player? = none")
    assert len(rows(text)) == 6 and max(map(len, rows(text))) <= 78
    assert rows(text)[-1].endswith(" 59")


def test_a_graph_with_coordinates_is_drawn_as_it_lies():
    text = drawn("type C = graph(a3 - c3, a3 - a1 - b1)\nvar on[C]: Player? = none\nsetup: on[b1] := B")
    assert rows(text) == ["3 .   .", "1 . B", "  a b c"]


def test_a_graph_without_coordinates_is_a_row():
    text = drawn("type C = graph(home - bridge - wood)\nvar on[C]: Player? = none\nsetup: on[bridge] := B")
    assert rows(text) == ["    .      B    .", " home bridge wood"]


def test_a_board_for_each_player_and_lists_after_it():
    text = drawn("type C = grid(2, 1)\nvar on[Player, C]: Bool = false\nvar score[Player]: 0..9 = 3\nvar x: 0..1 = 0")
    assert rows(text) == [
        "on[A]",
        "1 . .",
        "  a b",
        "",
        "on[B]",
        "1 . .",
        "  a b",
        "",
        "score[A] = 3   score[B] = 3",
        "x = 0",
    ]


def test_a_table_with_a_legend():
    text = drawn('var on[Player, 0..10]: 0..2 = 0\nlegend on:\n    "." = 0, "x" = 1, "X" = 2\nsetup: on[B, 10] := 2')
    assert rows(text) == [
        "  0 1 2 3 4 5 6 7 8 9 10",
        "A . . . . . . . . . .  .",
        "B . . . . . . . . . .  X",
    ]


def test_parts_of_a_board_leave_the_rest_blank():
    state = zermelo.load("checkers").initial
    assert rows(view_text(state, "Black"))[:2] == ["8   w   w   w   w", "7 w   w   w   w"]


def test_what_is_not_seen_is_a_question_mark():
    game = zermelo.loads(
        """
game "x"
players A, B
type C = grid(3, 1)
var on[c: C]: Bool = true seen by if c == b1 then Player else {B}
start at p
phase p:
    turn A:
        move m: end
"""
    )
    assert rows(view_text(game.initial, "A")) == ["1 ? # ?", "  a b c"]
    assert rows(view_text(game.initial, "B")) == ["1 # # #", "  a b c"]


def test_outcomes_in_words():
    deals = zermelo.load("kuhn_poker").initial.outcomes[:2]
    assert outcomes_in_words(deals) == "each with probability 1/6: deal(J, Q), deal(J, K)"
    state = zermelo.loads(
        """
game "x"
players A
start at p
phase p:
    chance:
        outcome rain prob 1/3: end
        outcome sunshine prob 2/3: end
"""
    ).initial
    assert outcomes_in_words(state.outcomes) == "rain      1/3\nsunshine  2/3"


# The tree of a single player who does not see everything has the worths of their plan at its nodes.


@pytest.mark.parametrize("name", ["wildcatter", "pit_cave", "vacuum"])
def test_the_root_is_worth_what_the_plan_brings(name):
    root = zermelo.load(name).initial
    nodes = grow(root, 3, 2_000)
    solution = zermelo.solve(root.game)
    assert solution.plan is not None
    for worths in (worths_of(nodes, None, Limits(), lambda _: None), worths_by(solution, root, True)(nodes)):
        assert worths.nodes[0].payoff == solution.value


def test_bold_is_what_the_plan_does():
    """Drill after the survey if it says wet, else leave: 5 and -1, each with probability 1/2."""
    tree = draw_game_tree(zermelo.load("wildcatter").initial)
    best = [(node.label, node.value) for node in tree.nodes if node.is_best]
    assert best == [(("survey",), "5"), (("survey",), "-1"), (("drill",), "5"), (("leave",), "-1")]
    assert tree.nodes[0].value == "2" and tree.remarks[0].startswith("Numbers: what Wildcatter gets by the plan.")


def test_where_the_plan_never_leads_nothing_is_said():
    nodes = grow(zermelo.load("wildcatter").initial, 5, 100)
    worths = worths_of(nodes, None, Limits(), lambda _: None)
    reached = {0}
    for number, node in enumerate(nodes):
        if number in reached:
            best = worths.nodes[number].best
            chosen = node.children if not best else [node.children[k] for k in best]
            reached |= set(chosen)
    for number, (node, worth) in enumerate(zip(nodes, worths.nodes, strict=True)):
        assert (worth.payoff is not None) or number not in reached
        assert node.state.is_over or number in reached or not worth.best


def test_a_tree_has_whole_levels_as_far_as_there_is_room():
    """Of tic-tac-toe: 1, 9 and 72 nodes."""
    root = zermelo.load("tic_tac_toe").initial
    assert [len(grow(root, 2, most)) for most in (9, 10, 81, 82)] == [1, 10, 10, 82]
    assert len(grow(root, 1, 10_000)) == 10 and len(grow(root, 0, 10_000)) == 1


def test_a_node_alone_is_no_information_set():
    tree = draw_game_tree(zermelo.load("kuhn_poker").initial, 1)
    assert [nodes for _, nodes in tree.information_sets] == [(1, 2), (3, 4), (5, 6)]
    assert draw_game_tree(zermelo.load("two_ply_tree").initial).information_sets == ()
