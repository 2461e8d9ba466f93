"""Proofs about random rules, compared with plain walks through all their positions.

The rules are assembled at random from statements and guards that proofs recognize, and from others that look much like
them. The walk is independent of proofs: it makes every move in every position.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from random_cases import seeds
from written_games import model_of

from zermelo.interpreter.checks.claims import verdict
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.model import Loose
from zermelo.interpreter.model.rewriting import bound_slots, slots
from zermelo.interpreter.reference.machine import ReferenceMachine

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
