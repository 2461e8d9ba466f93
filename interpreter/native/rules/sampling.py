"""From one decision to the next: runs through phases, and the sampling of moves and outcomes for random plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from math import gcd, lcm, prod
from typing import Final

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import Context
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.statements import CompiledRule, StatementCompiler
from zermelo.interpreter.machine import MOST_PHASES, Move
from zermelo.interpreter.model import Expr, Model, Rule, Variable
from zermelo.interpreter.model.rewriting import free_slots, may_pass, reads_state, rules_of, subexpressions
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Text, Unsupported, join_operands
from zermelo.interpreter.native.expressions.bindings import Env, GrowingList, Mask, Scalar, growing_list
from zermelo.interpreter.native.expressions.lowering import SCALARS, Lowering, TooNarrow
from zermelo.interpreter.native.rules import perception, statements
from zermelo.interpreter.native.rules.decisions import (
    bind_argument,
    binders_of,
    ensure_effects,
    loop_over_candidates,
    move_argument,
    trial_names,
    weight_of,
)
from zermelo.interpreter.native.sets import conditions
from zermelo.interpreter.native.sets.conditions import is_plain
from zermelo.interpreter.native.state_encoding import state_layout
from zermelo.interpreter.native.state_encoding.encoding import (
    binomials,
    is_set,
    member_bounds,
    number_type,
    plus,
    scale_of,
    universe,
)
from zermelo.interpreter.native.state_encoding.move_bounds import Pool, is_large, may_be_large, pool
from zermelo.interpreter.native.state_encoding.move_codes import ROOM, RuleCode
from zermelo.interpreter.native.state_encoding.state_layout import (
    ACTOR,
    FIRST,
    PHASE,
    History,
    StateLayout,
    packed_words,
)
from zermelo.interpreter.types import NumberType, OptionalType, Type
from zermelo.interpreter.values import EvaluationError, Value

# Between two decisions: runs through phases, dispatch by phase, null moves, and the history.


def dispatch_by_phase(lowering: Lowering, cases: Sequence[tuple[int, Callable[[Body], None]]]) -> Body:
    """The body of a function that runs the statements written for the current phase; ``cases`` are ascending."""
    body = Body()
    current = lowering.text.let(body, "phase", f"S[{PHASE}]")
    body.choose(current, [(number, partial(write, body)) for number, write in cases])
    return body


def calls_by_phase(lowering: Lowering, stem: str, arguments: str, phases: Sequence[int]) -> Body:
    """The body of a function that returns the result of ``stem_k`` in phase k, if it is one of ``phases``."""

    def call(number: int, body: Body) -> None:
        body.line(f"return {stem}_{number}({arguments})")

    return dispatch_by_phase(lowering, [(number, partial(call, number)) for number in phases])


# Runs: the phases entered after a move, up to the next decision or the end.
#
# A run comes to rest at a decision that offers something. To find out whether it does may be expensive, and drawing a
# random move finds out anyway. So there are two kinds of run: ``settle`` tests every decision, and ``arrive`` stops at
# the first one without a test, if possible. If that decision offers nothing, ``leave`` continues.


def run_functions(lowering: Lowering) -> None:
    """Write ``settle``, which enters phases until a decision offers something or the play ends; ``arrive``, which skips
    that test and returns the number of phases entered; ``apply`` and ``hurry``, which make a move and then settle or
    arrive, respectively; and ``leave``, which continues from a decision that offers nothing, given that number."""
    if any(phase.decision is None for phase in lowering.layout.phases):
        lowering.asking.repeat(MOST_PHASES)
    layout, text, ask = lowering.layout, lowering.text, Body()
    lowering.asking.ask(ask)
    names = {"settle_play": "settle", **{name: name for name in ("settle_behind", "arrive", "apply", "hurry")}}
    instantiate(
        text, "phases", names,
        PHASE=PHASE, ACTOR=ACTOR, ENDED=layout.ended, MOST_PHASES=MOST_PHASES,
        ENDLESS=text.site("endless-go", lowering.model.start.span),
        REMEMBERED=layout.remembered, NAMES=len(layout.remembered),
        ask=text.extract("ask", "(C: ints[CONTEXT]) -> int", ask),
        enter=_entering_function(lowering, "enter", is_asking=True),
        come=_entering_function(lowering, "come", is_asking=False),
    )  # fmt: skip

    def leave(number: int, phase: model.Phase, body: Body) -> None:
        _write_leaving(lowering, number, phase, body)
        body.line("return settle_behind(C, S, steps)")

    decisions = [(k, partial(leave, k, phase)) for k, phase in enumerate(layout.phases) if phase.decision is not None]
    text.function("leave(C: ints[CONTEXT], S: state, steps: int) -> int", dispatch_by_phase(lowering, decisions))


def _entering_function(lowering: Lowering, name: str, is_asking: bool) -> str:
    """The function that enters a phase and returns whether the run is at rest there. With ``is_asking``, every decision
    is tested for moves; otherwise most are not tested, and the result for these is 2."""
    body = Body()
    entries = [
        partial(_write_entering, lowering, k, phase, is_asking, body) for k, phase in enumerate(lowering.layout.phases)
    ]
    body.choose("phase", list(enumerate(entries)))
    return lowering.text.extract(name, "(C: ints[CONTEXT], S: state, phase: int) -> int", body)


def _write_entering(lowering: Lowering, number: int, phase: model.Phase, is_asking: bool, body: Body) -> None:
    if lowering.layout.history is not None and phase.decision is not None:
        body.line("remember(C, S)")
    if phase.entry:
        body.return_if(f"entry_{number}(C, S) != 0", 0)
    if phase.decision is None:
        return
    if not is_asking and _has_sure_actor(phase.decision):
        body.line(f"S[{ACTOR}] = actor_{number}(C, S)")
        body.line("return 2")
        return
    offered = lowering.text.let(body, "offered", f"offers_{number}(C, S)")
    with body.block(f"if {offered} != 0"):
        if isinstance(phase.decision, model.Together):
            body.line(f"S[{lowering.layout.waiting}] = {offered}")
        body.line(f"S[{ACTOR}] = actor_{number}(C, S)")
        body.line("return 1")
    _write_leaving(lowering, number, phase, body)


def _has_sure_actor(decision: model.Decision) -> bool:
    """Whether the actor can be evaluated without failure before it is known whether anything is offered."""
    if isinstance(decision, model.Turn):
        return is_plain(decision.player) and not isinstance(decision.player.type, OptionalType)
    return isinstance(decision, model.Chance)


def _write_leaving(lowering: Lowering, number: int, phase: model.Phase, body: Body) -> None:
    """Leave a decision that offers nothing."""
    if phase.otherwise is not None:
        body.line(f"otherwise_{number}(C, S)")
    else:
        assert phase.decision is not None
        lowering.fault(body, "deadlock", phase.decision.span)


def effects_function(lowering: Lowering) -> None:
    """Write ``effects``, which makes a move or outcome in place and returns whether other players must choose as well
    before it takes effect."""
    layout, text, moves = lowering.layout, lowering.text, lowering.moves
    body = Body()
    perception.drop_tellings(lowering, body)

    def effects(k: int, phase: model.Phase, code: RuleCode) -> None:
        if isinstance(phase.decision, model.Together):
            body.line(f"return {_choice_function(lowering, k)}(C, S, m)")
        else:
            if layout.decisions is not None:
                body.line(f"{statements.begin_run(lowering)}(S)")
            arguments = "".join(f", {code.argument_text('m', i)}" for i in range(len(code.arguments)))
            body.line(f"body_{code.number}(C, S{arguments})")

    cases = []
    for k, phase in enumerate(layout.phases):
        for of in rules_of(phase.decision):
            code = moves.of(phase.name, of.name)
            cases.append((code.number, partial(effects, k, phase, code)))
    if len(cases) == 1:
        cases[0][1]()  # every move is of this rule
    else:
        body.choose(text.let(body, "rule", moves.rule_text("m")), cases)
    text.function("effects(C: ints[CONTEXT], S: state, m: int) -> int", body)


def _choice_function(lowering: Lowering, number: int) -> str:
    """The name of the function that makes a choice in a phase where players choose at once."""
    layout = lowering.layout
    assert layout.choices is not None and layout.waiting is not None
    return instantiate(
        lowering.text, "phases", ACTOR=ACTOR, WAITING=layout.waiting, CHOICES=layout.choices,
        begin_run=statements.begin_run(lowering), take_effect=f"then_{number}",
    )["choose"]  # fmt: skip


# The lowering of null moves: the state in which the player to move has let the other one move instead.
#
# ``passed(C, S)`` makes it in place and returns whether that is possible. If not, ``S`` is invalid; a fault on the way
# is discarded, since the rules were not written for null moves. For their definition see
# :mod:`zermelo.interpreter.model.rewriting`. The function exists if a phase admits null moves.


def passing_function(lowering: Lowering) -> None:
    """Write the function, if a phase admits null moves."""
    layout = lowering.layout
    phases = [k for k, phase in enumerate(layout.phases) if may_pass(lowering.model, phase)]
    if not phases:
        return
    text, body = lowering.text, Body()
    body.choose("phase", [(k, partial(body.line, f"return offers_{k}(C, S)")) for k in phases])
    instantiate(
        text, "phases", {"passed": "passed"}, PHASE=PHASE, ACTOR=ACTOR, PLAYER=layout.arguments,
        offers=text.extract("offers_to_other", "(C: ints[CONTEXT], S: state, phase: int) -> int", body),
    )  # fmt: skip


# The code that writes and queries the history of a play (for its layout see
# :mod:`zermelo.interpreter.native.state_encoding.state_layout`).


def plan_history(game: Model, layout: StateLayout, text: Text) -> History:
    """The layout of entries; writes the functions that record them, and those by which kernels query the past."""
    history = History(layout)
    if not game.history:
        text.define_as("moments", "(S: state) -> int:\n    return 0\n")
        text.define_as("is_same_past", "(C: ints[CONTEXT], before: int, now: int) -> int:\n    return 1\n")
        text.define_as("recorded", "(C: ints[CONTEXT], entry: int, word: int) -> int:\n    return 0\n")
        text.define_as("take_reads", "(C: ints[CONTEXT], past: ints[PAST]) -> int:\n    return 0\n")
        text.define_as("add_reads", "(C: ints[CONTEXT], past: ints[PAST]) -> int:\n    return 0\n")
        text.define_as("may_read", "(C: ints[CONTEXT], past: ints[PAST], entry: int) -> int:\n    return 0\n")
        return history
    lines = packed_words(layout.pieces_of_phase)
    history.head = len(lines)
    for group in dict.fromkeys(place.variables for place in game.history):
        words = packed_words(layout.pieces_of(group))
        history.parts[group] = (len(lines), len(words))
        lines += words
    history.words = len(lines)
    body = Body()
    body.write("C", "at", lines)
    assert layout.history is not None
    text.define_as("moments", f"(S: state) -> int:\n    return S[{layout.history}]\n")
    named = ["remember", "recorded", "take_reads", "add_reads", "may_read"]
    if history.always_grows(game):
        text.define_as("is_same_past", "(C: ints[CONTEXT], before: int, now: int) -> int:\n    return before == now\n")
    else:
        named.append("is_same_past")
    instantiate(
        text, "history", {name: name for name in named},
        FIRST=FIRST, WORDS=history.words, MOST=state_layout.MOST_ENTRIES, HISTORY=layout.history, READS=history.reads,
        OVERFLOW=text.site("overflow", game.start.span), GROUPS=len(history.parts),
        BEGINS=[first for first, _ in history.parts.values()], ENDS=[sum(part) for part in history.parts.values()],
        put_entry=text.extract("put_entry", "(C: ints[CONTEXT], S: state, at: int) -> int", body),
    )  # fmt: skip
    return history


def _occurrences(lowering: Lowering, variables: tuple[Variable, ...]) -> Mapping[str, str]:
    """The functions that look for the current values of these variables in the history."""
    history, body = lowering.history, Body()
    assert history.layout.history is not None
    first, count = history.parts[variables]
    body.write("values", 0, packed_words(history.layout.pieces_of(variables)))
    head = f"(S: state, values: ints[{count}]) -> int"
    return instantiate(
        lowering.text, "history",
        FIRST=FIRST, WORDS=history.words, HEAD=history.head, BEGIN=first, COUNT=count,
        DIGESTS=history.digests(variables), READS=history.reads, HISTORY=history.layout.history,
        put_values=lowering.text.extract("put_values", head, body),
    )  # fmt: skip


def _lower_repeated(lowering: Lowering, expr: model.Repeated, env: Env) -> Scalar:
    """Whether values are repeated. During a decision its own entry counts, too; before it, only earlier ones do."""
    entries = f"S[{lowering.history.layout.history}]"
    function = _occurrences(lowering, expr.variables)["repeated"]
    return Scalar(f"{function}(C, S, {entries if lowering.is_deciding else f'{entries} - 1'})")


def _lower_repetitions(lowering: Lowering, expr: model.Repetitions, env: Env) -> Scalar:
    return Scalar(f"{_occurrences(lowering, expr.variables)['repetitions']}(C, S)")


SCALARS[model.Repeated] = _lower_repeated
SCALARS[model.Repetitions] = _lower_repetitions


# Sampling: one of the legal moves, all equally likely, or one of the outcomes of chance by their weights.
#
# A random play needs one move of a decision, not the list of all. So sampling collects only *candidates*, bindings that
# meet the cheap parts of the guards (by masks, if possible). The expensive tests, such as ``ensuring`` with its effects
# on another state, are made on random candidates: one that passes is taken, one that fails is dropped, and another one
# is drawn.
#
# This is exactly uniform over the legal moves. Candidates come up in a uniform random order, regardless of the tests.
# The move taken is the first legal one in that order, and each legal candidate is equally likely to be the first. The
# candidates of all rules of a decision form one pool. With C candidates, L of them legal, the expected number of tests
# is (C + 1) / (L + 1). If there are too many candidates for a list, rejection sampling (below) draws without one.
#
# Faults in the tests of candidates that do not come up are not noticed.
#
# Each phase k has a function ``sample_k(C, S, M, W, R)``, which returns a move or outcome, or -1 if there is none;
# ``M`` and ``W`` are work space, ``R[0]`` is the state of the random generator.


# Random numbers in the dialect, and random members and subsets of masks.


MOST_DRAWN: Final = 1 << 61
"""The bound on ranges of random numbers."""


def one_bit_function(lowering: Lowering, element: Type) -> str:
    """The function that gives the place of the one bit number k of a mask of such elements."""
    half = 1 << (universe(element)[1] - 1).bit_length() >> 1
    return instantiate(lowering.text, "sampling", HALF=half)["chosen_one"]


def subset_function(lowering: Lowering, element: Type) -> str:
    """The function that gives a random subset of k one bits of a mask of such elements."""
    return instantiate(lowering.text, "sampling", chosen_one=one_bit_function(lowering, element))["chosen_part"]


# Rejection sampling: drawing one of very many moves or outcomes without listing them.
#
# For the method and its exactness see :mod:`zermelo.interpreter.reference.chance`. The parameters of a rule are
# bound one after the other, each to a value drawn from its domain. If a domain has n values, and at most N in any
# state, the binding is accepted with probability n / N, so that all bindings of all rules are equally likely; an
# outcome of weight w is accepted with probability w / W, where W bounds all weights. Guards and ``ensuring`` are tested
# last.
#
# Each phase k with such a decision has a function ``draw_k(C, S, R)``, which returns a move or outcome, or -1 after too
# many rejections.


_MOST_TRIES: Final = 1 << 14


def drawing_function(lowering: Lowering, phase: model.Phase, rules: tuple[Rule, ...], env: Env) -> bool:
    """Write ``draw_k`` for the current phase; False if its bindings cannot be drawn one by one."""
    body = Body()
    try:
        _draw_binding(lowering, phase, [found for rule in rules if prod((found := pool(rule)).most)], env, body)
    except (Unsupported, TooNarrow):
        return False
    lowering.text.function(f"draw_{lowering.phase}(C: ints[CONTEXT], S: state, R: ints[1]) -> int", body, -1)
    return True


def _draw_binding(lowering: Lowering, phase: model.Phase, pools: list[Pool], env: Env, body: Body) -> None:
    heaviest = [_weight_bound(each.rule) for each in pools]
    scale = lcm(1, *(weight.denominator for weight in heaviest))
    shares = [int(prod(each.most) * weight * scale) for each, weight in zip(pools, heaviest, strict=True)]
    if len(pools) > 1 and sum(shares) >= MOST_DRAWN:
        raise Unsupported("a draw from so many")
    names = [trial_names(lowering, each.rule, env, body) for each in pools]
    text = lowering.text
    with body.block(f"for {text.local(body, 'i')} in range({_MOST_TRIES})"):
        share = text.let(body, "share", f"drawn(R, {sum(shares)})") if len(pools) > 1 else ""
        first = 0
        for each, now, weight, own in zip(pools, names, heaviest, shares, strict=True):
            with ExitStack() as blocks:
                if share:
                    blocks.enter_context(body.block(f"if {first} <= {share} and {share} < {first + own}"))
                blocks.enter_context(lowering.provided(each.rule.guards[0], now, body))
                _draw_parameters(lowering, phase, each, weight, 0, now, body)
            first += own


def _weight_bound(rule: Rule) -> Fraction:
    """A bound on the weights of outcomes."""
    expr = rule.weight if rule.probability is None else rule.probability
    number = NumberType(1, 1) if expr is None else number_type(expr.type)
    if number is None or number.high is None or number.high <= 0:
        raise Unsupported("a weight without a bound")
    return Fraction(number.high)


def _draw_parameters(
    lowering: Lowering, phase: model.Phase, drawn: Pool, heaviest: Fraction, k: int, env: Env, body: Body
) -> None:
    """Draw the parameters from number k on, then test the binding."""
    rule = drawn.rule
    if k == len(rule.parameters):
        _return_binding(lowering, phase, rule, heaviest, env, body)
        return
    parameter, binder = rule.parameters[k], binders_of(rule)[k]
    if parameter.is_optional:
        raise Unsupported("a draw from values that may be left out")
    count, value = _domain_draw(lowering, parameter.domain, env, body, drawn.is_even[k], drawn.most[k])
    with ExitStack() as blocks:
        if count is not None:
            blocks.enter_context(body.block(f"if drawn(R, {drawn.most[k]}) < {count}"))
        now = {**env, parameter.slot: value(body)}
        blocks.enter_context(lowering.provided(binder.tests, now, body))
        _draw_parameters(lowering, phase, drawn, heaviest, k + 1, now, body)


def _domain_draw(
    lowering: Lowering, domain: Expr, env: Env, body: Body, is_even: bool, most: int
) -> tuple[str | None, Callable[[Body], Mask | Scalar]]:
    """The number of values of a domain, None if it is fixed, and a function that writes a draw from it."""
    text, element = lowering.text, lowering.element(domain)
    if not is_even and most >= MOST_DRAWN:
        raise Unsupported("a draw from so many")
    if not isinstance(domain, model.Subsets):
        if is_set(element):
            raise Unsupported("a draw from sets of sets")
        low, _ = universe(element)
        members = text.let(body, "members", lowering.mask(domain, env), "bits")

        def one(body: Body) -> Scalar:
            place = f"{one_bit_function(lowering, element)}({members}, drawn(R, popcount({members})))"
            return lowering.bind(body, Scalar(plus(place, low), False, scale_of(element)), "x")

        return None if is_even else f"popcount({members})", one
    inner = lowering.element(domain.collection)
    _, most_chosen = member_bounds(domain, inner)
    _, size = universe(inner)
    members = text.let(body, "members", lowering.mask(domain.collection, env), "bits")
    chosen = text.let(body, "count", lowering.whole(domain.count, env))
    table = text.table(binomials(size, most_chosen))
    count = f"{table}[{chosen} * {size + 1} + popcount({members})]"
    count = f"({count} if {chosen} >= 0 and {chosen} <= {most_chosen} else 0)"

    def part(body: Body) -> Mask:
        drawn = f"{subset_function(lowering, inner)}(R, {members}, {chosen})"
        return Mask(text.let(body, "part", drawn, "bits"), inner)

    return None if is_even else count, part


def _return_binding(
    lowering: Lowering, phase: model.Phase, rule: Rule, heaviest: Fraction, env: Env, body: Body
) -> None:
    """Return the binding if its weight accepts it and it is legal."""
    weight = weight_of(lowering, rule, env, body)
    most = heaviest * weight.scale
    if most.denominator != 1 or most >= MOST_DRAWN:
        raise Unsupported("a draw by such weights")
    code = lowering.moves.of(phase.name, rule.name)
    taken = f"return {code.text([move_argument(lowering, env, parameter) for parameter in rule.parameters])}"
    with ExitStack() as blocks:
        if most != 1 or weight.text != "1":
            blocks.enter_context(body.block(f"if drawn(R, {most}) < {weight.text}"))
        ensure_effects(lowering, phase, rule, env, body, lambda: body.line(taken))


_TABLE_LIMIT: Final = 1 << 12

_LIST_LIMIT: Final = 1_000_000
"""The most bindings examined to make a table of moves or outcomes."""

_HEAD: Final = "C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], R: ints[1]"


def sample_functions(lowering: Lowering, names: list[Env]) -> None:
    """Write ``sample_k`` for every phase, whose decision sees the ``names``, and ``sample``, which dispatches to
    them."""
    instantiate(lowering.text, "sampling", {"drawn_below": "drawn", "drawn_large": "drawn_large"})
    deciding: list[int] = []
    for number, (phase, env) in enumerate(zip(lowering.layout.phases, names, strict=True)):
        if phase.decision is None:
            continue
        lowering.phase = number
        body, drawn = Body(), "-1"
        match phase.decision:
            case model.Turn(is_narrowed=True):
                drawn = f"any_kept_{number}(C, S, M, R)"
            case model.Turn() | model.Chance() if (lots := _constant_lots(lowering, phase)) is not None:
                if lots:
                    drawn = f"{lowering.text.table(lots)}[drawn(R, {len(lots)})]"
            case model.Turn(moves=rules):
                _draw_from_pool(lowering, phase, rules, f"steps_{number}(C, S, M)", env, body)
            case model.Chance(outcomes=rules) if all(
                rule.weight is None and rule.probability is None for rule in rules
            ):
                _draw_from_pool(lowering, phase, rules, f"outcomes_{number}(C, S, M, W)", env, body)
            case model.Chance(outcomes=rules):
                if may_be_large(rules) and drawing_function(lowering, phase, rules, env):
                    _draw_unlisted(lowering, body)
                draw = instantiate(lowering.text, "sampling", list_outcomes=f"outcomes_{number}")["weighted"]
                drawn = f"{draw}(C, S, M, W, R)"
            case _:
                draw = instantiate(lowering.text, "sampling", list_moves=f"moves_{number}")["any_move"]
                drawn = f"{draw}(C, S, M, R)"
        lowering.text.function(f"sample_{number}({_HEAD}) -> int", body, drawn)
        deciding.append(number)
    dispatch = calls_by_phase(lowering, "sample", "C, S, M, W, R", deciding)
    lowering.text.function(f"sample({_HEAD}) -> int", dispatch, -1)


def _draw_unlisted(lowering: Lowering, body: Body) -> None:
    """Draw without a list; continue if that fails."""
    move = lowering.text.let(body, "move", f"draw_{lowering.phase}(C, S, R)")
    body.return_if(f"{move} >= 0", move)


# ------------------------------------------------------------- candidates


@frozen(eq=False, repr=False)
class _Source(ByValue):
    """Some of the candidates: ``count`` names the number of those left, and ``attempt`` writes a test of the candidate
    whose number is in a name: its move is returned if it is legal; otherwise the candidate is removed."""

    count: str
    attempt: Callable[[str], None]


def _draw_from_pool(
    lowering: Lowering, phase: model.Phase, rules: tuple[Rule, ...], whole: str, env: Env, body: Body
) -> None:
    """Draw from the candidates of some rules; those with several parameters are in a list, ``M[:listed]``. ``whole`` is
    the call that lists the legal moves."""
    text = lowering.text
    has_draw = may_be_large(rules) and drawing_function(lowering, phase, rules, env)
    if has_draw and is_large(rules):
        _draw_unlisted(lowering, body)
    listed = growing_list(text, body, "M")
    sources: list[_Source] = []
    lists: list[tuple[Rule, Env]] = []
    for rule in rules:
        now = trial_names(lowering, rule, env, body)
        found = _unlisted_source(lowering, phase, rule, now, body)
        if found is not None:
            sources.append(found)
        else:
            _list_candidates(lowering, phase, rule, now, listed, whole, has_draw, body)
            lists.append((rule, now))
    if lists:
        sources.insert(0, _Source(listed.count, partial(_try_listed, lowering, phase, lists, listed.count, body)))
    total = text.let(body, "total", join_operands("+", [source.count for source in sources]))
    with body.block(f"while {total} > 0"):
        at = text.let(body, "at", f"drawn(R, {total})")
        body.line(f"{total} -= 1")
        for source in sources:
            with body.block(f"if {at} < {source.count}"):
                source.attempt(at)
                body.line(f"{source.count} -= 1")
                body.line("continue")
            body.line(f"{at} -= {source.count}")


def _unlisted_source(lowering: Lowering, phase: model.Phase, rule: Rule, env: Env, body: Body) -> _Source | None:
    """The candidates of a rule without parameters, or with one whose candidates are a mask; None for others."""
    text = lowering.text
    if not rule.parameters:
        count = text.let(body, "n", 0)
        with lowering.provided(rule.guards[0], env, body):
            body.line(f"{count} = 1")
        move = lowering.moves.of(phase.name, rule.name).text([])
        return _Source(count, lambda at: _return_move(lowering, phase, rule, env, move, body))
    if len(rule.parameters) > 1 or rule.parameters[0].is_optional:
        return None
    found = conditions.mask_tests(lowering, binders_of(rule)[0], env)
    if found is None:
        return None
    members, tests = found
    mask = text.let(body, "pool", 0, "bits")
    with lowering.provided(rule.guards[0], env, body):
        body.line(f"{mask} = {members}")
    count = text.let(body, "n", f"popcount({mask})")
    return _Source(count, partial(_try_masked, lowering, phase, rule, env, mask, tests, body))


def _list_candidates(
    lowering: Lowering,
    phase: model.Phase,
    rule: Rule,
    env: Env,
    listed: GrowingList,
    whole: str,
    has_draw: bool,
    body: Body,
) -> None:
    """Append the candidates of a rule to the list; if they do not fit, draw without a list or from the legal moves."""
    code = lowering.moves.of(phase.name, rule.name)

    def put(now: Env) -> None:
        if lowering.moves.most > lowering.room:
            with body.block(f"if {listed.count} >= {lowering.room}"):
                if has_draw:
                    _draw_unlisted(lowering, body)
                count = lowering.text.let(body, "n", whole)
                body.line(f"return M[drawn(R, {count})] if {count} > 0 else -1")
        listed.append(body, code.text([move_argument(lowering, now, parameter) for parameter in rule.parameters]))

    loop_over_candidates(lowering, rule, env, body, put, is_in_order=False)


# ------------------------------------------------------------------ tests


def _return_move(lowering: Lowering, phase: model.Phase, rule: Rule, env: Env, move: str, body: Body) -> None:
    """Return a move of a rule if its ``ensuring`` holds."""
    ensure_effects(lowering, phase, rule, env, body, lambda: body.line(f"return {move}"))


def _try_listed(
    lowering: Lowering, phase: model.Phase, lists: list[tuple[Rule, Env]], listed: str, body: Body, at: str
) -> None:
    """Take the candidate ``at`` out of the list, and return it if it is legal."""
    taken = instantiate(lowering.text, "sampling")["taken"]
    move = lowering.text.let(body, "move", f"{taken}(M, {at}, {listed})")
    if all(rule.ensuring is None for rule, _ in lists):
        body.line(f"return {move}")
        return
    for rule, env in lists:
        code = lowering.moves.of(phase.name, rule.name)
        with body.block(f"if {lowering.moves.rule_text(move)} == {code.number}"):
            names = dict(env)
            for k, parameter in enumerate(rule.parameters if rule.ensuring is not None else ()):
                names[parameter.slot] = bind_argument(lowering, parameter, code.argument_text(move, k), body)
            _return_move(lowering, phase, rule, names, move, body)


def _try_masked(
    lowering: Lowering,
    phase: model.Phase,
    rule: Rule,
    env: Env,
    mask: str,
    tests: tuple[Expr, ...],
    body: Body,
    at: str,
) -> None:
    """Return the value number ``at`` of a mask if it meets the remaining tests and is legal; take it out otherwise."""
    code: RuleCode = lowering.moves.of(phase.name, rule.name)
    (parameter,) = rule.parameters
    element = lowering.element(parameter.domain)
    low, _ = universe(element)
    place = lowering.text.let(body, "place", f"{one_bit_function(lowering, element)}({mask}, {at})")
    name = lowering.bind(body, Scalar(plus(place, low), False, scale_of(element)), "x")
    now = {**env, parameter.slot: name}
    with lowering.provided(tests, now, body):
        _return_move(lowering, phase, rule, now, code.text([move_argument(lowering, now, parameter)]), body)
    if tests or rule.ensuring is not None:
        body.line(f"{mask} = {instantiate(lowering.text, 'sampling')['without']}({mask}, {place})")


# --------------------------------------------------------------- constants


def _constant_lots(lowering: Lowering, phase: model.Phase) -> list[int] | None:
    """Constant moves or outcomes, each as often as its weight, listed by the reference machine; None if they depend on
    the state or are too many."""
    for rule in rules_of(phase.decision):
        own = {parameter.slot for parameter in rule.parameters}
        if rule.ensuring is not None or any(reads_state(e) or free_slots(e) - own for e in subexpressions(rule)):
            return None
    if sum(pool(rule).least for rule in rules_of(phase.decision)) > _LIST_LIMIT:
        return None
    weighted = _list_constant_moves(lowering.model, phase)
    if weighted is None:
        return None
    scale = lcm(*(weight.denominator for _, weight in weighted))
    common = gcd(*(int(weight * scale) for _, weight in weighted))
    shares = [int(weight * scale) // common for _, weight in weighted]
    if sum(shares) > _TABLE_LIMIT:
        return None
    numbers = [lowering.moves.encode(phase.name, move) for move, _ in weighted]
    assert None not in numbers, "every move that the reference machine lists has a number"
    return [number for number, share in zip(numbers, shares, strict=True) for _ in range(share) if number is not None]


def _list_constant_moves(game: model.Model, phase: model.Phase) -> list[tuple[Move, Value]] | None:
    """The moves or outcomes of a decision independent of the state, with their weights; None if they are too many or a
    rule fails."""
    statements = StatementCompiler(game, Compiler())
    context, frame = Context(()), [None] * phase.frame_size
    found: list[tuple[Move, Value]] = []
    try:
        for written in rules_of(phase.decision):
            rule = CompiledRule(written, statements)
            for arguments in rule.bindings(context, frame):
                weight = rule.weigh(context, frame)
                if weight > 0:
                    found.append((rule.move(arguments), weight))
                if len(found) > ROOM:
                    return None
    except EvaluationError:
        return None
    if isinstance(phase.decision, model.Turn):
        return list(dict(found).items())  # a move is one move, however many rules allow it
    has_probabilities = any(rule.probability is not None for rule in rules_of(phase.decision))
    return None if has_probabilities and sum(weight for _, weight in found) != 1 else found
