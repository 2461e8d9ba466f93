"""Statements of the model, lowered to statements of the dialect.

A body becomes a function that modifies the state in place and returns 1 if it leaves by ``go`` or ``end`` (the phase
and its arguments, or the payoffs, are then in the state), else 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from attrs import evolve

from zermelo.interpreter import model
from zermelo.interpreter.model import Block, Statement
from zermelo.interpreter.model.walks import own_statements
from zermelo.interpreter.native.coding.encoding import is_set, set_element, storage_of
from zermelo.interpreter.native.coding.layout import PHASE
from zermelo.interpreter.native.coding.observations import Perception
from zermelo.interpreter.native.coding.unobserved import NotLowered
from zermelo.interpreter.native.dialect.nesting import DEEP_BLOCKS, DEEP_LOOPS, LONG_BODY, LONG_CHAIN, require_shallow
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.admission import admitted
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Scalar, code_of
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.storing import stored_set
from zermelo.interpreter.native.perception import recording as perceiving
from zermelo.interpreter.native.rules import fills, outcomes
from zermelo.interpreter.native.rules.assignments import assign, set_local_field, stored
from zermelo.interpreter.native.rules.local_names import make_own, optional_set, set_local
from zermelo.interpreter.native.sets import loops
from zermelo.interpreter.native.sets.collected_loops import collected, is_unchanged
from zermelo.interpreter.types import OptionalType


def block(lowering: Lowering, statements: Block, env: Env, body: Body) -> None:
    """Statements in sequence; names that they bind are added to ``env``."""
    for statement in statements:
        lowering.depth += 1
        try:
            require_shallow(lowering.depth)
            _LOWER[type(statement)](lowering, statement, env, body)
        except Unsupported as beyond:
            beyond.locate(statement.span)
            raise
        finally:
            lowering.depth -= 1


def inner_block(lowering: Lowering, statements: Block, env: Env, body: Body) -> None:
    """The statements of a block open in ``body``; lifted into a function of their own if ``body`` is nested deep or
    long.

    Local names that they assign are already names of ``body``. The function assigns to copies, which it returns in
    arrays when it completes; after ``go`` or ``end`` they are dead.
    """
    if body.depth < DEEP_BLOCKS and body.loops < DEEP_LOOPS and len(body.lines) < LONG_BODY:
        block(lowering, statements, env, body)
        return
    text, own, inner = lowering.text, Body(), dict(env)
    make_own(lowering, statements, inner, own)
    copies = [slot for slot, binding in env.items() if inner[slot] is not binding]
    block(lowering, statements, inner, own)
    pairs: dict[str, list[tuple[str, str]]] = {"ints": [], "masks": []}
    for slot in copies:
        here, there = env[slot], inner[slot]
        assert isinstance(here, Scalar | Mask) and isinstance(there, Scalar | Mask), "only these can be assigned"
        pairs["ints" if isinstance(here, Scalar) else "masks"].append((here.text, there.text))
        if isinstance(here, Mask) and isinstance(there, Mask) and here.none != "0":
            pairs["ints"].append((here.none, there.none))
    handed_back = []
    for kind, names in pairs.items():
        if names:
            box = text.array(body, "box", len(names), kind)
            own.write(box, 0, [copy for _, copy in names])
            handed_back += [f"{outer} = {box}[{k}]" for k, (outer, _) in enumerate(names)]
    _run(lowering, text.lift("inner", own, 0), statements, body)
    for line in handed_back:
        body.line(line)


def _run(lowering: Lowering, call: str, statements: Block, body: Body) -> None:
    """Call the function of some statements, and leave if they do."""
    if can_leave(lowering, statements):
        body.return_if(f"{call} != 0", 1)
    else:
        body.line(call)


def can_leave(lowering: Lowering, statements: Block) -> bool:
    """Whether the statements contain a ``go`` or ``end``."""
    return any(
        isinstance(statement, model.Go | model.End)
        or (isinstance(statement, model.Do) and can_leave(lowering, statement.action.body))
        for statement in own_statements(statements)
    )


# ------------------------------------------------------------ flow of control


def _if(lowering: Lowering, statement: model.If_, env: Env, body: Body) -> None:
    make_own(lowering, (*statement.yes, *statement.no), env, body)
    cases, otherwise = _chain(statement)
    if len(cases) > LONG_CHAIN:
        _one_of(lowering, cases, otherwise, env, body)
        return
    with body.block(f"if {lowering.condition(statement.condition, env)}"):
        inner_block(lowering, statement.yes, env, body)
    if statement.no:
        with body.block("else"):
            inner_block(lowering, statement.no, env, body)


def _chain(statement: model.If_) -> tuple[list[model.If_], Block]:
    """The cases of an ``if`` with its ``else if``, and its ``else``."""
    cases = [statement]
    while len(cases[-1].no) == 1 and isinstance(cases[-1].no[0], model.If_):
        cases.append(cases[-1].no[0])
    return cases, cases[-1].no


def _one_of(lowering: Lowering, cases: list[model.If_], otherwise: Block, env: Env, body: Body) -> None:
    """A long chain: a function finds the first case whose condition holds, and comparisons bisect the cases."""
    search = Body()
    for k, case in enumerate(cases):
        search.return_if(lowering.condition(case.condition, env), k)
    number = lowering.text.let(body, "case", lowering.text.lift("case", search, len(cases)))
    blocks = [*(case.yes for case in cases), *([otherwise] if otherwise else [])]
    body.choose(number, [(k, partial(inner_block, lowering, of, env, body)) for k, of in enumerate(blocks)])


def _for(lowering: Lowering, statement: model.For, env: Env, body: Body) -> None:
    binders = statement.binders
    if fills.fill_selected(lowering, statement, env, body):
        return
    is_plain = is_unchanged(lowering, binders, env)
    if is_plain and len(binders) > DEEP_LOOPS:
        within = evolve(statement, binders=binders[DEEP_LOOPS:])
        binders, statement = binders[:DEEP_LOOPS], evolve(statement, body=(within,))
    make_own(lowering, statement.body, env, body)

    def run(now: Env) -> None:
        inner = {**env, **{binder.slot: now[binder.slot] for binder in binders}}
        inner_block(lowering, statement.body, inner, body)

    (loops.bindings if is_plain else collected)(lowering, binders, env, body, run)


def _go(lowering: Lowering, statement: model.Go, env: Env, body: Body) -> None:
    layout = lowering.layout
    phase = lowering.model.phases[statement.phase]
    values = [
        stored(lowering, argument, parameter.type, storage_of(parameter.type), env, body)
        for argument, parameter in zip(statement.arguments, phase.parameters, strict=True)
    ]
    body.write("S", layout.arguments, values + ["0"] * (layout.most_arguments - len(values)))
    body.line(f"S[{PHASE}] = {layout.phases.index(phase)}")
    body.line("return 1")


def _do(lowering: Lowering, statement: model.Do, env: Env, body: Body) -> None:
    """A call of an action, which becomes a function."""
    action = statement.action
    inner_body = Body()
    inner: Env = {}
    for slot, (argument, parameter) in enumerate(zip(statement.arguments, action.parameters, strict=True)):
        if is_set(parameter.type):
            if isinstance(parameter.type, OptionalType):
                inner[slot] = optional_set(lowering, argument, parameter.type, parameter.name, env, body)
                continue
            mask = stored_set(lowering, argument, env, parameter.type)
            name = lowering.text.let(body, parameter.name.lower(), mask, "bits")
            inner[slot] = Mask(name, set_element(parameter.type))
        else:
            value = lowering.scalar(argument, env, parameter.type)
            value = admitted(lowering, value, argument.type, parameter.type, "assigned-out-of-range", argument.span)
            bound = lowering.bind(body, value, parameter.name.lower())
            inner[slot] = code_of(parameter.type, bound.text)
    kept, lowering.kept = lowering.kept, frozenset()
    block(lowering, action.body, inner, inner_body)
    lowering.kept = kept
    _run(lowering, lowering.text.lift(action.name, inner_body, 0), action.body, body)


def _tell(lowering: Lowering, statement: model.Tell, env: Env, body: Body) -> None:
    """Record a telling if observations are lowered; otherwise only the reference machine tracks it."""
    if not isinstance(lowering.perception, Perception):
        return
    telling = body.beside()
    try:
        perceiving.tell(lowering, lowering.perception, statement, env, telling)
    except Unsupported as beyond:
        lowering.perception = NotLowered(beyond.construct)
        return
    body.insert(telling)


_LOWER: Final[dict[type[Statement], Callable[[Lowering, Any, Env, Body], None]]] = {
    model.SetLocal: set_local,
    model.SetLocalField: set_local_field,
    model.Assign: assign,
    model.Fill: fills.fill,
    model.If_: _if,
    model.For: _for,
    model.Go: _go,
    model.Do: _do,
    model.Tell: _tell,
    **outcomes.STATEMENTS,
}
