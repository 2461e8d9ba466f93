from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_trees import trees
from solving import solve

import zermelo
from zermelo.cli import main
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solvers.common.trace import MOST, Trace

TWO_PLY = [0, [1, 3, 12, 8], [1, 2, 4, 6], [1, 14, 5, 2]]


def recorded(machine, facts, name, most=MOST):
    trace = Trace(machine, most)
    solution = solve(machine, facts, name, trace=trace)
    return solution, trace.record()["nodes"]


def test_the_textbook_tree(tree, known):
    _, nodes = recorded(tree(TWO_PLY), known(), "alphabeta")
    assert len(nodes) == 11
    second = nodes[5]
    assert (second["parent"], second["move"], second["actor"]) == (0, "b", "B")
    assert second["entry"] == {"alpha": "3", "beta": None}
    assert second["exit"] == {"alpha": "3", "beta": "2"}
    assert second["value"] == "2"
    assert second["pruned"] == ["b", "c"]
    assert second["why"] == "alpha 3 >= beta 2"
    assert nodes[0]["value"] == "3"
    assert nodes[0]["exit"] == {"alpha": "3", "beta": None}


@given(written=trees(), name=st.sampled_from([solver.name for solver in SOLVERS.values() if solver.traces]))
def test_a_trace_is_the_search(tree, known, written, name):
    bounded = known(bounds=((-3, 3), (-3, 3)))
    solution, nodes = recorded(tree(written), bounded, name)
    assert len(nodes) == solution.counts["nodes"]
    assert [node["node"] for node in nodes] == list(range(len(nodes)))
    assert sum(node["actor"] == "end" for node in nodes) == solution.counts["terminals"]
    value = nodes[0]["value"]
    assert (value[0] if isinstance(value, list) else value) == str(solution.value[0])
    for node in nodes[1:]:
        assert node["parent"] < node["node"]
        assert node["move"] not in nodes[node["parent"]]["pruned"]
    assert all(node["why"] for node in nodes if node["pruned"])
    if name in ("minimax", "maxn", "expectiminimax"):
        assert not any(node["pruned"] for node in nodes)


def test_a_table_prunes_what_it_knows():
    game = zermelo.load("nim", heaps=2)
    solution, nodes = recorded(game.reference, game.facts, "alphabeta_table")
    assert sum(node["why"] == "the table knows the position" for node in nodes) == solution.counts["hits"]


def test_large_trees_and_other_solvers_are_refused(tree, known):
    with pytest.raises(ZermeloError) as raised:
        recorded(tree(TWO_PLY), known(), "minimax", most=5)
    assert raised.value.code == "trace-too-large"
    with pytest.raises(ZermeloError) as raised:
        recorded(tree(TWO_PLY), known(), "mtdf")
    assert raised.value.code == "cannot-be-traced"


def test_the_command_writes_it(tmp_path, capsys):
    file = tmp_path / "search.json"
    assert main(["solve", "two_ply_tree", "--solver", "alphabeta", "--trace", str(file)]) == 0
    capsys.readouterr()
    nodes = json.loads(file.read_text(encoding="utf-8"))["nodes"]
    assert len(nodes) == 11
    assert nodes[5]["pruned"]
