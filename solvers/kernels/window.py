"""Alpha-beta over a window, to a depth: the search of the programs that play chess, for any game.

What it computes: for a position, a window (alpha, beta) and a number of plies the value to that depth if that lies in
the window, and otherwise a bound on it that lies outside (*fail-soft*, as in :mod:`.alphabeta`). Drivers choose windows
and depths: iterative deepening, aspiration windows, MTD(f). On top of alpha-beta it has, in this order:

- a horizon with *quiescence search* (:mod:`.window_horizon`);
- a transposition table (:mod:`.window_table`);
- *null-move pruning*: in most positions it is better to move than not to. So where a position looks good enough
  already, the player lets the other one move instead, and the position then is searched some plies less deep. If it is
  good enough even so, it will be with a move, and none is searched. Sources: Beal, "Experiments with the null move"
  (1989); Goetsch and Campbell, "Experiments with the null-move heuristic" (1990); Donninger, "Null move and deep
  search", ICCA Journal 16 (1993), who takes off R = 2 plies more than the pass itself; Heinz, "Adaptive null-move
  pruning", ICCA Journal 22 (1999), who takes off R = 3 where the search is still deep;
- *singular extensions*: a move that is better than all others by a margin is searched one ply deeper. There a player
  has no choice, the opponent's threats are long, and what lies behind the horizon is most likely to upset the value.
  Source: Anantharaman, Campbell and Hsu, "Singular extensions: adding selectivity to brute-force searching",
  Artificial Intelligence 43 (1990). They tested a move once it had turned out to be best, and searched it again; here,
  as programs do it today, a search of half the depth, mostly no more than a look into the table, says which move is
  best, and another one whether any other move comes within the margin;
- an order of moves (:mod:`.window_order`), and *enhanced transposition cut-offs* (:mod:`.window_moves`);
- *late-move reductions*: where moves are well ordered a good one comes early, so late ones are first searched one ply
  less deep, and only to see whether they are better than what there is. Sources: Levy, Broughton and Taylor, "The SEX
  algorithm in computer chess" (1989); Romstad, "An introduction to late move reductions" (2006);
- *scouts* (principal variation search): of all moves but the first it need only be shown that they are no better. So
  they are searched with a window so narrow that all it can tell is better or not, and only a move that is better is
  searched again for its value. Sources: Pearl, "Asymptotic properties of minimax trees and game-searching procedures"
  (1980); Marsland and Campbell, "Parallel search of strongly ordered game trees" (1982); Reinefeld, NegaScout (1983).

``search.scouts`` says whether there are any, with a window ``STEP`` wide: any width is right, and one below the
difference of any two values cuts off most. ``LATE`` says from which move on a search is reduced, ``PASSES`` and
``EXTENDS`` in searches of how many plies a pass is tried and moves are tested; 0 stands for never.

All values are the first player's, who maximizes; the second player minimizes.

A null move errs in a *zugzwang*, a position in which every move is worse than none; there are games that are full of
them (nim is nothing else). Nobody passes where the estimate does not look good enough, since a pass would hardly make
it so; where the position is unsettled, as in check; behind a pass, or both would do nothing until the horizon; where
the other player would have no ply left to answer in; and at the root, which asks for a move. The move noted where a
pass cuts off is that of an earlier search; where the rules look at the history of the play it may not be legal after
this one. So there the table does not answer for the root. A pass may lead to a
state that no play reaches. A rule that fails after one is no fault of the game: the pass is taken back.

Invariants. What is found for a window (alpha, beta) is the value if it lies inside, an upper bound on it at alpha or
below, a lower bound at beta or above. Neither the order of moves nor scouts change a value. Reductions, passes and
extensions do: it is then the value to no one depth. But what rests on no horizon (``is_whole``) has left nothing
out, since what has been seen behind a pass to the end of all plays cuts nothing off: then the value is exact, and a
bound holds to the end of all plays. One move is enough for a bound that cuts off (:func:`.window_records.take`).
Moves are only tested while the path is no longer than the search is to be deep, so no line becomes twice as long.

Cost: as for alpha-beta; ``nodes`` are the positions made by a move or a pass. A position costs what it would cost some
plies from its horizon where a pass cuts it off. The tests for singular moves take a small part of the nodes where few
are singular; where most are, the extensions make the search as large as one that goes several plies deeper.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    MOVES,
    PAST,
    STATE,
    Context,
    GiveUp,
    PlayError,
    State,
    Visit,
    actor,
    add_reads,
    array,
    copy,
    hole,
    records,
    scratch,
    take_reads,
)
from zermelo.solvers.kernels.answers import COMES_BACK
from zermelo.solvers.kernels.repetition import comes_back, forget, go_back
from zermelo.solvers.kernels.window_horizon import is_at_horizon, is_unsettled, worth, worth_at_horizon
from zermelo.solvers.kernels.window_moves import list_moves, make
from zermelo.solvers.kernels.window_order import learn
from zermelo.solvers.kernels.window_records import (
    NO_MOVE,
    PASS,
    Child,
    Node,
    Offer,
    Search,
    begin_with,
    cuts_off,
    improves,
    is_move,
    left_behind,
    take,
)
from zermelo.solvers.kernels.window_table import Known, decided, decides, look_up, store

LATE: int
PASSES: int
EXTENDS: int
ADAPTIVE: int
MARGIN: int
STEP: int
REMAKES: int


@hole
def lets_pass(rules: Context, state: State) -> int:
    """Let the other player move instead, in place; whether that is possible."""


def window(search: Search, state: State, alpha: int, beta: int, left: int, ply: int) -> Visit[int]:
    """The value of a position if it lies between alpha and beta, else a bound on the same side. There are so many
    plies ``left`` to the horizon, ``ply`` moves and passes lead here from the root, and ``search.barred`` may be a move
    or a pass that is not to be made here."""
    barred: int = search.barred
    search.barred = NO_MOVE
    if is_at_horizon(search, state, left):
        search.estimates += 1
        return found(search, worth_at_horizon(search.rules, state), NO_MOVE, False)
    known = Known()
    look_up(search, state, left, barred, known)
    if decides(known, alpha, beta) and (ply > 0 or REMAKES == 0 or actor(state) == END):
        if actor(state) == END:
            search.terminals += 1
        else:
            search.hits += 1
        return found(search, decided(search, known, beta), known.move, known.is_whole)
    if comes_back(search.rules, search.watch, state, search.depth):
        raise GiveUp(COMES_BACK)
    node = Node()
    node.alpha, node.beta, node.left, node.ply = alpha, beta, left, ply
    node.first, node.barred, node.before = known.move, barred, search.nodes
    take_reads(search.rules, node.outer)
    begin_with(node, actor(state))
    move: int = NO_MOVE
    value: int = 0

    if PASSES > 0 and left >= PASSES and ply > 0 and barred != PASS and is_worth_a_pass(search, state, node):
        there = scratch()
        copy(there, state, STATE)
        if lets_pass(search.rules, there) != 0:
            search.nodes += 1
            low = beta - STEP if node.player == 0 else alpha
            behind = left - (4 if left >= ADAPTIVE else 3)
            search.barred = PASS
            try:
                value = yield window(search, there, low, low + STEP, behind, ply + 1)
                if cuts_off(node, value) and not search.is_whole:
                    node.best, node.best_move, node.is_whole = value, node.first, False
                    search.cutoffs += 1
                    return finish(search, state, node, alpha, beta)
            except PlayError:
                search.trying, search.barred = NO_MOVE, NO_MOVE
                read_everything(search)

    if EXTENDS > 0 and left >= EXTENDS and ply > 0 and ply <= search.plies and barred == NO_MOVE:
        value = yield window(search, state, alpha, beta, left >> 1, ply)
        if search.best_move != NO_MOVE:
            node.first = search.best_move
            if improves(node, value):
                bound: int = value - MARGIN if node.player == 0 else value + MARGIN - STEP
                search.barred = node.first
                value = yield window(search, state, bound, bound + STEP, left >> 1, ply)
                if value <= bound if node.player == 0 else value > bound:
                    node.extended = node.first

    offers = records(Offer, MOVES)
    children = records(Child, MOVES)
    count: int = list_moves(search, state, node, offers, children)
    if search.rules[0] != 0:
        return 0
    for k in range(count):
        if node.alpha >= node.beta:
            break
        move = offers[k].move
        make(search, state, node, children[offers[k].child].state, move)
        deep: int = left_behind(node, move)
        is_good: bool = True
        if LATE > 0 and k >= LATE and left > 2:
            low = scout_from(node)
            value = yield window(search, children[offers[k].child].state, low, low + STEP, deep - 1, ply + 1)
            is_good = improves(node, value)
        if search.scouts and k > 0 and is_good:
            low = scout_from(node)
            value = yield window(search, children[offers[k].child].state, low, low + STEP, deep, ply + 1)
            is_good = value > node.alpha and value < node.beta
        if is_good:
            value = yield window(search, children[offers[k].child].state, node.alpha, node.beta, deep, ply + 1)
        take(node, move, value, search.is_whole)

    if node.alpha >= node.beta:
        search.cutoffs += 1
        learn(search, node)
    return finish(search, state, node, alpha, beta)


def is_worth_a_pass(search: Search, state: State, node: Node) -> bool:
    """Whether a position looks good enough already, and quiet enough to pass."""
    return cuts_off(node, worth(search.rules, state)) and is_unsettled(search.rules, state) == 0


def read_everything(search: Search) -> None:
    """Nobody knows what the rules have looked for below a pass that went wrong: perhaps for anything."""
    anything = array(PAST)
    for k in range(PAST):
        anything[k] = -1
    add_reads(search.rules, anything)


def scout_from(node: Node) -> int:
    """The lower edge of a scout's null window, which only tells whether a move is better than the best so far."""
    return node.alpha if node.player == 0 else node.beta - STEP


def finish(search: Search, state: State, node: Node, alpha: int, beta: int) -> int:
    """A position has been searched, with this window at first: store and return what was found."""
    if not is_move(node.barred):
        store(search, state, node, alpha, beta)
    add_reads(search.rules, node.outer)
    go_back(search.watch, search.depth)
    return found(search, node.best, node.best_move, node.is_whole)


def found(search: Search, value: int, move: int, is_whole: bool) -> int:
    """Return a value, and leave its move, and whether no horizon has been met, in the search."""
    search.best_move, search.is_whole = move, is_whole
    return value


def start(search: Search) -> None:
    """Nothing has been searched for this window; the first call has the root, which counts as a node."""
    forget(search.watch)
    search.depth, search.nodes = 0, search.nodes + 1
