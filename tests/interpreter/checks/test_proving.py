"""Chance decisions that are certain, impossible, or possible."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from random_cases import seeds
from written_games import model_of

import zermelo
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check, check_at_extremes
from zermelo.interpreter.checks.claims import verdict
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.model import Loose
from zermelo.interpreter.model.rewriting import bound_slots, slots
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solving import facts_of
from zermelo.testing.expectations import Status, run_expectations

GAME = """
game "Test"
players A, B
param fair: Bool = false
var x: 0..3 = 0
start at {start}
phase play(p: Player):
    turn p:
        {rule}
    {otherwise}
phase roll(p: Player):
    {entry}
    chance:
        outcome low(n in 1..{most}) if n > {least}: end win p
    otherwise: end draw
"""


def chance(**changes):
    parts = {
        "start": "play(A)",
        "rule": "move m: go roll(p)",
        "otherwise": "",
        "entry": "",
        "most": 3,
        "least": 0,
    }
    text = GAME.format(**{**parts, **changes})
    return facts(model_of("\n".join(line for line in text.splitlines() if line.strip()))).chance.holds


OPEN = [
    {"rule": "move m if x > 0: go roll(p)\n        move o: end draw"},
    {"rule": "move m(k in 0..x) if k > 1: go roll(p)", "otherwise": "otherwise: end draw"},
    {"rule": "move m(k in 1..x): go roll(p)", "otherwise": "otherwise: end draw"},
    {"rule": "move m:\n            if x > 0: go roll(p)\n            end draw"},
    {"rule": "move m ensuring x > 0: go roll(p)\n        move o: end draw"},
    {"entry": "if x == 0: end draw"},
    {"entry": "if x > 0: end draw", "rule": "move m:\n            x := 1\n            go roll(p)"},
    {"least": 5},
]


@pytest.mark.parametrize("changes", OPEN, ids=map(str, OPEN))
def test_chance_may_be_asked(changes):
    assert chance(**changes) is None


def test_chance_is_sure_to_be_asked():
    sure = GAME.replace("    otherwise: end draw\n", "").replace(" if n > {least}", "")
    for rule in ("move m: go roll(p)", "move m: go roll(p)\n        move o: end draw"):
        text = sure.format(start="play(A)", rule=rule, otherwise="", entry="", most=3)
        assert facts(model_of("\n".join(filter(str.strip, text.splitlines())))).chance.holds is True


def test_chance_is_never_asked():
    assert chance(entry="if not fair: end draw") is False


# What is known of a move's parameter from its domain: whether filling it is known to fill an empty cell.


RULES = """
game "Filling"
players A, B
type Cell = grid(2, 2)
var board[Cell]: Player? = none
var marked[Cell]: Bool = false
define free(c: Cell) = board[c] is none
start at play(A)
phase play(p: Player):
    turn p:
        move mark(c in Cell) if not marked[c]:
            marked[c] := true
            go play(other p)
        move fill(c in {domain}) if marked[a1]:
            board[c] := p
            go play(other p)
    otherwise:
        end draw
"""

EMPTY = [
    "{e for d in directions(Cell) for e in ray(a1, d) while free(e)}",
    "{e for d in Cell if marked[d] for e in Cell if free(e)}",
    "{e in Cell while free(e)}",
]

PERHAPS_NOT = [
    "{e for d in directions(Cell) for e in ray(a1, d) until free(e)}",
    "{e for d in Cell if free(d) for e in Cell}",
    "{e for d in Cell for e in Cell if free(e) or d != e}",
    "{e in Cell until free(e)}",
]


@pytest.mark.parametrize("domain", EMPTY)
def test_a_condition_on_every_member_is_known_of_each(domain: str) -> None:
    assert facts(model_of(RULES.replace("{domain}", domain))).terminates.holds is True


@pytest.mark.parametrize("domain", PERHAPS_NOT)
def test_what_is_not_about_the_member_is_not(domain: str) -> None:
    assert facts(model_of(RULES.replace("{domain}", domain))).terminates.holds is None


# Lines that name other parameters are read where the game has them.


ROW = """\
game "Take places in a row"
players A, B
param n: 1..4 = {n}
require n != 3
type Slot = 1..n
var taken[Slot]: Bool = false
start at take(A)
phase take(p: Player):
    turn p:
        move take(s in Slot) if not taken[s]:
            taken[s] := true
            go take(other p)
    otherwise: end win other p
"""


def found(line, n=1):
    source = Source("row.game", ROW.format(n=n) + line + "\n")
    return [(finding.code, source.excerpt(finding.span)) for finding in check_at_extremes(source)[1]]


@pytest.mark.parametrize(
    "line",
    [
        "never taken[2] and n == 1 with n = 2",
        "reachable taken[4] with n = 4",
        "reachable in take if taken[4] with n = 4",
        "expect positions == 5 with n = 4",
    ],
)
def test_what_the_present_game_does_not_have(line):
    assert found(line) == []
    model, findings = check(Source("row.game", ROW.format(n=1) + line + "\n"))
    assert model is not None and not findings.found


@pytest.mark.parametrize(
    ("line", "slip"),
    [
        ("never takn[2] with n = 2", ("undefined-name", "takn")),
        ("reachable taken[3] with n = 2", ("out-of-range", "3")),
        ("expect value == (1, 0, 0) with n = 2", ("wrong-payoff-length", "(1, 0, 0)")),
        ("expect value == (1, -1) with m = 2", ("wrong-kind-of-name", "m")),
        ("expect value == (1, -1) with n = 2, m = 2", ("wrong-kind-of-name", "m")),
        ("never taken[1] with n = 9", ("parameter-out-of-range", "never taken[1] with n = 9")),
        ("never taken[1] with n = 3", ("requirement-not-met", "never taken[1] with n = 3")),
    ],
)
@pytest.mark.parametrize("n", [1, 4])
def test_slips_in_such_lines_are_told_once(line, slip, n):
    assert found(line, n) == [slip]


def test_a_line_without_parameters_is_about_all():
    """It does not say with how many places it means the second one."""
    assert found("never taken[2] and not taken[1]", 2) == [("out-of-range", "2")]
    assert found("never taken[2] and not taken[1] with n = 2", 2) == []


def test_such_a_line_does_not_keep_the_game_from_other_parameters():
    text = ROW.format(n=2) + "reachable taken[2] with n = 2\nnever taken[4] and not taken[1] with n = 4\n"
    for n in (1, 2, 4):
        model, _ = check(Source("row.game", text), {"n": n})
        assert model is not None and len(model.witnesses) == 2


# Expensive closed parts of rules are neither evaluated nor walked while a file is checked.


TRIAL = Path(__file__).parent.parent.parent / "trial" / "limits"

LARGE_PARTS_GAME = """
game "Large"
players Ann, Bob
var x: 0..2000000000 = 5
start at play(Ann)

phase play(p: Player):
    turn p:
        move a:
            x += 1
            end payoff {{p: if {condition} then 1 else 0, other p: 0}}
        move b: end draw
"""

CONDITIONS = {
    "range": "x in 1..1000000000",
    "count": "x > (count z in 1..1000000000: z % 3 == 1)",
    "comprehension": "x in {z * 2 for z in 1..1000000000}",
    "size": "x > size(1..1000000000)",
    "subsets": "(some s in subsets(1..60, 30): size(s) == x)",
    "nested": "(some y in 1..100000, z in 1..100000: y * z == x)",
    "constant": "(sum z in 1..1000000000: z) == 3",
}


def peak(work):
    """The result of ``work``, and its peak of Python's memory in bytes."""
    tracemalloc.start()
    try:
        made = work()
        return made, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=CONDITIONS)
def test_what_is_much_work_is_left_alone(condition):
    text = LARGE_PARTS_GAME.format(condition=condition)
    findings, most = peak(lambda: zermelo.check(text))
    assert most < 50 << 20
    if not findings.errors:
        game, most = peak(lambda: zermelo.loads(text))
        assert game.facts.constant_sum.holds is not True  # it is false, so there must be no proof
        assert most < 50 << 20


@pytest.mark.parametrize("name", ["payoff_range", "payoff_count"])
def test_the_rules_are_lowered_without_it(name):
    game = zermelo.load(str(TRIAL / f"{name}.game"))
    program, most = peak(lambda: lower(game.model))
    assert most < 50 << 20
    assert program.may_take_long == (name == "payoff_count")


def test_what_is_little_work_is_worked_out():
    game = zermelo.loads(LARGE_PARTS_GAME.format(condition="(count z in 1..9: z % 3 == 1) == 3 and x < 0"))
    same = zermelo.loads(LARGE_PARTS_GAME.format(condition="false"))
    assert same.facts.constant_sum.holds is not None
    assert game.facts.perfect_information.holds == same.facts.perfect_information.holds


# Games about which a proof, or a refutation, was once wrong.


FOLDER = Path(__file__).parents[2] / "trial" / "proofs"


def load(number):
    (file,) = FOLDER.glob(f"{number}_*.game")
    return zermelo.load(str(file))


def said(game, claim):
    """The verdict of the rules alone on a claim."""
    (found,) = (each for each in game.model.claims if game.model.source.excerpt(each.span).startswith(claim))
    return verdict(found, facts(game.model), game.model).holds


def results(game):
    """The results of the claims of a file, by the first word of each."""
    return {result.said.split()[1]: (result.status, result.reason) for result in run_expectations(game)}


def test_what_is_in_no_set_is_not_put_into_one():
    game = load("04")
    assert said(game, "terminates") is None
    assert results(game)["terminates"] == (Status.FAILED, "m(a1), m(a1) lead back to the same position")


def test_present_values_may_never_have_been_there_before():
    game = load("05")
    assert facts(game.model).bounds == ((0, 2), (-2, 0))
    for machine in ("reference", "python", "native"):
        for solver in ("minimax", "alphabeta", "enhanced_alphabeta", "maxn"):
            assert zermelo.solve(game.on(machine), solver).value == (0, 0)


def test_what_adds_no_repetitions_uses_nothing_up():
    game = load("05b")
    assert said(game, "terminates") is None
    state = game.initial
    for _ in range(20):  # n stays 0, so 20 more are possible
        state = state.after("m")
    assert "m" in map(str, state.moves)


def test_a_circle_without_a_decision_is_no_end():
    game = load("07")
    assert said(game, "terminates") is None
    with pytest.raises(PlayError) as raised:
        results(game)
    assert raised.value.code == "endless-go"


def test_what_a_play_ends_by_has_to_get_smaller():
    game = load("10")
    assert facts(game.model).terminates.holds  # for another reason
    assert said(game, "terminates") is None
    assert results(game)["terminates"] == (
        Status.FAILED,
        "take in phase 'play' leads from (0) to (1), which is not less",
    )


def test_that_an_endless_play_is_worth_something_refutes_no_end():
    game = load("11")
    assert said(game, "terminates") is None
    assert {status for status, _ in results(game).values()} == {Status.PASSED}
    assert facts_of(game).terminates.holds


def test_what_no_play_comes_to_refutes_nothing():
    game = load("11c")
    assert said(game, "deterministic") is None
    assert said(game, "zero_sum") is None
    assert said(game, "terminates") is None
    found = results(game)
    assert [found[claim][0] for claim in ("zero_sum", "deterministic", "terminates")] == [Status.PASSED] * 3


# Proofs about random rules, compared with plain walks through all their positions.
#
# The rules are assembled at random from statements and guards that proofs recognize, and from others that look much
# like them. The walk is independent of proofs: it makes every move in every position.


START = """
game "Made up"
players A, B
claim terminates by ({measure})
type Cell = grid(2, 1)
var board[Cell]: Player? = none
var marked[Cell]: Bool = false
var tally[Player]: 0..2 = 0
var left: 0..3 = {left}
var s: set of Cell = {{{s}}}
define free(c: Cell?) = if c is none then false else board[c] is none
define open = {{c in Cell if board[c] is none}}
define may(p: Player, c: Cell) = free(c) and tally[p] < 2
action tick(k: 0..1):
    left -= k
action fill(c: Cell, p: Player):
    board[c] := p
start at first(A)
phase first(p: Player):
"""

GUARDS = (
    "board[c] is none", "board[c] == p", "board[c] == other p", "marked[c]", "not marked[c]", "c in s", "c not in s",
    "c + west not in s", "c + west in s", "left > 0", "left < 3", "left > n", "free(c)", "not free(c)", "may(p, c)",
    "c in open", "board[c] is none or left > 1", "tally[p] < 2", "some d in Cell: board[d] is none", "left == old",
    "c in {e for d in Cell if marked[d] for e in Cell while free(e)}", "c in {e for d in s for e in Cell if free(d)}",
    "c in {e for d in Cell for e in {d, a1} until free(e)}",
)  # fmt: skip

EFFECTS = (
    "board[c] := p", "board[c] := none", "board[c] := other p", "board[c] := board[a1]", "board := none", "board := A",
    "marked[c] := true", "marked[c] := false", "marked[c] := not marked[c]", "marked := true", "left += 1", "left += n",
    "left -= 1", "left -= n", "left := max(left - 1, 0)", "left := min(left + 1, 3)", "left := left + (n - 1)",
    "left := 3 - left", "tally[p] += 1", "tally[p] := min(tally[p] + 1, 2)", "tally[A] += n", "tally[other p] -= 1",
    "s += {c}", "s += {c + west}", "s -= {c}", "s -= {c + west}", "s := s * {c}", "s := s + {a1}", "s := {c}",
    "tick(1)", "tick(n)", "fill(c, p)", "left := old", "tally[if n == 0 then A else B] += 1",
)  # fmt: skip

LEAVING = (
    "go first(p)", "go first(other p)", "go second(p)", "go second(other p)", "end draw", "end win p",
    "end payoff (left, -left)", "end payoff (left, 1)", "end payoff (tally[A] - tally[B], tally[B] - tally[A])",
    "go drawing(p)",
)  # fmt: skip

OTHERWISE = (
    "end draw", "end win other p", "go second(other p)", "go first(other p)", "go drawing(p)",
    "if some c in Cell: board[c] is none: go second(other p)\n        end draw",
    "if some c in Cell: board[c] is none and not marked[c]: go first(other p)\n        end draw",
    "if left == 0: end draw\n        left -= 1\n        go first(p)",
)  # fmt: skip

MEASURES = (
    "left", "-left", "3 - left", "size(s)", "-size(s)", "count c in Cell: board[c] is none",
    "sum q in Player: tally[q]", "-(sum q in Player: tally[q])", "tally[A]", "-tally[A]",
    "left - (sum q in Player: tally[q])", "0", "if left > 1 then 1 else 0", "count c in Cell: marked[c]",
)  # fmt: skip


def block(random: Random, indent: int) -> Iterator[str]:
    """Some effects, and an exit."""
    pad = " " * indent
    for _ in range(random.choice((0, 1, 1, 1, 2))):
        effect = random.choice(EFFECTS)
        match random.randrange(8):
            case 0:
                yield f"{pad}if {random.choice(GUARDS)}: {effect}"
            case 1:
                yield f"{pad}if {random.choice(GUARDS)}:\n{pad}    {effect}\n{pad}    {random.choice(LEAVING)}"
            case 2:
                yield f"{pad}if {random.choice(GUARDS)}: {random.choice(LEAVING)}"
                yield f"{pad}{effect}"
            case 3:
                looped = effect.replace("[c]", "[e]").replace("(c,", "(e,")
                yield f"{pad}for e in Cell if board[e] is none: {looped}"
            case _:
                yield f"{pad}{effect}"
    yield f"{pad}{random.choice(LEAVING)}"


def phase(random: Random) -> Iterator[str]:
    """A decision with one or two moves, and its ``otherwise``."""
    yield "    let old = left"
    if random.randrange(4) == 0:
        yield f"    if left == {random.randrange(3)}: {random.choice(('end draw', 'go drawing(p)', 'go second(p)'))}"
    yield "    turn p:"
    for name in ("m", "o")[: random.choice((1, 1, 1, 2))]:
        guards = " and ".join(random.sample(GUARDS, random.choice((0, 1, 1, 2))))
        yield f"        move {name}(c in Cell, n in {random.choice(('0..1', '1..1'))})" + (
            f" if {guards}:" * bool(guards) or ":"
        )
        yield from block(random, 12)
    yield f"    otherwise:\n        {random.choice(OTHERWISE)}"


def made_up(seed: int) -> str:
    random = Random(seed)
    measure = ", ".join(random.sample(MEASURES, random.choice((1, 1, 2))))
    head = START.format(measure=measure, left=random.randrange(4), s=random.choice(("", "a1", "a1, b1")))
    lines = [head.rstrip(), *phase(random), "phase second(p: Player):", *phase(random)]
    lines += ["phase drawing(p: Player):", "    chance:"]
    for name in ("x", "y")[: random.choice((1, 2))]:
        lines += [f"        outcome {name}(c in Cell, n in 0..1):", "            let old = left", *block(random, 12)]
    return "\n".join(lines) + "\n"


class Walk:
    """The results of a walk through the positions of a game; errors of the rules end a play, except a cycle without a
    decision. ``goes_round``: a play has a cycle, with or without decisions; ``rises``: the tuple of the claim does not
    always fall; ``is_whole``: all positions were visited, without errors."""

    def __init__(self, model, most: int) -> None:
        self.machine, self.sums, self.payoffs = ReferenceMachine(model), set(), set()
        self.draws = self.goes_round = self.rises = False
        self.is_whole = True
        self.measures = [
            Loose(each, 1 + max(slots(each) | bound_slots(each), default=0)) for each in model.claims[0].arguments
        ]
        arrows: dict = {}
        try:
            waiting = [self.machine.initial()]
        except PlayError as error:
            self.fail(error)
            return
        while waiting:
            state = waiting.pop()
            position = self.machine.position(state)
            if position in arrows:
                continue
            if len(arrows) > most:
                self.is_whole = False
                break
            arrows[position] = set()
            for after in self.behind(state):
                arrows[position].add(self.machine.position(after))
                waiting.append(after)
        self.goes_round = self.goes_round or has_cycle(arrows)

    def behind(self, state):
        if self.machine.actor(state) == END:
            payoff = self.machine.payoff(state)
            self.payoffs.add(payoff)
            self.sums.add(sum(payoff))
            return
        self.draws = self.draws or self.machine.actor(state) == CHANCE
        for move in choices_at(self.machine, state):
            try:
                after = self.machine.after(state, move)
            except PlayError as error:
                self.fail(error)
                continue
            if self.machine.actor(after) != END and not self.measured(after) < self.measured(state):
                self.rises = True
            yield after

    def measured(self, state):
        return tuple(self.machine.evaluate(state, each) for each in self.measures)

    def fail(self, error):
        self.is_whole = False
        self.goes_round = self.goes_round or error.code == "endless-go"


def has_cycle(arrows) -> bool:
    """Whether the arrows have a cycle, by repeated removal of nodes without outgoing arrows."""
    while True:
        done = {place for place, targets in arrows.items() if not targets & arrows.keys()}
        if not done:
            return bool(arrows)
        arrows = {place: targets for place, targets in arrows.items() if place not in done}


PER_TEST = 60


@pytest.mark.parametrize("block", seeds(10))
def test_what_is_proved_holds_in_all_positions(block):
    proved = 0
    for seed in range(PER_TEST * block, PER_TEST * (block + 1)):
        text = made_up(seed)
        try:
            model = model_of(text)
        except AssertionError:
            continue  # the checker has reported errors
        known, walk = facts(model), Walk(model, 1500)
        falling = verdict(model.claims[0], known, model)
        proved += bool(known.terminates.holds)
        told = f"seed {seed}\n{text}"
        assert not (known.terminates.holds and walk.goes_round), told
        assert known.terminates.holds is not False, told
        assert not (falling.holds and (walk.rises or walk.goes_round)), told
        if known.constant_sum.holds:
            assert walk.sums <= {known.sum}, told
        assert known.constant_sum.holds is not False, told
        assert not (known.chance.holds is False and walk.draws), told
        assert not (known.chance.holds is True and walk.is_whole and not walk.draws), told
        for payoff in walk.payoffs:
            for amount, bounds in zip(payoff, known.bounds, strict=True):
                assert bounds is None or bounds[0] <= amount <= bounds[1], told
    assert proved > 0


PASSING = """
game "Passing"
players {players}
start at play(A)
phase play(p: Player{more}):
    turn p:
        move stop: end win p
        move on: go play(next p{one})
"""


@pytest.mark.parametrize(
    ("players", "more", "one", "why"),
    [
        ("A, B", "", "", "the argument of phase 'play' is the player to move"),
        ("A, B", ", _n: 1..1", ", 1", "no phase has the player to move as its only argument"),
        ("A, B, C", "", "", "its players are A, B, C"),
    ],
)
def test_why_a_player_may_pass_or_not(players, more, one, why):
    text = PASSING.format(players=players, more=more, one=one).replace("play(A)", f"play(A{one})")
    fact = facts(model_of(text)).can_pass
    assert (fact.how, fact.holds) == (why, why.startswith("the argument"))
