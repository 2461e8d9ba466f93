"""Aiming at a decision: some plays are led to it, and all are weighted so that nothing is favoured.

Who is to choose a move wants to know what to do in one information set, to which few plays come by themselves. Online
outcome sampling (Lisý, Lanctot and Bowling, "Online Monte Carlo counterfactual regret minimization for search in
imperfect information games", 2015) leads a share ``part`` of them there. Here they are led along given plays, the
*aims*, each with a weight; those of all aims sum to 1. So a play that comes by history h is drawn with

    (1 - part) * q(h) + part * share(h),

where q(h) is the probability with which outcome sampling alone comes to h: that of chance's draws times that of the
players' (``sampled``); share(h) is the sum of the weights of the aims behind h. Behind an aim all go on alike. What a
play adds to regrets is multiplied by q(h) over this, and what it adds to averages is divided by this instead of q(h):
estimates stay unbiased, whatever the aims and their weights are. (Averages are even better: a history to which the
others do not come at present counts in them if plays are led there.) Without aims nothing changes, to the last bit.

The aims are a tree of *marks*, of which the first is the beginning: a move or an outcome each, with the share, and the
probability of chance's draws so far. ``mark`` is that of the present play, ``NONE`` where it has left all aims. At the
last mark of an aim the play is ``there``; ``divisor`` and ``correction`` keep their values from there on, and
``sampled`` begins again at 1.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Random, drawn
from zermelo.solvers.kernels.regret_table import NONE, Ply

PARTS = 1 << 40
"""Random numbers are whole parts of this."""


class Aim:
    """The aims, and where the present play is among them. ``moves[m]`` leads to mark m, whose first child is
    ``children[m]`` and next sibling ``siblings[m]``; 0 is none. ``row`` is the first row in the table of the set where
    the aims end, ``NONE`` as long as it has not been met."""

    moves: list[int]
    children: list[int]
    siblings: list[int]
    shares: list[float]
    chances: list[float]
    part: float
    mark: int
    is_led: int
    there: int
    row: int
    divisor: float
    correction: float


def share_drawn(random: Random) -> float:
    """A random number from 0 to 1."""
    return float(drawn(random, PARTS)) / float(PARTS)


def begin_aiming(aim: Aim, random: Random) -> None:
    """A play begins: it is led or not."""
    aim.mark, aim.is_led, aim.there = NONE, 0, 0
    aim.divisor, aim.correction = 1.0, 1.0
    if aim.part > 0.0:
        aim.mark = 0
        if share_drawn(random) < aim.part:
            aim.is_led = 1


def is_led_on(aim: Aim) -> bool:
    """Whether the next move or outcome is prescribed."""
    return aim.is_led != 0 and aim.there == 0 and aim.children[aim.mark] != 0


def prescribed(aim: Aim, random: Random) -> int:
    """The next move or outcome of a play that is led, drawn by the shares."""
    left: float = share_drawn(random) * aim.shares[aim.mark]
    at: int = aim.children[aim.mark]
    while aim.siblings[at] != 0 and left >= aim.shares[at]:
        left -= aim.shares[at]
        at = aim.siblings[at]
    return aim.moves[at]


def pass_mark(aim: Aim, move: int) -> None:
    """A move or an outcome has been made."""
    if aim.mark == NONE or aim.children[aim.mark] == 0:
        return
    at: int = aim.children[aim.mark]
    while at != 0 and aim.moves[at] != move:
        at = aim.siblings[at]
    aim.mark = at if at != 0 else NONE


def weigh(aim: Aim, ply: Ply) -> bool:
    """Set what the play is divided by and multiplied with, at a decision or an end; whether an aim ends there."""
    if aim.there != 0 or aim.part == 0.0:
        return False
    led: float = 0.0
    if aim.mark != NONE:
        led = aim.part * aim.shares[aim.mark] / aim.chances[aim.mark]
    aim.divisor = (1.0 - aim.part) * ply.sampled + led
    aim.correction = ply.sampled / aim.divisor
    if aim.mark == NONE or aim.children[aim.mark] != 0:
        return False
    aim.there = 1
    ply.sampled = 1.0
    return True


def average_weight(aim: Aim, ply: Ply) -> float:
    """What the strategy of the traverser adds to the average: their own reach probability over the probability with
    which the play has come here, both without chance."""
    if aim.part == 0.0:
        return ply.reach / ply.sampled
    if aim.there != 0:
        return ply.reach / (aim.divisor * ply.sampled)
    return ply.reach / aim.divisor
