"""The functions that write observations (see :mod:`zermelo.interpreter.native.coding.observations` for the words).

Programs of games with hidden information have these; ``WORDS`` is the length of an array ``R``:

==================================  ===========================================================================
``set_up(C, S)``                    the state after ``setup``, before the play begins
``observed(C, L, S, m, p, R)``      writes player p's observations on coming to S, each preceded by its length, and
                                    returns the number of words
``perceive(C, L, S, m)``            adds the observations of all players on coming to S to the digests in S
``perceived(S, p, K)``              the digest of all observations of player p, two numbers
==================================  ===========================================================================

S is a state at rest in which a player is to decide, or the end; L is that of the decision before it, and m the move
made there (chance may have drawn in between). At the first decision L is the state of ``set_up``, and m is -1. Applying
a move does not update digests, so random plays, which need none, do not pay for them.

Tellings remain in the state until the next move of a player, up to a limit of this machine; exceeding it is a fault
only when observations are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.evaluation.audiences import Audiences
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.model import Audience, SeenBy, Tell
from zermelo.interpreter.model.rewriting import reads_state
from zermelo.interpreter.model.walks import rules_of
from zermelo.interpreter.native.coding.encoding import is_set
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE
from zermelo.interpreter.native.coding.number_codes import scale_of
from zermelo.interpreter.native.coding.observations import (
    ASKED,
    MOVE,
    TOLD,
    ArgumentGroup,
    Perception,
)
from zermelo.interpreter.native.coding.unobserved import NotLowered
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions import tuples
from zermelo.interpreter.native.expressions.arithmetic import coded
from zermelo.interpreter.native.expressions.bindings import Env, code_of
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.perception.plan import MOST_TOLD
from zermelo.interpreter.native.perception.sightings import put_observation, seen_always, seen_now, words_of
from zermelo.interpreter.native.sets import optional_sets

_STIRRER: Final = 0x2545F4914F6CDD1D

_LABEL: Final = 16
"""The low bits of a head, for the label of the telling; the hearers are above."""


# ------------------------------------------------------------------ tellings


def tell(lowering: Lowering, perception: Perception, statement: Tell, env: Env, body: Body) -> None:
    """Write a telling and its hearers, as long as there is room."""
    text, hearers = lowering.text, statement.audience
    if is_set(hearers.type):
        mask = lowering.mask(hearers, env)
    else:
        mask = f"{lowering.code('only')}({lowering.value(hearers, env).text})"
    mask = text.let(body, "hearers", mask, "bits")
    number = next(
        k
        for k, group in enumerate(perception.tellings)
        if group.name == statement.label and len(group.parts) == len(statement.arguments)
    )
    names = []
    for part, argument in zip(perception.tellings[number].parts, statement.arguments, strict=True):
        if is_set(part.type):
            held = optional_sets.set_to_store(lowering, argument, env, part.type, part.storage)
            names.append(text.let(body, "told", held, "bits"))
        else:
            value = lowering.scalar(argument, env, part.type)
            value = lowering.bind(body, coded(lowering, value, part.type, argument.span), "told")
            names.append(text.let(body, "told", part.storage.put_text(value.text)))
    begin = instantiate(text, "telling", TOLD=perception.told, SIZE=perception.told_size, MOST=MOST_TOLD, LABEL=_LABEL)[
        "begin_telling"
    ]
    at = text.let(body, "at", f"{begin}(S, {mask}, {number})")
    if names:
        with body.block(f"if {at} >= 0"):
            body.write("S", f"{at} + 1", names)


def forget(lowering: Lowering, body: Body) -> None:
    """Drop all tellings when a player moves: they have been observed."""
    perception = lowering.perception
    if isinstance(perception, Perception) and perception.tellings:
        with body.block(f"if S[{ACTOR}] != 1"):
            body.line(f"S[{perception.told}] = 0")


# -------------------------------------------------------------- observations


def perceiving_functions(lowering: Lowering) -> None:
    """``observed``, ``perceive`` and ``perceived``, if observations can be lowered."""
    perception = lowering.perception
    if not isinstance(perception, Perception):
        return
    try:
        _observed(lowering, perception)
    except Unsupported as beyond:
        lowering.perception = NotLowered(beyond.construct)
        return
    names = {name: name for name in ("perceive", "perceived")}
    instantiate(lowering.text, "perceiving", names, DIGESTS=perception.digests, STIRRER=_STIRRER)


def _observed(lowering: Lowering, perception: Perception) -> None:
    _moved(lowering, perception)
    instantiate(
        lowering.text, "observing", {"observed": "observed"}, **_move_functions(lowering, perception),
        **_told_functions(lowering, perception), shown_values=_shown_values(lowering, perception),
        shown_question=_shown_question(lowering, perception),
    )  # fmt: skip


def _shown_values(lowering: Lowering, perception: Perception) -> str:
    """New values, as a sequence of heads and words."""
    body = Body()
    visible_to = Audiences(lowering.model, Compiler()).always
    for variable in perception.firsts:
        assert not isinstance(variable.visibility, Audience) or variable.visibility is Audience.EVERYBODY
        if isinstance(variable.visibility, SeenBy) and reads_state(variable.visibility.audience):
            seen_now(lowering, perception, variable, variable.visibility, body)
        elif not variable.is_constant:
            seen_always(lowering, perception, variable, visible_to, body)
    head = "(C: ints[CONTEXT], L: state, S: state, p: int, R: ints[WORDS], n: int) -> int"
    return lowering.text.apart("shown_values", head, body, "n")


def _moved(lowering: Lowering, perception: Perception) -> None:
    """``moved``: player p's observation of the move m of player q."""
    body = Body()
    rule_of_move = lowering.text.let(body, "rule", lowering.moves.rule_text("m"))

    def show(rule: model.Rule, number: int, group: int) -> None:
        if rule.secret:
            body.return_if("q != p", "n")
        code = lowering.moves.codes[number]
        words: list[str] = []
        for k, (part, parameter) in enumerate(zip(perception.moves[group].parts, rule.parameters, strict=True)):
            argument = code_of(parameter.type, code.argument_text("m", k))
            argument = tuples.on_multiple(lowering, argument, parameter.type, scale_of(part.type))
            value = part.storage.put_text(argument.text)
            if parameter.secret:
                hidden = 0 if part.has_flag else part.storage.put(part.storage.none)
                value = f"({value}) if q == p else {hidden}"
            if part.has_flag:
                words.append("1 if q == p else 0" if parameter.secret else "1")
            if part.size - part.has_flag > 1:
                value = lowering.text.let(body, "whole", value, "bits")
            words += words_of(part, value)
        head = perception.head(MOVE, group * len(perception.model.players))
        put_observation(body, f"{head} + {perception.head(0, 1)} * q", words)

    cases = []
    for phase in perception.layout.phases:
        if phase.decision is None or isinstance(phase.decision, model.Chance):
            continue
        for rule in rules_of(phase.decision):
            number = lowering.moves.of(phase.name, rule.name).number
            group = next(
                k
                for k, group in enumerate(perception.moves)
                if group.name == rule.name and len(group.parts) == len(rule.parameters)
            )
            cases.append((number, partial(show, rule, number, group)))
    body.choose(rule_of_move, cases)
    lowering.text.function("moved(m: int, q: int, p: int, R: ints[WORDS], n: int) -> int", body, "n")


def _move_functions(lowering: Lowering, perception: Perception) -> Mapping[str, str]:
    """Observations of the last move; choices made together are all observed after the last of them."""
    text, layout = lowering.text, perception.layout
    if layout.choices is None:
        return instantiate(text, "moves_in_turn", ACTOR=ACTOR)
    together = [int(isinstance(phase.decision, model.Together)) for phase in layout.phases]
    return instantiate(text, "moves_at_once", ACTOR=ACTOR, PHASE=PHASE, TOGETHER=[*together, 0], CHOICES=layout.choices)


def _told_functions(lowering: Lowering, perception: Perception) -> Mapping[str, str]:
    """Observations of tellings since the last move, in games that tell something."""
    text, body = lowering.text, Body()
    if not perception.tellings:
        return {}

    def show(number: int, group: ArgumentGroup) -> None:
        words = [word for k, part in enumerate(group.parts, 1) for word in words_of(part, f"S[at + {k}]")]
        put_observation(body, str(perception.head(TOLD, number)), words)

    body.choose("label", [(k, partial(show, k, group)) for k, group in enumerate(perception.tellings)])
    return instantiate(
        text, "tellings",
        TOLD=perception.told, SIZE=perception.told_size, MOST=MOST_TOLD, LABEL=_LABEL,
        OVERFLOW=text.site("overflow", perception.model.start.span),
        show=text.apart("telling", "(S: state, at: int, label: int, R: ints[WORDS], n: int) -> int", body, "n"),
    )  # fmt: skip


def _shown_question(lowering: Lowering, perception: Perception) -> str:
    """The observation that p is to decide: the phase, and those arguments that they see."""
    layout, body = perception.layout, Body()
    waiting = "" if layout.waiting is None else f" or (S[{layout.waiting}] >> p) & 1 != 0"

    def show(number: int) -> Callable[[], None]:
        words = [
            word
            for k, part in enumerate(perception.asked_parts(number))
            if part is not None
            for word in words_of(part, f"S[{layout.arguments + k}]")
        ]
        return partial(put_observation, body, str(perception.head(ASKED, number)), words)

    current = lowering.text.let(body, "phase", f"S[{PHASE}]")
    with body.block(f"if S[{ACTOR}] == p + 2{waiting}"):
        deciding = [
            k for k, phase in enumerate(layout.phases) if isinstance(phase.decision, model.Turn | model.Together)
        ]
        body.choose(current, [(k, show(k)) for k in deciding])
    return lowering.text.apart("shown_question", "(S: state, p: int, R: ints[WORDS], n: int) -> int", body, "n")
