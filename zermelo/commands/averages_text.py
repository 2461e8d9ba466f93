"""Averages over deals as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from zermelo.console import print_facts, print_table
from zermelo.interpreter.machine import shown
from zermelo.numbers import approximation, exactly
from zermelo.solutions.strategies import heard

if TYPE_CHECKING:
    from zermelo.decisions.clairvoyance import Averaged
    from zermelo.solvers.clairvoyance.averaging import AveragedMove

BY_DEALS: Final = ("pimc", "alphamu")
"""The methods that look at deals."""

_TITLES: Final = {"pimc": "averages over clairvoyance", "alphamu": "alpha-mu"}


def print_averages(found: Averaged) -> None:
    """A row for each move, and what the averages are worth."""
    rows = [
        (
            shown(each.move),
            exactly(each.mean) if found.covers else approximation(each.mean),
            "" if found.covers or not each.standard_error else f"± {each.standard_error:.2g}",
            "best" if each.move in found.best else "",
        )
        for each in found.moves
    ]
    heads = ("move", f"average for {found.player}", "standard error", "")
    filled = [k for k in range(len(heads)) if k < 2 or any(row[k] for row in rows)]
    print()
    print_table([heads[k] for k in filled], [[row[k] for k in filled] for row in rows])
    print()
    which = "all that fit, with their probabilities" if found.covers else "drawn at random"
    facts = [("solver", _TITLES[found.method]), ("deals", f"{found.deals:,}, {which}"), ("note", _caveat(found))]
    facts += [("fusion", _fused(found, each)) for each in found.moves if each.fusion is not None]
    print_facts(facts)


def _caveat(found: Averaged) -> str:
    """What the averages are not."""
    if found.method == "pimc":
        return (
            "Each deal is solved as if all cards were open from then on, which they will not be: this is no value of "
            f"the game, and may be more than {found.player} can get."
        )
    moves = "move" if found.ahead == 1 else f"{found.ahead} moves"
    return (
        f"For the next {moves} {found.player} does the same in deals that look the same; after that all cards are "
        "open. The others are taken to know everything at once."
    )


def _fused(found: Averaged, each: AveragedMove) -> str:
    """What the deals disagree about, for two of them that have no best move in common."""
    assert each.fusion is not None
    first, *others = (best for _, best in each.fusion.deals)
    other = next((best for best in others if not set(best) & set(first)), others[-1])
    return (
        f"after {heard(each.fusion.known, found.player)} {found.player} would have to know the deal: "
        f"in one {_any(first)} is best, in another {_any(other)}, and they look the same"
    )


def _any(moves: tuple[Any, ...]) -> str:
    return " or ".join(map(shown, moves))


def averages_record(found: Averaged) -> dict[str, Any]:
    """As JSON; means are exact numbers as text if the deals are all that fit, and decimals otherwise."""
    return {
        "solver": found.method,
        "player": found.player,
        "exact": False,
        "deals": found.deals,
        "all_deals": found.covers,
        "moves": [
            {
                "move": str(each.move),
                "mean": str(each.mean) if found.covers else float(each.mean),
                "standard_error": None if found.covers else each.standard_error,
                "best": each.move in found.best,
                "fusion": None
                if each.fusion is None
                else {
                    "known": list(map(str, each.fusion.known)),
                    "best": [list(map(str, best)) for _, best in each.fusion.deals],
                },
            }
            for each in found.moves
        ],
    }
