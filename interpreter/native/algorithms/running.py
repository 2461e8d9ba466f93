"""Runs: what a move sets off, up to the next decision or the end (:mod:`zermelo.interpreter.native.rules.runs`)."""

from __future__ import annotations

PHASE: int  # where a state holds the phase
ACTOR: int  # where it holds who acts, 0 at the end
ENDED: int  # the phase that stands for the end
MOST_PHASES: int  # so many phases can be entered in a row
ENDLESS: int  # the place in the rules to blame for more
REMEMBERED: tuple[int, ...]  # where a state holds names that are remembered while it is in their phase
NAMES: int  # how many of them there are


def ask(C: ints[CONTEXT]) -> int: ...  # set C[0] where the host wants the run to stop


def enter(C: ints[CONTEXT], S: state, phase: int) -> int: ...  # whether the run is at rest in this phase


def come(C: ints[CONTEXT], S: state, phase: int) -> int: ...  # the same, and 2 where nobody has asked what it offers


def settle_behind(C: ints[CONTEXT], S: state, steps: int) -> int:
    """Enter phases, behind so many others, until a decision offers something or the play ends."""
    entered: int = steps
    while 1:
        phase: int = S[PHASE]
        entered += 1
        if goes_on(C, S, phase, entered) == 0 or enter(C, S, phase) != 0:
            break
    return 0


def arrive(C: ints[CONTEXT], S: state) -> int:
    """Enter phases until one has a decision, whatever it offers, or the play ends. How many have been entered if nobody
    has asked what the decision offers, else 0."""
    entered: int = 0
    while 1:
        phase: int = S[PHASE]
        entered += 1
        if goes_on(C, S, phase, entered) == 0:
            break
        rest: int = come(C, S, phase)
        if rest != 0:
            return entered if rest == 2 else 0
    return 0


def goes_on(C: ints[CONTEXT], S: state, phase: int, entered: int) -> int:
    """Whether the run goes on with this phase; if not, the state is at the end."""
    for k in range(NAMES):
        S[REMEMBERED[k]] = 0
    if entered > MOST_PHASES and phase != ENDED and C[0] == 0:
        C[0] = ENDLESS
    ask(C)
    if phase != ENDED and C[0] == 0:
        return 1
    S[PHASE] = ENDED
    S[ACTOR] = 0
    return 0


def settle(C: ints[CONTEXT], S: state) -> int:
    """Enter phases from the one that the state is in."""
    return settle_behind(C, S, 0)


def apply(C: ints[CONTEXT], S: state, m: int) -> int:
    """Make a move or an outcome, and come to rest."""
    if effects(C, S, m) != 0:
        return 0
    return settle(C, S)


def hurry(C: ints[CONTEXT], S: state, m: int) -> int:
    """Make a move or an outcome, and :func:`arrive`."""
    if effects(C, S, m) != 0:
        return 0
    return arrive(C, S)
