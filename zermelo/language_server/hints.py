"""What stands beside a text while somebody writes it: the parameters of the call in which they are, and the types that
the text does not show.

The grammar says of which call the end of an unfinished text is a part, as it does for a completion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from zermelo.grammar.continuations import continuation
from zermelo.grammar.names import WORD
from zermelo.interpreter.symbols.index import Kind, Symbol
from zermelo.language_server.completion import Look, symbol_facts
from zermelo.language_server.protocol import (
    InlayHint,
    InlayHintKind,
    MarkupContent,
    MarkupKind,
    ParameterInformation,
    Position,
    Range,
    SignatureHelp,
    SignatureInformation,
)
from zermelo.language_server.words import WORDS

# The parameters of a call.


_NAME: Final = re.compile(WORD)
_OPEN: Final = ("(", "[", "{")
_CLOSED: Final = (")", "]", "}")
_DECLARING: Final = ("define", "feature", "action", "phase", "move", "outcome")
_CALLED: Final[tuple[Kind, ...]] = ("define", "feature", "action", "move", "outcome")


def signature_help(look: Look, position: Position) -> SignatureHelp | None:
    """How that is declared which is called where somebody writes, with the parameter that they are at; None outside of
    calls."""
    before = continuation(look.index.source.text[: look.places.offset_of(position)]).before
    call = _call_at_end(before)
    if call is None:
        return None
    k, commas = call
    signatures = list({each.label: each for each in _signatures(before[k], before[k - 1] if k else "", look)}.values())
    if not signatures:
        return None
    fitting = [n for n, each in enumerate(signatures) if commas < len(each.parameters)]
    active = fitting[0] if fitting else 0
    return SignatureHelp(signatures, active, min(commas, max(len(signatures[active].parameters) - 1, 0)))


def _call_at_end(before: tuple[str, ...]) -> tuple[int, int] | None:
    """Which of the words is the name of the innermost call that is not closed, and how many commas it has so far."""
    depth = commas = 0
    for k in range(len(before) - 1, 0, -1):
        if before[k] in _CLOSED:
            depth += 1
        elif before[k] in _OPEN and depth:
            depth -= 1
        elif before[k] == "(" and _NAME.fullmatch(before[k - 1]):
            return None if k > 1 and before[k - 2] in _DECLARING else (k - 1, commas)
        elif before[k] in _OPEN:
            commas = 0  # those in a bracket among the arguments
        elif before[k] == "," and not depth:
            commas += 1
    return None


def _signatures(name: str, previous: str, look: Look) -> Iterator[SignatureInformation]:
    """The declarations of a name that have parameters, or else the first form in which the language has it."""
    kinds: tuple[Kind, ...] = ("phase",) if previous in ("go", "at") else _CALLED
    declared = [each for each in look.index.symbols.values() if each.name == name and each.kind in kinds]
    for symbol in declared:
        yield from _signature(name, look.index.source.excerpt(symbol.whole), symbol_facts(symbol))
    if not declared and name in WORDS:
        form, meaning = WORDS[name]
        forms = [form, *re.findall("`([^`]*)`", meaning)]
        yield from islice((each for written in forms for each in _signature(name, written, meaning)), 1)


def _signature(name: str, written: str, facts: str) -> Iterator[SignatureInformation]:
    """A declaration or a form up to the end of its parameters, if it has some."""
    text = " ".join(written.split())
    opening = re.search(rf'\b{re.escape(name)}(?: "[^"]*")?\(', text)
    if opening is not None:
        *parameters, end = _places_of_parameters(text, opening.end())
        yield SignatureInformation(
            text[: end.stop],
            MarkupContent(MarkupKind.Markdown, facts),
            [ParameterInformation(text[each].strip()) for each in parameters],
        )


def _places_of_parameters(text: str, begin: int) -> Iterator[slice]:
    """Where the parameters behind an opening bracket stand, and last the closing one."""
    depth = 0
    for k in range(begin, len(text)):
        if not depth and text[k] in (",", *_CLOSED):
            yield slice(begin, k)
            begin = k + 1
        if not depth and text[k] in _CLOSED:
            break
        depth += (text[k] in _OPEN) - (text[k] in _CLOSED)
    yield slice(begin - 1, begin)


# Types that the text does not show.


_OPENING: Final = re.compile(r" *\(")


def inlay_hints(look: Look, where: Range) -> list[InlayHint]:
    """The types of the names that are declared in a range, where they are known and the text does not show them."""
    start, end = look.places.offset_of(where.start), look.places.offset_of(where.end)
    return [
        InlayHint(_place_of_type(symbol, look), f": {symbol.unwritten_type}", InlayHintKind.Type)
        for symbol in look.index.symbols.values()
        if symbol.unwritten_type and start <= symbol.span.start <= end
    ]


def _place_of_type(symbol: Symbol, look: Look) -> Position:
    """Behind a name, and behind the parameters of a define."""
    text, offset = look.index.source.text, symbol.span.end
    opening = _OPENING.match(text, offset)
    if symbol.kind == "define" and opening is not None:
        *_, closing = _places_of_parameters(text, opening.end())
        offset = closing.stop
    return look.places.range_in_line(text.count("\n", 0, offset), offset, offset).start
