"""What online outcome sampling finds at a decision, as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.console import print_facts, print_table
from zermelo.interpreter.machine import shown
from zermelo.numbers import approximation

if TYPE_CHECKING:
    from zermelo.decisions.online import Online


def print_online(online: Online) -> None:
    """A row for each move, with how often it should be made."""
    found, player = online.found, online.player
    print()
    print_table(["move", "is made"], [(shown(move), approximation(chance)) for move, chance in found.chances.items()])
    print()
    led = "all that fit" if online.covers else "drawn at random from those that fit"
    facts = [
        ("solver", "online outcome sampling"),
        ("deals", f"{online.deals:,}, {led}, to which most plays are led"),
        ("counts", f"iterations {found.iterations:,}, information sets {found.sets:,}"),
        (
            "note",
            f"A guess: how often {player} makes each move in an approximate equilibrium, learned from random plays. It "
            "comes nearer with more iterations; nothing about it is proved.",
        ),
    ]
    if found.is_full:
        facts.append(("note", "The memory is full: other information sets have not been added; --memory allows more."))
    print_facts(facts)


def online_record(online: Online) -> dict[str, Any]:
    """As JSON; probabilities are decimals."""
    found = online.found
    return {
        "solver": "oos",
        "player": online.player,
        "exact": False,
        "certainty": "heuristic",
        "deals": online.deals,
        "all_deals": online.covers,
        "iterations": found.iterations,
        "information_sets": found.sets,
        "full": found.is_full,
        "moves": [{"move": str(move), "probability": float(chance)} for move, chance in found.chances.items()],
    }
