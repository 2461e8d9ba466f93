"""The numbers of pictures as rows, in three formats."""

from __future__ import annotations

import csv
import json
import sys
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.drawing.picture_files import write_picture
from zermelo.drawing.pictures import draw
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import Picture, Rows


def rows_of(name: str, what: str, **options):
    rows = draw(zermelo.load(name).initial, what, **options).rows
    return [dict(zip(rows.kinds, row, strict=True)) for row in rows.rows]


def test_the_plies_of_tic_tac_toe():
    """Known of all plays: 9!/(9-n)! of n moves up to the fifth; 1,440 end after five moves, then 5,328, 47,952, 72,576
    and 127,872."""
    rows = rows_of("tic_tac_toe", "sizes")
    assert [row["plays"] for row in rows[:6]] == [1, 9, 72, 504, 3024, 15120]
    assert [row["ended_plays"] for row in rows] == [0] * 5 + [1440, 5328, 47952, 72576, 127872]
    assert sum(row["positions"] for row in rows) == 5478 and set(rows[0]) == {
        "ply",
        "plays",
        "positions",
        "ended_plays",
    }
    assert [row["information_sets"] for row in rows_of("kuhn_poker", "sizes")] == [0, 3, 6, 3, 0]


def test_the_payoffs_of_chicken():
    """Both dare: (0, 0); one dares: 7 and 2; none: 6 each; the mixed equilibrium pays 14/3 each."""
    rows = [tuple(row.values()) for row in rows_of("chicken", "payoffs")]
    assert {row[1:] for row in rows if row[0] == "outcome"} == {(0, 0), (2, 7), (6, 6), (7, 2)}
    assert {row[1:] for row in rows if row[0] == "equilibrium"} == {(2, 7), (14 / 3, 14 / 3), (7, 2)}
    assert [row for row in rows if row[0] == "secured"] == [("secured", 2, 2)]
    assert [row[1:] for row in rows if row[0] == "front"] == [(2, 7), (6, 6), (7, 2)]


def test_convergence_has_a_row_for_each_point():
    rows = rows_of("kuhn_poker", "convergence", solvers=["cfr", "cfr+"], iterations=100)
    assert {row["solver"] for row in rows} == {"CFR", "CFR+"} and {row["iterations"] for row in rows} >= {1, 10, 100}
    assert all(row["exploitability"] > 0 for row in rows)
    hand = zermelo.load("four_card_hand").initial.after("heart")
    moves = draw(hand, "convergence", solvers=["ismcts"], iterations=10).rows
    assert list(moves.kinds) == ["move", "simulations", "mean_payoff"]
    assert {simulations for _, simulations, _ in moves.rows} == {1, 2, 5, 10}


def test_coverage_has_a_row_for_each_line():
    rows = rows_of("goofspiel", "coverage")
    source = zermelo.load("goofspiel").model.source.text.splitlines()
    assert [(row["line"], row["text"]) for row in rows] == [(k, line.rstrip()) for k, line in enumerate(source, 1)]
    uses = {row["text"].strip(): row["uses"] for row in rows}
    assert uses["start at turn_up"] == 1 and uses["then:"] is None
    assert [row["note"] for row in rows if row["note"]] == ["always true: 76 times"]


TABLE = Rows({"line": "string", "step": "int64", "value": "double"}, (("a, b", 1, 0.5), ("é", 2, None)))


@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet"])
def test_all_formats_have_the_same_rows(tmp_path, ending):
    path = tmp_path / f"rows{ending}"
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    write_picture(Picture("", (), rows=TABLE), path)
    wanted = [dict(zip(TABLE.kinds, row, strict=True)) for row in TABLE.rows]
    match ending:
        case ".json":
            assert json.loads(path.read_text("utf-8")) == wanted
        case ".csv":
            with path.open(encoding="utf-8", newline="") as stream:
                assert list(csv.DictReader(stream)) == [
                    {name: "" if value is None else str(value) for name, value in row.items()} for row in wanted
                ]
        case _:
            from pyarrow import parquet

            table = parquet.read_table(path)
            assert table.to_pylist() == wanted
            assert [str(each) for each in table.schema.types] == list(TABLE.kinds.values())


def test_counts_of_plays_may_be_larger_than_64_bits(tmp_path):
    """A coin that is turned or left until it is taken: 2 ** n plays of n moves without that, and as many again of n + 1
    with it."""
    game = zermelo.loads(
        'game "Coins"\nplayers A\nendless draw\nvar up: Bool = false\nstart at p\nphase p:\n    turn A:\n'
        "        move turn: \n            up := not up\n            go p\n        move leave: go p\n"
        "        move take: end win A\n"
    )
    picture = draw(game.initial, "sizes", depth=70)
    (number, plays, _, ended) = picture.rows.rows[-1]
    assert (number, plays, ended) == (70, str(3 * 2**69), str(2**69)) and picture.rows.kinds["plays"] == "string"
    write_picture(picture, tmp_path / "coins.csv")
    assert f"70,{3 * 2**69}," in (tmp_path / "coins.csv").read_text()


def test_a_tree_has_a_row_for_each_node():
    """The tree of a textbook: MAX takes the branch whose least leaf is largest, 3 of 3, 2 and 2."""
    rows = rows_of("two_ply_tree", "tree")
    assert len(rows) == 13 and [row["parent"] for row in rows].count(0) == 3
    assert [(row["actor"], row["value"], row["move"]) for row in rows if row["parent"] in (None, 0)] == [
        ("MAX", "3", None),
        ("MIN", "3", "A1"),
        ("MIN", "2", "A2"),
        ("MIN", "2", "A3"),
    ]
    assert [row["move"] for row in rows if row["best"]] == ["A1", "A11", "A21", "A33"]
    hidden = rows_of("kuhn_poker", "tree")
    sets = [row["information_set"] for row in hidden if row["information_set"] is not None]
    assert sorted(sets) == [number for number in range(12) for _ in range(2)]  # 12 sets of two histories
    assert {row["probability"] for row in hidden if row["parent"] == 0} == {"1/6"}


def test_a_table_has_a_row_for_each_cell():
    rows = [tuple(row.values()) for row in rows_of("chicken", "table")]
    assert rows == [
        ("swerve", "swerve", "6", "6", 0),
        ("swerve", "drive", "2", "7", 1),
        ("drive", "swerve", "7", "2", 1),
        ("drive", "drive", "0", "0", 0),
    ]


def test_a_tree_as_graphml(tmp_path):
    """Nodes, branches and what is said of them, with the types that GraphML has."""
    write_picture(draw(zermelo.load("kuhn_poker").initial), tmp_path / "kuhn.graphml")
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    root = ElementTree.parse(tmp_path / "kuhn.graphml").getroot()
    kinds = {key.get("id"): (key.get("for"), key.get("attr.type")) for key in root.findall("g:key", space)}
    assert kinds["move"] == ("edge", "string") and kinds["information_set"] == ("node", "long")
    nodes, edges = root.findall(".//g:node", space), root.findall(".//g:edge", space)
    assert (len(nodes), len(edges)) == (55, 54)
    names = {node.get("id") for node in nodes}
    assert {edge.get("source") for edge in edges} | {edge.get("target") for edge in edges} == names
    for thing, of in [*((node, "node") for node in nodes), *((edge, "edge") for edge in edges)]:
        assert all(kinds[data.get("key")][0] == of for data in thing.findall("g:data", space))
    first = {data.get("key"): data.text for data in edges[0].findall("g:data", space)}
    assert first == {"move": "deal(J, Q)", "probability": "1/6", "best": "0"}


def test_a_tree_as_dot(tmp_path):
    game = zermelo.loads('game "A\\B"\nplayers Ann\ntree:\n    Ann:\n        up "a \\n b": 1\n        down: 2\n')
    write_picture(draw(game.initial), tmp_path / "said.dot")
    assert (tmp_path / "said.dot").read_text("utf-8").splitlines() == [
        r'digraph "A\\B" {',
        "  node [shape=box, style=rounded];",
        r'  0 [label="Ann\n2"];',
        r'  1 [label="end\n1"];',
        r'  0 -> 1 [label="a \\n b"];',
        r'  2 [label="end\n2"];',
        '  0 -> 2 [label="down", style=bold];',
        "}",
    ]
    write_picture(draw(zermelo.load("kuhn_poker").initial), tmp_path / "kuhn.dot")
    assert (tmp_path / "kuhn.dot").read_text("utf-8").count("style=dotted") == 12


def test_refusals(run, tmp_path, monkeypatch):
    position = draw(zermelo.load("two_ply_tree").initial, "position")
    with pytest.raises(ZermeloError, match="not made of rows of numbers") as raised:
        write_picture(position, tmp_path / "position.csv")
    assert raised.value.code == "bad-usage" and not list(tmp_path.iterdir())
    with pytest.raises(ZermeloError, match="shows no tree"):
        write_picture(draw(zermelo.load("chicken").initial, "table"), tmp_path / "table.dot")
    ran = run("draw", "chess", "sizes", "-o", str(tmp_path / "sizes.xls"))
    assert ran.code == 2 and "'.xls'" in ran.err and ".parquet for its numbers" in ran.err
    assert "cannot write" in run("draw", "nim", "sizes", "-o", str(tmp_path / "no" / "x.csv")).err
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = run("draw", "nim", "sizes", "-o", str(tmp_path / "x.parquet"))
    assert "library-missing" in ran.err and "zermelo[tables]" in ran.err


def test_a_picture_in_python_has_its_rows(tmp_path):
    start = zermelo.load("chicken").initial
    picture = start.draw("payoffs")
    picture.save(tmp_path / "payoffs.json")
    assert picture.rows() == json.loads((tmp_path / "payoffs.json").read_text(encoding="utf-8"))
    frame = picture.to_dataframe()
    assert tuple(frame.columns) == picture.columns == ("kind", "One gets", "Two gets")
    assert len(frame) == len(picture.rows())
    with pytest.raises(ZermeloError, match="not made of rows of numbers"):
        start.draw("position").rows()
