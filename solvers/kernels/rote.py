"""Samuel's rote learning: positions met in play are kept, with the score that looking ahead has found for them.

Source: A. L. Samuel, "Some studies in machine learning using the game of checkers", IBM Journal 3 (1959), the part on
"rote learning". Two players, no chance, no secrets; both sides of a play keep and look up (:mod:`.self_play`).

*What is kept* (:mod:`.memory`): the position in which somebody has looked ahead, the score that was backed up to it,
and the depth of the line from which it comes. *What it is for*: a position at the horizon of a later search that has
been kept is worth its score. So that search sees as far as the kept one has seen beyond its own horizon: the kept depth
adds up, and is kept in turn.

*Direction.* A score is brought nearer to that of an even play by a small part, ``FADING``, with each ply by which it
is backed up. So of two wins the nearer one is made, of two losses the later one, without which a program may win for
ever. It is done at the horizon, for all plies at once, which commutes with minimax.

*Refreshing and forgetting.* A score is replaced when its position is met again by a line at least as deep. Each record
has an age, which grows by 1 with each play and is halved when the record is of use; when there are more than ``ROOM``,
the oldest are forgotten, and of these the ones that were met first.

Three things are not Samuel's. He kept records on tape, and aged them with each pass over it; he let a record go at a
greatest age, too. His program played against people and books, and here it plays against itself, a part of the moves
at random. And the estimate is the file's own, which does not change.

Cost: a search for each move; a look into a table for each position at the horizon. Invariant: after each play all that
is known depends on the seed and the number of the play, and on nothing else.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, earned
from zermelo.solvers.kernels.lookahead import Lookahead
from zermelo.solvers.kernels.memory import enter_all, forget_oldest, keep
from zermelo.solvers.kernels.self_play import Play, begin_play, is_over, move_on, think

FADING = 1.0 / 4096.0


class Learner:
    """Plays, and what is kept, in the memory of the look-ahead."""

    rules: Context
    look: Lookahead
    play: Play


def go_on(learner: Learner, end: int, budget: int) -> int:
    """Play and keep until so many plays have been made, or for so many nodes."""
    left: int = budget
    while left > 0 and learner.play.number < end and learner.rules[0] == 0:
        if is_over(learner.play):
            learner.play.number += 1
            learner.look.memory.now = learner.play.number
            forget_oldest(learner.look.memory)
            begin_play(learner.play)
        else:
            left = think(learner.rules, learner.look, learner.play, left)
            if not learner.play.is_looking and learner.rules[0] == 0:
                frame = learner.look.frames[0]
                gone: float = float(earned(learner.play.state, 0)) / learner.look.unit
                keep(learner.look.memory, learner.play.state, frame.best - gone, frame.reach)
                move_on(learner.rules, learner.look, learner.play)
    return 0


def begin_learning(learner: Learner) -> None:
    """Go on from what is kept, with the next play."""
    learner.look.fading[0] = 1.0
    for k in range(1, len(learner.look.fading)):
        learner.look.fading[k] = learner.look.fading[k - 1] * (1.0 - FADING)
    learner.look.half = learner.play.half
    learner.look.memory.now = learner.play.number
    enter_all(learner.look.memory)
    begin_play(learner.play)
