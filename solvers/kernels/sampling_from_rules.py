"""The table of a sampled game: the information sets met so far, with regrets and sums of strategies for their moves.

An information state has a number (:mod:`.observations`), and the table leads from it to its information set. A set
keeps the order in which its moves were met first; a later decision of the same set has its moves brought into it.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    PLAYERS,
    STATE,
    Context,
    Random,
    State,
    actor,
    apply,
    copy,
    drawn,
    floats,
    hole,
    ints,
    mix,
    moves,
    payoff,
    sample,
    set_up,
)
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.observations import UNKNOWN, Knowledge, know_nothing, learn, put_in_order
from zermelo.solvers.kernels.regret_matching import match

NONE = -1
"""In place of a row, a move, or a depth."""

MOVES_DIFFER = -4
"""An information set offers different moves in different states."""


class Ply:
    """A decision on the path: its state, its moves in the order of its set, and their values for the traverser as far
    as they are known. ``known`` are the players' information states, ``sequences`` the latest rows of the players in
    the table. The rows of the moves begin with ``first``. The moves from ``tried`` on, but not ``end``, are still to
    be followed. ``drawn`` is the probability with which outcome sampling has drawn the traverser's move, else 1;
    ``weight`` is 1 over the product of those before. ``reach`` is the probability that the traverser's strategy leads
    here, and ``sampled`` that the draws of all players do. ``length`` counts moves and outcomes of the play."""

    state: State
    legal: ints[MOVES]
    values: floats[MOVES]
    known: ints[PLAYERS]
    sequences: ints[PLAYERS]
    count: int
    tried: int
    end: int
    first: int
    length: int
    drawn: float
    weight: float
    reach: float
    sampled: float


class Table:
    """The information sets met so far, ``count`` of them, with ``rows`` moves. Set s is that of ``owners[s]``, who
    knows ``known[s]``, comes there by row ``parents[s]``, and has the rows from ``firsts[s]`` to ``firsts[s + 1]``
    (exclusive). ``places`` leads from information states to sets plus 1, or 0. For each row: the move that is
    ``offered``, its regret, its strategy as last computed, and the sum of strategies."""

    places: list[int]
    owners: list[int]
    known: list[int]
    parents: list[int]
    firsts: list[int]
    offered: list[int]
    regrets: list[float]
    strategies: list[float]
    sums: list[float]
    count: int
    rows: int


def find_set(table: Table, ply: Ply, player: int) -> int:
    """The information set of a decision, ``NONE`` if it has not been met, or ``MOVES_DIFFER`` if the moves do. The
    moves of the decision are brought into the order of the set."""
    if ply.known[player] == UNKNOWN or table.places[ply.known[player]] == 0:
        return NONE
    found: int = table.places[ply.known[player]] - 1
    first: int = table.firsts[found]
    is_same: bool = table.firsts[found + 1] - first == ply.count
    return found if is_same and put_in_order(ply.legal, ply.count, table.offered, first) else MOVES_DIFFER


def add_set(table: Table, ply: Ply, player: int) -> int:
    """A new information set, with a row for each move."""
    new: int = table.count
    table.owners[new], table.known[new], table.parents[new] = player, ply.known[player], ply.sequences[player]
    table.places[ply.known[player]] = new + 1
    for k in range(ply.count):
        table.offered[table.rows + k] = ply.legal[k]
        table.regrets[table.rows + k], table.sums[table.rows + k] = 0.0, 0.0
    table.rows += ply.count
    table.count += 1
    table.firsts[table.count] = table.rows
    return new


def choose_largest(table: Table, first: int, end: int) -> None:
    """The strategy that makes the move of the largest regret; where no regret is known yet, the average."""
    best: int = first
    is_known: bool = False
    for row in range(first, end):
        is_known = is_known or table.regrets[row] != 0.0
        if table.regrets[row] > table.regrets[best]:
            best = row
    if not is_known:
        match(table.sums, table.strategies, first, end)
        return
    for row in range(first, end):
        table.strategies[row] = 1.0 if row == best else 0.0


def change_regrets(table: Table, ply: Ply, by_outcome: int) -> float:
    """Add to the regrets the differences between the values of the moves and their mean, which is returned. A move
    that outcome sampling has not followed has the value 0."""
    if by_outcome != 0:
        for k in range(ply.count):
            if k != ply.end - 1:
                ply.values[k] = 0.0
    value: float = 0.0
    for k in range(ply.count):
        value += table.strategies[ply.first + k] * ply.values[k]
    for k in range(ply.count):
        table.regrets[ply.first + k] += ply.weight * (ply.values[k] - value)
    return value


# Monte Carlo counterfactual regret minimization from the rules: no tree, and a table of what has been met.
#
# The same iterations as in :mod:`.counterfactual_regret`, whose essay says what external and outcome sampling are.
# There a game is given as a tree, which has to fit into memory, and a traversal goes through the numbers of its nodes
# twice. Here nothing is given but the rules: a traversal is a path of states, chance is drawn by the rules, without a
# list of its outcomes, and the regrets and the sums of strategies stand in a table with a row for each move of each
# information set met so far. So these are two texts: they agree on regret matching alone (``match``), and on nothing of
# how they go through a game.
#
# An information state has a number (:mod:`.observations`), ``places`` leads from it to its information set, and sets
# keep the order in which their moves were first met. A set that has not been met is played with equal probabilities,
# also by its own player in a traversal, who then follows one move. The first such set in a play is added to the table,
# and the rest of the play adds nothing, as in Monte Carlo tree search. So the table grows by one set a play, and holds
# those that plays come to most; every set is added in the end, as long as there is room. Where there is no more
# (``is_full``), learning goes on in the sets that have been met.
#
# One function, :func:`go_on`, makes *plays* of three kinds:
#
# - *Learning* (``responder`` is ``NOBODY``): an iteration is a traversal for each player, the *traverser*, whose
#   regrets it changes. External sampling follows all their moves; outcome sampling follows one, drawn with exploration,
#   and divides its value by the probability of drawing it. So the estimate of the value of a move is unbiased in both,
#   and both add to a regret
#
#       weight * (value of the move - expected value),
#
#   where the weight is 1 over the probability that the traverser's own draws led here: 1 in external sampling. What
#   chance and the others do is drawn as they do it, and needs no correction; but if outcome sampling is to lead some
#   plays to one decision, all are weighted.
# - *Responding*: the ``responder`` is the traverser of every iteration, with regrets that began at 0, and the others
#   follow their average strategies. So the responder learns what to do against these.
# - *Judging* (``traverser`` is ``NOBODY``): plays in which the responder makes the move of the largest regret, and all
#   others follow their averages; everybody does if the responder is ``NOBODY``. The payoffs are summed up. Nothing is
#   learned.
#
# Cost: a step of the rules and one probe of two tables for each decision met. Memory: for the information states on the
# way to the sets, for the sets, and for their moves.
#
# Invariants: a step is begun only if the lists have room for all that it may add (:func:`has_room`); where a set has
# more moves than there are rows, the step is made again, which finds the same. A set is added after all decisions
# before it in a play. The strategy of a set does not change while a traversal is below it: with perfect recall a
# traversal meets a set of the traverser once, and changes no regrets of others.
#
# Source: Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games"
# (2009); for responses that are learned, and so bound exploitability from below, Timbers and others, "Approximate
# exploitability: learning a best response" (2022).


# Aiming at a decision: some plays are led to it, and all are weighted so that nothing is favoured.
#
# Who is to choose a move wants to know what to do in one information set, to which few plays come by themselves. Online
# outcome sampling (Lisý, Lanctot and Bowling, "Online Monte Carlo counterfactual regret minimization for search in
# imperfect information games", 2015) leads a share ``part`` of them there. Here they are led along given plays, the
# *aims*, each with a weight; those of all aims sum to 1. So a play that comes by history h is drawn with
#
#     (1 - part) * q(h) + part * share(h),
#
# where q(h) is the probability with which outcome sampling alone comes to h: that of chance's draws times that of the
# players' (``sampled``); share(h) is the sum of the weights of the aims behind h. Behind an aim all go on alike. What a
# play adds to regrets is multiplied by q(h) over this, and what it adds to averages is divided by this instead of q(h):
# estimates stay unbiased, whatever the aims and their weights are. (Averages are even better: a history to which the
# others do not come at present counts in them if plays are led there.) Without aims nothing changes, to the last bit.
#
# The aims are a tree of *marks*, of which the first is the beginning: a move or an outcome each, with the share, and
# the probability of chance's draws so far. ``mark`` is that of the present play, ``NONE`` where it has left all aims.
# At the last mark of an aim the play is ``there``; ``divisor`` and ``correction`` keep their values from there on, and
# ``sampled`` begins again at 1.


PARTS = 1 << 40
"""Random numbers are whole parts of this."""


class Aim:
    """The aims, and where the present play is among them. ``moves[m]`` leads to mark m, whose first child is
    ``children[m]`` and next sibling ``siblings[m]``; 0 is none. ``row`` is the first row in the table of the set where
    the aims end, ``NONE`` as long as it has not been met."""

    moves: list[int]
    children: list[int]
    siblings: list[int]
    shares: list[float]
    chances: list[float]
    part: float
    mark: int
    is_led: int
    there: int
    row: int
    divisor: float
    correction: float


def share_drawn(random: Random) -> float:
    """A random number from 0 to 1."""
    return float(drawn(random, PARTS)) / float(PARTS)


def begin_aiming(aim: Aim, random: Random) -> None:
    """A play begins: it is led or not."""
    aim.mark, aim.is_led, aim.there = NONE, 0, 0
    aim.divisor, aim.correction = 1.0, 1.0
    if aim.part > 0.0:
        aim.mark = 0
        if share_drawn(random) < aim.part:
            aim.is_led = 1


def is_led_on(aim: Aim) -> bool:
    """Whether the next move or outcome is prescribed."""
    return aim.is_led != 0 and aim.there == 0 and aim.children[aim.mark] != 0


def prescribed(aim: Aim, random: Random) -> int:
    """The next move or outcome of a play that is led, drawn by the shares."""
    left: float = share_drawn(random) * aim.shares[aim.mark]
    at: int = aim.children[aim.mark]
    while aim.siblings[at] != 0 and left >= aim.shares[at]:
        left -= aim.shares[at]
        at = aim.siblings[at]
    return aim.moves[at]


def pass_mark(aim: Aim, move: int) -> None:
    """A move or an outcome has been made."""
    if aim.mark == NONE or aim.children[aim.mark] == 0:
        return
    at: int = aim.children[aim.mark]
    while at != 0 and aim.moves[at] != move:
        at = aim.siblings[at]
    aim.mark = at if at != 0 else NONE


def weigh(aim: Aim, ply: Ply) -> bool:
    """Set what the play is divided by and multiplied with, at a decision or an end; whether an aim ends there."""
    if aim.there != 0 or aim.part == 0.0:
        return False
    led: float = 0.0
    if aim.mark != NONE:
        led = aim.part * aim.shares[aim.mark] / aim.chances[aim.mark]
    aim.divisor = (1.0 - aim.part) * ply.sampled + led
    aim.correction = ply.sampled / aim.divisor
    if aim.mark == NONE or aim.children[aim.mark] != 0:
        return False
    aim.there = 1
    ply.sampled = 1.0
    return True


def average_weight(aim: Aim, ply: Ply) -> float:
    """What the strategy of the traverser adds to the average: their own reach probability over the probability with
    which the play has come here, both without chance."""
    if aim.part == 0.0:
        return ply.reach / ply.sampled
    if aim.there != 0:
        return ply.reach / (aim.divisor * ply.sampled)
    return ply.reach / aim.divisor


# What sampling from the rules works on.


NOBODY = -1
"""In place of a player."""


class Sampling:
    """Plays from ``root``: so many iterations of those ``wanted``. ``path`` is the present play down to ``depth``,
    ``NONE`` between two. Its last ply is still to be ``entered``, or has been; ``made`` are its moves and outcomes; and
    it ``adds`` the first new set that it meets, unless the table ``is_full``. ``setup`` is the state before the play
    begins, and ``unknowing`` the information states there. An ``aim`` leads plays to one decision, if it has a
    ``part``. What is judged: the sums of ``payoffs`` and of their ``squares``. Moves are drawn by ``random``, chance by
    ``chance``."""

    rules: Context
    root: State
    setup: State
    unknowing: ints[PLAYERS]
    path: list[Ply]
    made: list[int]
    knowledge: Knowledge
    table: Table
    aim: Aim
    legal: ints[MOVES]
    weights: ints[MOVES]
    random: Random
    chance: Random
    payoffs: floats[PLAYERS]
    squares: floats[PLAYERS]
    traverser: int
    responder: int
    by_outcome: int
    adds: int
    is_full: int
    wanted: int
    iterations: int
    depth: int
    entered: int
    length: int
    nodes: int


STEP_WORDS: int
STEP_STATES: int

EXPLORATION = 0.6
"""The probability with which the traverser of outcome sampling draws all moves alike."""

LACKS_ROOM = -5
"""Some list has no room for the next step."""


@hole
def recall(
    knowledge: Knowledge, last: State, state: State, move: int, before: ints[PLAYERS], now: ints[PLAYERS]
) -> int:
    """The same without new information states: ``UNKNOWN`` in their place."""


def start(sampling: Sampling, seed: int) -> None:
    """Begin with an empty table."""
    sampling.random[0] = seed
    sampling.chance[0] = mix(seed, 40503) & ((1 << 53) - 1)
    sampling.nodes, sampling.table.count, sampling.table.rows = 0, 0, 0
    set_up(sampling.rules, sampling.setup)
    know_nothing(sampling.knowledge, sampling.unknowing)
    start_learning(sampling)


def start_learning(sampling: Sampling) -> None:
    """Begin to learn."""
    sampling.traverser, sampling.responder = 0, NOBODY
    sampling.iterations, sampling.depth = 0, NONE


def start_responding(sampling: Sampling, player: int) -> None:
    """Begin to learn what a player does against the averages of the others, from regrets of 0."""
    table = sampling.table
    for s in range(table.count):
        if table.owners[s] == player:
            for row in range(table.firsts[s], table.firsts[s + 1]):
                table.regrets[row] = 0.0
    sampling.traverser, sampling.responder = player, player
    sampling.iterations, sampling.depth = 0, NONE


def start_judging(sampling: Sampling, responder: int) -> None:
    """Begin to judge."""
    for p in range(PLAYERS):
        sampling.payoffs[p], sampling.squares[p] = 0.0, 0.0
    sampling.traverser, sampling.responder = NOBODY, responder
    sampling.iterations, sampling.depth = 0, NONE


def go_on(sampling: Sampling, budget: int) -> int:
    """Make so many more steps, or as many as bring all iterations that are wanted: ``DONE``, or ``LACKS_ROOM`` or
    ``MOVES_DIFFER`` before a step that cannot be made."""
    left: int = budget
    while left > 0 and sampling.iterations < sampling.wanted:
        left -= 1
        if not has_room(sampling):
            return LACKS_ROOM
        answer: int = DONE
        if sampling.depth == NONE:
            begin_play(sampling)
        elif sampling.entered == 0:
            answer = come(sampling, sampling.path[sampling.depth])
        elif sampling.path[sampling.depth].tried < sampling.path[sampling.depth].end:
            follow(sampling, sampling.path[sampling.depth], sampling.path[sampling.depth + 1])
        else:
            close(sampling, sampling.path[sampling.depth])
        if answer != DONE or sampling.rules[0] != 0:
            return answer
    return DONE


def has_room(sampling: Sampling) -> bool:
    """Whether the path has room for one more step; and the table, too, if it may become larger, for all but the rows of
    a new set."""
    knowledge = sampling.knowledge
    return (
        sampling.depth + 2 < len(sampling.path)
        and sampling.length + 1 < len(sampling.made)
        and (
            sampling.adds == 0
            or sampling.is_full != 0
            or (
                knowledge.used + STEP_WORDS < len(knowledge.words)
                and knowledge.count + STEP_STATES + PLAYERS + 1 < len(knowledge.previous)
                and sampling.table.count + 2 < len(sampling.table.firsts)
            )
        )
    )


# ------------------------------------------------------------------- plays


def begin_play(sampling: Sampling) -> None:
    """Begin the next play."""
    ply = sampling.path[0]
    copy(ply.state, sampling.root, STATE)
    for p in range(PLAYERS):
        ply.sequences[p] = NONE
    ply.weight, ply.reach, ply.sampled = 1.0, 1.0, 1.0
    sampling.depth, sampling.entered, sampling.length = 0, 0, 0
    begin_aiming(sampling.aim, sampling.random)
    sampling.adds = 0 if sampling.traverser == NOBODY or sampling.is_full != 0 else 1


def follow(sampling: Sampling, ply: Ply, there: Ply) -> None:
    """Follow the next move of the present decision."""
    player: int = actor(ply.state)
    chance: float = 1.0 / float(ply.count)
    for p in range(PLAYERS):
        there.sequences[p] = ply.sequences[p]
    if ply.first != NONE:
        there.sequences[player] = ply.first + ply.tried
        chance = sampling.table.strategies[ply.first + ply.tried]
    there.weight, there.reach, there.sampled = ply.weight / ply.drawn, ply.reach, ply.sampled * chance
    if player == sampling.traverser:
        there.reach = ply.reach * chance
        if ply.first != NONE:
            there.sampled = ply.sampled * ply.drawn
    copy(there.state, ply.state, STATE)
    sampling.length = ply.length
    sampling.depth += 1
    sampling.entered = 0
    make(sampling, there, ply.legal[ply.tried])


def make(sampling: Sampling, ply: Ply, move: int) -> None:
    """Make a move, or an outcome of chance, in the state of a ply."""
    sampling.made[sampling.length] = move
    sampling.length += 1
    ply.length = sampling.length
    pass_mark(sampling.aim, move)
    apply(sampling.rules, ply.state, move)


def come(sampling: Sampling, ply: Ply) -> int:
    """Let chance draw, end the play, or enter a decision; the answer of a step."""
    if actor(ply.state) == CHANCE:
        if is_led_on(sampling.aim):
            make(sampling, ply, prescribed(sampling.aim, sampling.random))
            return DONE
        outcome: int = sample(sampling.rules, ply.state, sampling.legal, sampling.weights, sampling.chance)
        if sampling.rules[0] == 0:
            make(sampling, ply, outcome)
        return DONE
    if actor(ply.state) != END:
        return enter(sampling, ply)
    sampling.nodes += 1
    weigh(sampling.aim, ply)
    go_back(sampling, worth(sampling, ply.state))
    return DONE


def worth(sampling: Sampling, state: State) -> float:
    """What the end of a play pays the traverser; what is judged is summed up."""
    if sampling.traverser != NOBODY:
        return float(payoff(state, sampling.traverser)) * sampling.aim.correction
    for p in range(PLAYERS):
        paid: float = float(payoff(state, p))
        sampling.payoffs[p] += paid
        sampling.squares[p] += paid * paid
    return 0.0


def go_back(sampling: Sampling, value: float) -> None:
    """Go back to the decision before, with the value of what comes behind its move; at the root, the play is over."""
    sampling.entered = 1
    sampling.depth -= 1
    if sampling.depth != NONE:
        ply = sampling.path[sampling.depth]
        ply.values[ply.tried] = value / ply.drawn
        ply.tried += 1
    elif sampling.responder != NOBODY or sampling.traverser == NOBODY:
        sampling.iterations += 1
    else:
        sampling.traverser = next_to(sampling.traverser)
        sampling.iterations += sampling.traverser == 0


def next_to(player: int) -> int:
    """The player whose turn to traverse is next."""
    return player + 1 if player + 1 < PLAYERS else 0


# --------------------------------------------------------------- decisions


def enter(sampling: Sampling, ply: Ply) -> int:
    """Enter a decision, and choose which moves to follow; the answer of a step."""
    table = sampling.table
    player: int = actor(ply.state)
    find_out(sampling, ply)
    ply.count = moves(sampling.rules, ply.state, ply.legal)
    if sampling.rules[0] != 0:
        return DONE
    found: int = find_set(table, ply, player)
    if found == MOVES_DIFFER:
        return MOVES_DIFFER
    if found == NONE and sampling.adds != 0:
        if table.rows + ply.count > len(table.regrets):
            return LACKS_ROOM
        found = add_set(table, ply, player)
        sampling.adds = 0
    sampling.nodes += 1
    sampling.entered = 1
    ply.drawn, ply.tried, ply.end = 1.0, 0, ply.count
    ply.first = NONE if found == NONE else table.firsts[found]
    if weigh(sampling.aim, ply):
        sampling.aim.row = ply.first
    if found == NONE:
        ply.tried = led_move(sampling, ply) if is_led_on(sampling.aim) else drawn(sampling.random, ply.count)
        ply.end = ply.tried + 1
        return DONE
    choose(sampling, ply, player)
    sum_up(sampling, ply, player)
    if player != sampling.traverser:
        ply.tried = draw_move(sampling, ply, 0.0)
        ply.end = ply.tried + 1
    elif sampling.by_outcome != 0:
        ply.tried = draw_move(sampling, ply, EXPLORATION)
        ply.end = ply.tried + 1
        ply.drawn = odds_of(sampling, ply, ply.tried, EXPLORATION)
    return DONE


def find_out(sampling: Sampling, ply: Ply) -> None:
    """The players' information states at a decision, from those at the last one."""
    last = sampling.setup
    known = sampling.unknowing
    move: int = NONE
    if sampling.depth > 0:
        before = sampling.path[sampling.depth - 1]
        last = before.state
        known = before.known
        move = before.legal[before.tried]
    if sampling.adds != 0:
        learn(sampling.knowledge, last, ply.state, move, known, ply.known)
    else:
        recall(sampling.knowledge, last, ply.state, move, known, ply.known)


def choose(sampling: Sampling, ply: Ply, player: int) -> None:
    """The strategy of a set: by regrets who learns, and the others, too, as long as all do."""
    table = sampling.table
    end: int = ply.first + ply.count
    if player == sampling.traverser or (sampling.traverser != NOBODY and sampling.responder == NOBODY):
        match(table.regrets, table.strategies, ply.first, end)
    elif player == sampling.responder:
        choose_largest(table, ply.first, end)
    else:
        match(table.sums, table.strategies, ply.first, end)


def sum_up(sampling: Sampling, ply: Ply, player: int) -> None:
    """Add to the average while all learn: in outcome sampling the traverser's strategy, by their own reach probability
    over that of the draws; in external sampling that of the player whose turn is next, which has been drawn."""
    if sampling.responder != NOBODY or sampling.traverser == NOBODY:
        return
    weight: float = 0.0
    if sampling.by_outcome != 0:
        if player == sampling.traverser:
            weight = average_weight(sampling.aim, ply)
    elif player == next_to(sampling.traverser):
        weight = ply.reach if player == sampling.traverser else 1.0
    for row in range(ply.first, ply.first + ply.count):
        sampling.table.sums[row] += weight * sampling.table.strategies[row]


def odds_of(sampling: Sampling, ply: Ply, k: int, explored: float) -> float:
    """The probability of a move by the strategy of its set, mixed with so much of the uniform one."""
    return explored / float(ply.count) + (1.0 - explored) * sampling.table.strategies[ply.first + k]


def led_move(sampling: Sampling, ply: Ply) -> int:
    """The number of the move that is prescribed."""
    move: int = prescribed(sampling.aim, sampling.random)
    k: int = 0
    while ply.legal[k] != move:
        k += 1
    return k


def draw_move(sampling: Sampling, ply: Ply, explored: float) -> int:
    """Draw a move with these probabilities, if none is prescribed."""
    if is_led_on(sampling.aim):
        return led_move(sampling, ply)
    left: float = share_drawn(sampling.random)
    last: int = 0
    for k in range(ply.count):
        odds: float = odds_of(sampling, ply, k, explored)
        if odds > 0.0:
            if left < odds:
                return k
            left -= odds
            last = k
    return last


def close(sampling: Sampling, ply: Ply) -> None:
    """All moves to follow have been: change the regrets of the traverser, and go back."""
    value: float = ply.values[ply.end - 1]
    if actor(ply.state) == sampling.traverser and ply.first != NONE:
        value = change_regrets(sampling.table, ply, sampling.by_outcome)
    go_back(sampling, value)
