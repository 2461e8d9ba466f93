"""Editing: the time from a keystroke in the rules of chess to the answers of the language server, as an editor sees it.

A client like that of an editor changes a word of a define, there and back, so that every text differs from the one
before, and every second one has a mistake. It waits for what a person sees: findings, what a name means, completion.
There is no peer: the limit is what a person does not notice.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

from benchmarks.report import Delay

_CHESS: Final = Path(__file__).parent.parent / "gamedefs" / "chess.game"
_ADDRESS: Final = "file:///chess.game"
_KEYSTROKES: Final = 20
_LIMIT: Final = 0.1
_PLACE: Final = "define next_idle = min("
"""The keystroke comes right behind this."""

_SERVER: Final = "from zermelo.cli import main; main(['lsp'])"


def keystrokes() -> list[Delay]:
    """Chess in an editor: medians of the delays; nothing without the libraries of the extra ``lsp``."""
    return asyncio.run(_delays()) if find_spec("pygls") else []


async def _delays() -> list[Delay]:
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    client = LanguageClient("benchmark", "1")
    shown: asyncio.Queue[int | None] = asyncio.Queue()

    def show(params: types.PublishDiagnosticsParams) -> None:
        shown.put_nowait(params.version)

    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(show)
    await client.start_io(sys.executable, "-c", _SERVER)
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    text = _CHESS.read_text(encoding="utf-8")
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(_ADDRESS, "zermelo", 0, text)))
    before = text[: text.index(_PLACE) + len(_PLACE)].split("\n")
    place = types.Position(len(before) - 1, len(before[-1]))
    document = types.TextDocumentIdentifier(_ADDRESS)

    async def findings(version: int) -> None:
        while await shown.get() != version:
            pass

    async def hover(version: int) -> None:
        where = types.Position(place.line, place.character - len("= min(next_idle"))
        await client.text_document_hover_async(types.HoverParams(document, where))

    async def completion(version: int) -> None:
        await client.text_document_completion_async(types.CompletionParams(document, place))

    await findings(0)
    typist = _Typist(client, types, place)
    kinds = {"findings": findings, "hover": hover, "completion": completion}
    delays = [
        Delay(task=f"chess in an editor, keystroke to {name}", ours=await typist.delay(answer), limit=_LIMIT)
        for name, answer in kinds.items()
    ]
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call, unused-ignore]
    return delays


class _Typist:
    """Types a letter and takes it back, again and again, and waits each time for an answer."""

    def __init__(self, client: Any, types: Any, place: Any) -> None:
        self._client = client
        self._types = types
        self._place = place
        self._version = 0

    async def delay(self, answer: Callable[[int], Awaitable[None]]) -> float:
        """The median of the seconds from a keystroke to its answer."""
        seconds = []
        for _ in range(_KEYSTROKES):
            await asyncio.sleep(0.5)  # the analysis that follows the answer is over
            begin = perf_counter()
            self._strike()
            await answer(self._version)
            seconds.append(perf_counter() - begin)
        return median(seconds)

    def _strike(self) -> None:
        types, line, character = self._types, self._place.line, self._place.character
        self._version += 1
        is_back = self._version % 2 == 0
        end = types.Position(line, character + 1) if is_back else self._place
        change = types.TextDocumentContentChangePartial(types.Range(self._place, end), "" if is_back else "z")
        document = types.VersionedTextDocumentIdentifier(self._version, _ADDRESS)
        self._client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
