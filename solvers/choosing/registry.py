"""The registry of solvers and their needs.

To add a solver, write its file, and add its entry in :data:`SOLVERS`. A solver of another package has its entry in the
metadata of that package, in the group :data:`ENTRY_POINTS`; docs/own_solver.md shows one.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache, partial
from importlib import import_module
from numbers import Rational
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, field, frozen

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import ZermeloError, nearest
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import Move
from zermelo.solvers.solution import Answer, Certainty, Problem

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# Preconditions of solvers on games.


class Need(Enum):
    """A precondition of solvers: the code of the refusal, and the kind of game in words."""

    ONE_PLAYER = ("needs-one-player", "games of one player")
    TWO_PLAYERS = ("needs-two-players", "games of two players")
    SEVERAL_OPPONENTS = ("needs-several-opponents", "games of three or more players")
    CONSTANT_SUM = ("needs-constant-sum", "games of constant sum")
    COMMON_PAYOFF = ("needs-common-payoff", "games in which all players get the same")
    NO_CHANCE = ("needs-no-chance", "games without chance")
    PERFECT_INFORMATION = ("needs-perfect-information", "games of perfect information")
    IMPERFECT_INFORMATION = ("needs-imperfect-information", "games in which something is hidden")
    PUBLIC = ("needs-public", "games in which everybody knows the position, but for what others choose at that moment")
    PASSES = ("needs-passes", "games in which a player could let the other one move instead")
    END = ("needs-end", "games whose plays all end")
    BOUNDS = ("needs-bounds", "games with known bounds on payoffs")
    FINITE = ("needs-bounds", "games with a discount, or with bounds on what plays pay, endless ones included")

    def __init__(self, code: str, kind: str) -> None:
        self.code = code
        self.kind = kind

    def fact(self, facts: Facts) -> Fact:
        """The fact that meets this need if it holds."""
        match self:
            case Need.ONE_PLAYER:
                return Fact(len(facts.players) == 1, f"its players are {', '.join(facts.players)}")
            case Need.TWO_PLAYERS:
                return Fact(len(facts.players) == 2, f"its players are {', '.join(facts.players)}")
            case Need.SEVERAL_OPPONENTS:
                return Fact(len(facts.players) > 2, f"its players are {', '.join(facts.players)}")
            case Need.CONSTANT_SUM:
                return facts.constant_sum
            case Need.COMMON_PAYOFF:
                return facts.common_payoff
            case Need.NO_CHANCE:
                return facts.deterministic
            case Need.PERFECT_INFORMATION:
                return facts.perfect_information
            case Need.IMPERFECT_INFORMATION:
                known = facts.perfect_information.holds
                return Fact(None if known is None else not known, facts.perfect_information.how)
            case Need.PUBLIC:
                return facts.public_between_rounds
            case Need.PASSES:
                return facts.can_pass
            case Need.END:
                return facts.terminates
            case Need.BOUNDS:
                is_bounded = bool(facts.bounds) and None not in facts.bounds
                how = "the rules bound every payoff" if is_bounded else "the rules do not bound its payoffs"
                return Fact(True if is_bounded else None, how)
            case Need.FINITE:
                is_certain = facts.has_endless or facts.terminates.holds is True
                if facts.discounted or (is_certain and Need.BOUNDS.is_met(facts)):
                    return Fact(True, "an endless play is worth a certain amount, or there is none")
                return Fact(None, "nothing says what an endless play is worth")

    def is_met(self, facts: Facts) -> bool:
        """Whether a solver with this need may be run. Needs must be proved, with two exceptions: if it is unknown
        whether every play ends, the search itself detects cycles; and solvers for hidden information are correct
        without it."""
        holds = self.fact(facts).holds
        return holds is True or (self in (Need.END, Need.IMPERFECT_INFORMATION) and holds is None)


# The solvers.


Algorithm = Callable[[Problem[Any]], Answer]

# The modules of the algorithms.
_WINDOW_SEARCH: Final = "zermelo.solvers.search.window_search"
_ALPHABETA: Final = "zermelo.solvers.search.alphabeta"
_POSITIONS: Final = "zermelo.solvers.positions.answering"
_SEQUENCE_FORM: Final = "zermelo.solvers.imperfect_information.sequence_form_lp"
_HORIZON: Final = "zermelo.solvers.horizon.bounding"
_TEAM: Final = "zermelo.solvers.imperfect_information.team"
_BELIEFS: Final = "zermelo.solvers.beliefs.belief_search"
_SUBGAME_PERFECT: Final = "zermelo.solvers.imperfect_information.subgame_perfect"
_NASH: Final = "zermelo.solvers.normal_form.nash"
_DFPN: Final = "zermelo.solvers.search.dfpn"
_EXPECTIMINIMAX: Final = "zermelo.solvers.search.expectiminimax"
_MAXN: Final = "zermelo.solvers.search.maxn"
_REGRET_MINIMIZATION: Final = "zermelo.solvers.imperfect_information.regret_minimization"
_MONTE_CARLO: Final = "zermelo.solvers.search.monte_carlo_tree_search"


@frozen(eq=False, repr=False)
class Solver(ByValue):
    """A user writes ``name`` and reads ``title``; ``reason`` says why to choose it if it fits. The algorithm is the
    ``function`` in a ``module``, by default that of the same name. A solver that ``deepens`` can stop at any depth,
    with its best result so far; one that ``bounds`` stops at a horizon, with proved bounds; one that ``traces`` can
    record its search; one that ``iterates`` converges to an equilibrium and can stop at any time; one that ``samples``
    makes as many simulations as allowed; one that ``advises`` says what to do in every position; one that ``looks_up``
    goes no further where the value of a position is known. The result of one that ``guesses`` is never exact, so it is
    never the default. ``enumerates`` tells for which games it tries all pure strategies, of which there may be too
    many; ``suits`` tells for which of the games that it fits it may be the default. ``package`` is the one of others
    that it comes from."""

    name: str
    title: str
    module: str
    needs: tuple[Need, ...]
    reason: str
    deepens: bool = False
    bounds: bool = False
    traces: bool = False
    iterates: bool = False
    samples: bool = False
    advises: bool = False
    looks_up: bool = False
    guesses: bool = False
    enumerates: Callable[[Facts], bool] = field(default=lambda facts: False, eq=False)
    suits: Callable[[Facts], bool] = field(default=lambda facts: True, eq=False)
    function: str = ""
    package: str = ""

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm, imported now if it has not been: a process runs few of them, and starts faster. That of
        another package raises ``ZermeloError`` (``solver-failed``) where it fails."""
        found: Algorithm = getattr(import_module(self.module), self.function or self.name)
        return partial(_answer_of_others, self, found) if self.package else found


_ADVERSARIES = (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.NO_CHANCE, Need.PERFECT_INFORMATION)


def _deepening(name: str, title: str, reason: str, *needs: Need) -> Solver:
    """A window search that deepens."""
    return Solver(name, title, _WINDOW_SEARCH, (*_ADVERSARIES, *needs), reason, deepens=True, looks_up=True)


def _iterating(name: str, title: str, reason: str) -> Solver:
    """An algorithm that iterates towards an equilibrium."""
    return Solver(name, title, _REGRET_MINIMIZATION, (Need.IMPERFECT_INFORMATION, Need.END), reason, iterates=True)


SOLVERS: dict[str, Solver] = {
    solver.name: solver
    for solver in (  # the first one that fits is the default
        Solver(
            "enhanced_alphabeta",
            "enhanced alpha-beta",
            _WINDOW_SEARCH,
            (*_ADVERSARIES, Need.END),
            "alpha-beta with a table, which first looks up all next positions",
            looks_up=True,
            suits=lambda facts: not facts.has_history,
        ),
        Solver(  # where the rules look at the history, a search without a horizon loses itself in repetitions
            "dfpn",
            "df-pn proof-number search",
            _DFPN,
            _ADVERSARIES,
            "it expands the position nearest to a proof or disproof",
            suits=lambda facts: facts.has_history and facts.terminates.holds is not False,
        ),
        Solver(
            "alphabeta_table",
            "alpha-beta with a table",
            _ALPHABETA,
            (*_ADVERSARIES, Need.END),
            "alpha-beta with a transposition table",
            traces=True,
            looks_up=True,
        ),
        Solver(
            "positions",
            "values of all positions",
            _POSITIONS,
            (Need.PUBLIC,),
            "every position once, from the ends backwards, whatever the number of plays",
            advises=True,
            suits=lambda facts: not facts.simultaneous.holds or facts.has_several_rounds,
        ),
        Solver(
            "sequence_form",
            "the linear program of the sequence form",
            _SEQUENCE_FORM,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.IMPERFECT_INFORMATION, Need.END),
            "both players' optimal strategies at once, proved in fractions",
        ),
        Solver(
            "beliefs",
            "search over beliefs",
            _BELIEFS,
            (Need.ONE_PLAYER, Need.IMPERFECT_INFORMATION, Need.END),
            "what the player holds possible, with its probabilities, once for all plays that lead there",
            function="belief_search",
        ),
        Solver(
            "team",
            "the best joint strategy",
            _TEAM,
            (Need.COMMON_PAYOFF, Need.IMPERFECT_INFORMATION, Need.END),
            "the best agreement of players with a common payoff",
        ),
        Solver(
            "subgame_perfect",
            "subgame-perfect equilibrium",
            _SUBGAME_PERFECT,
            (Need.IMPERFECT_INFORMATION, Need.END),
            "an equilibrium in every subgame, by backward induction",
            enumerates=lambda facts: len(facts.players) > 2,
        ),
        Solver(
            "normal_form",
            "equilibria of the normal form",
            _NASH,
            (Need.IMPERFECT_INFORMATION, Need.END),
            "profiles from which nobody gains by deviating alone",
            enumerates=lambda facts: True,
            function="normal_form_equilibria",
        ),
        Solver(
            "lemke",
            "Lemke's algorithm on the sequence form",
            _SUBGAME_PERFECT,
            (Need.TWO_PLAYERS, Need.IMPERFECT_INFORMATION, Need.END),
            "one equilibrium without dominated strategies, whatever the number of pure strategies",
        ),
        Solver(
            "horizon",
            "certified bounds by a horizon",
            _HORIZON,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.IMPERFECT_INFORMATION, Need.FINITE),
            "plays that may go on for ever are followed so far, and what lies behind is bounded",
            bounds=True,
        ),
        Solver(
            "belief_horizon",
            "certified bounds by a horizon of beliefs",
            _HORIZON,
            (Need.ONE_PLAYER, Need.IMPERFECT_INFORMATION, Need.FINITE),
            "one player's beliefs are followed so far, and what lies behind is bounded",
            bounds=True,
            function="horizon",
        ),
        _deepening(
            "principal_variation",
            "principal variation search",
            "iterative deepening that searches the first move and tests the others with null windows",
        ),
        _deepening("iterative_deepening", "iterative deepening", "alpha-beta to depth 1, 2, 3, ... up to a limit"),
        _deepening(
            "aspiration",
            "aspiration windows",
            "iterative deepening that expects little change from one depth to the next",
        ),
        _deepening("mtdf", "MTD(f)", "iterative deepening with null windows only"),
        _deepening(
            "late_moves",
            "late-move reductions",
            "principal variation search with less depth after late moves: deeper, but not exact",
        ),
        _deepening(
            "null_move",
            "null-move pruning",
            "principal variation search that prunes positions good enough even after a pass: deeper, but not exact",
            Need.PASSES,
        ),
        _deepening(
            "singular_extensions",
            "singular extensions",
            "principal variation search with more depth after moves without an alternative: no uniform depth",
        ),
        Solver(
            "alphabeta",
            "alpha-beta",
            _ALPHABETA,
            (*_ADVERSARIES, Need.END),
            "the value of minimax, without moves that cannot change it",
            deepens=True,
            traces=True,
            looks_up=True,
        ),
        Solver(
            "minimax",
            "minimax",
            _ALPHABETA,
            (*_ADVERSARIES, Need.END),
            "it visits the whole tree and lists all best moves",
            deepens=True,
            traces=True,
            looks_up=True,
        ),
        Solver(
            "expectiminimax",
            "expectiminimax",
            _EXPECTIMINIMAX,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.END),
            "minimax with exact expectations at chance nodes",
            deepens=True,
            traces=True,
            looks_up=True,
        ),
        Solver(
            "star1",
            "Star1",
            _EXPECTIMINIMAX,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.BOUNDS, Need.END),
            "expectiminimax, without outcomes that cannot change the value",
            deepens=True,
            traces=True,
            looks_up=True,
        ),
        Solver(
            "star2",
            "Star2",
            _EXPECTIMINIMAX,
            (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.BOUNDS, Need.END),
            "Star1 that first tries one move after each outcome",
            deepens=True,
            traces=True,
            looks_up=True,
        ),
        Solver(
            "maxn",
            "max^n",
            _MAXN,
            (Need.PERFECT_INFORMATION, Need.END),
            "all players maximize their own payoffs",
            deepens=True,
            traces=True,
            looks_up=True,
        ),
        Solver(
            "paranoid",
            "paranoid search",
            _MAXN,
            (Need.SEVERAL_OPPONENTS, Need.NO_CHANCE, Need.PERFECT_INFORMATION, Need.END),
            "as if all others were allied against the player to move",
            deepens=True,
            guesses=True,
        ),
        Solver(
            "best_reply",
            "best-reply search",
            _MAXN,
            (Need.SEVERAL_OPPONENTS, Need.NO_CHANCE, Need.PERFECT_INFORMATION, Need.END),
            "as if one of the others replied to each move, and the rest had no choice",
            deepens=True,
            guesses=True,
        ),
        _iterating(
            "predictive_cfr_plus",
            "predictive CFR+",
            "closest to an equilibrium in the long run; it can be stopped at any time",
        ),
        _iterating("cfr_plus", "CFR+", "regret matching that drops negative regrets"),
        _iterating("discounted_cfr", "discounted CFR", "regret matching that discounts earlier iterations"),
        _iterating("linear_cfr", "linear CFR", "regret matching in which later iterations count more"),
        _iterating("cfr", "CFR", "regret matching in every information set, the original"),
        _iterating(
            "external_sampling", "external-sampling Monte Carlo CFR", "CFR that samples chance and the other players"
        ),
        _iterating("outcome_sampling", "outcome-sampling Monte Carlo CFR", "CFR that samples one play at a time"),
        Solver(
            "mcts",
            "Monte Carlo tree search",
            _MONTE_CARLO,
            (Need.PERFECT_INFORMATION, Need.BOUNDS),
            "a guess for games too large to search, by random plays or the estimate",
            samples=True,
            guesses=True,
            looks_up=True,
            function="monte_carlo_tree_search",
        ),
    )
}


OF_ONE_DECISION: Final = {
    "pimc": "averages over clairvoyance",
    "alphamu": "alpha-mu",
    "ismcts": "information-set Monte Carlo tree search",
    "oos": "online outcome sampling",
}
"""The titles of methods that choose a move for a player who does not know the position, and find no value of the game.
A user asks for them where moves are compared."""


def find_solver(name: str) -> Solver:
    """The solver of this name, in any spelling (``alpha-beta``, ``max^n``), ours before those of other packages; raises
    ``ZermeloError`` (``unknown-solver``, ``solver-not-loaded``)."""
    plain = _canonical_name(name)
    for solver in SOLVERS.values():
        if plain == _canonical_name(solver.name):
            return solver
    for entry in _entries():
        if plain == _canonical_name(entry.name):
            return _loaded(entry)
    if plain in OF_ONE_DECISION:
        raise ZermeloError(
            "unknown-solver",
            f"{plain} does not solve games; it chooses a move for a player who does not know the position",
            f"`zermelo moves GAME --after MOVES --values --solver {plain}` compares the moves of a decision",
        )
    names = [*SOLVERS, *(entry.name for entry in _entries())]
    match = nearest(plain, names)
    suggestion = f"did you mean '{match}'? " if match else ""
    raise ZermeloError(
        "unknown-solver", f"there is no solver '{name}'", f"{suggestion}the solvers are {', '.join(names)}"
    )


def _canonical_name(name: str) -> str:
    """A name in canonical spelling."""
    return "".join(filter(str.isalnum, name.lower().replace("+", "plus")))


def exact_solvers() -> list[Solver]:
    """The solvers that do more than guess."""
    return [solver for solver in SOLVERS.values() if not solver.guesses]


# Solvers of other packages. They are run where they are named, and by comparisons, and are never the default: nobody
# here knows what their "exact" is worth.


ENTRY_POINTS: Final = "zermelo.solvers"
"""The group of entry points whose objects are :class:`Solver`, each under its own name."""


@cache
def _entries() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points

    return tuple(entry_points(group=ENTRY_POINTS))


@cache
def _loaded(entry: EntryPoint) -> Solver:
    package = entry.dist.name if entry.dist is not None else entry.module
    try:
        found = entry.load()
        if isinstance(found, Solver) and found.name == entry.name and callable(found.algorithm):
            return evolve(found, package=package)
        why = f"{entry.value} is not its Solver"
    except (Exception, SystemExit) as error:  # whatever another package raises
        why = f"{type(error).__name__}: {error}"
    raise ZermeloError(
        "solver-not-loaded", f"the solver {entry.name} of the package {package} cannot be loaded: {why}", _MEND
    )


_MEND: Final = "mend or remove that package; `zermelo explain solver-not-loaded` says what it has to have"


def all_solvers() -> list[Solver]:
    """Ours, and those of other packages with other names that can be loaded."""
    return [*SOLVERS.values(), *(found for found in _others().values() if isinstance(found, Solver))]


def broken_solvers() -> dict[str, ZermeloError]:
    """The names of those of other packages that cannot be loaded, each with its error (``solver-not-loaded``)."""
    return {name: found for name, found in _others().items() if isinstance(found, ZermeloError)}


def _others() -> dict[str, Solver | ZermeloError]:
    ours = set(map(_canonical_name, SOLVERS))
    found: dict[str, Solver | ZermeloError] = {}
    for entry in _entries():
        if _canonical_name(entry.name) not in ours:
            try:
                found[entry.name] = _loaded(entry)
            except ZermeloError as error:
                found[entry.name] = error
    return found


def _answer_of_others(solver: Solver, search: Algorithm, problem: Problem[Any]) -> Answer:
    """What a solver of another package finds, whatever it is worth."""
    try:
        found = search(problem)
        mistake = _mistake_in(found, problem)
    except (ZermeloError, DeadlinePassed, MemoryError):  # what solvers may raise
        raise
    except (Exception, SystemExit) as error:  # whatever another package raises
        raise _failed(solver, f"{type(error).__name__}: {error}{_place_of(error)}") from error
    if mistake:
        raise _failed(solver, mistake)
    return found


def _failed(solver: Solver, why: str) -> ZermeloError:
    return ZermeloError(
        "solver-failed",
        f"the solver {solver.name} of the package {solver.package} failed: {why}",
        "tell its authors, or ask for another solver; with ZERMELO_TRACEBACK=1 in the environment, the command line "
        "shows the whole traceback",
    )


def _mistake_in(found: object, problem: Problem[Any]) -> str:
    """What makes this no answer; empty if it has the form of one."""
    if not isinstance(found, Answer):
        return f"it returned {type(found).__name__}, and not an Answer"
    players = problem.facts.players
    if len(found.value) != len(players) or not all(isinstance(amount, Rational) for amount in found.value):
        return f"its value is no exact number for each of {', '.join(players)}"
    if not all(isinstance(move, Move) for move in (*found.best, *found.line)):
        return "its best moves or those of its line are no moves"
    if not isinstance(found.certainty, Certainty):
        return "its certainty is no Certainty"
    if not {"nodes", "terminals"} <= set(found.counts):
        return "its counts lack nodes or terminals"
    return ""


def _place_of(error: BaseException) -> str:
    """Where an exception was raised."""
    from traceback import walk_tb  # which few need

    *_, (frame, line) = walk_tb(error.__traceback__)
    return f" (in {frame.f_globals.get('__name__', '?')}, line {line})"


# Which solvers fit a game, and what stands in the way of the others.


BY_LOOKING: Final = frozenset({Need.CONSTANT_SUM, Need.COMMON_PAYOFF, Need.NO_CHANCE, Need.PERFECT_INFORMATION})
"""The needs that exploring the game can settle."""


def unmet_needs(solver: Solver, facts: Facts, is_cut_off: bool = False) -> tuple[Need, ...]:
    """The needs of the solver that this game does not meet. Plays need not end for a search that ``is_cut_off``."""
    needs = (need for need in solver.needs if not (is_cut_off and solver.deepens and need is Need.END))
    return tuple(need for need in needs if not need.is_met(facts))


def may_fit(solver: Solver, facts: Facts, is_cut_off: bool = False) -> bool:
    """Whether a solver fits, or may turn out to fit when the game has been explored."""
    return all(need in BY_LOOKING and need.fact(facts).holds is None for need in unmet_needs(solver, facts, is_cut_off))


def objection(need: Need, facts: Facts) -> str:
    """Why a need is not met, in words."""
    fact = need.fact(facts)
    return f"this is {'not one' if fact.holds is False else 'not known to be one'}: {fact.how}"


# The solvers by the kind of game that they are for, as a list for the help.


_KINDS: Final = (  # the first that is among the needs of a solver
    (Need.IMPERFECT_INFORMATION, "something is hidden, or players choose at once"),
    (Need.PUBLIC, "everybody knows the position, but for what others choose at that moment; any payoffs"),
    (Need.NO_CHANCE, "everybody knows the position, and there is no chance"),
    (Need.PERFECT_INFORMATION, "everybody knows the position, with or without chance"),
)


def solvers_by_kind() -> str:
    """For each kind of game a heading, and under it the names of its solvers and the reasons to choose them."""
    groups: dict[str, list[Solver]] = {}
    for solver in SOLVERS.values():
        groups.setdefault(_games_of_solver(solver), []).append(solver)
    return "\n\n".join(
        f"solvers where {kind}:\n" + "\n".join(f"  {solver.name:<21}{solver.reason}" for solver in group)
        for kind, group in groups.items()
    )


def _games_of_solver(solver: Solver) -> str:
    kind = next(kind for need, kind in _KINDS if need in solver.needs)
    if {Need.TWO_PLAYERS, Need.CONSTANT_SUM} <= set(solver.needs) and Need.IMPERFECT_INFORMATION not in solver.needs:
        return f"two players have a constant sum, {kind}"
    return kind
