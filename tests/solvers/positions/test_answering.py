"""Answers by positions up to symmetry: those of the solver that keeps all positions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from attrs import evolve
from random_cases import seeds
from random_graphs import Wish, write_graph
from referee.exploring import explored
from referee.positions import Node, count_policies, numbers, read
from written_games import bundled_model, model_of

import zermelo
from tests.helpers.referee.linear_systems import solved
from zermelo import load, solve
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.model import Model
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions import answering
from zermelo.solvers.positions.answering import (
    KEPT_ALONE,
    images_of,
    is_own_mirror,
    positions,
    symmetric_guide,
)
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph
from zermelo.solvers.positions.undecided import FirstMoves
from zermelo.solvers.solution import Answer, Problem

WALK = """\
game "A walk in the square"
players Ann, Bob
type Cell = grid(3, 3)
var at: Cell = b2
var met: set of Cell = {b2}
var ahead[Player]: 0..9 = 0
endless draw
start at blow(Ann)
phase blow(p: Player):
    chance:
        outcome wind(d in directions(Cell)) weight (if at + d is none then 1 else 2):
            at := if at + d is none then at else at + d
            go step(p)
phase step(p: Player):
    turn p:
        move go_to(c in neighbours(at, orthogonal)):
            at := c
            if c not in met:
                met += {c}
                ahead[p] += 1
            if size(met) > 6: end payoff {q: ahead[q] - ahead[other q] for q in Player}
            go blow(other p)
        move rest: go blow(other p)
"""

CIRCLING = """\
game "Round and round"
players Ann, Bob
type Cell = grid(3, 2)
var piece[Cell]: Player? = none
endless draw
setup:
    piece[a1] := Ann
    piece[c1] := Ann
    piece[a2] := Bob
    piece[c2] := Bob
start at play(Ann)
phase play(p: Player):
    turn p:
        move go_to(from in {c in Cell if piece[c] == p}, to in neighbours(from, orthogonal)) if piece[to] != p:
            piece[to] := p
            piece[from] := none
            if no c in Cell: piece[c] == other p: end win p
            go play(other p)
"""


def problem_of(model: Model, machine: Any, play: tuple[int, ...] = (), memory: int = 1 << 28) -> Problem[Any]:
    """What is left of a game after moves and outcomes, given by their numbers."""
    root = machine.initial()
    for place in play:
        moves = machine.moves(root) or tuple(outcome for outcome, _ in machine.outcomes(root))
        root = machine.after(root, moves[place % len(moves)])
    return Problem(machine, facts(model), root, limits=Limits(memory=memory))


def check(problem: Problem[Any]) -> tuple[int, int]:
    """Check the answer by canonical positions against that by all; how many positions each has found."""
    plain = positions(problem)
    guide = symmetric_guide(problem)
    assert guide is not None
    found = answering._answer(problem, guide)
    assert (found.value, found.best, found.distance) == (plain.value, plain.best, plain.distance)
    assert (found.duration, found.lasting, found.perhaps_lasting) == (
        plain.duration, plain.lasting, plain.perhaps_lasting
    )  # fmt: skip
    assert plain.policy is not None and found.policy is not None
    assert found.policy.first() == plain.policy.first()
    follow(problem, found)
    return found.counts["nodes"], plain.counts["nodes"]


def follow(problem: Problem[Any], found: Answer) -> None:
    """Make the moves of the line, and see that each is legal and a best one, and that it ends where it is said to."""
    machine, state = problem.machine, problem.root
    for number, move in enumerate(found.line):
        listed = machine.moves(state)
        assert move in listed
        if number < 12:
            assert move in positions(evolve(problem, root=state)).best
        state = machine.after(state, move)
        assert machine.actor(state) != CHANCE or number == len(found.line) - 1
    if found.distance is not None:
        assert machine.actor(state) == END and found.distance == len(found.line)


@needs_llvm
@pytest.mark.parametrize(
    ("name", "parameters", "play"),
    [
        ("tic_tac_toe", {}, ()),
        ("tic_tac_toe", {}, (0, 3)),
        ("three_mens_morris", {}, ()),
        ("three_mens_morris", {}, (1, 2, 3)),
        ("nim", {}, ()),
        ("connect_four", {"rows": 4, "columns": 4, "run": 3}, (1,)),
        ("dots_and_boxes", {"rows": 2, "columns": 1}, ()),
        ("hex", {"size": 3}, ()),
        ("breakthrough", {"columns": 3, "rows": 5, "deep": 1}, (2,)),
        ("n_person_nim", {}, ()),
    ],
)
def test_bundled_games(name: str, parameters: dict[str, int], play: tuple[int, ...]) -> None:
    model = bundled_model(name, **parameters)
    some, every = check(problem_of(model, native_machine(model), play))
    assert some < every


@needs_llvm
def test_tic_tac_toe_has_765_positions_up_to_symmetry() -> None:
    """138 of them are ends, of which here those that pay the same are one: 627 others, and 3."""
    model = bundled_model("tic_tac_toe")
    guide = symmetric_guide(problem_of(model, native_machine(model)))
    assert guide is not None and len(guide.graph) == 627 + 3


@needs_llvm
@pytest.mark.parametrize("play", [(), (2, 1), (2, 0, 5, 3)])
@pytest.mark.parametrize("text", [WALK, CIRCLING])
def test_chance_and_circles(text: str, play: tuple[int, ...]) -> None:
    model = model_of(text)
    some, every = check(problem_of(model, native_machine(model), play))
    assert 1.4 * some < every


@needs_llvm
def test_memory_decides_how_positions_are_kept_and_nothing_else() -> None:
    model = model_of(WALK)
    problem = problem_of(model, native_machine(model))
    plain, scarce = positions(problem), evolve(problem, limits=Limits(memory=800_000))
    found = positions(scarce)
    assert found.notes == (KEPT_ALONE,) and plain.notes == ()
    assert (found.value, found.best, found.distance) == (plain.value, plain.best, plain.distance)
    assert found.counts["nodes"] < plain.counts["nodes"]
    assert isinstance(found.policy, FirstMoves)
    with pytest.raises(ZermeloError, match="is not listed") as refused:
        list(found.policy)
    assert refused.value.code == "out-of-memory" and "--policy" in refused.value.help
    with pytest.raises(ZermeloError, match="more than") as refused:
        positions(evolve(scarce, is_listed=True))
    assert "without --policy and --positions, positions up to symmetry may be enough" in refused.value.help
    with pytest.raises(ZermeloError, match="more than"):
        positions(evolve(scarce, limits=Limits(memory=200_000)))


def test_games_without_symmetries_that_keep_the_players() -> None:
    for name in ("chess", "pig", "goofspiel"):
        assert images_of(python_machine(bundled_model(name))) is None


TIES = """\
game "Bob does not care"
players Ann, Bob
var heap[1..8]: 0..3 = 0
var turns: 0..8 = 0
start at play(Ann)
phase play(p: Player):
    turn p:
        move add(h in 1..8) if turns < 8 and heap[h] < 3:
            turns += 1
            heap[h] += 1
            go play(other p)
    otherwise: end payoff {q: if q == Ann then count h in 1..8: heap[h] > 0 else {other} for q in Player}
"""


@needs_llvm
def test_memory_does_not_decide_how_ties_are_broken() -> None:
    """Whether an empty heap comes first or a full one is not the same up to symmetry: so the moves that are as good as
    another for Bob, and what they bring Ann, are others. Where Bob cares, there is nothing to choose."""
    for other, is_answered in (("0", False), ("-(count h in 1..8: heap[h] > 0)", True)):
        model = model_of(TIES.replace("{other}", other))
        problem = problem_of(model, native_machine(model))
        plain, guide = positions(problem), symmetric_guide(problem)
        assert guide is not None
        assert (answering._answer(problem, guide).best == plain.best) == is_answered
        scarce = evolve(problem, limits=Limits(memory=200_000))
        if is_answered:
            found = positions(scarce)
            assert (found.value, found.best) == (plain.value, plain.best)
            assert found.counts["nodes"] < plain.counts["nodes"]
        else:
            with pytest.raises(ZermeloError, match="there are more than"):
                positions(scarce)


def test_without_room_for_all_positions_there_may_be_room_for_those_up_to_symmetry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ann adds to an empty heap and Bob to a full one, if he wants few to be full: two of three are, after four turns.
    Their first moves are alike for Ann. If Bob does not care, nothing is told."""
    small = TIES.replace("1..8", "1..3").replace("turns < 8", "turns < 4")
    monkeypatch.setattr(answering, "_solve_one_by_one", _has_no_room)
    for other, is_answered in (("0", False), ("-(count h in 1..3: heap[h] > 0)", True)):
        model = model_of(small.replace("{other}", other))
        problem = problem_of(model, python_machine(model))
        if not is_answered:
            with pytest.raises(ZermeloError, match="no room"):
                positions(problem)
            continue
        found = positions(problem)
        assert (found.value, found.notes, found.distance) == ((2, -2), (KEPT_ALONE,), 4)
        assert list(map(str, found.best)) == ["add(1)", "add(2)", "add(3)"]
        follow(problem, found)
        # Sorted heaps after so many turns: 000; 001; 002, 011; 003, 012, 111; and two ends.
        assert found.counts["nodes"] == 7 + 2
        assert isinstance(found.policy, FirstMoves)
        assert [worth.payoff for worth in found.policy.first()] == [(2, -2)] * 3
        with pytest.raises(ZermeloError, match=f"only one has been kept, {found.counts['nodes']} in all"):
            list(found.policy)


@pytest.mark.parametrize(("least", "is_answered"), [(4, False), (1, True)])
def test_what_a_move_brings_may_depend_on_ties_behind_it(
    least: int, is_answered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann would rather leave, so that the value does not depend on ties of Bob's; what adding brings her does, unless
    it is the same to her too."""
    text = TIES.replace("1..8", "1..3").replace("turns < 8", "turns < 2").replace("{other}", "0")
    text = text.replace("Ann then count", f"Ann then min({least}, count").replace("> 0 else", "> 0) else")
    text = text.replace("    otherwise:", "        move leave if turns == 0: end payoff (5, 0)\n    otherwise:")
    monkeypatch.setattr(answering, "_solve_one_by_one", _has_no_room)
    model = model_of(text)
    problem = problem_of(model, python_machine(model))
    if is_answered:
        assert list(map(str, positions(problem).best)) == ["leave"]
    else:
        with pytest.raises(ZermeloError, match="no room"):
            positions(problem)


def test_without_symmetries_or_room_the_first_refusal_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "_solve_one_by_one", _has_no_room)
    for name, limits in (("pig", Limits()), ("tic_tac_toe", Limits(memory=1))):
        model = bundled_model(name)
        problem = evolve(problem_of(model, python_machine(model)), limits=limits)
        with pytest.raises(ZermeloError, match="no room"):
            positions(problem)


def _has_no_room(problem: Problem[Any]) -> Answer:
    raise ZermeloError("out-of-memory", "no room", "give it room")


FAILING = """\
game "A rule that fails in a mirror"
players Ann, Bob
type Cell = grid(2, 1)
var full[Cell]: 0..1 = 0
var turns: 0..3 = 0
setup:
    full[b1] := 1
start at play(Ann)
phase play(p: Player):
    turn p:
        move go_on if turns < 3 and (some c in Cell: 1 / (1 - full[c]) == 1):
            turns += 1
            for c in Cell: full[c] := full[c]
            go play(other p)
    otherwise: end win p
"""


def test_rules_that_fail_in_an_image_alone() -> None:
    """The rules find the empty cell before they would divide by 0, and do so in the mirror, whose key is less."""
    model = model_of(FAILING)
    problem = problem_of(model, python_machine(model))
    assert positions(problem).value == (-1, 1)
    assert images_of(problem.machine) is not None
    assert symmetric_guide(problem) is None


# Games that are their own mirror, against the referee's numbers of random games, whole and with one change.


ZERO = Fraction(0)


def mirrored_once(random: Random, graph: PositionGraph) -> PositionGraph:
    """A draw of chance between a game and its mirror; sometimes with an edge that leads to another place."""
    size = len(graph)
    amounts = [*graph.amounts, *(amount[::-1] for amount in graph.amounts)]
    kinds, targets, weights, rewards, firsts = [DRAWS], [1, 1 + size], [1, 1], [0, 0], [0, 2]
    for copy in (0, 1):
        for position, kind in enumerate(graph.kinds):
            if kind >= 0:
                kinds.append(1 - kind if copy else kind)
            else:
                kinds.append(kind - copy * len(graph.amounts) if kind <= PAYS else kind)
            edges = list(graph.edges(position))
            random.shuffle(edges)
            for edge in edges:
                targets.append(1 + copy * size + graph.targets[edge])
                weights.append(1 if graph.weights is None else graph.weights[edge])
                rewards.append(0 if graph.rewards is None else graph.rewards[edge] + copy * len(graph.amounts))
            firsts.append(len(targets))
    if random.random() < 0.5:
        targets[random.randrange(2, len(targets))] = random.randrange(1, len(kinds))
    return PositionGraph(
        graph.players, kinds, firsts, targets, weights, rewards, tuple(amounts), graph.discount, graph.endless
    )


@pytest.mark.parametrize("seed", seeds(150))
def test_a_game_that_is_its_own_mirror_is_worth_half(seed: int) -> None:
    random = Random(seed)
    wish = Wish(most=3, earns=random.choice(("never", "once")), discount=random.choice((Fraction(1), Fraction(1, 2))))
    graph = evolve(write_graph(random, wish), endless=(Fraction(1, 2),) * 2)
    doubled = graph if random.random() < 0.2 else mirrored_once(random, graph)
    total = Fraction(1) if graph.discount == 1 else ZERO
    if count_policies(doubled) <= 200 and is_own_mirror(doubled, Limits()):
        assert numbers(doubled, (1, -1))[0] == total / 2


def test_a_draw_between_a_game_and_its_mirror_is_its_own_mirror() -> None:
    graph = PositionGraph(("A", "B"), [0, PAYS, PAYS - 1], [0, 2, 2, 2], [1, 2], None, None, ((ZERO, ZERO), (3, -3)))
    assert not is_own_mirror(graph, Limits())
    assert any(is_own_mirror(mirrored_once(Random(seed), graph), Limits()) for seed in range(4))


def test_what_endless_plays_pay_is_part_of_the_game() -> None:
    """A round that goes on for ever, or ends with a draw, and pays the first player for going on."""
    kinds, targets = [DRAWS, 0, 1, PAYS], [1, 2, 1, 3, 2, 3]
    for endless, expected in (((ZERO, ZERO), True), ((Fraction(1), Fraction(-1)), False)):
        graph = PositionGraph(
            ("A", "B"), kinds, [0, 2, 4, 6, 6], targets, [1] * 6, None, ((ZERO, ZERO),), endless=endless
        )
        assert is_own_mirror(graph, Limits()) is expected


def test_nobody_has_an_advantage_in_oshi_zumo() -> None:
    """Buro, "Solving the Oshi-Zumo game" (2003): all is the same for both. Bounds alone are no exact value."""
    solution = solve(load("oshi_zumo", coins=3, size=1))
    assert solution.value == (0, 0)
    assert solution.exact
    assert any("exchanged" in note for note in solution.notes) or solution.interval is None


# What circles are worth where more than one number counts, and one player at most has a choice.


COIN = """
game "Whoever throws heads first"
players Ann, Bob, Cy
start at throw(Ann)
phase throw(p: Player):
    chance:
        outcome heads: end payoff {q: (if q == p then 1 else 0) for q in Player}
        outcome tails: go throw(next p)
"""

RISK = """
game "To stop or to risk it"
players Ann, Bob, Cy
start at choose
phase choose:
    turn Ann:
        move stop: end payoff (1, 5, 7)
        move risk: go toss
phase toss:
    chance:
        outcome again prob 1/2: go choose
        outcome good prob 1/3: end payoff (3, 0, 1)
        outcome bad prob 1/6: end payoff (0, 6, 2)
"""


def values(text: str) -> tuple[Fraction, ...]:
    return zermelo.solve(zermelo.loads(text).on("reference")).value


def test_nobody_chooses() -> None:
    """Each is twice as likely to be first as the next one."""
    found = zermelo.solve(zermelo.loads(COIN).on("reference"))
    assert found.value == (Fraction(4, 7), Fraction(2, 7), Fraction(1, 7))
    assert found.alternatives == () and found.exact


def test_one_player_chooses() -> None:
    """Risked until it is decided, it brings the good end twice in three times: that is 2 to Ann, more than 1."""
    assert values(RISK) == (2, 2, Fraction(4, 3))
    assert values(RISK.replace("(1, 5, 7)", "(5/2, 5, 7)")) == (Fraction(5, 2), 5, 7)


def test_a_choice_that_may_go_on_for_ever() -> None:
    waiting = RISK.replace("go toss\nphase", "go choose\nphase")
    with pytest.raises(ZermeloError) as refused:
        values(waiting)
    assert refused.value.code == "needs-endless"
    for endless, value in (("(0, 9, 9)", (1, 5, 7)), ("(2, 9, 8)", (2, 9, 8))):
        assert values(waiting.replace("start at", f"endless payoff {endless}\nstart at")) == value


def test_several_players_choose() -> None:
    with pytest.raises(ZermeloError) as refused:
        values(RISK.replace("go choose\n        outcome good", "go other\n        outcome good") + OTHER)
    assert refused.value.code == "needs-one-number"


OTHER = """phase other:
    turn Bob:
        move leave: end payoff (1, 1, 1)
        move stay: go choose
"""


def chain(random: Random) -> tuple[str, list[list[tuple[int, int]]], list[tuple[int, int, int]]]:
    """Places in a circle, where chance draws or Ann decides, as a text; the ways on from each, a place (or -1 - k for
    end k) and its weight, 0 where Ann decides; and what the ends pay."""
    count = random.randint(2, 4)
    pays = [(random.randint(0, 4), random.randint(0, 4), random.randint(0, 4)) for _ in range(count)]
    ways: list[list[tuple[int, int]]] = []
    lines = ['game "Places"', "players Ann, Bob, Cy", "start at place0"]
    for place in range(count):
        decides = place > 0 and random.random() < 0.4
        lines += [f"phase place{place}:", "    turn Ann:" if decides else "    chance:"]
        back = 0 if decides else random.randrange(count)  # Ann cannot go round without coming to chance
        targets = [(place + 1) % count, -1 - place, *[back] * random.randrange(2)]
        ways.append([(target, 0 if decides else random.randint(1, 3)) for target in targets])
        for number, (target, _) in enumerate(ways[-1]):
            drawn = f" weight {ways[-1][number][1]}"
            then = f"go place{target}" if target >= 0 else f"end payoff {pays[place]}"
            lines.append(
                f"        move way{number}: {then}" if decides else f"        outcome way{number}{drawn}: {then}"
            )
    return "\n".join([*lines, ""]), ways, pays


def worth(ways: list[list[tuple[int, int]]], pays: list[tuple[int, int, int]]) -> list[tuple[Fraction, ...]]:
    """What each place is worth where nobody decides."""
    size = len(ways)
    found = []
    for player in range(3):
        matrix = [[Fraction(i == j) for j in range(size)] for i in range(size)]
        right = [Fraction(0)] * size
        for place, own in enumerate(ways):
            total = sum(weight for _, weight in own)
            for target, weight in own:
                if target >= 0:
                    matrix[place][target] -= Fraction(weight, total)
                else:
                    right[place] += Fraction(weight, total) * pays[-1 - target][player]
        column = solved(matrix, right)
        assert column is not None, "chance leaves place 0 for its end, to which all come that go round"
        found.append(column)
    return list(zip(*found, strict=True))


def judged_chains(seeds: Iterable[int]) -> int:
    """How many games there are. What each pays is what some policy of Ann's pays to all, and no other pays her more."""
    count = 0
    for seed in seeds:
        text, ways, pays = chain(Random(seed))
        found = zermelo.solve(zermelo.loads(text).on("reference"))
        decided = [[[(way[0], 1)] for way in own] if not own[0][1] else [own] for own in ways]
        policies = [worth(list(policy), pays)[0] for policy in product(*decided)]
        assert found.value in policies and found.value[0] == max(each[0] for each in policies), seed
        assert len(policies) > 1 or found.alternatives == (), seed
        count += 1
    return count


def test_what_a_linear_system_says() -> None:
    assert judged_chains(range(12)) == 12


# Small games that once cost hundreds of millions of nodes, or were refused since their plays can go round.


TRIAL = Path(__file__).parents[2] / "trial" / "positions"


def by_recursion(nodes: list[Node], wants: tuple[int, ...]) -> Fraction:
    """The number of the root, if no play comes back."""

    @cache
    def number(position: int) -> Fraction:
        node = nodes[position]
        if node.is_end:
            return node.payoff[0]
        worths = [step.earned + step.factor * number(step.target) for step in node.steps]
        if node.player is None:
            return sum((step.chance * worth for step, worth in zip(node.steps, worths, strict=True)), Fraction(0))
        return max(worths) if wants[node.player] == 1 else min(worths)

    return number(0)


@pytest.mark.parametrize(("name", "wants", "most"), [("walk1", (1,), 400), ("walk2", (1, -1), 300)])
def test_walks_have_few_positions(name: str, wants: tuple[int, ...], most: int) -> None:
    game = zermelo.load(TRIAL / f"{name}.game")
    graph, _ = explored(game.reference)
    solution = zermelo.solve(game)
    assert solution.solver == "positions" and solution.exact
    assert solution.value[0] == by_recursion(read(graph), wants)
    assert solution.counts["nodes"] < most


@pytest.mark.parametrize("name", ["endless2", "disc"])
def test_games_that_go_round_have_values(name: str) -> None:
    game = zermelo.load(TRIAL / f"{name}.game")
    graph, _ = explored(game.reference)
    assert zermelo.solve(game).value[0] == numbers(graph, (1, -1))[0]


@pytest.mark.parametrize(
    "solver", ["minimax", "alphabeta", "alphabeta_table", "enhanced_alphabeta", "dfpn", "mtdf", "positions", None]
)
def test_solvers_agree_about_a_walk_that_may_not_come_back(solver):
    """From node 0 Ann goes to 3, from where no way leads on: Bob has lost."""
    solution = zermelo.solve(zermelo.load(TRIAL.parent / "best" / "bad2_1.game"), solver)
    assert solution.value == (1, -1)
    assert list(map(str, solution.best)) == ["to(3)"]
