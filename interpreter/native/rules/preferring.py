"""The lowering of ``preferring``: the steps of a turn from which a best complete turn can be reached.

For its meaning see :mod:`zermelo.interpreter.reference.preferring`. In ``algorithms/preferring.py`` the positions of
the turn are numbered as they are found, the one at hand first, and identified by their keys and digests of these. Each
step is an edge to another position, or a completion, whose worth counts for its source; then worths are propagated back
along the edges up to a fixed point.

A random play draws one step and asks about it alone: one completion that attains the upper bounds of the types of the
criteria proves that it is preferred (``algorithms/proving.py``), for no worth is greater.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE
from zermelo.interpreter.native.coding.number_codes import number_type
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.rules.branches import branch_functions, bytes_for_each
from zermelo.interpreter.native.rules.rule import local_arguments

_POSITIONS: Final = 1 << 11
_ROOM: Final = 1 << 21
"""The most bytes of the stack for the positions of a turn: the stack of a thread usually has 8 MiB."""

_EDGES: Final = 1 << 14
_STEPS: Final = 32


def narrowing_functions(lowering: Lowering, number: int, turn: model.Turn, env: Env) -> None:
    """Write ``kept_k(C, S, M, n)``: keep the preferred ones among n moves and return their number; and
    ``any_kept_k(C, S, M, R)``: a preferred move, drawn at random. ``env`` has the phase's names."""
    text, layout = lowering.text, lowering.layout
    overflow = text.site("overflow", turn.span)
    columns = 1 + len(turn.preferring)
    room = layout.size * layout.width // 8 + 8 * layout.key_words + bytes_for_each(lowering)
    positions = min(_POSITIONS, _ROOM // room)
    judge = Body()
    kept = local_arguments(lowering, env, judge)
    judge.write("worths", "at", [criterion for criterion, _ in _criteria(lowering, turn, kept)])
    head = f"(C: ints[CONTEXT], S: state, T: state, worths: ints[{positions * columns}], at: int) -> int"
    instantiate(
        text, "preferring", {"kept": f"kept_{number}", "any_kept": f"any_kept_{number}"},
        POSITIONS=positions, EDGES=_EDGES, COLUMNS=columns, WORTHS=positions * columns,
        KEYS=positions * layout.key_words, ACTOR=ACTOR, PHASE=PHASE, TURNS=_turns(lowering), OVERFLOW=overflow,
        judge=text.apart("judge", head, judge), list_steps=f"steps_{number}",
        **branch_functions(lowering, positions, overflow), **_proof(lowering, number, turn, env),
    )  # fmt: skip


def _criteria(lowering: Lowering, turn: model.Turn, env: Env) -> list[tuple[str, int | None]]:
    """The criteria, evaluated in ``T``, each with its upper bound."""
    found = []
    for expr in turn.preferring:
        lowering.is_deciding = True
        value = lowering.value(expr, env)
        lowering.is_deciding = False
        call = lowering.text.lift("judge", Body(), value.text, state="T")
        found.append((call, _greatest(expr, value)))
    return found


def _greatest(criterion: model.Expr, value: Scalar) -> int | None:
    """The upper bound of a criterion, on its scale."""
    number = number_type(criterion.type)
    if number is None or number.high is None or value.has_none:
        return None
    greatest = number.high * value.scale
    return int(greatest) if int(greatest) == greatest else None


def _turns(lowering: Lowering) -> int:
    """The bit set of the phases that are turns."""
    return sum(1 << k for k, phase in enumerate(lowering.layout.phases) if isinstance(phase.decision, model.Turn))


def _proof(lowering: Lowering, number: int, turn: model.Turn, env: Env) -> dict[str, str]:
    """Write ``proof_k(C, S, m)``: whether move m is surely preferred. Nothing if a criterion has no upper bound."""
    best = Body()
    criteria = _criteria(lowering, turn, local_arguments(lowering, env, best))
    if any(most is None for _, most in criteria):
        return {}
    is_best = " and ".join(f"{criterion} == {most}" for criterion, most in criteria)
    text = lowering.text
    proof = instantiate(
        text, "proving", {"proof": f"proof_{number}"},
        is_best=text.apart("is_best", "(C: ints[CONTEXT], S: state, T: state) -> int", best, is_best),
        ACTOR=ACTOR, PHASE=PHASE, TURNS=_turns(lowering), STEPS=_STEPS,
    )  # fmt: skip
    return {"prove": proof["proof"]}
