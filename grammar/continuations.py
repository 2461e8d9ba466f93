"""How an unfinished text can go on: the words that the grammar admits at a place."""

from __future__ import annotations

from attrs import frozen

from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import Findings, Mistake, Source
from zermelo.grammar.engine import Unexpected, engine
from zermelo.grammar.layout import Chunk, split_declarations
from zermelo.grammar.names import letters_at_end
from zermelo.grammar.syntax_diagnosis import Stop, stop_of

_NO_TOKEN = "\x00"
"""A character that begins no token: the parser stops right before it, and its error says what it expected."""


@frozen(repr=False)
class Continuation(Displayed):
    """What may come where a text ends: these words of the language, and perhaps a name. ``before`` are the words of the
    declaration so far, and ``begun`` the letters of the next one."""

    words: tuple[str, ...]
    is_name: bool
    before: tuple[str, ...]
    begun: str


def continuation(text: str) -> Continuation:
    """What may come at the end of ``text``. If its last declaration has a mistake, only the last line is read, as a
    statement, or the part behind its last colon; if that has a mistake, too, nothing is known."""
    begun = letters_at_end(text)
    text = text.removesuffix(begun)
    line = text[text.rfind("\n") + 1 :]
    chunks = split_declarations(Source("", text)) if line else []
    attempts = [text[chunks[-1].start :] if chunks else ""]
    if line:
        attempts += [f"setup:\n    {part.lstrip()}" for part in (line, line.rpartition(": ")[2])]
    for attempt in attempts:
        found = _try_to_continue(attempt, begun)
        if found is not None:
            return found
    return Continuation((), False, (), begun)


def _try_to_continue(text: str, begun: str) -> Continuation | None:
    """What may follow the beginning of a declaration; None if it cannot be read."""
    source = Source("", text + _NO_TOKEN)
    chunk = Chunk(source.text, 0, 1, 1, source)
    reader = engine()
    with reader.lock:
        try:
            reader.read(chunk, Findings(source))
        except Mistake:
            return None
        except Unexpected as error:
            if error.offset != len(text):
                return None
            return _continuation(stop_of(reader.layout, error), reader.literals, begun)
    return None


def _continuation(stop: Stop, literals: dict[str, str], begun: str) -> Continuation:
    words = [literals[terminal] for terminal in stop.expected if literals.get(terminal, "")[:1].isalpha()]
    return Continuation(tuple(sorted(words)), "NAME" in stop.expected, tuple(word.text for word in stop.before), begun)
