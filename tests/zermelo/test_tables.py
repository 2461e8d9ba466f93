"""Tables for users: building, looking up and verifying, from the command line and from Python."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from referee.exploring import explored
from referee.fixed_points import plain_distances, plain_numbers

import zermelo
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.playing.contestants import contestant_of
from zermelo.playing.seats import seats_of
from zermelo.solvers.positions.graph.graph import PAYS
from zermelo.solvers.search import monte_carlo_tree_search
from zermelo.solvers.tables.books import SAMPLE
from zermelo.tables import Table, exchanged

pytest.importorskip("pyarrow")


def states_of(game: Game) -> dict[Any, State]:
    """A state of every position, ends left out."""
    found: dict[Any, State] = {}
    waiting = [game.initial]
    while waiting:
        state = waiting.pop()
        position = game.machine.position(state.machine_state)
        if not state.is_over and position not in found:
            found[position] = state
            waiting += [state.after(move) for move in state.moves or [move for move, _ in state.outcomes]]
    return found


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("connect_four", {"rows": 3, "columns": 3, "run": 3}), ("tug_of_war", {}), ("kalah", {"pits": 2, "seeds": 2})],
)
def test_up_to_symmetry_every_position_is_found(name: str, parameters: dict[str, int], tmp_path: Path) -> None:
    game = zermelo.load(name, **parameters)
    whole = Table.build(game, tmp_path / "whole", up_to_symmetry=False)
    small = Table.build(game, tmp_path / "small")
    states = states_of(game)
    assert len(whole) == len(states) >= len(small)
    for state in states.values():
        assert small[state] == whole[state]
    small.verify()
    whole.verify()


WALK = """
game "Walk"
players Ann, Bob
type Cell = grid(3, 1)
var at: Cell = {start}
endless draw
start at walk(Ann)

phase walk(p: Player):
    turn p:
        move step(c in Cell) if c in neighbours(at):
            at := c
            go walk(other p)
        move stop if at == b1: end win p
"""


@pytest.mark.parametrize("start", ["a1", "b1", "c1"])
def test_the_beginning_may_be_an_image_of_what_is_kept(start: str, tmp_path: Path) -> None:
    """One of the ends of the walk is kept for both, which play comes back to."""
    game = zermelo.loads(WALK.format(start=start))
    table = Table.build(game, tmp_path / "walk")
    table.verify()
    assert len(table) == 2
    states = states_of(game)
    assert len(states) == 3
    for state in states.values():
        solution = zermelo.solve(state, solver="positions")
        assert (table[state].value, table[state].distance) == (solution.value, solution.distance)
        assert table[state].best_moves == len(solution.best)


def test_what_it_says_is_what_solving_finds(tmp_path: Path) -> None:
    """With earnings before, and an end that was not the table's: values are as ``solve`` reports them."""
    game = zermelo.load("pig", target=6)
    table = Table.build(game, tmp_path / "pig")
    table.verify()
    assert {"value_Ann_numerator", "value_Ann_denominator"} <= set(table.files.columns)
    state = game.initial.after("roll").after("die(3)")
    solution = zermelo.solve(state, solver="positions")
    assert table[state].value == solution.value
    worths, best = table.worths(state)
    assert {worth.move for worth in worths} == set(state.moves)
    assert best == solution.best
    assert table[state.after("roll")].best_moves is None


def test_an_end_pays_what_the_rules_say(tmp_path: Path) -> None:
    game = zermelo.load("two_ply_tree")
    table = Table.build(game, tmp_path / "tree")
    end = game.initial.after("A1").after("A11")
    assert table[end].value == end.payoff
    assert (table[end].distance, table[end].best_moves) == (0, None)


UNLIKELY = """
game "Unlikely"
players Ann, Bob
var left: 0..4 = 4
start at draw

phase draw:
    chance:
        outcome on prob 1 / 1000003:
            left -= 1
            if left == 0: end win Ann
            go draw
        outcome out prob 1000002 / 1000003: end draw
"""


def test_values_of_more_than_64_bits(tmp_path: Path) -> None:
    """They are text."""
    game = zermelo.loads(UNLIKELY)
    table = Table.build(game, tmp_path / "unlikely")
    assert {str(column.type) for column in table.dataset().schema if "denominator" in column.name} == {"string"}
    assert table[game.initial].value == (Fraction(1, 1000003**4), Fraction(-1, 1000003**4))
    table.verify()


# ---------------------------------------------------------------- refusals


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(ZermeloError) as raised:
        call()
    return raised.value.code


def test_states_of_other_games_and_other_positions(tmp_path: Path) -> None:
    game = zermelo.load("tic_tac_toe")
    corner = game.initial.after("mark(a1)")
    table = Table.build(corner, tmp_path / "corner")
    assert table[corner].value == (0, 0)
    assert table.get(game.initial) is None
    assert refused(lambda: table[game.initial]) == "not-in-table"
    assert refused(lambda: table[zermelo.load("tic_tac_toe", size=2).initial]) == "other-table"
    text = game.model.source.text
    other = zermelo.loads(text.replace("end draw", "end win O"))
    assert refused(lambda: table[other.initial]) == "other-table"
    noted = zermelo.loads(text.replace("players X, O", "players X, O  # marks"))
    assert table[noted.initial.after("mark(a1)")].value == (0, 0)
    assert table[zermelo.load("tic_tac_toe").initial.after("mark(a1)")].distance == 8
    assert refused(lambda: Table.build(game, tmp_path / "corner")) == "unwritable-file"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("kuhn_poker", "needs-public"),
        ("rock_paper_scissors", "no-table"),
        ("connect_four", "out-of-memory"),
        ("chess", "no-table"),
    ],
)
def test_games_without_a_table(name: str, code: str, tmp_path: Path) -> None:
    game = zermelo.load(name)
    assert refused(lambda: Table.build(game, tmp_path / "table", memory=1 << 20)) == code
    left = [path.name for path in tmp_path.iterdir()]
    assert left == (["table.unfinished"] if code == "out-of-memory" else [])


def test_a_game_on_the_reference_machine_has_no_keys(tmp_path: Path) -> None:
    game = zermelo.load("nim").on("reference")
    assert refused(lambda: Table.build(game, tmp_path / "table")) == "no-table"
    assert refused(lambda: Table.build(zermelo.load("rook_ending"), tmp_path / "t", up_to_symmetry=True)) == "no-table"


def test_keys_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = zermelo.load("nim")
    Table.build(game, tmp_path / "table")
    monkeypatch.setattr("zermelo.solvers.tables.keys._variable_record", lambda place: {"field": "another"})
    assert refused(lambda: Table.open(tmp_path / "table")[game.initial]) == "other-table"


# ------------------------------------------------------- games that begin elsewhere

FAR = """
# the black king has got away
setup:
    king[White] := e1
    rook := a1
    king[Black] := d3
start at black
"""


@pytest.fixture(scope="module")
def rook_ending(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return Table.build(zermelo.load("rook_ending"), tmp_path_factory.mktemp("tables") / "rook_ending")


def test_another_position_of_the_same_game(rook_ending: Table) -> None:
    far = zermelo.load_position("rook_ending", FAR)
    solution = zermelo.solve(far, "positions")
    entry = rook_ending[far.initial]
    assert (entry.value, entry.distance) == (solution.value, solution.distance)
    assert set(rook_ending.worths(far.initial)[1]) == set(solution.best)
    looked_up = zermelo.solve(far, endgames=rook_ending.endgames(far))
    assert looked_up.exact and looked_up.value == solution.value
    assert looked_up.counts["nodes"] < 20
    assert refused(lambda: rook_ending[zermelo.load_position("rook_ending", FAR, size=6).initial]) == "other-table"


WALLS = """
game "Walls"
players A, B
claim zero_sum, perfect_information
var wall[1..4]: Bool = false
var place: 1..4 = 1
setup: wall[4] := true
start at play(A)
phase play(p: Player):
    turn p:
        move go_on(n in 1..2) if place + n <= 4 and not wall[place + n]:
            place += n
            go play(other p)
    otherwise: end win other p
"""


def test_a_position_that_changes_what_never_changes_in_a_play(tmp_path: Path) -> None:
    """A wall stands where it stands: the key of a position does not say where."""
    path = tmp_path / "walls.game"
    path.write_text(WALLS, encoding="utf-8")
    table = Table.build(zermelo.load(path), tmp_path / "walls")
    here = zermelo.load_position(path, "setup: place := 2\nstart at play(B)")
    assert table[here.initial].value == zermelo.solve(here).value
    there = zermelo.load_position(path, "setup: wall[2] := true")
    assert refused(lambda: table[there.initial]) == "other-table"
    assert refused(lambda: table.endgames(there)) == "other-table"


# ------------------------------------------------------- games with other parameters

PARTS = """
game "Parts"
param begin: 0..3 = 0
param opener: Player = A
param goal: 5..6 = 5
param most: 1..3 = 2
param prize: 1..3 = 1
param odds: 1..3 = 1
param hole: 2..4 = 3
param least: 0..2 = 1
param for_ever: 0..1 = 0
param shrink: 1/2..1 by 1/2 = 1
param again: Bool = false
param hint: 1..9 = 1
players A, B
var place: 0..9 = 0
var is_hole[0..9]: Bool = false
endless payoff {A: for_ever, B: -for_ever}
discount shrink
setup:
    place := begin
    is_hole[hole] := true
estimate for p: hint / 10
start at play(opener)
phase play(p: Player):
    if place >= goal: end payoff p: -prize
    turn p:
        move go_on(n in 1..most) if place + n <= 9 and not is_hole[place + n]:
            place += n
            if again and n == 1: go play(p)
            go throw(other p)
        move wait if place >= least:
            go play(other p)
phase throw(p: Player):
    chance:
        outcome fall prob odds / 4:
            place := 0
            go play(p)
        outcome stand prob 1 - odds / 4: go play(p)
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return Table.build(zermelo.loads(PARTS), tmp_path_factory.mktemp("tables") / "parts")


@pytest.mark.parametrize("other", [{"begin": 2}, {"opener": "B"}, {"hint": 3}, {"begin": 1, "opener": "B"}])
def test_parameters_that_only_change_how_a_play_begins(other: dict[str, Any], parts: Table) -> None:
    game = zermelo.loads(PARTS, **other)
    solution = zermelo.solve(game, "positions")
    assert parts[game.initial].value == solution.value
    assert set(parts.worths(game.initial)[1]) == set(solution.best)


@pytest.mark.parametrize(
    "other",
    [
        {"goal": 6}, {"most": 3}, {"prize": 2}, {"odds": 2}, {"hole": 4}, {"least": 2}, {"for_ever": 1},
        {"shrink": Fraction(1, 2)}, {"again": True},
    ],
    ids=str,
)  # fmt: skip
def test_parameters_that_change_the_rules(other: dict[str, Any], parts: Table) -> None:
    """Each has its part in what follows from a position: where plays end and what they pay, what is legal, who moves,
    what chance draws, and what never changes in a play."""
    game = zermelo.loads(PARTS, **other)
    assert refused(lambda: parts[game.initial]) == "other-table"
    assert refused(lambda: parts.check_game(game)) == "other-table"


def test_a_game_with_more_pieces_looks_up_in_the_table_of_one_with_fewer(tmp_path: Path) -> None:
    few, many = (zermelo.load("breakthrough", rows=4, columns=3, deep=deep) for deep in (1, 2))
    table = Table.build(few, tmp_path / "table")
    looked_up, solution = zermelo.solve(many, endgames=table.endgames(many)), zermelo.solve(many)
    assert looked_up.value == solution.value
    assert looked_up.counts["lookups"] > 0 and looked_up.counts["nodes"] < solution.counts["nodes"]


# ------------------------------------------------------------- searches with a table


def test_what_a_search_has_no_use_for(tmp_path: Path) -> None:
    nim, pig = zermelo.load("nim", heaps=2), zermelo.load("pig", target=6)
    endgames = Table.build(nim, tmp_path / "nim").endgames(nim)
    assert refused(lambda: zermelo.solve(nim, "dfpn", endgames=endgames)) == "does-not-look-up"
    dice = Table.build(pig, tmp_path / "pig")
    assert refused(lambda: zermelo.solve(pig, endgames=dice.endgames(pig))) == "no-solver"
    assert refused(lambda: zermelo.solve(nim.on("reference"), endgames=endgames)) == "no-table"
    assert dice.endgames_of_use(pig, 1 << 30) is None


DISCOUNTED = """
game "Discounted"
players A, B
discount 1/2
var left: 0..3 = 3
start at play(A)
phase play(p: Player):
    if left == 0: end win p
    turn p:
        move take(n in 1..2) if n <= left:
            left -= n
            go play(other p)
"""


def test_a_discount_is_not_looked_up(tmp_path: Path) -> None:
    game = zermelo.loads(DISCOUNTED)
    table = Table.build(game, tmp_path / "table")
    assert refused(lambda: table.endgames(game)) == "no-table"
    patient = zermelo.loads(DISCOUNTED.replace("1/2", "1/3"))
    assert refused(lambda: table[patient.initial]) == "other-table"
    assert table.endgames_of_use(game, 1 << 30) is None
    assert table.best_move(game.initial) in zermelo.solve(game, "positions").best


def test_seats_play_by_the_table(rook_ending: Table) -> None:
    """From random positions White mates in as many moves as the table says, whoever plays Black."""
    game, random, played = rook_ending.game, Random(3), 0
    seats = {name: seats_of(game, [("White", "best"), ("Black", name)], random, 1 << 30, rook_ending) for name in SEATS}
    while played < 20:
        state = game.initial
        for _ in range(random.randrange(12)):
            state = state if state.is_over else state.after(random.choice(state.moves))
        if state.is_over or rook_ending[state].value != (1, -1):
            continue
        played += 1
        name, left = SEATS[played % len(SEATS)], rook_ending[state].distance
        assert left is not None
        while not state.is_over:
            move, remark = seats[name][state.actor or ""].choose(state)
            state, left = state.after(move), left - 1
            assert left >= 0 and remark == ""
            assert rook_ending[state].distance == left or name == "random"
            left = min(left, rook_ending[state].distance or 0)
        assert state.payoff == (1, -1)


SEATS = ("best", "random")


def test_where_nothing_can_be_searched_the_table_is_enough(tmp_path: Path) -> None:
    """There is chance, so that nothing is looked up in a search, and no memory for one."""
    game = zermelo.load("pig", target=6)
    table = Table.build(game, tmp_path / "pig")
    state = game.initial.after("roll").after("die(3)")
    move, remark = seats_of(game, [("Ann", "best")], Random(1), 1000, table)["Ann"].choose(state)
    assert remark == ""
    assert (move,) == table.worths(state)[1]
    assert contestant_of("best", game, 1000, table)(state, Random(1)) == move


def test_a_contestant_with_a_table(tmp_path: Path) -> None:
    """Outside of the table they search, up to its positions."""
    game = zermelo.load("tic_tac_toe")
    table = Table.build(game.initial.after("mark(b2)").after("mark(a2)"), tmp_path / "table")
    choose = contestant_of("best", game, 1 << 30, table)
    state = game.initial
    while not state.is_over:
        state = state.after(choose(state, Random(1)))
    assert state.payoff == (0, 0)
    state = game.initial.after("mark(b2)").after("mark(a2)")
    assert choose(state, Random(1)) in table.worths(state)[1]


@pytest.mark.parametrize(("name", "parameters"), [("chomp", {"columns": 4, "rows": 3}), ("brinkmanship", {"steps": 6})])
def test_simulations_end_at_positions_of_the_table(
    name: str, parameters: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few of them are enough for the only best move, with chance, too; by random plays they are not."""
    monkeypatch.setattr(monte_carlo_tree_search, "SIMULATIONS", 40)
    game = zermelo.load(name, **parameters)
    table, state = Table.build(game, tmp_path / "table"), game.initial
    (best,) = table.worths(state)[1]
    helped, alone = (contestant_of("mcts", game, 1 << 28, given) for given in (table, None))
    assert {helped(state, Random(seed)) for seed in range(10)} == {best} < {alone(state, Random(k)) for k in range(10)}
    player = game.initial.actor or ""
    seats = [seats_of(game, [(player, "mcts")], Random(k), 1 << 28, table)[player] for k in range(3)]
    assert [seat.choose(state) for seat in seats] == [(best, f"{player} has made 40 simulations.")] * 3


@pytest.mark.parametrize("kind", ["match", "play"])
def test_estimates_are_no_values_for_simulations(run: Callable[..., Any], tmp_path: Path, kind: str) -> None:
    folder = str(tmp_path / "book")
    run("table", "build", "othello", "-p", "size=4", "--plies", "2", "--depth", "2", "-o", folder)
    seats = ["--seat", "Black=mcts", "--seat", "White=random"]
    refused = run(kind, "othello", "-p", "size=4", *seats, "--table", folder)
    assert refused.code == 1 and refused.err.startswith("error[estimated-table]")


@pytest.mark.parametrize("side", ["White", "Black"])
def test_from_200_positions_against_best(side: str, tmp_path: Path) -> None:
    """Who has a table against who searches: from random positions of king and rook against king, the end pays what the
    referee says, and comes after as many moves, if it is a win."""
    game = zermelo.load("rook_ending", size=4)
    graph, states = explored(game.reference)
    values = plain_numbers(graph, (1, -1))
    distances = plain_distances(graph, (1, -1), values, Fraction(0))
    table = Table.build(game, tmp_path / "table")
    seats = {name: contestant_of("best", game, 1 << 28, table if name == side else None) for name in game.players}
    inner = [p for p, kind in enumerate(graph.kinds) if kind > PAYS]
    won = 0
    for p in Random(35).sample(inner, 200):
        state, random = State(game, states[p]), Random(p)
        before = len(state.play)
        while not state.is_over and len(state.play) < before + 30:
            state = state.after(seats[state.actor or ""](state, random))
        if values[p] == 0:
            assert not state.is_over or state.payoff == (0, 0)
        else:
            won += 1
            assert state.payoff == (values[p], -values[p])
            assert len(state.play) - before == distances[p]
    assert won > 100


# ---------------------------------------------------------------- the command


def test_the_command(run: Callable[..., Any], tmp_path: Path) -> None:
    folder = str(tmp_path / "nim.table")
    made = run("table", "build", "nim", "-p", "heaps=2", "-o", folder, "--json")
    assert made.code == 0
    assert made.record == run("table", "info", folder, "--json").record
    (root,) = made.record["roots"]
    assert root["value"] == {"Ann": "1", "Bob": "-1"}  # 3 xor 4 is not 0
    asked = run("table", "query", folder, "--json")
    state = zermelo.load("nim", heaps=2).initial
    solution = zermelo.solve(state, solver="positions")
    assert asked.record["moves_to_the_end"] == root["moves_to_the_end"] == solution.distance
    assert {each["move"] for each in asked.record["moves"] if each["is_best"]} == set(map(str, solution.best))
    assert run("table", "verify", folder, "nim", "-p", "heaps=2", "--json").record["verified"]
    assert "other parameters: heaps = 2, smallest = 3, and not heaps = 3" in run("table", "verify", folder, "nim").err
    said = run("moves", "kuhn_poker", "--values", "--table", folder).err
    assert "other-table" in said and "is of another game: Nim, and not Kuhn poker" in said
    assert "illegal-move" in run("table", "query", folder, "--after", "take(9, 9)").err
    assert "unwritable-file" in run("table", "build", "nim", "-o", folder).err
    assert "unreadable-file" in run("table", "info", str(tmp_path)).err
    (tmp_path / "nim.game").write_text("", encoding="utf-8")
    assert "there is no table in" in run("table", "info", str(tmp_path / "nim.game")).err


def test_a_table_after_some_moves(run: Callable[..., Any], tmp_path: Path) -> None:
    folder = str(tmp_path / "tic_tac_toe.table")
    made = run("table", "build", "tic_tac_toe", "-o", folder, "--after", "mark(b2), mark(a2)", "--json")
    (root,) = made.record["roots"]
    assert (root["after"], root["value"]) == (["mark(b2)", "mark(a2)"], {"X": "1", "O": "-1"})
    assert "after" in run("table", "info", folder).out
    assert "not-in-table" in run("table", "query", folder).err
    assert run("table", "query", folder, "--after", "mark(b2), mark(a2), mark(a1)").code == 0


def test_an_opening_book(run: Callable[..., Any], tmp_path: Path) -> None:
    folder, words = str(tmp_path / "book"), ["breakthrough", "-p", "rows=4", "-p", "columns=3", "-p", "deep=1"]
    made = run("table", "build", *words, "-o", folder, "--plies", "2", "--depth", "2", "--json").record
    assert made["book"] == {
        "plies": 2,
        "depth": 2,
        "solver": "principal_variation",
        "estimates": made["book"]["estimates"],
    }
    shown = run("table", "info", folder).out
    assert f"within 2 moves, searched 2 moves further; {made['book']['estimates']} values estimated" in shown
    assert "an estimate, searched 4 moves ahead" in run("table", "query", folder).out
    assert run("table", "query", folder, "--json").record["depth"] == 4
    checked = run("table", "verify", folder, *words, "--json").record
    assert checked["verified"] and 0 < checked["searched_again"] <= SAMPLE
    assert "have been searched again" in run("table", "verify", folder).out
    assert "estimated-table" in run("solve", *words, "--table", folder).err
    told = run("moves", *words, "--values", "--table", folder).out
    assert "the opening book" in told and "depth-limited" in told
    assert "within 2 moves" in run("table", "query", folder, "--after", three(words)).err
    for wrong in (["info", folder, "--plies", "2"], ["build", *words, "-o", folder + "2", "--depth", "2"]):
        assert "bad-usage" in run("table", *wrong).err


def three(words: list[str]) -> str:
    """Three moves of the game that the command names."""
    state = zermelo.load("breakthrough", rows=4, columns=3, deep=1).initial
    for _ in range(3):
        state = state.after(state.moves[0])
    return ", ".join(map(str, state.play))


def test_commands_with_a_table(run: Callable[..., Any], tmp_path: Path) -> None:
    folder, first = str(tmp_path / "tic_tac_toe.table"), ["--after", "mark(b2)"]
    run("table", "build", "tic_tac_toe", "-o", folder, *first)
    plain = run("solve", "tic_tac_toe", "--json").record
    helped = run("solve", "tic_tac_toe", "--json", "--table", folder).record
    assert helped["value"] == plain["value"] and helped["exact"]
    assert helped["counts"]["nodes"] < plain["counts"]["nodes"] and helped["counts"]["lookups"] > 0
    told = run("moves", "tic_tac_toe", "--values", *first, "--table", folder, "--json").record["values"]
    found = run("moves", "tic_tac_toe", "--values", *first, "--json").record["values"]
    assert told["moves"] == found["moves"] and folder in told["why"]
    searched = run("moves", "tic_tac_toe", "--values", "--table", folder, "--json").record["values"]
    assert searched["exact"] and searched["solver"] == "enhanced_alphabeta"
    assert [move["best"] for move in searched["moves"]] == [True] * 9
    match = run(
        "match", "tic_tac_toe", "--seat", "X=best", "--seat", "O=best", "--plays", "4", "--table", folder, "-j2"
    )
    assert (match.code, match.err) == (0, "")
    play = run("play", "tic_tac_toe", "--seat", "X=best", "--seat", "O=best", "--table", folder)
    assert play.code == 0 and "The play has ended: X 0, O 0." in play.out


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "tic_tac_toe"],
        ["moves", "tic_tac_toe", "--values"],
        ["play", "tic_tac_toe", "--seat", "X=best", "--seat", "O=best"],
        ["match", "tic_tac_toe", "--seat", "X=best", "--seat", "O=best"],
    ],
    ids=lambda words: words[0],
)
def test_a_table_that_cannot_be_used_is_refused_before_anything_else(
    words: list[str], run: Callable[..., Any], tmp_path: Path
) -> None:
    folder = tmp_path / "table"
    run("table", "build", "tic_tac_toe", "-o", str(folder))
    for number, code, beside in (
        (1, "other-table", ["-p", "size=2", "--table", str(folder)]),
        (2, "unreadable-file", ["--table", str(tmp_path)]),
    ):
        ran = run(*words, *beside)
        assert (ran.code, ran.out) == (number, "") and ran.err.startswith(f"error[{code}]: ")
    (part,) = folder.glob("*.parquet")
    data = bytearray(part.read_bytes())
    data[len(data) // 3] ^= 1
    part.write_bytes(data)
    ran = run(*words, "--table", str(folder))
    assert (ran.code, ran.out) == (1, "") and ran.err.startswith("error[damaged-table]: ")


@pytest.mark.parametrize(
    "words",
    [
        ["match", "nim", "uniform", "--table", "x"],
        ["match", "nim", "--seat", "Ann=random", "--seat", "Bob=greedy", "--table", "x"],
        ["play", "nim", "--seat", "Ann=random", "--table", "x"],
        ["moves", "nim", "--values", "--solver", "pimc", "--table", "x"],
    ],
)
def test_what_has_no_use_for_a_table(words: list[str], run: Callable[..., Any]) -> None:
    assert "bad-usage" in run(*words).err


@pytest.mark.parametrize(
    "words",
    [
        ["build", "nim"],
        ["build", "nim", "nim", "-o", "x"],
        ["info", "x", "-o", "y"],
        ["query", "x", "nim"],
        ["verify", "x", "--after", "take(1, 1)"],
        ["verify", "x", "-p", "heaps=2"],
        ["query", "x", "--no-up-to-symmetry"],
    ],
)
def test_what_does_not_belong_together(words: list[str], run: Callable[..., Any]) -> None:
    ran = run("table", *words)
    assert (ran.code, ran.err.split(":")[0]) == (1, "error[bad-usage]") or ran.code == 2


def test_without_its_library_the_extra_is_named(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = run("table", "build", "nim", "-o", str(tmp_path / "nim.table"))
    assert ran.code == 1
    assert ran.err.startswith("error[library-missing]: ")
    assert "zermelo[tables]" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_the_command_builds_from_several_roots(run: Callable[..., Any], tmp_path: Path) -> None:
    folder, words = str(tmp_path / "table"), ["nim", "-p", "heaps=2"]
    plays = ["--after", "take(1, 1)", "--after", "take(2, 2); take(1, 3)"]
    made = run("table", "build", *words, *plays, "-o", folder, "--json").record
    assert [root["after"] for root in made["roots"]] == [["take(1, 1)"], ["take(2, 2)", "take(1, 3)"]]
    assert [root["value"]["Ann"] for root in made["roots"]] == ["-1", "1"]
    shown = run("table", "info", folder).out
    assert "with take(1, 1) " in shown and "with take(2, 2), take(1, 3) " in shown
    asked = run("table", "query", folder, "--root", "2", "--json").record
    assert (asked["after"], asked["value"]) == (["take(2, 2)", "take(1, 3)"], {"Ann": "1", "Bob": "-1"})
    further = run("table", "query", folder, "--root", "2", "--after", "take(2, 1)", "--json").record
    assert further["after"] == ["take(2, 2)", "take(1, 3)", "take(2, 1)"]
    assert "with take(1, 1) or with take(2, 2), take(1, 3)" in run("table", "query", folder).err
    assert "the table begins at 2 positions" in run("table", "query", folder, "--root", "3").err
    assert "bad-usage" in run("table", "info", folder, "--root", "1").err
    assert "bad-usage" in run("table", "query", folder, *plays).err
    again = run("table", "build", *words, *plays, "-o", folder, "--resume", "--json").record
    assert again == made
    assert "unwritable-file" in run("table", "build", *words, *plays[:2], "-o", folder, "--resume").err


def test_the_command_builds_from_the_positions_of_files(run: Callable[..., Any], tmp_path: Path) -> None:
    for name, text in (("far", FAR), ("near", "setup: king[Black] := a5")):
        (tmp_path / f"{name}.position").write_text(text, encoding="utf-8")
    places = ["--position", str(tmp_path / "far.position"), "--position", str(tmp_path / "near.position")]
    folder = str(tmp_path / "table")
    made = run("table", "build", "rook_ending", *places, "-o", folder, "--json").record
    assert [root["source"].rsplit("/", 1)[-1] for root in made["roots"]] == ["far.position", "near.position"]
    assert [root["value"]["White"] for root in made["roots"]] == ["1", "1"]
    assert run("table", "verify", folder, "rook_ending", *places[2:]).code == 0
    solved = run("solve", "rook_ending", *places[2:], "--table", folder, "--json").record
    assert solved["counts"]["lookups"] > 0
    assert run("table", "query", folder, "--root", "2", "--json").record["value"] == solved["value"]


@pytest.mark.parametrize(
    ("payoff", "other"), [((Fraction(3), Fraction(-1)), (Fraction(-1), Fraction(3))), (None, None)]
)
def test_players_who_change_places_change_payoffs_if_there_are_any(payoff, other):
    assert (exchanged(payoff, False), exchanged(payoff, True)) == (payoff, other)
