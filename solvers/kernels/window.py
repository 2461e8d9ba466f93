"""Alpha-beta over a window, to a depth: the search of the programs that play chess, for any game.

For a position, a window (alpha, beta) and a number of plies it finds the value to that depth if that lies in the
window, and otherwise a bound of it that lies outside (*fail-soft*). :mod:`zermelo.solvers.search.window_search` says
the same in Python; drivers choose windows and depths. ::

    value(position, alpha, beta, left)
        at the end of the play, or at the horizon, or if the table knows enough: that
        ask, before any move is searched                        null move, singular extension
        look at the positions behind all moves                  enhanced transposition cut-offs
        for each move, the most promising first:                killers, history
            search it with as little effort as may do           late-move reduction, null-window scout
            if it turns out to be better, once more with more   principal variation search
            narrow the window; if it is empty: break            cut-off
        store what has been found                               transposition table

The recursion is a path in an array, so that it can pause anywhere. Each step (``go_on``) is made at its last position:
a question is put, or the moves are listed, or one is made, or the position is finished. A question or a move leads to
the position behind, which is aimed at with a window and a depth. If what it is worth is known at once, or when it is
finished, the position above is told; otherwise it is entered, and is the last of the path.

What is asked is in :mod:`.inquiries`; how moves are listed in :mod:`.window_moves`, and sorted in :mod:`.window_order`;
what is remembered in :mod:`.window_table`; where the search is cut off in :mod:`.window_horizon`. The modules of
:mod:`zermelo.solvers.search` give reasons and sources.

Invariants. The window of a ply is that of the ply above, as narrowed by then, or a null window at its edge, or that of
a question. What is found for a window (alpha, beta) is the value if it lies inside, an upper bound of it at alpha or
below, a lower bound at beta or above. Neither the order of moves nor scouts change a value. Reductions, passes and
extensions do: it is then the value to no one depth; but where no horizon has been met nothing has been left out.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import END, STATE, actor, apply, copy
from zermelo.solvers.kernels.answers import BEYOND, COMES_BACK, DONE
from zermelo.solvers.kernels.inquiries import (
    AMONG_OTHERS,
    aim_question,
    ask,
    has_question,
    hear,
    inquires,
    is_extended,
    is_without_one,
    make_plan,
    take_back_pass,
)
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import comes_back, forget, go_back
from zermelo.solvers.kernels.window_horizon import is_at_horizon, worth
from zermelo.solvers.kernels.window_moves import NOT_LISTED, list_moves
from zermelo.solvers.kernels.window_order import NOT_MADE, learn
from zermelo.solvers.kernels.window_records import NO_MOVE, TO_THE_END, Found, Ply, Search, improves, take
from zermelo.solvers.kernels.window_table import Known, decided, decides, look_up, store

SCOUTS: int
LATE: int
REMAKES: int

FULL = 0
SCOUT = 1
REDUCED = 2


def start(search: Search) -> None:
    """Put the search at its root, the first position of the path; the host has given it its window and its depth."""
    search.depth, search.nodes = 0, search.nodes + 1
    root = search.path[0]
    known = Known()
    look_up(search, root.state, root.left, known)
    if decides(known, root.alpha, root.beta):
        search.hits += 1
        search.depth = DONE
        root.best, root.best_move, root.is_whole = decided(known, root.beta), known.move, known.is_whole
    else:
        forget(search.watch)
        comes_back(search.watch, root.state, 0)
        enter(search, root, known.move)


def go_on(search: Search, budget: int) -> int:
    """Go on for about so many nodes; the depth that the search has come to, or one of the answers."""
    found = Found()
    last: int = search.nodes + budget
    while search.depth != DONE and (search.rules[0] != 0 or (search.nodes < last and has_room(search))):
        ply = search.path[search.depth]
        is_open: bool = False
        if search.rules[0] != 0:
            if not take_back_pass(search):
                return search.depth
        elif has_question(ply):
            is_open = ask(search, ply)
        elif ply.count == NOT_LISTED:
            list_moves(search, ply)
        elif ply.tried < ply.count and ply.alpha < ply.beta:
            is_open = make_next(search, ply)
        else:
            finish(search, ply, found)
            is_open = wants_more(search, found)
        while is_open and is_known(search, found):
            is_open = wants_more(search, found)
        if is_open:
            there = search.path[search.depth + 1]
            if comes_back(search.watch, there.state, search.depth + 1):
                return COMES_BACK
            search.depth += 1
            enter(search, there, found.move)
    return BEYOND if search.is_beyond != 0 else search.depth


def has_room(search: Search) -> bool:
    """Whether the path may become longer."""
    return search.depth + 2 < len(search.path)


def enter(search: Search, ply: Ply, first: int) -> None:
    """Begin with the last position of the path: any move will be better than nothing."""
    ply.least, ply.most = ply.alpha, ply.beta
    ply.best = -INFINITE if actor(ply.state) == 0 else INFINITE
    ply.best_move, ply.is_whole = NO_MOVE, True
    ply.count, ply.tried = NOT_LISTED, 0
    ply.nodes_before = search.nodes
    make_plan(search, ply, first)


def make_next(search: Search, ply: Ply) -> bool:
    """Make the next move, or take the position behind it from where it has been looked at; whether that has gone well.
    The first move is searched with full effort at once, late ones with the least at first."""
    there = search.path[search.depth + 1]
    number: int = ply.tried
    made: int = ply.made[number]
    ply.tried += 1
    if made != NOT_MADE and REMAKES == 0:
        copy(there.state, ply.children[made].state, STATE)
    else:
        copy(there.state, ply.state, STATE)
        apply(search.rules, there.state, ply.legal[number])
        if made == NOT_MADE:
            search.nodes += 1
    ply.effort = SCOUT if SCOUTS > 0 and number > 0 else FULL
    if LATE > 0 and number >= LATE and ply.left > 2:
        ply.effort = REDUCED
    return search.rules[0] == 0


def is_known(search: Search, found: Found) -> bool:
    """Whether the position behind the last one takes no search of its own: because the search is cut off there, because
    the play has ended, or because the table knows enough. What is ``found`` then is its value, and else the move to
    begin with."""
    ply = search.path[search.depth]
    there = search.path[search.depth + 1]
    aim(ply, there)
    if is_at_horizon(search, there.state, there.left):
        search.estimates += 1
        found.value, found.is_whole = worth(search.rules, there.state), False
        return True
    found.move = NO_MOVE
    if inquires(ply) and ply.inquiry == AMONG_OTHERS:
        return False  # what the table knows of the position is true with its best move
    known = Known()
    look_up(search, there.state, there.left, known)
    found.move = known.move
    if not decides(known, there.alpha, there.beta):
        return False
    found.value, found.is_whole = decided(known, there.beta), known.is_whole
    if actor(there.state) == END:
        search.terminals += 1
    else:
        search.hits += 1
    return True


def aim(ply: Ply, there: Ply) -> None:
    """The window and the depth with which the position behind is searched now. A scout has a null window, which shows
    no more than whether the move is better than what there is; if it is reduced as well, it is one ply less deep."""
    if inquires(ply):
        aim_question(ply, there)
        return
    there.alpha, there.beta, there.left = ply.alpha, ply.beta, ply.left
    if SCOUTS > 0 and ply.effort != FULL:
        if actor(ply.state) == 0:
            there.beta = ply.alpha + 1
        else:
            there.alpha = ply.beta - 1
    if ply.left < TO_THE_END:
        there.left -= 1
        if is_extended(ply, ply.legal[ply.tried - 1]):
            there.left += 1
        if LATE > 0 and ply.effort == REDUCED:
            there.left -= 1


def wants_more(search: Search, found: Found) -> bool:
    """Tell the last position of the path what has been found behind it. If the move turns out to be better than a
    search with so little effort was to show, it has to be searched again, with more."""
    if search.depth == DONE or search.rules[0] != 0:
        return False
    ply = search.path[search.depth]
    if inquires(ply):
        hear(ply, found)
        return False
    if SCOUTS > 0 and ply.effort != FULL:
        is_better: bool = improves(ply, found.value)
        is_inside: bool = ply.alpha < found.value and found.value < ply.beta
        if (ply.effort == REDUCED and is_better) or (ply.effort == SCOUT and is_inside):
            ply.effort -= 1
            return True
    take(ply, ply.legal[ply.tried - 1], found.value, found.is_whole)
    return False


def finish(search: Search, ply: Ply, found: Found) -> None:
    """All that matters of the last position of the path has been searched: store it, and take it off the path."""
    if inquires(ply):
        search.cutoffs += 1
    elif ply.alpha >= ply.beta:
        search.cutoffs += 1
        learn(search, ply)
    if not is_without_one(ply):
        store(search, ply)
    found.value, found.move, found.is_whole = ply.best, ply.best_move, ply.is_whole
    go_back(search.watch, search.depth)
    search.depth -= 1
