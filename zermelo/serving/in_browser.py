"""Questions of the page where there is no server: Python runs in a worker of the browser, beside nobody, and what ends
work that takes too long is the end of that worker."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from zermelo.serving.answers import Answers, Say

Answer = Callable[[str, str, Say], tuple[int, str]]
"""Answers a question of some name, which is JSON; gives a status as of HTTP, and JSON."""


def start(seconds: float, memory: int) -> Answer:
    """What answers, each question within so many ``seconds`` and so many bytes of ``memory``."""
    os.environ.update(COLUMNS="72", NO_COLOR="1")
    sys.set_int_max_str_digits(0)
    answers = Answers(seconds, memory)

    def answer(name: str, question: str, say: Say) -> tuple[int, str]:
        status, content = answers.answer(name, question.encode("utf-8", "surrogatepass"), say)
        return status, content.decode()

    return answer
