"""The lowering of numbers that a file gives: payoffs, discounts, estimates, and the order of moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, Final

from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.model import Expr, Statement
from zermelo.interpreter.native.coding.encoding import MOST_PARTS, is_set, number_type
from zermelo.interpreter.native.coding.state_layout import ACTOR, PHASE, StateLayout
from zermelo.interpreter.native.dialect.lowered_text import Body, Text, Unsupported
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.expressions.arithmetic import small
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import loops

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


def worths(discount: Fraction, denominator: int) -> tuple[int, ...]:
    """The table ``WORTH`` for undiscounted amounts over ``denominator``."""
    longest = 0
    while denominator * discount.denominator ** (longest + 1) <= _MOST_PARTS:
        longest += 1
    return tuple(discount.numerator**k * discount.denominator ** (longest - k) for k in range(longest + 1))


def _functions(text: Text, decisions: int) -> Mapping[str, str]:
    return instantiate(text, "payoffs", DECISIONS=decisions, ACTOR=ACTOR, MOST=_MOST)


def begin_run(lowering: Lowering) -> str:
    """The name of the function that updates the counts of decisions when a move or an outcome is made."""
    decisions = lowering.layout.decisions
    if decisions is None:
        return lowering.text.shared("begin_run", "(S: state) -> int:\n    return 0\n")
    return _functions(lowering.text, decisions)["begin_run"]


def discounted(lowering: Lowering, amount: str, span: Span) -> str:
    """The discounted amount over the denominator of the program."""
    decisions = lowering.layout.decisions
    if decisions is None:
        return amount
    helper = _functions(lowering.text, decisions)["discounted"]
    return f"{helper}(C, S, {amount}, {lowering.text.site('overflow', span)})"


def discounted_end(layout: StateLayout, amount: str) -> str:
    """The discounted amount of an end, which has been checked with :func:`discounted`."""
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


def _end(lowering: Lowering, statement: model.End, env: Env, body: Body) -> None:
    """End the play, with the payoffs."""
    _pay(lowering, statement, env, body)
    layout = lowering.layout
    body.write("S", layout.arguments, [0] * layout.most_arguments)
    body.line(f"S[{PHASE}] = {layout.ended}")
    body.line("return 1")


def _pay(lowering: Lowering, statement: model.End, env: Env, body: Body) -> None:
    """Write the payoffs of an ``end`` to the state."""
    first, players = lowering.layout.payoffs, len(lowering.model.players)
    match statement.outcome:
        case model.DrawOutcome():
            body.line(f"{_paying(lowering)['pay_nobody']}(S)")
        case model.WinOutcome(winners=winners) if is_set(winners.type):
            _win_together(lowering, winners, env, body)
        case model.WinOutcome(winners=winners):
            winner = lowering.whole(winners, env)
            body.line(f"{_paying(lowering)['pay_winner']}(S, {winner}, {_shares(lowering, 1)})")
        case model.PayoffOutcome(entries=entries) if _is_one_for_each(entries, players):
            for player, amount in entries:
                body.line(f"S[{first} + {lowering.whole(player, env)}] = {_amount(lowering, amount, env)}")
        case model.PayoffOutcome(entries=entries):
            given = lowering.text.let(body, "given", 0)
            for player, amount in entries:
                _give(lowering, statement, given, player, amount, env, body)
            _check_all(lowering, statement, given, body)
        case model.PayoffForOutcome() as outcome:
            given = lowering.text.let(body, "given", 0)
            loops.bindings(
                lowering,
                outcome.binders,
                env,
                body,
                lambda now: _give(lowering, statement, given, outcome.player, outcome.amount, now, body),
            )
            _check_all(lowering, statement, given, body)
    if lowering.layout.decisions is not None:
        for k in range(players):
            body.line(discounted(lowering, f"S[{first + k}]", statement.span))


def _is_one_for_each(entries: tuple[tuple[Expr, Expr], ...], players: int) -> bool:
    """Whether every player is named exactly once, so that no check is needed."""
    named = {player.value for player, _ in entries if isinstance(player, model.Const)}
    return len(named) == len(entries) == players


def _win_together(lowering: Lowering, winners: Expr, env: Env, body: Body) -> None:
    players = len(lowering.model.players)
    mask = lowering.text.let(body, "winners", lowering.mask(winners, env), "bits")
    count = lowering.text.let(body, "count", f"popcount({mask})")
    lowering.fault_if(body, f"{count} == 0", "no-payoff", winners.span)
    for won in range(1, players + 1):
        with body.block(f"if {count} == {won}"):
            body.line(f"{_paying(lowering)['pay_winners']}(S, {mask}, {_shares(lowering, won)})")


def _shares(lowering: Lowering, won: int) -> str:
    """What so many winners get each, and each of the others."""
    lost = len(lowering.model.players) - won
    return f"{lowering.text.over(won)}, {f'-{lowering.text.over(lost)}' if lost > 0 else '0'}"


def _paying(lowering: Lowering) -> Mapping[str, str]:
    return instantiate(lowering.text, "payoffs", PAYOFFS=lowering.layout.payoffs)


def _give(
    lowering: Lowering, statement: model.End, given: str, player: Expr, amount: Expr, env: Env, body: Body
) -> None:
    """One player's amount; a second one for the same player must be equal."""
    who, value = lowering.whole(player, env), _amount(lowering, amount, env)
    site = lowering.text.site("conflicting-payoffs", statement.span)
    body.line(f"{given} = {_paying(lowering)['pay']}(C, S, {given}, {who}, {value}, {site})")


def _check_all(lowering: Lowering, statement: model.End, given: str, body: Body) -> None:
    everybody = (1 << len(lowering.model.players)) - 1
    lowering.fault_if(body, f"{given} != {everybody}", "no-payoff", statement.span)


def _amount(lowering: Lowering, amount: Expr, env: Env) -> str:
    """An amount over the common denominator."""
    value = small(lowering, amount, env)
    return f"({value.text} * {lowering.text.over(value.scale)})"


def _earn(lowering: Lowering, statement: model.Earn, env: Env, body: Body) -> None:
    """Add to a player's earnings, with a check that the sum fits into 60 bits."""
    first = lowering.layout.earnings
    assert first is not None
    who, amount = lowering.whole(statement.player, env), _amount(lowering, statement.amount, env)
    amount = discounted(lowering, amount, statement.span)
    function = instantiate(lowering.text, "payoffs", EARNINGS=first, BOUND=_BOUND)["earn"]
    body.line(f"{function}(C, S, {who}, {amount}, {lowering.text.site('overflow', statement.span)})")


STATEMENTS: Final[dict[type[Statement], Callable[[Lowering, Any, Env, Body], None]]] = {
    model.End: _end,
    model.Earn: _earn,
}


# The lowering of hints for search: estimates, unsettled positions, the order of moves.
#
# ===========================  ==================================================================================
# ``estimate(C, S, p)``        a player's estimate of the position, over the program's ``estimate_denominator``
# ``unsettled(C, S)``          whether the search must not be cut off here
# ``order_key(C, S)``          in the position right after a move: the larger, the earlier the move is tried
# ===========================  ==================================================================================
#
# A function exists if the file gives the hint. If a hint cannot be lowered, the rules are lowered without it: its
# function is missing, and with ``estimate`` the denominator.


def hint_functions(lowering: Lowering) -> int | None:
    """Write the functions; returns the denominator of estimates, None if there are none."""
    game = lowering.model
    player = lowering.text.fresh("p")
    denominator = None
    if game.estimate is not None:
        head = f"estimate(C: ints[CONTEXT], S: state, {player}: int) -> int"
        denominator = _function(lowering, head, game.estimate.value, {0: Scalar(player)})
    if game.unsettled is not None:
        _function(lowering, "unsettled(C: ints[CONTEXT], S: state) -> int", game.unsettled.value, {})
    if game.order_moves is not None:
        _function(lowering, "order_key(C: ints[CONTEXT], S: state) -> int", game.order_moves.value, {})
    return denominator


def _function(lowering: Lowering, head: str, value: model.Expr, names: Env) -> int | None:
    """Write one function; returns the denominator of its values, None if it cannot be lowered."""
    try:
        lowered = small(lowering, value, names) if number_type(value.type) else lowering.value(value, names)
    except Unsupported:
        return None
    lowering.text.function(head, Body(), lowered.text)
    return lowered.scale
