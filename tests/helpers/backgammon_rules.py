"""Complete turns of backgammon, with any number of men, in plain Python that shares nothing with the project."""

from __future__ import annotations

from itertools import permutations

Men = tuple[int, ...]
"""How many men a player has on the places 0 (off) to 25 (bar), as this player counts them."""


def results_of_rules(mine: Men, theirs: Men, dice: tuple[int, ...]) -> set[tuple[Men, Men]]:
    """All positions after a complete turn: as many dice as possible, the larger if only one can be played. Whoever
    has borne off all men has nothing left to play."""
    reached: dict[tuple[Men, Men], int] = {}
    for order in {*permutations(dice)}:
        waiting = [(mine, theirs, 0)]
        while waiting:
            own, other, used = waiting.pop()
            steps = [] if used == len(order) or own[0] == sum(own) else single_steps(own, other, order[used])
            if not steps:
                key = (own, other)
                played = len(order) if own[0] == sum(own) else used
                pips = 100 * played + sum(order[:played])
                reached[key] = max(reached.get(key, 0), pips)
            waiting += [(own_after, other_after, used + 1) for own_after, other_after in steps]
    best = max(reached.values())
    return {position for position, pips in reached.items() if pips == best}


def single_steps(own: Men, other: Men, die: int) -> list[tuple[Men, Men]]:
    found = []
    for place in (25,) if own[25] else range(1, 25):
        if not own[place]:
            continue
        target = place - die
        if target <= 0:
            if any(own[7:]) or (target < 0 and any(own[place + 1 : 7])):
                continue
            target = 0
        elif other[25 - target] > 1:
            continue
        mine, theirs = list(own), list(other)
        mine[place] -= 1
        mine[target] += 1
        if target and theirs[25 - target] == 1:
            theirs[25 - target] = 0
            theirs[25] += 1
        found.append((tuple(mine), tuple(theirs)))
    return found
