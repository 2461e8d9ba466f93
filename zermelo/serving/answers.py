"""What a process of the server does: it reads a question, works on it within limits, and writes the answer.

Everything that belongs to the user's game happens here, and nothing of it in the process of the server. A question has
a name and a JSON object; an answer has a status of HTTP and JSON. Texts of games are never paths, and no question names
a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from errno import ENOMEM
from time import perf_counter
from typing import Any, Final

from attrs import define, field

from zermelo.console import Bar, Shown
from zermelo.grammar.deadline import Passed, within
from zermelo.grammar.diagnostics import InvalidGame, ZermeloError
from zermelo.last_resort import FAULTS, failure
from zermelo.serving.asked import Games, Misasked, PageQuestion
from zermelo.serving.refusals import UNPROCESSABLE, Refusal, in_words_of_the_page, refusal_of, too_long, unreadable
from zermelo.serving.texts import Texts
from zermelo.solvers.common.limits import Limits

_PAUSE: Final = 0.1
"""Seconds between two words of progress."""

Say = Callable[[str], None]
"""Tells how far the work is."""


@define(eq=False)
class Answers:
    """A process's answers: each takes so many ``seconds`` and so much ``memory`` at most, as far as its work looks at
    the clock; what does not is ended from outside (:mod:`zermelo.serving.workers`)."""

    seconds: float
    memory: int
    _texts: Texts = field(factory=Texts)
    _games: Games = field(factory=Games)

    def answer(self, name: str, data: bytes, say: Say) -> tuple[int, bytes]:
        """The status and the content of the answer to a question."""

        def refused(error: ZermeloError) -> Refusal:
            return refusal_of(error, _COMMANDS.get(name, "check"))

        try:
            with within(self.seconds):
                content = _ANSWERS[name](self, PageQuestion.read(data), say)
            return 200, json.dumps(content).encode()
        except Misasked as wrong:
            return _refused(unreadable(str(wrong)))
        except InvalidGame as invalid:
            content = {**refused(invalid).record, **self._texts.listed(invalid.findings)}
            return UNPROCESSABLE, json.dumps(content).encode()
        except ZermeloError as error:
            return _refused(refused(error))
        except Passed:
            return _refused(too_long(self.seconds))
        except OSError as error:  # of mapping memory
            if error.errno != ENOMEM:
                raise
            return _refused(refused(failure(MemoryError(), name)))
        except FAULTS as error:
            return _refused(refused(failure(error, f"zermelo serve: {name}")))

    # ------------------------------------------------------------- one for each name

    def findings(self, asked: PageQuestion, _: Say) -> Any:
        return self._texts.findings(asked)

    def completion(self, asked: PageQuestion, _: Say) -> Any:
        return self._texts.completion(asked)

    def hover(self, asked: PageQuestion, _: Say) -> Any:
        return self._texts.hover(asked)

    def format(self, asked: PageQuestion, _: Say) -> Any:
        return self._texts.format(asked)

    def rules(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import rules

        found = rules(self._games.game(asked))
        return {**found, "facts": [in_words_of_the_page(fact, "show") for fact in found["facts"]]}

    def position(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import position

        return position(self._games.state(asked), asked.text_or_none("view"))

    def replay(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import replay

        return replay(self._games.game(asked), asked.texts("play"))

    def reply(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import reply

        return reply(self._games.state(asked), asked.text("seat"), self.memory)

    def hint(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import hint

        return hint(self._games.state(asked), self.memory)

    def tree(self, asked: PageQuestion, say: Say) -> Any:
        from zermelo.serving.solving import tree

        state, depth = self._games.state(asked), asked.number_or_none("depth")
        return tree(state, depth, asked.text_or_none("solver"), self._limits, _shown(say)("drawing", "nodes"))

    def solve(self, asked: PageQuestion, say: Say) -> Any:
        from zermelo.serving.solving import solved

        game, solver = self._games.game(asked), asked.text_or_none("solver")
        found = solved(game, solver, self._limits, _shown(say))
        return {**found, "page": in_words_of_the_page(found["page"], "solve")}

    @property
    def _limits(self) -> Limits:
        return Limits(self.seconds, self.memory)


_ANSWERS: Final[dict[str, Callable[[Answers, PageQuestion, Say], Any]]] = {
    "findings": Answers.findings,
    "completion": Answers.completion,
    "hover": Answers.hover,
    "format": Answers.format,
    "rules": Answers.rules,
    "position": Answers.position,
    "replay": Answers.replay,
    "reply": Answers.reply,
    "hint": Answers.hint,
    "tree": Answers.tree,
    "solve": Answers.solve,
}

_COMMANDS: Final = {
    "rules": "show",
    "position": "show",
    "reply": "play",
    "hint": "moves",
    "tree": "draw",
    "solve": "solve",
}
"""The commands that say the same."""


def _refused(refusal: Refusal) -> tuple[int, bytes]:
    return refusal.status, refusal.content


def _shown(say: Say) -> Callable[[str, str], Shown]:
    """Progress as the command line shows it, in words, and not too often."""
    last = -_PAUSE

    def begun(doing: str, what: str) -> Shown:
        def show(_: int, words: str) -> None:
            nonlocal last
            if perf_counter() - last >= _PAUSE:
                last = perf_counter()
                say(f"{doing}: {words}")

        say(doing)
        return Bar(what, show)

    return begun
