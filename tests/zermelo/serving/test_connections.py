"""Connections whose other side does not go on: they are ended, and hold no place for ever."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest
import uvicorn
from uvicorn.server import ServerState

from zermelo.serving import app

MUCH = 1 << 24
"""More bytes than a system keeps of what nobody reads."""

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


@asynccontextmanager
async def connected(answer, most, parts=1):
    """A connection to a server whose ``answer`` gets the connection on its side; and that side."""
    config, state = uvicorn.Config(None, log_config=None), ServerState()

    async def application(scope, receive, send):
        (line,) = state.connections
        content = answer(line)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for k in range(parts):
            await send({"type": "http.response.body", "body": content, "more_body": k < parts - 1})

    config.load()
    config.loaded_app = application

    def made():
        return app.Connection(config, state, {})

    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "_IDLE", most)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname(), limit=1000)
        yield reader, writer, state
    writer.close()
    server.close()


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: he"])
def test_a_head_that_does_not_come_ends_the_connection(sent):
    async def scene():
        async with connected(lambda line: b"", 0.05) as (reader, writer, _):
            writer.write(sent)
            with pytest.raises(ConnectionResetError):
                assert await reader.read() == b""
                raise ConnectionResetError  # closed in one way or the other

    asyncio.run(scene())


def test_half_a_head_after_an_answer_ends_the_connection():
    async def scene():
        async with connected(lambda line: b"", 600) as (reader, writer, state):
            writer.write(REQUEST)
            await reader.readuntil(b"\r\n\r\n")
            (line,) = state.connections
            before = line._over
            writer.write(b"GET")
            while not line.conn.trailing_data[0]:
                await asyncio.sleep(0)
            assert line._over is before and not before.cancelled()

    asyncio.run(scene())


@pytest.mark.parametrize("parts", [1, 2])
def test_an_answer_that_nobody_reads_ends_the_connection(parts):
    """It has been written, and is to be sent; or the rest of it waits until the first part has been sent."""
    begun = []

    def answer(line):
        begun.append(line)
        app._IDLE = 0
        return bytes(MUCH)

    async def scene():
        async with connected(answer, 600, parts) as (_, writer, state):
            writer.write(REQUEST)
            while not begun or state.connections:
                await asyncio.sleep(0.01)

    asyncio.run(scene())


def test_work_on_an_answer_has_no_such_limit():
    seen = []

    async def scene():
        async with connected(lambda line: b"%r" % seen.append(line._over), 600) as (reader, writer, _):
            writer.write(REQUEST)
            await reader.readuntil(b"\r\n\r\n")

    asyncio.run(scene())
    assert seen == [None]
