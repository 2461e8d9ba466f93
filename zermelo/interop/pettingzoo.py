"""Games as environments of PettingZoo: players act one after the other (AEC), or all at once (parallel).

An observation is a dictionary: ``observation`` is :meth:`zermelo.State.observation`, ``action_mask`` has 1 for the
legal moves of the agent, which are numbered as in ``game.moves``. A reward is what a step adds to what an agent has:
earnings, and at the end the payoff; what chance earns for players before anybody chooses is in the rewards of the first
step. Chance is drawn between the steps. The choices of players who act at once are made
in turn in an AEC environment, and none is seen before all are made.

>>> import zermelo
>>> from zermelo.interop.pettingzoo import env
>>> play = env(zermelo.load("kuhn_poker"))
>>> play.reset(seed=3)
>>> play.agent_selection, play.observe("Alice")["action_mask"].tolist()
('Alice', [1, 1, 0, 0])
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Final

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interop.playing import after_chance, after_number, brought, check_players_decide, legal_mask, no_move
from zermelo.interpreter.machine import Payoff
from zermelo.interpreter.model import Chance, Const, Rule, Together
from zermelo.interpreter.model.cardinality import is_never_empty
from zermelo.solvers.common.libraries import import_library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PURPOSE: Final = "environments of PettingZoo"
_pettingzoo: Final = import_library("pettingzoo", _PURPOSE, "pettingzoo")
_AECEnv: Any = _pettingzoo.AECEnv
_ParallelEnv: Any = _pettingzoo.ParallelEnv
_spaces: Final = import_library("gymnasium.spaces", _PURPOSE, "pettingzoo")


class _Playing:
    """What both kinds of environments have in common."""

    render_mode: str | None

    def _set_up(self, game: Game, longest: int | None, render_mode: str | None, actions: int) -> None:
        check_players_decide(game, "PettingZoo")
        self.game = game
        self.longest = longest
        self.render_mode = render_mode
        self.possible_agents = list(game.players)
        self.agents: list[str] = []
        encoding = game.view_encoding
        low, high = encoding.bounds
        self.action_spaces = {agent: _spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: _spaces.Dict(
                {
                    "observation": _spaces.Box(low, high, (encoding.size,), "float32"),
                    "action_mask": _spaces.Box(0, 1, (actions,), "int8"),
                }
            )
            for agent in self.possible_agents
        }
        low, high = game.full_encoding.bounds
        self.state_space = _spaces.Box(low, high, (game.full_encoding.size,), "float32")
        self._random = Random()
        self._state = game.initial
        self._steps = 0

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._random = Random(int(seed))
        self.agents = list(self.possible_agents)
        self._steps = 0
        self._state = after_chance(self.game.initial, self._random)
        self._had: Payoff = (Fraction(0),) * len(self.possible_agents)

    def _go_on(self, actions: Mapping[str, int | None]) -> dict[str, float]:
        """Make the moves of those who choose, one after the other; the rewards."""
        state: State = self._state
        for agent in actions:
            action = actions[agent]
            if action is None:
                raise ZermeloError("illegal-move", f"{agent} is to choose a move, and does nothing")
            state = after_number(state, int(action))
        self._state = after_chance(state, self._random)
        self._steps += 1
        return self._added()

    def _added(self) -> dict[str, float]:
        """What has been added to what the players have since the last call."""
        had, self._had = self._had, brought(self._state)
        return {agent: float(now - then) for agent, now, then in zip(self.possible_agents, self._had, had, strict=True)}

    @property
    def _is_cut_off(self) -> bool:
        return self.longest is not None and self._steps >= self.longest and not self._state.is_over

    def observation_space(self, agent: str) -> Any:
        """What the agent may see; the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What the agent may do; the same object every time."""
        return self.action_spaces[agent]

    def state(self) -> NDArray[np.float32]:
        """Everything, hidden values included (:meth:`zermelo.State.full_observation`)."""
        return self._state.full_observation()

    def render(self) -> str | None:
        """The whole position as text: given back in the mode ``ansi``, printed in the mode ``human``."""
        if self.render_mode == "human":
            print(self._state)
            return None
        return str(self._state)

    def close(self) -> None:
        """Nothing is left open."""


class SequentialPlay(_Playing, _AECEnv):
    """A game as an AEC environment; :func:`env` makes it."""

    def __init__(self, game: Game, longest: int | None, render_mode: str | None) -> None:
        super().__init__()
        self._set_up(game, longest, render_mode, len(game.moves))
        self.metadata = {"name": game.name, "render_modes": ["ansi", "human"], "is_parallelizable": False}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new play; a ``seed`` says what chance will draw in this one and all later ones."""
        self._begin(seed)
        self.rewards = self._added() if self._state.is_over else dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict(self.rewards)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._settle()

    def _settle(self) -> None:
        self.terminations = dict.fromkeys(self.agents, self._state.is_over)
        self.truncations = dict.fromkeys(self.agents, self._is_cut_off)
        self.agent_selection = self._state.actor or self.agents[0]

    def step(self, action: int | None) -> None:
        """Make the move with this number. Raises ``ZermeloError`` (``illegal-move``)."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self.rewards = self._go_on({agent: action})
        self._cumulative_rewards[agent] = 0.0
        self._settle()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now; only the one who is to act has legal moves."""
        is_to_act = agent == self._state.actor
        mask = legal_mask(self._state) if is_to_act else no_move(self.game)
        return {"observation": self._state.observation(agent), "action_mask": mask}


class SimultaneousPlay(_Playing, _ParallelEnv):
    """A game as a parallel environment; :func:`parallel_env` makes it."""

    def __init__(self, game: Game, longest: int | None, render_mode: str | None) -> None:
        self._waiting = None if _all_always_choose(game) else len(game.moves)
        self._set_up(game, longest, render_mode, len(game.moves) + (self._waiting is not None))
        self.metadata = {"name": game.name, "render_modes": ["ansi", "human"]}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begin a new play; a ``seed`` says what chance will draw in this one and all later ones."""
        self._begin(seed)
        observations = self._observations()
        if self._state.is_over:
            self.agents = []
        return observations, {agent: {} for agent in self.possible_agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Make the moves with these numbers; those of agents who do not choose now do not count. Raises
        ``ZermeloError`` (``illegal-move``)."""
        agents = self.agents
        rewards = self._go_on({agent: actions.get(agent) for agent in self._state.choosers})
        observations = self._observations()
        is_over, is_cut_off = self._state.is_over, self._is_cut_off
        if is_over or is_cut_off:
            self.agents = []
        return (
            observations,
            rewards,
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, is_cut_off),
            {agent: {} for agent in agents},
        )

    def _observations(self) -> dict[str, dict[str, Any]]:
        masks = self._masks()
        return {
            agent: {"observation": self._state.observation(agent), "action_mask": masks[agent]}
            for agent in self.possible_agents
        }

    def _masks(self) -> dict[str, NDArray[np.int8]]:
        """The legal moves of all: those who choose at once do not know of each other, so that one after the other finds
        the moves that he has whatever the others choose."""
        import numpy as np

        found: dict[str, NDArray[np.int8]] = {}
        state: State = self._state
        for agent in self._state.choosers:
            if found:
                state = state.after(state.moves[0])
            found[agent] = legal_mask(state)
        nothing = no_move(self.game)
        if self._waiting is None:
            return {agent: found.get(agent, nothing) for agent in self.possible_agents}
        return {
            agent: np.append(found.get(agent, nothing), np.int8(agent not in found)) for agent in self.possible_agents
        }


def _all_always_choose(game: Game) -> bool:
    """Whether all players choose at every decision, as far as the rules say so plainly: a player who may have no legal
    move may be left out."""
    deciding = [
        phase.decision
        for phase in game.model.phases.values()
        if phase.decision is not None and not isinstance(phase.decision, Chance)
    ]
    everybody = set(game.model.players)
    return all(
        isinstance(decision, Together)
        and isinstance(decision.players, Const)
        and set(decision.players.value) == everybody
        and any(map(_is_surely_legal, decision.moves))
        for decision in deciding
    )


def _is_surely_legal(rule: Rule) -> bool:
    """Whether a rule surely has a legal move, from its structure."""
    domains = [parameter.domain for parameter in rule.parameters if not parameter.is_optional]
    return (
        rule.ensuring is None
        and not any(rule.guards)
        and all(is_never_empty(domain, lambda item: not isinstance(item, Const)) for domain in domains)
    )


def env(game: Game, *, longest: int | None = None, render_mode: str | None = None) -> SequentialPlay:
    """A game as an AEC environment: agents act in turn, whoever is to move.

    ``longest`` cuts plays off (``truncations``) after so many moves. A move that is not legal raises ``ZermeloError``
    (``illegal-move``), and so does the game itself for more than a million moves (``too-many-moves``) and observations
    that are too long (``needs-bounds``)."""
    return SequentialPlay(game, longest, render_mode)


def parallel_env(game: Game, *, longest: int | None = None, render_mode: str | None = None) -> SimultaneousPlay:
    """A game as a parallel environment: all agents act at once.

    If somebody may have to wait while others choose, there is one more action, the last one: those who do not choose
    are to take it. Where chance ends the play before anybody chooses, nobody acts and there are no rewards.
    ``longest`` and errors are as in :func:`env`."""
    if len(game.players) < 2:
        raise ZermeloError("bad-usage", "a parallel environment is for several players", "`env` takes one as well")
    return SimultaneousPlay(game, longest, render_mode)
