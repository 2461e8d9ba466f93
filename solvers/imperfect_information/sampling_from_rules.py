"""Equilibria by sampling from the rules, where the tree does not fit into memory.

The strategies are the averages of Monte Carlo counterfactual regret minimization in the information sets that it has
met (:mod:`zermelo.solvers.kernels.sampling_from_rules`). Nobody has gone through the whole game, so nothing is proved
about them. Two things are estimated, by plays of their own:

- the *value*: what these strategies pay;
- the *exploitability*, from below. For each player a response to the averages of all others is learned from samples,
  and then judged by plays that were not used to learn it. A best response brings at least as much. So what a response
  brings beyond the strategies is a lower bound on what the player could gain, up to the error of the plays, which the
  confidence interval gives. The bound may be far too low.

The work is cut short by time or an interrupt as any iteration is. With a time limit, learning gets a half of the time.
Without one the result depends on the seed, and on the memory where that is not enough for the table: learning may take
half of it, so that there is some for the responses.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf, sqrt
from statistics import NormalDist
from typing import Any, Final, Generic, TypeAlias, TypeVar

from attrs import frozen

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.foundation.memory import format_bytes
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import play_text
from zermelo.interpreter.machine import CHANCE, Move, State
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.common.limits import ITERATIONS
from zermelo.solvers.common.numbers import OBJECT_BYTES
from zermelo.solvers.forms.strategy import SampledExploitability, SampledSets, round_shares, sampled_strategies
from zermelo.solvers.kernels import sampling_from_rules as kernel
from zermelo.solvers.kernels.observations import rehash
from zermelo.solvers.kernels.sampling_from_rules import MOVES_DIFFER, NOBODY, NONE, Sampling
from zermelo.solvers.running.backend import Backend, GameKernels, fill_lists, lengths_of, seeded_draws
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.running.path_search import Slices
from zermelo.solvers.solution import Answer, Certainty, Problem

# The marks of plays at which sampling is aimed: a tree of their moves, with shares and the chances of draws.


Result = TypeVar("Result")

Aims: TypeAlias = Sequence[tuple[State, Fraction]]
"""States in which one player is to move, no two by the same play, with weights that sum to 1."""


def marks_of(backend: Backend[State], root: State, aims: Aims[State]) -> dict[str, list[Any]]:
    """The marks of all plays from a root, as the lists of :class:`zermelo.solvers.kernels.sampling_from_rules.Aim` hold
    them: that of the root comes first, and there is one for each move or outcome. Its *child* is the mark of the next
    one on some play, its *sibling* that of another one in its place, 0 if there is none. Its *share* is that of the
    plays that make it, its *chance* the probability of what chance has drawn so far.

    Raises :class:`~zermelo.interpreter.native.running.views.BeyondLimits`, and ``ZermeloError``
    (``too-many-outcomes``) for draws without numbers."""
    machine = backend.machine
    begin = len(machine.play(root))
    moves: list[Any] = [0]
    children, siblings, shares, chances = [0], [0], [0.0], [1.0]
    places: dict[tuple[int, Move], int] = {}
    for aim, weight in aims:
        at, state = 0, root
        shares[at] += float(weight)
        for move in machine.play(aim)[begin:]:
            after = places.get((at, move))
            if after is None:
                after = places[at, move] = len(moves)
                drawn = machine.actor(state) == CHANCE
                moves.append(backend.number_of(state, move))
                children.append(0)
                siblings.append(children[at])
                shares.append(0.0)
                chances.append(chances[at] * (float(machine.sample_space(state).probability(move)) if drawn else 1.0))
                children[at] = after
            state = machine.after(state, move)
            shares[after] += float(weight)
            at = after
    return {"moves": moves, "children": children, "siblings": siblings, "shares": shares, "chances": chances}


# Sampling from the rules by its kernel: :mod:`zermelo.solvers.kernels.sampling_from_rules` has the algorithm.
#
# The lists grow as they fill, each to twice its length, so that memory is taken for what has been met. Where there is
# no more of it, the table stays as it is.


_AT_FIRST: Final = 1 << 8
"""The length of most lists at first."""

_ENDLESS: Final = 1 << 62
"""More iterations than anybody waits for."""


def source(backend: Backend[Any]) -> Kernel:
    """The kernel that the machine runs. Raises :class:`~zermelo.interpreter.native.running.views.BeyondLimits`."""
    return kernel_of(
        kernel.start,
        kernel.start_responding,
        kernel.start_judging,
        kernel.go_on,
        rehash,
        **backend.learning(recalls=True),
    )


@frozen
class JudgedPlays:
    """What so many ``plays`` paid each player: the means, and their standard errors."""

    plays: int
    means: tuple[Fraction, ...]
    errors: tuple[float, ...]


class SampledPlay(Generic[State]):
    """Plays from the root, and the table of what they have met."""

    def __init__(
        self, backend: Backend[State], kernels: GameKernels, problem: Problem[State], by_outcome: bool
    ) -> None:
        self.backend, self.kernels, self.problem = backend, kernels, problem
        self.players = len(problem.machine.player_names)
        self.lengths = dict.fromkeys(("path", "made", "states", "words", "sets", "rows"), _AT_FIRST)
        sizes, slots = _list_lengths(self.lengths), _hash_table_length(self.lengths)
        sizes["knowledge"]["slots"] = slots
        self.sampling = kernels.new(Sampling, **sizes, aim=lengths_of(marks_of(backend, problem.root, ())))
        self.sampling.by_outcome = int(by_outcome)
        kernels.put(self.sampling.root, backend.held(problem.root))
        kernels.call(kernel.start, self.sampling, seeded_draws(problem.seed).state)

    @property
    def is_full(self) -> bool:
        """Whether the table has no room for more."""
        return bool(self.sampling.is_full)

    @property
    def iterations(self) -> int:
        """The number of completed iterations."""
        return self.sampling.iterations

    def learn(self, wanted: float, reserved: float, share: Fraction) -> str:
        """Learn by so many iterations, or until no more than the ``reserved`` seconds are left; returns what ended it
        before, in words. The table takes a share of the memory at most."""
        return self._play(wanted, reserved, share)

    def aim_at(self, aims: Aims[State], part: float) -> None:
        """Lead this part of the plays along given ones from now on
        (:mod:`zermelo.solvers.kernels.sampling_from_rules`)."""
        marks = marks_of(self.backend, self.problem.root, aims)
        self.kernels.replace(self.sampling, aim=lengths_of(marks))
        fill_lists(self.sampling.aim, marks)
        self.sampling.aim.part, self.sampling.aim.row = part, NONE

    def aimed_strategy(self) -> dict[Move, float] | None:
        """The average strategy in the set at which the plays are aimed; None as long as it has not been met."""
        table, first = self.sampling.table, self.sampling.aim.row
        if first == NONE:
            return None
        firsts = list(table.firsts[: table.count + 1])
        rows = range(first, firsts[firsts.index(first) + 1])
        total = sum(table.sums[row] for row in rows)
        move = self.backend.move
        return {move(table.offered[row]): table.sums[row] / total if total else 1 / len(rows) for row in rows}

    def respond(self, player: int, wanted: float, reserved: float, share: Fraction) -> str:
        """Learn in the same way a response of a player to the averages of all others."""
        self.sampling.is_full = 0
        self.kernels.call(kernel.start_responding, self.sampling, player)
        return self._play(wanted, reserved, share)

    def judge(self, responder: int, plays: int, reserved: float) -> JudgedPlays | None:
        """What plays pay if ``responder`` responds, who may be ``NOBODY``; None if there was no time for two plays."""
        self.kernels.call(kernel.start_judging, self.sampling, responder)
        self._play(plays, reserved, Fraction(1))
        made, unit = self.iterations, self.backend.unit
        if made < 2:
            return None
        means = [paid / made for paid in self.sampling.payoffs]
        squares = [paid / made for paid in self.sampling.squares]
        variances = [max(0.0, square - mean**2) for square, mean in zip(squares, means, strict=True)]
        return JudgedPlays(
            made,
            tuple(Fraction(mean) / unit for mean in means),
            tuple(sqrt(variance / (made - 1)) / unit for variance in variances),
        )

    def sets(self) -> SampledSets:
        """The information sets met so far, with the sums of strategies."""
        table, backend = self.sampling.table, self.backend
        flat = self.kernels.flat
        offered = [table.offered[row] for row in range(table.rows)]
        return SampledSets(
            flat(table.owners, table.count),
            flat(table.parents, table.count),
            flat(table.firsts, table.count + 1),
            array("d", table.sums[: table.rows]),
            lambda row: backend.move(offered[row]),
            backend.knowing(self.kernels, self.sampling.knowledge, flat(table.known, table.count)),
        )

    # ----------------------------------------------------------------- plays

    def _play(self, wanted: float, reserved: float, share: Fraction) -> str:
        sampling, limits = self.sampling, self.problem.limits
        sampling.wanted = int(min(wanted, _ENDLESS))
        slices = Slices(self.kernels.is_compiled)
        while sampling.iterations < sampling.wanted:
            if limits.left <= reserved and limits.seconds < inf:
                return limits.stopped_by_time
            try:
                answer = self._go_on(slices.next())
            except DeadlinePassed:
                return limits.stopped_by_time
            self.problem.progress(sampling.nodes)
            if answer == MOVES_DIFFER:
                raise self._moves_differ()
            if answer == kernel.LACKS_ROOM:
                self._grow(share)
        return ""

    def _go_on(self, steps: int) -> int:
        try:
            return self.kernels.call(kernel.go_on, self.sampling, steps)
        except RuleError as error:
            self.backend.explain(self.problem.root, list(self.sampling.made[: self.sampling.length]), error)

    def _moves_differ(self) -> ZermeloError:
        """The error of a decision whose moves are not those of its information set."""
        state = self.problem.root
        machine, made = self.problem.machine, self.sampling.made[: self.sampling.length]
        for move in map(self.backend.move, made):
            state = machine.after(state, move)
        return ZermeloError(
            "moves-differ",
            f"{machine.player_names[machine.actor(state)]} cannot tell the play {play_text(machine.play(state))} from "
            "another one in which they may choose from other moves",
            "let the guard read only what its player sees, or let the player see what it reads",
        )

    # ---------------------------------------------------------------- memory

    def _grow(self, share: Fraction) -> None:
        """Double the lists that are more than half full, or all if none is, since a step may add much to any of them.
        If memory has no room for a larger table, the table is full.

        Raises ``ZermeloError``: ``out-of-memory`` where there is none for a longer path."""
        sampling, before = self.sampling, self.lengths
        knowledge, table = sampling.knowledge, sampling.table
        path = {"path": sampling.depth + 2, "made": sampling.length + 1}
        used = {"states": knowledge.count, "words": knowledge.used, "sets": table.count, "rows": table.rows}
        longer = [name for name, count in path.items() if count >= before[name]]
        fuller = [name for name, count in used.items() if 2 * count > before[name]] or list(used)
        larger = before | {name: 2 * before[name] for name in longer or fuller}
        larger["words"] = max(larger["words"], larger["states"])
        if self._bytes(before) + self._bytes(larger) > self.problem.limits.free * (1 if longer else share):
            if longer:
                raise self.problem.limits.out_of_memory({"nodes": sampling.nodes})
            sampling.is_full, sampling.adds = 1, 0
            return
        self.lengths = larger
        self.kernels.grow(sampling, **_list_lengths(larger))
        if larger["states"] > before["states"]:
            self.kernels.replace(sampling, knowledge={"slots": _hash_table_length(larger)})
            self.kernels.call(rehash, knowledge, self.players)

    def _bytes(self, lengths: dict[str, int]) -> int:
        """What lists of these lengths take."""
        ply = self.kernels.words_of(Sampling, "path")
        numbers = ply * lengths["path"] + lengths["made"] + 3 * lengths["states"] + _hash_table_length(lengths)
        numbers += lengths["words"] + 4 * lengths["sets"] + 4 * lengths["rows"]
        return numbers * (8 if self.kernels.is_compiled else OBJECT_BYTES)


def _list_lengths(lengths: dict[str, int]) -> dict[str, Any]:
    """The lengths of all lists, apart from the hash table."""
    states, sets, rows = lengths["states"], lengths["sets"], lengths["rows"]
    return {
        "path": lengths["path"],
        "made": lengths["made"],
        "knowledge": {"previous": states, "starts": states + 1, "words": lengths["words"]},
        "table": {
            "places": states,
            "owners": sets, "known": sets, "parents": sets, "firsts": sets + 1,
            "offered": rows, "regrets": rows, "strategies": rows, "sums": rows,
        },
    }  # fmt: skip


def _hash_table_length(lengths: dict[str, int]) -> int:
    """The length of the hash table of information states."""
    return 1 << (2 * lengths["states"]).bit_length()


PLAYS: Final = 20_000
"""How many plays judge the strategies, and each response."""

_LEARNING: Final = Fraction(1, 2)
"""The share of time and memory for learning."""

_RESPONDING: Final = Fraction(3, 4)
"""The share of the time that is left for learning responses."""

_LEVEL: Final = 0.95


def sample_from_rules(problem: Problem[State], by_outcome: bool) -> Answer:
    """Strategies for the whole game, which has not begun, by external or outcome sampling.

    Raises ``ZermeloError``: ``out-of-time`` where not even one iteration is possible, ``out-of-memory`` for a play too
    long, ``moves-differ``, and errors of the rules."""
    return _with_plays(problem, by_outcome, lambda play: _learn_and_judge(play, problem))


def _with_plays(problem: Problem[State], by_outcome: bool, work: Callable[[SampledPlay[State]], Result]) -> Result:
    """The result of work with plays that a kernel samples."""

    def work_on(backend: Backend[State]) -> Result:
        return backend.run(source(backend), lambda kernels: work(SampledPlay(backend, kernels, problem, by_outcome)))

    return run_with_fallback(problem.machine, problem.limits, work_on)


def _learn_and_judge(play: SampledPlay[State], problem: Problem[State]) -> Answer:
    limits = problem.limits
    wanted = problem.goal.iterations
    if min(wanted, limits.seconds) == inf:
        wanted = ITERATIONS
    is_interrupted = False
    try:
        stopped = play.learn(wanted, _share_of_time(limits.left, 1 - _LEARNING), _LEARNING)
    except KeyboardInterrupt:
        stopped, is_interrupted = "by an interrupt", True
    iterations = play.iterations
    if not iterations:
        raise limits.out_of_time({"nodes": play.sampling.nodes})
    sets = play.sets()
    notes = ["Sampled from the rules, since memory has no room for the tree: nothing about the strategies is proved."]
    notes += [f"Stopped {stopped}, after {iterations:,} iterations."] if stopped else []
    if play.is_full:
        notes.append(
            f"The table was full at {format_bytes(limits.memory)} of memory, a part of which is for judging; in other "
            "information sets all moves are made with equal probability. --memory allows more."
        )
    responses: list[JudgedPlays] = []
    paid: JudgedPlays | None = None
    try:
        left = limits.left
        parts = 2 * len(problem.machine.player_names) + 1
        paid = play.judge(NOBODY, PLAYS, _share_of_time(left, 1 - Fraction(1, parts)))
        if not is_interrupted:
            responses = _judge_responses(play, problem, wanted)
    except KeyboardInterrupt:
        is_interrupted = True
    if paid is None:
        raise limits.out_of_time({"nodes": play.sampling.nodes})
    exploitability = _exploitability(problem, paid, responses)
    if exploitability is None:
        why = "the work was interrupted" if is_interrupted else "there was no time for it"
        notes.append(f"How far the strategies are from an equilibrium has not been estimated: {why}.")
    return Answer(
        value=paid.means,
        counts={"nodes": play.sampling.nodes, "information sets": len(sets.owners), "iterations": iterations},
        certainty=Certainty.HEURISTIC,
        notes=tuple(notes),
        strategies=sampled_strategies(problem.machine.player_names, sets),
        standard_errors=tuple(map(Fraction, paid.errors)),
        sampled_exploitability=exploitability,
    )


def _share_of_time(left: float, share: Fraction) -> float:
    """A share of the time that is left; none where time is not limited."""
    return left * float(share) if left < inf else 0.0


def _judge_responses(play: SampledPlay[State], problem: Problem[State], wanted: float) -> list[JudgedPlays]:
    """For each player in turn, the results of plays in which that player responds; fewer if the time was up."""
    limits, players = problem.limits, len(problem.machine.player_names)
    found: list[JudgedPlays] = []
    for player in range(players):
        mine = _share_of_time(limits.left, Fraction(1, players - player))
        reserved = limits.left - mine if limits.left < inf else 0.0
        share = _LEARNING + (1 - _LEARNING) * Fraction(player + 1, players + 1)
        play.respond(player, wanted, reserved + mine * float(1 - _RESPONDING), share)
        judged = play.judge(player, PLAYS, reserved)
        if judged is None:
            break
        found.append(judged)
    return found


def _exploitability(
    problem: Problem[State], paid: JudgedPlays, responses: Sequence[JudgedPlays]
) -> SampledExploitability | None:
    """What the players gain on average; None if a response is missing. The sum of what the strategies pay is known if
    it is constant, else taken from their plays; errors of one and the same play are added, since they may agree."""
    players = len(paid.means)
    if len(responses) < players:
        return None
    best = sum((judged.means[p] for p, judged in enumerate(responses)), Fraction(0))
    variance = sum(judged.errors[p] ** 2 for p, judged in enumerate(responses))
    if problem.facts.sum is not None:
        mean = (best - problem.facts.sum) / players
    else:
        mean = (best - sum(paid.means, Fraction(0))) / players
        variance += sum(paid.errors) ** 2
    quantile = NormalDist().inv_cdf((1 + _LEVEL) / 2)
    return SampledExploitability(mean, Fraction(quantile * sqrt(variance) / players))


# What to do at one decision, by online outcome sampling.
#
# Lisý, Lanctot and Bowling, "Online Monte Carlo counterfactual regret minimization for search in imperfect information
# games" (2015). While a play goes on, outcome sampling learns strategies for the whole game, from the rules
# (:mod:`zermelo.solvers.kernels.sampling_from_rules`); before each decision of the player most of its own plays are led
# to where the player may be (:mod:`zermelo.solvers.kernels.sampling_from_rules`), and the player then draws a move from
# the average strategy there. What has been learned is kept from decision to decision. Since the estimates are unbiased
# however plays are led, the strategy at each decision converges to that of an equilibrium: unlike a search that goes by
# deals, with more time it does not become easier to exploit.
#
# The stages of learning are made again for every decision, with the same seed, so that the answer depends on what the
# player has perceived and on nothing that a program remembers. The k-th decision of a play costs k stages.


AIMED: Final = 0.9
"""The share of the plays that are led: the best one in most games of the paper."""


@frozen
class OnlineStrategy:
    """The probabilities of the moves at a decision, in the order of the rules; how many iterations have been made in
    all stages; and how many information sets have been met. ``is_full``: there was no memory for more of these."""

    chances: dict[Move, Fraction]
    iterations: int
    sets: int
    is_full: bool


def online_strategy(problem: Problem[State], stages: Sequence[Aims[State]], iterations: int) -> OnlineStrategy:
    """The strategy at the decision at which the last stage is aimed, after so many iterations in every stage. Each
    has the states in which the player may be, from the first decision of the play to the present one.

    Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory`` for a play too long, ``moves-differ``, and errors of the
    rules."""
    return _with_plays(problem, True, lambda play: _learn_aimed(play, problem, stages, iterations))


def _learn_aimed(
    play: SampledPlay[State], problem: Problem[State], stages: Sequence[Aims[State]], iterations: int
) -> OnlineStrategy:
    for number, aims in enumerate(stages, 1):
        play.aim_at(aims, AIMED)
        if play.learn(number * iterations, 0.0, Fraction(1)):
            raise problem.limits.out_of_time({"nodes": play.sampling.nodes})
    moves = problem.machine.moves(stages[-1][0][0])
    found = play.aimed_strategy() or dict.fromkeys(moves, 1.0)
    chances = round_shares([found[move] for move in moves])
    return OnlineStrategy(
        dict(zip(moves, chances, strict=True)), play.iterations, play.sampling.table.count, play.is_full
    )
