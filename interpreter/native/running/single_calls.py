"""The rules of a game as a kernel of their own, whose functions the host calls one at a time."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    KEY,
    MOVES,
    WORDS,
    Context,
    State,
    actor,
    apply,
    begin,
    earned,
    ended,
    ints,
    moves,
    observed,
    outcomes,
    pack,
    payoff,
    set_up,
)


class SingleCall:
    """A state, the state of the decision before it, and room for answers."""

    rules: Context
    last: State
    state: State
    legal: ints[MOVES]
    weights: ints[MOVES]
    key: ints[KEY]
    seen: ints[WORDS]


def set_up_last(call: SingleCall) -> int:
    """Make the state before the play begins."""
    return set_up(call.rules, call.last)


def begin_play(call: SingleCall) -> int:
    """Make the state in which a play begins."""
    return begin(call.rules, call.state)


def actor_now(call: SingleCall) -> int:
    """The actor."""
    return actor(call.state)


def list_moves(call: SingleCall) -> int:
    """Write the legal moves; their number."""
    return moves(call.rules, call.state, call.legal)


def list_outcomes(call: SingleCall) -> int:
    """Write the outcomes of chance and their weights; their number."""
    return outcomes(call.rules, call.state, call.legal, call.weights)


def make_move(call: SingleCall, move: int) -> int:
    """Make a move."""
    return apply(call.rules, call.state, move)


def payoff_of(call: SingleCall, player: int) -> int:
    """A player's payoff."""
    return payoff(call.state, player)


def ended_with(call: SingleCall, player: int) -> int:
    """The payoff of the end."""
    return ended(call.state, player)


def earned_by(call: SingleCall, player: int) -> int:
    """The earnings so far."""
    return earned(call.state, player)


def write_key(call: SingleCall) -> int:
    """Write the key of the position."""
    return pack(call.state, call.key)


def observe(call: SingleCall, move: int, player: int) -> int:
    """Write a player's observations on coming to the state; the number of words."""
    return observed(call.rules, call.last, call.state, move, player, call.seen)
