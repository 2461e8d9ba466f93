"""The open documents, each with the analysis of its present text.

The analysis runs in a thread of its own, one text at a time, so that the server can always hear of the next keystroke.
A text that has been superseded before its turn is skipped, and answers wait for the analysis of the present text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePosixPath
from typing import Final, TypeVar
from urllib.parse import unquote, urlsplit

from attrs import define, field

from zermelo.grammar.diagnostics import Findings
from zermelo.grammar.source import NOWHERE, Source
from zermelo.language_server.analysis import Checked, FirstLook, checked, checked_at_extremes, read
from zermelo.last_resort import FAULTS, failure

QUIET: Final = 0.3
"""Seconds without a change after which a text is checked at the extremes of its parameters."""

T = TypeVar("T")

Publish = Callable[[str, int, Findings], None]
"""Shows the findings of a version of the document with this address."""


class Superseded(Exception):
    """The text has changed before its analysis."""


class Failed(Exception):
    """The analysis of a text has failed; what is known of that is ``findings``."""

    def __init__(self, findings: Findings) -> None:
        super().__init__()
        self.findings = findings


@define(eq=False)
class Document:
    """A version of a document. ``first`` and ``all`` are the first stage of its analysis and the first two."""

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
        """Let no analysis begin any more."""
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
        return await self._run(document, lambda: checked(first))

    async def _follow(self, address: str, document: Document) -> None:
        """Show the findings of a document, and later those at the extremes of its parameters, as long as it is
        present."""
        try:
            found = await asyncio.shield(document.all)
            self._show(address, document, found.findings)
            await asyncio.sleep(QUIET)
            before = len(found.findings)
            findings = await self._run(document, lambda: checked_at_extremes(found))
            if len(findings) > before:
                self._show(address, document, findings)
        except Superseded:
            return
        except Failed as failed:
            self._show(address, document, failed.findings)

    def _show(self, address: str, document: Document, findings: Findings) -> None:
        if document.is_present:
            self._publish(address, document.version, findings)
