"""What the moves of a state bring, for users: looked up in a table or found anew, as JSON and as rows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.decisions import MoveEvaluation, evaluate_moves
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move
from zermelo.numbers import known_by_player
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solutions.page import duration_record
from zermelo.solvers.choosing.registry import OF_ONE_DECISION
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.policy import Worth
from zermelo.solvers.solution import Certainty, Endgames

if TYPE_CHECKING:
    from os import PathLike

    from zermelo.report.console import Watch
    from zermelo.tables import Table

_COUNTED: Final = {
    "pimc": ("solving deals", "deals"),
    "alphamu": ("solving deals", "deals"),
    "ismcts": ("simulating", "simulations"),
    "oos": ("sampling", "nodes"),
}
"""The words in which the progress of a method for one decision is shown."""


@frozen(repr=False)
class MoveValues(GameRows):
    """What the moves or outcomes of a state bring, from :func:`zermelo.values`; ``evaluation`` has it all, and what is
    asked for most often is here, too."""

    begin: State = field(eq=False)
    evaluation: MoveEvaluation
    provenance: Provenance = UNASKED

    @property
    def worths(self) -> tuple[Worth, ...]:
        """What each move brings, in the order of the rules."""
        return self.evaluation.worths

    @property
    def best(self) -> tuple[Move, ...]:
        """The best moves; none of chance, or where it is best to mix."""
        return self.evaluation.best

    @property
    def solver(self) -> str:
        """The solver that found them."""
        return self.evaluation.solver

    def of(self, move: Move | str) -> Worth:
        """What this move brings."""
        return self.evaluation.of(self.begin.find(move) if isinstance(move, str) else move)

    def __repr__(self) -> str:
        best = ", ".join(map(str, self.best[:2])) + (", ..." if len(self.best) > 2 else "")
        return f"<{len(self.worths)} moves by {self.solver}: {f'best {best}' if best else 'none is best'}>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each move: what it brings each player, by how much that may be wrong, whether it is best, how often
        it is made or drawn, and the moves to the end; None where that is not known."""
        players = self.evaluation.players
        return [
            {
                "move": str(worth.move),
                **{
                    f"value for {player}": None if worth.payoff is None else worth.payoff[number]
                    for number, player in enumerate(players)
                },
                "error": None if self.evaluation.is_sampled else worth.error,
                "best": worth.move in self.best,
                "probability": worth.chance,
                "moves to the end": worth.distance,
            }
            for worth in self.worths
        ]

    def record(self) -> dict[str, Any]:
        return {**self._head(), **values_record(self.evaluation)}


def find_values(
    state: State,
    solver: str | None,
    deals: int | None,
    simulations: int | None,
    iterations: int | None,
    observers: str,
    seed: int,
    table: Table | str | PathLike[str] | None,
    learnt: Endgames | None,
    limits: Limits,
    watch: Watch,
) -> MoveValues:
    """What the moves of a state bring, as the table says if it has the position, and no solver is named. Raises
    ``ZermeloError`` as :func:`zermelo.values` does."""
    endgames = learnt
    if table is not None:
        from zermelo.tables import endgames_given, table_given  # which few need

        if solver in OF_ONE_DECISION:
            raise ZermeloError("bad-usage", f"--solver {solver} does not look positions up", "leave out --table")
        opened = table_given(table, state.game)
        if solver is None and (known := opened.evaluate(state)) is not None:
            return MoveValues(state, known)
        endgames = endgames_given(opened, learnt, state.game, limits, watch)
    with watch(*_COUNTED.get(solver or "", ("solving", "nodes")), None) as report, limits.enforce():
        found = evaluate_moves(
            state,
            solver,
            deals=deals,
            ahead=None if limits.depth == inf else int(limits.depth),
            simulations=simulations,
            iterations=iterations,
            observers=observers,
            seed=seed,
            limits=limits,
            progress=report,
            endgames=endgames,
        )
    return MoveValues(state, found)


def values_record(values: MoveEvaluation) -> dict[str, Any]:
    """Exact numbers as text; those that are not exact are decimals that are certain, null if none is; the means of
    samples are numbers with standard errors, and no bound of their error is known."""

    def amounts(worth: Worth) -> Mapping[str, float | str | None] | None:
        if worth.payoff is None:
            return None
        if values.is_sampled:
            return dict(zip(values.players, map(float, worth.payoff), strict=True))
        return known_by_player(values.players, worth.payoff, worth.error)

    def share(chance: Fraction | None) -> float | str | None:
        return chance if chance is None else (float if values.is_sampled else str)(chance)

    def sampling_record(worth: Worth) -> dict[str, Any]:
        if values.deals is None:
            return {}
        fusion = values.fusions.get(worth.move)
        return {
            "standard_error": values.standard_errors.get(worth.move),
            "simulations": values.visits.get(worth.move),
            "fusion": fusion
            and {
                "known": list(map(str, fusion.known)),
                "best": [list(map(str, best)) for _, best in fusion.deals],
            },
        }

    deals = values.deals
    return {
        "solver": values.solver,
        "why": values.why,
        "exact": values.certainty is Certainty.EXACT,
        "certainty": values.certainty.value,
        "moves": [
            {
                "move": str(worth.move),
                "value": amounts(worth),
                "error": None if values.is_sampled else str(worth.error),
                "best": worth.move in values.best,
                "probability": share(worth.chance),
                "moves_to_the_end": worth.distance,
                "duration": duration_record(worth.duration),
                **sampling_record(worth),
            }
            for worth in values.worths
        ],
        "notes": list(values.notes),
        "exploitability": None if values.exploitability is None else str(values.exploitability),
        **(
            {}
            if deals is None
            else {"deals": deals.count, "all_deals": deals.covers, "effective_deals": float(deals.effective)}
        ),
        **({"observers": values.observers} if values.observers else {}),
        **{what.replace(" ", "_"): count for what, count in values.counts.items()},
    }
