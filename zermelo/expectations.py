"""Testing a file: its claims, its ``expect`` lines and its ``test`` blocks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from time import perf_counter

from attrs import define, evolve, field, frozen

from zermelo.equilibrium import profitable_deviation
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.source import Span
from zermelo.interpreter.checks.claims import is_measured, verdict
from zermelo.interpreter.checks.information_sets import count_information_sets
from zermelo.interpreter.machine import Move, Payoff
from zermelo.interpreter.model import Expectation, Test, WrittenMove
from zermelo.interpreter.values import Value, format_value
from zermelo.knowledge import counterexample, doubt
from zermelo.loading import build
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import ignore_progress
from zermelo.solvers.search.counting import count_plays
from zermelo.solving import facts_of, falling, search, size_of, solve

Progress = Callable[[int], None]


class Status(Enum):
    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not run"
    OPEN = "open"  # a claim that is neither proved nor refuted


@frozen
class Result:
    """The result for one statement of the file, ``said``, at ``span``. ``reason`` explains any status but a plain
    success; ``test`` is the title of its test."""

    said: str
    span: Span
    status: Status
    reason: str = ""
    test: str = ""
    seconds: float = field(default=0.0, eq=False)

    @property
    def is_bad(self) -> bool:
        return self.status in (Status.FAILED, Status.NOT_RUN)


def run_expectations(game: Game, progress: Progress | None = None) -> Iterator[Result]:
    """Test the claims, then the expectations, then the tests of the file, and yield each result as it comes."""
    runner = _Runner(game, progress)
    known = game.facts
    if any(verdict(claim, known, game.model).holds is None for claim in game.model.claims if not is_measured(claim)):
        known = facts_of(game, progress)
    for claim in game.model.claims:
        fact = verdict(claim, known, game.model)
        if fact.holds is None and is_measured(claim):
            fact = falling(game, claim)
        status = Status.OPEN if fact.holds is None else Status.PASSED if fact.holds else Status.FAILED
        yield Result(f"claim {text_at(game, claim.span)}", claim.span, status, fact.how)
    for expectation in game.model.expectations:
        yield runner.expect(expectation, None)
    for test in game.model.tests:
        yield from runner.test(test)


def text_at(game: Game, span: Span) -> str:
    """The text of the file at ``span``, on one line."""
    return " ".join(game.model.source.excerpt(span).split())


@define(eq=False)
class _Runner:
    """Judges the expectations of one file, and caches values."""

    game: Game
    progress: Progress | None
    games: dict[str, Game] = field(factory=dict)
    values: dict[tuple[Game, tuple[Move, ...]], Payoff] = field(factory=dict)

    def test(self, test: Test) -> Iterator[Result]:
        """The expectations of a test, each in the position that the moves before it lead to, up to an illegal move."""
        state = self.game.initial
        for line in test.lines:
            if isinstance(line, Expectation):
                yield evolve(self.expect(line, state), test=test.title)
                continue
            for move in line.moves:
                try:
                    state = state.after(move.text)
                except ZermeloError as error:
                    yield Result(f"play {move.text}", move.span, Status.FAILED, error.message, test.title)
                    return

    def expect(self, expectation: Expectation, state: State | None) -> Result:
        """One expectation, about a state, or about the initial state under the parameters that it names."""
        begin = perf_counter()
        try:
            reason = self.judge(expectation, self.under(expectation.settings).initial if state is None else state)
            status = Status.FAILED if reason else Status.PASSED
        except ZermeloError as error:
            status, reason = Status.NOT_RUN, error.message
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
                size = size_of(game, Limits(memory=sys.maxsize), self.progress)
                if not size.finished:
                    raise ZermeloError("no-solver", f"counting the positions was stopped {size.stopped}")
                return differs(size.positions, expectation.number)
            case "information_sets":
                return differs(count_information_sets(machine, sys.maxsize).count, expectation.number)
            case "plays":
                length, progress = expectation.length, self.progress or ignore_progress
                assert length is not None
                count = search(game, lambda machine: count_plays(machine, length, progress, Limits(), threads=1))
                return differs(count.plays, expectation.number)
            case "equilibrium":
                return str(profitable_deviation(game, [move.text for move in expectation.moves]) or "")
            case "illegal":
                return "" if state.why_not(expectation.moves[0].text) else "this move is legal"
            case "true":
                assert expectation.condition is not None
                return "" if machine.evaluate(state.machine_state, expectation.condition) else "it does not hold"
            case "knows" | "knows_value":
                return self.judge_knowledge(expectation, state)

    def judge_value(self, expectation: Expectation, state: State) -> str:
        value, tolerance = self.value(state), expectation.tolerance or 0
        if all(abs(found - wanted) <= tolerance for found, wanted in zip(value, expectation.number, strict=False)):
            return ""
        return f"the value is ({', '.join(map(str, value))})"

    def judge_best(self, move: WrittenMove, state: State) -> str:
        """A move is best if it preserves the value for the player who makes it."""
        value = self.value(state)
        if state.actor == CHANCE:
            raise ZermeloError("no-solver", "chance acts first, so there is no best first move")
        actor = state.game.machine.actor(state.machine_state)
        found = self.value(state.after(move.text))[actor]
        return "" if found == value[actor] else f"it gives {state.actor} {found}, the best move {value[actor]}"

    def judge_knowledge(self, expectation: Expectation, state: State) -> str:
        assert expectation.player is not None and expectation.condition is not None
        player = format_value(state.game.machine.evaluate(state.machine_state, expectation.player))
        if expectation.kind == "knows":
            if not state.game.machine.evaluate(state.machine_state, expectation.condition):
                return "it does not hold"
            other, how = counterexample(state, player, expectation.condition), "where it does not hold"
        else:
            other, how = doubt(state, player, expectation.condition), "where it is another"
        if other is None:
            return ""
        play = ", ".join(map(str, other.play)) or "the beginning"
        return f"{player} cannot tell it from {play}, {how}"

    def value(self, state: State) -> Payoff:
        key = (state.game, state.play)
        if key not in self.values:
            self.values[key] = solve(state, progress=self.progress).value
        return self.values[key]


def differs(found: int, expected: int) -> str:
    return "" if found == expected else f"there are {found:,}"
