"""Averages over deals as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from zermelo.boards import in_short
from zermelo.game import State
from zermelo.interpreter.machine import shown
from zermelo.numbers import approximation, exactly, plain, play_so_far
from zermelo.report.console import print_facts, print_heading, print_table
from zermelo.solutions.strategy_table import heard

if TYPE_CHECKING:
    from zermelo.decisions.simulating import Averaged, Online, Simulated
    from zermelo.solvers.beliefs.consistent_plays import Belief
    from zermelo.solvers.clairvoyance.alphamu import AveragedMove

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


# A belief as a table and as JSON: the positions by what tells them apart.


_LISTED: Final = 20
"""How many positions are printed."""

_MOST_COLUMNS: Final = 6
"""How many columns may say the same thing twice."""


def print_belief(belief: Belief[State], player: str, others: str) -> None:
    """The most probable positions, with the entries of variables in which they differ."""
    heads, rows = _told_apart([position.state for position in belief.positions])
    if len({tuple(row) for row in rows}) < len(rows):  # what tells them apart is in no variable
        heads.append("after")
        rows = [[*row, play_so_far(each.state)] for row, each in zip(rows, belief.positions, strict=True)]
    print()
    print_heading(f"{player} believes:")
    if len(belief.positions) == 1 and belief.is_exact:
        print("the position is known")
    else:
        write = exactly if belief.is_exact else approximation
        listed = [[write(each.probability), *row] for each, row in zip(belief.positions, rows, strict=True)]
        print_table(["probability", *heads], listed[:_LISTED])
        if len(belief.positions) > _LISTED:
            left = len(belief.positions) - _LISTED
            print(f"... and {left:,} positions that are less probable; `zermelo moves --json` has them")
    print()
    print_facts(_about(belief, others))


def _told_apart(states: Sequence[State]) -> tuple[list[str], list[list[str]]]:
    """Columns with the entries of variables in which states differ, boards in short; where they are many, without those
    that follow from the ones before."""
    said = [in_short(state.game.model, state.game.machine.entries(state.machine_state)) for state in states]
    heads = [
        head for head in dict.fromkeys(head for row in said for head in row) if len({row.get(head) for row in said}) > 1
    ]
    if len(heads) > _MOST_COLUMNS:
        kept: list[str] = []
        for head in heads:
            if _classes(said, [*kept, head]) > _classes(said, kept):
                kept.append(head)
        heads = kept
    return heads, [[row.get(head, "") for head in heads] for row in said]


def _classes(said: Sequence[dict[str, str]], heads: Sequence[str]) -> int:
    """How many of the states these columns tell apart."""
    return len({tuple(row.get(head) for head in heads) for row in said})


def _about(belief: Belief[State], others: str) -> list[tuple[str, str]]:
    assumed = {"uniform": "all moves equally likely", "best": "the equilibrium that has been found"}
    plays = sum(position.plays for position in belief.positions)
    found = f"{plays:,} plays to {len(belief.positions):,} positions"
    if belief.is_exact:
        sure = f"exact, by Bayes' rule over {found}" if plays > 1 else "exact: one play fits"
    else:
        worth = approximation(belief.effective)
        sure = f"estimated by {belief.drawn:,} weighted samples, worth {worth} independent ones, along {found}"
    return [("the others", assumed.get(others, f"as {others} says")), ("certainty", sure)]


def belief_record(belief: Belief[State], player: str, others: str) -> dict[str, Any]:
    """As JSON: exact probabilities as text, estimates as decimals."""
    names = differing([position.state for position in belief.positions])
    return {
        "player": player,
        "others": others,
        "exact": belief.is_exact,
        "samples": belief.drawn or None,
        "effective_samples": None if belief.is_exact else float(belief.effective),
        "positions": [
            {
                "probability": str(position.probability) if belief.is_exact else float(position.probability),
                "plays": position.plays,
                "play": list(map(str, position.state.play)),
                "differs_in": [
                    {"variable": variable, "indices": list(map(plain, indices)), "value": plain(value)}
                    for (variable, indices), value in _of(position.state, names)
                ],
            }
            for position in belief.positions
        ],
    }


def differing(states: Sequence[State]) -> list[tuple[str, tuple[Any, ...]]]:
    """The entries of variables, by name and indices, that do not have one value in all of these states."""
    first, *rest = map(_entries, states)
    names = dict.fromkeys(name for entries in (first, *rest) for name in entries)
    return [name for name in names if any(entries.get(name) != first.get(name) for entries in rest)]


def _of(state: State, names: Sequence[tuple[str, tuple[Any, ...]]]) -> list[tuple[tuple[str, tuple[Any, ...]], Any]]:
    entries = _entries(state)
    return [(name, entries.get(name)) for name in names]


def _entries(state: State) -> dict[tuple[str, tuple[Any, ...]], Any]:
    return {(seen.variable, seen.indices): seen.value for seen in state.game.machine.entries(state.machine_state)}


# What online outcome sampling finds at a decision, as a table and as JSON.


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


# Simulations of moves as a table and as JSON.


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
