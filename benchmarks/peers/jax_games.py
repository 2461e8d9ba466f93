"""Pgx and Ludax: games in JAX, stepped many at once.

Both are run as their authors measure them: one compiled function makes a number of steps for a batch of states, in each
of which a legal action is drawn at random; states whose play is over begin again. Observations are part of a step of
Pgx; Ludax makes none unless it is asked. Compiling is no part of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from benchmarks.measure import import_peer

_STEPS: Final = 32
"""Steps in one call of the compiled function, so that the way to it and back does not count."""


def pgx_steps(name: str, count: int) -> Callable[[], tuple[int, int]]:
    """Steps of so many states of a game of Pgx, which return the number of moves, and 1; raises ``Unavailable``."""
    environment = import_peer("pgx", "pgx").make(name)
    return _steps(environment.init, environment.step, count)


def ludax_steps(name: str, count: int) -> Callable[[], tuple[int, int]]:
    """The same for a game that comes with Ludax."""
    environment = import_peer("ludax", "ludax").LudaxEnvironment(
        game_str=getattr(import_peer("ludax.games", "ludax"), name)
    )
    return _steps(environment.init, environment.step, count)


def _steps(init: Callable[..., Any], step: Callable[..., Any], count: int) -> Callable[[], tuple[int, int]]:
    jax = import_peer("jax", "jax")
    np, random = jax.numpy, jax.random

    def after(state: Any, key: Any) -> Any:
        choosing, chance, beginning = random.split(key, 3)
        legal = np.cumsum(state.legal_action_mask)
        action = np.searchsorted(legal, random.randint(choosing, (), 0, legal[-1]), side="right")
        stepped, fresh = step(state, action, chance), init(beginning)
        return jax.tree_util.tree_map(lambda old, new: np.where(stepped.terminated, new, old), stepped, fresh)

    def steps(states: Any, key: Any) -> Any:
        keys = random.split(key, (_STEPS, count))
        return jax.lax.scan(lambda now, each: (jax.vmap(after)(now, each), None), states, keys)[0]

    play, key = jax.jit(steps), random.PRNGKey(1)
    states = jax.jit(jax.vmap(init))(random.split(key, count))
    states = jax.block_until_ready(play(states, key))

    def work() -> tuple[int, int]:
        nonlocal states, key
        key = random.split(key)[0]
        states = jax.block_until_ready(play(states, key))
        return count * _STEPS, 1

    return work
