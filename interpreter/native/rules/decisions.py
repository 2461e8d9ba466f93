"""Phases and their decisions: offered moves and their effects.

Each phase k has functions ``entry_k``, ``offers_k``, ``moves_k`` (or ``outcomes_k``) and ``otherwise_k``, and
``recall_k`` if the state does not remember all names of ``entry_k``: it binds the others anew. Each rule r has a
function ``body_r``. All modify the state ``S`` in place.
"""

from __future__ import annotations

from math import lcm

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr, Rule
from zermelo.interpreter.model.liveness import live_names, names_for_otherwise, recalled_bindings, remembered_names
from zermelo.interpreter.native.coding.encoding import is_set, storage_of
from zermelo.interpreter.native.coding.layout import ACTOR, StateLayout
from zermelo.interpreter.native.coding.move_counts import MORE_ROOM, ROOM, is_endless
from zermelo.interpreter.native.coding.moves import RuleCode
from zermelo.interpreter.native.coding.number_codes import LIMIT, number_type
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.arithmetic import last
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Scalar, code_of
from zermelo.interpreter.native.expressions.collecting import growing_list
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.rules import statements
from zermelo.interpreter.native.rules.preferring import narrowing_functions
from zermelo.interpreter.native.rules.rule import argument, candidates, ensured, trial_names
from zermelo.interpreter.native.sets import loops, optional_sets
from zermelo.interpreter.types import NumberType, SetType, strip_none


def phase_functions(lowering: Lowering, number: int, phase: model.Phase) -> Env:
    """Write the functions of one phase; returns the names in scope of its decision."""
    lowering.phase = number
    lowering.kept = live_names(phase) | names_for_otherwise(phase)
    env = parameters(lowering.layout, phase)
    if phase.entry:
        body = Body()
        statements.block(lowering, phase.entry, env, body)
        lowering.text.function(f"entry_{number}(C: ints[CONTEXT], S: state) -> int", body)
    if recalled := recalled_bindings(phase):
        body = Body()
        statements.block(lowering, recalled, parameters(lowering.layout, phase), body)
        lowering.text.function(f"recall_{number}(C: ints[CONTEXT], S: state) -> int", body)
    env = {slot: binding for slot, binding in env.items() if slot < len(phase.parameters) or slot in lowering.kept}
    for slot in remembered_names(phase):
        binding = env[slot]
        if isinstance(binding, Mask) and not binding.is_ascending:
            raise Unsupported("keeping a set in an order of its own until a decision", phase.span)
    match phase.decision:
        case model.Turn() as turn:
            _actor(lowering, number, f"{lowering.whole(turn.player, env)} + 2")
            _lists(lowering, number, phase, turn.moves, env)
            listed = f"steps_{number}(C, S, M)"
            if turn.is_narrowed:
                narrowing_functions(lowering, number, turn, env)
                listed = f"kept_{number}(C, S, M, {listed})"
            head = f"moves_{number}(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int"
            lowering.text.function(head, Body(), listed)
        case model.Chance() as chance:
            _actor(lowering, number, "1")
            _lottery(lowering, number, phase, chance, env)
        case model.Together() as together:
            _together(lowering, number, phase, together, env)
        case None:
            pass
    lowering.kept = frozenset()
    if phase.otherwise is not None:
        body = Body()
        statements.block(lowering, phase.otherwise, dict(env), body)
        lowering.text.function(f"otherwise_{number}(C: ints[CONTEXT], S: state) -> int", body)
    return env


def parameters(layout: StateLayout, phase: model.Phase) -> Env:
    """The arguments of a phase, bound to their slots."""
    env: Env = {}
    for k, parameter in enumerate(phase.parameters):
        text = f"S[{layout.arguments + k}]"
        if is_set(parameter.type):
            env[k] = optional_sets.set_held(parameter.type, text)
        else:
            env[k] = code_of(parameter.type, storage_of(parameter.type).take_text(text))
    return env


# ------------------------------------------------------------------ rules


def _actor(lowering: Lowering, number: int, text: str) -> None:
    lowering.text.function(f"actor_{number}(C: ints[CONTEXT], S: state) -> int", Body(), text)


def _lists(lowering: Lowering, number: int, phase: model.Phase, rules: tuple[Rule, ...], env: Env) -> None:
    """``offers_k`` and ``moves_k`` of a turn, and the bodies of its rules."""
    moves = Body()
    listed = growing_list(lowering.text, moves, "M")
    can_fail = False
    for rule in rules:
        code = lowering.moves.of(phase.name, rule.name)
        sites = len(lowering.text.sites)
        _body(lowering, phase, rule, env)
        can_fail = can_fail or (rule.ensuring is not None and len(lowering.text.sites) > sites)

        def put(now: Env, rule: Rule = rule, code: RuleCode = code) -> None:
            arguments = [argument(lowering, now, parameter) for parameter in rule.parameters]

            def keep() -> None:
                check_room(lowering, listed.count, rules, rule, moves)
                listed.append(moves, code.text(arguments))

            ensured(lowering, phase, rule, now, moves, keep)

        candidates(lowering, rule, trial_names(lowering, rule, env, moves), moves, put)
    _offers(lowering, number, phase, rules, env, can_fail)
    lowering.text.function(f"steps_{number}(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int", moves, listed.count)


def _offers(
    lowering: Lowering, number: int, phase: model.Phase, rules: tuple[Rule, ...], env: Env, can_fail: bool
) -> None:
    """``offers_k`` of a turn: whether there is a legal move. If no evaluation can fail, the cheapest rules come first,
    and their candidates in any order."""
    sites = len(lowering.text.sites)
    parts = [_offered(lowering, phase, rule, env, loops.unordered) for rule in rules]
    if can_fail or len(lowering.text.sites) > sites:
        parts = [_offered(lowering, phase, rule, env, loops.bindings) for rule in rules]
    else:
        order = sorted(range(len(rules)), key=lambda k: (rules[k].ensuring is not None, len(rules[k].parameters)))
        parts = [parts[k] for k in order]
    offers = Body()
    for part in parts:
        offers.insert(part)
    lowering.text.function(f"offers_{number}(C: ints[CONTEXT], S: state) -> int", offers)


def _offered(lowering: Lowering, phase: model.Phase, rule: Rule, env: Env, loop: loops.Loops) -> Body:
    """A body that returns 1 at the first legal move of a rule."""
    body = Body()

    def offer(now: Env) -> None:
        ensured(lowering, phase, rule, now, body, lambda: body.line("return 1"))

    candidates(lowering, rule, trial_names(lowering, rule, env, body), body, offer, loop)
    return body


def check_room(lowering: Lowering, count: str, rules: tuple[Rule, ...], rule: Rule, body: Body) -> None:
    """Check that the moves of a decision fit into their list, if they might not; ``crowded`` means that a longer list
    may help. The site is numbered in any case, so that sites do not depend on the length."""
    if lowering.moves.most <= ROOM:
        return
    site = lowering.text.site("overflow" if lowering.room == MORE_ROOM or is_endless(rules) else "crowded", rule.span)
    if lowering.moves.most > lowering.room:
        with body.block(f"if {count} >= {lowering.room}"):
            body.line(f"{lowering.check('fail')}(C, {site})")
            body.line(f"return {count}")


def _body(lowering: Lowering, phase: model.Phase, rule: Rule, env: Env) -> None:
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
    _deciding(lowering, rule.body, inner, body)
    lowering.text.function(f"body_{number}(C: ints[CONTEXT], S: state{''.join(heads)}) -> int", body)


def _deciding(lowering: Lowering, block: model.Block, env: Env, body: Body) -> None:
    """Statements that run after a decision."""
    kept, lowering.kept, lowering.is_deciding = lowering.kept, frozenset(), True
    statements.block(lowering, block, env, body)
    lowering.kept, lowering.is_deciding = kept, False


# ----------------------------------------------------------------- chance


def _lottery(lowering: Lowering, number: int, phase: model.Phase, chance: model.Chance, env: Env) -> None:
    """``offers_k``, and ``outcomes_k``, which writes the outcomes and their weights on one scale, the common one of all
    weights in ``offers_k``."""
    offers, outcomes = Body(), Body()
    text = lowering.text
    listed, total = growing_list(text, outcomes, "M", "W"), text.let(outcomes, "total", 0)
    scales = {1}
    for rule in chance.outcomes:
        _body(lowering, phase, rule, env)

        def offer(now: Env, rule: Rule = rule) -> None:
            weight = weight_of(lowering, rule, now, offers)
            scales.add(weight.scale)
            offers.return_if(f"{weight.text} > 0", 1)

        candidates(lowering, rule, env, offers, offer)
    scale = lcm(*scales)
    if scale > LIMIT:
        raise Unsupported("weights of more than 61 bits")
    for rule in chance.outcomes:
        code = lowering.moves.of(phase.name, rule.name)

        def put(now: Env, rule: Rule = rule, code: RuleCode = code) -> None:
            weight = weight_of(lowering, rule, now, outcomes)
            with outcomes.block(f"if {weight.text} > 0"):
                arguments = [argument(lowering, now, parameter) for parameter in rule.parameters]
                check_room(lowering, listed.count, chance.outcomes, rule, outcomes)
                listed.append(outcomes, code.text(arguments), _share(lowering, rule, weight, scale, total))
                outcomes.line(f"{total} += W[{listed.count} - 1]")

        candidates(lowering, rule, env, outcomes, put)
    if any(rule.probability is not None for rule in chance.outcomes):
        lowering.fault_if(outcomes, f"{total} != {scale}", "bad-probabilities", chance.span)
    text.function(f"offers_{number}(C: ints[CONTEXT], S: state) -> int", offers)
    head = f"outcomes_{number}(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES]) -> int"
    text.function(head, outcomes, listed.count)


def weight_of(lowering: Lowering, rule: Rule, env: Env, body: Body) -> Scalar:
    """The weight of an outcome, with the check that it is not negative."""
    expr = _weight(rule)
    if expr is None:
        return Scalar("1")
    value = lowering.bind(body, last(lowering, expr, env), "w")
    number = number_type(expr.type)
    if number is None or number.low is None or number.low < 0:
        lowering.fault_if(body, f"{value.text} < 0", "negative-weight", expr.span)
    return value


def _weight(rule: Rule) -> Expr | None:
    return rule.weight if rule.probability is None else rule.probability


def _share(lowering: Lowering, rule: Rule, weight: Scalar, scale: int, total: str) -> str:
    """A weight on the common scale of a decision. The sum of weights, ``total`` so far, must stay within the limit,
    which is checked unless types bound it."""
    expr, factor = _weight(rule), scale // weight.scale
    number = NumberType(1, 1) if expr is None else number_type(expr.type)
    if number is not None and number.high is not None and number.high * scale * MORE_ROOM < LIMIT:
        return weight.text if factor == 1 else f"{weight.text} * {factor}"
    helper = instantiate(lowering.text, "shares", LIMIT=LIMIT)["share"]
    site = lowering.text.site("overflow", rule.span if expr is None else expr.span)
    return f"{helper}(C, {weight.text}, {factor}, {total}, {site})"


# --------------------------------------------------------------- together


def _together(lowering: Lowering, number: int, phase: model.Phase, together: model.Together, env: Env) -> None:
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
            arguments = [argument(lowering, now, parameter) for parameter in rule.parameters]
            check_room(lowering, listed.count, together.moves, rule, moves)
            listed.append(moves, code.text(arguments))

        candidates(lowering, rule, {**env, together.slot: Scalar(player)}, choice, offer)
        candidates(lowering, rule, {**env, together.slot: actor}, moves, put)
    text.function(f"offered_{number}(C: ints[CONTEXT], S: state, {player}: int) -> int", choice)
    text.function(f"moves_{number}(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int", moves, listed.count)
    asked = lowering.mask(together.players, env)
    instantiate(
        text, "choosers", {"choosers": f"offers_{number}"}, is_offered=f"offered_{number}",
        players_asked=text.apart("asked", "(C: ints[CONTEXT], S: state) -> bits", Body(), asked),
    )  # fmt: skip
    _actor(lowering, number, f"lowest(S[{layout.waiting}]) + 2")
    then = Body()
    _deciding(lowering, together.then, dict(env), then)
    text.function(f"then_{number}(C: ints[CONTEXT], S: state) -> int", then)
