"""Processes that work on questions: their limits, what becomes of them, and who waits. All are real."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from contextlib import asynccontextmanager
from multiprocessing import Pipe

import pytest
from endless import ENDLESS

from zermelo.gamedefs import path
from zermelo.serving.workers import Worker, Workers, _exchange, context

NIM = path("nim").read_text(encoding="utf-8")
QUESTION = json.dumps({"source": NIM}).encode()
LONG = json.dumps({"source": ENDLESS}).encode()


@asynccontextmanager
async def working(count=1, seconds=600.0, memory=200 << 20):
    workers = Workers(context(), count, seconds, memory)
    workers.open()
    try:
        yield workers
    finally:
        await workers.close()


def refusal(answer):
    status, content = answer
    assert status == 422
    return json.loads(content)


async def findings(workers):
    status, content = await workers.answer("findings", QUESTION)
    assert status == 200
    return json.loads(content)["diagnostics"]


async def process_of(workers):
    """The only process, when it has begun."""
    await findings(workers)
    (worker,) = workers._all
    return worker.process.pid


async def begun(workers):
    """A search that is at work."""
    heard = asyncio.Event()
    task = asyncio.create_task(workers.answer("solve", LONG, lambda words: "nodes" in words and heard.set()))
    await heard.wait()
    return task


def test_work_that_does_not_end_is_ended_by_its_limit():
    async def scene():
        async with working(seconds=2) as workers:
            refused = refusal(await workers.answer("solve", LONG))
            assert refused["code"] == "out-of-time"
            assert "2 s" in refused["message"] and "--time" in refused["hint"]
            status, _ = await workers.answer("findings", QUESTION)
            assert status in (200, 422)  # a busy machine does not find them in 2 s either

    asyncio.run(scene())


def test_a_process_that_does_not_look_at_the_clock_is_killed(monkeypatch):
    async def scene():
        async with working(seconds=600) as workers:
            before = await process_of(workers)
            os.kill(before, signal.SIGSTOP)
            with monkeypatch.context() as patch:
                patch.setattr("zermelo.serving.workers._MERCY", -600)  # as if the time were up
                refused = refusal(await workers.answer("findings", QUESTION))
            assert refused["code"] == "out-of-time"
            assert "after 600 s" in refused["message"] and "--time" in refused["hint"]
            assert await process_of(workers) != before

    asyncio.run(scene())


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSEGV])
def test_a_process_that_is_lost_is_replaced(sign):
    async def scene():
        async with working() as workers:
            before = await process_of(workers)
            task = await begun(workers)
            os.kill(before, sign)
            refused = refusal(await task)
            assert refused["code"] == "out-of-memory" and "--memory" in refused["hint"]
            assert await process_of(workers) != before

    asyncio.run(scene())


def test_a_process_that_is_lost_while_it_rests_is_not_noticed():
    async def scene():
        async with working() as workers:
            before = await process_of(workers)
            os.kill(before, signal.SIGKILL)
            (worker,) = workers._all
            worker.process.join()
            assert await findings(workers) == []
            assert await process_of(workers) != before

    asyncio.run(scene())


@pytest.mark.parametrize("before", [b"", b"a question that is not read"], ids=["broken", "reset"])
def test_a_process_that_is_lost_as_it_is_asked_gives_no_answer(before):
    ours, theirs = Pipe()
    if before:
        ours.send_bytes(before)
    theirs.close()
    with ours:
        assert _exchange(ours, "findings", QUESTION, pytest.fail) is None


def test_memory_that_nobody_counts_is_watched(monkeypatch):
    """Here Python and the compiler themselves are what takes more than is allowed beside tables."""
    monkeypatch.setattr("zermelo.serving.workers.BESIDE", 0)

    async def scene():
        async with working(memory=64 << 20) as workers:
            refused = refusal(await workers.answer("solve", LONG))
            assert refused["code"] == "out-of-memory"
            assert "more than 64M" in refused["message"] and "--memory" in refused["hint"]

    asyncio.run(scene())


def test_what_nobody_waits_for_is_left(monkeypatch):
    monkeypatch.setattr("zermelo.serving.workers._GRACE", 600)

    async def scene():
        async with working() as workers:
            before = await process_of(workers)
            task = await begun(workers)
            task.cancel()
            assert await findings(workers) == []
            assert await process_of(workers) == before  # it has heeded the interrupt

    asyncio.run(scene())


def test_a_question_taken_back_when_its_answer_has_come_disturbs_nobody(monkeypatch):
    """The process may have the question of somebody else by then."""
    interrupted = []
    monkeypatch.setattr(Worker, "interrupt", lambda worker: interrupted.append(worker))

    async def scene():
        async with working() as workers:
            await findings(workers)
            task = asyncio.create_task(workers.answer("findings", QUESTION))
            while workers._idle:
                await asyncio.sleep(0)
            while not workers._idle:  # until the answer has come, which the task does not know yet
                await asyncio.sleep(0)
            assert not task.done()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(scene())
    assert not interrupted


def test_a_process_that_does_not_heed_an_interrupt_is_replaced():
    async def scene():
        async with working() as workers:
            before = await process_of(workers)
            task = await begun(workers)
            os.kill(before, signal.SIGSTOP)
            task.cancel()
            assert await findings(workers) == []
            assert await process_of(workers) != before

    asyncio.run(scene())


def test_searches_wait_in_a_queue_and_are_told_so():
    async def scene():
        async with working() as workers:
            heard = []
            task = await begun(workers)
            waiting = [asyncio.create_task(workers.answer("findings", QUESTION, heard.append)) for _ in range(2)]
            while len(heard) < 2:
                await asyncio.sleep(0.01)
            assert heard == [
                "waiting: all processes are at work",
                "waiting: all processes are at work, and 1 waits before you",
            ]
            task.cancel()
            assert [status for status, _ in await asyncio.gather(*waiting)] == [200, 200]

    asyncio.run(scene())


def test_a_small_question_does_not_wait_for_long_ones(monkeypatch):
    """The long ones are tried for no time, and wait; the small one, which comes last, for as long as it takes."""

    async def scene():
        async with working() as others, working() as workers:
            workers.others = others
            await findings(workers)
            monkeypatch.setattr("zermelo.serving.workers._MOMENT", 0)
            tasks = [await begun(workers)]
            tasks += [asyncio.create_task(workers.answer("solve", LONG)) for _ in range(6)]
            while len(workers._waiting) < 6:
                await asyncio.sleep(0.01)
            monkeypatch.setattr("zermelo.serving.workers._MOMENT", 600)
            assert await findings(workers) == []
            assert not any(task.done() for task in tasks)
            for task in tasks:
                task.cancel()

    asyncio.run(scene())


def test_a_question_that_is_taken_back_while_it_waits_is_never_looked_at():
    async def scene():
        async with working() as workers:
            task = await begun(workers)
            waiting = [asyncio.create_task(workers.answer("solve", LONG)) for _ in range(20)]
            last = asyncio.create_task(findings(workers))
            await asyncio.sleep(0.05)
            for each in [*waiting, task]:
                each.cancel()
            assert await asyncio.wait_for(last, 100) == []

    asyncio.run(scene())


def test_too_many_questions_are_refused():
    async def scene():
        async with working() as workers:
            task = await begun(workers)
            waiting = [asyncio.create_task(workers.answer("findings", QUESTION)) for _ in range(201)]
            await asyncio.sleep(0.05)
            assert [each.result()[0] for each in waiting if each.done()] == [503]
            task.cancel()
            assert {status for status, _ in await asyncio.gather(*waiting)} == {200, 503}

    asyncio.run(scene())


def test_no_process_is_left_in_the_end():
    async def scene():
        async with working(count=2) as workers:
            task = await begun(workers)
            processes = [worker.process for worker in workers._all]
            waiting = asyncio.create_task(begun(workers))
            await asyncio.sleep(0)
        status, _ = await task
        assert status == 422
        for process in processes:
            process.join(10)
            assert not process.is_alive()
        waiting.cancel()

    asyncio.run(scene())
