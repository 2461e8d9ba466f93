"""A plugin for pytest: a folder of games is a test suite.

Every claim, every ``expect`` line, and every expectation of a ``test`` block of the ``.game`` files that pytest finds
is an item; what cannot be run, and a claim that stays open, is skipped with its reason. A file that is no game has one
item, which fails, so that pytest runs those of the others. ``-p no:zermelo`` leaves games alone.

pytest loads this module in every project whose environment has Zermelo, so Zermelo itself is imported only where there
is a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.grammar.diagnostics import Source, Span, ZermeloError
    from zermelo.interpreter.model import Test
    from zermelo.testing.expectations import ExpectationRunner, Result


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> GameFile | None:
    """A game file."""
    if file_path.suffix != ".game":
        return None
    found: GameFile = GameFile.from_parent(parent, path=file_path)
    return found


class GameFile(pytest.File):
    """A game, which is loaded when its items are collected."""

    def collect(self) -> Iterator[GameItem | BrokenGame]:
        from zermelo.grammar.diagnostics import ZermeloError
        from zermelo.interpreter.model import Expectation
        from zermelo.loading import load_any
        from zermelo.testing.expectations import ExpectationRunner, text_at

        try:
            game = load_any(str(self.path), {})
        except ZermeloError as error:
            broken: BrokenGame = BrokenGame.from_parent(self, name="is a game")
            broken.error = error
            yield broken
            return
        runner = ExpectationRunner(game)

        def item(span: Span, judge: Callable[[], Result], before: str = "") -> GameItem:
            made: GameItem = GameItem.from_parent(self, name=f"{before}{text_at(game, span)}")
            made.source, made.span, made.judge = game.model.source, span, judge
            return made

        for claim in game.model.claims:
            yield item(claim.span, partial(runner.claim, claim), "claim ")
        for witness in game.model.witnesses:
            yield item(witness.span, partial(runner.witness, witness))
        for expectation in game.model.expectations:
            yield item(expectation.span, partial(runner.expect, expectation))
        for test in game.model.tests:
            block = _Block(runner, test)
            for line in test.lines:
                if isinstance(line, Expectation):
                    yield item(line.span, partial(block.result, line.span), f"{test.title}: ")


class _Block:
    """A ``test`` block, which is played once."""

    def __init__(self, runner: ExpectationRunner, test: Test) -> None:
        self._runner, self._test = runner, test
        self._results: list[Result] | None = None

    def result(self, span: Span) -> Result:
        """The result of an expectation, or of the move that kept the play from reaching it."""
        if self._results is None:
            self._results = list(self._runner.test(self._test))
        return next((result for result in self._results if result.span == span), self._results[-1])


class GameItem(pytest.Item):
    """A claim, a witness or an expectation."""

    source: Source
    span: Span
    judge: Callable[[], Result]
    funcargs: Final[Mapping[str, Any]] = {}  # as items of functions have: other plugins look into it

    def runtest(self) -> None:
        from zermelo.testing.expectations import Status

        result = self.judge()
        if result.status is Status.FAILED:
            raise ExpectationFailed(result)
        if result.status is not Status.PASSED:
            pytest.skip(f"{result.status.value}: {result.reason}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *arguments: Any) -> Any:
        """The line of the game, and what is wrong, without a traceback."""
        if not isinstance(excinfo.value, ExpectationFailed):
            return super().repr_failure(excinfo, *arguments)
        from zermelo.report.text import Mark, excerpt_of_mark

        result = excinfo.value.result
        return excerpt_of_mark(self.source, Mark(result.span, result.reason))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.span.line - 1, self.name


class BrokenGame(pytest.Item):
    """A file that cannot be read, or has errors."""

    error: ZermeloError
    funcargs: Final[Mapping[str, Any]] = {}

    def runtest(self) -> None:
        raise self.error

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *arguments: Any) -> Any:
        """What is wrong, as `zermelo check` says it."""
        from zermelo.report import render

        return render(self.error) if excinfo.value is self.error else super().repr_failure(excinfo, *arguments)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name


class ExpectationFailed(Exception):
    """A claim is refuted, or an expectation does not hold."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.reason)
        self.result = result
