"""Df-pn, and values found by threshold questions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from all_machines import compiled_machine, native_machine, needs_llvm, python_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_trees import trees
from reaching import reached
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import INFINITE, JustAbove
from zermelo.solvers.kernels.dfpn import MANY, NEVER, Known, Search, remembered
from zermelo.solvers.running import path_search
from zermelo.solvers.running.exact_backend import ExactBackend
from zermelo.solvers.running.path_search import PathSearch
from zermelo.solvers.search import dfpn
from zermelo.solvers.search.alphabeta import minimax
from zermelo.solvers.search.dfpn import Question
from zermelo.solvers.solution import Problem
from zermelo.solving import facts_of

GAMES = [
    ("tic_tac_toe", {}),
    ("connect_four", {"rows": 3, "columns": 4, "run": 3}),
    ("two_ply_tree", {}),
    ("nim", {}),
    ("hex", {"size": 3}),
    ("dots_and_boxes", {"rows": 1, "columns": 2}),
]

# Whoever finds three left cannot even list his moves.
BROKEN = """
game "Broken"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..6 = 6
start at play(A)
phase play(p: Player):
    turn p:
        move take(n in 1..3) if n <= left and 6 / (left - 3) != 7:
            left -= n
            go play(other p)
    otherwise:
        end win other p
"""


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(written=trees(), bound=st.sampled_from([None, 3, 5]))
def test_it_finds_what_minimax_finds(tree, known, written, bound):
    machine = tree(written)
    fitting = known() if bound is None else known(bounds=((-bound, bound), (-bound, bound)))
    plain = minimax(Problem(machine, fitting, machine.initial()))
    found = solve(machine, fitting, "dfpn")
    assert found.exact
    assert found.value == plain.value
    assert found.best[0] in plain.best if plain.best else found.best == ()
    state = reached(machine, found.line)
    assert machine.actor(state) == END
    assert machine.payoff(state) == plain.value


@pytest.mark.parametrize(("game", "parameters"), GAMES)
def test_the_kernel_visits_what_the_reference_visits(game, parameters):
    loaded = zermelo.load(game, **parameters)
    known = facts(loaded.model)
    plain = solve(loaded.reference, known, "dfpn")
    fast = solve(native_machine(loaded.model), known, "dfpn")
    assert (fast.value, fast.line, fast.counts) == (plain.value, plain.line, plain.counts)
    assert fast.value == solve(loaded.reference, known, "alphabeta_table").value


@pytest.mark.parametrize("make", [lambda game: game.reference, lambda game: native_machine(game.model)])
def test_a_rule_that_goes_wrong_is_found_by_the_play_to_it(make):
    game = zermelo.loads(BROKEN)
    with pytest.raises(zermelo.PlayError) as raised:
        solve(make(game), game.facts, "dfpn")
    assert list(map(str, raised.value.play)) == ["take(3)"]


def test_wins_and_losses_take_one_question():
    game = zermelo.load("nim")
    assert solve(game.reference, game.facts, "dfpn").counts["questions"] == 1


def test_a_table_that_is_too_small_costs_time_and_nothing_else():
    game = zermelo.load("tic_tac_toe")
    wide = solve(game.reference, game.facts, "dfpn")
    tight = solve(game.reference, game.facts, "dfpn", limits=Limits(memory=50 << 10))
    assert tight.value == wide.value
    assert tight.counts["nodes"] > wide.counts["nodes"]
    native = solve(native_machine(game.model), game.facts, "dfpn", limits=Limits(memory=1 << 18))
    assert native.value == wide.value


@pytest.mark.parametrize("make", [lambda game: game.reference, lambda game: native_machine(game.model)])
def test_a_limit_tells_what_has_been_proved(make):
    game = zermelo.load("two_ply_tree")
    with pytest.raises(ZermeloError) as raised:
        solve(make(game), game.facts, "dfpn", limits=Limits(nodes=13))
    assert raised.value.code == "out-of-nodes"
    assert "proved that MAX gets at least 2 and at most" in raised.value.message


def test_questions():
    assert Question(1).is_met(1)
    assert not Question(1, strictly=True).is_met(1)


@pytest.mark.parametrize("amount", [0, Fraction(1, 3), -(10**30), INFINITE, -INFINITE])
def test_just_above_an_amount_is_nothing_else(amount):
    least = JustAbove(amount)
    assert amount < least and not amount >= least
    for more in (amount + Fraction(1, 10**40), INFINITE):
        assert more <= amount or more >= least


# What tells the payoffs apart is too small for the native machine.
FINE = """
game "Fine"
players A, B
define unit = 1 / 10000000000000000000000
start at first
phase first:
    turn A:
        move a: go second
        move b: end payoff (unit, -unit)
phase second:
    turn B:
        move c: end payoff (2 * unit, -2 * unit)
        move d: end payoff (3 * unit, -3 * unit)
"""


def test_questions_between_payoffs_of_any_size():
    game = zermelo.loads(FINE)
    found = solve(game.reference, facts(game.model), "dfpn")
    assert found.value == solve(game.reference, facts(game.model), "minimax").value
    assert list(map(str, found.line)) == ["a", "c"]


@pytest.mark.parametrize(
    ("name", "parameters"), [("tic_tac_toe", {}), ("connect_four", {"rows": 4, "columns": 4}), ("go", {"size": 2})]
)
def test_a_table_that_grows_changes_no_value(name, parameters, monkeypatch):
    game = zermelo.load(name, **parameters)
    at_once = solve(game.searching, game.facts, "dfpn")
    monkeypatch.setattr(path_search, "LARGE", 1 << 12)
    growing = solve(game.searching, game.facts, "dfpn")
    assert growing.value == at_once.value
    assert growing.counts["nodes"] > at_once.counts["nodes"]


@pytest.mark.parametrize("most", [1 << 6, 1 << 9, 1 << 11, 1 << 20])
def test_a_table_grows_once_a_node_has_been_made_for_each_entry(most, monkeypatch):
    """To eight times its size, while there is memory; at one go at most as many nodes are made as there are moves."""
    go_on, sizes = PathSearch.go_on, {1 << 6: 0}

    def spied(self, root, steps):
        size, nodes = len(self.search.table), self.search.nodes
        if size not in sizes:
            before = max(sizes)
            assert size == min(8 * before, most) and before <= nodes < before + 9
        sizes.setdefault(size, nodes)
        assert size == most or nodes < nodes + steps <= size
        return go_on(self, root, steps)

    monkeypatch.setattr(PathSearch, "go_on", spied)
    monkeypatch.setattr(dfpn, "spacious_table_size", lambda width, kernels: 1 << 6)
    monkeypatch.setattr(dfpn, "table_size", lambda limits, width, kernels: most)
    game = zermelo.load("tic_tac_toe")
    found = solve(python_machine(game.model), game.facts, "dfpn")
    assert found.value == (0, 0) and found.counts["nodes"] > 1 << 12
    assert max(sizes) == min(most, 1 << 15)


def test_a_search_that_forgets_what_it_finds_is_ended(monkeypatch):
    game = zermelo.load("tic_tac_toe")
    monkeypatch.setattr(ExactBackend, "forgets", lambda self, kernels: True)
    with pytest.raises(ZermeloError) as raised:
        solve(game.reference, game.facts, "dfpn")
    assert raised.value.code == "out-of-memory"


# Df-pn where plays go round: random graphs of positions, against the solver of positions, which goes back from ends.
#
# What a player can force whatever endless plays are worth, that solver finds in the same rules with an endless play
# that is worse for them than any end.


WORST = 9
"""More than any play pays that ends."""

MAKERS = [
    pytest.param(ReferenceMachine, range(24), id="reference"),
    pytest.param(python_machine, range(24, 30), id="python"),
    pytest.param(compiled_machine, range(30, 33), id="native", marks=needs_llvm),
]


def circles(seed: int, endless: int | None, size: int = 16) -> str:
    """A graph of so many positions, in which somebody has one to three moves."""
    random = Random(seed)
    ends, payoffs = random.choice((8, 15, 30)), random.choice(((-1, 1), (-2, -1, 0, 1, 2)))
    lines = ['game "Circles"', "players Ann, Bob"]
    lines += [] if endless is None else [f"endless payoff ({endless}, {-endless})"]
    lines += ["start at s0", ""]
    for place in range(size):
        lines += [f"phase s{place}:", f"    turn {random.choice(('Ann', 'Bob'))}:"]
        for k in range(random.choice((1, 2, 2, 3))):
            paid = random.choice(payoffs)
            way = f"end payoff ({paid}, {-paid})" if random.randrange(100) < ends else f"go s{random.randrange(size)}"
            lines.append(f"        move m{k}: {way}")
        lines.append("")
    return "\n".join(lines)


def roots(machine):
    """A state in every position in which somebody moves."""
    found = {machine.position(machine.initial()): machine.initial()}
    waiting = list(found.values())
    while waiting:
        state = waiting.pop()
        for after in (machine.after(state, move) for move in machine.moves(state)):
            if machine.actor(after) != END and machine.position(after) not in found:
                found[machine.position(after)] = after
                waiting.append(after)
    return list(found.values())


@cache
def loaded(seed: int, endless: int | None):
    """The game with its facts, checked once for tables of every size."""
    game = zermelo.loads(circles(seed, endless))
    return game, facts_of(game)


@cache
def running(make, seed: int, endless: int | None):
    """A machine of the game."""
    return make(loaded(seed, endless)[0].model)


@cache
def forced(seed: int, endless: int) -> list[Fraction]:
    """What every position is worth, in the order of :func:`roots`, if this is what an endless play pays."""
    game, known = loaded(seed, endless)
    return [solve(game.reference, known, "positions", root=root).value[0] for root in roots(game.reference)]


def proved(machine, known, root) -> Fraction | str:
    """What df-pn calls the value, or why it says that it has none."""
    try:
        found = solve(machine, known, "dfpn", root=root, limits=Limits(nodes=3_000))
    except zermelo.ZermeloError as refused:
        return refused.code
    assert found.exact
    return found.value[0]


@pytest.mark.parametrize("entries", [8, 16, 1 << 12])
@pytest.mark.parametrize(("make", "seeds"), MAKERS)
def test_it_proves_what_can_be_forced_and_nothing_else(make, seeds, entries, monkeypatch):
    monkeypatch.setattr(dfpn, "table_size", lambda limits, width, kernels: entries)
    counted = Counter[str]()
    for seed in seeds:
        try:
            least, most = forced(seed, -WORST), forced(seed, WORST)
        except zermelo.InvalidGame:  # there is no way from some position to an end
            continue
        for endless in (None, 0, -WORST):
            machine, (_, known) = running(make, seed, endless), loaded(seed, endless)
            low, high = known.bounds[0] if known.has_endless else (-WORST, WORST)
            for root, a, b in zip(roots(machine), least, most, strict=True):
                below, above = max(a, low), min(b, high)
                found = proved(machine, known, root)
                if found != "out-of-nodes":  # a table that holds little makes a search long
                    assert found == (below if below == above else "needs-end"), (seed, endless)
                counted[found if isinstance(found, str) else "proved"] += 1
    assert counted["proved"] > 20 and counted["needs-end"] > 20, counted
    assert counted["out-of-nodes"] < counted["proved"], counted


def remembers(proof: int, disproof: int, rests: int, high: int = 9) -> tuple[int, int, int]:
    """What the table remembers of a state at depth 5 asked for 1 or more, and what its failure rests on then."""
    known = SimpleNamespace(proof=proof, disproof=disproof, low=-9, high=high)
    search = SimpleNamespace(need=1, outlook=SimpleNamespace(rests=rests))
    remembered(cast(Search, search), cast(Known, known), 5)
    return known.proof, known.disproof, search.outlook.rests


@pytest.mark.parametrize("rests", [5, 6, NEVER])
def test_a_failure_that_needs_nothing_further_up_is_one_on_every_path(rests):
    assert remembers(NEVER, 0, rests) == (NEVER, 0, NEVER)
    assert remembers(0, NEVER, rests) == (0, NEVER, NEVER)


@pytest.mark.parametrize("rests", [0, 4])
def test_a_failure_on_one_path_decides_nothing_on_another(rests):
    assert remembers(NEVER, 0, rests) == (MANY, 1, rests)
    assert remembers(0, NEVER, rests) == (1, MANY, rests)
    assert remembers(7, 3, rests) == (7, 3, rests)


def test_what_bounds_say_holds_on_every_path():
    assert remembers(NEVER, 0, rests=2, high=0) == (NEVER, 0, NEVER)


ROUND_ABOUT = """\
game "Round about"
players Ann, Bob
endless payoff (0, 0)
start at root

phase root:
    turn Bob:
        move near: go near
        move far: go far
phase near:
    turn Ann:
        move stay: go near
        move round: go round
        move win: go won
phase round:
    turn Ann:
        move lose: end win Bob
        move back: go near
phase won:
    turn Bob:
        move either: end win Ann
        move other: end win Ann
        move neither: end win Ann
phase far:
    turn Ann:
        move first: end win Bob
        move second: end win Bob
        move third: end win Bob
        move stay: go far
        move last: go round
"""


def test_who_fails_behind_the_best_of_their_moves_may_succeed_on_another_path_behind_another():
    """Searched from ``near``, ``round`` fails because ``near`` is on the path; from ``far`` it leads to a win."""
    game = zermelo.loads(ROUND_ABOUT)
    assert proved(game.reference, facts_of(game), game.reference.initial()) == 1
