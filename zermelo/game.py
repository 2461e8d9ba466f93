"""Games and states: the interface for users of the package."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

from zermelo.arguments import check_first
from zermelo.foundation.records import RichlyDisplayed, Unchanging
from zermelo.grammar.diagnostics import Finding, ZermeloError, nearest
from zermelo.grammar.names import compact, read_as, shown
from zermelo.interpreter.machine import CHANCE as CHANCE_ACTS
from zermelo.interpreter.machine import END, InformationState, Move, Payoff, SampleSpace, Seen, TellingMachine
from zermelo.interpreter.values import Value, format_value
from zermelo.last_resort import wrap_internal_errors

if TYPE_CHECKING:  # needed for reading a game, not for importing the package
    from random import Random

    from numpy import float32
    from numpy.typing import NDArray

    from zermelo import questions
    from zermelo.grammar.diagnostics import Source
    from zermelo.interpreter.checks.game_facts import Facts
    from zermelo.interpreter.model import Loose, Model, Network
    from zermelo.interpreter.numbering.moves import NumberedMoves
    from zermelo.interpreter.numbering.observations import ObservationEncoding
    from zermelo.interpreter.reference.machine import ReferenceMachine
    from zermelo.preparing import Prepared

CHANCE: Final = "chance"
"""The actor of a state in which chance is to draw."""

_VISITED: Final = 20_000
"""The most positions that are visited to find the longest play."""


class Subject(RichlyDisplayed, Unchanging):
    """A game or a state, about which questions can be asked."""

    __slots__ = ()

    if TYPE_CHECKING:  # set by add_methods, from above
        solve = questions.solve
        compare = questions.compare
        values = questions.values
        force = questions.force
        equilibria = questions.equilibria
        correlated = questions.correlated
        exploit = questions.exploit
        match = questions.match
        judge = questions.judge
        balance = questions.balance
        random_plays = questions.random_plays
        draw = questions.draw
        draw_frames = questions.draw_frames
        hand_out = questions.hand_out
        count_plays = questions.count_plays


@frozen(eq=False)
class Game(Subject):
    """A game with given parameters, ready to be played, from :func:`zermelo.load` or :func:`zermelo.loads`. A copy is
    the game itself; a pickle has its text, which is read again.

    ``name`` is the name it was loaded by, and ``position`` the text of the position at which it begins
    (:func:`zermelo.load_position`), empty if that is the file's own. ``model`` and ``machine`` are for programs that
    work on the rules themselves, or on the interface of solvers. ``choice`` names the machine that runs the rules;
    :meth:`on` changes it.

    >>> import zermelo
    >>> game = zermelo.load("connect_four", rows=4)
    >>> game
    <Game 'Connect four' (rows = 4, columns = 7, run = 4)>
    >>> game.players
    ('Red', 'Yellow')
    """

    name: str
    prepared: Prepared
    choice: str = "auto"
    position: str = ""

    if TYPE_CHECKING:  # set by add_methods, from above
        check = questions.check
        test = questions.test
        diff = questions.diff
        grade = questions.grade
        mutate = questions.mutate

    @wrap_internal_errors
    def on(self, machine: str) -> Game:
        """The same game on another machine.

        ``native`` runs machine code, ``python`` the same program as Python, ``reference`` interprets the rules as
        written: it defines their meaning and has no limits of size. ``auto``, the default, plays on the reference
        machine, which starts at once, and searches on the fastest machine that can run the game. Raises
        ``ZermeloError`` (``machine-unavailable``).

        >>> import zermelo
        >>> game = zermelo.load("tic_tac_toe").on("python")
        >>> [str(move) for move in game.initial.after("mark(b2)").moves[:3]]
        ['mark(a1)', 'mark(b1)', 'mark(c1)']
        """
        from zermelo.machines import check_choice

        check_choice(machine)
        game = evolve(self, choice=machine)
        if machine != "auto":
            _ = game.machine  # so that a machine that cannot run the game is refused here
        return game

    @property
    def model(self) -> Model:
        """The checked rules."""
        return self.prepared.model

    @property
    def facts(self) -> Facts:
        """The facts that the rules alone prove about the game."""
        return self.prepared.facts

    @cached_property
    def reference(self) -> ReferenceMachine:
        """The machine that defines the meaning of the rules."""
        from zermelo.interpreter.reference.machine import ReferenceMachine

        return ReferenceMachine(self.model)

    @cached_property
    def machine(self) -> TellingMachine[Any]:
        """The machine on which the game is played; states belong to it."""
        return self.reference if self.choice == "auto" else self._chosen

    @cached_property
    def searching(self) -> TellingMachine[Any]:
        """The machine on which the game is searched."""
        return self.machine if self.choice != "auto" else self._chosen

    @property
    def _chosen(self) -> TellingMachine[Any]:
        from zermelo.machines import lowered_machine

        return lowered_machine(self.choice, self.prepared) or self.reference

    @property
    def title(self) -> str:
        """The title in the file."""
        return self.model.title

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players. Payoffs are tuples in this order."""
        return tuple(player.name for player in self.model.players)

    @property
    def parameters(self) -> Mapping[str, Value]:
        """The value of every parameter: an ``int``, a ``Fraction``, a ``bool``, or a member of an enumeration."""
        return self.model.parameters

    @property
    @wrap_internal_errors
    def initial(self) -> State:
        """The initial state. Raises ``PlayError`` for an error of the rules before the first decision."""
        return State(self, self.machine.initial())

    @cached_property
    @wrap_internal_errors
    def moves(self) -> NumberedMoves:
        """All moves that the rules can name, in a fixed order: a number for each
        (:mod:`zermelo.interpreter.numbering.moves`). Raises ``ZermeloError`` (``too-many-moves``) if they are more than
        a million.

        >>> import zermelo
        >>> game = zermelo.load("connect_four")
        >>> len(game.moves), str(game.moves[3]), game.moves.index(game.initial.find("drop(4)"))
        (7, 'drop(4)', 3)
        """
        from zermelo.interpreter.numbering.moves import numbered_moves

        return numbered_moves(self.model)

    @cached_property
    @wrap_internal_errors
    def outcomes(self) -> NumberedMoves:
        """All outcomes of chance, numbered as :attr:`moves` are. Raises ``ZermeloError`` (``too-many-outcomes``)."""
        from zermelo.interpreter.numbering.moves import numbered_outcomes

        return numbered_outcomes(self.model)

    @cached_property
    @wrap_internal_errors
    def view_encoding(self) -> ObservationEncoding:
        """What the numbers of :meth:`State.observation` mean: blocks with names, offsets, shapes and units
        (:mod:`zermelo.interpreter.numbering.observations`). Raises ``ZermeloError`` (``needs-bounds``).

        >>> import zermelo
        >>> encoding = zermelo.load("tic_tac_toe").view_encoding
        >>> encoding.size, [(block.name, block.offset, block.shape) for block in encoding.blocks]
        (32, [('player', 0, (2,)), ('board', 2, (3, 3, 3)), ('play', 29, (3,))])
        """
        from zermelo.interpreter.numbering.observations import view_of_player

        return view_of_player(self.model)

    @cached_property
    @wrap_internal_errors
    def recollection_encoding(self) -> ObservationEncoding:
        """What the numbers in a row of :meth:`State.recollection` mean. Raises ``ZermeloError`` (``needs-bounds``)."""
        from zermelo.interpreter.numbering.observations import recollection_of_player

        return recollection_of_player(self.model)

    @cached_property
    @wrap_internal_errors
    def full_encoding(self) -> ObservationEncoding:
        """What the numbers of :meth:`State.full_observation` mean. Raises ``ZermeloError`` (``needs-bounds``)."""
        from zermelo.interpreter.numbering.observations import view_of_all

        return view_of_all(self.model)

    @property
    def payoff_bounds(self) -> tuple[tuple[Fraction | int, Fraction | int] | None, ...]:
        """The least and the greatest that each player can get, as far as the rules prove it; None where they do not.

        >>> import zermelo
        >>> zermelo.load("kuhn_poker").payoff_bounds
        ((-2, 2), (-2, 2))
        """
        return self.facts.bounds or (None,) * len(self.players)

    @cached_property
    @wrap_internal_errors
    def longest(self) -> int | None:
        """The number of moves and draws of the longest play, if a visit of all positions finds it; None if plays may go
        on for ever or there are more than 20,000 positions.

        >>> import zermelo
        >>> zermelo.load("tic_tac_toe").longest, zermelo.load("pig").longest
        (9, None)
        """
        from zermelo.interpreter.checks.game_facts import survey, unless_too_many

        found = unless_too_many(lambda: survey(self.searching, _VISITED, inf))
        return None if found is None or found.loop is not None else found.longest

    @property
    def weights(self) -> Mapping[str, Fraction | int]:
        """The weights of the features of the game's estimate; empty unless it is a weighted sum."""
        estimate = None if self.model.network is not None else self.model.estimate
        return {} if estimate is None else {feature.name: feature.weight for feature in estimate.features}

    @property
    def titles(self) -> tuple[str, ...]:
        """The players as the file shows them to people, in their order."""
        return tuple(map(shown, self.players))

    @wrap_internal_errors
    def reweighed(self, **weights: Fraction | int | str) -> Game:
        """The same game with other weights for some features of its estimate, as numbers or as text (``"1/3"``).

        Raises ``ZermeloError`` (``unknown-weight``, ``weight-not-a-number``).

        >>> import zermelo
        >>> game = zermelo.load("chess").reweighed(mobility=0)
        >>> {name: str(weight) for name, weight in game.weights.items()}
        {'material': '1/200', 'mobility': '0'}
        """
        from zermelo.interpreter.model.cardinality import with_weights
        from zermelo.preparing import prepare_model

        return evolve(self, prepared=prepare_model(with_weights(self.model, weights)))

    @wrap_internal_errors
    @check_first
    def with_network(self, network: Network) -> Game:
        """The same game with a network as its estimate, as :func:`zermelo.learn` finds one."""
        from zermelo.preparing import prepare_model

        return evolve(self, prepared=prepare_model(evolve(self.model, network=network)))

    @wrap_internal_errors
    def number(self, player: str) -> int:
        """The index of a player in ``players``; raises ``ZermeloError`` (``unknown-player``)."""
        for number, name in enumerate(self.players):
            if read_as(name, compact(player)):
                return number
        match = nearest(player, self.players)
        raise ZermeloError(
            "unknown-player",
            f"there is no player '{player}'" + (f"; did you mean '{match}'?" if match else ""),
            f"the players are {', '.join(self.players)}",
        )

    def __reduce__(self) -> tuple[Any, ...]:
        parameters = {name: format_value(value) for name, value in self.parameters.items()}
        source, is_kept = self.model.source, self.prepared.is_kept
        kept = (self.name, source, parameters, is_kept, dict(self.weights), self.model.network)
        return _read_again, (*kept, self.choice, self.position)

    def __repr__(self) -> str:
        given = ", ".join(f"{name} = {format_value(value)}" for name, value in self.parameters.items())
        return f"<Game '{self.title}'{f' ({given})' if given else ''}>"


@frozen(eq=False)
class State(Subject):
    """A moment of a play: a player is to move, chance is to draw, or the play has ended. States never change. A copy is
    the state itself; a pickle has the game and the play.

    >>> import zermelo
    >>> state = zermelo.load("kuhn_poker").initial
    >>> state.actor
    'chance'
    >>> state = state.after("deal(K, J)").after("check")
    >>> state.actor, [str(move) for move in state.moves]
    ('Bob', ['check', 'bet'])
    >>> [str(entry) for entry in state.view("Bob")]
    ['hand[Bob] = J']
    """

    game: Game
    machine_state: Any

    if TYPE_CHECKING:  # set by add_methods, from above
        belief = questions.belief

    @property
    @wrap_internal_errors
    def actor(self) -> str | None:
        """The name of the player to move, :data:`zermelo.CHANCE`, or None at the end of the play."""
        actor = self.game.machine.actor(self.machine_state)
        return None if actor == END else CHANCE if actor == CHANCE_ACTS else self.game.players[actor]

    @property
    @wrap_internal_errors
    def is_over(self) -> bool:
        """Whether the play has ended."""
        return self.game.machine.actor(self.machine_state) == END

    @property
    @wrap_internal_errors
    def choosers(self) -> tuple[str, ...]:
        """Who is to choose before anybody learns of it: the player to move alone or, where players choose at once, all
        who have not chosen yet, the actor first. Nobody if chance is to draw, and at the end.

        >>> import zermelo
        >>> state = zermelo.load("rock_paper_scissors").initial
        >>> state.choosers, state.after("show(rock)").choosers, state.after("show(rock)").is_together
        (('One', 'Two'), ('Two',), True)
        """
        return tuple(self.game.players[player] for player in self.game.machine.choosers(self.machine_state))

    @property
    @wrap_internal_errors
    def is_together(self) -> bool:
        """Whether players choose at once here: several are to choose, or others have and nobody has learnt of it."""
        machine = self.game.machine
        return machine.is_within_round(self.machine_state) or len(machine.choosers(self.machine_state)) > 1

    @property
    def status(self) -> str:
        """Who is to move, or the payoffs at the end: ``X is to move``, ``the play has ended: X 1, O -1``."""
        if self.payoff is not None:
            brought = zip(self.game.titles, self.payoff, strict=True)
            return f"the play has ended: {', '.join(f'{player} {amount}' for player, amount in brought)}"
        return "chance is to draw" if self.actor == CHANCE else f"{self.actor_title} is to move"

    @property
    def actor_title(self) -> str:
        """Who is to act as the file shows them to people; empty at the end."""
        return shown(self.actor or "")

    @property
    @wrap_internal_errors
    def moves(self) -> tuple[Move, ...]:
        """The legal moves of the player to move; empty if chance is to draw, and at the end. ``str(move)`` is the move
        as the language writes it."""
        return self.game.machine.moves(self.machine_state)

    @property
    @wrap_internal_errors
    def outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """The outcomes of chance, with exact probabilities that sum to 1; empty unless chance is to draw.

        Raises ``ZermeloError`` (``too-many-outcomes``) if they are too many to list; :meth:`sample` works all the same,
        and mostly :attr:`sample_space`.
        """
        if self.game.machine.actor(self.machine_state) != CHANCE_ACTS:
            return ()
        return self.game.machine.outcomes(self.machine_state)

    @property
    @wrap_internal_errors
    def sample_space(self) -> SampleSpace:
        """The outcomes of chance, counted, numbered and drawn without a list if they are deals of cards or the like;
        only if chance is to draw.

        Raises ``ZermeloError`` (``too-many-outcomes``) if they cannot be counted so and are too many to list.

        >>> import zermelo
        >>> deals = zermelo.load("four_card_whist").initial.sample_space
        >>> deals.count
        736281000
        >>> deal = deals.unrank(123_456_789)
        >>> deals.rank(deal), str(deals.probability(deal))
        (123456789, '1/736281000')
        """
        return self.game.machine.sample_space(self.machine_state)

    @wrap_internal_errors
    def sample(self, random: Random) -> Move:
        """One outcome, drawn with its exact probability; only if chance is to draw."""
        return self.game.machine.draw(self.machine_state, random)

    @wrap_internal_errors
    def find(self, move: str) -> Move:
        """The legal move or outcome of this text; raises ``ZermeloError`` (``illegal-move``, ``game-over``)."""
        return self.game.machine.find_move(self.machine_state, move)

    @wrap_internal_errors
    def after(self, move: Move | str) -> State:
        """The state after a legal move or outcome, given as a :class:`Move` or as text (``"mark(b2)"``).

        Raises ``ZermeloError`` (``illegal-move``, ``game-over``), and ``PlayError`` for an error of the rules.
        """
        found = self.find(move) if isinstance(move, str) else move
        return State(self.game, self.game.machine.after(self.machine_state, found))

    @wrap_internal_errors
    @check_first
    def why_not(self, move: Move | str) -> Finding | None:
        """Why a move is not legal: a finding that points at the rule which forbids it; None for a legal move.

        >>> import zermelo
        >>> state = zermelo.load("tic_tac_toe").initial.after("mark(b2)")
        >>> print(zermelo.render(state.why_not("mark(b2)")))  # doctest: +ELLIPSIS
        error[illegal-move]: ...
        """
        return self.game.machine.why_not(self.machine_state, str(move))

    @property
    @wrap_internal_errors
    def payoff(self) -> Payoff | None:
        """The payoff of each player, in the order of ``game.players``; None before the end."""
        return self.game.machine.payoff(self.machine_state) if self.is_over else None

    @property
    @wrap_internal_errors
    def earned(self) -> Payoff:
        """What each player has earned so far by ``earn``, in the order of ``game.players``; part of the payoff."""
        return self.game.machine.earned(self.machine_state)

    @property
    @wrap_internal_errors
    def position(self) -> Hashable:
        """A key for the position: equal for states of one game on one machine whose rest of the play is the same.
        Earnings are no part of it, nor what players know."""
        return self.game.machine.position(self.machine_state)

    @wrap_internal_errors
    def observation(self, player: str) -> NDArray[float32]:
        """What a player sees, as an array of numbers whose layout is ``game.view_encoding``; equal for states that they
        cannot tell apart. Raises ``ZermeloError`` (``unknown-player``, ``needs-bounds``).

        >>> import zermelo
        >>> game = zermelo.load("tic_tac_toe")
        >>> seen = game.initial.after("mark(c1)").observation("O")
        >>> block = game.view_encoding.block("board")
        >>> block.meanings
        ('board is none', 'board is X', 'board is O')
        >>> seen[block.offset : block.offset + block.size].reshape(block.shape)[..., 1].astype(int).tolist()
        [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
        """
        game, number = self.game, self.game.number(player)
        known = game.machine.information_state(self.machine_state, number)
        return game.view_encoding.view(number, game.machine.values_at_first(), known)

    @wrap_internal_errors
    def recollection(self, player: str) -> NDArray[float32]:
        """All that a player has observed, as a table of numbers: a row for each observation of their
        :meth:`information_state`, laid out as ``game.recollection_encoding`` says. Equal exactly for states that they
        cannot tell apart. Raises ``ZermeloError`` (``unknown-player``, ``needs-bounds``)."""
        number = self.game.number(player)
        known = self.game.machine.information_state(self.machine_state, number)
        return self.game.recollection_encoding.recollection(number, known)

    @wrap_internal_errors
    def full_observation(self) -> NDArray[float32]:
        """All of the position as an array of numbers whose layout is ``game.full_encoding``, for programs that may look
        at everything. What others have chosen at the same moment is not in it. Raises ``ZermeloError``
        (``needs-bounds``)."""
        machine, here = self.game.machine, self.machine_state
        return self.game.full_encoding.all(machine.actor(here), machine.entries(here), machine.phase(here))

    @wrap_internal_errors
    def view(self, player: str) -> tuple[Seen, ...]:
        """The entries of variables that a player sees now, with indices and values.

        Raises ``ZermeloError`` (``unknown-player``).
        """
        return self.game.machine.view(self.machine_state, self.game.number(player))

    @wrap_internal_errors
    def information_state(self, player: str) -> InformationState:
        """The observations of a player so far, their own moves included. States that the player cannot tell apart have
        equal information states. Raises ``ZermeloError`` (``unknown-player``)."""
        return self.game.machine.information_state(self.machine_state, self.game.number(player))

    @wrap_internal_errors
    def estimate(self, player: str) -> Fraction | int | None:
        """The file's estimate of the position for a player; None if the file has no estimate.

        Raises ``ZermeloError`` (``unknown-player``), and ``PlayError`` for an error of the estimate.

        >>> import zermelo
        >>> state = zermelo.load("tic_tac_toe").initial.after("mark(b2)")
        >>> str(state.estimate("X")), str(state.features("X")["open_lines"])
        ('4/9', '4')
        """
        number = self.game.number(player)
        if self.game.model.network is not None:
            return self.game.machine.estimate(self.machine_state, number)
        estimate = self.game.model.estimate
        return None if estimate is None else self._evaluate(estimate, number)

    @wrap_internal_errors
    def features(self, player: str) -> Mapping[str, Fraction | int]:
        """The features of a position for a player, by name; empty unless the estimate is a weighted sum. Raises
        ``ZermeloError`` (``unknown-player``)."""
        number = self.game.number(player)
        estimate = None if self.game.model.network is not None else self.game.model.estimate
        features = () if estimate is None else estimate.features
        return {feature.name: self._evaluate(feature, number) for feature in features}

    def _evaluate(self, loose: Loose, player: int) -> Fraction | int:
        """The value in this state of an expression with one player as its argument."""
        member = self.game.model.players[player]
        value: Fraction | int = self.game.machine.evaluate(self.machine_state, loose, member)
        return value

    @property
    def play(self) -> tuple[Move, ...]:
        """The moves and outcomes that led here, from the beginning."""
        return self.game.machine.play(self.machine_state)

    def __reduce__(self) -> tuple[Any, ...]:
        return _played_again, (self.game, self.play)

    def __repr__(self) -> str:
        return f"<State of '{self.game.title}' after {', '.join(map(str, self.play)) or 'no move'}>"

    @wrap_internal_errors
    def __str__(self) -> str:
        """The whole position, hidden values included: boards by the file's legend, other variables, who is to move."""
        from zermelo.boards import draw_variables

        drawn = draw_variables(self.game.model, self.game.machine.entries(self.machine_state))
        return f"{drawn}\n\n{self.status}" if drawn else self.status


# What can be asked about games and states needs rooms that need games and states; so their methods are set from above.


def add_methods(of_games: Iterable[Callable[..., Any]], of_states: Iterable[Callable[..., Any]]) -> None:
    """Make methods of functions whose first argument is a game, or a state."""
    for kind, functions in ((Game, of_games), (State, of_states)):
        for function in functions:
            setattr(kind, function.__name__, function)


def _read_again(
    name: str,
    source: Source,
    parameters: Mapping[str, str],
    is_kept: bool,
    weights: Mapping[str, Fraction | int],
    network: Network | None,
    choice: str,
    position: str,
) -> Game:
    """The game that has been pickled."""
    from zermelo.preparing import prepare

    game = Game(name, prepare(source, parameters, is_kept), choice, position)
    weighed = game if game.weights == weights else game.reweighed(**weights)
    return weighed if network is None else weighed.with_network(network)


def _played_again(game: Game, play: tuple[Move, ...]) -> State:
    """The state that has been pickled."""
    state = game.machine.initial()
    for move in play:
        state = game.machine.after(state, move)
    return State(game, state)
