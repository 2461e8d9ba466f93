"""Statements of the model, lowered to statements of the dialect.

A body becomes a function that modifies the state in place and returns 1 if it leaves by ``go`` or ``end`` (the phase
and its arguments, or the payoffs, are then in the state), else 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, Final

from attrs import evolve

from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.model import Block, Expr, Statement
from zermelo.interpreter.model.rewriting import free_slots, own_statements
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import (
    DEEP_BLOCKS,
    DEEP_LOOPS,
    LONG_BODY,
    LONG_CHAIN,
    Body,
    Text,
    Unsupported,
    require_shallow,
)
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Scalar, code_of
from zermelo.interpreter.native.expressions.lowering import Lowering, TooNarrow, bounded_amount
from zermelo.interpreter.native.expressions.variables import (
    admitted,
    needs_check,
    position_of_entry,
    positions,
    store_entry,
    stored_set,
    stored_text,
)
from zermelo.interpreter.native.rules import perception
from zermelo.interpreter.native.sets import conditions, loops, masks
from zermelo.interpreter.native.sets.conditions import is_ascending
from zermelo.interpreter.native.sets.loops import collect_loops, is_unchanged
from zermelo.interpreter.native.state_encoding.encoding import (
    MOST_PARTS,
    Storage,
    is_set,
    number_type,
    places,
    set_element,
    storage_of,
    universe,
)
from zermelo.interpreter.native.state_encoding.observations import Perception
from zermelo.interpreter.native.state_encoding.state_layout import ACTOR, PHASE, NotLowered, Place, StateLayout
from zermelo.interpreter.storage import admission_test, type_at
from zermelo.interpreter.types import NoneType, OptionalType, TupleType, Type, strip_none

# Discounted payoffs as whole numbers.
#
# With a discount of a / b, an amount after k decisions of the players is multiplied by (a / b) ** k. All payoffs of a
# game share one denominator, here D b ** N, where D is that of the undiscounted amounts. An amount over D is then
# multiplied by ``WORTH[k]`` = a ** k b ** (N - k), which is whole for all k up to N. N (``LONGEST`` in the text) is the
# greatest number that keeps the denominator within 38 bits: 11 for 9/10, 38 for 1/2. A play with amounts after more
# decisions falls back to the reference machine.
#
# A state has two counts of decisions: those that discount the amounts of the current run and, in the next slot, those
# of the next run. A player's move copies the second count to the first and increments the second.


_MOST_PARTS: Final = 1 << 38
_MOST: Final = 1 << 54
"""The bound on amounts over the common denominator."""


def discount_factors(discount: Fraction, denominator: int) -> tuple[int, ...]:
    """The table ``WORTH`` for undiscounted amounts over ``denominator``."""
    longest = 0
    while denominator * discount.denominator ** (longest + 1) <= _MOST_PARTS:
        longest += 1
    return tuple(discount.numerator**k * discount.denominator ** (longest - k) for k in range(longest + 1))


def _discount_functions(text: Text, decisions: int) -> Mapping[str, str]:
    return instantiate(text, "payoffs", DECISIONS=decisions, ACTOR=ACTOR, MOST=_MOST)


def begin_run(lowering: Lowering) -> str:
    """The name of the function that updates the counts of decisions when a move or an outcome is made."""
    decisions = lowering.layout.decisions
    if decisions is None:
        return lowering.text.share("begin_run", "(S: state) -> int:\n    return 0\n")
    return _discount_functions(lowering.text, decisions)["begin_run"]


def discount_amount(lowering: Lowering, amount: str, span: Span) -> str:
    """The discounted amount over the denominator of the program."""
    decisions = lowering.layout.decisions
    if decisions is None:
        return amount
    helper = _discount_functions(lowering.text, decisions)["discounted"]
    return f"{helper}(C, S, {amount}, {lowering.text.site('overflow', span)})"


def discount_end(layout: StateLayout, amount: str) -> str:
    """The discounted amount of an end, which has been checked with :func:`discount_amount`."""
    if layout.decisions is None:
        return amount
    behind = f"S[{layout.decisions}]"
    return f"{amount} * WORTH[{behind} if {behind} < LONGEST else LONGEST]"


# Payoffs, as whole numbers over the common denominator of a game.
#
# The denominator is known only after all payoffs have been lowered. So the text has constants for its quotients by the
# denominators of single amounts (:meth:`zermelo.interpreter.native.dialect.lowered_text.Text.over`), whose values
# :func:`settle_denominator` fills in at the end.


_BOUND = 1 << 60


def settle_denominator(text: Text) -> int:
    """The common denominator of all amounts in a text; sets the constants of the text."""
    denominator = lcm(1, *text.parts)
    if denominator > MOST_PARTS:
        raise Unsupported("payoffs with a denominator of more than 24 bits")
    for part, name in text.parts.items():
        text.constants[name] = denominator // part
    return denominator


def _lower_end(lowering: Lowering, statement: model.End, env: Env, body: Body) -> None:
    """End the play, with the payoffs."""
    _write_payoffs(lowering, statement, env, body)
    layout = lowering.layout
    body.write("S", layout.arguments, [0] * layout.most_arguments)
    body.line(f"S[{PHASE}] = {layout.ended}")
    body.line("return 1")


def _write_payoffs(lowering: Lowering, statement: model.End, env: Env, body: Body) -> None:
    """Write the payoffs of an ``end`` to the state."""
    first, players = lowering.layout.payoffs, len(lowering.model.players)
    match statement.outcome:
        case model.DrawOutcome():
            body.line(f"{_payoff_functions(lowering)['pay_nobody']}(S)")
        case model.WinOutcome(winners=winners) if is_set(winners.type):
            _win_together(lowering, lowering.mask(winners, env), winners.span, body)
        case model.WinOutcome(winners=winners):
            winner = lowering.whole(winners, env)
            body.line(f"{_payoff_functions(lowering)['pay_winner']}(S, {winner}, {_shares(lowering, 1)})")
        case model.PayoffOutcome(entries=entries) if _is_one_for_each(entries, players):
            for player, amount in entries:
                body.line(f"S[{first} + {lowering.whole(player, env)}] = {_lower_amount(lowering, amount, env)}")
        case model.PayoffOutcome(entries=entries):
            given = lowering.text.let(body, "given", 0)
            for player, amount in entries:
                _pay_player(lowering, statement, given, player, amount, env, body)
            _check_all_paid(lowering, statement, given, body)
        case model.PayoffForOutcome() as outcome:
            given = lowering.text.let(body, "given", 0)
            loops.loop_over_bindings(
                lowering,
                outcome.binders,
                env,
                body,
                lambda now: _pay_player(lowering, statement, given, outcome.player, outcome.amount, now, body),
            )
            _check_all_paid(lowering, statement, given, body)
    if isinstance(statement.outcome, model.PayoffOutcome | model.PayoffForOutcome) and statement.outcome.largest_wins:
        _win_together(lowering, f"{_payoff_functions(lowering)['leaders']}(S)", None, body)
    if lowering.layout.decisions is not None:
        for k in range(players):
            body.line(discount_amount(lowering, f"S[{first + k}]", statement.span))


def _is_one_for_each(entries: tuple[tuple[Expr, Expr], ...], players: int) -> bool:
    """Whether every player is named exactly once, so that no check is needed."""
    named = {player.value for player, _ in entries if isinstance(player, model.Const)}
    return len(named) == len(entries) == players


def _win_together(lowering: Lowering, winners: str, span: Span | None, body: Body) -> None:
    """Pay the players of a set as winners. If all players are in it, that is an error at ``span``, or a draw without a
    span."""
    players = len(lowering.model.players)
    mask = lowering.text.let(body, "winners", winners, "bits")
    count = lowering.text.let(body, "count", f"popcount({mask})")
    if span is not None:
        fault = f"{count} == 0" if players == 1 else f"{count} == 0 or {count} == {players}"
        lowering.fault_if(body, fault, "no-payoff", span)
    for won in range(1, max(players, 2)):
        with body.block(f"if {count} == {won}"):
            body.line(f"{_payoff_functions(lowering)['pay_winners']}(S, {mask}, {_shares(lowering, won)})")
    if span is None:
        with body.block(f"if {count} == {players}"):
            body.line(f"{_payoff_functions(lowering)['pay_nobody']}(S)")


def _shares(lowering: Lowering, won: int) -> str:
    """The payoffs of each of ``won`` winners and of each loser."""
    lost = len(lowering.model.players) - won
    return f"{lowering.text.over(won)}, {f'-{lowering.text.over(lost)}' if lost > 0 else '0'}"


def _payoff_functions(lowering: Lowering) -> Mapping[str, str]:
    return instantiate(lowering.text, "payoffs", PAYOFFS=lowering.layout.payoffs)


def _pay_player(
    lowering: Lowering, statement: model.End, given: str, player: Expr, amount: Expr, env: Env, body: Body
) -> None:
    """Write one player's amount; a second one for the same player must be equal."""
    who, value = lowering.whole(player, env), _lower_amount(lowering, amount, env)
    site = lowering.text.site("conflicting-payoffs", statement.span)
    body.line(f"{given} = {_payoff_functions(lowering)['pay']}(C, S, {given}, {who}, {value}, {site})")


def _check_all_paid(lowering: Lowering, statement: model.End, given: str, body: Body) -> None:
    everybody = (1 << len(lowering.model.players)) - 1
    lowering.fault_if(body, f"{given} != {everybody}", "no-payoff", statement.span)


def _lower_amount(lowering: Lowering, amount: Expr, env: Env) -> str:
    """An amount over the common denominator."""
    value = bounded_amount(lowering, amount, env)
    return f"({value.text} * {lowering.text.over(value.scale)})"


def _lower_earn(lowering: Lowering, statement: model.Earn, env: Env, body: Body) -> None:
    """Add to a player's earnings, with a check that the sum fits into 60 bits."""
    first = lowering.layout.earnings
    assert first is not None
    who, amount = lowering.whole(statement.player, env), _lower_amount(lowering, statement.amount, env)
    amount = discount_amount(lowering, amount, statement.span)
    function = instantiate(lowering.text, "payoffs", EARNINGS=first, BOUND=_BOUND)["earn"]
    body.line(f"{function}(C, S, {who}, {amount}, {lowering.text.site('overflow', statement.span)})")


# The lowering of hints for search: estimates, unsettled positions, the order of moves.
#
# A function exists if the file gives the hint. If a hint cannot be lowered, the rules are lowered without it: its
# function is missing, and with ``estimate`` the denominator.


def hint_functions(lowering: Lowering) -> int | None:
    """Write the functions; returns the denominator of estimates, None if there are none."""
    game = lowering.model
    player = lowering.text.fresh("p")
    denominator = None
    if game.network is None and game.estimate is not None:
        head = f"estimate(C: ints[CONTEXT], S: state, {player}: int) -> int"
        denominator = _write_hint(lowering, head, game.estimate.value, {0: Scalar(player)})
    if game.unsettled is not None:
        _write_hint(lowering, "unsettled(C: ints[CONTEXT], S: state) -> int", game.unsettled.value, {})
    if game.order_moves is not None:
        _write_hint(lowering, "order_key(C: ints[CONTEXT], S: state) -> int", game.order_moves.value, {})
    return denominator


def features_function(lowering: Lowering) -> tuple[int, ...]:
    """Write the function of the features of a weighted sum; returns their denominators, none if there is no sum, or if
    one of its features cannot be lowered."""
    estimate = lowering.model.estimate
    features = () if estimate is None or lowering.model.network is not None else estimate.features
    player, body, scales = lowering.text.fresh("p"), Body(), list[int]()
    try:
        for k, feature in enumerate(features):
            asked = model.Local(0, "player", type=lowering.model.player_type, span=feature.value.span)
            value = model.Call(feature.define, (asked,), type=feature.value.type, span=feature.value.span)
            lowered = bounded_amount(lowering, value, {0: Scalar(player)})
            body.line(f"X[{k}] = {lowered.text}")
            scales.append(lowered.scale)
    except Unsupported:
        return ()
    if features:
        lowering.text.function(f"features(C: ints[CONTEXT], S: state, {player}: int, X: ints[TERMS]) -> int", body)
    return tuple(scales)


def _write_hint(lowering: Lowering, head: str, value: model.Expr, names: Env) -> int | None:
    """Write one function; returns the denominator of its values, None if it cannot be lowered."""
    try:
        lowered = bounded_amount(lowering, value, names) if number_type(value.type) else lowering.value(value, names)
    except Unsupported:
        return None
    lowering.text.function(head, Body(), lowered.text)
    return lowered.scale


# Local names: those of ``let`` and of a local ``var``, and assignments to whole ones.


def set_local(lowering: Lowering, statement: model.SetLocal, env: Env, body: Body) -> None:
    expr, type = statement.value, statement.type
    if isinstance(expr.type if type is None else type, OptionalType) and is_set(expr.type if type is None else type):
        _assign_optional(lowering, statement, env, body)
        return
    if type is None and statement.slot not in lowering.kept and masks.is_set_of_sets(expr.type):
        env[statement.slot] = masks.list_sets(lowering, expr, env, body)
        return
    if is_set(expr.type):
        ascending = type is not None or is_ascending(expr, env)
        element = lowering.element(expr) if type is None else set_element(type)
        text = lowering.mask(expr, env, element) if type is None else stored_set(lowering, expr, env, type)
        order = None if ascending or statement.slot in lowering.kept else _members_in_order(lowering, expr, env, body)
        name = _assign_name(lowering, statement, env, body, text, "bits")
        env[statement.slot] = Mask(name, element, ascending, order=order)
        return
    value = lowering.scalar(expr, env) if type is None else admitted(lowering, expr, env, type)
    has_none = value.has_none if type is None else isinstance(type, OptionalType)
    name = _assign_name(lowering, statement, env, body, value.text, "int")
    env[statement.slot] = Scalar(name, has_none, value.scale)


def _members_in_order(lowering: Lowering, expr: Expr, env: Env, body: Body) -> tuple[str, str] | None:
    """The members of a set in an order of its own; None if loops over it are not covered: there may be no loops."""
    listed = body.beside()
    try:
        order = loops.list_in_order(lowering, expr, env, listed)
    except Unsupported:
        return None
    body.lines += listed.lines
    body.own |= listed.own
    return order


def _assign_optional(lowering: Lowering, statement: model.SetLocal, env: Env, body: Body) -> None:
    """Assign a set that may be none: its mask, and a flag for none."""
    type = statement.value.type if statement.type is None else statement.type
    ascending = statement.type is not None or is_ascending(statement.value, env)
    if statement.slot in lowering.kept:
        storage, name = storage_of(type), f"S[{lowering.layout.name_slot(statement.slot)}]"
        if storage.width > lowering.layout.width:
            raise TooNarrow(storage.width)
        body.line(f"{name} = {conditions.set_to_store(lowering, statement.value, env, type, storage)}")
        env[statement.slot] = evolve(conditions.set_from_stored(type, name), is_ascending=ascending)
        return
    new = optional_set(lowering, statement.value, type, statement.name, env, body)
    new = evolve(new, is_ascending=ascending)
    old = env.get(statement.slot)
    if isinstance(old, Mask) and old.text in body.own and old.none in body.own:
        body.line(f"{old.text} = {new.text}")
        body.line(f"{old.none} = {new.none}")
        new = evolve(new, text=old.text, none=old.none)
    env[statement.slot] = new


def optional_set(lowering: Lowering, expr: Expr, type: Type, name: str, env: Env, body: Body) -> Mask:
    """Fresh names for a set that may be none, admitted to this type."""
    none, mask = lowering.text.let(body, "none", conditions.is_none(lowering, expr, env)), "0"
    if not isinstance(expr.type, NoneType):
        mask = f"{stored_set(lowering, expr, env, type)} if not {none} else 0"
    return Mask(lowering.text.let(body, name.lower(), mask, "bits"), set_element(type), True, none)


def _assign_name(lowering: Lowering, statement: model.SetLocal, env: Env, body: Body, text: str, kind: str) -> str:
    """Assign to a local name, the one bound to the slot or a fresh one; returns the text that reads it."""
    old = env.get(statement.slot)
    if statement.slot in lowering.kept:
        slot = lowering.layout.name_slot(statement.slot)
        name = f"S[{slot}]"
        body.line(f"{name} = {text}")
        if kind == "int":  # slots of a state are unsigned
            lowering.layout.signed_names.add(slot)
            name = f"{lowering.helper('signed')}({name})"
    elif isinstance(old, Scalar | Mask) and old.text in body.own and lowering.text.kinds[old.text] == kind:
        name = old.text
        body.line(f"{name} = {text}")
    else:
        name = lowering.text.let(body, statement.name.lower(), text, kind)
    return name


def make_own(lowering: Lowering, statements: Block, env: Env, body: Body) -> None:
    """Make names assigned by conditional statements local to this function, so that they have a value even if these do
    not run."""
    for statement in own_statements(statements):
        if not isinstance(statement, model.SetLocal | model.SetLocalField) or statement.slot in lowering.kept:
            continue
        old = env.get(statement.slot)
        if isinstance(old, Scalar | Mask) and old.text not in body.own:
            kind = "int" if isinstance(old, Scalar) else "bits"
            name = lowering.text.let(body, statement.name.lower(), old.text, kind)
            env[statement.slot] = evolve(old, text=name)
            if isinstance(old, Mask) and old.none != "0":
                env[statement.slot] = evolve(old, text=name, none=lowering.text.let(body, "none", old.none))


# Assignments to entries of variables, and to places of records, be they in entries or in local names.


def store_value(lowering: Lowering, expr: Expr, type: Type, storage: Storage, env: Env, body: Body) -> str:
    """The stored form of a value that is evaluated here, with the check that its place, of this type, admits it."""
    if is_set(type):
        mask = conditions.set_to_store(lowering, expr, env, type, storage)
        return lowering.text.let(body, "value", mask, "bits")
    return storage.put_text(lowering.bind(body, admitted(lowering, expr, env, type), "value").text)


def assign(lowering: Lowering, statement: model.Assign, env: Env, body: Body) -> None:
    place = lowering.layout.places[statement.variable]
    if statement.path:
        _assign_field(lowering, statement, place, env, body)
        return
    value = store_value(lowering, statement.value, statement.variable.type, place.storage, env, body)
    at = _entry_position(lowering, place, statement, env, body)
    store_entry(lowering, place, at, value, body)


def _assign_field(lowering: Lowering, statement: model.Assign, place: Place, env: Env, body: Body) -> None:
    text, shift, width = _field_value(lowering, statement.value, statement.variable.type, statement.path, env)
    value = lowering.text.let(body, "value", text)
    at = _entry_position(lowering, place, statement, env, body)
    held = lowering.text.let(body, "held", place.storage.take_text(stored_text(lowering, place, at)))
    can_miss = place.storage.has_none or place.storage.has_unset
    _require_record(lowering, held, statement, statement.variable.type, can_miss, body)
    body.line(f"{held} = {_with_field(held, value, shift, width)}")
    store_entry(lowering, place, at, place.storage.put_text(held), body)


def _entry_position(lowering: Lowering, place: Place, statement: model.Assign, env: Env, body: Body) -> str:
    text, has_none = position_of_entry(lowering, place, statement.indices, env)
    if not place.indices:
        return "0"
    at = lowering.text.let(body, "at", text)
    if has_none:
        with body.block(f"if {at} < 0"):
            lowering.fault(body, "none-value", statement.span)
            body.line(f"{at} = 0")
    return at


def set_local_field(lowering: Lowering, statement: model.SetLocalField, env: Env, body: Body) -> None:
    make_own(lowering, (statement,), env, body)
    binding = env.get(statement.slot)
    assert isinstance(binding, Scalar), "a name of a record"
    held = lowering.bind(body, Scalar(binding.text), "held").text
    _require_record(lowering, held, statement, statement.type, binding.has_none, body)
    value, shift, width = _field_value(lowering, statement.value, statement.type, statement.path, env)
    name = f"S[{lowering.layout.name_slot(statement.slot)}]" if statement.slot in lowering.kept else binding.text
    body.line(f"{name} = {_with_field(held, value, shift, width)}")


def _with_field(record: str, value: str, shift: int, width: int) -> str:
    """A record in which these bits are replaced by another value."""
    return f"({record} & {~(((1 << width) - 1) << shift)}) | ({value} << {shift})"


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
    return storage.put_text(admitted(lowering, expr, env, type).text), shift, storage.width


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
            lowering.fault(body, "none-value", statement.span)
            body.line(f"{name} = 0")


# Statements that assign one value to many entries, on masks: to all of a variable (``board := none``) or to those of a
# set (``for t in flipped: board[t] := p``).


def fill_selected(lowering: Lowering, statement: model.For, env: Env, body: Body) -> bool:
    """Lower a loop of this kind, if nothing in it can fail. Returns whether that was possible. If so, neither the order
    of the set matters, nor whether it is evaluated before the first assignment."""
    if len(statement.binders) != 1 or len(statement.body) != 1:
        return False
    (binder,), (assign,) = statement.binders, statement.body
    if not isinstance(assign, model.Assign) or assign.path or len(assign.indices) != 1:
        return False
    (index,), place = assign.indices, lowering.layout.places[assign.variable]
    type, value = assign.variable.type, assign.value
    if (
        not place.is_planes
        or not isinstance(index, model.Local)
        or index.slot != binder.slot
        or binder.slot in free_slots(value)
        or not conditions.is_plain(value)
        or isinstance(value, model.Read)
        or needs_check(assign.variable.indices[0], index.type)
        or universe(lowering.element(binder.domain))[0] != place.indices[0].bias
        or not (isinstance(value.type, NoneType) or admission_test(type, value.type) is None)
    ):
        return False
    given = lowering.scalar(value, env, type)
    if given.has_none and not isinstance(type, OptionalType):
        return False
    chosen = conditions.select_mask(lowering, binder, env)
    if chosen is None:
        if binder.stop is not None or binder.tests:
            return False
        try:
            chosen = lowering.mask(binder.domain, env)
        except Unsupported:
            return False
    body.line(f"{_fill_planes(lowering, place)}(S, {chosen}, {place.storage.put_text(given.text)})")
    return True


def fill(lowering: Lowering, statement: model.Fill, env: Env, body: Body) -> None:
    """Assign a value to all entries of a variable."""
    variable = statement.variable
    place = lowering.layout.places[variable]
    text = store_value(lowering, statement.value, variable.type, place.storage, env, body)
    valid = positions(place)
    if place.is_planes:
        body.line(f"{_fill_planes(lowering, place)}(S, {sum(1 << at for at in valid)}, {text})")
    elif place.per_slot > 1:
        body.line(f"{_fill_packed(lowering, place, valid)}(S, {text})")
    else:
        slots = [place.first + at for at in valid]
        function = instantiate(lowering.text, "entries", SLOTS=slots, COUNT=len(slots))["fill_slots"]
        body.line(f"{function}(S, {text})")


def _fill_planes(lowering: Lowering, place: Place) -> str:
    planes = place.storage.width
    return instantiate(lowering.text, "entries", FIRST=place.first, PLANES=planes, FULL=lowering.full)["fill_planes"]


def _fill_packed(lowering: Lowering, place: Place, valid: list[int]) -> str:
    width = place.storage.width
    entries = [0] * place.slots
    for at in valid:
        entries[at // place.per_slot] |= ((1 << width) - 1) << at % place.per_slot * width
    return instantiate(
        lowering.text, "entries",
        FIRST=place.first, COUNT=place.slots, WIDTH=width, DOUBLINGS=place.per_slot.bit_length() - 1, ENTRIES=entries,
    )["fill_packed"]  # fmt: skip


def lower_block(lowering: Lowering, statements: Block, env: Env, body: Body) -> None:
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


def lower_inner_block(lowering: Lowering, statements: Block, env: Env, body: Body) -> None:
    """The statements of a block open in ``body``; lifted into a function of their own if ``body`` is nested deep or
    long.

    Local names that they assign are already names of ``body``. The function assigns to copies, which it returns in
    arrays when it completes; after ``go`` or ``end`` they are dead.
    """
    if body.depth < DEEP_BLOCKS and body.loops < DEEP_LOOPS and len(body.lines) < LONG_BODY:
        lower_block(lowering, statements, env, body)
        return
    text, own, inner = lowering.text, Body(), dict(env)
    make_own(lowering, statements, inner, own)
    copies = [slot for slot, binding in env.items() if inner[slot] is not binding]
    lower_block(lowering, statements, inner, own)
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
    _call_and_leave(lowering, text.lift("inner", own, 0), statements, body)
    for line in handed_back:
        body.line(line)


def _call_and_leave(lowering: Lowering, call: str, statements: Block, body: Body) -> None:
    """Call the function of some statements, and return from the caller if they have left the phase."""
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


def _lower_if(lowering: Lowering, statement: model.If_, env: Env, body: Body) -> None:
    make_own(lowering, (*statement.yes, *statement.no), env, body)
    cases, otherwise = _if_chain(statement)
    if len(cases) > LONG_CHAIN:
        _lower_long_if(lowering, cases, otherwise, env, body)
        return
    with body.block(f"if {lowering.condition(statement.condition, env)}"):
        lower_inner_block(lowering, statement.yes, env, body)
    if statement.no:
        with body.block("else"):
            lower_inner_block(lowering, statement.no, env, body)


def _if_chain(statement: model.If_) -> tuple[list[model.If_], Block]:
    """The cases of an ``if`` with its ``else if``, and its ``else``."""
    cases = [statement]
    while len(cases[-1].no) == 1 and isinstance(cases[-1].no[0], model.If_):
        cases.append(cases[-1].no[0])
    return cases, cases[-1].no


def _lower_long_if(lowering: Lowering, cases: list[model.If_], otherwise: Block, env: Env, body: Body) -> None:
    """A long chain: a function finds the first case whose condition holds, and comparisons bisect the cases."""
    search = Body()
    for k, case in enumerate(cases):
        search.return_if(lowering.condition(case.condition, env), k)
    number = lowering.text.let(body, "case", lowering.text.lift("case", search, len(cases)))
    blocks = [*(case.yes for case in cases), *([otherwise] if otherwise else [])]
    body.choose(number, [(k, partial(lower_inner_block, lowering, of, env, body)) for k, of in enumerate(blocks)])


def _lower_for(lowering: Lowering, statement: model.For, env: Env, body: Body) -> None:
    binders = statement.binders
    if fill_selected(lowering, statement, env, body):
        return
    is_plain = is_unchanged(lowering, binders, env)
    if is_plain and len(binders) > DEEP_LOOPS:
        within = evolve(statement, binders=binders[DEEP_LOOPS:])
        binders, statement = binders[:DEEP_LOOPS], evolve(statement, body=(within,))
    make_own(lowering, statement.body, env, body)

    def run(now: Env) -> None:
        inner = {**env, **{binder.slot: now[binder.slot] for binder in binders}}
        lower_inner_block(lowering, statement.body, inner, body)

    (loops.loop_over_bindings if is_plain else collect_loops)(lowering, binders, env, body, run)


def _lower_go(lowering: Lowering, statement: model.Go, env: Env, body: Body) -> None:
    layout = lowering.layout
    phase = lowering.model.phases[statement.phase]
    values = [
        store_value(lowering, argument, parameter.type, storage_of(parameter.type), env, body)
        for argument, parameter in zip(statement.arguments, phase.parameters, strict=True)
    ]
    body.write("S", layout.arguments, values + ["0"] * (layout.most_arguments - len(values)))
    body.line(f"S[{PHASE}] = {layout.phases.index(phase)}")
    body.line("return 1")


def _lower_do(lowering: Lowering, statement: model.Do, env: Env, body: Body) -> None:
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
            bound = lowering.bind(body, admitted(lowering, argument, env, parameter.type), parameter.name.lower())
            inner[slot] = code_of(parameter.type, bound.text)
    kept, lowering.kept = lowering.kept, frozenset()
    lower_block(lowering, action.body, inner, inner_body)
    lowering.kept = kept
    _call_and_leave(lowering, lowering.text.lift(action.name, inner_body, 0), action.body, body)


def _lower_tell(lowering: Lowering, statement: model.Tell, env: Env, body: Body) -> None:
    """Record a telling if observations are lowered; otherwise only the reference machine tracks it."""
    if not isinstance(lowering.perception, Perception):
        return
    telling = body.beside()
    try:
        perception.tell(lowering, lowering.perception, statement, env, telling)
    except Unsupported as beyond:
        lowering.perception = NotLowered(beyond.construct)
        return
    body.insert(telling)


_LOWER: Final[dict[type[Statement], Callable[[Lowering, Any, Env, Body], None]]] = {
    model.SetLocal: set_local,
    model.SetLocalField: set_local_field,
    model.Assign: assign,
    model.Fill: fill,
    model.If_: _lower_if,
    model.For: _lower_for,
    model.Go: _lower_go,
    model.Do: _lower_do,
    model.Tell: _lower_tell,
    model.Earn: _lower_earn,
    model.End: _lower_end,
}
