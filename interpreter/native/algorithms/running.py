"""Runs: the phases entered after a move, up to the next decision or the end
(:mod:`zermelo.interpreter.native.rules.runs`)."""

from __future__ import annotations

PHASE: int  # the slot of the phase
ACTOR: int  # the slot of the actor, 0 at the end
ENDED: int  # the number of the end in place of a phase
MOST_PHASES: int  # the most phases entered in a row
ENDLESS: int  # the fault site if there are more
REMEMBERED: tuple[int, ...]  # slots of names remembered during their phase
NAMES: int  # their number


def ask(C: ints[CONTEXT]) -> int: ...  # set C[0] if the host wants the run to stop


def enter(C: ints[CONTEXT], S: state, phase: int) -> int: ...  # whether the run is at rest in this phase


def come(C: ints[CONTEXT], S: state, phase: int) -> int: ...  # likewise; 2 if its moves have not been generated


def settle_behind(C: ints[CONTEXT], S: state, steps: int) -> int:
    """Enter phases until a decision offers something or the play ends; ``steps`` have been entered already."""
    entered: int = steps
    while 1:
        phase: int = S[PHASE]
        entered += 1
        if goes_on(C, S, phase, entered) == 0 or enter(C, S, phase) != 0:
            break
    return 0


def arrive(C: ints[CONTEXT], S: state) -> int:
    """Enter phases until one has a decision, whatever it offers, or the play ends. The number of phases entered if the
    decision's moves have not been generated, else 0."""
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
    """Enter phases, from that of the state on, until it comes to rest."""
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
