"""Games as environments of Gymnasium: for one player, against chance and others who follow fixed strategies.

An observation is :meth:`zermelo.State.observation`, an action a number of ``game.moves``. ``info["action_mask"]`` has 1
for the legal moves, and so has ``action_masks()``, which MaskablePPO of Stable-Baselines3 asks for. A reward is what a
step adds to what the player has: earnings, and at the end the payoff. The first one has what was earned before.

>>> import zermelo
>>> from zermelo.interop.gymnasium import env
>>> play = env(zermelo.load("kuhn_poker"), "Bob")
>>> seen, info = play.reset(seed=7)
>>> seen.shape, info["action_mask"].tolist()
((15,), [1, 1, 0, 0])
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Final

from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interop.playing import (
    Mixed,
    after_number,
    brought,
    check_players_decide,
    legal_mask,
    mixed_moves,
    numbered_move,
)
from zermelo.interpreter.values import weighted_choice
from zermelo.solvers.common.libraries import import_library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from zermelo.policies.strategy_files import Given

_gymnasium: Final = import_library("gymnasium", "environments of Gymnasium", "gymnasium")
_Env: Any = _gymnasium.Env

_PASSED_OVER: Final = 1000
"""So many plays in which the player decides nothing are passed over."""


class OnePlayer(_Env):
    """A game as an environment for one player; :func:`env` makes it."""

    def __init__(
        self,
        game: Game,
        player: str,
        others: Mixed,
        longest: int | None,
        illegal: float | None,
        render_mode: str | None,
    ) -> None:
        self.game = game
        self.player = player
        self.longest = longest
        self.illegal = illegal
        self.metadata = {"render_modes": ["ansi"]}
        self.render_mode = render_mode
        low, high = game.view_encoding.bounds
        self.observation_space = _gymnasium.spaces.Box(low, high, (game.view_encoding.size,), "float32")
        self.action_space = _gymnasium.spaces.Discrete(len(game.moves))
        self._others = others
        self._random = Random()
        self._state = game.initial
        self._steps = 0
        self._had: Fraction | float = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a new play; a ``seed`` says what chance and the others will do in this one and all later ones. Plays
        that end before the player decides are passed over.

        Raises ``ZermeloError`` (``bad-usage``) if the player decides in none of a thousand plays."""
        super().reset(seed=seed)
        self._random = Random(int(self.np_random.integers(2**62)))
        self._steps = 0
        self._had = 0
        for _ in range(_PASSED_OVER):
            self._state = self._settled(self.game.initial)
            if not self._state.is_over:
                return self._seen()
        raise ZermeloError("bad-usage", f"{self.player} has decided nothing in {_PASSED_OVER:,} plays")

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Make the move with this number, and go on to the next decision of the player."""
        if numbered_move(self.game, int(action)) not in self._state.moves and self.illegal is not None:
            seen, info = self._seen()
            return seen, self._reward(self.illegal), True, False, {**info, "illegal": True}
        self._state = self._settled(after_number(self._state, int(action)))
        self._steps += 1
        is_cut_off = self.longest is not None and self._steps >= self.longest and not self._state.is_over
        seen, info = self._seen()
        reward = self._reward(brought(self._state)[self.game.number(self.player)])
        return seen, reward, self._state.is_over, is_cut_off, info

    def _reward(self, amount: Fraction | float) -> float:
        """What is added if the player now has this amount."""
        had, self._had = self._had, amount
        return float(amount - had)

    def _settled(self, state: State) -> State:
        """The next decision of the player, or the end."""
        while state.actor not in (None, self.player):
            if state.actor == CHANCE:
                state = state.after(state.sample(self._random))
            else:
                state = state.after(state.moves[weighted_choice(self._others(state), self._random)])
        return state

    def _seen(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        return self._state.observation(self.player), {"action_mask": legal_mask(self._state)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now."""
        return legal_mask(self._state).astype(bool)

    def render(self) -> str | None:
        """The whole position as text, in the mode ``ansi``."""
        return str(self._state) if self.render_mode == "ansi" else None


def env(
    game: Game,
    player: str | None = None,
    *,
    others: Given = "uniform",
    longest: int | None = None,
    illegal: float | None = None,
    render_mode: str | None = None,
) -> OnePlayer:
    """A game as an environment for ``player``, by default the first one. The ``others`` follow strategies as
    :func:`zermelo.exploit` takes them: a solution, a file, or ``uniform``.

    ``longest`` cuts plays off after so many moves of the player. A move that is not legal ends the play with the payoff
    ``illegal``, earnings included, by default the least that the player can get; it raises ``ZermeloError``
    (``illegal-move``) where neither is known, and always for a number of no move. Raises ``ZermeloError``:
    ``unknown-player``, ``unreadable-file``, ``bad-strategy``, ``too-many-moves``, ``needs-bounds``."""
    check_players_decide(game, "Gymnasium")
    number = 0 if player is None else game.number(player)
    bounds = game.payoff_bounds[number]
    least = float(bounds[0]) if illegal is None and bounds is not None else illegal
    return OnePlayer(game, game.players[number], mixed_moves(game, others), longest, least, render_mode)
