"""Plays of a program that learns against another one, both of which look ahead by weights of their own.

Source: Samuel, "Some studies in machine learning using the game of checkers", IBM Journal 3 (1959), where Alpha, which
learns, plays against Beta, which does not. Alpha is the first player in every other play. Where nothing is drawn by
chance every play would be like the one before, or soon come into the same lines: so in ``EXPLORED`` of 2^16 decisions
a move is made at random.

A play is made in steps: before each move there is a search (:mod:`.lookahead`), or a random number. What belongs to a
method of learning happens between the search and the move, and when the play is over.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    MOVES,
    STATE,
    Context,
    Random,
    State,
    actor,
    apply,
    copy,
    drawn,
    ints,
    moves,
    payoff,
)
from zermelo.solvers.kernels.lookahead import (
    Lookahead,
    is_unsettled,
    measure,
    path_to_error,
    search_on,
    set_out,
    worth_of,
)

EXPLORED: int
PLIES: int

OF = 1 << 16


class Play:
    """A play from ``root`` on, in which ``alpha`` is the number of the player who has the first set of weights: the
    state, the moves ``made`` and how many, whether somebody is looking ahead, and the number of the play. ``half`` is
    half of what both players get together.

    At Alpha's last turn: the features of the position ``before`` the move, what it seemed to be worth ``at_once``, and
    by how much what the search found differs, ``delta``, if it ``tells`` something: of an unsettled position it does
    not. The number and the sum of squares of all differences."""

    root: State
    state: State
    legal: ints[MOVES]
    made: list[int]
    length: int
    random: Random
    is_looking: bool
    alpha: int
    number: int
    half: float
    before: list[float]
    at_once: float
    delta: float
    tells: bool
    differences: int
    squares: float


def begin_play(play: Play) -> None:
    """Begin the next play, with Alpha on the other side."""
    copy(play.state, play.root, STATE)
    play.length, play.is_looking, play.alpha = 0, False, play.number & 1


def is_over(play: Play) -> bool:
    """Whether the play has ended, or is so long that it is given up."""
    return actor(play.state) == END or play.length >= len(play.made)


def is_alpha(play: Play) -> bool:
    """Whether Alpha is to move."""
    return actor(play.state) == play.alpha


def think(rules: Context, look: Lookahead, play: Play, budget: int) -> int:
    """Look ahead for so many nodes, or until it is known which move is to be made; how many are left. Then nobody is
    looking ahead any more."""
    if not play.is_looking:
        if is_alpha(play):
            see(rules, look, play)
        set_out(rules, look, play.state, 0 if is_alpha(play) else len(look.now), PLIES)
        play.is_looking = True
    left: int = search_on(rules, look, budget)
    play.is_looking = not look.is_done
    if rules[0] != 0:
        play.length = path_to_error(look, play.made, play.length)
    elif look.is_done and is_alpha(play):
        play.delta = look.frames[0].best - play.at_once
        play.tells = is_unsettled(rules, play.state) == 0
        if play.tells:
            play.differences += 1
            play.squares += play.delta * play.delta
    return left


def see(rules: Context, look: Lookahead, play: Play) -> None:
    """What the position seems to be worth before Alpha looks ahead."""
    play.at_once = worth_of(rules, look, play.state, 0)
    measure(look)
    for k in range(len(look.now)):
        play.before[k] = look.now[k]


def move_on(rules: Context, look: Lookahead, play: Play) -> None:
    """Make the best move that has been found, or one at random."""
    place: int = look.place
    count: int = moves(rules, play.state, play.legal)
    if EXPLORED > 0 and count > 1 and drawn(play.random, OF) < EXPLORED:
        place = drawn(play.random, count)
    play.made[play.length] = play.legal[place]
    play.length += 1
    apply(rules, play.state, play.legal[place])


def gain_of_alpha(look: Lookahead, play: Play) -> float:
    """What Alpha has got beyond half of what there is; 0 if the play has been given up."""
    if actor(play.state) != END:
        return 0.0
    gain: float = float(payoff(play.state, 0)) / look.unit - play.half
    return gain if play.alpha == 0 else -gain
