"""A solution together with what it is a solution of: what :func:`zermelo.solve` gives."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import asdict, field, fields, frozen

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.machines import name_of
from zermelo.numbers import meaning_in_words, short_text
from zermelo.results import UNASKED, GameRows, Provenance, start_of
from zermelo.solvers.choosing.choice import Settled, check_request, requirements_asked, settle
from zermelo.solvers.choosing.choice import solve as solve_by
from zermelo.solvers.choosing.registry import find_solver
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.solution import Request, Solution
from zermelo.solving import facts_with_information, on_machine, search

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo.interpreter.checks.game_facts import Survey
    from zermelo.interpreter.machine import Machine, TellingMachine
    from zermelo.report.console import Watch
    from zermelo.solvers.choosing.verifying import Verification
    from zermelo.solvers.common.numbers import Size
    from zermelo.solvers.common.trace import Trace
    from zermelo.steps import ToldSearch


@frozen(eq=False, kw_only=True, repr=False)
class SolvedGame(GameRows, Solution):
    """A solution of what is left of a game, from :func:`zermelo.solve`; it is shown with the names of its players.
    ``subject`` is the game, or the state from which on it has been solved, and ``facts`` what is known of it;
    ``survey`` says how large it is, if it has been counted. The value was found on the ``machine`` of this name. A
    ``verification`` says whether another method finds the value, too; ``steps`` are the nodes of the search, as JSON,
    ``told`` tells it node by node, and ``trace`` is the record of it: each is None unless it was asked for. A pickle
    has all but the ``policy`` and the ``trace``; ``lists_policy`` says that the record has the policy, too.

    >>> import zermelo
    >>> print(zermelo.solve(zermelo.load("two_ply_tree"), "minimax"))
    player  value
    MAX     3
    MIN     -3
    <BLANKLINE>
    solver     minimax
    why        it was asked for
    best move  A1
    best play  A1, A11
    """

    subject: Game | State = field(eq=False)
    facts: Facts = field(eq=False)
    survey: Survey | Size | None = field(default=None, eq=False)
    machine: str = field(default="", eq=False)
    verification: Verification | None = None
    steps: tuple[dict[str, Any], ...] | None = field(default=None, eq=False)
    told: ToldSearch | None = None
    trace: Trace[Any] | None = field(default=None, eq=False)
    lists_policy: bool = field(default=False, eq=False)
    provenance: Provenance = UNASKED

    def __reduce__(self) -> tuple[Callable[[], object], tuple[()]]:
        held = {each.name: getattr(self, each.name) for each in fields(SolvedGame)}
        return partial(SolvedGame, **{**held, "policy": None, "trace": None}), ()

    @property
    def root(self) -> State:
        """The state from which on it has been solved."""
        return start_of(self.subject)

    @property
    def begin(self) -> State:
        """The same."""
        return self.root

    @property
    def game(self) -> Game:
        """The game."""
        return self.subject if isinstance(self.subject, Game) else self.subject.game

    def __repr__(self) -> str:
        pays = ", ".join(short_text((amount - self.error, amount + self.error)) for amount in self.value)
        return f"<solution of '{self.game.title}' by {self.solver}: {meaning_in_words(self.game.facts, self)} {pays}>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each decision, where positions have been solved one by one: what to do there, and what it is worth
        (:attr:`policy`); for each move of each decision, where there are strategies; else for each player."""
        players = self.game.players
        if self.policy is not None and not self.root.is_over:
            return [
                {
                    "position": listed["position"],
                    "player": listed["player"],
                    "moves": ", ".join(listed["moves"]),
                    **{f"value for {player}": (listed["value"] or {}).get(player) for player in players},
                }
                for listed in self._policy_records()
            ]
        if self.strategies:
            return [
                {
                    "player": strategy.player,
                    "known": "; ".join(map(str, decision.known)),
                    "move": str(move),
                    "probability": chance,
                    "reached": decision.reached,
                }
                for strategy in self.strategies
                for decision in strategy.decisions
                for move, chance in zip(decision.moves, decision.probabilities, strict=True)
            ]
        return [{"player": player, "value": amount} for player, amount in zip(players, self.value, strict=True)]

    def record(self, is_brief: bool = False) -> dict[str, Any]:
        """What ``zermelo solve --json`` prints; ``is_brief``: only the decisions of strategies that matter."""
        from zermelo.solutions.page import solution_record

        root = self.subject if isinstance(self.subject, State) else None
        made = solution_record(
            self.game, root, self.machine, self.facts, self.survey, self, self.verification, is_brief
        )
        listed = {"policy": self._policy_records()} if self.lists_policy and self.policy is not None else {}
        steps = {} if self.steps is None else {"steps": list(self.steps), "orders": self._orders_record()}
        return {**made, "provenance": self.provenance.record(), **listed, **steps}

    def _orders_record(self) -> list[dict[str, Any]] | None:
        orders = None if self.told is None else self.told.orders
        return None if orders is None else [asdict(visited) for visited in orders]

    def _policy_records(self) -> list[dict[str, Any]]:
        from zermelo.policies.policy_table import record

        return [record(self.game, self.game.searching, advice) for advice in self.policy or ()]


def find_solution(
    subject: Game | State,
    request: Request,
    watch: Watch,
    told: Callable[[Settled], None],
    policy: bool,
    verify: bool,
    steps: bool,
) -> SolvedGame:
    """A solution of a game, or of its rest from a state on. Raises ``ZermeloError`` as :func:`zermelo.solve` does."""
    game, limits = (subject if isinstance(subject, Game) else subject.game), request.limits
    if request.solver is not None:  # a misspelled name is reported before any search
        if request.digits is not None and not find_solver(request.solver).advises:
            raise ZermeloError("bad-usage", "argument --digits: it is for --solver positions alone")
        check_request(find_solver(request.solver), facts_with_information(game), request)
    with watch("looking at the positions", "positions", None) as report, limits.enforce():
        asked = requirements_asked(game.facts, request)

        def look(machine: Machine[Any]) -> Settled:
            return settle(machine, game.facts, request.solver, _start(subject, machine), limits, report, asked)

        settled = search(game, look)
    told(settled)
    with watch("solving", "nodes", None) as report:

        def work(machine: TellingMachine[Any]) -> tuple[TellingMachine[Any], Solution]:
            if request.trace is not None:
                machine = game.reference
            start = _start(subject, machine)
            return machine, solve_by(machine, settled.facts, request, start, report, report.remark, settled)

        with limits.enforce():
            machine, solution = search(game, work)
    return SolvedGame(
        **{each.name: getattr(solution, each.name) for each in fields(Solution)},
        subject=subject,
        facts=settled.facts,
        survey=settled.seen,
        machine=name_of(machine),
        verification=_verify(subject, settled.facts, solution, limits, watch) if verify else None,
        steps=tuple(request.trace.record()["nodes"]) if steps and request.trace is not None else None,
        told=_tell(subject, settled.facts, solution, request) if steps else None,
        trace=request.trace,
        lists_policy=policy,
    )


def _tell(subject: Game | State, facts: Facts, solution: Solution, request: Request) -> ToldSearch:
    """The search in words, and what alpha-beta would look at if the moves came in another order."""
    from zermelo.steps import orders_of_moves, tell_search

    assert request.trace is not None, "it is recorded to be told"
    game, orders = (subject if isinstance(subject, Game) else subject.game), None
    if solution.solver == "alphabeta" and not request.rollouts:
        orders = []
        with suppress(LimitReached):
            orders = orders_of_moves(game, facts, _start(subject, game.reference), request.limits)
    return tell_search(request.trace, game.titles, orders)


def _start(subject: Game | State, machine: Machine[Any]) -> Any:
    """The state of a machine from which to solve."""
    return machine.initial() if isinstance(subject, Game) else on_machine(subject, machine)


def _verify(subject: Game | State, facts: Facts, solution: Solution, limits: Limits, watch: Watch) -> Verification:
    """The value found by a second method in the time that is left."""
    from zermelo.solvers.choosing.verifying import verify

    game = subject if isinstance(subject, Game) else subject.game
    whole = Limits(limits.seconds, limits.memory, limits.begin)
    with watch("finding it again", "nodes", None) as report:

        def again(name: str) -> Solution:
            request = Request(name, whole)
            return search(game, lambda machine: solve_by(machine, facts, request, _start(subject, machine), report))

        return verify(solution, game.reference, _start(subject, game.reference), facts, again, whole, report)


def write_policy(path: Path, solution: SolvedGame, watch: Watch) -> None:
    """Write every decision of a solution that has a policy to a file. Raises ``ZermeloError``: ``unwritable-file``,
    ``library-missing``."""
    from zermelo.policies.policy_table import write_positions

    if solution.policy is not None:
        with watch("writing the positions", "positions", None):
            write_positions(path, solution.game, solution.game.searching, solution.policy)
