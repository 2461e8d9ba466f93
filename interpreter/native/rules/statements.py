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
from zermelo.interpreter.model import Block, Expr, Statement
from zermelo.interpreter.model.walks import own_statements
from zermelo.interpreter.native.coding.encoding import is_set, places, set_element, storage_of
from zermelo.interpreter.native.coding.layout import PHASE, Place
from zermelo.interpreter.native.coding.observations import NotLowered, Perception
from zermelo.interpreter.native.dialect.nesting import DEEP_BLOCKS, DEEP_LOOPS, LONG_BODY, LONG_CHAIN, require_shallow
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.admission import admitted
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Scalar, code_of
from zermelo.interpreter.native.expressions.lowering import Lowering, TooNarrow
from zermelo.interpreter.native.expressions.storing import store, stored_set
from zermelo.interpreter.native.expressions.variables import entry, stored_text
from zermelo.interpreter.native.perception import recording as perceiving
from zermelo.interpreter.native.rules import fills, outcomes
from zermelo.interpreter.native.sets import listed_families as listings
from zermelo.interpreter.native.sets import loops, optional_sets
from zermelo.interpreter.native.sets.collected_loops import collected, is_unchanged
from zermelo.interpreter.native.sets.family_questions import is_set_of_sets
from zermelo.interpreter.native.sets.set_order import is_ascending
from zermelo.interpreter.storage import type_at
from zermelo.interpreter.types import NoneType, OptionalType, TupleType, Type, strip_none


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
    _make_own(lowering, statements, inner, own)
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
            box = text.local(body, "box", f"{kind}[{len(names)}]")
            body.line(f"{box} = {'array' if kind == 'ints' else 'masks'}({len(names)})")
            for k, (outer, copy) in enumerate(names):
                own.line(f"{box}[{k}] = {copy}")
                handed_back.append(f"{outer} = {box}[{k}]")
    own.line("return 0")
    call = text.lift("inner", own)
    if can_leave(lowering, statements):
        with body.block(f"if {call} != 0"):
            body.line("return 1")
    else:
        body.line(call)
    for line in handed_back:
        body.line(line)


def can_leave(lowering: Lowering, statements: Block) -> bool:
    """Whether the statements contain a ``go`` or ``end``."""
    return any(
        isinstance(statement, model.Go | model.End)
        or (isinstance(statement, model.Do) and can_leave(lowering, statement.action.body))
        for statement in own_statements(statements)
    )


# ------------------------------------------------------------- local names


def _set_local(lowering: Lowering, statement: model.SetLocal, env: Env, body: Body) -> None:
    expr, type = statement.value, statement.type
    if isinstance(expr.type if type is None else type, OptionalType) and is_set(expr.type if type is None else type):
        _set_local_optional(lowering, statement, env, body)
        return
    if type is None and statement.slot not in lowering.kept and is_set_of_sets(expr.type):
        env[statement.slot] = listings.listing(lowering, expr, env, body)
        return
    if is_set(expr.type):
        ascending = type is not None or is_ascending(expr, env)
        element = lowering.element(expr) if type is None else set_element(type)
        text = lowering.mask(expr, env, element) if type is None else stored_set(lowering, expr, env, type)
        env[statement.slot] = Mask(_put(lowering, statement, env, body, text, "bits"), element, ascending)
        return
    value = lowering.scalar(expr, env, type)
    if type is not None:
        value = admitted(lowering, value, expr.type, type, "assigned-out-of-range", expr.span)
    has_none = value.has_none if type is None else isinstance(type, OptionalType)
    name = _put(lowering, statement, env, body, value.text, "int")
    env[statement.slot] = Scalar(name, has_none, value.scale)


def _set_local_optional(lowering: Lowering, statement: model.SetLocal, env: Env, body: Body) -> None:
    """Assign a set that may be none: its mask, and a flag for none."""
    type = statement.value.type if statement.type is None else statement.type
    ascending = statement.type is not None or is_ascending(statement.value, env)
    if statement.slot in lowering.kept:
        storage, name = storage_of(type), f"S[{lowering.layout.name_slot(statement.slot)}]"
        if storage.width > lowering.layout.width:
            raise TooNarrow(storage.width)
        body.line(f"{name} = {optional_sets.set_to_store(lowering, statement.value, env, type, storage)}")
        env[statement.slot] = evolve(optional_sets.set_held(type, name), is_ascending=ascending)
        return
    new = _optional_set(lowering, statement.value, type, statement.name, env, body)
    new = evolve(new, is_ascending=ascending)
    old = env.get(statement.slot)
    if isinstance(old, Mask) and old.text in body.own and old.none in body.own:
        body.line(f"{old.text} = {new.text}")
        body.line(f"{old.none} = {new.none}")
        new = evolve(new, text=old.text, none=old.none)
    env[statement.slot] = new


def _optional_set(lowering: Lowering, expr: Expr, type: Type, name: str, env: Env, body: Body) -> Mask:
    """Fresh names for a set that may be none, admitted to this type."""
    none, mask = lowering.text.local(body, "none"), lowering.text.local(body, name.lower(), "bits")
    body.line(f"{none}: int = {optional_sets.is_none(lowering, expr, env)}")
    if isinstance(expr.type, NoneType):
        body.line(f"{mask}: bits = 0")
    else:
        body.line(f"{mask}: bits = {stored_set(lowering, expr, env, type)} if not {none} else 0")
    return Mask(mask, set_element(type), True, none)


def _put(lowering: Lowering, statement: model.SetLocal, env: Env, body: Body, text: str, kind: str) -> str:
    """Assign to a local name, the one bound to the slot or a fresh one; returns the text that reads it."""
    old = env.get(statement.slot)
    if statement.slot in lowering.kept:
        slot = lowering.layout.name_slot(statement.slot)
        name = f"S[{slot}]"
        body.line(f"{name} = {text}")
        if kind == "int":  # slots of a state are unsigned
            lowering.layout.signed_names.add(slot)
            name = f"{lowering.code('signed')}({name})"
    elif isinstance(old, Scalar | Mask) and old.text in body.own and lowering.text.kinds[old.text] == kind:
        name = old.text
        body.line(f"{name} = {text}")
    else:
        name = lowering.text.local(body, statement.name.lower(), kind)
        body.line(f"{name}: {kind} = {text}")
    return name


def _set_local_field(lowering: Lowering, statement: model.SetLocalField, env: Env, body: Body) -> None:
    _make_own(lowering, (statement,), env, body)
    binding = env.get(statement.slot)
    assert isinstance(binding, Scalar), "a name of a record"
    held = lowering.bind(body, Scalar(binding.text), "held").text
    _require_record(lowering, held, statement, statement.type, binding.has_none, body)
    value, shift, width = _field_value(lowering, statement.value, statement.type, statement.path, env)
    name = f"S[{lowering.layout.name_slot(statement.slot)}]" if statement.slot in lowering.kept else binding.text
    body.line(f"{name} = ({held} & {~(((1 << width) - 1) << shift)}) | ({value} << {shift})")


def _field_value(lowering: Lowering, expr: Expr, type: Type, path: tuple[int, ...], env: Env) -> tuple[str, int, int]:
    """The stored form of a value in a place of a record, its first bit, its width."""
    shift = 0
    storage = storage_of(type)
    for index in path:
        record = strip_none(type).base
        assert isinstance(record, TupleType)
        storage, at = places(record)[index]
        shift += at
        type = type_at(type, (index,))
    value = admitted(lowering, lowering.scalar(expr, env, type), expr.type, type, "assigned-out-of-range", expr.span)
    return storage.put_text(value.text), shift, storage.width


def _require_record(
    lowering: Lowering,
    name: str,
    statement: model.SetLocalField | model.Assign,
    type: Type,
    can_miss: bool,
    body: Body,
) -> None:
    """Check that the name is a record of this type (``can_miss``: it may be none or unset), and that no inner record on
    the path is none; after a fault the name is 0."""
    tests = [f"{name} < 0"] if can_miss else []
    shift = 0
    for index in statement.path[:-1]:
        record = strip_none(type).base
        assert isinstance(record, TupleType)
        storage, at = places(record)[index]
        shift, type = shift + at, record.items[index]
        if isinstance(type, OptionalType):
            tests.append(f"({name} >> {shift}) & {(1 << storage.width) - 1} == 0")
    if tests:
        with body.block(f"if {' or '.join(tests)}"):
            _fail(body, lowering.text.site("none-value", statement.span))
            body.line(f"{name} = 0")


# --------------------------------------------------------------- variables


def _assign(lowering: Lowering, statement: model.Assign, env: Env, body: Body) -> None:
    place = lowering.layout.places[statement.variable]
    expr = statement.value
    if is_set(statement.variable.type):
        text = lowering.text.local(body, "value", "bits")
        held = optional_sets.set_to_store(lowering, expr, env, statement.variable.type, place.storage)
        body.line(f"{text}: bits = {held}")
        at = _entry(lowering, place, statement, env, body)
        store(lowering, place, at, text, body)
        return
    if statement.path:
        _assign_field(lowering, statement, place, env, body)
        return
    type = statement.variable.type
    value = lowering.scalar(expr, env, type)
    value = admitted(lowering, value, expr.type, type, "assigned-out-of-range", expr.span)
    value = lowering.bind(body, value, "value")
    at = _entry(lowering, place, statement, env, body)
    store(lowering, place, at, place.storage.put_text(value.text), body)


def _assign_field(lowering: Lowering, statement: model.Assign, place: Place, env: Env, body: Body) -> None:
    text, shift, width = _field_value(lowering, statement.value, statement.variable.type, statement.path, env)
    value = lowering.text.local(body, "value")
    body.line(f"{value}: int = {text}")
    at = _entry(lowering, place, statement, env, body)
    held = lowering.text.local(body, "held")
    body.line(f"{held}: int = {place.storage.take_text(stored_text(lowering, place, at))}")
    can_miss = place.storage.has_none or place.storage.has_unset
    _require_record(lowering, held, statement, statement.variable.type, can_miss, body)
    body.line(f"{held} = ({held} & {~(((1 << width) - 1) << shift)}) | ({value} << {shift})")
    store(lowering, place, at, place.storage.put_text(held), body)


def _fail(body: Body, site: int) -> None:
    with body.block("if C[0] == 0"):
        body.line(f"C[0] = {site}")


def _entry(lowering: Lowering, place: Place, statement: model.Assign, env: Env, body: Body) -> str:
    text, has_none = entry(lowering, place, statement.indices, env)
    if not place.indices:
        return "0"
    at = lowering.text.local(body, "at")
    body.line(f"{at}: int = {text}")
    if has_none:
        with body.block(f"if {at} < 0"):
            _fail(body, lowering.text.site("none-value", statement.span))
            body.line(f"{at} = 0")
    return at


# ------------------------------------------------------------ flow of control


def _make_own(lowering: Lowering, statements: Block, env: Env, body: Body) -> None:
    """Make names assigned by conditional statements local to this function, so that they have a value even if these do
    not run."""
    for statement in own_statements(statements):
        if not isinstance(statement, model.SetLocal | model.SetLocalField) or statement.slot in lowering.kept:
            continue
        old = env.get(statement.slot)
        if isinstance(old, Scalar | Mask) and old.text not in body.own:
            kind = "int" if isinstance(old, Scalar) else "bits"
            name = lowering.text.local(body, statement.name.lower(), kind)
            body.line(f"{name}: {kind} = {old.text}")
            env[statement.slot] = evolve(old, text=name)
            if isinstance(old, Mask) and old.none != "0":
                none = lowering.text.local(body, "none")
                body.line(f"{none}: int = {old.none}")
                env[statement.slot] = evolve(old, text=name, none=none)


def _if(lowering: Lowering, statement: model.If_, env: Env, body: Body) -> None:
    _make_own(lowering, (*statement.yes, *statement.no), env, body)
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
        with search.block(f"if {lowering.condition(case.condition, env)}"):
            search.line(f"return {k}")
    search.line(f"return {len(cases)}")
    number = lowering.text.local(body, "case")
    body.line(f"{number}: int = {lowering.text.lift('case', search)}")
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
    _make_own(lowering, statement.body, env, body)

    def run(now: Env) -> None:
        inner = {**env, **{binder.slot: now[binder.slot] for binder in binders}}
        inner_block(lowering, statement.body, inner, body)

    (loops.bindings if is_plain else collected)(lowering, binders, env, body, run)


def _go(lowering: Lowering, statement: model.Go, env: Env, body: Body) -> None:
    layout = lowering.layout
    phase = lowering.model.phases[statement.phase]
    names = []
    for argument, parameter in zip(statement.arguments, phase.parameters, strict=True):
        if is_set(parameter.type):
            name = lowering.text.local(body, "to", "bits")
            storage = storage_of(parameter.type)
            body.line(f"{name}: bits = {optional_sets.set_to_store(lowering, argument, env, parameter.type, storage)}")
        else:
            value = lowering.scalar(argument, env, parameter.type)
            value = admitted(lowering, value, argument.type, parameter.type, "assigned-out-of-range", argument.span)
            value = lowering.bind(body, value, "to")
            name = storage_of(parameter.type).put_text(value.text)
        names.append(name)
    most = layout.most_arguments
    for k in range(most):
        body.line(f"S[{layout.arguments + k}] = {names[k] if k < len(names) else 0}")
    body.line(f"S[{PHASE}] = {layout.phases.index(phase)}")
    body.line("return 1")


def _end(lowering: Lowering, statement: model.End, env: Env, body: Body) -> None:
    outcomes.pay(lowering, statement, env, body)
    layout = lowering.layout
    for k in range(layout.most_arguments):
        body.line(f"S[{layout.arguments + k}] = 0")
    body.line(f"S[{PHASE}] = {layout.ended}")
    body.line("return 1")


def _do(lowering: Lowering, statement: model.Do, env: Env, body: Body) -> None:
    """A call of an action, which becomes a function."""
    action = statement.action
    inner_body = Body()
    inner: Env = {}
    for slot, (argument, parameter) in enumerate(zip(statement.arguments, action.parameters, strict=True)):
        if is_set(parameter.type):
            if isinstance(parameter.type, OptionalType):
                inner[slot] = _optional_set(lowering, argument, parameter.type, parameter.name, env, body)
                continue
            name = lowering.text.local(body, parameter.name.lower(), "bits")
            body.line(f"{name}: bits = {stored_set(lowering, argument, env, parameter.type)}")
            inner[slot] = Mask(name, set_element(parameter.type))
        else:
            value = lowering.scalar(argument, env, parameter.type)
            value = admitted(lowering, value, argument.type, parameter.type, "assigned-out-of-range", argument.span)
            bound = lowering.bind(body, value, parameter.name.lower())
            inner[slot] = code_of(parameter.type, bound.text)
    kept, lowering.kept = lowering.kept, frozenset()
    block(lowering, action.body, inner, inner_body)
    lowering.kept = kept
    inner_body.line("return 0")
    call = lowering.text.lift(action.name, inner_body)
    if can_leave(lowering, action.body):
        with body.block(f"if {call} != 0"):
            body.line("return 1")
    else:
        body.line(call)


def _earn(lowering: Lowering, statement: model.Earn, env: Env, body: Body) -> None:
    outcomes.earn(lowering, statement, env, body)


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
    body.lines += telling.lines
    body.own |= telling.own


_LOWER: Final[dict[type[Statement], Callable[[Lowering, Any, Env, Body], None]]] = {
    model.SetLocal: _set_local,
    model.SetLocalField: _set_local_field,
    model.Assign: _assign,
    model.Fill: fills.fill,
    model.If_: _if,
    model.For: _for,
    model.Go: _go,
    model.End: _end,
    model.Do: _do,
    model.Earn: _earn,
    model.Tell: _tell,
}
