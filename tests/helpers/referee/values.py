"""Values of a small game and of strategies in it, by plain recursion over its histories."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from itertools import product

from referee.histories import History, TooLarge
from zermelo.interpreter.machine import CHANCE, END, Move, Payoff

Strategy = Mapping[Hashable, Mapping[Move, Fraction]]
"""For each information set the probability of each move."""

MOST_TUPLES = 400


def reachable(here: History, memo: dict[History, frozenset[Payoff]]) -> frozenset[Payoff]:
    """With perfect information: all payoffs of best play, with ties broken in every way (backward induction). ``memo``
    collects those of all histories."""
    found = [reachable(child, memo) for child in here.children]
    if here.actor == END:
        result = frozenset([here.payoff])
    elif here.actor == CHANCE:
        count = 1
        for each in found:
            count *= len(each)
        if count > MOST_TUPLES:
            raise TooLarge("too many ties")
        result = frozenset(
            tuple(
                sum(chance * payoff[p] for chance, payoff in zip(here.chances, chosen, strict=True))
                for p in range(len(chosen[0]))
            )
            for chosen in product(*found)
        )
    else:
        least = max(min(payoff[here.actor] for payoff in each) for each in found)
        result = frozenset(payoff for each in found for payoff in each if payoff[here.actor] >= least)
    memo[here] = result
    return result


def best_moves(here: History, memo: dict[History, frozenset[Payoff]]) -> set[Move]:
    """The moves with which some best play begins."""
    if here.actor < 0:
        return set()
    least = max(min(payoff[here.actor] for payoff in memo[child]) for child in here.children)
    return {
        move
        for move, child in zip(here.moves, here.children, strict=True)
        if any(payoff[here.actor] >= least for payoff in memo[child])
    }


def chances(here: History, strategies: Strategy) -> tuple[Fraction, ...]:
    """The probability of each move after a history."""
    if here.actor == CHANCE:
        return here.chances
    mixture = strategies[here.set]
    return tuple(mixture[move] for move in here.moves)


def expected(here: History, strategies: Strategy) -> Payoff:
    """The expected payoffs of these strategies."""
    if here.actor == END:
        return here.payoff
    pairs = [
        (weight, expected(child, strategies))
        for weight, child in zip(chances(here, strategies), here.children, strict=True)
        if weight
    ]
    return tuple(sum((weight * payoff[p] for weight, payoff in pairs), Fraction(0)) for p in range(len(pairs[0][1])))


def best_response(root: History, player: int, strategies: Strategy) -> Fraction:
    """The most that a player can get from ``root`` on while the others follow their strategies."""
    reached: dict[History, Fraction] = {}
    members: dict[Hashable, list[History]] = {}

    def reach(here: History, weight: Fraction) -> None:
        reached[here] = weight
        if here.actor == player:
            members.setdefault(here.set, []).append(here)
        if here.actor == END:
            return
        parts = (Fraction(1),) * len(here.moves) if here.actor == player else chances(here, strategies)
        for part, child in zip(parts, here.children, strict=True):
            reach(child, weight * part)

    worth: dict[History, Fraction] = {}
    chosen: dict[Hashable, int] = {}

    def value(here: History) -> Fraction:
        """The player's expected payoff after a history, times the probability that chance and the others reach it."""
        if here not in worth:
            if here.actor == END:
                worth[here] = reached[here] * here.payoff[player]
            elif here.actor == player:
                worth[here] = value(child_by(here, chosen_in(here.set)))
            else:
                worth[here] = sum((value(child) for child in here.children), Fraction(0))
        return worth[here]

    def chosen_in(known: Hashable) -> Move:
        if known not in chosen:
            moves = members[known][0].moves
            brought = [sum((value(child_by(here, move)) for here in members[known]), Fraction(0)) for move in moves]
            chosen[known] = brought.index(max(brought))
        return members[known][0].moves[chosen[known]]

    reach(root, Fraction(1))
    return value(root)


def child_by(here: History, move: Move) -> History:
    """The history after a move."""
    return here.children[here.moves.index(move)]


def subgames(root: History) -> list[History]:
    """The roots of subgames: histories of decisions and draws such that no information set lies partly below them."""
    sizes: dict[Hashable, int] = {}
    for here in root.all():
        if here.actor >= 0:
            sizes[here.set] = sizes.get(here.set, 0) + 1
    found = []
    for here in root.all():
        inside: dict[Hashable, int] = {}
        for below in here.all():
            if below.actor >= 0:
                inside[below.set] = inside.get(below.set, 0) + 1
        if here.actor != END and all(sizes[known] == count for known, count in inside.items()):
            found.append(here)
    return found


def best_joint(root: History, most: int) -> Fraction | None:
    """With common payoffs: the best value of joint pure strategies; None if there are too many of them."""
    sets = {here.set: here.moves for here in root.all() if here.actor >= 0}
    count = 1
    for moves in sets.values():
        count *= len(moves)
    if count * sum(1 for _ in root.all()) > most:
        return None
    return max(
        expected(
            root,
            {
                known: {move: Fraction(move is picked) for move in moves}
                for (known, moves), picked in zip(sets.items(), choice, strict=True)
            },
        )[0]
        for choice in product(*sets.values())
    )
