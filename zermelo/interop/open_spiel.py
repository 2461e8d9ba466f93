"""Games for the algorithms of OpenSpiel: registered Python games, which ``pyspiel.load_game`` finds by their names.

Actions and outcomes of chance are numbers of ``game.moves`` and ``game.outcomes``. Players who choose at once do so one
after the other without seeing it, as in OpenSpiel's ``turn_based_simultaneous_game``. All payoffs come at the end,
earnings included. The text of an information state names the player, since algorithms of OpenSpiel take equal texts of
two players for one information state; it has a line for each observation (:meth:`zermelo.State.information_state`), and
is of perfect recall. The tensor of an observation is
:meth:`zermelo.State.observation`, whose blocks are the pieces of an observer.

>>> import zermelo
>>> from zermelo.interop.open_spiel import open_spiel_game
>>> game = open_spiel_game(zermelo.load("kuhn_poker"))
>>> state = game.new_initial_state()
>>> state.apply_action(1)
>>> state.legal_actions(), [state.action_to_string(0, action) for action in state.legal_actions()]
([0, 1], ['check', 'bet'])
>>> state.information_state_string(0)
'Alice knows:\\nhand[Alice] = J\\nto decide: opening'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interop.playing import ForeignStrategies, Mixed, check_players_decide, foreign_strategies, mixed_moves
from zermelo.interpreter.numbering.observations import information_text
from zermelo.loading import TEXT
from zermelo.solvers.common.libraries import import_library

if TYPE_CHECKING:
    from zermelo.interpreter.machine import Move
    from zermelo.interpreter.numbering.moves import NumberedMoves
    from zermelo.policies.strategy_files import Given

_PURPOSE: Final = "games for OpenSpiel"
_pyspiel: Final = import_library("pyspiel", _PURPOSE, "openspiel")
_TheirGame: Any = _pyspiel.Game
_TheirState: Any = _pyspiel.State
_TheirPolicy: Any = import_library("open_spiel.python.policy", _PURPOSE, "openspiel").Policy

_MOST_DECISIONS: Final = 1_000_000
"""The length that is announced of a game with no known bound."""


class _OpenSpielGame(_TheirGame):
    """A game. Each is registered as a class of its own, which has the ``rules``, ``kind`` and ``figures``."""

    rules: Game
    kind: Any
    figures: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(self.kind, self.figures, params or {})

    def new_initial_state(self) -> _OpenSpielState:
        """The beginning of a play."""
        return _OpenSpielState(self, self.rules.initial)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> _Observer:
        """An observer of what one player sees, or knows (``perfect_recall``). Raises ``ZermeloError`` (``bad-usage``)
        for one of public or of private information alone."""
        if params:
            raise ZermeloError("bad-usage", f"an observer of Zermelo has no parameters, and these are {params}")
        return _Observer(self.rules, iig_obs_type or _pyspiel.IIGObservationType(perfect_recall=False))


class _OpenSpielState(_TheirState):
    """A state; ``here`` is the same state of Zermelo."""

    def __init__(self, game: _OpenSpielGame, here: State) -> None:
        super().__init__(game)
        self.here = here

    def current_player(self) -> int:
        """Who is to act: a player, chance, or nobody at the end."""
        actor = self.here.actor
        if actor is None:
            return int(_pyspiel.PlayerId.TERMINAL)
        return int(_pyspiel.PlayerId.CHANCE) if actor == CHANCE else self.here.game.number(actor)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(map(self.here.game.moves.index, self.here.moves))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance with their probabilities."""
        outcomes = self.here.game.outcomes
        return sorted((outcomes.index(outcome), float(chance)) for outcome, chance in self.here.outcomes)

    def _apply_action(self, action: int) -> None:
        self.here = self.here.after(_numbering(self.here)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        chance = player == _pyspiel.PlayerId.CHANCE
        return str((self.here.game.outcomes if chance else self.here.game.moves)[action])

    def is_terminal(self) -> bool:
        """Whether the play has ended."""
        return self.here.is_over

    def returns(self) -> list[float]:
        """The payoffs at the end, before it zeros."""
        payoff = self.here.payoff
        return [0.0] * len(self.here.game.players) if payoff is None else list(map(float, payoff))

    def __str__(self) -> str:
        """The play: a state of OpenSpiel is a history."""
        return ", ".join(map(str, self.here.play))


class _Observer:
    """What a player sees or knows: ``dict`` has the pieces of ``tensor`` by name; there is none of what they know."""

    def __init__(self, game: Game, wanted: Any) -> None:
        if not wanted.public_info or wanted.private_info != _pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ZermeloError(
                "bad-usage",
                "an observer of Zermelo is one of all that a player sees or knows",
                "what is public and what is private is not told apart",
            )
        self._is_of_recall = wanted.perfect_recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self._is_of_recall:
            import numpy as np

            encoding = game.view_encoding
            self.tensor = np.zeros(encoding.size, np.float32)
            for block in encoding.blocks:
                self.dict[f"{block.kind} {block.name}"] = self.tensor[block.offset : block.offset + block.size].reshape(
                    block.shape
                )

    def set_from(self, state: _OpenSpielState, player: int) -> None:
        """Write what the player sees into the tensor."""
        if self.tensor is not None:
            self.tensor[:] = state.here.observation(state.here.game.players[player])

    def string_from(self, state: _OpenSpielState, player: int) -> str:
        """What the player knows as text; or the numbers that are not 0 of what they see."""
        here, name = state.here, state.here.game.players[player]
        if self._is_of_recall:
            return f"{name} knows:\n{information_text(here.information_state(name))}"
        seen = here.observation(name)
        return " ".join(f"{place}:{seen[place]:g}" for place in seen.nonzero()[0])


def open_spiel_game(
    game: Game,
    *,
    name: str | None = None,
    longest: int | None = None,
    payoffs: tuple[float, float] | None = None,
) -> Any:
    """A game of OpenSpiel with the rules of this one, registered as ``name``, by default ``zermelo_`` and the name by
    which the game was loaded, or its title if it comes from a text; another one that was registered so is forgotten.

    OpenSpiel asks for bounds: ``longest`` is the most moves and draws of a play, by default ``game.longest``;
    ``payoffs`` are the least and the greatest, by default what the rules prove.

    Raises ``ZermeloError``: ``needs-bounds`` if the payoffs have no proved bounds, ``too-many-moves``,
    ``too-many-outcomes``, ``bad-usage``."""
    check_players_decide(game, "OpenSpiel")
    low, high = _payoff_bounds(game) if payoffs is None else payoffs
    facts, of = game.facts, _pyspiel.GameType
    utility = of.Utility.GENERAL_SUM
    if len(game.players) > 1 and facts.constant_sum.holds:
        utility = of.Utility.CONSTANT_SUM if facts.sum else of.Utility.ZERO_SUM
    elif facts.common_payoff.holds:
        utility = of.Utility.IDENTICAL
    has_chance = len(game.outcomes) > 0
    is_perfect = facts.perfect_information.holds and not facts.simultaneous.holds
    short = name or f"zermelo_{_plain(game.title.lower() if game.name == TEXT else game.name) or 'text'}"
    kind = _pyspiel.GameType(
        short_name=short,
        long_name=game.title,
        dynamics=of.Dynamics.SEQUENTIAL,
        chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else of.ChanceMode.DETERMINISTIC,
        information=of.Information.PERFECT_INFORMATION if is_perfect else of.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=of.RewardModel.TERMINAL,
        max_num_players=len(game.players),
        min_num_players=len(game.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )
    known = longest or game.longest or _MOST_DECISIONS
    sums = {"utility_sum": float(facts.sum)} if facts.constant_sum.holds and facts.sum is not None else {}
    figures = _pyspiel.GameInfo(
        num_distinct_actions=len(game.moves),
        max_chance_outcomes=len(game.outcomes),
        num_players=len(game.players),
        min_utility=float(low),
        max_utility=float(high),
        max_game_length=known,
        **sums,
    )
    made = type("_Registered", (_OpenSpielGame,), {"rules": game, "kind": kind, "figures": figures})
    _pyspiel.register_game(kind, made)
    return _pyspiel.load_game(short)


def _plain(words: str) -> str:
    """The letters and digits of words, with lines between them."""
    return re.sub(r"[^A-Za-z0-9]+", "_", words).strip("_")


def _payoff_bounds(game: Game) -> tuple[Fraction | int, Fraction | int]:
    bounds = [each for each in game.payoff_bounds if each is not None]
    if len(bounds) < len(game.players):
        raise ZermeloError(
            "needs-bounds",
            f"OpenSpiel needs bounds on the payoffs of '{game.title}', and the rules give none",
            "`payoffs=(low, high)` gives them",
        )
    return min(low for low, _ in bounds), max(high for _, high in bounds)


# Strategies in both directions.


class _Followed(_TheirPolicy):
    """Strategies of Zermelo as a policy of OpenSpiel."""

    def __init__(self, game: Any, mixed: Mixed) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._mixed = mixed

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """The probabilities of all legal actions."""
        here = _here(state)
        chances = zip(here.moves, self._mixed(here), strict=True)
        return {here.game.moves.index(move): float(chance) for move, chance in chances}


def open_spiel_policy(game: Any, strategies: Given) -> Any:
    """Strategies as a policy for a game from :func:`open_spiel_game`: a solution, a file, or ``uniform``, as
    :func:`zermelo.exploit` takes them. Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``."""
    return _Followed(game, mixed_moves(_here(game.new_initial_state()).game, strategies))


def strategies_of(game: Any, policy: Any, name: str = "OpenSpiel") -> ForeignStrategies:
    """The strategies of a policy of OpenSpiel for a game from :func:`open_spiel_game`, as :func:`zermelo.exploit` and
    :func:`zermelo.match` take them. All histories of the game are visited, and the policy is asked once in each
    information set."""
    rules = _here(game.new_initial_state()).game

    def chances(here: State) -> Sequence[float]:
        found = policy.action_probabilities(_played(game, here.play), rules.number(str(here.actor)))
        return [found.get(rules.moves.index(move), 0.0) for move in here.moves]

    return foreign_strategies(rules, name, chances)


def _played(game: Any, play: Iterable[Move]) -> Any:
    """The state of OpenSpiel after a play."""
    state = game.new_initial_state()
    for move in play:
        state.apply_action(_numbering(_here(state)).index(move))
    return state


def _numbering(here: State) -> NumberedMoves:
    """The numbers of the actions of a state."""
    return here.game.outcomes if here.actor == CHANCE else here.game.moves


def _here(state: Any) -> State:
    """The state of Zermelo behind one of OpenSpiel."""
    here: State = state.here
    return here
