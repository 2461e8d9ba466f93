"""``solve --steps``: the printing of a search that is told node by node."""

from __future__ import annotations

from typing import Final

from zermelo.report.console import print_facts, print_remark, print_table
from zermelo.steps import ToldSearch

_LISTED: Final = 12
"""The most plays that are listed."""


def print_steps(told: ToldSearch) -> None:
    """The search, what it did not look at, and what it would look at if the moves came in another order."""
    print_table(*told.table())
    print()
    if told.pruned:
        others = f"; and {len(told.pruned) - _LISTED:,} more" if len(told.pruned) > _LISTED else ""
        print_facts([("not looked at", "; ".join(told.pruned[:_LISTED]) + others)])
        print()
    if told.orders is None:
        return
    if told.orders:
        rows = [(visited.how, f"{visited.nodes:,}", f"{visited.leaves:,}") for visited in told.orders]
        print_table(("search", "nodes", "leaves"), rows)
    else:
        print_remark("The tree is too large to put all its moves in another order.")
    print()
