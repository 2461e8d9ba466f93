"""Testing a file: its claims, witnesses, expectations and tests."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from time import perf_counter
from typing import Any

from attrs import Factory, define, evolve, field, frozen

from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import InvalidGame, Span, ZermeloError
from zermelo.grammar.names import shown
from zermelo.interpreter.checks.claims import Line, is_in_line, verdict
from zermelo.interpreter.checks.game_facts import Facts, choices_at, count_information_sets, has_one_value
from zermelo.interpreter.machine import CHANCE as CHANCE_ACTS
from zermelo.interpreter.machine import END, InformationState, Move, Payoff, PlayError, display_text, payoff_text
from zermelo.interpreter.model import Claim, Event, Expectation, Loose, PlayLine, Test, Witness, WrittenMove
from zermelo.interpreter.values import Value, format_value
from zermelo.loading import build
from zermelo.numbers import EQUILIBRIUM, is_value
from zermelo.solvers.common.limits import LimitReached, Limits, Progress, ignore_progress
from zermelo.solvers.forms.policy import Worth
from zermelo.solvers.search.counting import count_plays
from zermelo.solvers.solution import Certainty
from zermelo.solvers.validation.shortest_plays import Searched, ShortestPlays, search_positions
from zermelo.solvers.validation.witnesses import Sought, relevant_witnesses, sought_witnesses
from zermelo.solving import facts_of, memory_set, search, size_of, solve_knowing, survey_ranking

# Whether choices are an equilibrium of a one-shot game.
#
# A profile of choices, one for each player, is a Nash equilibrium if no player gains by a unilateral deviation (Nash
# 1950). In a game in which everybody chooses once and sees nothing of the others' choices, that is checked by trying
# every choice of every player: one walk through the game for each.


@frozen
class Deviation:
    """``player`` gets ``gained`` instead of ``payoff`` by changing to ``move`` alone."""

    player: str
    move: Move
    payoff: Fraction
    gained: Fraction

    def __str__(self) -> str:
        return (
            f"{shown(self.player)} does better with {display_text(self.move)}: {self.gained} instead of {self.payoff}"
        )


def profitable_deviation(game: Game, choices: Sequence[str]) -> Deviation | None:
    """A deviation from ``choices``, one for each player, by which somebody gains; None if they are an equilibrium.

    Raises ``ZermeloError``: ``illegal-move`` for a choice that does not exist, ``no-solver`` if a player chooses more
    than once or sees something before choosing.
    """
    walker = _Walker(game, list(choices))
    payoff = walker.payoff(game.initial, {})
    met = tuple(walker.offered.items())  # a player who never gets to choose has no deviation
    for player, moves in met:
        for move in moves:
            found = walker.payoff(game.initial, {player: move})[player]
            if found > payoff[player]:
                return Deviation(game.players[player], move, payoff[player], found)
    return None


@define(eq=False)
class _Walker:
    """Follows the choices through the game. ``known`` and ``offered`` are the information state and the moves of each
    player when they choose: the same in every walk."""

    game: Game
    choices: list[str]
    known: dict[int, InformationState] = field(factory=dict)
    offered: dict[int, tuple[Move, ...]] = field(factory=dict)

    def payoff(self, state: State, instead: dict[int, Move]) -> Payoff:
        """The expected payoffs if the players of ``instead`` make those moves and the others their choices."""
        machine = self.game.machine
        actor = machine.actor(state.machine_state)
        if actor == END:
            return machine.payoff(state.machine_state)
        if actor == CHANCE_ACTS:
            means = [Fraction(0)] * len(self.game.players)
            for outcome, probability in state.outcomes:
                after = self.payoff(state.after(outcome), instead)
                means = [mean + probability * amount for mean, amount in zip(means, after, strict=True)]
            return tuple(means)
        self._meet(actor, state)
        return self.payoff(state.after(instead.get(actor, self.choices[actor])), instead)

    def _meet(self, player: int, state: State) -> None:
        perceived = state.information_state(self.game.players[player])
        if self.known.setdefault(player, perceived) != perceived:
            raise ZermeloError(
                "no-solver",
                f"an equilibrium is checked only if everybody chooses once and unseen, but {self.game.players[player]} "
                "chooses in several situations",
            )
        self.offered.setdefault(player, state.moves)


# The best first move where chance acts first and the player who moves then has perceived nothing of it.
#
# All states in which the first decision is made are then one information set. What its moves bring follows from an
# exact equilibrium of the game. Against it a player alone has a best move, and no other. Of two players with a constant
# sum, each has optimal strategies, and any of them is a best reply to any of the other: so a move that the equilibrium
# makes with a positive probability is best, and one that is no best reply to it is not. Between these nothing is
# proved.


MOST_OUTCOMES = 10_000
"""The most states of chance, and behind it, that are visited."""


def why_not_best(move: str, state: State, progress: Progress, limits: Limits) -> str:
    """Why a move is not best, in a state in which chance acts; empty if it is. Raises ``ZermeloError`` (``no-solver``)
    if the first decision may depend on chance, or if the question stays open, and what :func:`move_values` raises."""
    from zermelo.decisions import move_values  # which knows all that can be asked of a decision

    first = _first_decision(state)
    named = first.after(move).play[-1]
    found = move_values(first, None, limits, progress)
    assert first.actor is not None
    here = found.players.index(first.actor)

    def own(worth: Worth) -> str:
        return "nothing certain" if worth.payoff is None else str(worth.payoff[here])

    is_alone = len(state.game.players) == 1
    if found.certainty is Certainty.EXACT:
        if (named in found.best and is_alone) or found.of(named).chance:
            return ""
        if named not in found.best and has_one_value(state.game.facts):
            return f"it gives {first.actor_title} {own(found.of(named))}, the best move {own(found.of(found.best[0]))}"
    raise ZermeloError("no-solver", "the equilibrium that has been found does not decide whether this move is best")


def _first_decision(state: State) -> State:
    """A state in which the first decision is made, if all of them are one information set. Raises ``ZermeloError``."""
    found: State | None = None
    waiting, left = [state], MOST_OUTCOMES
    while waiting:
        here = waiting.pop()
        if here.actor == CHANCE:
            left -= len(here.outcomes)
            if left < 0:
                raise ZermeloError("no-solver", f"there are more than {MOST_OUTCOMES:,} outcomes before the first move")
            waiting += [here.after(outcome) for outcome, _ in here.outcomes]
        elif here.actor is not None:
            found = found or here
            if found.actor != here.actor or _actor_knowledge(found) != _actor_knowledge(here):
                raise ZermeloError("no-solver", "chance acts first, and the best first move may depend on what it does")
    if found is None:
        raise ZermeloError("no-solver", "chance alone decides this game")
    return found


def _actor_knowledge(state: State) -> object:
    assert state.actor is not None
    return state.information_state(state.actor)


# The knowledge of a player: what holds in every position that they consider possible.
#
# A player considers possible all positions of all plays, including ends, in which they have the same information state,
# no matter who is to move. A position in which chance is to draw lies within a step, of which nobody has noticed
# anything yet, and does not count; but if a test asks about such a position, the step may as well not have begun, so
# all positions with the same information state count.
#
# The plays are searched from the beginning, the shortest first. An information state only ever grows, so a play is
# followed only while its information state is a prefix of the real one. Others may move unseen, so the search also goes
# on from an equal one. More than ``HISTORIES_LIMIT`` plays are not searched: then a counterexample found before counts,
# and otherwise the question is refused.


HISTORIES_LIMIT = 100_000


def counterexample(state: State, player: str, condition: Loose, limits: Limits) -> State | None:
    """A state that the player cannot tell from ``state`` and in which the condition does not hold, or has no value yet;
    None if there is none: the player knows that it holds.

    Raises ``ZermeloError``: ``no-solver`` for too many plays, and ``out-of-memory``.
    """
    others = indistinguishable_states(state, player, limits)
    return next((here for here in others if _value(here, condition) != ("value", True)), None)


def doubt(state: State, player: str, expression: Loose, limits: Limits) -> State | None:
    """A state that the player cannot tell from ``state`` and in which the expression has another value; None if there
    is none: the player knows its value.

    Raises ``ZermeloError``: ``no-solver`` for too many plays, and ``out-of-memory``.
    """
    value = _value(state, expression)
    others = indistinguishable_states(state, player, limits)
    return next((here for here in others if _value(here, expression) != value), None)


def indistinguishable_states(state: State, player: str, limits: Limits) -> Iterator[State]:
    """The states with the same information state of the player, this one included; the shortest plays first."""
    game = state.game
    known = state.information_state(player)
    is_within_step = _is_draw(state)
    waiting = deque([game.initial])
    room = limits.room()
    histories = 0
    while waiting:
        here = waiting.popleft()
        perceived = here.information_state(player)
        if perceived == known and (is_within_step or not _is_draw(here)):
            yield here
        for move in choices_at(game.machine, here.machine_state):
            after = here.after(move)
            perceived = after.information_state(player)
            if perceived != known[: len(perceived)]:
                continue
            histories += 1
            if histories > HISTORIES_LIMIT:
                raise ZermeloError("no-solver", f"there are more than {HISTORIES_LIMIT:,} plays to look at")
            waiting.append(after)
            if not room.grows(waiting):
                raise limits.out_of_memory({"plays": histories})


def _is_draw(state: State) -> bool:
    return state.game.machine.actor(state.machine_state) == CHANCE_ACTS


def _value(state: State, expression: Loose) -> tuple[str, Value]:
    """The value of the expression, or that it reads an unset variable."""
    try:
        return "value", state.game.machine.evaluate(state.machine_state, expression)
    except PlayError as error:
        if error.code != "unset-variable":
            raise
        return "unset", None


class Status(Enum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"  # it could not be run
    OPEN = "open"  # a claim or a witness that is neither proved nor refuted


@frozen
class Result:
    """The result for one statement of the file, ``said``, at ``span``. ``reason`` explains any status but a plain
    success; ``test`` is the title of its test, and ``play`` one that shows what is reachable."""

    said: str
    span: Span
    status: Status
    reason: str = ""
    test: str = ""
    play: tuple[Move, ...] | None = None
    seconds: float = field(default=0.0, eq=False)

    @property
    def is_bad(self) -> bool:
        """Whether it does not hold, or could not be run."""
        return self.status in (Status.FAILED, Status.SKIPPED)

    @property
    def title(self) -> str:
        """What it says, and in which test."""
        return f"{self.test}: {self.said}" if self.test else self.said

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "said": self.said,
            "test": self.test,
            "status": self.status.value,
            "reason": self.reason,
            "play": None if self.play is None else list(map(str, self.play)),
            "line": self.span.line,
            "column": self.span.column,
            "seconds": self.seconds,
        }


def run_expectations(game: Game, progress: Progress | None = None, limits: Limits | None = None) -> Iterator[Result]:
    """Test the claims, then the witnesses (``reachable`` and ``never``), the expectations and the tests of the file,
    and yield each result as it comes. ``limits`` are for each of them anew; by default the first positions are
    visited."""
    runner = ExpectationRunner(game, progress, limits or Limits())
    for claim in game.model.claims:
        yield runner.claim(claim)
    for witness in game.model.witnesses:
        yield runner.witness(witness)
    for expectation in game.model.expectations:
        yield runner.expect(expectation)
    for test in game.model.tests:
        yield from runner.test(test)


def beginnings(game: Game) -> list[tuple[str, ...]]:
    """The moves of the file's tests, up to each line that plays some."""
    found: list[tuple[str, ...]] = []
    for test in game.model.tests:
        made: tuple[str, ...] = ()
        for line in test.lines:
            if isinstance(line, PlayLine):
                made += tuple(move.text for move in line.moves)
                found.append(made)
    return found


def text_at(game: Game, span: Span) -> str:
    """The text of the file at ``span``, on one line."""
    return " ".join(game.model.source.excerpt(span).split())


def _status_of_error(error: ZermeloError, line: Line) -> tuple[Status, str]:
    """What becomes of a line that could not be judged, and why: it fails if it has a mistake itself, such as a
    move that is not offered."""
    if error.code in ("illegal-move", "game-over"):
        return Status.FAILED, error.message
    if isinstance(error, InvalidGame):
        for finding in error.findings:
            if is_in_line(finding, line):
                return Status.FAILED, finding.message
    return Status.SKIPPED, error.message


def _expectation_in(game: Game, expectation: Expectation) -> Expectation:
    """An expectation as it is read with the parameters of this game, on which its numbers may depend."""
    return next(each for each in game.model.expectations if each.span == expectation.span)


@define(eq=False)
class ExpectationRunner:
    """Judges the claims, witnesses and expectations of one file, each when it is asked, and caches values and searches.
    ``limits`` are for each of them anew."""

    game: Game
    progress: Progress | None = None
    limits: Limits = Factory(Limits)
    games: dict[str, Game] = field(factory=dict)
    values: dict[tuple[Game, tuple[Move, ...]], tuple[Payoff, bool]] = field(factory=dict)
    searches: dict[Game, Searched] = field(factory=dict)
    visited: Facts | None = None  # the facts after the first positions have been visited

    @property
    def now(self) -> Limits:
        """The limits, from now on."""
        return evolve(self.limits, begin=perf_counter())

    def claim(self, claim: Claim) -> Result:
        begin, limits = perf_counter(), self.now
        fact = verdict(claim, self.visited or self.game.facts, self.game.model)
        try:
            with limits.enforce():
                if fact.holds is None and claim.is_measured():
                    fact = survey_ranking(self.game, claim, limits)
                elif fact.holds is None and self.visited is None:
                    self.visited = facts_of(self.game, self.progress, limits)
                    fact = verdict(claim, self.visited, self.game.model)
        except LimitReached as stop:  # in the middle of a rule
            fact = evolve(fact, how=f"{fact.how}; the visit of positions was stopped {stop.limit}")
        status = Status.OPEN if fact.holds is None else Status.PASSED if fact.holds else Status.FAILED
        said = f"claim {text_at(self.game, claim.span)}"
        return Result(said, claim.span, status, fact.how, seconds=perf_counter() - begin)

    def witness(self, witness: Witness) -> Result:
        """Whether plays come to what is reachable, and none to what is never so."""
        begin, span = perf_counter(), witness.span
        play = None
        try:
            found = self.sought(witness)
            status = {None: Status.OPEN, True: Status.PASSED, False: Status.FAILED}[found.holds]
            reason, play = found.how, found.play
        except PlayError as error:  # the rules go wrong, or the line
            status, reason = Status.FAILED, error.message
        except ZermeloError as error:
            status, reason = _status_of_error(error, witness)
        return Result(text_at(self.game, span), span, status, reason, play=play, seconds=perf_counter() - begin)

    def sought(self, witness: Witness) -> Sought:
        """What the first positions say of a witness, or, if the user has set limits, as many as these allow."""
        game = self.under(witness.settings)
        machine = game.searching
        if game not in self.searches:
            most, limits = None if memory_set(self.limits) is None else sys.maxsize, self.now
            with limits.enforce():
                self.searches[game] = search_positions(
                    machine, game.facts, most, limits, self.progress or ignore_progress, relevant_witnesses(game.model)
                )
        searched = self.searches[game]
        if searched.fault is not None:
            raise searched.fault
        if searched.graph is None:
            return Sought(witness, None, searched.extent)
        found = sought_witnesses(ShortestPlays(machine, searched.graph), game.model, searched)
        return next(each for each in found if each.witness.span == witness.span)

    def test(self, test: Test) -> Iterator[Result]:
        """The expectations of a test, each in the position that the moves before it lead to, up to an illegal move."""
        state = self.game.initial
        for line in test.lines:
            if isinstance(line, Expectation):
                yield evolve(self.expect(line, state), test=test.title)
                continue
            for move in line.moves:
                try:
                    with self.now.enforce():
                        state = state.after(move.text)
                except ZermeloError as error:
                    status = Status.SKIPPED if isinstance(error, LimitReached) else Status.FAILED
                    yield Result(f"play {move.text}", move.span, status, error.message, test.title)
                    return

    def expect(self, expectation: Expectation, state: State | None = None) -> Result:
        """One expectation, about a state, or about the initial state under the parameters that it names."""
        begin = perf_counter()
        try:
            with self.now.enforce():
                if state is None:
                    state = self.under(expectation.settings).initial
                    expectation = _expectation_in(state.game, expectation)
                reason = self.judge(expectation, state)
            status = Status.FAILED if reason else Status.PASSED
        except PlayError as error:  # the rules go wrong in a play
            status, reason = Status.FAILED, error.message
        except ZermeloError as error:
            status, reason = _status_of_error(error, expectation)
        said = text_at(self.game, expectation.span)
        return Result(said, expectation.span, status, reason, seconds=perf_counter() - begin)

    def under(self, settings: Mapping[str, Value]) -> Game:
        """The game with other parameters."""
        if not settings:
            return self.game
        texts = {name: format_value(value) for name, value in settings.items()}
        if str(texts) not in self.games:
            self.games[str(texts)] = build(self.game.name, self.game.model.source, texts).on(self.game.choice)
        return self.games[str(texts)]

    def judge(self, expectation: Expectation, state: State) -> str:
        """How the state differs from the expectation; empty if it does not."""
        game, machine = state.game, state.game.machine
        match expectation.kind:
            case "value":
                return self.judge_value(expectation, state)
            case "best":
                return self.judge_best(expectation.moves[0], state)
            case "positions":
                size = size_of(game, evolve(self.now, memory=sys.maxsize), self.progress)
                if not size.finished:
                    raise ZermeloError("no-solver", f"counting the positions was stopped {size.stopped}")
                return count_difference(size.positions, expectation.number)
            case "information_sets":
                return count_difference(count_information_sets(machine, sys.maxsize).count, expectation.number)
            case "plays":
                length, progress = expectation.length, self.progress or ignore_progress
                assert length is not None
                count = search(
                    game,
                    lambda machine: count_plays(machine, machine.initial(), length, progress, self.now, threads=1),
                )
                return count_difference(count.plays, expectation.number)
            case "equilibrium":
                return str(profitable_deviation(game, [move.text for move in expectation.moves]) or "")
            case "illegal":
                return "" if state.why_not(expectation.moves[0].text) else "this move is legal"
            case "true":
                assert expectation.condition is not None
                return "" if machine.evaluate(state.machine_state, expectation.condition) else "it does not hold"
            case "event":
                event = expectation.event
                assert event is not None
                return "" if machine.is_such(state.machine_state, event) else _where(state, event)
            case "knows" | "knows_value":
                return self.judge_knowledge(expectation, state)

    def judge_value(self, expectation: Expectation, state: State) -> str:
        (value, is_known), tolerance = self.solved(state), expectation.tolerance or 0
        if all(abs(found - wanted) <= tolerance for found, wanted in zip(value, expectation.number, strict=False)):
            return ""
        found = payoff_text(value)
        if is_known:
            return f"the value is {found}"
        return f"{EQUILIBRIUM} {found}; others may differ"

    def judge_best(self, move: WrittenMove, state: State) -> str:
        """A move is best if it preserves the value for the player who makes it."""
        if state.actor == CHANCE:
            return why_not_best(move.text, state, self.progress or ignore_progress, self.now)
        value = self.value(state)
        actor = state.game.machine.actor(state.machine_state)
        found = self.value(state.after(move.text))[actor]
        return "" if found == value[actor] else f"it gives {state.actor_title} {found}, the best move {value[actor]}"

    def judge_knowledge(self, expectation: Expectation, state: State) -> str:
        assert expectation.player is not None and expectation.condition is not None
        player = format_value(state.game.machine.evaluate(state.machine_state, expectation.player))
        if expectation.kind == "knows":
            if not state.game.machine.evaluate(state.machine_state, expectation.condition):
                return "" if expectation.negated else "it does not hold"
            other, how = counterexample(state, player, expectation.condition, self.now), "where it does not hold"
        else:
            other, how = doubt(state, player, expectation.condition, self.now), "where it is another"
        if expectation.negated:
            return f"{player} knows it" if other is None else ""
        if other is None:
            return ""
        play = ", ".join(map(display_text, other.play)) or "the beginning"
        return f"{player} cannot tell it from {play}, {how}"

    def value(self, state: State) -> Payoff:
        return self.solved(state)[0]

    def solved(self, state: State) -> tuple[Payoff, bool]:
        """What the players get from a state on, and whether it is its value."""
        key = (state.game, state.play)
        if key not in self.values:
            limits = self.now
            within = Limits(limits.seconds, limits.memory)
            solution = solve_knowing(state.game.facts, state.game, state, None, self.progress, within, hurries=True)
            if limits.is_over and not solution.exact:
                raise limits.out_of_time({})
            self.values[key] = solution.value, is_value(state.game.facts, solution)
        return self.values[key]


def _where(state: State, wanted: Event) -> str:
    """Where the play is, if not at the event that is ``wanted``. What the end alone pays is not what the play has
    brought, if players earn or a discount reduces it."""
    changed = any(state.earned) or state.game.machine.discount != 1
    is_more = state.is_over and wanted.paid is not None and changed
    return f"{state.status}; an event is about what the end pays alone" if is_more else state.status


def count_difference(found: int, expected: int) -> str:
    return "" if found == expected else f"there are {found:,}"
