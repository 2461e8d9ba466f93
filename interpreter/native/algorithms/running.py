"""Runs: the phases entered after a move, up to the next decision or the end
(:mod:`zermelo.interpreter.native.rules.runs`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, State, effects

PHASE: int  # the slot of the phase
ACTOR: int  # the slot of the actor, 0 at the end
ENDED: int  # the number of the end in place of a phase
MOST_PHASES: int  # the most phases entered in a row
ENDLESS: int  # the fault site if there are more
REMEMBERED: tuple[int, ...]  # slots of names remembered during their phase
NAMES: int  # their number


def ask(context: Context) -> int: ...  # set context[0] if the host wants the run to stop


def enter(context: Context, state: State, phase: int) -> int: ...  # whether the run is at rest in this phase


def come(context: Context, state: State, phase: int) -> int: ...  # likewise; 2 if its moves have not been generated


def settle_behind(context: Context, state: State, steps: int) -> int:
    """Enter phases until a decision offers something or the play ends; ``steps`` have been entered already."""
    entered: int = steps
    while 1:
        phase: int = state[PHASE]
        entered += 1
        if goes_on(context, state, phase, entered) == 0 or enter(context, state, phase) != 0:
            break
    return 0


def arrive(context: Context, state: State) -> int:
    """Enter phases until one has a decision, whatever it offers, or the play ends. The number of phases entered if the
    decision's moves have not been generated, else 0."""
    entered: int = 0
    while 1:
        phase: int = state[PHASE]
        entered += 1
        if goes_on(context, state, phase, entered) == 0:
            break
        rest: int = come(context, state, phase)
        if rest != 0:
            return entered if rest == 2 else 0
    return 0


def goes_on(context: Context, state: State, phase: int, entered: int) -> int:
    """Whether the run goes on with this phase; if not, the state is at the end."""
    for k in range(NAMES):
        state[REMEMBERED[k]] = 0
    if entered > MOST_PHASES and phase != ENDED and context[0] == 0:
        context[0] = ENDLESS
    ask(context)
    if phase != ENDED and context[0] == 0:
        return 1
    state[PHASE] = ENDED
    state[ACTOR] = 0
    return 0


def settle(context: Context, state: State) -> int:
    """Enter phases, from that of the state on, until it comes to rest."""
    return settle_behind(context, state, 0)


def apply(context: Context, state: State, move: int) -> int:
    """Make a move or an outcome, and come to rest."""
    if effects(context, state, move) != 0:
        return 0
    return settle(context, state)


def hurry(context: Context, state: State, move: int) -> int:
    """Make a move or an outcome, and :func:`arrive`."""
    if effects(context, state, move) != 0:
        return 0
    return arrive(context, state)
