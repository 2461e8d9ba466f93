"""Decisive moves: moves that end the play at once, and pay the mover the most that any play can pay
(Teytaud and Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search algorithms", 2010).

Let two players have a constant sum, and let M be the most that any play can pay a player; plays that never end pay them
less. A position in which they are to act and have a decisive move is *decided*. It is worth M to them, at a distance of
1: no other move brings more, and none ends the play sooner. So nothing that lies behind its other moves can matter
there, and all positions that the same player has decided are one, with one edge, to the end.

**Edges that are not needed.** In another position let one edge lead to where the other player has decided the play. The
mover gets the least there that any play can pay, at a distance of 2. Let a second edge lead to a position that has not
been decided. Then the first one need not be kept:

* What it brings is the least. So it is best only if the second one brings no more.
* If it brings no more, then the mover delays, since a play that never ends pays them more than that. And the end is at
  least as far behind the second edge: if the other player is to act there, the next move is none that wins at once; and
  if the mover acts again, they may make any other. So it takes at least two moves, beginning with the edge itself.

So neither the value nor the distance of any position changes, nor who can keep a play going for ever. If there is no
such second edge, the first one stays: the position is lost in 2, or something else is better.

It does not matter if a decisive move is overlooked: the position is kept then, like others. Those that end the play
because the other player has no move are overlooked, since it costs more to see them.

Cost: the moves of each position are tried until one is decisive, each time that an edge leads to a decided position,
and once for each of the others.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import END, STATE, Context, State, actor, copy, hurry, moves, payoff
from zermelo.solvers.kernels.exploration import Trial


def has_decisive_move(rules: Context, trial: Trial, state: State) -> int:
    """Whether the player to act has a decisive move, after which the state of the trial is left."""
    count: int = moves(rules, state, trial.legal)
    for k in range(count):
        if rules[0] != 0:
            return 0
        copy(trial.state, state, STATE)
        hurry(rules, trial.state, trial.legal[k])
        if actor(trial.state) == END and payoff(trial.state, 0) == trial.most[actor(state)]:
            return 1
    return 0
