"""Phases and their decisions: offered moves and their effects.

Each phase k has functions ``entry_k``, ``offers_k``, ``moves_k`` (or ``outcomes_k``) and ``otherwise_k``, and
``recall_k`` if the state does not remember all names of ``entry_k``: it binds the others anew. Each rule r has a
function ``body_r``. All modify the state ``S`` in place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import lcm
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.statements import fixed_payoff
from zermelo.interpreter.model import Binder, Expr, Rule
from zermelo.interpreter.model.rewriting import kept_names, recalled_bindings, remembered_names
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported, join_operands
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Row, Scalar, code_of, growing_list
from zermelo.interpreter.native.expressions.lowering import Lowering, encode_number, final_number
from zermelo.interpreter.native.rules import statements
from zermelo.interpreter.native.sets import conditions, loops
from zermelo.interpreter.native.state_encoding.encoding import LIMIT, is_set, none_code, number_type, storage_of
from zermelo.interpreter.native.state_encoding.move_bounds import is_endless
from zermelo.interpreter.native.state_encoding.move_codes import MORE_ROOM, ROOM, RuleCode
from zermelo.interpreter.native.state_encoding.state_layout import (
    ACTOR,
    FIRST,
    MOST_ENTRIES,
    PHASE,
    History,
    StateLayout,
)
from zermelo.interpreter.types import NumberType, SetType, strip_none
from zermelo.interpreter.values import EvaluationError

# A rule of a decision: its candidates, the bindings of its parameters that meet its guards, and its ``ensuring``.


def trial_names(lowering: Lowering, rule: Rule, env: Env, body: Body) -> Env:
    """The phase's names for a rule, copied out of the state if ``ensuring`` is evaluated in another state."""
    return env if rule.ensuring is None else local_arguments(lowering, env, body)


def local_arguments(lowering: Lowering, env: Env, body: Body) -> Env:
    """The phase's names, copied out of the state, which effects change."""
    kept: Env = {}
    for slot, binding in env.items():
        if isinstance(binding, Scalar):
            kept[slot] = lowering.bind(body, binding, "p")
        elif isinstance(binding, Mask):
            name = lowering.text.let(body, "p", binding.text, "bits")
            none = lowering.bind(body, Scalar(binding.none), "none").text if binding.none != "0" else "0"
            kept[slot] = Mask(name, binding.element, binding.is_ascending, none)
    return kept


def move_argument(lowering: Lowering, env: Env, parameter: model.RuleParameter) -> str:
    """The text of an argument of a move: a code, or the mask of a set."""
    binding = env[parameter.slot]
    if isinstance(binding, Scalar):
        return encode_number(lowering, binding, parameter.type, parameter.domain.span).text
    if isinstance(binding, Mask) and binding.is_ascending:
        return binding.text
    if isinstance(binding, Row) and binding.is_ascending:
        return binding.mask
    raise Unsupported("a set in an order of its own as an argument of a move", parameter.span)


def bind_argument(lowering: Lowering, parameter: model.RuleParameter, text: str, body: Body) -> Scalar | Mask:
    """A fresh name for an argument of a move, given as by :func:`move_argument`."""
    base = strip_none(parameter.type).base
    if not isinstance(base, SetType):
        return lowering.bind(body, code_of(parameter.type, text), "a")
    return Mask(lowering.text.let(body, "a", text, "bits"), base.element)


def binders_of(rule: Rule) -> tuple[Binder, ...]:
    """The parameters of a rule with their guards."""
    return tuple(
        Binder(parameter.slot, parameter.name, parameter.domain, tests=rule.guards[k + 1])
        for k, parameter in enumerate(rule.parameters)
    )


def loop_over_candidates(
    lowering: Lowering,
    rule: Rule,
    env: Env,
    body: Body,
    inner: Callable[[Env], None],
    is_in_order: bool = True,
) -> None:
    """Write loops over all bindings of a rule that meet its guards, in the order of the rules or in the fastest."""
    binders, optional = binders_of(rule), [k for k, parameter in enumerate(rule.parameters) if parameter.is_optional]

    def loop_from(first: int, env: Env) -> None:
        """The loops over the parameters from number ``first`` on."""
        end = next((k for k in optional if k >= first), len(binders))
        loops.loop_over_bindings(lowering, binders[first:end], env, body, partial(without, end), is_in_order)

    def without(k: int, env: Env) -> None:
        """The optional parameter number k as none, and then with its values."""
        if k == len(binders):
            inner(env)
            return
        none = code_of(rule.parameters[k].type, f"({none_code(rule.parameters[k].type)})")
        now = {**env, rule.parameters[k].slot: none}
        with lowering.provided(binders[k].tests, now, body):
            loop_from(k + 1, now)
        loops.loop_over_bindings(lowering, binders[k : k + 1], env, body, partial(loop_from, k + 1), is_in_order)

    try:
        with lowering.provided(rule.guards[0], env, body):
            loop_from(0, env)
    except Unsupported as beyond:
        beyond.locate(rule.span)
        raise


def ensure_effects(
    lowering: Lowering, phase: model.Phase, rule: Rule, env: Env, body: Body, inner: Callable[[], None]
) -> None:
    """Write ``inner`` under the condition that ``ensuring`` holds after the effects, which are applied to a copy of the
    state."""
    if rule.ensuring is None:
        inner()
        return
    scratch = lowering.text.local(body, "T", "state")
    number = lowering.moves.of(phase.name, rule.name).number
    arguments = "".join(f", {move_argument(lowering, env, parameter)}" for parameter in rule.parameters)
    body.line(f"{scratch} = scratch()")
    body.line(f"copy({scratch}, S, {lowering.layout.size})")
    body.line(f"body_{number}(C, {scratch}{arguments})")
    lowering.is_deciding = True
    condition = lowering.condition(rule.ensuring, env)
    lowering.is_deciding = False
    with body.block(f"if {lowering.text.lift('ensured', Body(), condition, state=scratch)}"):
        inner()


# The histories of the positions of a turn, for a search through these in games whose rules use the history.
#
# The positions of a turn share the history up to the turn's first decision; after it, each has a branch of its own. The
# context holds one history at a time. So the entries added by a step are kept in a *pool*, a row of words each, and a
# position has its predecessor, the length of its history, and its first row in the pool. Following the predecessors
# restores a branch in the context.
#
# Two positions are equal if their histories have the same
# :meth:`~zermelo.interpreter.native.state_encoding.state_layout.History.future`: for ``repeated`` the *set* of earlier
# values, so that steps back and forth add no positions without end, for ``repetitions`` the number of occurrences of
# each. An order-independent digest tells most positions apart; if it agrees, both branches are written to the context,
# one behind the other, and compared in full.


_SUMMAND: Final = (1 << 48) - 1
"""The mask of the summed bits of a digest: sums over a whole history stay within 64 bits."""


_FUNCTIONS: Final = ("begin_branches", "recall", "branch_digest", "same_branch", "keep_branch")


def bytes_for_each(lowering: Lowering) -> int:
    """The bytes for the history of a position, besides its state."""
    return 8 * (3 + 2 * _pool_row_words(lowering.history)) if lowering.model.history else 0


def branch_functions(lowering: Lowering, positions: int, overflow: int) -> dict[str, int | str]:
    """The functions for the histories of up to ``positions`` positions, in games whose rules use the history, and the
    number of words for all of them; ``overflow`` is the fault site if they are full."""
    history, text = lowering.history, lowering.text
    if not lowering.model.history:
        return {"BRANCHES": 1}
    assert lowering.layout.history is not None
    width, rows = _pool_row_words(history), 2 * positions
    words = 3 * positions + 1 + rows * width
    functions = instantiate(
        text, "history",
        BRANCHES=words, LENGTH=positions, ROW=2 * positions, POOL=3 * positions, ROWS=rows,
        WIDTH=width, WORDS=history.words, FIRST=FIRST, MOST=MOST_ENTRIES, HISTORY=lowering.layout.history,
        OVERFLOW=overflow, **_entries_functions(lowering),
    )  # fmt: skip
    return {"BRANCHES": words, **{name: functions[name] for name in _FUNCTIONS}}


def _entries_functions(lowering: Lowering) -> dict[str, str]:
    """``entries_digest``, the digest of the part of a branch that the rest of the play can see, and ``same_entries``,
    whether this part is equal in two branches. The expressions of the rules that use the history define this part."""
    text, digest = lowering.text, Body()
    digest.line("h: int = 0")
    for place in lowering.model.history:
        digest.line(f"h = {_digest_and_same(lowering, place)[0]}(C, first, n, h)")
    parts = [f"{_digest_and_same(lowering, place)[1]}(C, first, n, more) != 0" for place in lowering.model.history]
    head = "C: ints[CONTEXT], first: int, n: int"
    return {
        "entries_digest": text.extract("branch_digest", f"({head}) -> int", digest, "h"),
        "same_entries": text.extract("same_branch", f"({head}, more: int) -> int", Body(), join_operands("and", parts)),
    }


def _digest_and_same(lowering: Lowering, place: model.Repeated | model.Repetitions) -> tuple[str, str]:
    """The functions for the digest and the equality of the part of the history that an expression sees."""
    history, text = lowering.history, lowering.text
    digests, times = history.digests(place.variables), _counting_function(lowering, place)
    if isinstance(place, model.Repeated):
        functions = instantiate(text, "history", DIGESTS=digests, SUMMAND=_SUMMAND, times=times)
        return functions["digest_of_set"], functions["same_set"]
    functions = instantiate(
        text, "history",
        DIGESTS=digests, SUMMAND=_SUMMAND, times=times, FIRST=FIRST, WORDS=history.words, HEAD=history.head,
    )  # fmt: skip
    return functions["digest_of_counts"], functions["same_counts"]


def _counting_function(lowering: Lowering, place: model.Repeated | model.Repetitions) -> str:
    """The function that counts the entries of the history that an expression regards as equal."""
    history = lowering.history
    first, count = history.parts[place.variables]
    head = 0 if isinstance(place, model.Repeated) else history.head
    return instantiate(
        lowering.text, "history", FIRST=FIRST, WORDS=history.words, HEAD=head, BEGIN=first, END=first + count
    )["times"]


def _pool_row_words(history: History) -> int:
    """The words of an entry in the pool: its own and its digests."""
    return history.words + len(history.parts)


# The lowering of ``preferring``: the steps of a turn from which a best complete turn can be reached.
#
# For its meaning see :mod:`zermelo.interpreter.reference.preferring`. In ``algorithms/preferred_turns.py`` the
# positions of the turn are numbered as they are found, the one at hand first, and identified by their keys and digests
# of these. Each step is an edge to another position, or a completion, whose value counts for its source; then values
# are propagated back along the edges up to a fixed point.
#
# A random play draws one step and tests only this one: a completion that attains the upper bounds of the types of the
# criteria proves that the step is preferred (``algorithms/preferred_turns.py``), since no value is greater.


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
        text, "preferred_turns", {"keep_preferred": f"kept_{number}", "draw_preferred": f"any_kept_{number}"},
        POSITIONS=positions, EDGES=_EDGES, COLUMNS=columns, WORTHS=positions * columns,
        KEYS=positions * layout.key_words, ACTOR=ACTOR, PHASE=PHASE, TURNS=_turn_phases(lowering), OVERFLOW=overflow,
        judge=text.extract("judge", head, judge), list_steps=f"steps_{number}",
        **branch_functions(lowering, positions, overflow), **_write_proof(lowering, number, turn, env),
    )  # fmt: skip


def _criteria(lowering: Lowering, turn: model.Turn, env: Env) -> list[tuple[str, int | None]]:
    """The criteria, evaluated in ``T``, each with its upper bound."""
    found = []
    for expr in turn.preferring:
        lowering.is_deciding = True
        value = lowering.value(expr, env)
        lowering.is_deciding = False
        call = lowering.text.lift("judge", Body(), value.text, state="T")
        found.append((call, _criterion_bound(expr, value)))
    return found


def _criterion_bound(criterion: model.Expr, value: Scalar) -> int | None:
    """The upper bound of a criterion, on its scale."""
    number = number_type(criterion.type)
    if number is None or number.high is None or value.has_none:
        return None
    greatest = number.high * value.scale
    return int(greatest) if int(greatest) == greatest else None


def _turn_phases(lowering: Lowering) -> int:
    """The phases that are turns, as a mask."""
    return sum(1 << k for k, phase in enumerate(lowering.layout.phases) if isinstance(phase.decision, model.Turn))


def _write_proof(lowering: Lowering, number: int, turn: model.Turn, env: Env) -> dict[str, str]:
    """Write ``proof_k(C, S, m)``: whether move m is surely preferred. Nothing if a criterion has no upper bound."""
    best = Body()
    criteria = _criteria(lowering, turn, local_arguments(lowering, env, best))
    if any(most is None for _, most in criteria):
        return {}
    is_best = " and ".join(f"{criterion} == {most}" for criterion, most in criteria)
    text = lowering.text
    proof = instantiate(
        text, "preferred_turns", {"proof": f"proof_{number}"},
        is_best=text.extract("is_best", "(C: ints[CONTEXT], S: state, T: state) -> int", best, is_best),
        ACTOR=ACTOR, PHASE=PHASE, TURNS=_turn_phases(lowering), STEPS=_STEPS,
    )  # fmt: skip
    return {"prove": proof["proof"]}


def phase_functions(lowering: Lowering, number: int, phase: model.Phase) -> Env:
    """Write the functions of one phase; returns the names in scope of its decision."""
    lowering.phase = number
    lowering.kept = kept_names(phase)
    env = phase_arguments(lowering.layout, phase)
    if phase.entry:
        body = Body()
        statements.lower_block(lowering, phase.entry, env, body)
        lowering.text.function(f"entry_{number}(C: ints[CONTEXT], S: state) -> int", body)
    if recalled := recalled_bindings(phase):
        body = Body()
        statements.lower_block(lowering, recalled, phase_arguments(lowering.layout, phase), body)
        lowering.text.function(f"recall_{number}(C: ints[CONTEXT], S: state) -> int", body)
    env = {slot: binding for slot, binding in env.items() if slot < len(phase.parameters) or slot in lowering.kept}
    for slot in remembered_names(phase):
        binding = env[slot]
        if isinstance(binding, Mask) and not binding.is_ascending:
            raise Unsupported("keeping a set in an order of its own until a decision", phase.span)
    match phase.decision:
        case model.Turn() as turn:
            _write_actor(lowering, number, f"{lowering.whole(turn.player, env)} + 2")
            _write_turn(lowering, number, phase, turn.moves, env)
            listed = f"steps_{number}(C, S, M)"
            if turn.is_narrowed:
                narrowing_functions(lowering, number, turn, env)
                listed = f"kept_{number}(C, S, M, {listed})"
            head = f"moves_{number}(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int"
            lowering.text.function(head, Body(), listed)
        case model.Chance() as chance:
            _write_actor(lowering, number, "1")
            _write_lottery(lowering, number, phase, chance, env)
        case model.Together() as together:
            _write_together(lowering, number, phase, together, env)
        case None:
            pass
    lowering.kept = frozenset()
    if phase.otherwise is not None:
        body = Body()
        statements.lower_block(lowering, phase.otherwise, dict(env), body)
        lowering.text.function(f"otherwise_{number}(C: ints[CONTEXT], S: state) -> int", body)
    return env


def phase_arguments(layout: StateLayout, phase: model.Phase) -> Env:
    """The arguments of a phase, bound to their slots."""
    env: Env = {}
    for k, parameter in enumerate(phase.parameters):
        text = f"S[{layout.arguments + k}]"
        if is_set(parameter.type):
            env[k] = conditions.set_from_stored(parameter.type, text)
        else:
            env[k] = code_of(parameter.type, storage_of(parameter.type).take_text(text))
    return env


# ------------------------------------------------------------------ rules


def _write_actor(lowering: Lowering, number: int, text: str) -> None:
    lowering.text.function(f"actor_{number}(C: ints[CONTEXT], S: state) -> int", Body(), text)


def _write_turn(lowering: Lowering, number: int, phase: model.Phase, rules: tuple[Rule, ...], env: Env) -> None:
    """``offers_k`` and ``moves_k`` of a turn, and the bodies of its rules."""
    moves = Body()
    listed = growing_list(lowering.text, moves, "M")
    can_fail = False
    for rule in rules:
        code = lowering.moves.of(phase.name, rule.name)
        sites = len(lowering.text.sites)
        _write_rule_body(lowering, phase, rule, env)
        can_fail = can_fail or (rule.ensuring is not None and len(lowering.text.sites) > sites)

        def put(now: Env, rule: Rule = rule, code: RuleCode = code) -> None:
            arguments = [move_argument(lowering, now, parameter) for parameter in rule.parameters]

            def keep() -> None:
                check_room(lowering, listed.count, rules, rule, moves)
                listed.append(moves, code.text(arguments))

            ensure_effects(lowering, phase, rule, now, moves, keep)

        loop_over_candidates(lowering, rule, trial_names(lowering, rule, env, moves), moves, put)
    _write_offers(lowering, number, phase, rules, env, can_fail)
    lowering.text.function(f"steps_{number}(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int", moves, listed.count)


def _write_offers(
    lowering: Lowering, number: int, phase: model.Phase, rules: tuple[Rule, ...], env: Env, can_fail: bool
) -> None:
    """``offers_k`` of a turn: whether there is a legal move. If no evaluation can fail, the cheapest rules come first,
    and their candidates in any order."""
    sites = len(lowering.text.sites)
    parts = [_offer_body(lowering, phase, rule, env, is_in_order=False) for rule in rules]
    if can_fail or len(lowering.text.sites) > sites:
        parts = [_offer_body(lowering, phase, rule, env, is_in_order=True) for rule in rules]
    else:
        order = sorted(range(len(rules)), key=lambda k: (rules[k].ensuring is not None, len(rules[k].parameters)))
        parts = [parts[k] for k in order]
    offers = Body()
    for part in parts:
        offers.insert(part)
    lowering.text.function(f"offers_{number}(C: ints[CONTEXT], S: state) -> int", offers)


def _offer_body(lowering: Lowering, phase: model.Phase, rule: Rule, env: Env, is_in_order: bool) -> Body:
    """A body that returns 1 at the first legal move of a rule."""
    body = Body()

    def offer(now: Env) -> None:
        ensure_effects(lowering, phase, rule, now, body, lambda: body.line("return 1"))

    loop_over_candidates(lowering, rule, trial_names(lowering, rule, env, body), body, offer, is_in_order)
    return body


def check_room(lowering: Lowering, count: str, rules: tuple[Rule, ...], rule: Rule, body: Body) -> None:
    """Check that the moves of a decision fit into their list, if they might not; ``crowded`` means that a longer list
    may help. The site is numbered in any case, so that sites do not depend on the length."""
    if lowering.moves.most <= ROOM:
        return
    site = lowering.text.site("overflow" if lowering.room == MORE_ROOM or is_endless(rules) else "crowded", rule.span)
    if lowering.moves.most > lowering.room:
        with body.block(f"if {count} >= {lowering.room}"):
            body.line(f"{lowering.helper('fail')}(C, {site})")
            body.line(f"return {count}")


def _write_rule_body(lowering: Lowering, phase: model.Phase, rule: Rule, env: Env) -> None:
    """``body_r``: the effects of a rule."""
    body = Body()
    number = lowering.moves.of(phase.name, rule.name).number
    heads = []
    inner = dict(env)
    for parameter in rule.parameters:
        base = strip_none(parameter.type).base
        kind = "bits" if isinstance(base, SetType) else "int"
        name = lowering.text.local(body, parameter.name.lower(), kind)
        heads.append(f", {name}: {kind}")
        inner[parameter.slot] = Mask(name, base.element) if isinstance(base, SetType) else code_of(parameter.type, name)
    _lower_after_decision(lowering, rule.body, inner, body)
    lowering.text.function(f"body_{number}(C: ints[CONTEXT], S: state{''.join(heads)}) -> int", body)


def _lower_after_decision(lowering: Lowering, block: model.Block, env: Env, body: Body) -> None:
    """Statements that run after a decision."""
    kept, lowering.kept, lowering.is_deciding = lowering.kept, frozenset(), True
    statements.lower_block(lowering, block, env, body)
    lowering.kept, lowering.is_deciding = kept, False


# ----------------------------------------------------------------- chance


def _write_lottery(lowering: Lowering, number: int, phase: model.Phase, chance: model.Chance, env: Env) -> None:
    """``offers_k``, and ``outcomes_k``, which writes the outcomes and their weights on one scale, the common one of all
    weights in ``offers_k``."""
    offers, outcomes = Body(), Body()
    text = lowering.text
    listed, total = growing_list(text, outcomes, "M", "W"), text.let(outcomes, "total", 0)
    scales = {1}
    for rule in chance.outcomes:
        _write_rule_body(lowering, phase, rule, env)

        def offer(now: Env, rule: Rule = rule) -> None:
            weight = weight_of(lowering, rule, now, offers)
            scales.add(weight.scale)
            offers.return_if(f"{weight.text} > 0", 1)

        loop_over_candidates(lowering, rule, env, offers, offer)
    scale = lcm(*scales)
    if scale > LIMIT:
        raise Unsupported("weights of more than 61 bits")
    for rule in chance.outcomes:
        code = lowering.moves.of(phase.name, rule.name)

        def put(now: Env, rule: Rule = rule, code: RuleCode = code) -> None:
            weight = weight_of(lowering, rule, now, outcomes)
            with outcomes.block(f"if {weight.text} > 0"):
                arguments = [move_argument(lowering, now, parameter) for parameter in rule.parameters]
                check_room(lowering, listed.count, chance.outcomes, rule, outcomes)
                listed.append(outcomes, code.text(arguments), _scaled_weight(lowering, rule, weight, scale, total))
                outcomes.line(f"{total} += W[{listed.count} - 1]")

        loop_over_candidates(lowering, rule, env, outcomes, put)
    if any(rule.probability is not None for rule in chance.outcomes):
        lowering.fault_if(outcomes, f"{total} != {scale}", "bad-probabilities", chance.span)
    text.function(f"offers_{number}(C: ints[CONTEXT], S: state) -> int", offers)
    head = f"outcomes_{number}(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES]) -> int"
    text.function(head, outcomes, listed.count)


def weight_of(lowering: Lowering, rule: Rule, env: Env, body: Body) -> Scalar:
    """The weight of an outcome, with the check that it is not negative."""
    expr = _weight_expression(rule)
    if expr is None:
        return Scalar("1")
    value = lowering.bind(body, final_number(lowering, expr, env), "w")
    number = number_type(expr.type)
    if number is None or number.low is None or number.low < 0:
        lowering.fault_if(body, f"{value.text} < 0", "negative-weight", expr.span)
    return value


def _weight_expression(rule: Rule) -> Expr | None:
    return rule.weight if rule.probability is None else rule.probability


def _scaled_weight(lowering: Lowering, rule: Rule, weight: Scalar, scale: int, total: str) -> str:
    """A weight on the common scale of a decision. The sum of weights, ``total`` so far, must stay within the limit,
    which is checked unless types bound it."""
    expr, factor = _weight_expression(rule), scale // weight.scale
    number = NumberType(1, 1) if expr is None else number_type(expr.type)
    if number is not None and number.high is not None and number.high * scale * MORE_ROOM < LIMIT:
        return weight.text if factor == 1 else f"{weight.text} * {factor}"
    helper = instantiate(lowering.text, "sampling", LIMIT=LIMIT)["share"]
    site = lowering.text.site("overflow", rule.span if expr is None else expr.span)
    return f"{helper}(C, {weight.text}, {factor}, {total}, {site})"


# --------------------------------------------------------------- together


def _write_together(lowering: Lowering, number: int, phase: model.Phase, together: model.Together, env: Env) -> None:
    """Choices made together, in turn. ``choosers_k`` is the mask of the players who have a choice."""
    layout, text = lowering.layout, lowering.text
    assert is_set(together.players.type)
    moves = Body()
    listed = growing_list(text, moves, "M")
    actor = lowering.bind(moves, Scalar(f"S[{ACTOR}] - 2"), "p")
    choice = Body()
    player = text.local(choice, "p")
    for rule in together.moves:
        code = lowering.moves.of(phase.name, rule.name)

        def offer(now: Env) -> None:
            choice.line("return 1")

        def put(now: Env, rule: Rule = rule, code: RuleCode = code) -> None:
            arguments = [move_argument(lowering, now, parameter) for parameter in rule.parameters]
            check_room(lowering, listed.count, together.moves, rule, moves)
            listed.append(moves, code.text(arguments))

        loop_over_candidates(lowering, rule, {**env, together.slot: Scalar(player)}, choice, offer)
        loop_over_candidates(lowering, rule, {**env, together.slot: actor}, moves, put)
    text.function(f"offered_{number}(C: ints[CONTEXT], S: state, {player}: int) -> int", choice)
    text.function(f"moves_{number}(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int", moves, listed.count)
    asked = lowering.mask(together.players, env)
    instantiate(
        text, "phases", {"choosers": f"offers_{number}"}, is_offered=f"offered_{number}",
        players_asked=text.extract("asked", "(C: ints[CONTEXT], S: state) -> bits", Body(), asked),
    )  # fmt: skip
    _write_actor(lowering, number, f"lowest(S[{layout.waiting}]) + 2")
    then = Body()
    _lower_after_decision(lowering, together.then, dict(env), then)
    text.function(f"then_{number}(C: ints[CONTEXT], S: state) -> int", then)


# The lowering of witnesses: ``witnessed(C, S, k)``, whether the state is one that witness k of the file describes.
#
# The function exists if the file has witnesses and all of them can be lowered. Payments are compared as whole numbers
# over the denominator of the game's own payoffs: a payment that is no such number does not occur in the game.


_LARGEST: Final = 1 << 30
"""The bound on the numerator and the denominator of a payment that a witness names: times a denominator of payoffs it
fits into a word."""


def witness_function(lowering: Lowering) -> None:
    """Write the function."""
    witnesses = lowering.model.witnesses
    if not witnesses:
        return
    body = Body()
    try:
        for number, witness in enumerate(witnesses):
            with body.block(f"if k == {number}"):
                _check_event(lowering, witness.event, body)
    except (Unsupported, EvaluationError):  # the reference machine answers, or explains the error
        return
    lowering.text.function("witnessed(C: ints[CONTEXT], S: state, k: int) -> int", body)


def _check_event(lowering: Lowering, event: model.Event, body: Body) -> None:
    """Write statements that return whether an event describes the state."""
    env, layout = {}, lowering.layout
    match event.place:
        case "phase":
            phase = lowering.model.phases[event.phase]
            body.return_if(f"S[{PHASE}] != {layout.phases.index(phase)}", 0)
            env = phase_arguments(layout, phase)
        case "end":
            body.return_if(f"S[{ACTOR}] != 0", 0)
    if event.paid is not None:
        for player, amount in enumerate(fixed_payoff(Compiler(), event.paid, lowering.model.players)):
            _check_payment(lowering, player, amount.numerator, amount.denominator, body)
    body.line(f"return {'1' if event.condition is None else lowering.value(event.condition.value, env).text}")


def _check_payment(lowering: Lowering, player: int, numerator: int, denominator: int, body: Body) -> None:
    """Write statements that return 0 if the end pays a player another amount than this."""
    if max(abs(numerator), denominator) >= _LARGEST:
        raise Unsupported("a payment that is so large or fine")
    whole = f"{numerator} * {lowering.text.over(1)}"
    if denominator > 1:
        body.return_if(f"({whole}) % {denominator} != 0", 0)
        whole = f"{whole} // {denominator}"
    body.return_if(f"ended(S, {player}) != {whole}", 0)
