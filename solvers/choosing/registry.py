"""The registry of solvers and their needs.

To add a solver, write its file, and add its entry to :data:`SOLVERS` and to
:mod:`~zermelo.solvers.choosing.algorithms`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import field, frozen

from zermelo.grammar.by_value import ByValue
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.suggestions import nearest
from zermelo.solvers.choosing import algorithms
from zermelo.solvers.choosing.algorithms import Algorithm
from zermelo.solvers.choosing.needs import Need


@frozen(eq=False, repr=False)
class Solver(ByValue):
    """A user writes ``name`` and reads ``title``; ``reason`` says why to choose it if it fits. A call of ``load``
    imports the algorithm. A solver that
    ``deepens`` can stop at any depth, with its best result so far; one that ``bounds`` stops at a horizon, with proved
    bounds; one that ``traces`` can record its search; one that
    ``iterates`` converges to an equilibrium and can stop at any time; one that ``samples`` makes as many simulations as
    allowed; one that ``advises`` says what to do in every position. The result of one that ``guesses`` is never exact,
    so it is never the default. ``enumerates``: of which games it tries all pure strategies, so that there may be too
    many; ``suits``: of games that it fits, for which it may be the default."""

    name: str
    title: str
    load: Callable[[], Algorithm]
    needs: tuple[Need, ...]
    reason: str
    deepens: bool = False
    bounds: bool = False
    traces: bool = False
    iterates: bool = False
    samples: bool = False
    advises: bool = False
    guesses: bool = False
    enumerates: Callable[[Facts], bool] = field(default=lambda facts: False, eq=False)
    suits: Callable[[Facts], bool] = field(default=lambda facts: True, eq=False)

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm, imported now if it has not been."""
        return self.load()

    def is_default(self, facts: Facts) -> bool:
        """Whether the solver may be the default for a game that it fits."""
        return not self.guesses and self.suits(facts)


_ITERATED = (Need.IMPERFECT_INFORMATION, Need.END)
_ADVERSARIES = (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.NO_CHANCE, Need.PERFECT_INFORMATION)

SOLVERS: dict[str, Solver] = {
    solver.name: solver
    for solver in (  # the first one that fits is the default
        Solver(
            "enhanced_alphabeta",
            "enhanced alpha-beta",
            algorithms.enhanced_alphabeta,
            (*_ADVERSARIES, Need.END),
            "alpha-beta with a table, which first looks up all next positions",
            suits=lambda facts: not facts.has_history,
        ),
        Solver(  # where the rules look at the history, a search without a horizon loses itself in repetitions
            "dfpn",
            "df-pn proof-number search",
            algorithms.dfpn,
            _ADVERSARIES,
            "it expands the position nearest to a proof or disproof",
            suits=lambda facts: facts.has_history and facts.terminates.holds is not False,
        ),
        Solver(
            "alphabeta_table",
            "alpha-beta with a table",
            algorithms.alphabeta_table,
            (*_ADVERSARIES, Need.END),
            "alpha-beta with a transposition table",
            traces=True,
        ),
        Solver(
            "positions",
            "values of all positions",
            algorithms.positions,
            (Need.PUBLIC,),
            "every position once, from the ends backwards, whatever the number of plays",
            advises=True,
            suits=lambda facts: not facts.simultaneous.holds or facts.has_several_rounds,
        ),
        Solver(
            "sequence_form",
            "the linear program of the sequence form",
            algorithms.sequence_form,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.IMPERFECT_INFORMATION, Need.END),
            "both players' optimal strategies at once, proved in fractions",
        ),
        Solver(
            "beliefs",
            "search over beliefs",
            algorithms.beliefs,
            (Need.ONE_PLAYER, Need.IMPERFECT_INFORMATION, Need.END),
            "what the player holds possible, with its probabilities, once for all plays that lead there",
        ),
        Solver(
            "team",
            "the best joint strategy",
            algorithms.team,
            (Need.COMMON_PAYOFF, Need.IMPERFECT_INFORMATION, Need.END),
            "the best agreement of players with a common payoff",
        ),
        Solver(
            "subgame_perfect",
            "subgame-perfect equilibrium",
            algorithms.subgame_perfect,
            (Need.IMPERFECT_INFORMATION, Need.END),
            "an equilibrium in every subgame, by backward induction",
            enumerates=lambda facts: len(facts.players) > 2,
        ),
        Solver(
            "normal_form",
            "equilibria of the normal form",
            algorithms.normal_form,
            (Need.IMPERFECT_INFORMATION, Need.END),
            "profiles from which nobody gains by deviating alone",
            enumerates=lambda facts: True,
        ),
        Solver(
            "lemke",
            "Lemke's algorithm on the sequence form",
            algorithms.lemke,
            (Need.TWO_PLAYERS, Need.IMPERFECT_INFORMATION, Need.END),
            "one equilibrium without dominated strategies, whatever the number of pure strategies",
        ),
        Solver(
            "horizon",
            "certified bounds by a horizon",
            algorithms.horizon,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.IMPERFECT_INFORMATION, Need.FINITE),
            "plays that may go on for ever are followed so far, and what lies behind is bounded",
            bounds=True,
        ),
        Solver(
            "belief_horizon",
            "certified bounds by a horizon of beliefs",
            algorithms.horizon,
            (Need.ONE_PLAYER, Need.IMPERFECT_INFORMATION, Need.FINITE),
            "one player's beliefs are followed so far, and what lies behind is bounded",
            bounds=True,
        ),
        Solver(
            "principal_variation",
            "principal variation search",
            algorithms.principal_variation,
            _ADVERSARIES,
            "iterative deepening that searches the first move and tests the others with null windows",
            deepens=True,
        ),
        Solver(
            "iterative_deepening",
            "iterative deepening",
            algorithms.iterative_deepening,
            _ADVERSARIES,
            "alpha-beta to depth 1, 2, 3, ... up to a limit",
            deepens=True,
        ),
        Solver(
            "aspiration",
            "aspiration windows",
            algorithms.aspiration,
            _ADVERSARIES,
            "iterative deepening that expects little change from one depth to the next",
            deepens=True,
        ),
        Solver(
            "mtdf",
            "MTD(f)",
            algorithms.mtdf,
            _ADVERSARIES,
            "iterative deepening with null windows only",
            deepens=True,
        ),
        Solver(
            "late_moves",
            "late-move reductions",
            algorithms.late_moves,
            _ADVERSARIES,
            "principal variation search with less depth after late moves: deeper, but not exact",
            deepens=True,
        ),
        Solver(
            "null_move",
            "null-move pruning",
            algorithms.null_move,
            (*_ADVERSARIES, Need.PASSES),
            "principal variation search that prunes positions good enough even after a pass: deeper, but not exact",
            deepens=True,
        ),
        Solver(
            "singular_extensions",
            "singular extensions",
            algorithms.singular_extensions,
            _ADVERSARIES,
            "principal variation search with more depth after moves without an alternative: no uniform depth",
            deepens=True,
        ),
        Solver(
            "alphabeta",
            "alpha-beta",
            algorithms.alphabeta,
            (*_ADVERSARIES, Need.END),
            "the value of minimax, without moves that cannot change it",
            deepens=True,
            traces=True,
        ),
        Solver(
            "minimax",
            "minimax",
            algorithms.minimax,
            (*_ADVERSARIES, Need.END),
            "it visits the whole tree and lists all best moves",
            deepens=True,
            traces=True,
        ),
        Solver(
            "expectiminimax",
            "expectiminimax",
            algorithms.expectiminimax,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.END),
            "minimax with exact expectations at chance nodes",
            deepens=True,
            traces=True,
        ),
        Solver(
            "star1",
            "Star1",
            algorithms.star1,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.BOUNDS, Need.END),
            "expectiminimax, without outcomes that cannot change the value",
            deepens=True,
            traces=True,
        ),
        Solver(
            "star2",
            "Star2",
            algorithms.star2,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.BOUNDS, Need.END),
            "Star1 that first tries one move after each outcome",
            deepens=True,
            traces=True,
        ),
        Solver(
            "maxn",
            "max^n",
            algorithms.maxn,
            (Need.PERFECT_INFORMATION, Need.END),
            "all players maximize their own payoffs",
            deepens=True,
            traces=True,
        ),
        Solver(
            "paranoid",
            "paranoid search",
            algorithms.paranoid,
            (Need.SEVERAL_OPPONENTS, Need.NO_CHANCE, Need.PERFECT_INFORMATION, Need.END),
            "as if all others were allied against the player to move",
            deepens=True,
            guesses=True,
        ),
        Solver(
            "best_reply",
            "best-reply search",
            algorithms.best_reply,
            (Need.SEVERAL_OPPONENTS, Need.NO_CHANCE, Need.PERFECT_INFORMATION, Need.END),
            "as if one of the others replied to each move, and the rest had no choice",
            deepens=True,
            guesses=True,
        ),
        Solver(
            "predictive_cfr_plus",
            "predictive CFR+",
            algorithms.predictive_cfr_plus,
            _ITERATED,
            "closest to an equilibrium in the long run; it can be stopped at any time",
            iterates=True,
        ),
        Solver(
            "cfr_plus",
            "CFR+",
            algorithms.cfr_plus,
            _ITERATED,
            "regret matching that drops negative regrets",
            iterates=True,
        ),
        Solver(
            "discounted_cfr",
            "discounted CFR",
            algorithms.discounted_cfr,
            _ITERATED,
            "regret matching that discounts earlier iterations",
            iterates=True,
        ),
        Solver(
            "linear_cfr",
            "linear CFR",
            algorithms.linear_cfr,
            _ITERATED,
            "regret matching in which later iterations count more",
            iterates=True,
        ),
        Solver(
            "cfr",
            "CFR",
            algorithms.cfr,
            _ITERATED,
            "regret matching in every information set, the original",
            iterates=True,
        ),
        Solver(
            "external_sampling",
            "external-sampling Monte Carlo CFR",
            algorithms.external_sampling,
            _ITERATED,
            "CFR that samples chance and the other players",
            iterates=True,
        ),
        Solver(
            "outcome_sampling",
            "outcome-sampling Monte Carlo CFR",
            algorithms.outcome_sampling,
            _ITERATED,
            "CFR that samples one play at a time",
            iterates=True,
        ),
        Solver(
            "mcts",
            "Monte Carlo tree search",
            algorithms.mcts,
            (Need.PERFECT_INFORMATION, Need.BOUNDS),
            "a guess for games too large to search, by random plays or the estimate",
            samples=True,
            guesses=True,
        ),
    )
}


OF_ONE_DECISION: Final = ("pimc", "alphamu", "ismcts")
"""What chooses a move for a player who does not know the position, and finds no value of the game. A user asks for it
where moves are compared."""


def find_solver(name: str) -> Solver:
    """The solver of this name, in any spelling (``alpha-beta``, ``max^n``); raises ``ZermeloError``
    (``unknown-solver``)."""
    plain = _plain(name)
    for solver in SOLVERS.values():
        if plain == _plain(solver.name):
            return solver
    if plain in OF_ONE_DECISION:
        raise ZermeloError(
            "unknown-solver",
            f"{plain} does not solve games; it chooses a move for a player who does not know the position",
            f"`zermelo moves GAME --after MOVES --values --solver {plain}` compares the moves of a decision",
        )
    match = nearest(plain, SOLVERS)
    suggestion = f"did you mean '{match}'? " if match else ""
    raise ZermeloError(
        "unknown-solver", f"there is no solver '{name}'", f"{suggestion}the solvers are {', '.join(SOLVERS)}"
    )


def _plain(name: str) -> str:
    """A name in canonical spelling."""
    return "".join(filter(str.isalnum, name.lower().replace("+", "plus")))


def trusted() -> list[Solver]:
    """The solvers that do more than guess."""
    return [solver for solver in SOLVERS.values() if not solver.guesses]
