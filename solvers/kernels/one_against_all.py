"""One player against all others: paranoid search and best-reply search.

What it computes: what the player who moves at the root gets if they play best and the others play to keep them down,
whatever the cost. That makes a game of any number of players, with any payoffs, one of two sides and a single
number, which alpha-beta can search. In truth the others look after themselves, so the value is none of the game: it is
what the searching player gets under the assumption. It is backed up together with the payoffs of all players at the end
of the play it comes by.

*Paranoid search* lets the others do what they like (Sturtevant and Korf, "On pruning techniques for multi-player
games", AAAI 2000). Alpha-beta then prunes where max^n can prune next to nothing: with the best moves first, n players
and m plies, b^(m (n - 1) / n) states instead of b^m, so that it looks further ahead. Searched to the end of all plays
the value is what the player can secure whatever the others do, and no more is meant by it than that.

*Best-reply search* lets only one of them, between two moves of the searching player, choose a move against them
(Schadd and Winands, "Best reply search for multiplayer games", IEEE Transactions on Computational Intelligence and AI
in Games 3, 2011). There the other opponents pass, which the rules of most games forbid. So here (``ONE_REPLY``) they
make the move that is tried first: that for which ``rank`` of the position behind it is greatest if the file says how
moves are ordered (``IS_ORDERED``), else the first. It is the variant BRS+ of Esser, Gras, Winands, Schadd and Lanctot,
"Improving best-reply search", Computers and Games 2013: all positions searched are ones that can come about. Between
two moves of the searching player the others then have about (n - 1) b replies together instead of b^(n - 1).

Invariant (fail-soft): as in :mod:`.alphabeta`, for the searching player's payoff. ``alpha`` is what they can
secure elsewhere, ``beta`` what the others can hold them to.

Cost: as alpha-beta for the moves that are left; memory O(b m).
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    MOVES,
    PLAYERS,
    STATE,
    Call,
    Context,
    GiveUp,
    State,
    Visit,
    actor,
    after,
    apply,
    array,
    copy,
    hole,
    ints,
    moves,
    scratch,
)
from zermelo.solvers.kernels.answers import COMES_BACK
from zermelo.solvers.kernels.horizon import goes_on, worth
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back

ONE_REPLY: int
IS_ORDERED: int

NO_MOVE = -1


@hole
def rank(rules: Context, state: State) -> int:
    """The rank of the position after a move: the greater, the earlier."""


class Payoffs:
    """What every player gets, in parts of one unit."""

    of: ints[PLAYERS]


class Search:
    """A search in progress for a player, ``searcher``, and its depth in plies; the best first move (``NO_MOVE`` if none
    has been made), and whether one of the others has replied behind it, as ``has_replied`` says of
    the root. Counts go on from one search to the next."""

    rules: Context
    calls: list[Call]
    watch: Watch
    searcher: int
    has_replied: int
    best_move: int
    best_replies: int
    value: Payoffs
    plies: int
    depth: int
    nodes: int
    terminals: int
    cutoffs: int
    estimates: int


def search_against(search: Search, state: State, alpha: int, beta: int, has_replied: int) -> Visit[Payoffs]:
    """What all players get from a state on, if the searching player's share lies between alpha and beta, else a bound
    on the same side; ``has_replied`` says whether one of the others has replied since that player moved."""
    search.nodes += 1
    best = Payoffs()
    if not goes_on(search.rules, state, search.plies - search.depth):
        if actor(state) == END:
            search.terminals += 1
        else:
            search.estimates += 1
        for player in range(PLAYERS):
            best.of[player] = worth(search.rules, state, player)
        return best
    if comes_back(search.rules, search.watch, state, search.depth):
        raise GiveUp(COMES_BACK)
    legal = array(MOVES)
    count: int = moves(search.rules, state, legal)
    if ONE_REPLY != 0 and actor(state) != search.searcher:
        if IS_ORDERED != 0:
            put_first(search.rules, state, legal, count)
        if has_replied != 0:
            count = 1
    for k in range(count):
        found = yield search_against(
            search, after(search.rules, state, legal[k]), alpha, beta, replies(search, state, has_replied, k)
        )
        if k == 0 or is_better(search, state, found, best):
            for player in range(PLAYERS):
                best.of[player] = found.of[player]
            if search.depth == 0:
                search.best_move, search.best_replies = legal[k], replies(search, state, has_replied, k)
        if actor(state) == search.searcher:
            alpha = max(alpha, best.of[search.searcher])
        else:
            beta = min(beta, best.of[search.searcher])
        if alpha >= beta:
            search.cutoffs += 1
            break
    go_back(search.watch, search.depth)
    return best


def is_better(search: Search, state: State, found: Payoffs, best: Payoffs) -> bool:
    """Whether some payoffs are better than others for the side that moves."""
    if actor(state) == search.searcher:
        return found.of[search.searcher] > best.of[search.searcher]
    return found.of[search.searcher] < best.of[search.searcher]


def replies(search: Search, state: State, has_replied: int, k: int) -> int:
    """Whether one of the others has replied after move number ``k``: the player who makes the first one lets others
    reply."""
    if actor(state) == search.searcher:
        return 0
    return 0 if k == 0 and has_replied == 0 else 1


def put_first(rules: Context, state: State, legal: ints[MOVES], count: int) -> None:
    """Put the move that is tried first before the others, which stay in their order."""
    there = scratch()
    at: int = 0
    greatest: int = 0
    for k in range(count):
        copy(there, state, STATE)
        apply(rules, there, legal[k])
        ranked: int = rank(rules, there)
        if k == 0 or ranked > greatest:
            at, greatest = k, ranked
    first: int = legal[at]
    for k in range(at):
        legal[at - k] = legal[at - k - 1]
    legal[0] = first


def start(search: Search) -> None:
    """Nothing has been searched."""
    forget(search.watch)
    search.depth, search.best_move, search.best_replies = 0, NO_MOVE, 0
    search.calls[0].has_replied = search.has_replied
