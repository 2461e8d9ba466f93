"""The course of a play: its beginning, the phases entered after a move, choices made at once, null moves, and the
keys of positions."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    KEY,
    PLAYERS,
    STATE,
    Context,
    State,
    array,
    bits,
    copy,
    effects,
    ints,
    lowest,
    pack,
    scratch,
    settle,
)

START: tuple[bits, ...]  # the entries of the state after ``setup``
PHASE: int  # the slot of the phase
ACTOR: int  # the slot of the actor: a player's number plus 2
ENDED: int  # the number of the end in place of a phase
MOST_PHASES: int  # the most phases entered in a row
ENDLESS: int  # the fault site if more are entered
REMEMBERED: tuple[int, ...]  # slots of names remembered during their phase
NAMES: int  # the number of these names
WAITING: int  # the slot of the set of players who are still to choose
CHOICES: int  # the first slot of the players' choices so far: a move plus 1
PLAYER: int  # the slot of the player, the argument of the phase
IMAGES: int  # how many symmetries there are, the identity with number 0
HALF: int  # a mask of 32 bits


def start(context: Context, state: State) -> int: ...  # enter the first phase


def ask(context: Context) -> int: ...  # set context[0] if the host wants the run to stop


def enter(context: Context, state: State, phase: int) -> int: ...  # whether the run is at rest in this phase


def come(context: Context, state: State, phase: int) -> int: ...  # likewise; 2 if its moves have not been generated


def players_asked(context: Context, state: State) -> bits: ...  # the players whom the rules name


def is_offered(context: Context, state: State, player: int) -> int: ...  # whether a player has a choice


def begin_run(state: State) -> int: ...


def take_effect(context: Context, state: State) -> int: ...


def offers(context: Context, state: State, phase: int) -> int: ...  # whether the decision of this phase offers anything


def head(state: State) -> int: ...  # the phase and its arguments, as a number


def rename_head(state: State, there: State, image: int) -> int: ...  # write the phase and its arguments of an image


def rename_rest(state: State, there: State, image: int) -> int: ...  # write its variables


# The state after ``setup``, and the one in which a play begins.


def set_up(context: Context, state: State) -> int:
    """Fill the state."""
    for k in range(STATE):
        state[k] = START[k]
    return 0


def begin(context: Context, state: State) -> int:
    """Make the state in which a play begins."""
    set_up(context, state)
    start(context, state)
    return settle(context, state)


# Runs: the phases entered after a move, up to the next decision or the end
# (:mod:`zermelo.interpreter.native.rules.sampling`).


def settle_behind(context: Context, state: State, steps: int) -> int:
    """Enter phases until a decision offers something or the play ends; ``steps`` have been entered already."""
    entered: int = steps + 1
    if goes_on(context, state, entered):
        while enter(context, state, state[PHASE]) == 0:
            entered += 1
            if not goes_on(context, state, entered):
                break
    return 0


def arrive(context: Context, state: State) -> int:
    """Enter phases until one has a decision, whatever it offers, or the play ends. The number of phases entered if the
    decision's moves have not been generated, else 0."""
    entered: int = 1
    while goes_on(context, state, entered):
        rest: int = come(context, state, state[PHASE])
        if rest != 0:
            return entered if rest == 2 else 0
        entered += 1
    return 0


def goes_on(context: Context, state: State, entered: int) -> bool:
    """Whether the run goes on with the phase of the state; if not, the state is at the end. (In :func:`settle_behind`
    this is asked behind a phase, not before the next one: so LLVM sees that an ``end`` there is the end of the run.)"""
    phase: int = state[PHASE]
    for k in range(NAMES):
        state[REMEMBERED[k]] = 0
    if entered > MOST_PHASES and phase != ENDED and context[0] == 0:
        context[0] = ENDLESS
    ask(context)
    if phase != ENDED and context[0] == 0:
        return True
    state[PHASE] = ENDED
    state[ACTOR] = 0
    return False


def settle_play(context: Context, state: State) -> int:
    """Enter phases, from that of the state on, until it comes to rest."""
    return settle_behind(context, state, 0)


def apply(context: Context, state: State, move: int) -> int:
    """Make a move or an outcome, and come to rest."""
    if effects(context, state, move) != 0:
        return 0
    return settle_play(context, state)


def hurry(context: Context, state: State, move: int) -> int:
    """Make a move or an outcome, and :func:`arrive`."""
    if effects(context, state, move) != 0:
        return 0
    return arrive(context, state)


# The players who choose at once.


def choosers(context: Context, state: State) -> int:
    """The mask of those who are asked and have a choice."""
    asked: bits = players_asked(context, state)
    found: int = 0
    for player in range(PLAYERS):
        if (asked >> player) & 1 != 0 and is_offered(context, state, player) != 0:
            found = found | 1 << player
    return found


# A choice among those that players make at once, one after the other; all take effect after the last one.


def choose(context: Context, state: State, move: int) -> int:
    """Make the choice of the player to act; whether others are still to choose."""
    state[CHOICES + state[ACTOR] - 2] = move + 1
    state[WAITING] = state[WAITING] & (state[WAITING] - 1)
    if state[WAITING] != 0:
        state[ACTOR] = lowest(state[WAITING]) + 2
        return 1
    begin_run(state)
    take_effect(context, state)
    for player in range(PLAYERS):
        state[CHOICES + player] = 0
    return 0


# Null moves (:mod:`zermelo.interpreter.native.rules.sampling`).


def passed(context: Context, state: State) -> int:
    """Let the other player move, in place; whether that is possible. A fault on the way is discarded."""
    state[PLAYER] = 1 - state[PLAYER]
    state[ACTOR] = 5 - state[ACTOR]
    offered: int = offers(context, state, state[PHASE])
    if context[0] == 0:
        return offered
    context[0] = 0
    return 0


# The least of the keys of a position and its images.


def is_less(one: ints[KEY], other: ints[KEY]) -> int:
    """Whether a key is less than another one. Its words have no sign."""
    for k in range(KEY):
        high: int = ((one[k] >> 32) & HALF) - ((other[k] >> 32) & HALF)
        low: int = (one[k] & HALF) - (other[k] & HALF)
        if high != 0 or low != 0:
            return high < 0 or (high == 0 and low < 0)
    return 0


def least_image(state: State, key: ints[KEY]) -> int:
    """Write the least key. First comes the phase with its arguments: so most images need not be made."""
    there = scratch()
    other = array(KEY)
    best: int = 0
    least: int = head(state)
    copy(there, state, STATE)
    pack(state, key)
    for image in range(1, IMAGES):
        rename_head(state, there, image)
        first: int = head(there)
        if first <= least:
            rename_rest(state, there, image)
            pack(there, other)
            if first < least or is_less(other, key) != 0:
                best = image
                least = first
                for k in range(KEY):
                    key[k] = other[k]
    return best
