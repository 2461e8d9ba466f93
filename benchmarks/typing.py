"""How fast the page of ``zermelo serve`` hears of findings while fifty people write at it: a load test.

``python -m benchmarks.typing`` starts the server, and lets people type comments, names and slips into chess, each in
their own text. A person writes a word, a key every fifth of a second, and rests for two seconds. Each key asks for
findings as the page does: after a pause of 30 ms, and taking back the question about the text before. A question counts
from the key until its answer has been read; those taken back do not count, but their number is shown.

It also measures how soon the page is there: from the start of the process to the page and to its first findings.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from asyncio import StreamReader, StreamWriter
from pathlib import Path
from random import Random
from statistics import quantiles
from subprocess import PIPE, Popen
from time import perf_counter
from typing import Final

from attrs import define, field

from zermelo.gamedefs import path

PEOPLE: Final = 50
SECONDS: Final = 30.0

_KEY: Final = 0.2
_REST: Final = 2.0
_DEBOUNCE: Final = 0.03
_WORDS: Final = ("# a remark", "# knight", "if ", "Square", "let x = 1", "board", "piece")
_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@define(eq=False)
class Times:
    """Seconds from keys to findings, and the number of questions that were taken back."""

    waits: list[float] = field(factory=list)
    superseded: int = 0

    def __str__(self) -> str:
        cut = quantiles(self.waits, n=100)
        within = sum(wait <= 0.3 for wait in self.waits) / len(self.waits)
        return (
            f"{len(self.waits):,} findings, {self.superseded:,} questions taken back; median {1000 * cut[49]:.0f} ms, "
            f"95 % within {1000 * cut[94]:.0f} ms, 99 % within {1000 * cut[98]:.0f} ms; {within:.1%} within 300 ms"
        )


async def post_question(port: int, name: str, question: object) -> bytes:
    """The answer to a question, over a connection of its own, as a browser does after it has taken one back."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        return await _exchange(reader, writer, port, name, json.dumps(question).encode())
    finally:
        writer.close()


async def _exchange(reader: StreamReader, writer: StreamWriter, port: int, name: str, content: bytes) -> bytes:
    head = f"POST /api/{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode() + content)
    answer = await reader.read()
    headers, _, found = answer.partition(b"\r\n\r\n")
    assert headers.startswith(b"HTTP/1.1 200"), headers
    return found


async def _strike_key(port: int, text: str, begin: float, times: Times) -> None:
    await asyncio.sleep(_DEBOUNCE)
    await post_question(port, "findings", {"source": text, "whole": False})
    times.waits.append(perf_counter() - begin)


async def person(port: int, number: int, end: float, times: Times) -> None:
    """Somebody who writes until the end, and looks at nothing else."""
    random = Random(number)
    lines = path("chess").read_text(encoding="utf-8").split("\n")
    await asyncio.sleep(random.uniform(0, _REST))
    latest: asyncio.Task[None] | None = None
    while latest is None or perf_counter() < end:
        place, before = random.randrange(len(lines)), list(lines)
        for character in random.choice(_WORDS):
            lines[place] += character
            if latest is not None and not latest.done():
                latest.cancel()
                times.superseded += 1
            latest = asyncio.create_task(_strike_key(port, "\n".join(lines), perf_counter(), times))
            await asyncio.sleep(random.uniform(0.5, 1.5) * _KEY)
        await asyncio.sleep(random.uniform(0.5, 1.5) * _REST)
        lines = before if random.random() < 0.5 else lines
    if latest is not None:
        await latest


async def load(port: int, people: int, seconds: float) -> Times:
    """The times of so many people who write for so many seconds."""
    times, end = Times(), perf_counter() + seconds
    await asyncio.gather(*(person(port, number, end, times) for number in range(people)))
    return times


async def fetch_page(port: int) -> bytes:
    """The page."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return answer


def main() -> None:
    begin = perf_counter()
    command = [str(Path(sys.executable).with_name("zermelo")), "serve", "--port", "0", "--no-browser"]
    with Popen(command, stdout=PIPE, text=True) as server:
        assert server.stdout is not None
        found = _ADDRESS.search(server.stdout.readline())
        assert found is not None, "the server says its address"
        port = int(found[1])
        assert asyncio.run(fetch_page(port)).startswith(b"HTTP/1.1 200")
        print(f"the page after {perf_counter() - begin:.2f} s")
        small = {"source": path("tic_tac_toe").read_text(encoding="utf-8")}
        asyncio.run(post_question(port, "findings", small))
        print(f"its first findings after {perf_counter() - begin:.2f} s")
        for people in (1, PEOPLE):
            print(f"{people} typing in chess: {asyncio.run(load(port, people, SECONDS if people > 1 else 5))}")
        server.terminate()


if __name__ == "__main__":
    main()
