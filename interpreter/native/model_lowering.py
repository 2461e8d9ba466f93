"""The lowering of a whole model: its text in the kernel dialect, and the encodings needed to read its numbers.

Besides the functions of single phases and rules (:mod:`zermelo.interpreter.native.rules.decisions`) the text has those
that machines and kernels call; :mod:`zermelo.interpreter.native.dialect.words` says what they mean. In the text ``C``
is a context, ``S`` a state, ``M`` an array of moves, ``W`` one of weights, ``R[0]`` the state of the random generator.
"""

from __future__ import annotations

from fractions import Fraction

from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import UNSET
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.statements import StatementCompiler, compile_setup
from zermelo.interpreter.model import Model
from zermelo.interpreter.model.rewriting import recalled_bindings
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Text, Unsupported
from zermelo.interpreter.native.expressions import variables
from zermelo.interpreter.native.expressions.lowering import Lowering, TooNarrow
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.rules import decisions, perception, sampling, statements
from zermelo.interpreter.native.rules.untried import untried_functions
from zermelo.interpreter.native.sets import masks, scalars
from zermelo.interpreter.native.state_encoding.encoding import encode, larger_sets
from zermelo.interpreter.native.state_encoding.move_codes import ROOM, move_codes
from zermelo.interpreter.native.state_encoding.observations import Perception
from zermelo.interpreter.native.state_encoding.state_layout import ACTOR, PHASE, lay_out, packed_words, unpacked_slots
from zermelo.interpreter.values import EvaluationError

_KINDS = (scalars, variables, masks)
"""The modules that lower the kinds of expressions."""


def lower(model: Model, room: int = ROOM) -> Program:
    """Lower a model, with lists for ``room`` moves of one decision. States, keys and the numbers of moves do not depend
    on ``room``. Raises :class:`~zermelo.interpreter.native.dialect.lowered_text.Unsupported`."""
    try:
        try:
            return _lower_wide_enough(model, room)
        except Unsupported:
            with larger_sets():
                return _lower_wide_enough(model, room)
    except RecursionError:  # walks over the model recurse, and the depth left to them depends on the caller
        raise Unsupported("rules nested so deep") from None


def _lower_wide_enough(model: Model, room: int) -> Program:
    """The program with words as wide as its widest mask."""
    width = 64
    while True:
        try:
            return _lower_with_width(model, width, room)
        except TooNarrow as error:
            width = -(-error.size // 64) * 64


def _lower_with_width(model: Model, width: int, room: int) -> Program:
    """The program with slots of at least ``width`` bits."""
    moves = move_codes(model)
    layout = lay_out(model, moves.bits, width)
    text = Text()
    moves.write_functions(text)
    plan = sampling.plan_history(model, layout, text)
    planned = perception.plan_perception(model, layout)
    lowering = Lowering(model, text, layout, moves, plan, planned, room, masks.loop_over_family)
    names = [decisions.phase_functions(lowering, number, phase) for number, phase in enumerate(layout.phases)]
    has_list = untried_functions(lowering, names)
    sampling.sample_functions(lowering, names)
    sampling.run_functions(lowering)
    sampling.effects_function(lowering)
    _write_start(lowering)
    _write_dispatch(lowering)
    _write_payoffs(lowering)
    _write_restart(lowering)
    _write_pack(lowering)
    _write_unpack(lowering)
    sampling.passing_function(lowering)
    estimate_denominator = statements.hint_functions(lowering)
    feature_denominators = statements.features_function(lowering)
    if model.network is not None:
        from zermelo.interpreter.native.rules.networks import network_functions  # which few games have

        estimate_denominator = network_functions(lowering, model.network)
        feature_denominators = (1,) * len(model.network.units)
    decisions.witness_function(lowering)
    perception.perceiving_functions(lowering)
    constants = {
        "CONTEXT": plan.context, "STATE": layout.size, "KEY": layout.key_words,
        "PLAYERS": len(model.players), "MOVES": min(moves.most, room), "LISTED": (min(moves.most, room) + 1) * has_list,
        "MOMENT": plan.words, "PAST": plan.past,
        "TERMS": len(feature_denominators),
        "WORDS": lowering.perception.words if isinstance(lowering.perception, Perception) else 0,
    }  # fmt: skip
    denominator = statements.settle_denominator(text)
    if model.discount != 1:
        worth = statements.discount_factors(Fraction(model.discount), denominator)
        denominator *= worth[0]
        text.constants |= {"LONGEST": len(worth) - 1, "WORTH": worth}
    head = "from __future__ import annotations\n\n" + "\n".join(
        f"{name} = {value}" for name, value in constants.items()
    )
    return Program(
        model, f"{head}\n{text.render()}", layout, lowering.moves, tuple(text.sites), denominator, plan,
        constants, estimate_denominator, feature_denominators, lowering.perception, lowering.asking.may_take_long,
    )  # fmt: skip


def _write_start(lowering: Lowering) -> None:
    """``set_up``: the variables after ``setup``; ``begin``: then ``start``."""
    game, layout = lowering.model, lowering.layout
    set_up = compile_setup(StatementCompiler(game, Compiler()))
    state, start = [0] * layout.size, Body()
    try:
        context, _ = set_up()
        values = context.values
    except EvaluationError as error:
        values = []
        lowering.fault(start, error.code, error.span)
    else:
        statements.lower_block(lowering, (game.start,), {}, start)
    for variable, place in layout.places.items():
        for at, value in zip(variables.positions(place), values[variable.offset :], strict=False):
            held = 0 if value is UNSET else place.storage.put(encode(value, variable.type))
            if place.is_planes:
                for k in range(place.storage.width):
                    state[place.first + k] |= (held >> k & 1) << at
            else:
                state[place.first + at // place.per_slot] |= held << at % place.per_slot * place.storage.width
    instantiate(
        lowering.text, "phases", {"set_up": "set_up", "begin": "begin"}, START=state,
        start=lowering.text.extract("start", "(C: ints[CONTEXT], S: state) -> int", start),
    )  # fmt: skip


def _write_dispatch(lowering: Lowering) -> None:
    """``actor``, ``moves`` (and ``steps``: before a clause leaves some out) and ``outcomes``."""
    lowering.text.define_as("actor", f"(S: state) -> int:\n    return S[{ACTOR}] - 2\n")
    deciders, turns, lotteries = list[int](), list[int](), list[int]()
    for number, phase in enumerate(lowering.layout.phases):
        if isinstance(phase.decision, model.Chance):
            lotteries.append(number)
        elif phase.decision is not None:
            deciders.append(number)
            if isinstance(phase.decision, model.Turn):
                turns.append(number)
    moves = sampling.calls_by_phase(lowering, "moves", "C, S, M", deciders)
    steps = sampling.calls_by_phase(lowering, "steps", "C, S, M", turns)
    outcomes = sampling.calls_by_phase(lowering, "outcomes", "C, S, M, W", lotteries)
    lowering.text.function("moves(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int", moves)
    if any(isinstance(phase.decision, model.Turn) and phase.decision.is_narrowed for phase in lowering.layout.phases):
        lowering.text.function("steps(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int", steps)
    lowering.text.function("outcomes(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES]) -> int", outcomes)


def _write_payoffs(lowering: Lowering) -> None:
    """``ended``, ``earned`` and ``payoff``."""
    layout, text = lowering.layout, lowering.text
    text.define_as("ended", f"(S: state, p: int) -> int:\n    return S[{layout.payoffs} + p]\n")
    earned = "0" if layout.earnings is None else f"S[{layout.earnings} + p]"
    text.define_as("earned", f"(S: state, p: int) -> int:\n    return {earned}\n")
    whole = f"{statements.discount_end(layout, 'ended(S, p)')} + earned(S, p)"
    text.define_as("payoff", f"(S: state, p: int) -> int:\n    return {whole}\n")


def _write_restart(lowering: Lowering) -> None:
    """``afresh`` and ``is_within_round``."""
    layout, text = lowering.layout, lowering.text
    players = len(lowering.model.players)
    body = Body()
    _write_reset(lowering, body)
    text.function("afresh(S: state) -> int", body)
    choices = [] if layout.choices is None else [f"S[{layout.choices + k}] != 0" for k in range(players)]
    within = f"1 if {' or '.join(choices)} else 0" if choices else "0"
    text.define_as("is_within_round", f"(S: state) -> int:\n    return {within}\n")


def _write_reset(lowering: Lowering, body: Body) -> None:
    """Reset the earnings, and the counts of decisions."""
    layout = lowering.layout
    past = [] if layout.earnings is None else [layout.earnings + k for k in range(len(lowering.model.players))]
    past += [] if layout.decisions is None else [layout.decisions, layout.decisions + 1]
    for slot in past:
        body.line(f"S[{slot}] = 0")


def _write_pack(lowering: Lowering) -> None:
    """``pack``: the pieces of the key side by side."""
    body = Body()
    words = packed_words(lowering.layout.pieces)
    body.write("K", 0, words)
    first, index = len(words), lowering.text.local(body, "i")
    for place in lowering.layout.packed:
        each = -(-place.slot_width // 64)
        with body.block(f"for {index} in range({place.slots})"):
            parts = [f"(S[{place.first} + {index}] >> {64 * k}) & {(1 << 64) - 1}" for k in range(each)]
            body.write("K", f"{first} + {index} * {each}", parts)
        first += each * place.slots
    lowering.text.function("pack(S: state, K: ints[KEY]) -> int", body)


def _write_unpack(lowering: Lowering) -> None:
    """``unpack``: restores the slots that ``pack`` has packed, and the names that follow from them. The other slots are
    those of constants, which all states share, of the past, and slots that are written again before they are read."""
    layout, body = lowering.layout, Body()
    for slot, text in unpacked_slots(layout.pieces, layout.signed_names):
        is_number = slot in layout.signed_names
        body.line(f"S[{slot}] = {lowering.helper('signed_again')}({text})" if is_number else f"S[{slot}] = {text}")
    first, index = len(packed_words(layout.pieces)), lowering.text.local(body, "i")
    for place in layout.packed:
        each = -(-place.slot_width // 64)
        with body.block(f"for {index} in range({place.slots})"):
            words = (f"K[{first + k} + {index} * {each}]" for k in range(each))
            parts = (f"({word} << {64 * k})" if k else word for k, word in enumerate(words))
            body.line(f"S[{place.first} + {index}] = {' | '.join(parts)}")
        first += each * place.slots
    body.line(f"S[{ACTOR}] = a + 2")
    _write_reset(lowering, body)
    for number, phase in enumerate(layout.phases):
        if recalled_bindings(phase):
            body.return_if(f"S[{PHASE}] == {number}", f"recall_{number}(C, S)")
    lowering.text.function("unpack(C: ints[CONTEXT], S: state, K: ints[KEY], a: int) -> int", body)
