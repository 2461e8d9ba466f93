"""Simulations of moves as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.console import print_facts, print_table
from zermelo.interpreter.machine import shown
from zermelo.numbers import approximation

if TYPE_CHECKING:
    from zermelo.decisions.simulating import Simulated

_WHOSE = {
    "multiple": "several: every player chooses by what they know",
    "single": "one: the others choose as if they knew no more than {player}",
}


def print_simulations(simulated: Simulated) -> None:
    """A row for each move, and how far the means can be trusted."""
    found, player = simulated.found, simulated.player
    rows = [
        (
            shown(each.move),
            f"{each.visits:,}",
            "" if each.mean is None else approximation(each.mean),
            "" if each.standard_error is None else f"± {each.standard_error:.2g}",
            "most simulated" if each.move == found.best else "",
        )
        for each in found.moves
    ]
    print()
    print_table(["move", "simulations", f"mean for {player}", "standard error", ""], rows)
    print()
    facts = [
        ("solver", "information-set Monte Carlo tree search"),
        ("observers", _WHOSE[simulated.observers].format(player=player)),
        ("deals", f"{simulated.deals:,}, {_which(simulated)}"),
        ("counts", f"simulations {found.simulations:,}, moves in the trees {found.arms:,}, depth {found.depth:,}"),
        (
            "note",
            f"A guess. The means are of plays in which everybody explores, not values of the game; more simulations do "
            f"not lead to an equilibrium, and {player} is told one move where it may be best to mix.",
        ),
    ]
    if found.unfinished:
        facts.append(("note", f"{found.unfinished:,} plays were too long, and counted as the middle of all payoffs."))
    if found.is_full:
        facts.append(("note", "The memory is full, so the simulations ended early; --memory allows more."))
    print_facts(facts)


def _which(simulated: Simulated) -> str:
    if simulated.covers:
        return "all that fit, with their probabilities"
    return f"drawn at random, worth {float(simulated.effective):,.0f} independent ones"


def simulations_record(simulated: Simulated) -> dict[str, Any]:
    """As JSON; means are decimals, and null for moves that were not simulated."""
    found = simulated.found
    return {
        "solver": "ismcts",
        "player": simulated.player,
        "exact": False,
        "certainty": "heuristic",
        "observers": simulated.observers,
        "deals": simulated.deals,
        "all_deals": simulated.covers,
        "effective_deals": float(simulated.effective),
        "simulations": found.simulations,
        "unfinished": found.unfinished,
        "moves": [
            {
                "move": str(each.move),
                "simulations": each.visits,
                "mean": None if each.mean is None else float(each.mean),
                "standard_error": each.standard_error,
                "best": each.move == found.best,
            }
            for each in found.moves
        ],
    }
