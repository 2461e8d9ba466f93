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


class Question:
    """A state, the state of the decision before it, and room for answers."""

    rules: Context
    last: State
    state: State
    legal: ints[MOVES]
    weights: ints[MOVES]
    key: ints[KEY]
    seen: ints[WORDS]


def set_up_last(question: Question) -> int:
    """Make the state before the play begins."""
    return set_up(question.rules, question.last)


def begin_play(question: Question) -> int:
    """Make the state in which a play begins."""
    return begin(question.rules, question.state)


def actor_now(question: Question) -> int:
    """The actor."""
    return actor(question.state)


def list_moves(question: Question) -> int:
    """Write the legal moves; their number."""
    return moves(question.rules, question.state, question.legal)


def list_outcomes(question: Question) -> int:
    """Write the outcomes of chance and their weights; their number."""
    return outcomes(question.rules, question.state, question.legal, question.weights)


def make_move(question: Question, move: int) -> int:
    """Make a move."""
    return apply(question.rules, question.state, move)


def payoff_of(question: Question, player: int) -> int:
    """A player's payoff."""
    return payoff(question.state, player)


def ended_with(question: Question, player: int) -> int:
    """The payoff of the end."""
    return ended(question.state, player)


def earned_by(question: Question, player: int) -> int:
    """The earnings so far."""
    return earned(question.state, player)


def write_key(question: Question) -> int:
    """Write the key of the position."""
    return pack(question.state, question.key)


def observe(question: Question, move: int, player: int) -> int:
    """Write a player's observations on coming to the state; the number of words."""
    return observed(question.rules, question.last, question.state, move, player, question.seen)
