"""What stands above a result: the game with its parameters, and the play after which the command begins."""

from __future__ import annotations

from typing import Any

from zermelo.console import print_facts, print_title
from zermelo.game import State
from zermelo.plain_results import header, play_so_far, settings


def print_beginning(begin: State) -> None:
    """The title, the parameters, and the play so far, each with an empty line below."""
    print_title(begin.game.title, settings(begin.game))
    print()
    if begin.play:
        print_facts([("after", play_so_far(begin))])
        print()


def beginning_record(begin: State) -> dict[str, Any]:
    """The same for JSON."""
    return {**header(begin.game), "after": list(map(str, begin.play))}
