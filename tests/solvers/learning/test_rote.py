"""Samuel's rote learning: what is kept, refreshed and forgotten, on games where that can be told beforehand."""

from __future__ import annotations

from array import array
from fractions import Fraction
from random import Random
from types import SimpleNamespace

import pytest
from attrs import evolve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.learning import read_weights, records_of, write_weights
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels import memory
from zermelo.solvers.kernels.rote import FADING
from zermelo.solvers.solution import Endgames
from zermelo.solving import solve_knowing

pytest.importorskip("pyarrow")

LENGTH = 30

CHAIN = """
game "Chain"                               # nobody has a choice
players Ann, Bob

var at: 0..30 = 0
feature far(p) = if p == Ann then at else -at
weight far = 1/100
estimate for p: weighted sum

start at play(Ann)

phase play(p: Player):
    turn p:
        move step:
            at += 1
            if at == 30: end payoff (1/2, -1/2)
            go play(other p)
"""

MACHINES = pytest.mark.parametrize("machine", ["native", "python"])

DIRECTION = """
game "Direction"                           # Ann wins at once, or in three moves, or puts it off
players Ann, Bob

var at: 0..3 = 0
feature far(_p) = 0 * at
weight far = 1
estimate for p: weighted sum

start at choose

phase choose:
    turn Ann:
        move late:
            at := 1
            go on(Bob)
        move soon: end WHOEVER

phase on(p: Player):
    turn p:
        move step:
            at += 1
            if at == 3: end WHOEVER
            go on(other p)
"""


def learnt(game, games, **how):
    how = {"depth": 2, "exploration": 0, **how}
    return zermelo.learn(game, method="rote", games=games, **how)


def rows(found):
    """The scores, depths and ages by the keys."""
    kept = found.records
    keys = [tuple(kept.keys[k * kept.width : (k + 1) * kept.width]) for k in range(len(kept))]
    return dict(zip(keys, zip(kept.scores, kept.depths, kept.ages, strict=True), strict=True))


def faded(value, depth):
    return value * (1 - FADING) ** depth


@MACHINES
@pytest.mark.parametrize("games", [1, 2, 3, 7])
def test_kept_depths_add_up(games, machine):
    """Where nobody has a choice, the n-th play finds behind each position the score of the play before: two plies more
    each time, up to the end."""
    found = learnt(zermelo.loads(CHAIN).on(machine), games)
    assert list(found.records.depths) == [min(2 * games, LENGTH - at) for at in range(LENGTH)]
    for at, score in enumerate(found.records.scores):
        ahead = at + 2 * games
        assert score == pytest.approx(faded(ahead / 100 if ahead < LENGTH else 0.5, min(2 * games, LENGTH - at)))


@MACHINES
def test_what_is_counted(machine):
    """In each play but the first one a score is found behind every position but the last two, and all are refreshed;
    the ages of those that are found are halved after each play, and grow by 1."""
    found = learnt(zermelo.loads(CHAIN).on(machine), 4)
    assert found.progression.hits == 3 * (LENGTH - 2)
    assert found.progression.refreshed == 3 * LENGTH
    assert found.progression.forgotten == 0
    assert set(found.records.ages) == {1}


@MACHINES
@pytest.mark.parametrize("room", [1, 4, 29])
def test_the_oldest_are_forgotten(room, machine):
    """Those that are used stay. In the first play of a chain all are as old, so that the first ones are forgotten; in
    the next ones they come anew, and the others are used again; those that have been met first go."""
    found = learnt(zermelo.loads(CHAIN).on(machine), 1, records=room)
    assert found.progression.forgotten == LENGTH - room and len(found.records) == room
    whole = rows(learnt(zermelo.loads(CHAIN).on(machine), 1))
    kept = rows(found)
    assert list(kept) == list(whole)[LENGTH - room :] and all(whole[key] == row for key, row in kept.items())


LEAVES = """
game "Leaves"                              # the first play passes over more than comes again
players Ann, Bob

var at: 0..9 = 0
var plays: 0..9 = 0
feature far(p) = if p == Ann then at else -at
weight far = 1/10
estimate for p: weighted sum

start at play(Ann)

phase play(p: Player):
    turn p:
        move step(n in 1..2) if at + n <= 9:
            at += n
            if at == 9: end draw
            go play(other p)
"""


def test_ages_grow_and_are_halved():
    """What exploring has met once grows older by 1 with each play, but for those that look-ups find; so no age is more
    than the plays since, and some are."""
    few, many = (learnt(zermelo.loads(LEAVES), games, exploration=0.3, seed=3) for games in (5, 60))
    before, after = rows(few), rows(many)
    assert before.keys() <= after.keys()
    assert all(1 <= age <= 60 for _, _, age in after.values())
    assert len({age for _, _, age in after.values()}) > 1


@pytest.mark.parametrize(("who", "move"), [("win Ann", "soon"), ("win Bob", "late")])
def test_direction(who, move):
    """Of two wins the nearer one, of two losses the later one: what the root is worth tells which was chosen."""
    found = learnt(zermelo.loads(DIRECTION.replace("WHOEVER", who)), 1, depth=4)
    depth = {"soon": 1, "late": 3}[move]
    assert found.records.depths[0] == depth
    assert found.records.scores[0] == pytest.approx(faded(1 if who == "win Ann" else -1, depth))


def key_of(game, state):
    from zermelo.solvers.tables.keys import KeyFinder
    from zermelo.solving import on_machine

    finder = KeyFinder(game.searching, None)
    return finder.of(on_machine(state, finder.machine))


def as_endgames(known):
    """Known values as searches look them up."""
    halves, outcomes, payoffs = array("i"), array("i"), []
    for key, value in sorted(known.items()):
        for word in key:
            halves.extend(((word >> 32) - (1 << 31), (word & 0xFFFFFFFF) - (1 << 31)))
        outcomes.append(len(payoffs))
        payoffs.append(value)
    return Endgames(halves, outcomes, payoffs, None, is_estimate=True)


@pytest.mark.parametrize("solver", ["minimax", "alphabeta", "principal_variation", "expectiminimax", "maxn", "mtdf"])
@pytest.mark.parametrize(("depth", "behind"), [(1, 2), (2, 2), (2, 3)])
def test_at_the_horizon_depths_add_up(solver, depth, behind):
    """If all positions at the horizon have been searched, and so been kept, it is as if they were searched now."""
    game = zermelo.load("connect_four", rows=4, columns=4)
    begin = game.initial.after("drop(2)").after("drop(2)").after("drop(1)")
    known = {}
    states = [begin]
    for _ in range(depth):
        states = [after for state in states for move in state.moves if not (after := state.after(move)).is_over]
    for state in states:
        known[key_of(game, state)] = zermelo.solve(state, depth=behind).value
    found, plain, far = (
        solve_knowing(game.facts, game, begin, solver, limits=Limits(depth=plies), endgames=endgames)
        for plies, endgames in ((depth, as_endgames(known)), (depth, None), (depth + behind, None))
    )
    assert found.value == far.value != plain.value
    assert not found.exact and found.counts.get("lookups", 0) == 0 and found.counts["depth"] == depth


def test_a_kept_score_does_not_end_a_search():
    """Unlike an exact value, which is as good as the end of the play."""
    game = zermelo.load("tic_tac_toe")
    nonsense = {
        key_of(game, state): (Fraction(5), Fraction(-5)) for state in map(game.initial.after, game.initial.moves)
    }
    found = solve_knowing(game.facts, game, None, limits=Limits(depth=3), endgames=as_endgames(nonsense))
    assert found.value == zermelo.solve(game, depth=3).value
    assert solve_knowing(game.facts, game, None, limits=Limits(depth=1), endgames=as_endgames(nonsense)).value[0] == 5


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_the_same_seed_gives_the_same_file(name, tmp_path):
    files = []
    for machine in ("native", "python"):
        files.append(tmp_path / f"{machine}.parquet")
        write_weights(files[-1], learnt(zermelo.load(name).on(machine), 12, exploration=0.2, seed=4, depth=1))
    one, other = (file.read_bytes() for file in files)
    assert one == other


def test_learning_goes_on_where_it_stopped(tmp_path):
    """Also when there is no room, so that the order of the records counts."""
    game, file = zermelo.load("tic_tac_toe"), tmp_path / "half.parquet"
    how = {"exploration": 0.3, "records": 40, "seed": 2}
    write_weights(file, learnt(game, 25, **how))
    half = read_weights(file)
    assert len(half.records) == 40 and half.progression.forgotten > 0
    write_weights(file, zermelo.learn(game, games=60, resume=half))
    whole = tmp_path / "whole.parquet"
    write_weights(whole, learnt(game, 60, **how))
    assert file.read_bytes() == whole.read_bytes()


def test_scores_are_looked_up_by_searches():
    """What the root is worth by a look into the future that nobody has now: two plies deep, the scores of six."""
    game = zermelo.loads(CHAIN)
    known = learnt(game, 3)
    found = solve_knowing(game.facts, game, None, limits=Limits(depth=2), endgames=records_of(game, known))
    assert found.value[0] == Fraction(round(faded(8 / 100, 6) * 100_000), 100_000)
    assert records_of(game, zermelo.learn(game, games=1)) is None


def test_games_whose_positions_have_no_keys():
    with pytest.raises(ZermeloError) as refused:
        learnt(zermelo.loads(CHAIN).on("reference"), 1)
    assert refused.value.code == "no-table"
    with pytest.raises(ZermeloError) as refused:
        learnt(zermelo.loads(CHAIN.replace("\nvar at", "\ndiscount 9/10\nvar at")), 1)
    assert refused.value.code in ("no-table", "needs-constant-sum")


def damaged(data, how):
    return {"cut": data[:-9], "flipped": data[:80] + bytes([data[80] ^ 1]) + data[81:], "empty": b"PAR1"}[how]


@pytest.mark.parametrize("how", ["cut", "flipped", "empty"])
def test_a_damaged_file_is_refused(how, tmp_path):
    file = tmp_path / "x.parquet"
    write_weights(file, learnt(zermelo.loads(CHAIN), 3))
    file.write_bytes(damaged(file.read_bytes(), how))
    with pytest.raises(ZermeloError) as refused:
        read_weights(file)
    assert refused.value.code == "bad-weights"


@pytest.mark.parametrize("score", [1e300, -1e10, float("inf"), float("nan")])
def test_scores_that_nobody_can_have_learnt_are_refused(score, tmp_path):
    file, known = tmp_path / "x.parquet", learnt(zermelo.loads(CHAIN), 3)
    known.records.scores[0] = score
    write_weights(file, known)
    with pytest.raises(ZermeloError) as refused:
        read_weights(file)
    assert refused.value.code == "bad-weights" and "no number that could have been learnt" in refused.value.message


def test_foreign_files_are_refused(tmp_path):
    import pyarrow
    from pyarrow import parquet

    file = tmp_path / "x.parquet"
    parquet.write_table(pyarrow.table({"a": [1]}), file)
    with pytest.raises(ZermeloError, match="does not say that it has weights"):
        read_weights(file)
    found = learnt(zermelo.loads(CHAIN), 1)
    write_weights(file, evolve(found, records=evolve(found.records, layout="another")))
    with pytest.raises(ZermeloError, match="another version"):
        zermelo.with_weights(zermelo.loads(CHAIN), file)
    with pytest.raises(ZermeloError, match="they are for Chain"):
        zermelo.with_weights(zermelo.load("tic_tac_toe"), file)


@pytest.mark.parametrize(("name", "cell"), [("score", "a"), ("score", None), ("key0", "a"), ("depth", 0.5)])
def test_a_file_with_other_things_in_its_columns_is_refused(name, cell, tmp_path):
    import pyarrow
    from pyarrow import parquet

    file = tmp_path / "x.parquet"
    write_weights(file, learnt(zermelo.loads(CHAIN), 3))
    table = parquet.read_table(file)
    column = pyarrow.array([cell] * table.num_rows)
    parquet.write_table(table.set_column(table.column_names.index(name), name, column), file)
    with pytest.raises(ZermeloError, match="other things in them"):
        read_weights(file)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("room", [1, 3, 8])
def test_those_that_were_used_longest_ago_are_forgotten(seed, room, monkeypatch):
    """Of those that are as old, the first ones; the others are found by their keys, and stay in their order."""
    random = Random(seed)
    monkeypatch.setattr(memory, "ROOM", room, raising=False)
    monkeypatch.setattr(memory, "KEY", 1)
    monkeypatch.setattr(memory, "slot_of", lambda key, size: key[0] % 7)
    used = [random.randrange(4) for _ in range(10)]
    kept = SimpleNamespace(count=10, now=5, forgotten=7, table=[0] * 64, used=[*used, 0], keys=[*range(100, 110), 0])
    kept.scores, kept.depths = [k / 10 for k in range(11)], list(range(11))
    memory.forget_oldest(kept)
    gone = sorted(range(10), key=lambda row: (used[row], row))[: 10 - room]
    left = [row for row in range(10) if row not in gone]
    assert (kept.count, kept.forgotten) == (room, 7 + 10 - room)
    assert kept.keys[:room] == [100 + row for row in left]
    assert kept.used[:room] == [used[row] for row in left]
    assert kept.depths[:room] == left and kept.scores[:room] == [row / 10 for row in left]
    assert [kept.table[memory.place_of(kept, [key])] for key in range(100, 110)] == [
        left.index(row) + 1 if row in left else 0 for row in range(10)
    ]
