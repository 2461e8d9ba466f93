"""What a player should believe about the position (:mod:`zermelo.solvers.beliefs`)."""

from __future__ import annotations

from random import Random

from attrs import evolve

from zermelo.game import CHANCE, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.last_resort import at_the_door
from zermelo.solvers.beliefs.consistent_plays import Behaviour, Belief, Following, Possible, enumerated, uniform
from zermelo.solvers.beliefs.particles import SAMPLES, sampled
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress


@at_the_door
def belief(
    state: State,
    player: str,
    others: str = "uniform",
    samples: int | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
) -> Belief[State]:
    """What ``player`` should believe after the play that led to ``state``. The ``others`` make all moves with equal
    probability, follow the equilibrium that is found (``best``), or the strategies of a file. The belief is exact as
    long as the plays that fit are few enough, unless a number of ``samples`` is asked for; ``seed`` makes them the same
    every time.

    Raises ``ZermeloError``: ``unknown-player``, ``never-perceived`` if the others, as they choose, never lead here, or
    if nothing has been perceived because chance is to draw first, ``out-of-time``, ``unreadable-file``,
    ``bad-strategy``, and what :func:`zermelo.solve` raises.

    >>> import zermelo
    >>> state = zermelo.load("kuhn_poker").initial.after("deal(J, Q)").after("bet")
    >>> belief = zermelo.belief(state, "Bob", others="best")
    >>> [(str(each.probability), str(each.state.view("Alice")[0])) for each in belief.positions]
    [('3/4', 'hand[Alice] = K'), ('1/4', 'hand[Alice] = J')]
    """
    game, limits = state.game, limits or Limits()
    machine, number = game.machine, game.number(player)
    known = machine.information_state(state.machine_state, number)
    behaviour: Behaviour = uniform
    if others != "uniform":
        from zermelo.policies.exploiting import behaviour_of

        behaviour = behaviour_of(others, game, limits, progress)
    following = Following(machine, number, known, behaviour)
    try:
        found = enumerated(following, limits, progress) if samples is None else None
        if found is None:
            found = sampled(following, Random(seed), samples or SAMPLES, limits, progress)
    except ZermeloError as error:
        if error.code == "never-perceived" and state.actor == CHANCE and not known:
            raise _perceives_nothing_yet(player) from None
        raise
    positions = (Possible(State(game, each.state), each.probability, each.plays) for each in found.positions)
    return evolve(found, positions=tuple(positions))


def _perceives_nothing_yet(player: str) -> ZermeloError:
    """The error for a row of draws with which a play begins."""
    return ZermeloError(
        "never-perceived",
        f"{player} has perceived nothing yet: chance is to draw first",
        "go on to a decision, with `--after` or in the play",
    )
