"""What a window search finds out about a position before it searches the moves: by a null move, and by a test whether
one move is singular (:mod:`zermelo.solvers.search.null_move` and :mod:`zermelo.solvers.search.singular_extensions` say
what for).

An *inquiry* asks up to three questions, each of which a search answers that is less deep than that of the moves:

1. ``PASS``: is the position good enough even for a player who passes (a *null move*)? Then it is cut off.
2. ``SHALLOW``: which move is best at half the depth, and what is it worth? That one is searched first.
3. ``OTHERS``: does any other move come near that value, at half the depth? If not, the first one is *singular*, and
   is searched one ply deeper than the others.

What is searched for an answer is the position behind the pass, or the position itself once more; it stands one place
further on the path meanwhile, as if a move had led there. So every question has two stages, before it is put (an odd
number) and while its answer is awaited (the next one).
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import STATE, Context, State, actor, copy, hole
from zermelo.solvers.kernels.window_horizon import is_unsettled, worth
from zermelo.solvers.kernels.window_records import NO_MOVE, TO_THE_END, Found, Ply, Search, cuts_off, improves

PASSES: int
EXTENDS: int
ADAPTIVE: int
MARGIN: int

NO_QUESTION = 0
PASS = 1
BEHIND_PASS = 2
SHALLOW = 3
IN_SHALLOW = 4
OTHERS = 5
AMONG_OTHERS = 6
CUT_OFF = 8


@hole
def lets_pass(rules: Context, state: State) -> int:
    """Let the other player move instead, in place; whether that is possible."""


def inquires(ply: Ply) -> bool:
    """Whether an inquiry about a position is under way, or has cut it off."""
    return (PASSES > 0 or EXTENDS > 0) and ply.inquiry != NO_QUESTION


def has_question(ply: Ply) -> bool:
    """Whether a question about a position is to be put next."""
    return inquires(ply) and ply.inquiry & 1 != 0


def is_extended(ply: Ply, move: int) -> bool:
    """Whether a move is searched one ply deeper than the others."""
    return EXTENDS > 0 and move == ply.plan.extended


def is_barred(ply: Ply, move: int) -> bool:
    """Whether a move is left out."""
    return EXTENDS > 0 and move == ply.plan.barred


def is_without_one(ply: Ply) -> bool:
    """Whether some move of a position is left out, so that nothing that is found is true of the position."""
    return EXTENDS > 0 and ply.plan.barred != NO_MOVE


def make_plan(search: Search, ply: Ply, first: int) -> None:
    """Come to the last position of the path, with the move that is to be searched first: what is asked about it depends
    on why it is searched itself."""
    ply.plan.first, ply.number = first, search.depth
    if PASSES > 0 or EXTENDS > 0:
        ply.plan.extended, ply.plan.barred = NO_MOVE, NO_MOVE
        ply.inquiry = NO_QUESTION
        if search.depth > 0:
            above = search.path[search.depth - 1]
            ply.number = above.number + (1 if above.inquiry <= BEHIND_PASS else 0)
            if above.inquiry == AMONG_OTHERS:
                ply.plan.barred = above.plan.first
        if ply.number > 0 and ply.left < TO_THE_END:
            ply.inquiry = first_question(search, ply)


def first_question(search: Search, ply: Ply) -> int:
    """Nobody passes behind a pass. Moves are tested while the path is no longer than the search was to be deep."""
    if PASSES > 0 and ply.left >= PASSES and search.path[search.depth - 1].inquiry != BEHIND_PASS:
        return PASS
    if EXTENDS > 0 and ply.left >= EXTENDS and ply.plan.barred == NO_MOVE and ply.number <= search.path[0].left:
        return SHALLOW
    return NO_QUESTION


def ask(search: Search, ply: Ply) -> bool:
    """Put the question about the last position of the path: make the one that is to be searched for it. False where it
    is not worth while."""
    there = search.path[search.depth + 1]
    if ply.inquiry == PASS and not is_worth_a_pass(search, ply):
        ply.inquiry = NO_QUESTION
        return False
    copy(there.state, ply.state, STATE)
    if ply.inquiry == PASS:
        if lets_pass(search.rules, there.state) == 0:
            ply.inquiry = NO_QUESTION
            return False
        search.nodes += 1
    ply.inquiry += 1
    return True


def is_worth_a_pass(search: Search, ply: Ply) -> bool:
    """Whether a position looks good enough already, and as if its player might as well wait."""
    return cuts_off(ply, worth(search.rules, ply.state)) and is_unsettled(search.rules, ply.state) == 0


def aim_question(ply: Ply, there: Ply) -> None:
    """The window and the depth of the search that answers the question."""
    is_first: bool = actor(ply.state) == 0
    there.alpha, there.beta, there.left = ply.alpha, ply.beta, ply.left >> 1
    if ply.inquiry == BEHIND_PASS:
        there.left = ply.left - (4 if ply.left >= ADAPTIVE else 3)
        if is_first:
            there.alpha = ply.beta - 1
        else:
            there.beta = ply.alpha + 1
    elif ply.inquiry == AMONG_OTHERS:
        there.alpha = ply.plan.bound if is_first else ply.plan.bound - 1
        there.beta = there.alpha + 1


def hear(ply: Ply, found: Found) -> None:
    """The question has been answered: what follows, and what is to be asked next."""
    asked: int = ply.inquiry
    ply.inquiry = NO_QUESTION
    if asked == BEHIND_PASS:
        hear_of_pass(ply, found)
    elif asked == IN_SHALLOW:
        hear_of_best(ply, found)
    else:
        hear_of_others(ply, found)


def hear_of_pass(ply: Ply, found: Found) -> None:
    """A player for whom a pass is good enough need not move. What has been seen to the end of all plays cuts nothing
    off, so that results are exact where no horizon has been met."""
    if not found.is_whole and cuts_off(ply, found.value):
        ply.best, ply.best_move, ply.is_whole = found.value, ply.plan.first, False
        ply.inquiry, ply.count = CUT_OFF, 0


def hear_of_best(ply: Ply, found: Found) -> None:
    """The best move comes first. If it is better than what there is, how good are the others?"""
    if found.move != NO_MOVE:
        ply.plan.first = found.move
        if improves(ply, found.value):
            ply.plan.bound = found.value - MARGIN if actor(ply.state) == 0 else found.value + MARGIN
            ply.inquiry = OTHERS


def hear_of_others(ply: Ply, found: Found) -> None:
    """The first move is singular if no other one comes nearer to it than the margin."""
    is_first: bool = actor(ply.state) == 0
    if (is_first and found.value <= ply.plan.bound) or (not is_first and found.value >= ply.plan.bound):
        ply.plan.extended = ply.plan.first


def take_back_pass(search: Search) -> bool:
    """A rule has gone wrong. Behind a pass there may be positions to which no play comes, so if there was one, the last
    one is taken back and the rule forgotten. False where there was none."""
    if PASSES == 0:
        return False
    for back in range(search.depth + 1):
        ply = search.path[search.depth - back]
        if ply.inquiry == BEHIND_PASS:
            search.depth -= back
            search.rules[0], ply.inquiry = 0, NO_QUESTION
            return True
    return False
