"""A game whose rules have an error in some plays."""

from __future__ import annotations


def overstepping(stones: int, least: int = 1) -> str:
    """A game of taking one of two numbers of stones, without a guard that they are there: taking too many is an error
    of the rules."""
    return f"""\
game "Overstepping"
players Ann, Bob
claim zero_sum, terminates
var left: 0..{stones} = {stones}
start at play(Ann)
phase play(p: Player):
    turn p:
        move take(n in {least}..{least + 1}):
            left -= n
            if left == 0: end win p
            go play(other p)
"""
