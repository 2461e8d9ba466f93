"""What a process of the server does: it reads a question, works on it within limits, and writes the answer.

Everything that belongs to the user's game happens here, and nothing of it in the process of the server. A question has
a name and a JSON object; an answer has an HTTP status and JSON. Texts of games are never paths, and no question names
a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from errno import ENOMEM
from time import perf_counter
from typing import Any, Final

from attrs import define, field
from lsprotocol.converters import get_converter
from lsprotocol.types import Position, Range
from pygls.workspace import PositionCodec

from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.grammar.diagnostics import Findings, InvalidGame, Source, ZermeloError
from zermelo.grammar.formatter import format_text
from zermelo.language_server.completion import completions, hover
from zermelo.language_server.documents import FirstLook, TextPlaces, check_extremes, check_text, read
from zermelo.language_server.server import LEGEND, colours, diagnostic, fixes
from zermelo.last_resort import FAULTS, failure
from zermelo.report.console import Bar, Shown
from zermelo.serving.questions import (
    UNPROCESSABLE,
    Games,
    Misasked,
    PageQuestion,
    Refusal,
    refusal_of,
    too_long_refusal,
    translate_options,
    unreadable_refusal,
)
from zermelo.solvers.common.limits import Limits

_KEPT: Final = 4
"""So many texts are kept with what is known of them."""

# Answers about a text that is being written: those of the language server (:mod:`zermelo.language_server`).


_ADDRESS: Final = "page"
"""The address of the text in the records of the protocol."""

_record: Final = get_converter().unstructure
"""A record of the protocol as plain data; making this converter takes longer than checking a text."""

_TOKEN: Final = 5
"""Numbers of a token in the protocol."""


class Texts:
    """The latest texts, each read once."""

    def __init__(self) -> None:
        self._kept: dict[str, FirstLook] = {}

    def findings(self, question: PageQuestion) -> dict[str, Any]:
        """The findings of a text with the edits that mend them, and its names for colours. ``whole``: those at the
        extremes of its parameters, too, for a text that nobody is writing at this moment."""
        look = self._look(question.source)
        found = check_text(look)
        findings = check_extremes(found) if question.fields.get("whole") is True else found.findings
        places = _places(findings.source)
        return {**self.listed(findings), "tokens": _tokens(look, places)}

    def listed(self, findings: Findings) -> dict[str, Any]:
        """Findings, and the edits that mend them."""
        places = _places(findings.source)
        everywhere = Range(Position(0, 0), Position(findings.source.text.count("\n") + 1, 0))
        return {
            "diagnostics": [_record(diagnostic(_ADDRESS, finding, places)) for finding in findings],
            "fixes": [_record(fix) for fix in fixes(_ADDRESS, findings, everywhere, places)],
        }

    def completion(self, question: PageQuestion) -> list[Any]:
        """The words and names that may come at a place."""
        look = self._look(question.source)
        offset = _places(look.index.source).offset_of(Position(*question.place()))
        return [_record(item) for item in completions(look.index, offset)]

    def hover(self, question: PageQuestion) -> Any:
        """What stands at a place; None if it has no meaning of its own."""
        look = self._look(question.source)
        found = hover(look.index, _places(look.index.source), Position(*question.place()))
        return None if found is None else _record(found)

    def format(self, question: PageQuestion) -> dict[str, str]:
        """The text in the one layout. Raises ``InvalidGame`` for mistakes in its grammar."""
        return {"source": format_text(question.source)}

    def _look(self, source: Source) -> FirstLook:
        look = self._kept.pop(source.text, None) or read(source)
        self._kept[source.text] = look
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return look


def _places(source: Source) -> TextPlaces:
    return TextPlaces(source, PositionCodec())


def _tokens(look: FirstLook, places: TextPlaces) -> list[list[Any]]:
    """The names of a text: line and character of each, its length, and what it stands for."""
    data, tokens, line, character = colours(look.index, places).data, [], 0, 0
    for k in range(0, len(data), _TOKEN):
        skipped, ahead, length, kind, _ = data[k : k + _TOKEN]
        line, character = line + skipped, ahead if skipped else character + ahead
        tokens.append([line, character, length, LEGEND.token_types[kind]])
    return tokens


_PAUSE: Final = 0.1
"""Seconds between two words of progress."""

Say = Callable[[str], None]
"""Tells how far the work is."""


@define(eq=False)
class Answers:
    """A process's answers: each takes so many ``seconds`` and so much ``memory`` at most, as far as its work checks
    these limits; work that does not is ended from outside (:mod:`zermelo.serving.workers`)."""

    seconds: float
    memory: int
    _texts: Texts = field(factory=Texts)
    _games: Games = field(factory=Games)

    def answer(self, name: str, data: bytes, say: Say) -> tuple[int, bytes]:
        """The status and the content of the answer to a question."""

        def to_refusal(error: ZermeloError) -> Refusal:
            return refusal_of(error, _COMMANDS.get(name, "check"))

        try:
            with time_limit(self.seconds):
                content = _ANSWERS[name](self, PageQuestion.read(data), say)
            return 200, json.dumps(content).encode()
        except Misasked as wrong:
            return _refusal_answer(unreadable_refusal(str(wrong)))
        except InvalidGame as invalid:
            content = {**to_refusal(invalid).record, **self._texts.listed(invalid.findings)}
            return UNPROCESSABLE, json.dumps(content).encode()
        except ZermeloError as error:
            return _refusal_answer(to_refusal(error))
        except DeadlinePassed:
            return _refusal_answer(too_long_refusal(self.seconds))
        except OSError as error:  # of mapping memory
            if error.errno != ENOMEM:
                raise
            return _refusal_answer(to_refusal(failure(MemoryError(), name)))
        except FAULTS as error:
            return _refusal_answer(to_refusal(failure(error, f"zermelo serve: {name}")))

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
        return {**found, "facts": [translate_options(fact, "show") for fact in found["facts"]]}

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
        from zermelo.serving.plays import tree

        state, depth = self._games.state(asked), asked.number_or_none("depth")
        return tree(
            state, depth, asked.text_or_none("solver"), self._limits, _progress_in_words(say)("drawing", "nodes")
        )

    def solve(self, asked: PageQuestion, say: Say) -> Any:
        from zermelo.serving.plays import solve_game

        game, solver = self._games.game(asked), asked.text_or_none("solver")
        found = solve_game(game, solver, self._limits, _progress_in_words(say))
        return {**found, "page": translate_options(found["page"], "solve")}

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
"""The commands that give the same answers."""


def _refusal_answer(refusal: Refusal) -> tuple[int, bytes]:
    return refusal.status, refusal.content


def _progress_in_words(say: Say) -> Callable[[str, str], Shown]:
    """Progress as the command line shows it, in words, and not too often."""
    last = -_PAUSE

    def start(doing: str, what: str) -> Shown:
        def show(_: int, words: str) -> None:
            nonlocal last
            if perf_counter() - last >= _PAUSE:
                last = perf_counter()
                say(f"{doing}: {words}")

        say(doing)
        return Bar(what, show)

    return start
