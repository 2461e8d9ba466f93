"""The lowering of observations: their slots in a state, newly seen values, and the functions that write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from itertools import product
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.analysis import perfect_information
from zermelo.interpreter.evaluation.context import Audiences
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.intervals import hull
from zermelo.interpreter.model import Audience, Model, SeenBy, Tell, Variable
from zermelo.interpreter.model.rewriting import blocks, reads_state, rules_of, statements
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported
from zermelo.interpreter.native.expressions import bindings
from zermelo.interpreter.native.expressions.bindings import Env, code_of
from zermelo.interpreter.native.expressions.lowering import Lowering, encode_number
from zermelo.interpreter.native.expressions.variables import positions, stored_text
from zermelo.interpreter.native.sets import conditions
from zermelo.interpreter.native.state_encoding.encoding import encode, is_set, same_codes, scale_of, storage_of
from zermelo.interpreter.native.state_encoding.observations import (
    ASKED,
    MOVE,
    SEEN,
    TOLD,
    WORD,
    ArgumentGroup,
    Part,
    Perception,
    group_number,
)
from zermelo.interpreter.native.state_encoding.state_layout import (
    ACTOR,
    PHASE,
    NothingHidden,
    NotLowered,
    Place,
    StateLayout,
)
from zermelo.interpreter.types import NoneType, NumberType, OptionalType, Type, strip_none
from zermelo.interpreter.values import Member

# The encoding of a model's observations, and their slots in a state (see
# :mod:`zermelo.interpreter.native.state_encoding.observations`).


MOST_TOLD: Final = 12
"""The most tellings between two decisions."""

_MOST_HEARERS: Final = 32


def plan_perception(game: Model, layout: StateLayout) -> Perception | NothingHidden | NotLowered:
    """The encoding of observations, with slots added to the layout; or why there is none."""
    tellings = [statement for block in blocks(game) for statement in statements(block) if isinstance(statement, Tell)]
    if perfect_information(game, layout.phases).holds and not tellings:
        return NothingHidden()
    try:
        return _plan_encoding(game, layout, tellings)
    except Unsupported as beyond:
        return NotLowered(beyond.construct)


def _plan_encoding(game: Model, layout: StateLayout, tellings: list[Tell]) -> Perception:
    if any(isinstance(statement, Tell) for statement in statements(game.setup)):
        raise Unsupported("telling something before the play begins")
    if len(game.players) > _MOST_HEARERS:
        raise Unsupported(f"hidden information for more than {_MOST_HEARERS} players")
    shown = [
        (rule.name, [(parameter.type, parameter.secret) for parameter in rule.parameters])
        for phase in layout.phases
        if not isinstance(phase.decision, model.Chance)
        for rule in rules_of(phase.decision)
    ]
    said = [(telling.label, [(argument.type, False) for argument in telling.arguments]) for telling in tellings]
    perception = Perception(game, layout, _argument_groups(shown), _argument_groups(said), layout.size, 0, 0)
    layout.size += 2 * len(game.players)
    perception.told = layout.size
    perception.told_size = 1 + max((len(group.parts) for group in perception.tellings), default=0)
    if tellings:
        layout.size += 1 + MOST_TOLD * perception.told_size
    first = 0
    entries = 0
    for variable in game.variables:
        if variable.visibility is Audience.NOBODY:
            continue
        perception.firsts[variable] = first
        first += layout.places[variable].extent
        entries += variable.entries * (1 + perception.seen_part(variable).size)
    asked = [
        sum(part.size for part in perception.asked_parts(k) if part is not None) for k in range(len(layout.phases))
    ]
    perception.words = (
        len(game.players) * (2 + max((group.size for group in perception.moves), default=0))
        + (MOST_TOLD * (2 + max((group.size for group in perception.tellings), default=0)) if tellings else 0)
        + (1 + entries)
        + (2 + max(asked, default=0))
    )
    return perception


def _argument_groups(named: Iterable[tuple[str, list[tuple[Type, bool]]]]) -> tuple[ArgumentGroup, ...]:
    """One group for each name and number of arguments; each argument has its type and a flag whether it is secret."""
    gathered: dict[tuple[str, int], list[list[tuple[Type, bool]]]] = {}
    for name, arguments in named:
        gathered.setdefault((name, len(arguments)), []).append(arguments)
    return tuple(
        ArgumentGroup(name, tuple(_argument_part([arguments[k] for arguments in found]) for k in range(count)))
        for (name, count), found in gathered.items()
    )


def _argument_part(found: list[tuple[Type, bool]]) -> Part:
    """The encoding of an argument with these types in different phases."""
    type = _join_types([type for type, _ in found])
    part = Part(type, storage_of(type), any(secret for _, secret in found))
    if part.storage.width > WORD and not is_set(type):
        raise Unsupported("a value of more than 62 bits")
    return part


def _join_types(types: list[Type]) -> Type:
    """A common supertype in which every value keeps its code."""
    inner = [strip_none(type).base for type in types if not isinstance(type, NoneType)]
    if not inner:
        raise Unsupported("an argument that is always none")
    joined = inner[0]
    for other in inner[1:]:
        if isinstance(joined, NumberType) and isinstance(other, NumberType):
            joined = hull(joined, other)
        elif joined != other or not same_codes(joined, other):
            raise Unsupported("moves or tellings of one name with arguments of different types")
    has_none = any(isinstance(type, OptionalType | NoneType) for type in types)
    return OptionalType(joined) if has_none else joined


# Sightings: the entries of variables that a player sees for the first time, or with a new value.


def put_sighting(body: Body, head: str, words: list[str]) -> None:
    """Write a head and the words after it."""
    body.write("R", "n", (head, *words))
    body.line(f"n += {len(words) + 1}")


def put_observation(body: Body, head: str, words: list[str]) -> None:
    """Write an observation with one head, preceded by its length."""
    put_sighting(body, str(len(words) + 1), [head, *words])


def words_of(part: Part, text: str) -> list[str]:
    """The words of a value, given in its stored form."""
    count = part.size - part.has_flag
    if count == 1:
        return [text]
    return [f"(({text}) >> {k * WORD}) & {(1 << WORD) - 1}" for k in range(count)]


def _entries(variable: Variable, place: Place) -> list[tuple[int, int, list[int]]]:
    """The entries of a variable: their positions, their numbers among the model's entries, their indices as codes."""
    of_indices = [[encode(value, index.type) for value in strip_none(index.type).members] for index in place.indices]
    found = zip(positions(place), product(*of_indices), strict=True)
    return sorted((at, variable.offset + k, list(codes)) for k, (at, codes) in enumerate(found))


def _put_seen_value(lowering: Lowering, perception: Perception, variable: Variable, at: str, body: Body) -> None:
    place = perception.layout.places[variable]
    part = perception.seen_part(variable)
    head = perception.head(SEEN, perception.firsts[variable])
    scaled = f" + {perception.head(0, 1)} * {at}" if place.indices else ""
    put_sighting(body, f"{head}{scaled}", words_of(part, stored_text(lowering, place, at)))


def put_always_seen(
    lowering: Lowering, perception: Perception, variable: Variable, visible_to: Mapping[Member, Set[int]], body: Body
) -> None:
    """New values of a variable whose audience is fixed: each player sees the entries whose numbers in the model are in
    ``visible_to``."""
    place = perception.layout.places[variable]
    entries = _entries(variable, place)
    visible = [
        sum(1 << at for at, number, _ in entries if number in visible_to[player]) for player in perception.model.players
    ]
    if not any(visible):
        return
    if place.is_planes:
        masks = lowering.text.table(visible, "bits")
        differing = " | ".join(f"(S[{place.first + k}] ^ L[{place.first + k}])" for k in range(place.storage.width))
        changed = lowering.text.let(body, "changed", f"({differing or '0'}) & {masks}[p]", "bits")
        with lowering.each_member(body, changed) as at:
            _put_seen_value(lowering, perception, variable, at, body)
        return
    flags = lowering.text.table([mask >> at & 1 for mask in visible for at in range(place.extent)])
    if not place.indices:
        with body.block(f"if S[{place.first}] != L[{place.first}] and {flags}[p] != 0"):
            _put_seen_value(lowering, perception, variable, "0", body)
        return
    at = lowering.text.local(body, "at")
    with body.block(f"for {at} in range({place.extent})"):
        now, before = (stored_text(lowering, place, at, state) for state in ("S", "L"))
        changed = f"{now} != {before}"
        with body.block(f"if {changed} and {flags}[p * {place.extent} + {at}] != 0"):
            _put_seen_value(lowering, perception, variable, at, body)


def put_newly_seen(lowering: Lowering, perception: Perception, variable: Variable, seen_by: SeenBy, body: Body) -> None:
    """New values of a variable whose audience depends on the state, and values that become visible."""
    text, place = lowering.text, perception.layout.places[variable]
    audience = _audience_function(lowering, perception, variable, seen_by)
    entries = _entries(variable, place)
    k = text.local(body, "k")
    with body.block(f"for {k} in range({len(entries)})"):
        at = text.let(body, "at", f"{text.table([at for at, _, _ in entries])}[{k}]")
        codes = "".join(
            f", {text.table([codes[i] for _, _, codes in entries])}[{k}]" for i in range(len(place.indices))
        )
        with body.block(f"if ({audience}(C, S{codes}) >> p) & 1 != 0"):
            now, before = (stored_text(lowering, place, at, state) for state in ("S", "L"))
            is_new = f"L[{ACTOR}] != 0 and ({audience}(C, L{codes}) >> p) & 1 == 0"  # nobody acts before the start
            if place.storage.has_unset:
                is_new += f" and {now} != 0"
            with body.block(f"if {now} != {before} or ({is_new})"):
                _put_seen_value(lowering, perception, variable, at, body)


def _audience_function(lowering: Lowering, perception: Perception, variable: Variable, seen_by: SeenBy) -> str:
    """The function for the mask of players who see an entry."""
    body = Body()
    names = [lowering.text.local(body, "i") for _ in variable.indices]
    env: Env = {k: code_of(index, name) for k, (index, name) in enumerate(zip(variable.indices, names, strict=True))}
    expr = seen_by.audience
    if is_set(expr.type):
        if isinstance(expr.type, OptionalType):
            raise Unsupported("an audience that may be none")
        mask = lowering.mask(expr, env)
    else:
        player = lowering.scalar(expr, env, OptionalType(perception.model.player_type))
        mask = f"{lowering.helper('only')}({player.text})"
    name = f"audience_{perception.firsts[variable]}"
    parameters = "".join(f", {name}: int" for name in names)
    lowering.text.function(f"{name}(C: ints[CONTEXT], S: state{parameters}) -> bits", body, mask)
    return name


# The functions that write observations (see :mod:`zermelo.interpreter.native.state_encoding.observations` for the
# words).
#
# Programs of games with hidden information have ``observed``, ``perceive`` and ``perceived``. ``state`` is a state at
# rest in which a player is to decide, or the end; ``last`` is that of the decision before it, and ``move`` the move
# made there (chance may have drawn in between). At the first decision ``last`` is that of ``set_up``, and the move -1.
# Applying a move does not update digests, so random plays, which need none, do not pay for them.
#
# Tellings remain in the state until the next move of a player, up to a limit of this machine; exceeding it is a fault
# only when observations are asked for.


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
        mask = f"{lowering.helper('only')}({lowering.value(hearers, env).text})"
    mask = text.let(body, "hearers", mask, "bits")
    number = group_number(perception.tellings, statement.label, statement.arguments)
    names = []
    for part, argument in zip(perception.tellings[number].parts, statement.arguments, strict=True):
        if is_set(part.type):
            held = conditions.set_to_store(lowering, argument, env, part.type, part.storage)
            names.append(text.let(body, "told", held, "bits"))
        else:
            value = lowering.scalar(argument, env, part.type)
            value = lowering.bind(body, encode_number(lowering, value, part.type, argument.span), "told")
            names.append(text.let(body, "told", part.storage.put_text(value.text)))
    begin = instantiate(
        text, "observations", TOLD=perception.told, SIZE=perception.told_size, MOST=MOST_TOLD, LABEL=_LABEL
    )["begin_telling"]
    at = text.let(body, "at", f"{begin}(S, {mask}, {number})")
    if names:
        with body.block(f"if {at} >= 0"):
            body.write("S", f"{at} + 1", names)


def drop_tellings(lowering: Lowering, body: Body) -> None:
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
        _write_observed(lowering, perception)
    except Unsupported as beyond:
        lowering.perception = NotLowered(beyond.construct)
        return
    names = {name: name for name in ("perceive", "perceived")}
    instantiate(lowering.text, "observations", names, DIGESTS=perception.digests, STIRRER=_STIRRER)


def _write_observed(lowering: Lowering, perception: Perception) -> None:
    _write_moved(lowering, perception)
    instantiate(
        lowering.text, "observations", {"observe": "observed"}, ACTOR=ACTOR,
        **_functions_of_choices(lowering, perception),
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
            put_newly_seen(lowering, perception, variable, variable.visibility, body)
        elif not variable.is_constant:
            put_always_seen(lowering, perception, variable, visible_to, body)
    head = "(C: ints[CONTEXT], L: state, S: state, p: int, R: ints[WORDS], n: int) -> int"
    return lowering.text.extract("shown_values", head, body, "n")


def _write_moved(lowering: Lowering, perception: Perception) -> None:
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
            argument = bindings.on_multiple(lowering, argument, parameter.type, scale_of(part.type))
            value = part.storage.put_text(argument.text)
            if parameter.secret:
                value = f"({value}) if q == p else 0"
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
            group = group_number(perception.moves, rule.name, rule.parameters)
            cases.append((number, partial(show, rule, number, group)))
    body.choose(rule_of_move, cases)
    lowering.text.function("moved(m: int, q: int, p: int, R: ints[WORDS], n: int) -> int", body, "n")


def _functions_of_choices(lowering: Lowering, perception: Perception) -> dict[str, str]:
    """Observations of the last move, in games with choices made together: all are observed after the last of them."""
    text, layout = lowering.text, perception.layout
    if layout.choices is None:
        return {}
    together = [int(isinstance(phase.decision, model.Together)) for phase in layout.phases]
    functions = instantiate(
        text, "observations", ACTOR=ACTOR, PHASE=PHASE, TOGETHER=[*together, 0], CHOICES=layout.choices
    )
    return {"shown_moves": functions["shown_choices"], "is_midway": functions["is_choosing"]}


def _told_functions(lowering: Lowering, perception: Perception) -> dict[str, str]:
    """Observations of tellings since the last move, in games that tell something."""
    text, body = lowering.text, Body()
    if not perception.tellings:
        return {}

    def show(number: int, group: ArgumentGroup) -> None:
        words = [word for k, part in enumerate(group.parts, 1) for word in words_of(part, f"S[at + {k}]")]
        put_observation(body, str(perception.head(TOLD, number)), words)

    body.choose("label", [(k, partial(show, k, group)) for k, group in enumerate(perception.tellings)])
    functions = instantiate(
        text, "observations",
        TOLD=perception.told, SIZE=perception.told_size, MOST=MOST_TOLD, LABEL=_LABEL,
        OVERFLOW=text.site("overflow", perception.model.start.span),
        show=text.extract("telling", "(S: state, at: int, label: int, R: ints[WORDS], n: int) -> int", body, "n"),
    )  # fmt: skip
    return {"shown_tellings": functions["heard_tellings"]}


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
    return lowering.text.extract("shown_question", "(S: state, p: int, R: ints[WORDS], n: int) -> int", body, "n")
