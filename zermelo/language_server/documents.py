"""The open documents, each with the analysis of its present text.

The analysis runs in a thread of its own, one text at a time, so that the server can always hear of the next keystroke.
A text that has been superseded before its turn is skipped, and answers wait for the analysis of the present text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Final, TypeVar
from urllib.parse import unquote, urlsplit

from attrs import define, field, frozen

from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import NOWHERE, Findings, Source, Span
from zermelo.grammar.parse import parse_parts
from zermelo.grammar.syntax import GameFile
from zermelo.interpreter.check import add_extremes, check_rules
from zermelo.interpreter.elaboration import assemble
from zermelo.interpreter.elaboration.declarations import file_globals
from zermelo.interpreter.elaboration.names import declare
from zermelo.interpreter.model import Model
from zermelo.interpreter.symbols.index import SymbolIndex, index_of_elaborated
from zermelo.language_server.protocol import Position, Range
from zermelo.last_resort import FAULTS, failure
from zermelo.solvers.validation.first_positions import add_first_fault

# The analysis of a text in three stages, so that an editor need not wait for the whole.
#
# 1. :func:`read`: the tree and the names, from which questions about names are answered;
# 2. :func:`check_text`: all findings for the default parameters;
# 3. :func:`check_further`: those that come up only at extreme values of the parameters, and what fails in the first
#    positions.
#
# Together they find what ``zermelo check`` finds. The first two take less than a tenth of a second in chess, the third
# one takes as long for each parameter, and for the positions; so the server begins it only when nobody is typing.


@frozen(repr=False)
class FirstLook(Displayed):
    """The tree of a text and its names; the model if the whole of it could be read, and the findings so far."""

    tree: GameFile
    index: SymbolIndex
    model: Model | None
    findings: Findings


@frozen(repr=False)
class Checked(Displayed):
    """The tree of a text, the model, if there are no errors, and the findings for the default parameters."""

    tree: GameFile
    game: Model | None
    findings: Findings


def read(source: Source) -> FirstLook:
    """The first stage. In a text with mistakes, findings in the readable parts may only be consequences of these: they
    are not reported, and :func:`zermelo.interpreter.check.check` does not report them, either."""
    tree, findings, _ = parse_parts(source)
    is_whole = not findings.errors
    declarations = declare(tree, findings if is_whole else Findings(findings.source))
    is_whole = is_whole and declarations.are_clear
    globals = file_globals(declarations, findings if is_whole else Findings(findings.source), {})
    model = assemble(globals)
    return FirstLook(tree, index_of_elaborated(tree, globals), model if is_whole else None, findings)


def check_text(look: FirstLook) -> Checked:
    """The second stage."""
    if look.model is None:
        return Checked(look.tree, None, look.findings)
    return Checked(look.tree, *check_rules(look.model, look.findings))


def check_further(found: Checked) -> Findings:
    """The third stage: all findings of the text."""
    if found.game is not None:
        add_extremes(found.tree, found.game, found.findings, {})
        add_first_fault(found.game, found.findings)
    return found.findings


QUIET: Final = 0.3
"""Seconds without a change after which the third stage begins."""

T = TypeVar("T")

Publish = Callable[[str, int, Findings], None]
"""Shows the findings of a version of the document with this address."""


class Superseded(Exception):
    """The text has changed before its analysis."""


class Failed(Exception):
    """The analysis of a text has failed; ``findings`` say how."""

    def __init__(self, findings: Findings) -> None:
        super().__init__()
        self.findings = findings


@define(eq=False)
class Document:
    """A version of a document. ``first`` is the first stage of its analysis, ``all`` the first two stages together."""

    version: int
    source: Source
    is_present: bool = True
    first: asyncio.Task[FirstLook] = field(init=False)
    all: asyncio.Task[Checked] = field(init=False)


@define(eq=False)
class Documents:
    """The open documents by their addresses."""

    _publish: Publish
    _present: dict[str, Document] = field(factory=dict)
    _worker: ThreadPoolExecutor = field(factory=lambda: ThreadPoolExecutor(1, "analysis"))
    _following: set[asyncio.Task[None]] = field(factory=set)  # the event loop alone would not keep them alive

    def change(self, address: str, version: int, text: str) -> None:
        """The document has this text now."""
        self.close(address)
        document = Document(version, Source(unquote(PurePosixPath(urlsplit(address).path).name), text))
        self._present[address] = document
        document.first = asyncio.create_task(self._run(document, lambda: read(document.source)))
        document.all = asyncio.create_task(self._check(document))
        following = asyncio.create_task(self._follow(address, document))
        self._following.add(following)
        following.add_done_callback(self._following.discard)

    def close(self, address: str) -> None:
        """The document is not open any more, or is about to have another text."""
        document = self._present.pop(address, None)
        if document is not None:
            document.is_present = False

    async def names(self, address: str) -> FirstLook | None:
        """The first stage of the analysis of the present text; None if the document is not open."""
        while (document := self._present.get(address)) is not None:
            try:
                return await asyncio.shield(document.first)
            except Superseded:
                continue
            except Failed:
                return None
        return None

    async def findings(self, address: str) -> Findings | None:
        """The findings of the present text for the default parameters; None if the document is not open."""
        while (document := self._present.get(address)) is not None:
            try:
                return (await asyncio.shield(document.all)).findings
            except Superseded:
                continue
            except Failed as failed:
                return failed.findings
        return None

    def stop(self) -> None:
        """Begin no more analyses."""
        for address in list(self._present):
            self.close(address)
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def _run(self, document: Document, work: Callable[[], T]) -> T:
        """The result of work on a document when its turn comes; raises :class:`Superseded` and :class:`Failed`."""

        def run() -> T | None:
            try:
                return work() if document.is_present else None
            except FAULTS as error:
                findings = Findings(document.source)
                fault = failure(error, "zermelo lsp")
                findings.report(fault.code, NOWHERE, fault.message, help=fault.help)
                raise Failed(findings) from error

        result = await asyncio.get_running_loop().run_in_executor(self._worker, run)
        if result is None:
            raise Superseded
        return result

    async def _check(self, document: Document) -> Checked:
        first = await asyncio.shield(document.first)
        return await self._run(document, lambda: check_text(first))

    async def _follow(self, address: str, document: Document) -> None:
        """Show the findings of a document, and later those of the third stage, as long as it is present."""
        try:
            found = await asyncio.shield(document.all)
            self._show(address, document, found.findings)
            await asyncio.sleep(QUIET)
            before = list(found.findings)
            findings = await self._run(document, lambda: check_further(found))
            if list(findings) != before:
                self._show(address, document, findings)
        except Superseded:
            return
        except Failed as failed:
            self._show(address, document, failed.findings)

    def _show(self, address: str, document: Document, findings: Findings) -> None:
        if document.is_present:
            self._publish(address, document.version, findings)


# The places of a text as editors count them.
#
# The protocol counts lines and characters from 0, and characters in units of an encoding on which client and server
# agree: mostly UTF-16, in which a character beyond the first 65,536 counts as two.


_UNIT_BYTES: Final = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
"""The bytes of a unit of each encoding."""


@frozen(repr=False)
class TextPlaces(Displayed):
    """The places of one text, in the units of an encoding: ``utf-8``, ``utf-16`` or ``utf-32``."""

    source: Source
    encoding: str = "utf-16"

    def range_of(self, span: Span) -> Range:
        return Range(self._position(span.line, span.column), self._position(span.end_line, span.end_column))

    def range_in_line(self, line: int, start: int, end: int) -> Range:
        """The range between two offsets in a line, counted from 0."""
        first = self._starts[line]
        return Range(self._position(line + 1, start - first + 1), self._position(line + 1, end - first + 1))

    def offset_of(self, position: Position) -> int:
        """The offset of a position, in characters; a place beyond the end of its line is that end."""
        if position.line >= len(self._starts):
            return len(self.source.text)
        units = 0
        start: int = self._starts[position.line]
        line = self.source.line(position.line + 1)
        for k, character in enumerate(line):
            if units >= position.character:
                return start + k
            units += self._units(character)
        return start + len(line)

    def _position(self, line: int, column: int) -> Position:
        """``line`` and ``column`` count from 1."""
        before = self.source.line(line)[: column - 1]
        return Position(line - 1, len(before) if before.isascii() else self._units(before))

    def _units(self, text: str) -> int:
        name = self.encoding if self.encoding == "utf-8" else f"{self.encoding}-le"  # without a byte order mark
        return len(text.encode(name, "surrogatepass")) // _UNIT_BYTES[self.encoding]

    @cached_property
    def _starts(self) -> list[int]:
        lines = self.source.text.split("\n")
        return list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
