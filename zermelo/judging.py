"""How good an estimate is: against the exact values of all positions, and with every decision made by it.

The exact values are those of the solver of positions, or are looked up in a table of them. An estimate is asked where
players ask it who look one move ahead: in the positions right after a move. Its error is the difference to what such a
position is worth, in units of payoff; and wherever a player decides, the *greedy* move, behind which the estimate is
best, loses what it is worse than a best move. Where several moves are greedy, each of them counts with its share.
At a position that the file calls ``unsettled`` players look on, and no estimate is asked. Players who look further
ahead go by what the estimates there come to if both choose by them, chance drawing in between: a ply more is one step
of value iteration over all positions (Bellman 1957), so nobody has to search.

All positions count alike, however rarely a play comes there; or each as often as it does in plays of those who move
greedily, but at random in one of ten decisions, as learners do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import nan
from os import PathLike
from random import Random
from typing import TYPE_CHECKING, Any, Final, cast

import numpy
from attrs import evolve, frozen

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.learning import learnable, run_learning, scales_of, with_inputs
from zermelo.solvers.common.limits import LimitReached, Limits, Progress
from zermelo.solvers.kernels.asking import ASKED, LEFT_OUT, MADE
from zermelo.solvers.learning.weights import TDSettings, Weights
from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph
from zermelo.solvers.running.path_search import QUIESCENCE_PLIES
from zermelo.solvers.solution import Request
from zermelo.solving import on_machine, search

if TYPE_CHECKING:
    from zermelo.interpreter.machine import Machine
    from zermelo.solvers.learning.self_play import Learning
    from zermelo.solvers.positions.policies import Policy
    from zermelo.solvers.tables.along_graph import KnownGraph
    from zermelo.tables import Table

RANDOM: Final = 3
"""How many times weights are drawn at random, to have something to compare with."""


PLAYS: Final = 2_000
"""How many plays say how often positions come up."""

EXPLORED: Final = 0.1
"""The share of decisions of these plays at which a move is made at random."""

LONGEST: Final = 1_000
"""The most edges of such a play."""

DRAWS: Final = 20
"""The most draws of chance in a row that are looked through."""


@frozen
class Errors:
    """The root mean square and the largest of the errors of an estimate in so many ``positions``, the share of so many
    ``decisions`` in which a greedy move is best, and what greedy moves lose on average, in units of payoff."""

    positions: int
    root_mean_square: float
    largest: float
    decisions: int
    best_share: float
    loss: float


@frozen
class Judgement:
    """How good an estimate is in all positions, and in those that come up in plays, as often as they do; and what who
    is greedy loses in a whole play against somebody who makes no errors, on average over both seats."""

    everywhere: Errors
    in_play: Errors
    loss_of_play: float


class WorthByTheWay(Exception):
    """What a play pays depends on more than the position: on what has been earned, or on how often players decided."""


def judge(
    root: State,
    estimates: Sequence[Weights],
    limits: Limits,
    progress: Progress,
    table: Table | None = None,
    depth: int = 1,
) -> list[Judgement]:
    """Judgements of several estimates of a game, by the positions from a state on, which are solved or looked up in a
    ``table``, if players look so many moves ahead, the ``depth``.

    Raises ``ZermeloError``: what the solver of positions raises, ``out-of-memory`` and ``out-of-time`` among them;
    ``no-value`` if a position has none though the root has; what :meth:`zermelo.Table.known_graph` raises, and
    ``not-in-table``; and :class:`WorthByTheWay` where players earn or there is a discount, since estimates are of what
    a play pays in all."""
    solved = graph_to_judge(root, table, limits, progress)
    judged: dict[int, Judgement] = {}
    for alike in {each.settings: None for each in estimates}:
        chosen = [k for k, each in enumerate(estimates) if each.settings == alike]
        told = _told(root, solved, [estimates[k] for k in chosen], limits, progress)
        for k, found in zip(chosen, told, strict=True):
            for _ in range(depth - 1):
                found = _looked_further(solved, found)
            judged[k] = _judgement(solved, found)
    return [judged[k] for k in range(len(estimates))]


def judge_on_the_way(
    learning: Learning[Any],
    root: State,
    limits: Limits,
    progress: Progress,
    table: Table | str | PathLike[str] | None = None,
) -> None:
    """Learn, and note at each point of the curve how good what is known by then is, as long as there is time. Raises as
    :func:`judge` and :meth:`zermelo.Table.open` do before anything is learnt, and as learning does; ``bad-usage`` where
    positions are learnt by rote, and where what a play pays depends on more than the position."""
    from zermelo.solvers.learning.self_play import next_point
    from zermelo.tables import table_given

    if learning.first.records is not None:
        raise ZermeloError(
            "bad-usage", "--judge is for weights, and by rote positions are learnt", "`zermelo judge` plays matches"
        )
    looked_up, games = None if table is None else table_given(table, root.game), learning.games
    try:
        solved = graph_to_judge(root, looked_up, limits, progress)
    except WorthByTheWay:
        raise ZermeloError(
            "bad-usage",
            "--judge: what a play pays depends on more than the position here",
            "without it the game is learnt all the same",
        ) from None
    while learning.known.games < games and not limits.is_over:
        learning.games = min(games, next_point(learning.known.games))
        run_learning(learning, root)
        with suppress(DeadlinePassed, LimitReached):
            learning.known = _judged_last(learning.known, root, solved, limits, progress)
        learning.first = learning.known


def _judged_last(known: Weights, root: State, solved: JudgedGraph, limits: Limits, progress: Progress) -> Weights:
    """What is known, with a judgement at the last point of its curve, if that is now."""
    if not known.curve or known.curve[-1].games != known.games or known.curve[-1].exact is not None:
        return known
    *earlier, last = known.curve
    found = _judgement(solved, _told(root, solved, [known], limits, progress)[0]).in_play
    return evolve(known, curve=(*earlier, evolve(last, exact=found.root_mean_square, loss=found.loss)))


def graph_to_judge(root: State, table: Table | None, limits: Limits, progress: Progress) -> JudgedGraph:
    """All positions from a state on, solved or looked up. Raises as :func:`judge` does."""
    if table is None:
        return solve_to_judge(root, limits, progress)
    return look_up_to_judge(root, table, limits, progress)


def solve_to_judge(root: State, limits: Limits, progress: Progress) -> JudgedGraph:
    """All positions from a state on, solved. Raises as :func:`judge` does."""
    from zermelo.solvers.choosing.choice import solve

    def work(machine: Machine[Any]) -> Policy[Any]:
        request = Request("positions", limits, is_advised=True, is_listed=True)
        found: Any = solve(machine, root.game.facts, request, on_machine(root, machine), progress).policy
        return cast("Policy[Any]", found)

    policy = search(root.game, work)

    def look_up(positions: Any) -> Any:
        payoffs = map(policy.solved.payoff, positions.tolist())
        return numpy.array([nan if payoff is None else float(payoff[0]) for payoff in payoffs])

    return JudgedGraph.of(policy.graph, look_up)


def look_up_to_judge(root: State, table: Table, limits: Limits, progress: Progress) -> JudgedGraph:
    """All positions from a state on, as a table knows them. Raises as :func:`judge` does."""

    def work(_: Machine[Any]) -> KnownGraph:
        return table.known_graph(root, limits, progress)

    known = search(root.game, work)

    def look_up(positions: Any) -> Any:
        if not known.is_known[positions].all():
            missing = int((~known.is_known[positions]).sum())
            raise ZermeloError(
                "not-in-table",
                f"the table has {len(positions) - missing:,} of the {len(positions):,} positions after a move by which "
                f"an estimate is judged: those to which plays come that begin {table.extent}",
                "`zermelo table build` makes a table of all; --after MOVES, here too, one of what is left after some "
                "moves",
            )
        return known.worths[positions]

    return JudgedGraph.of(known.graph, look_up)


@frozen(eq=False)
class JudgedGraph:
    """The graph of all positions as arrays: ``worths`` are what they are worth to the first player, as far as that is
    asked for; ``signs`` are 1 where the first player decides, -1 where the second does, else 0; ``asked`` says where a
    player who looks one move ahead asks an estimate."""

    graph: PositionGraph
    firsts: Any
    targets: Any
    signs: Any
    is_end: Any
    worths: Any
    asked: Any

    @classmethod
    def of(cls, graph: PositionGraph, look_up: Callable[[Any], Any]) -> JudgedGraph:
        """The arrays of a graph; ``look_up`` says what positions that are no ends are worth, as floating-point numbers,
        which are not numbers where nothing is defined. Raises :class:`WorthByTheWay` and ``ZermeloError``
        (``no-value``), and what ``look_up`` raises."""
        if graph.rewards is not None or graph.discount != 1:
            raise WorthByTheWay
        kinds = numpy.array(graph.kinds, dtype=numpy.int64)
        firsts = numpy.array(graph.firsts, dtype=numpy.int64)
        targets = numpy.array(graph.targets, dtype=numpy.int64)[: firsts[-1]]
        signs = numpy.where(kinds == 0, 1, numpy.where(kinds > 0, -1, 0))
        asked = numpy.zeros(len(kinds), dtype=bool)
        asked[targets[numpy.repeat(signs != 0, numpy.diff(firsts))]] = True
        is_end = kinds <= PAYS
        asked &= ~is_end
        worths = numpy.zeros(len(kinds))
        worths[is_end] = numpy.array([float(amount[0]) for amount in graph.amounts])[PAYS - kinds[is_end]]
        worths[asked] = look_up(numpy.flatnonzero(asked))
        if numpy.isnan(worths).any():
            raise ZermeloError(
                "no-value",
                "what some positions are worth depends on plays that never end, of which the rules do not say what "
                "they pay",
                "'endless draw' or 'endless payoff ...' says it; --plays N judges by matches",
            )
        return cls(graph, firsts, targets, signs, is_end, worths, asked)

    def edges_of(self, positions: Any) -> tuple[Any, Any]:
        """The edges of several positions, one position after another, and where those of each begin among them."""
        counts = numpy.diff(self.firsts)[positions]
        begins = numpy.cumsum(counts) - counts
        return begins, numpy.repeat(self.firsts[positions] - begins, counts) + numpy.arange(counts.sum())


@frozen(eq=False)
class Guessed:
    """What who looks one move ahead by an estimate finds that positions are worth, and which are unsettled, so that the
    estimate itself was asked further on."""

    worths: Any
    is_unsettled: Any


def _told(
    root: State, solved: JudgedGraph, estimates: list[Weights], limits: Limits, progress: Progress
) -> list[Guessed]:
    """What estimates with the same settings say of each position right after a move."""
    from zermelo.solvers.positions.asking import ask_along

    game, settings, graph = root.game, estimates[0].settings, solved.graph
    has_unsettled = game.facts.has_unsettled  # what is behind an unsettled position may be right after a draw
    asked = ~solved.is_end if has_unsettled else solved.asked
    marks = numpy.where(asked, ASKED, numpy.where(solved.is_end, LEFT_OUT, MADE)).tolist()
    scales = scales_of(game, settings)

    def work(machine: Machine[Any]) -> tuple[Any, Any]:
        root_here = on_machine(root, machine)
        return ask_along(machine, root_here, graph, marks, estimates, scales, limits, progress, has_unsettled)

    worths, is_unsettled = search(with_inputs(game, settings), work)
    each = (numpy.where(asked, worths[:, column], solved.worths) for column in range(len(estimates)))
    return [Guessed(_looked_on(solved, told, is_unsettled), is_unsettled) for told in each]


def _looked_on(solved: JudgedGraph, told: Any, is_unsettled: Any) -> Any:
    """What is ``told`` of settled positions, and what a search finds at unsettled ones, as far as it goes on there."""
    weights, amid = solved.graph.weights, numpy.flatnonzero(is_unsettled)
    if not len(amid):
        return told
    begins, edges = solved.edges_of(amid)
    signs, behind = solved.signs[amid], solved.targets[edges]
    counts = numpy.diff(numpy.append(begins, len(edges)))
    shares = numpy.ones(len(edges)) if weights is None else numpy.array(weights, dtype=float)[edges]
    shares /= numpy.repeat(numpy.add.reduceat(shares, begins), counts)
    for _ in range(QUIESCENCE_PLIES):
        found = told[behind]
        best = signs * numpy.maximum.reduceat(numpy.repeat(signs, counts) * found, begins)
        backed_up = numpy.where(signs != 0, best, numpy.add.reduceat(shares * found, begins))
        if (backed_up == told[amid]).all():
            break
        told[amid] = backed_up
    return told


def _looked_further(solved: JudgedGraph, found: Guessed) -> Guessed:
    """What is found by looking a ply further: where a player decides, the best of what was found behind the moves;
    where chance draws, the mean of that; at an end, what it pays."""
    going_on = numpy.flatnonzero(~solved.is_end)
    begins, edges = solved.edges_of(going_on)
    counts = numpy.diff(numpy.append(begins, len(edges)))
    signs, behind = solved.signs[going_on], solved.targets[edges]
    best = signs * numpy.maximum.reduceat(numpy.repeat(signs, counts) * found.worths[behind], begins)
    further = found.worths.copy()
    decided = signs != 0
    further[going_on[decided]] = best[decided]
    if not decided.all():
        weights = solved.graph.weights
        assert weights is not None, "chance draws"
        shares = numpy.array(weights, dtype=float)[edges]
        shares /= numpy.repeat(numpy.add.reduceat(shares, begins), counts)
        for _ in range(DRAWS):
            means = numpy.add.reduceat(shares * further[behind], begins)[~decided]
            if (means == further[going_on[~decided]]).all():
                break
            further[going_on[~decided]] = means
    return Guessed(_looked_on(solved, further, found.is_unsettled), found.is_unsettled)


def _judgement(solved: JudgedGraph, found: Guessed) -> Judgement:
    """The judgement of an estimate by which so much is found of each position."""
    told, asked, targets = found.worths, solved.asked & ~found.is_unsettled, solved.targets
    errors = numpy.where(asked, numpy.abs(told - solved.worths), 0.0)
    decisions = numpy.flatnonzero(solved.signs)
    begins, edges = solved.edges_of(decisions)
    edges_each = numpy.diff(numpy.append(begins, len(edges)))
    signs = numpy.repeat(solved.signs[decisions], edges_each)
    behind = targets[edges]
    worths = signs * solved.worths[behind]
    guesses = signs * told[behind]
    is_greedy = guesses == numpy.repeat(numpy.maximum.reduceat(guesses, begins), edges_each)
    top = numpy.maximum.reduceat(worths, begins)
    is_best = worths == numpy.repeat(top, edges_each)
    greedy = numpy.add.reduceat(is_greedy.astype(int), begins)
    best_shares, losses = numpy.zeros(len(asked)), numpy.zeros(len(asked))
    best_shares[decisions] = numpy.add.reduceat((is_greedy & is_best).astype(int), begins) / greedy
    losses[decisions] = numpy.add.reduceat((numpy.repeat(top, edges_each) - worths) * is_greedy, begins) / greedy
    chosen = numpy.zeros(len(targets), dtype=bool)
    chosen[edges] = is_greedy
    met, decided = _positions_in_play(solved, chosen)
    return Judgement(
        _errors(errors[asked], best_shares[decisions], losses[decisions]),
        _errors(errors[met[asked[met]]], best_shares[decided], losses[decided]),
        _loss_of_play(solved, told),
    )


def _loss_of_play(solved: JudgedGraph, told: Any) -> float:
    """The mean of what the greedy player loses in a play, seats changing from play to play."""
    random = Random(0)
    return sum(_lost(solved, told, (1, -1)[number % 2], random) for number in range(PLAYS)) / PLAYS


def _lost(solved: JudgedGraph, told: Any, sign: int, random: Random) -> float:
    """What the greedy player of this sign loses by their moves in a play against one who makes no errors."""
    graph, position, lost = solved.graph, 0, 0.0
    for _ in range(LONGEST):
        edges = graph.edges(position)
        decider = solved.signs[position]
        if decider:
            behind = solved.targets[edges.start : edges.stop]
            worths = decider * solved.worths[behind]
            guesses = decider * told[behind] if decider == sign else worths
            chosen = random.choice(numpy.flatnonzero(guesses == guesses.max()).tolist())
            lost += worths.max() - worths[chosen]
            position = int(behind[chosen])
        elif edges:
            assert graph.weights is not None, "chance draws"
            edge = random.choices(edges, [graph.weights[each] for each in edges])[0]
            position = graph.targets[edge]
        else:
            break
    return float(lost)


def _positions_in_play(solved: JudgedGraph, chosen: Any) -> tuple[Any, Any]:
    """The positions behind the moves of plays in which the ``chosen`` edges are followed, and the decisions in them."""
    met, decided, random = list[int](), list[int](), Random(0)
    for _ in range(PLAYS):
        _play(solved, chosen, random, met, decided)
    return numpy.array(met), numpy.array(decided)


def _play(solved: JudgedGraph, chosen: Any, random: Random, met: list[int], decided: list[int]) -> None:
    """Adds the positions behind the moves of a play, and the decisions in it."""
    graph, position = solved.graph, 0
    for _ in range(LONGEST):
        edges = graph.edges(position)
        if solved.signs[position]:
            decided.append(position)
            is_random = random.random() < EXPLORED
            edge = random.choice(edges if is_random else [each for each in edges if chosen[each]])
            met.append(graph.targets[edge])
        elif edges:
            assert graph.weights is not None, "chance draws"
            edge = random.choices(edges, [graph.weights[each] for each in edges])[0]
        else:
            return
        position = graph.targets[edge]


def _errors(errors: Any, best_shares: Any, losses: Any) -> Errors:
    count, decisions = max(1, len(errors)), max(1, len(losses))
    return Errors(
        len(errors),
        float(numpy.sqrt((errors**2).sum() / count)),
        float(errors.max(initial=0.0)),
        len(losses),
        float(best_shares.sum() / decisions),
        float(losses.sum() / decisions),
    )


def mean_of(judgements: list[Judgement]) -> Judgement:
    """The mean of several judgements."""

    def mean(where: str) -> Errors:
        several = [getattr(each, where) for each in judgements]
        first: Errors = several[0]

        def of(name: str) -> float:
            return float(sum(getattr(each, name) for each in several) / len(several))

        means = {name: of(name) for name in ("root_mean_square", "largest", "best_share", "loss")}
        return Errors(first.positions, decisions=first.decisions, **means)

    loss_of_play = sum(each.loss_of_play for each in judgements) / len(judgements)
    return Judgement(mean("everywhere"), mean("in_play"), loss_of_play)


def weights_of(game: Game) -> Weights:
    """The weights that the features of a game's estimate have."""
    from zermelo.solvers.learning.td import begin

    first = begin(learnable(game), 0, TDSettings())
    return evolve(first, method="file", weights=tuple(map(float, game.weights.values())))


def random_weights(like: Weights, seed: int) -> Weights:
    """Weights at random, between the largest of others and minus that."""
    random, most = Random(seed), max(map(abs, like.weights))
    return evolve(like, method="random", weights=tuple(random.uniform(-most, most) for _ in like.weights))
