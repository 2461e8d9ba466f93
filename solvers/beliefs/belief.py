"""A belief state: the positions that a player holds possible, with their probabilities.

What a player has perceived, their *information state* K, fits many plays. How probable each of them is follows from the
probabilities of chance, and from how the others choose, by Bayes' rule:

    P(play | K)  =  P(play) / sum of P(play') over all plays' that fit K,

where P(play) is the product of the probabilities of its outcomes and of the moves of the *others*. The player's own
moves do not matter: with perfect recall, they are the same in all plays that fit. Kaelbling, Littman and Cassandra
(1998) call the result a belief state, and it is all of the past that a good decision needs.

*When?* There is no hidden clock: a player may not notice that others have moved, and then several positions of one
play fit K. A belief is about the moment at which the player perceived the last thing: of each play, the first decision
or end that fits. No play is counted twice, so the probabilities sum to 1. If the player is to decide, this is the
decision.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Generic

from attrs import frozen

from zermelo.interpreter.machine import InformationState, State


@frozen
class Possible(Generic[State]):
    """A position: its ``probability``, the number of ``plays`` found that lead to it, and the ``state`` after one of
    them."""

    state: State
    probability: Fraction
    plays: int


@frozen
class Belief(Generic[State]):
    """What ``player``, who knows ``known``, should believe: ``positions``, the most probable first. ``is_exact``: they
    are all, with their exact probabilities; otherwise those that ``drawn`` weighted samples led to, which tell as much
    as ``effective`` independent draws from the belief itself (Kong, 1992): the standard error of a probability p is
    about the root of p (1 - p)/``effective``."""

    player: int
    known: InformationState
    positions: tuple[Possible[State], ...]
    is_exact: bool
    drawn: int = 0
    effective: Fraction = Fraction(0)
