"""Legal moves one by one: those not tried yet, as a mask where the rules allow it, else as a list.

A search that tries all moves needs the next one and no list. In most board games a move is a cell of a set that the
rules give at once, such as the empty cells. Then what has not been tried is one word, of which the lowest bit is the
next move: no list is written, no entry of it read, and no loop is run whose end a processor guesses wrong.

That holds for a decision with a single rule, which has a single parameter, if every test of it is one on masks
(:mod:`zermelo.interpreter.native.sets.conditions`), nothing can fail, and the domain is in the order of its type; no
clause may leave moves out behind that. Why the moves are those of ``moves``, in the same order: the loop that writes
the list runs along this very mask, from the lowest bit on, and appends the number of each member; here each member gets
its number when its turn comes. Nothing that this number depends on changes in between, as it is a function of the phase
and the member. If a decision of the game is not of this kind, all have a list, behind whose moves their number stands.
"""

from __future__ import annotations

from functools import partial

from zermelo.interpreter import model
from zermelo.interpreter.native.dialect.lowered_text import Body
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.rules.decisions import binders_of, move_argument
from zermelo.interpreter.native.rules.sampling import calls_by_phase, dispatch_by_phase
from zermelo.interpreter.native.sets import conditions
from zermelo.interpreter.native.state_encoding.encoding import plus, scale_of, universe


def untried_functions(lowering: Lowering, names: list[Env]) -> bool:
    """Write ``untried``, ``first_untried`` and ``left_untried``; whether they use a list. The decisions of the phases
    see these ``names``."""
    text, found = lowering.text, dict[int, tuple[Body, str]]()
    rest = text.local(Body(), "rest", "bits")
    for number, (phase, env) in enumerate(zip(lowering.layout.phases, names, strict=True)):
        if phase.decision is None or isinstance(phase.decision, model.Chance):
            continue
        lowering.phase = number
        masked = _masked_moves(lowering, phase, env, rest)
        if masked is None:
            _write_list(lowering)
            return True
        found[number] = masked
    for number, (body, _) in found.items():
        text.function(f"untried_{number}(C: ints[CONTEXT], S: state) -> bits", body, rest)
    head = "untried(C: ints[CONTEXT], S: state, L: ints[LISTED]) -> bits"
    text.function(head, calls_by_phase(lowering, "untried", "C, S", list(found)))
    cases = [(number, partial(Body.line, text=f"return {move}")) for number, (_, move) in found.items()]
    first = Body()
    if len(cases) == 1:
        cases[0][1](first)  # every move is of this phase
    else:
        first = dispatch_by_phase(lowering, cases)
    text.function(f"first_untried(C: ints[CONTEXT], S: state, {rest}: bits, L: ints[LISTED]) -> int", first)
    text.define_as("left_untried", "(rest: bits, move: int) -> bits:\n    return rest & (rest - 1)\n")
    return False


def _masked_moves(lowering: Lowering, phase: model.Phase, env: Env, rest: str) -> tuple[Body, str] | None:
    """A body that makes the mask ``rest`` of the moves of a decision, and the number of the move that is the lowest bit
    of ``rest``; None if there is no such mask, or if something may fail."""
    match phase.decision:
        case model.Turn(moves=(rule,), is_narrowed=False) if len(rule.parameters) == 1 and rule.ensuring is None:
            pass
        case _:
            return None
    (parameter,), (binder,) = rule.parameters, binders_of(rule)
    if parameter.is_optional or binder.stop is not None or not conditions.is_ascending(binder.domain, env):
        return None
    sites = len(lowering.text.sites)
    found = conditions.mask_tests(lowering, binder, env)
    if found is None or found[1]:
        return None
    body = Body()
    body.line(f"{rest}: bits = 0")
    with lowering.provided(rule.guards[0], env, body):
        body.line(f"{rest} = {found[0]}")
    element = lowering.element(binder.domain)
    member = Scalar(plus(f"lowest({rest})", universe(element)[0]), False, scale_of(element))
    argument = move_argument(lowering, {**env, parameter.slot: member}, parameter)
    if len(lowering.text.sites) > sites:
        return None
    return body, lowering.moves.of(phase.name, rule.name).text([argument])


def _write_list(lowering: Lowering) -> None:
    """The functions that use a list: the mask is the number of moves left."""
    text = lowering.text
    text.define_as(
        "untried",
        "(C: ints[CONTEXT], S: state, L: ints[LISTED]) -> bits:\n    L[MOVES] = moves(C, S, L)\n    return L[MOVES]\n",
    )
    text.define_as(
        "first_untried",
        "(C: ints[CONTEXT], S: state, rest: bits, L: ints[LISTED]) -> int:\n"
        "    left: int = rest\n    return L[L[MOVES] - left]\n",
    )
    text.define_as("left_untried", "(rest: bits, move: int) -> bits:\n    return rest - 1\n")
