"""Averages over deals and alpha-mu, held against brute force over the reference machine."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product

import pytest

import zermelo
from zermelo.interpreter.checks.proving import with_open_cards
from zermelo.interpreter.machine import CHANCE, END, Sighting
from zermelo.solvers.beliefs.consistent_plays import Following, enumerate_belief, uniform_behaviour
from zermelo.solvers.clairvoyance.alphamu import alphamu, averages, best_moves, undominated_vectors
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.solution import Problem

PLAYS = [
    ("kuhn_poker", {}, []),
    ("liars_dice", {"dice": 1, "sides": 2}, []),
    ("four_card_hand", {}, ["lead((eight, clubs))", "follow((nine, clubs))"]),
    ("four_card_hand", {}, ["lead((six, hearts))", "follow((three, clubs))"]),
]


TURNED_UP = """\
game "A card is turned up between two bets"
players Ann, Bob
type Card = 1..5
var card[Player]: 0..5 = 0    private
var top: 0..5 = 0
var stake: 1..3 = 1
define left = {c in Card if no p in Player: card[p] == c}
define worth(p: Player) = card[p] + (if card[p] % 2 == top % 2 then 3 else 0)
define lead = worth(Ann) - worth(Bob)
define gain = if lead > 0 then stake else if lead < 0 then -stake else 0
start at deal
phase deal:
    chance:
        outcome deal(a in Card, b in {c in Card if c != a}) weight a + b:
            card[Ann] := a
            card[Bob] := b
            go bet(Ann)
phase bet(p: Player):
    turn p:
        move fold: end payoff {p: -stake, other p: stake}
        move check:
            if p == Ann: go bet(Bob)
            go next_card
        move bet if stake < 3:
            stake += 1
            if p == Ann: go bet(Bob)
            go next_card
phase next_card:
    if top > 0: end payoff {Ann: gain, Bob: -gain}
    chance:
        outcome turn_up(c in left) weight c:
            top := c
            go bet(Ann)
"""


def decisions(name, parameters, begun):
    """Groups of states that the player to move cannot tell apart, behind the moves that have begun: (machine, facts,
    player, deals)."""
    return decisions_in(zermelo.load(name, **parameters), begun)


def decisions_in(game, begun=()):
    machine = game.reference
    looks = {}
    waiting = [(machine.initial(), Fraction(1), 0)]
    while waiting:
        state, chance, made = waiting.pop()
        actor = machine.actor(state)
        if actor == CHANCE:
            waiting += [(machine.after(state, move), chance * likely, made) for move, likely in machine.outcomes(state)]
        elif actor != END and made < len(begun):
            moves = [move for move in machine.moves(state) if str(move) == begun[made]]
            waiting += [(machine.after(state, move), chance, made + 1) for move in moves]
        elif actor != END:
            looks.setdefault((actor, tuple(machine.information_state(state, actor))), []).append((state, chance))
            waiting += [(machine.after(state, move), chance, made) for move in machine.moves(state)]
    for (player, known), deals in looks.items():
        facts = with_open_cards(game.facts, game.model, known[-1].phase)
        yield machine, facts, player, deals


def with_everything_open(machine, state, player):
    """Minimax over the reference machine: what a state brings a player if both see everything."""
    actor = machine.actor(state)
    if actor == END:
        return machine.payoff(state)[player]
    if actor == CHANCE:
        drawn = machine.outcomes(state)
        return sum(chance * with_everything_open(machine, machine.after(state, each), player) for each, chance in drawn)
    values = [with_everything_open(machine, machine.after(state, move), player) for move in machine.moves(state)]
    return max(values) if actor == player else min(values)


def replayed(machine, play):
    """The state of a play on another machine."""
    return reduce(machine.after, play, machine.initial())


def mean(deals, worths):
    return sum(weight * worth for (_, weight), worth in zip(deals, worths, strict=True)) / sum(
        weight for _, weight in deals
    )


def against_one_who_knows(machine, state, player, plan):
    """The least that a plan (what the player knows -> the move) brings in a deal."""
    actor = machine.actor(state)
    if actor == END:
        return machine.payoff(state)[player]
    if actor == player:
        move = plan[tuple(machine.information_state(state, player))]
        return against_one_who_knows(machine, machine.after(state, move), player, plan)
    return min(
        against_one_who_knows(machine, machine.after(state, move), player, plan) for move in machine.moves(state)
    )


def own_decisions(machine, states, player):
    """What the player may come to know behind some states -> the moves there."""
    found, waiting = {}, list(states)
    while waiting:
        state = waiting.pop()
        if machine.actor(state) == player:
            found[tuple(machine.information_state(state, player))] = machine.moves(state)
        if machine.actor(state) != END:
            waiting += [machine.after(state, move) for move in machine.moves(state)]
    return found


@pytest.mark.parametrize(("name", "parameters", "begun"), PLAYS)
def test_averages_and_alphamu_by_brute_force(name, parameters, begun):
    compared = 0
    for machine, facts, player, deals in decisions(name, parameters, begun):
        problem = Problem(machine, facts, deals[0][0])
        found = averages(problem, player, deals)
        for each in found:
            worths = [with_everything_open(machine, machine.after(deal, each.move), player) for deal, _ in deals]
            assert each.mean == mean(deals, worths)
        by_depth = [{each.move: each.mean for each in alphamu(problem, player, deals, ahead)} for ahead in (1, 2, 9)]
        assert by_depth[0] == {each.move: each.mean for each in found}
        for move, worth in by_depth[2].items():
            assert worth <= by_depth[1][move] <= by_depth[0][move]
            after = [machine.after(deal, move) for deal, _ in deals]
            own = own_decisions(machine, after, player)
            plans = 1
            for moves in own.values():
                plans *= len(moves)
            if plans > 500:
                continue
            compared += 1
            assert worth == max(
                mean(
                    deals,
                    [
                        against_one_who_knows(machine, state, player, dict(zip(own, chosen, strict=True)))
                        for state in after
                    ],
                )
                for chosen in product(*own.values())
            )
    assert compared > 3


@pytest.mark.parametrize("choice", ["native", "python", "reference"])
def test_averages_where_chance_goes_on_to_draw(choice):
    """Deals are worth what brute force says."""
    game = zermelo.loads(TURNED_UP)
    searching = game.on(choice).machine
    groups = list(decisions_in(game))[-40:]
    for machine, facts, player, deals in groups:
        there = [(replayed(searching, machine.play(deal)), weight) for deal, weight in deals]
        found = averages(Problem(searching, facts, there[0][0]), player, there)
        for each in found:
            worths = [with_everything_open(machine, machine.after(deal, each.move), player) for deal, _ in deals]
            assert each.mean == mean(deals, worths)
    assert len(groups) == 40


def test_deals_may_disagree_behind_a_draw():
    """In Leduc poker Bob, who checks, may have to answer a raise when a card has been turned up."""
    game = zermelo.load("leduc_poker")
    machine = game.reference
    state = reduce(zermelo.State.after, ["deal((J, hearts))", "deal((Q, spades))", "check"], game.initial)
    known = machine.information_state(state.machine_state, 1)
    alike = enumerate_belief(Following(machine, 1, known, uniform_behaviour), Limits()).positions
    facts = with_open_cards(game.facts, game.model, known[-1].phase)
    deals = [(each.state, each.probability) for each in alike]
    (fused,) = (each for each in averages(Problem(machine, facts, deals[0][0]), 1, deals) if each.fusion)
    assert str(fused.move) == "check"
    agreed = []
    for there, best in fused.fusion.deals:
        assert machine.information_state(there, 1) == fused.fusion.known
        assert any(each.variable == "board" for seen in fused.fusion.known[len(known) :] for each in values_in(seen))
        worths = {move: with_everything_open(machine, machine.after(there, move), 1) for move in machine.moves(there)}
        assert set(best) == {move for move, worth in worths.items() if worth == max(worths.values())}
        agreed.append(set(best))
    assert not set.intersection(*agreed)


def values_in(observation):
    """What an observation shows."""
    return observation.values if isinstance(observation, Sighting) else ()


@pytest.mark.parametrize("choice", ["native", "python", "reference"])
def test_strategy_fusion_is_found_where_it_makes_averages_wrong(choice):
    game = zermelo.load("four_card_hand").on(choice)
    machine = game.machine
    deals = [
        (machine.after(machine.initial(), outcome), chance) for outcome, chance in machine.outcomes(machine.initial())
    ]
    facts = with_open_cards(game.facts, game.model, "lead")
    found = averages(Problem(machine, facts, deals[0][0]), 0, deals)
    assert len(best_moves(found)) == 4  # every lead is worth nothing with open cards
    fused = {str(each.move): each.fusion for each in found}
    for club in ("seven", "eight"):
        fusion = fused[f"lead(({club}, clubs))"]
        assert {tuple(map(str, best)) for _, best in fusion.deals} == {
            ("follow((six, diamonds))",),
            ("follow((six, hearts))",),
        }
        assert len({tuple(machine.information_state(state, 0)) for state, _ in fusion.deals}) == 1
    assert fused["lead((six, hearts))"] is fused["lead((six, diamonds))"] is None
    mended = alphamu(Problem(machine, facts, deals[0][0]), 0, deals, 2)
    assert {str(move) for move in best_moves(mended)} == {"lead((six, hearts))", "lead((six, diamonds))"}


def test_a_front_keeps_what_nothing_else_reaches():
    front = undominated_vectors([(0, 1), (1, 0), (0, 1), (0, 0), (1, 1), (0, 2)])
    assert front == [(1, 1), (0, 2)]
