from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from reaching import reached
from solving import solve

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END, Move
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.search.alphabeta import alphabeta, alphabeta_table, minimax

LAYERS = st.lists(
    st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=3), min_size=1, max_size=4), min_size=1, max_size=6
)
"""For each position of each layer, the positions of the next layer (cyclically) that its moves lead to."""

COINS = """
game "Coins"
players Ann, Bob
type Coin = 1..9
var left: set of Coin = {1, 2, 3, 4, 5}
start at take(Ann)
phase take(p: Player):
    if left == {}: end
    turn p:
        move take(c in left):
            left -= {c}
            earn p: if size(left) % 2 == 0 then c else 2 * c
            earn other p: -(if size(left) % 2 == 0 then c else 2 * c)
            go take(other p)
"""


@given(layers=LAYERS, leaves=st.lists(st.integers(-3, 3), min_size=4, max_size=4))
def test_the_table_changes_neither_value_nor_the_play_of_either_side(toy, answer, layers, leaves):
    """Positions that many plays reach: the table is used, and may never change the value."""

    def expand(position):
        depth, place = position
        if depth == len(layers):
            value = leaves[place % len(leaves)]
            return END, (value, -value)
        nodes = layers[depth]
        moves = nodes[place % len(nodes)]
        return depth % 2, {f"m{k}": (depth + 1, target) for k, target in enumerate(moves)}

    machine = toy((0, 0), expand)
    found, plain = answer(alphabeta_table, machine), answer(minimax, machine)
    assert found.value == plain.value
    assert found.best[0] in plain.best
    state = reached(machine, found.line)
    assert machine.actor(state) == END
    assert machine.payoff(state) == found.value


def test_a_position_that_comes_up_again_is_a_hit(toy, answer):
    diamond = {
        "top": (0, {"l": "left", "r": "right"}),
        "left": (1, {"m": "middle"}),
        "right": (1, {"m": "middle"}),
        "middle": (0, {"e": "end"}),
        "end": (END, (2, -2)),
    }
    found = answer(alphabeta_table, toy("top", diamond.__getitem__))
    assert (found.value, found.best) == ((2, -2), (Move("l"),))
    assert found.counts["hits"] == 1
    assert found.counts["nodes"] < answer(alphabeta, toy("top", diamond.__getitem__)).counts["nodes"]


def test_what_is_earned_on_the_way_belongs_to_the_play():
    model, _ = check(Source("coins.game", COINS))
    machine = ReferenceMachine(model)
    known = facts(model)
    by_table, by_minimax = solve(machine, known, "alphabeta_table"), solve(machine, known, "minimax")
    assert by_table.value == by_minimax.value
    assert by_table.counts["nodes"] < by_minimax.counts["nodes"]


def test_a_discounted_game_is_searched_without_the_table():
    model, _ = check(Source("coins.game", COINS + "discount 9/10\n"))
    machine = ReferenceMachine(model)
    found = solve(machine, facts(model), "alphabeta_table")
    assert found.counts["hits"] == 0
    assert found.value == solve(machine, facts(model), "minimax").value
