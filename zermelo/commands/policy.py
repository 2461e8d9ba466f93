"""The decisions of a policy, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from zermelo.game import Game
from zermelo.interpreter.machine import TellingMachine
from zermelo.numbers import count_in_words
from zermelo.policies.policy_table import choices, policy_table
from zermelo.report.console import print_remark, print_table
from zermelo.solvers.forms.policy import Advice

IN_FILES: Final = "which --json and --positions FILE list"
"""Where ``zermelo solve`` puts what a page has no room for."""


def print_policy(
    game: Game, machine: TellingMachine[Any], policy: Iterable[Advice[Any]], elsewhere: str = IN_FILES
) -> None:
    """Print a table of the decisions with a choice that best play leads to, and say how many others are to be found
    ``elsewhere``."""
    met, unmet = choices(game, machine, policy)
    if not met:
        print_remark("Best play leads to no decision in which there is a choice.")
    else:
        heads, rows, others = policy_table(met)
        print_table(heads, rows)
        if others:
            print_remark(f"... and {count_in_words(others, 'more row')}, {elsewhere}")
    if unmet:
        print_remark(f"... and {count_in_words(unmet, 'decision')} to which best play does not lead, {elsewhere}")
    print()
