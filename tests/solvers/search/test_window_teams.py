"""Several threads that search one position over one table: the value, the best move and the line of one thread."""

from __future__ import annotations

from threading import Event, Thread
from types import SimpleNamespace

import pytest
from all_machines import native_machine, needs_llvm, python_machine

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.native.dialect import language, words
from zermelo.interpreter.native.running.views import PythonViews, RuleError, Stopped
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running import path_search
from zermelo.solvers.search import window_search
from zermelo.solvers.search.alphabeta import alphabeta_table
from zermelo.solvers.search.window_search import _Teammate, enhanced_alphabeta
from zermelo.solvers.solution import Answer, Problem

pytestmark = needs_llvm

GAMES = {
    "connect_four": {"rows": 4, "columns": 4, "run": 3},
    "domineering": {"rows": 4, "columns": 4},
    "nim": {},
    "tic_tac_toe": {},
}


@pytest.fixture
def slices(monkeypatch):
    """How many slices others have worked; they join at once, and change the order of moves as often as they can."""
    made = []

    def work(mate, steps):
        made.append(steps)
        return worked(mate, steps)

    worked = _Teammate.work
    monkeypatch.setattr(_Teammate, "work", work)
    monkeypatch.setattr(window_search, "_ALONE", 0)
    monkeypatch.setattr(window_search, "_MARKS", 4)
    return made


def search(game: zermelo.Game, threads: int, memory: int = 1 << 24, make=native_machine) -> Answer:
    machine = make(game.model)
    limits = Limits(memory=memory, threads=threads)
    return enhanced_alphabeta(Problem(machine, facts(game.model), machine.initial(), limits=limits))


def told(answer: Answer) -> tuple[object, ...]:
    return answer.value, answer.best, answer.line


@pytest.mark.parametrize("name", GAMES)
def test_a_team_finds_what_one_finds(name, slices):
    game = zermelo.load(name, **GAMES[name])
    alone = search(game, 1)
    assert not slices
    for threads in (2, 3, 8):
        assert told(search(game, threads)) == told(alone)
    assert slices
    machine = native_machine(game.model)
    assert alone.value == alphabeta_table(Problem(machine, facts(game.model), machine.initial())).value


def test_a_team_keeps_to_one_order_where_the_file_ranks_moves(slices, monkeypatch):
    """What one thread has learned before the others join."""

    def go_on(calls, steps):
        answer = right(calls, steps)
        if calls._others.mates:
            met.update(tuple(each.history) for each in (calls.search, *(mate.search for mate in calls._others.mates)))
        return answer

    met = set()
    right = window_search._Calls._go_on
    monkeypatch.setattr(window_search._Calls, "_go_on", go_on)
    monkeypatch.setattr(window_search, "_ALONE", 1 << 8)
    search(zermelo.load("connect_four", rows=4, columns=5), 3)
    assert slices
    (history,) = met
    assert any(history)


def test_a_team_over_a_table_that_is_too_small(slices):
    """Entries of all threads give way to each other all the time."""
    game = zermelo.load("connect_four", rows=4, columns=5, run=4)
    alone = search(game, 1)
    for _ in range(5):
        assert told(search(game, 8, memory=1 << 16)) == told(alone)
    assert slices


def test_a_team_that_takes_turns_does_little_twice(monkeypatch, slices):
    """Two searches, each for a hundred steps at a time, so that every run counts the same. They would visit 1.3 times
    as many positions as one if moves were put off where one is expected to cut off."""

    def lay(team, table):
        for mate in team.mates:
            mate.kernels.replace(mate.search, table=table)

    def take_turns(calls, steps):
        answer = go_on(calls, min(steps, 100))
        for mate in calls._others.mates:
            if not mate.over:
                mate.work(min(steps, 100))
        return answer

    go_on = window_search._Calls._go_on
    monkeypatch.setattr(window_search._Team, "search", lay)
    monkeypatch.setattr(window_search._Calls, "_go_on", take_turns)
    game = zermelo.load("connect_four", rows=4, columns=4)
    alone, together = (search(game, threads) for threads in (1, 2))
    assert told(together) == told(alone) and slices
    assert together.counts["nodes"] < 1.2 * alone.counts["nodes"]


def test_a_team_rehashes_its_table_together(monkeypatch, slices):
    """Chunk by chunk, each by one of them, in place once it is large; entries that were lost would do no harm, others
    would change what is found."""
    sizes = []
    grow = window_search._Calls._grow

    def watched(calls):
        before = len(calls.search.table)
        grow(calls)
        sizes.append((before, len(calls.search.table)))

    monkeypatch.setattr(path_search, "_FIRST", 1 << 6)
    monkeypatch.setattr(path_search, "_CHUNK", 1 << 5)
    monkeypatch.setattr(path_search, "LARGE", 1 << 12)
    monkeypatch.setattr(window_search._Calls, "_grow", watched)
    game = zermelo.load("connect_four", rows=4, columns=5, run=4)
    alone = search(game, 1, memory=1 << 22)
    del sizes[:]
    for threads in (2, 5):
        assert told(search(game, threads, memory=1 << 22)) == told(alone)
    assert len(sizes) > 4 and all(before < after for before, after in sizes)


@pytest.mark.parametrize("threads", [1, 3])
def test_counts_are_those_of_all_threads(slices, monkeypatch, threads):
    """Not only those of the one that answers, whose first search is the one that counts."""

    def run(calls, root):
        right(calls, root)
        own.append(calls.search.nodes)

    own, right = [], window_search._Calls.run
    monkeypatch.setattr(window_search._Calls, "run", run)
    counted = search(zermelo.load("connect_four", rows=4, columns=4, run=4), threads).counts["nodes"]
    assert counted > own[0] if threads > 1 else counted == own[0]


@pytest.mark.parametrize("error", [RuleError(1), Stopped()])
def test_what_another_thread_meets_is_no_fault_of_the_search(error):
    """It may look where the search that answers need not look."""

    class Kernels:
        def go_on_with(self, *arguments):
            raise error

    mate = _Teammate(Kernels(), SimpleNamespace(calls=[None] * 8))
    mate.work(100)
    assert mate.over


def test_an_interrupt_between_two_starts_leaves_no_thread_at_work(monkeypatch):
    """A thread that is left would go on over lists that the process gives up."""
    made = []

    class Mate:
        over = False
        search = None

        def __init__(self):
            self.stopped = Event()
            self.kernels = SimpleNamespace(
                replace=lambda search, table: None, stop=self.stopped.set, go_on=lambda: None
            )

        def work(self, steps):
            self.stopped.wait(10)

    class Interrupted(Thread):
        def start(self):
            if made:
                raise KeyboardInterrupt
            made.append(self)
            super().start()

    monkeypatch.setattr(window_search, "Thread", Interrupted)
    team = window_search._Team([Mate(), Mate()])
    with pytest.raises(KeyboardInterrupt):
        team.search(None)
    assert made[0].is_alive()
    team.rest()
    assert not made[0].is_alive()


@pytest.mark.parametrize("when", ["search", "grow"])
def test_a_search_that_fails_leaves_no_thread_at_work(monkeypatch, slices, when):
    """Neither one that searches nor one that rehashes goes on over lists that the process gives up."""

    def fail(calls, *arguments):
        answer = right(calls, *arguments)
        teams.append(calls._others)
        if calls._others.mates:
            raise KeyboardInterrupt
        return answer

    teams = []
    name, owner = {"search": ("_go_on", window_search._Calls), "grow": ("_spread", path_search.TableSearch)}[when]
    right = getattr(owner, name)
    monkeypatch.setattr(owner, name, fail)
    monkeypatch.setattr(path_search, "_FIRST", 1 << 6)
    with pytest.raises(KeyboardInterrupt):
        search(zermelo.load("connect_four", rows=4, columns=5), 3)
    assert teams[-1].mates and not teams[-1]._threads


def test_small_games_and_limits_of_nodes_are_for_one_thread(slices, monkeypatch):
    game = zermelo.load("connect_four", rows=4, columns=4, run=3)
    monkeypatch.setattr(window_search, "_ALONE", 1 << 18)
    assert search(game, 4).counts == search(game, 1).counts
    assert not slices


def test_the_number_of_threads_is_a_whole_number():
    with pytest.raises(zermelo.ZermeloError, match="threads is 0, but must be a whole number"):
        zermelo.load("nim").solve(threads=0)


def test_an_entry_is_used_by_one_thread_at_a_time(monkeypatch):
    """Whoever reads an entry, but for the beginning of its key, has claimed its pair, and one pair at a time: as is
    seen where a kernel for a team runs as Python, in one thread. An entry is not written without having been read. The
    table is so small that it does not grow, which one thread does alone."""
    claimed, whether = [], []

    def claim(holds, place):
        assert not claimed
        claimed.append(holds)
        return words.claim(holds, place)

    def release(there, place, number):
        assert claimed
        if there is claimed[0]:
            claimed.clear()
        words.release(there, place, number)

    def read(entry):
        whether.append(len(claimed))
        return entry.__dict__.get("rest", 0)

    def record(views, name):
        made = unwatched(views, name)
        if name == "Entry":
            made.rest = property(read, lambda entry, rest: entry.__dict__.update(rest=rest))
        return made

    unwatched = PythonViews.record
    monkeypatch.setattr(PythonViews, "record", record)
    monkeypatch.setitem(language._BUILTINS, "claim", claim)
    monkeypatch.setitem(language._BUILTINS, "release", release)
    found = search(zermelo.load("nim"), 2, memory=1 << 18, make=python_machine)
    assert set(whether) == {1} and not claimed
    assert found.counts["hits"] > 0
