"""What can be asked about a game, in Python: the functions behind the commands of the same names.

Each takes a game or a state, and the options of its command as keywords: ``zermelo solve pig -p target=20 --digits 9``
is ``zermelo.solve(zermelo.load("pig", target=20), digits=9)``. All of them are methods of games and states, too:
``game.solve(digits=9)``. A result is a record that says where it comes from (:mod:`zermelo.results`): what the command
prints with ``--json`` is its :meth:`~zermelo.results.GameResult.record`.

Four keywords are the same everywhere: ``time``, in seconds, and ``memory``, in bytes, limit the work; the time counts
from ``since`` on, a moment of ``time.perf_counter``, by default from now on; and ``watch`` begins to show progress, as
:func:`zermelo.progress` does in a terminal. All raise ``ZermeloError`` with the codes ``out-of-time`` and
``out-of-memory`` if there is no result within these limits, and ``PlayError`` for an error of the rules.

What an answer needs is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from os import PathLike, fspath
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from zermelo.arguments import check_amounts, check_arguments, check_counts, check_counts_or_none, check_first
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.values import format_value
from zermelo.last_resort import wrap_internal_errors
from zermelo.machines import cores
from zermelo.report.console import Watch, unwatched
from zermelo.results import GameResult, question, start_of
from zermelo.solvers.common.limits import Goal, Limits, Sampling, ignore_progress, quarter_of_memory
from zermelo.solvers.solution import Endgames, Request

if TYPE_CHECKING:
    from zermelo.comparing import Comparison
    from zermelo.converting import ConvertedGame
    from zermelo.counted_plays import CountedPlays
    from zermelo.drawing.drawn import DrawnFrames, DrawnPicture
    from zermelo.equilibria_page import ListedEquilibria
    from zermelo.handout.handed_out import HandedOut
    from zermelo.loading import Parameter
    from zermelo.move_values import MoveValues
    from zermelo.playing.balancing import Balance
    from zermelo.playing.judged_weights import JudgedWeights, WeightsInMatches
    from zermelo.playing.matching import PlayedMatch
    from zermelo.policies.exploiting import ExactMatch, ExploitedStrategies
    from zermelo.random_playing import PlaysAtRandom
    from zermelo.solutions.forcing import ForcedPayoff
    from zermelo.solutions.mediation import MediatedPlay
    from zermelo.solved_game import SolvedGame
    from zermelo.solvers.beliefs.consistent_plays import Belief
    from zermelo.solvers.choosing.choice import Settled
    from zermelo.solvers.learning.weights import Weights
    from zermelo.tables import Table
    from zermelo.testing.checking import CheckedFile
    from zermelo.testing.differing import GameDifference
    from zermelo.testing.grading import Grades
    from zermelo.testing.mutation import MutationScore
    from zermelo.testing.suites import TestedGame


def _say_nothing(settled: Settled) -> None:
    """Tells nobody."""


# What a game is worth, and what to do.


def solve(
    game: Game | State,
    solver: str | None = None,
    *,
    depth: float | None = None,
    nodes: float | None = None,
    estimate: str = "file",
    exploitability: float | None = None,
    iterations: float | None = None,
    checkpoint: str | PathLike[str] | None = None,
    simulations: int | None = None,
    exploration: float | None = None,
    digits: int | None = None,
    seed: int = 0,
    table: Table | str | PathLike[str] | None = None,
    endgames: Endgames | None = None,
    policy: bool = False,
    positions: str | PathLike[str] | None = None,
    verify: bool = False,
    trace: str | PathLike[str] | None = None,
    steps: bool = False,
    told: Callable[[Settled], None] = _say_nothing,
    threads: int | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> SolvedGame:
    """The value of a game, or of its rest from a state on, when everybody plays best.

    ``solver`` is the name of a solver; by default the first that fits is used. The ``value`` of the solution is a tuple
    of ``Fraction``, in the order of the players and in units of payoff; ``best`` are the best first moves.
    ``certainty`` tells whether the value is exact; if a limit ends the search, it need not be.

    ``depth``, in plies, and ``nodes`` limit a search that deepens, which goes by random plays instead of the file's
    estimate if the ``estimate`` is ``rollouts``; what iterates stops at this ``exploitability`` or after so many
    ``iterations``, and keeps its work in the file ``checkpoint``; Monte Carlo tree search makes so many
    ``simulations``, with this amount of ``exploration``; of values that are too long the solver of positions finds so
    many ``digits``. What is drawn at random follows from the ``seed``. A search goes no further where it meets a
    position of the ``table``, or one of the ``endgames`` that have been learnt by rote. ``policy`` asks for what to do
    in every position, ``positions`` writes that to a file; ``verify`` finds the value a second time, by another method;
    ``trace`` writes the search of a small tree to a file, and ``steps`` tells it. ``told`` is called before the search
    with what is known of the game by then. Where a search takes long so many ``threads`` may share it, by default one
    for each core; its counts depend on them, and which fault of the rules it meets if there is one.

    Raises ``ZermeloError``: ``unknown-solver``, ``no-solver``, a code that begins with ``needs-`` if the solver does
    not fit the game, ``searches-to-the-end``, ``does-not-iterate``, ``does-not-sample`` or ``does-not-look-up`` if it
    has no use for a limit or for a table, ``bad-usage`` if a number cannot be such a limit, ``out-of-nodes``, and what
    :meth:`zermelo.Table.open` raises.

    >>> import zermelo
    >>> solution = zermelo.load("three_player_tree").solve()
    >>> solution.value
    (Fraction(4, 1), Fraction(3, 1), Fraction(2, 1))
    >>> solution.solver, [str(move) for move in solution.best]
    ('positions', ['left'])
    >>> zermelo.solve(zermelo.load("tic_tac_toe"), depth=1, estimate="rollouts").certainty.value
    'depth-limited'
    """
    from zermelo.solved_game import find_solution, write_policy

    check_counts(
        depth=depth, nodes=nodes, iterations=iterations, digits=digits, simulations=simulations, threads=threads
    )
    check_amounts(exploitability=exploitability, exploration=exploration)
    limits = _limits(time, memory, since, depth, nodes, threads or cores())
    if estimate not in _ESTIMATES:
        raise ZermeloError("bad-usage", f"estimate is {estimate!r}, but must be {' or '.join(_ESTIMATES)}")
    known = game if isinstance(game, Game) else game.game
    if table is not None:
        from zermelo.tables import endgames_given  # which few need

        endgames = endgames_given(table, endgames, known, limits, watch)
    record = None
    if trace is not None or steps:
        from zermelo.solvers.common.trace import Trace  # which few need
        from zermelo.steps import MOST

        record = Trace(known.reference, MOST) if steps else Trace(known.reference)
    is_iterated = (exploitability, iterations, checkpoint) != (None, None, None)
    is_listed = policy or positions is not None
    request = Request(
        solver,
        limits,
        rollouts=estimate == "rollouts",
        seed=seed,
        trace=record,
        goal=Goal(exploitability, iterations or inf, None if checkpoint is None else Path(checkpoint))
        if is_iterated
        else None,
        sampling=None
        if (simulations, exploration) == (None, None)
        else Sampling(simulations, Sampling().exploration if exploration is None else exploration),
        digits=digits,
        is_advised=is_listed or digits is not None,
        is_listed=is_listed,
        hurries=True,
        endgames=endgames,
    )
    solution = find_solution(game, request, watch, told, policy, verify, steps)
    if record is not None and trace is not None:
        from zermelo.files import write_file
        from zermelo.report.console import json_text

        write_file(Path(trace), json_text(record.record(), indent=1).encode())
    if positions is not None:
        write_policy(Path(positions), solution, watch)
    return solution


_ESTIMATES: Final = ("file", "rollouts")


def compare(
    game: Game | State,
    *,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> Comparison:
    """What every solver that fits a game finds, with its nodes, seconds and bytes, each in a process of its own: what
    ``zermelo compare`` prints. They share the ``time``; each has all the ``memory``. If two exact values contradict
    each other, ``disagreement`` says so.

    Raises ``ZermeloError``: ``no-solver`` if none fits, ``no-value``.

    >>> import zermelo
    >>> found = zermelo.load("three_player_tree").compare()
    >>> {outcome.solver: str(outcome.value[0]) for outcome in found.outcomes if outcome.certainty == "exact"}
    {'positions': '4', 'maxn': '4'}
    >>> found.disagreement
    ''
    """
    from zermelo.comparing import compare_solvers

    return compare_solvers(start_of(game), _limits(time, memory, since), watch)


def values(
    game: Game | State,
    solver: str | None = None,
    *,
    deals: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    simulations: int | None = None,
    iterations: int | None = None,
    observers: str = "multiple",
    seed: int = 0,
    table: Table | str | PathLike[str] | None = None,
    endgames: Endgames | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> MoveValues:
    """What every move of a state in which a play goes on brings, what has been earned before included: what
    ``zermelo moves --values`` prints.

    By a solver of :func:`zermelo.solve`, by default one that fits, if all go on best; or as a ``table`` says, if it has
    the position. By ``pimc`` and ``alphamu`` on average over so many ``deals`` with open cards, which alpha-mu opens
    ``depth`` moves ahead; by ``ismcts`` in so many ``simulations``, in which ``multiple`` observers choose by what they
    know or the ``single`` one to move; by ``oos`` how often a move should be made, after so many ``iterations``. These
    are for the player to move, who is taken to know what they have perceived, from others who have moved at random.

    Raises ``ZermeloError``: ``no-value`` where the moves have none; a code that begins with ``needs-`` if the game is
    none for the solver; ``never-perceived`` if no deal that is drawn fits; and what :func:`zermelo.solve` raises.

    >>> import zermelo
    >>> state = zermelo.load("kuhn_poker").initial.after("deal(Q, K)").after("check").after("bet")
    >>> found = state.values()
    >>> {str(each.move): each.payoff[0] for each in found.worths}
    {'fold': Fraction(-1, 1), 'call': Fraction(-1, 1)}
    >>> found
    <2 moves by sequence_form: best fold, call>
    """
    from zermelo.move_values import find_values

    check_counts(deals=deals, depth=depth, nodes=nodes, simulations=simulations, iterations=iterations)
    limits = _limits(time, memory, since, depth, nodes)
    return find_values(
        start_of(game), solver, deals, simulations, iterations, observers, seed, table, endgames, limits, watch
    )


def belief(
    game: Game | State,
    player: str,
    *,
    others: str = "uniform",
    samples: int | None = None,
    seed: int = 0,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> Belief[State]:
    """What ``player`` should believe after the play that led to a state: what ``zermelo moves --believe`` prints. The
    ``others`` make all moves with equal probability, follow the equilibrium that is found (``best``), or the strategies
    of a file. The belief is exact as long as the plays that fit are few enough, unless a number of ``samples`` is asked
    for; ``seed`` makes them the same every time.

    Raises ``ZermeloError``: ``unknown-player``, ``never-perceived`` if the others, as they choose, never lead here, or
    if nothing has been perceived because chance is to draw first, ``unreadable-file``, ``bad-strategy``, and what
    :func:`zermelo.solve` raises.

    >>> import zermelo
    >>> state = zermelo.load("kuhn_poker").initial.after("deal(J, Q)").after("bet")
    >>> found = state.belief("Bob", others="best")
    >>> {str(each.state.view("Alice")[0]): each.probability for each in found.positions}
    {'hand[Alice] = K': Fraction(3, 4), 'hand[Alice] = J': Fraction(1, 4)}
    """
    from zermelo.decisions import belief as find_belief

    check_counts(samples=samples)
    limits = _limits(time, memory, since)
    with watch("looking at the plays", "plays", None) as report, limits.enforce():
        return find_belief(start_of(game), player, others, samples, seed, limits, report)


def force(
    game: Game | State,
    player: str | None = None,
    *,
    at_least: Fraction | int | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> ForcedPayoff:
    """A plan by which ``player``, by default the only one, gets ``at_least`` so much for certain, or by default as much
    as can be forced: whatever chance draws and the others do, and whatever play has led to what the player has
    perceived up to the state. The plan says what to do by what is perceived; it is None if there is none.

    Raises ``ZermeloError``: ``unknown-player``; ``no-value`` if the play has ended; ``moves-differ``,
    ``too-many-outcomes``, ``needs-end`` if others can go on for ever before the player decides again.

    >>> import zermelo
    >>> found = zermelo.load("vacuum").force(at_least=1)
    >>> [str(step.move) for step in found.plan.steps]
    ['left', 'suck', 'right', 'suck']
    """
    from zermelo.solutions.forcing import find_forced

    least = None if at_least is None else Fraction(at_least)
    return find_forced(start_of(game), player, least, _limits(time, memory, since), watch)


def equilibria(
    game: Game | State,
    *,
    pure: bool = False,
    limit: int | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> ListedEquilibria:
    """The Nash equilibria of a small game, or of its rest from a state on: all of two players, for more those in pure
    strategies and, with Gambit, some others; ``pure``: only those in pure strategies. No more than ``limit`` of them
    are examined for being sequential.

    Raises ``ZermeloError``: ``needs-end``, ``too-many-strategies``.

    >>> import zermelo
    >>> found = zermelo.load("chicken").equilibria()
    >>> [str(amount) for amount in found.listed[0].payoff]
    ['2', '7']
    >>> found
    <3 equilibria of 'Chicken'>
    """
    from zermelo.equilibria_page import list_equilibria

    check_counts(limit=limit)
    return list_equilibria(start_of(game), _limits(time, memory, since), pure, limit, watch)


def correlated(
    game: Game | State,
    *,
    favoured: str | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> MediatedPlay:
    """What a mediator can arrange who tells every move when it is due: the extensive-form correlated equilibrium with
    the greatest sum of payoffs or, as ``zermelo correlated --for``, with the greatest payoff of the player who is
    ``favoured``.

    Raises ``ZermeloError``: ``unknown-player``, ``needs-end``, ``too-many-strategies``.

    >>> import zermelo
    >>> found = zermelo.load("chicken").correlated()
    >>> str(found.welfare), [str(each.probability) for each in found.drawn]
    ('21/2', ['1/2', '1/4', '1/4'])
    """
    from zermelo.solutions.mediation import mediate

    return mediate(start_of(game), favoured, _limits(time, memory, since), watch)


# How good strategies are.


def exploit(
    game: Game | State,
    strategies: str | PathLike[str] | GameResult,
    *,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> ExploitedStrategies:
    """Best responses to ``strategies``, and what players gain by them: to a solution, to those of a file that
    ``zermelo solve --json`` or ``--positions`` has written, or to ``uniform``, all moves with equal probability. Where
    nothing is hidden a solution has strategies if it was found with ``policy=True``.

    Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``, ``needs-end``, ``needs-endless``,
    ``earns-for-ever``, ``no-value``.

    >>> import zermelo
    >>> game = zermelo.load("kuhn_poker")
    >>> game.exploit("uniform")
    <'uniform' in 'kuhn_poker': exploitability 0.4583>
    >>> game.exploit(game.solve()).is_equilibrium
    True
    """
    from zermelo.policies.exploiting import exploit_strategies

    return exploit_strategies(strategies, start_of(game), _limits(time, memory, since), watch)


def match(
    game: Game | State,
    *strategies: str | PathLike[str] | GameResult,
    seats: Mapping[str, str] | None = None,
    plays: int | None = None,
    seed: int = 0,
    opening: int = 0,
    jobs: int | None = None,
    cluster: str | None = None,
    table: Table | str | PathLike[str] | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> ExactMatch | PlayedMatch:
    """``strategies``, as :func:`zermelo.exploit` takes them, against each other in all seats: exact averages, without a
    play. Or, with ``seats``, a match that is played: the kind of contestant that begins as each player, as
    ``zermelo match --seat`` names them, in ``plays`` (100 by default, in whole rounds), the first ``opening`` moves of
    which are made at random. The ``seed`` decides the result, whatever the number of ``jobs`` or the workers of a
    ``cluster``; a ``table`` helps the seats ``best`` and ``mcts``. An interrupt ends the match, whose result is what
    has been played by then.

    Raises ``ZermeloError``: ``bad-usage``, ``unknown-player``, what :func:`zermelo.exploit` raises, and what
    contestants raise who cannot play the game.

    >>> import zermelo
    >>> game = zermelo.load("kuhn_poker")
    >>> exact = game.match(game.solve(), "uniform")
    >>> [(each.seats, str(each.value[0])) for each in exact.seatings][1]
    (('sequence_form', 'uniform'), '1/6')
    >>> game.match(seats={"Alice": "random", "Bob": "random"}, plays=4, jobs=1)
    <match of 2 contestants in 'kuhn_poker': 4 plays>
    """
    begin, limits = start_of(game), _limits(time, memory, since)
    check_counts(plays=plays, jobs=jobs)
    check_counts_or_none(opening=opening)
    if seats is None:
        if not strategies:
            raise ZermeloError("bad-usage", "nobody takes part", "name FILEs of strategies, or contestants by --seat")
        for option, value in (("table", table), ("cluster", cluster), ("plays", plays)):
            if value is not None:
                raise ZermeloError(
                    "bad-usage", f"--{option} needs --seat", "files alone are matched exactly, without a play"
                )
        from zermelo.policies.exploiting import match_strategies

        return match_strategies(strategies, begin, limits, watch)
    if strategies:
        raise ZermeloError("bad-usage", "there are files beside --seat", "--seat NAME=FILE lets a file take part")
    from zermelo.playing.matching import play_match

    return play_match(begin, seats, plays, seed, opening, jobs, cluster, table, limits, watch)


def balance(
    game: Game | State,
    other: Game | State | None = None,
    *,
    strengths: str | Sequence[str] = (),
    plays: int = 100,
    seed: int = 0,
    opening: int = 0,
    jobs: int | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> Balance:
    """How a game plays among players of several ``strengths``, beside an ``other`` one if that is given: whom it
    favours, how long it takes, how often it is decided; what ``zermelo balance`` prints.

    A strength is a seat of ``zermelo match``: ``random``, ``mcts:1000``, ``greedy:4``, a file of weights or strategies;
    ``best`` is not played but solved, if the game is small. Where a contestant cannot play the game, the sample says
    why. There are so many ``plays`` of each strength, and the first ``opening`` moves of each are made at random, so
    that the plays of those who do nothing at random differ. The ``seed`` decides the result, whatever the number of
    ``jobs``. The ``time`` and an interrupt end the playing; the result is what has been played by then.

    Raises ``ZermeloError``: ``bad-usage`` if the games have not as many players, and what contestants raise.

    >>> import zermelo
    >>> found = zermelo.load("tic_tac_toe").balance(strengths=["random", "best"], plays=40, jobs=1)
    >>> found
    <balance of 'tic_tac_toe': random, best>
    >>> sampled, solved = found.samples[0]
    >>> sampled.different, [str(amount) for amount in solved.value]
    (40, ['0', '0'])
    """
    from zermelo.playing.balancing import find_balance

    check_counts(plays=plays, jobs=jobs)
    check_counts_or_none(opening=opening)
    begins = [start_of(game), *([] if other is None else [start_of(other)])]
    return find_balance(begins, _listed(strengths), plays, seed, opening, jobs, _limits(time, memory, since), watch)


def random_plays(
    game: Game | State,
    plays: int = 100,
    *,
    seed: int = 0,
    threads: int | None = None,
    cluster: str | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> PlaysAtRandom:
    """So many ``plays`` at random from a state on, and the means of what they paid: what ``zermelo random`` prints. The
    same ``seed`` gives the same plays on the same machine, for any number of ``threads``, by default one for each core,
    and for workers of the Ray ``cluster`` at an address.

    Raises ``ZermeloError``: ``cluster-failed``, ``library-missing``.

    >>> import zermelo
    >>> found = zermelo.load("coin_flip_tree").random_plays(1000, seed=1)
    >>> found, found.plays, found.longest
    (<1,000 random plays of 'coin_flip_tree', seed 1>, 1000, 3)
    """
    from zermelo.random_playing import make_random_plays

    check_counts(threads=threads)
    check_counts_or_none(plays=plays)
    return make_random_plays(start_of(game), plays, seed, threads, cluster, _limits(time, memory, since), watch)


def learn(
    game: Game | State,
    *,
    method: str = "td",
    games: int | None = None,
    time: float = inf,
    seed: int = 0,
    alpha: float | None = None,
    lambda_: float | None = None,
    exploration: float | None = None,
    hidden: int = 0,
    terms: int | None = None,
    depth: int | None = None,
    records: int | None = None,
    resume: Weights | None = None,
    judge: bool = False,
    table: Table | str | PathLike[str] | None = None,
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Weights:
    """The weights of the features of a game, learnt from plays against oneself, from the beginning or from a state on.

    The ``method`` is ``td``, TD(lambda); ``weights``, Samuel's learning by generalization; ``rote``, his rote learning;
    or ``spsa``, hill climbing by matches. So many ``games`` are played in all, by default 10,000, or as many as there
    is ``time`` for, in seconds. With so many ``hidden`` units TD(lambda) learns a network, whose inputs are made from
    what the file declares (:mod:`zermelo.interpreter.model.networks`). What the other settings mean, and which method
    has which of them, the records of settings in :mod:`zermelo.solvers.learning.weights` say. Learning goes on from
    weights to ``resume``, whose seed and settings it keeps. To ``judge`` is to hold what is known against exact values
    at each point of the learning curve; they are found, or looked up in a ``table``. ``progress`` is told the number of
    games. The same seed and number of games give the same weights on every machine.

    Raises ``ZermeloError``: ``needs-two-players``, ``needs-constant-sum``, ``needs-perfect-information``,
    ``no-features``, for some methods ``needs-no-chance``, ``needs-bounds``, ``no-table`` and ``library-missing``,
    ``bad-weights`` if those to resume are of another game, ``bad-usage`` if a number cannot be a setting, what
    :func:`zermelo.judge` raises if there is something to judge, and ``PlayError`` for an error of the rules.

    >>> import zermelo
    >>> game = zermelo.load("tic_tac_toe")
    >>> learnt = zermelo.learn(game, games=2000)
    >>> zermelo.with_weights(game, learnt).weights["open_lines"] > 0
    True
    >>> curve = zermelo.learn(game, games=2000, judge=True).curve
    >>> curve[-1].games, round(curve[-1].loss, 2)  # points lost by a greedy move
    (2000, 0.17)
    """
    from zermelo.learning import prepare_learning, run_learning, settings_of

    told = progress or ignore_progress
    td = {"alpha": alpha, "lambda_": lambda_, "hidden": hidden or None}
    wanted = settings_of(method, exploration=exploration, terms=terms, depth=depth, records=records, **td)
    if table is not None and not judge:
        raise ZermeloError("bad-usage", "a table is to judge by, and nothing is judged", "give judge=True, too")
    root, limits = start_of(game), _limits(time, memory, None)
    with limits.enforce():
        learning = prepare_learning(root, games, limits, seed, wanted, resume, lambda reached: told(reached.count))
        if judge:
            from zermelo.judging import judge_on_the_way  # with numpy, which learning alone does not need

            judge_on_the_way(learning, root, limits, ignore_progress, table)
        else:
            run_learning(learning, root)
    return learning.known


def judge(
    game: Game | State,
    weights: Weights | str | PathLike[str],
    *,
    plays: int | None = None,
    seed: int = 0,
    depth: int = 1,
    opening: int = 0,
    jobs: int | None = None,
    table: Table | str | PathLike[str] | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> JudgedWeights | WeightsInMatches:
    """How good ``weights`` are that :func:`zermelo.learn` has found, or those of a file: against exact values, which
    are found, or looked up in a ``table``; or, where the game is too large for that or a number of ``plays`` is given,
    in matches of so many plays (200 by default), whose first ``opening`` moves are made at random. Who plays by an
    estimate looks ``depth`` moves ahead. Beside stand the game's own weights, and some at random.

    Raises ``ZermeloError``: ``bad-usage``, ``unreadable-file``, ``bad-weights``, ``not-in-table``, and what
    :func:`zermelo.learn` raises for a game.

    >>> import zermelo
    >>> game = zermelo.load("tic_tac_toe")
    >>> found = game.judge(zermelo.learn(game, games=500))
    >>> list(found.judgements), found.judgements["learnt"].everywhere.positions
    (['learnt', 'own', 'random'], 4519)
    """
    from zermelo.playing.judged_weights import judge_weights

    check_counts(plays=plays, depth=depth, jobs=jobs)
    check_counts_or_none(opening=opening)
    limits = _limits(time, memory, since)
    return judge_weights(start_of(game), weights, plays, seed, depth, opening, jobs, table, limits, watch)


# What a game looks like.


def draw(
    game: Game | State,
    picture: str = "tree",
    *,
    solver: str | Sequence[str] = (),
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
    **options: Any,
) -> DrawnPicture:
    """A picture of a state, which a notebook shows: its ``tree``, the ``position``, the ``table``, the ``payoffs``, the
    ``convergence`` of solvers, the ``sizes`` of its levels, the ``coverage`` of the rules by plays, or the ``learning``
    of ``weights``. The values of a tree are found by a ``solver``, and several may be compared; the other ``options``
    are those of ``zermelo draw``, as :func:`zermelo.drawing.pictures.draw` takes them: ``depth``, ``nodes``, ``view``
    and so on.

    Raises ``ZermeloError``: ``bad-usage`` for another picture or options that do not go together, and what
    :func:`zermelo.solve` raises.

    >>> import zermelo
    >>> picture = zermelo.load("two_ply_tree").draw(solver="alphabeta")
    >>> picture, picture.svg[:4]
    (<picture of 'two_ply_tree': tree>, '<svg')
    >>> zermelo.load("tic_tac_toe").initial.after("mark(b2)").draw("position", view="O").marks.title
    'Tic-tac-toe (size = 3)'
    """
    from zermelo.drawing import pictures
    from zermelo.drawing.drawn import draw_picture

    options["solvers"] = solver
    for name in {"solvers", "hide", "weights"} & options.keys():
        options[name] = _listed(options[name])
    check_arguments(pictures.draw, (), options)
    check_counts(**{name: options.get(name) for name in ("depth", "nodes", "iterations")})
    return draw_picture(start_of(game), picture, options, _limits(time, memory, since), watch)


def draw_frames(
    game: Game | State,
    solver: str | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> DrawnFrames:
    """A picture of each step of a search of ``nodes`` at most, ``depth`` moves ahead, with a sentence about it: what
    ``zermelo draw --frames`` writes. By a ``solver`` that records its search, or ``mcts``, which is drawn after 1, 2, 4
    ... 64 simulations; by default alpha-beta, expectiminimax or max^n, as the game is.

    Raises ``ZermeloError``: ``trace-too-large``, and what :func:`zermelo.solve` raises.

    >>> import zermelo
    >>> found = zermelo.load("two_ply_tree").draw_frames("alphabeta")
    >>> found
    <search of 'two_ply_tree': 16 frames>
    >>> [frame.cut for frame in found.frames if frame.cut]
    [('A22', 'A23')]
    """
    from zermelo.drawing.drawn import draw_search_frames

    check_counts(depth=depth, nodes=nodes)
    return draw_search_frames(start_of(game), solver, depth, nodes, _limits(time, memory, since), watch)


def hand_out(
    game: Game | State,
    solver: str | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> HandedOut:
    """A page of a game to hand out, one file of HTML: what ``zermelo report`` writes. A small game is solved, a large
    one if a ``solver`` or a limit is given. What cannot be found within the limits is said on the page.

    Raises ``ZermeloError``: ``unknown-solver``, and ``out-of-time`` if there was no time to find out what is known.

    >>> import zermelo
    >>> found = zermelo.load("chicken").hand_out()
    >>> "<h1>Chicken</h1>" in found.html
    True
    """
    from zermelo.handout.handed_out import make_page

    check_counts(depth=depth, nodes=nodes)
    return make_page(start_of(game), solver, _limits(time, memory, since, depth, nodes), watch)


# Whether the rules are what they should be.


def check(
    game: Game | str,
    *,
    deep: bool = False,
    positions: int | None = None,
    coverage: bool = False,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> CheckedFile:
    """All findings of a game, or of the text of a file: at the extremes of its parameters, too, and what fails in its
    first positions; none for a sound game. ``deep``: the first ``positions`` that plays can reach are searched, all of
    them if they are few, and asked what they show; with ``coverage`` it is counted how often they use each line.

    >>> import zermelo
    >>> [finding.code for finding in zermelo.check('game "No players"')]
    ['missing-declaration']
    >>> found = zermelo.load("nim", heaps=2).check(deep=True)
    >>> found, found.answers[0].question
    (<'nim.game': no findings>, 'Does a rule fail?')
    """
    from zermelo.loading import TEXT
    from zermelo.testing.checking import check_deeply, check_file

    check_counts(positions=positions)
    name, source, parameters = TEXT, Source(TEXT, game if isinstance(game, str) else ""), {}
    if isinstance(game, Game):
        name, source = game.name, game.model.source
        parameters = {name: format_value(value) for name, value in game.parameters.items()}
    limits = _limits(time, memory, since)
    if not deep:
        return check_file(source, parameters)
    return check_deeply(name, source, parameters, positions, coverage, limits, watch)


def test(
    game: Game,
    *,
    time: float = inf,
    memory: int | None = None,
    watch: Watch = unwatched,
) -> TestedGame:
    """Whether the claims of a game's file hold, its ``reachable``, ``never`` and ``expect`` lines, and its tests: what
    ``zermelo test`` prints. ``time`` and ``memory`` are for each line anew. Where the rules do not decide a line, the
    first positions are visited, or with such a limit as many as it allows.

    >>> import zermelo
    >>> found = zermelo.load("kuhn_poker").test()
    >>> {result.status.value for result in found.results}
    {'passed'}
    """
    from zermelo.testing.suites import run_lines

    return run_lines(game, _limits(time, memory, None), watch)


def count_plays(
    game: Game | State,
    length: int,
    *,
    threads: int | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> CountedPlays:
    """How many plays of this ``length`` there are, in moves and outcomes of chance: what ``zermelo plays`` prints, and
    chess programmers call perft, the surest test of rules. Plays that end earlier do not count. If a limit stops the
    count, the result is what has been counted by then.

    >>> import zermelo
    >>> found = zermelo.load("chess").count_plays(3)
    >>> found.plays
    8902
    """
    from zermelo.counted_plays import count_from

    check_counts(threads=threads)
    check_counts_or_none(length=length)
    return count_from(start_of(game), length, threads, _limits(time, memory, since), watch)


def diff(
    game: Game,
    second: Game,
    *,
    rename: Mapping[str, str] | None = None,
    positions: int | None = None,
    plays: int | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> GameDifference:
    """A play on which two games differ, the shortest if possible, or a proof that there is none. Words that only one
    game knows are matched where only one fits; ``rename`` gives others, from the first game to the second. At most so
    many pairs of ``positions`` are compared, and so many random ``plays`` made of games that are too large.

    >>> import zermelo
    >>> game = zermelo.load("subtraction_game")
    >>> found = game.diff(zermelo.load("subtraction_game", most=4))
    >>> found.same, found.difference.aspect.value, found.difference.said
    (False, 'moves', ('nothing more', 'take(4)'))
    """
    from zermelo.testing.differing import compare_games

    check_counts(positions=positions, plays=plays)
    return compare_games(game, second, rename or {}, positions, plays, _limits(time, memory, since), watch)


def grade(
    model: Game,
    folder: str | PathLike[str],
    *,
    parameters: Mapping[str, Parameter] | None = None,
    jobs: int | None = None,
    time: float | None = None,
    memory: int | None = None,
    watch: Watch = unwatched,
) -> Grades:
    """How the ``.game`` files in a folder and below compare with a ``model``: what is wrong with the text of each, the
    first play on which it differs, what it is worth, and which of its own claims, expectations and tests hold. The
    files are read with these ``parameters``, as the model was. Each has ``time`` seconds (60 by default), half of them
    for the comparison; so many ``jobs``, one for each core by default, work at once and share the memory. An interrupt
    ends the work, and the result has the files that have been graded by then.

    What is wrong with one file, whatever it is, stands in its grade. Raises ``ZermeloError``: ``unreadable-file`` for
    what is no folder, or one without games, and ``out-of-time`` if the model itself takes as long.

    >>> import zermelo
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> nim = zermelo.load("nim")
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "ann.game").write_text(nim.model.source.text.replace("n in 1", "n in 2"))
    ...     found = nim.grade(folder)
    >>> found, [str(move) for move in found.files[0].difference.plays[1]]
    (<1 file held against 'Nim': 0 right>, [])
    """
    from zermelo.testing.grading import SECONDS, grade_files

    check_counts(jobs=jobs)
    limits = _limits(SECONDS if time is None else time, memory, None)
    return grade_files(model, Path(folder), parameters or {}, jobs, limits.seconds, limits.memory, watch)


def mutate(
    game: Game,
    *,
    sample: int | None = None,
    seed: int = 0,
    positions: int | None = None,
    threads: int | None = None,
    cluster: str | None = None,
    time: float | None = None,
    memory: int | None = None,
    watch: Watch = unwatched,
) -> MutationScore:
    """Which of many small changes of a game's file nothing notices: no line of the file, and no ``check --deep``. All
    mutants are judged, or a ``sample`` of so many; ``positions`` of each are compared with the file's (20,000 by
    default), within ``time`` seconds (20 by default), by so many ``threads`` or workers of a ``cluster``.

    Raises ``ZermeloError`` (``bad-usage``) for a game whose parameters have not the values of its file.

    >>> import zermelo
    >>> found = zermelo.load("matching_pennies").mutate(sample=2, threads=1)
    >>> len(found.judged), found.seed
    (2, 0)
    """
    from zermelo.testing.mutation import PAIRS, SECONDS, judge_mutants

    check_counts(sample=sample, positions=positions, threads=threads)
    limits = _limits(SECONDS if time is None else time, memory, None)
    pairs = positions or PAIRS
    return judge_mutants(game, sample, seed, pairs, threads, cluster, limits.seconds, limits.memory, watch)


# Games of other programs.


def convert(
    game: Game | State | str | PathLike[str],
    to: str | None = None,
    *,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> ConvertedGame:
    """A game in the format of another program, or a game of another program as one of the language.

    ``game`` is a game or a state, whose rest is written; or a file, the name of a bundled game, or a text of several
    lines, in a format that its first line tells: a ``.game``, or Gambit's ``.efg`` or ``.nfg``. ``to`` is ``game``,
    ``efg``, ``nfg`` or ``liteefg``; by default a game of another program becomes a ``game``, and a game an ``efg``. A
    game as a ``game`` is its tree, written out. All numbers are exact, but for ``liteefg``, which has decimals.

    Raises ``InvalidGame``, also for a file that does not fit its format (``foreign-syntax``) or has no perfect recall
    (``imperfect-recall``), and ``ZermeloError``: ``bad-usage``, ``too-large-to-convert``, of a table ``needs-end`` and
    ``too-many-strategies``, ``out-of-time``, ``out-of-memory``, and what :func:`zermelo.load` raises.

    >>> import zermelo
    >>> print(zermelo.convert("prisoners_dilemma", to="nfg").text)
    NFG 1 R "Prisoner's dilemma" { "Row" "Column" }
    <BLANKLINE>
    {
      { "stay silent" "confess" }
      { "stay silent" "confess" }
    }
    ""
    <BLANKLINE>
    3 3
    4 0
    0 4
    1 1
    <BLANKLINE>
    >>> print(zermelo.convert('''EFG 2 R "Trust" { "Player 1" "Player 2" }
    ... p "" 1 1 "" { "trust" "keep" } 0
    ... p "" 2 1 "" { "give back" "keep" } 0
    ... t "" 1 "" { 1, 1 }
    ... t "" 2 "" { -1, 2 }
    ... t "" 3 "" { 0, 0 }
    ... ''').text)
    game "Trust"
    <BLANKLINE>
    players Player_1 "Player 1", Player_2 "Player 2"
    <BLANKLINE>
    tree:
        Player_1:
            trust: Player_2:
                give_back "give back": (1, 1)
                keep: (-1, 2)
            keep: (0, 0)
    <BLANKLINE>
    """
    from zermelo.converting import convert_game

    given = game if isinstance(game, Game | State) else fspath(game)
    return convert_game(given, to, _limits(time, memory, since), watch)


# Games and states have these functions as methods. Type checkers see them there as they are written above, since they
# work out what a decorator makes of a function only later.


def _questions(*functions: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    return tuple(map(question, functions))


_OF_BOTH: Final = _questions(
    solve, compare, values, force, equilibria, correlated, exploit, match, judge, balance, random_plays, draw,
    draw_frames, hand_out, count_plays,
)  # fmt: skip

OF_GAMES: Final = (*_OF_BOTH, *_questions(check, test, diff, grade, mutate))
"""The functions that are methods of games."""

OF_STATES: Final = (*_OF_BOTH, wrap_internal_errors(check_first(belief)))
"""The functions that are methods of states."""

_ALONE: Final = tuple(wrap_internal_errors(check_first(each)) for each in (convert, learn))
"""The functions that are methods of neither."""

globals().update({each.__name__: each for each in (*OF_GAMES, *OF_STATES, *_ALONE)})


# What is given: several where one may be, and limits.


def _listed(given: Any) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)


def _limits(
    time: float,
    memory: int | None,
    since: float | None,
    depth: float | None = None,
    nodes: float | None = None,
    threads: int = 1,
) -> Limits:
    check_counts(memory=memory)
    check_amounts(time=time, since=since)
    most = quarter_of_memory() if memory is None else memory
    return Limits(time, most, perf_counter() if since is None else since, depth or inf, nodes or inf, threads)
