"""What a process of the server does: it reads a question, works on it within limits, and writes the answer.

Everything that belongs to the user's game happens here, and nothing of it in the process of the server. A question has
a name and a JSON object; an answer has an HTTP status and JSON. Texts of games are never paths, and no question names
a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from errno import ENOMEM
from functools import lru_cache
from time import perf_counter
from typing import Any, Final

from attrs import define, field

from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import Findings, InvalidGame, Source, ZermeloError
from zermelo.grammar.formatter import format_text
from zermelo.language_server.completion import Look, completions, hover
from zermelo.language_server.documents import FirstLook, TextPlaces, check_further, check_text, read
from zermelo.language_server.protocol import Position, Range, to_json
from zermelo.language_server.showing import LEGEND, colours, diagnostic, fixes
from zermelo.last_resort import FAULTS, failure
from zermelo.loading import TEXT, build
from zermelo.report.console import Bar, Shown
from zermelo.serving.questions import (
    UNPROCESSABLE,
    Misasked,
    PageQuestion,
    Refusal,
    refusal_of,
    too_long_refusal,
    translate_options,
    unreadable_refusal,
)
from zermelo.solvers.common.limits import Limits

# Answers about a text that is being written: those of the language server (:mod:`zermelo.language_server`).


_KEPT: Final = 4
"""How many texts, and how many games, a process keeps, with what is known of them."""

_ADDRESS: Final = "page"
"""The address of the text in the records of the protocol."""

_TOKEN: Final = 5
"""Numbers of a token in the protocol."""


def _listed(findings: Findings) -> dict[str, Any]:
    """Findings, and the edits that mend them."""
    places = TextPlaces(findings.source)
    everywhere = Range(Position(0, 0), Position(findings.source.text.count("\n") + 1, 0))
    return {
        "diagnostics": to_json([diagnostic(_ADDRESS, finding, places) for finding in findings]),
        "fixes": to_json(fixes(_ADDRESS, findings, everywhere, places)),
    }


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

_SHARE: Final = 0.9
"""How much of the time an analysis takes, which ends with what it has found; the rest is for the game itself."""

Say = Callable[[str], None]
"""Tells how far the work is."""

Parameters = tuple[tuple[str, str], ...]
"""Names and their values, as text."""


@define(eq=False)
class Answers:
    """A process's answers: each takes so many ``seconds`` and so much ``memory`` at most, as far as its work checks
    these limits; work that does not is ended from outside (:mod:`zermelo.serving.workers`)."""

    seconds: float
    memory: int
    _look: Callable[[Source], FirstLook] = field(init=False, factory=lambda: lru_cache(_KEPT)(read))
    _build: Callable[[Source, Parameters], Game] = field(
        init=False, factory=lambda: lru_cache(_KEPT)(lambda source, given: build(TEXT, source, dict(given)))
    )

    def answer(self, name: str, data: bytes, say: Say) -> tuple[int, bytes]:
        """The status and the content of the answer to a question."""

        def to_refusal(error: ZermeloError) -> Refusal:
            return refusal_of(error, _COMMANDS.get(name, "check"))

        try:
            with time_limit(self.seconds):
                content = getattr(self, name)(PageQuestion.read(data), say)
            return 200, json.dumps(content).encode()
        except Misasked as wrong:
            return _refusal_answer(unreadable_refusal(str(wrong)))
        except InvalidGame as invalid:
            content = {**to_refusal(invalid).record, **_listed(invalid.findings)}
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

    # ------------------------------------------------------------- one for each name of a question

    def findings(self, asked: PageQuestion, _: Say) -> dict[str, Any]:
        """The findings of a text with the edits that mend them, and its names for colours. ``whole``: those at the
        extremes of its parameters and in its first positions, too, for a text that nobody is writing at this moment."""
        look = self._look(asked.source)
        found = check_text(look)
        findings = check_further(found) if asked.fields.get("whole") is True else found.findings
        return {**_listed(findings), "tokens": _tokens(look, TextPlaces(findings.source))}

    def completion(self, asked: PageQuestion, _: Say) -> Any:
        """The words and names that may come at a place."""
        look = self._look(asked.source)
        offset = TextPlaces(look.index.source).offset_of(Position(*asked.place()))
        return to_json(completions(look.index, offset))

    def hover(self, asked: PageQuestion, _: Say) -> Any:
        """What stands at a place; None if it has no meaning of its own."""
        index = self._look(asked.source).index
        return to_json(hover(Look(_ADDRESS, index, TextPlaces(index.source)), Position(*asked.place())))

    def format(self, asked: PageQuestion, _: Say) -> dict[str, str]:
        """The text in the one layout. Raises ``InvalidGame`` for mistakes in its grammar."""
        return {"source": format_text(asked.source)}

    def rules(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import rules

        found = rules(self._game(asked))
        return {**found, "facts": [translate_options(fact, "show") for fact in found["facts"]]}

    def position(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import position

        return position(self._state(asked), asked.text_or_none("view"), asked.is_true("flipped"))

    def replay(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import replay

        return replay(self._game(asked), asked.texts("play"))

    def reply(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import reply

        return reply(self._state(asked), asked.text("seat"), self.memory)

    def hint(self, asked: PageQuestion, _: Say) -> Any:
        from zermelo.serving.plays import hint

        return hint(self._state(asked), self.memory)

    def analysis(self, asked: PageQuestion, say: Say) -> Any:
        """What the moves of a position are worth. What is known before the end is said, as JSON."""
        from zermelo.serving.analysis import analyse

        state, viewer = self._state(asked), asked.text_or_none("view")
        return analyse(state, viewer, asked.is_true("brief"), _SHARE * self.seconds, self.memory, say)

    def tree(self, asked: PageQuestion, say: Say) -> Any:
        from zermelo.serving.plays import tree

        state, depth = self._state(asked), asked.number_or_none("depth")
        return tree(
            state, depth, asked.text_or_none("solver"), self._limits, _progress_in_words(say)("drawing", "nodes")
        )

    def watch(self, asked: PageQuestion, say: Say) -> Any:
        from zermelo.serving.watching import watch

        state, depth = self._state(asked), asked.number_or_none("depth")
        return watch(
            state, depth, asked.text_or_none("solver"), self._limits, _progress_in_words(say)("drawing", "nodes")
        )

    def solve(self, asked: PageQuestion, say: Say) -> Any:
        from zermelo.serving.plays import request_of, solve_game

        game, request = self._game(asked), request_of(asked, self.seconds, self.memory)
        found = solve_game(game, request, _progress_in_words(say))
        return {**found, "page": translate_options(found["page"], "solve")}

    def _game(self, asked: PageQuestion) -> Game:
        """Raises ``InvalidGame``, ``ZermeloError`` and :class:`Misasked`."""
        return self._build(asked.source, tuple(sorted(asked.parameters().items())))

    def _state(self, asked: PageQuestion) -> State:
        """The state after the play of a question. Raises also ``PlayError``."""
        state = self._game(asked).initial
        for move in asked.texts("play"):
            state = state.after(move)
        return state

    @property
    def _limits(self) -> Limits:
        return Limits(self.seconds, self.memory)


_COMMANDS: Final = {
    "rules": "show",
    "position": "show",
    "reply": "play",
    "hint": "moves",
    "analysis": "moves",
    "tree": "draw",
    "watch": "draw",
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
