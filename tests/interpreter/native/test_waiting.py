"""Interruptible waiting for LLVM."""

from __future__ import annotations

import signal
from threading import Event, Thread, current_thread, main_thread

import pytest

from zermelo.interpreter.native.llvm.engine import interruptible


def test_what_is_made_comes_back():
    assert interruptible(lambda: current_thread() is main_thread()) is False


def test_errors_come_back():
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)


def test_an_interrupt_does_not_wait():
    begun, may_end, ended = Event(), Event(), Event()

    def work() -> None:
        begun.set()
        may_end.wait()
        ended.set()

    def interrupt() -> None:
        begun.wait()
        signal.pthread_kill(main_thread().ident, signal.SIGINT)  # as from a keyboard: it wakes the waiting thread

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # that of the tests would end them
    Thread(target=interrupt).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            interruptible(work)
        assert not ended.is_set()
    finally:
        may_end.set()
        signal.signal(signal.SIGINT, before)
    assert ended.wait(10)


def test_another_thread_does_the_work_itself():
    seen: list[bool] = []
    thread = Thread(target=lambda: seen.append(interruptible(current_thread) is current_thread()))
    thread.start()
    thread.join()
    assert seen == [True]
