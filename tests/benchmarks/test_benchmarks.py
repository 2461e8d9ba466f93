"""The benchmarks run, count what they should, and report what is missing; how fast they are is not tested."""

from __future__ import annotations

import json
import sys
from fractions import Fraction

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import batches, editing, equilibria, extreme_equilibria, growth, measure, ours, perft, positions, tables
from benchmarks.measure import Measurement, Unavailable, best_of_fixed, best_of_open
from benchmarks.peers import cpp, jax_games, liteefg, openspiel, python_chess, storm
from benchmarks.report import Delay, Growth, Row
from zermelo.formats.writing import liteefg_text
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.native.model_lowering import lower
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import sequence_form
from zermelo.solvers.imperfect_information.counterfactual_regret import VARIANTS, CounterfactualRegret
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph


@pytest.fixture
def without_peers(monkeypatch):
    def missing(name):
        raise Unavailable(f"{name} is missing here")

    monkeypatch.setattr(openspiel, "game_of", missing)
    monkeypatch.setattr(storm, "import_peer", lambda module, name: missing("Storm"))
    monkeypatch.setattr(cpp, "compiler", lambda: None)
    monkeypatch.setattr(command, "keep_to_one_core", lambda: False)


def test_a_run_without_peers_says_what_is_missing(without_peers, capsys):
    assert command.main(["--only", "minimax", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["facts"]["one core"] is False
    assert {"zermelo", "Python", "open_spiel", "C++ compiler"} <= set(report["facts"]["versions"])
    first, second, third = report["rows"]
    assert first["peer"] == "OpenSpiel"
    assert first["theirs"] == {"unavailable": "tic_tac_toe is missing here"}
    assert second["theirs"] == third["theirs"] == {"unavailable": "no C++ compiler"}
    for row in (first, second, third):
        assert row["ours"]["amount"] == 549_946
        assert row["ours"]["rate"] == pytest.approx(row["ours"]["amount"] / row["ours"]["seconds"])
        assert row["ratio"] is None and row["met"] is None
    assert second["target"] == 4


def test_the_table_has_the_same_rows(without_peers, capsys):
    assert command.main(["--only", "minimax"]) == 0
    shown = capsys.readouterr().out
    assert "tic-tac-toe, minimax, whole tree" in shown
    assert "549,946 nodes" in shown
    assert "no C++ compiler" in shown


def test_a_name_that_no_benchmark_has_is_refused(capsys):
    with pytest.raises(SystemExit) as stopped:
        command.main(["--only", "pong"])
    assert stopped.value.code == 2
    assert "no benchmark's name begins with pong; there are minimax" in capsys.readouterr().err


def test_ratios_and_targets():
    row = Row(task="", unit="", ours=Measurement(30, 1.0), peer="", theirs=Measurement(20, 2.0), target=4)
    assert row.ratio == 3
    assert row.is_met is False and "4 x missed" in row.cells()
    assert Delay(task="", ours=0.2, limit=0.25).is_met


def test_what_cannot_be_measured_has_no_ratio():
    row = Row(task="", unit="", ours="not supported yet: x", peer="", theirs=Measurement(1, 1.0), target=4)
    assert row.ratio is None and row.is_met is None
    assert "not supported yet: x" in row.cells()


def test_the_fastest_run_counts(monkeypatch):
    now = 0.0
    seconds = iter([3.0, 1.0, 2.0])

    def work():
        nonlocal now
        now += next(seconds)
        return 10

    monkeypatch.setattr(measure, "perf_counter", lambda: now)
    assert best_of_fixed(work) == Measurement(10, 1.0)


def test_open_runs_last_as_long_as_asked(monkeypatch):
    now = 0.0

    def work():
        nonlocal now
        now += 1.0
        return 7, 2

    monkeypatch.setattr(measure, "perf_counter", lambda: now)
    monkeypatch.setattr(measure, "_SECONDS", 2.5)
    assert best_of_open(work) == Measurement(21, 3.0, 6)


def test_alpha_beta_and_perft_count_right():
    assert ours.alphabeta(ours.machine_of("tic_tac_toe"))() == 18_297
    count = ours.perft(ours.machine_of("tic_tac_toe"), 3)
    assert count() == count() == 9 * 8 * 7


def test_random_plays_count_moves_and_plays():
    moves, plays = ours.random_plays(ours.machine_of("tic_tac_toe"), budget=500)()
    assert 5 * plays <= moves <= 9 * plays


@pytest.mark.skipif(cpp.compiler() is None, reason="there is no C++ compiler")
@pytest.mark.parametrize("program", ["tic_tac_toe", "tic_tac_toe_bits"])
def test_the_cpp_program_visits_the_same_nodes(program):
    assert cpp.run(program, 1).amount == ours.minimax(ours.machine_of("tic_tac_toe"))()


def test_openspiel_counts_the_same():
    pytest.importorskip("pyspiel")
    game = openspiel.game_of("tic_tac_toe")
    assert openspiel.alphabeta(game)() == 18_297
    assert openspiel.perft(game, 3)() == 9 * 8 * 7
    assert 5 <= openspiel.random_plays(game)()[0] <= 9


def test_python_chess_counts_right():
    pytest.importorskip("chess")
    assert python_chess.perft(3)() == 8_902
    assert perft.PLAYS == 197_281


def test_every_side_iterates_on_the_same_game():
    game = equilibria.Game("Kuhn poker", "kuhn_poker", "kuhn_poker", 1, 1000)
    form = sequence_form(ours.tree_of("kuhn_poker"), Limits())
    regret = CounterfactualRegret(form, VARIANTS["cfr_plus"])
    regret.iterate(game.iterations)
    if cpp.compiler() is not None:
        assert cpp.run("cfr_plus", 1, game.iterations, given=equilibria.game_text(form)).amount == game.iterations
        if cpp.has_avx2():
            wide = cpp.run_wide("cfr_plus_avx2", 1, game.iterations, given=equilibria.layout_text(form))
            assert wide.amount == game.iterations
    rows = equilibria.iterations(game)
    assert [row.peer for row in rows] == ["OpenSpiel", "C++ -O2", "C++, AVX2"]
    assert all(isinstance(row.ours, Measurement) for row in rows)
    assert rows[0].note == "55 histories, 12 information sets"


def test_a_game_is_written_down_for_liteefg():
    """Every history once, with all its moves, and every information set with its histories."""
    lines = liteefg_text(ours.tree_of("kuhn_poker")).splitlines()
    nodes = {line.split()[1]: line.split()[2:] for line in lines if line.startswith("node ")}
    sets = [line.split()[3:] for line in lines if line.startswith("infoset ")]
    assert len(nodes) == 55
    assert [len(names) for names in sets] == [2] * 12
    assert sorted(name for names in sets for name in names) == sorted(
        name for name, (kind, *_) in nodes.items() if kind == "player"
    )
    chance = [part.partition("=") for part in nodes["h"][2:]]
    assert sum(float(share) for _, _, share in chance) == pytest.approx(1)
    moves = [part for kind, *rest in nodes.values() if kind == "player" for part in rest[2:]]
    assert {*moves, *(name for name, _, _ in chance), "h"} == set(nodes)
    assert sum(float(rest[1].removeprefix("1=")) for kind, *rest in nodes.values() if kind == "leaf") == 0


def test_liteefg_where_it_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "LiteEFG", None)
    with pytest.raises(Unavailable):
        liteefg.cfr_plus(ours.tree_of("kuhn_poker"))


def test_equilibria_are_enumerated_by_both(monkeypatch):
    """Both enumerate the same ones, or there is no rate."""
    pytest.importorskip("pygambit")
    monkeypatch.setattr(extreme_equilibria, "SIZES", ((3, 3),))
    rows = extreme_equilibria.tables()
    assert [row.task for row in rows] == [f"extreme equilibria, 3 x 3, payoffs 0 to {most}" for most in (100, 2)]
    assert all(row.ratio is not None for row in rows)
    monkeypatch.setattr(extreme_equilibria, "extreme_equilibria", lambda table, limits: [])
    assert [row.theirs for row in extreme_equilibria.tables()] == ["other equilibria"] * 2


@pytest.mark.parametrize("name", growth.GAMES)
def test_the_games_that_grow_are_games(name):
    write, first = growth.GAMES[name]
    for size in (first, 2 * first):
        model, findings = check(Source(name, write(size)))
        assert model is not None, findings
        lower(model)


def test_an_exponent_is_that_of_the_last_doublings():
    assert growth.exponent([9.0, 1.0, 2.0, 4.0]) == 1
    assert growth.exponent([1.0, 4.0, 16.0]) == 2
    assert not Growth(task="", seconds=(1.0, 4.0, 16.0), exponent=2, limit=1.5).is_met


def test_chains_without_storm(without_peers):
    rows = positions.chains()
    assert [row.theirs for row in rows] == ["Storm is missing here"] * 4
    assert all(row.ours.amount == 1 and row.unit == "values/s" for row in rows)
    assert ["301 positions" in row.note for row in rows] == [False, False, True, False]


def test_a_chain_as_storm_reads_it():
    """Ann gets 1 on the way to the second throw; of that three outcomes in four win, in two edges."""
    paid = tuple((Fraction(amount), -Fraction(amount)) for amount in (0, 1, -1))
    kinds, firsts, targets = [DRAWS, DRAWS, PAYS - 1, PAYS - 2], [0, 1, 4, 4, 4], [1, 2, 2, 3]
    graph = PositionGraph(("Ann", "Bob"), kinds, firsts, targets, [1, 1, 2, 1], [1, 0, 0, 0], paid)
    assert "".join(storm._rows(graph)) == "0 1 1.0\n1 2 0.75\n1 3 0.25\n2 2 1.0\n3 3 1.0\n"
    assert "".join(storm._labels(graph)) == "#DECLARATION\ninit won end\n#END\n0 init\n2 won end\n3 end\n"
    assert "".join(storm._earnings(graph)) == "0 1 1.0\n"


def test_the_delays_of_an_editor_are_measured(monkeypatch):
    pytest.importorskip("pygls")
    monkeypatch.setattr(editing, "_KEYSTROKES", 1)
    found = editing.keystrokes()
    assert [delay.task.rpartition(" ")[2] for delay in found] == ["findings", "hover", "completion"]
    assert all(delay.ours > 0 for delay in found)


def test_tables_on_disk():
    pytest.importorskip("pyarrow")
    made, verified, middle, slowest, query = tables.connect_four(rows=4, columns=3)
    assert made.ours.amount == made.theirs.amount == verified.ours.amount == verified.theirs.amount > 1000
    assert made.target == 0.5 and f"{made.ours.amount:,} positions" in made.note
    assert 0 < middle.ours <= slowest.ours and middle.limit == slowest.limit == 0.02
    assert query.target == 1 and query.theirs.amount == 1


def test_moves_of_a_batch_are_drawn_from_the_legal_ones():
    mask = np.array([[True, False, False], [False, True, True], [True, True, True]])
    drawn = np.array([batches.chosen(mask, np.random.default_rng(seed)) for seed in range(40)])
    assert [set(column.tolist()) for column in drawn.T] == [{0}, {1, 2}, {0, 1, 2}]


def test_a_batch_is_measured_without_its_peer(without_peers, monkeypatch):
    for peer in (openspiel, jax_games):
        monkeypatch.setattr(peer, "import_peer", lambda module, name: openspiel.game_of(name))
    monkeypatch.setattr(measure, "_SECONDS", 0.01)
    rows = batches.loops(batches.GAMES[0])
    assert [row.peer for row in rows] == ["OpenSpiel", "Pgx", "Ludax"]
    assert [row.theirs for row in rows] == [f"{name} is missing here" for name in ("open_spiel", "pgx", "ludax")]
    assert all(row.ours.amount == 1024 * row.ours.parts for row in rows)
