"""The text that writes down what players perceive (see :mod:`.perception` for the words).

Programs of games in which something is hidden have these functions; ``WORDS`` is how long an array ``R`` has to be:

==================================  ===========================================================================
``set_up(C, S)``                    the state that ``setup`` leaves, before the play begins
``observed(C, L, S, m, p, R)``      what player p perceives on coming to S: observations, each behind its length;
                                    and how many words that is
``perceive(C, L, S, m)``            adds what everybody perceives on coming to S to the digests in S
``perceived(S, p, K)``              the digest of what player p has perceived, two numbers
==================================  ===========================================================================

S is a state at rest in which a player is to decide, or the end; L is that of the decision before it, and m the move
made there (chance may have drawn in between). At the first decision L is what ``set_up`` gives, and m is -1. Applying a
move leaves digests as they are, so that random plays, which nobody asks who knows what, do without all this.

What is told stands in the state until the next move of a player, as far as there is room; it is only missed, as a
limit of this machine, where somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from interpreter import model
from interpreter.checks.flow import statements
from interpreter.checks.information import perfect_information
from interpreter.checks.parts import blocks, rules_of
from interpreter.intervals import hull
from interpreter.model import Audience, Model, SeenBy, Tell, Variable
from interpreter.native.bindings import Env, Scalar
from interpreter.native.encoding import encode, is_set, same_codes, stored
from interpreter.native.layout import ACTOR, PHASE, Layout, Place
from interpreter.native.lowering import Lowering
from interpreter.native.moves import MoveCodes
from interpreter.native.perception import ASKED, MOVE, SEEN, TOLD, WORD, Group, Part, Perception
from interpreter.native.text import Body
from interpreter.native.unsupported import Unsupported
from interpreter.native.variables import stored_text
from interpreter.reference.expressions import Compiler
from interpreter.reference.sight import Sight
from interpreter.rewriting import reads_state
from interpreter.types import NoneType, NumberType, OptionalType, Type, strip_none
from interpreter.values import Member

_MOST_TOLD: Final = 12
"""How much can be told between two decisions."""

_MOST_HEARERS: Final = 32
_STIRRER: Final = 0x2545F4914F6CDD1D

_HEAD: Final = "C: ints[CONTEXT], L: state, S: state, m: int, p: int, R: ints[WORDS]"


# ------------------------------------------------------------- the plan


def plan(game: Model, layout: Layout, moves: MoveCodes) -> Perception | None:
    """What can be perceived, with room for it in the states; None where nothing is hidden and nothing is told, or where
    it cannot be lowered."""
    tellings = [statement for block in blocks(game) for statement in statements(block) if isinstance(statement, Tell)]
    if perfect_information(game, layout.phases).holds and not tellings:
        return None
    try:
        return _planned(game, layout, moves, tellings)
    except Unsupported:
        return None


def _planned(game: Model, layout: Layout, moves: MoveCodes, tellings: list[Tell]) -> Perception:
    if any(isinstance(statement, Tell) for statement in statements(game.setup)):
        raise Unsupported("something told before the play begins")
    if len(game.players) > _MOST_HEARERS:
        raise Unsupported("so many players who see different things")
    shown = [
        (rule.name, [(parameter.type, parameter.secret) for parameter in rule.parameters])
        for phase in layout.phases
        if not isinstance(phase.decision, model.Chance)
        for rule in rules_of(phase.decision)
    ]
    said = [(telling.label, [(argument.type, False) for argument in telling.arguments]) for telling in tellings]
    perception = Perception(game, layout, _groups(shown), _groups(said), layout.size, 0, 0)
    layout.size += 2 * len(game.players)
    perception.told = layout.size
    perception.told_size = 1 + max((len(group.parts) for group in perception.tellings), default=0)
    if tellings:
        layout.size += 1 + _MOST_TOLD * perception.told_size
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
        2
        + len(game.players) * (1 + max((group.size for group in perception.moves), default=0))
        + (_MOST_TOLD * (1 + max((group.size for group in perception.tellings), default=0)) if tellings else 0)
        + entries
        + (1 + max(asked, default=0))
    )
    return perception


def _groups(named: Iterable[tuple[str, list[tuple[Type, bool]]]]) -> tuple[Group, ...]:
    """One group for each name and number of arguments, given with their types and whether they are kept secret."""
    gathered: dict[tuple[str, int], list[list[tuple[Type, bool]]]] = {}
    for name, arguments in named:
        gathered.setdefault((name, len(arguments)), []).append(arguments)
    return tuple(
        Group(name, tuple(_part([arguments[k] for arguments in found]) for k in range(count)))
        for (name, count), found in gathered.items()
    )


def _part(found: list[tuple[Type, bool]]) -> Part:
    """How an argument is shown that has these types in different places."""
    type = _joined([type for type, _ in found])
    is_secret = any(secret for _, secret in found)
    has_flag = is_secret and is_set(type)
    shown = OptionalType(strip_none(type)) if is_secret and not has_flag else type
    part = Part(shown, stored(shown), has_flag)
    if part.storage.width > WORD and not is_set(type):
        raise Unsupported("a value of more than 62 bits")
    return part


def _joined(types: list[Type]) -> Type:
    """A type with the values of all of these, which have one code each."""
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


# ------------------------------------------------------------- what is told


def tell(lowering: Lowering, perception: Perception, statement: Tell, env: Env, body: Body) -> None:
    """Write down what is told and to whom, as long as there is room."""
    text, hearers = lowering.text, statement.audience
    mask = text.local(body, "hearers", "bits")
    if is_set(hearers.type):
        body.line(f"{mask}: bits = {lowering.mask(hearers, env)}")
    else:
        body.line(f"{mask}: bits = 1")
        body.line(f"{mask} = {mask} << {lowering.value(hearers, env).text}")
    number = next(
        k
        for k, group in enumerate(perception.tellings)
        if group.name == statement.label and len(group.parts) == len(statement.arguments)
    )
    names = []
    for part, argument in zip(perception.tellings[number].parts, statement.arguments, strict=True):
        if is_set(part.type):
            if isinstance(argument.type, OptionalType):
                raise Unsupported("a telling of a set that may be none")
            name = text.local(body, "told", "bits")
            element = lowering.element(argument)
            body.line(f"{name}: bits = {lowering.mask(argument, env, element)}")
        else:
            value = lowering.scalar(argument, env, part.type)
            if value.scale != 1:
                raise Unsupported("a fraction that is told")
            value = lowering.bind(body, value, "told")
            name = text.local(body, "told")
            body.line(f"{name}: int = {part.storage.put_text(value.text)}")
        names.append(name)
    count, at = text.local(body, "n"), text.local(body, "at")
    body.line(f"{count}: int = S[{perception.told}]")
    with body.block(f"if {count} < {_MOST_TOLD}"):
        body.line(f"{at}: int = {perception.told + 1} + {count} * {perception.told_size}")
        body.line(f"S[{at}] = ({mask} << 16) | {number}")
        for k, name in enumerate(names, 1):
            body.line(f"S[{at} + {k}] = {name}")
    with body.block(f"if {count} <= {_MOST_TOLD}"):
        body.line(f"S[{perception.told}] = {count} + 1")


def forget(lowering: Lowering, body: Body) -> None:
    """When a player moves, what was told before is known."""
    perception = lowering.perception
    if perception is not None and perception.tellings:
        with body.block(f"if S[{ACTOR}] != 1"):
            body.line(f"S[{perception.told}] = 0")


# ------------------------------------------------------------- what is perceived


def perceiving_functions(lowering: Lowering) -> None:
    """``observed``, ``perceive`` and ``perceived``, if what players perceive can be lowered."""
    perception = lowering.perception
    if perception is None:
        return
    try:
        _observed(lowering, perception)
    except Unsupported:
        lowering.perception = None
        return
    body = Body()
    body.line("R = array(WORDS)")
    with body.block(f"for p in range({len(perception.model.players)})"):
        body.line("n: int = observed(C, L, S, m, p, R)")
        body.line(f"a: int = S[{perception.digests} + 2 * p]")
        body.line(f"b: int = S[{perception.digests + 1} + 2 * p]")
        with body.block("for i in range(n)"):
            body.line("a = mix(a, R[i])")
            body.line(f"b = mix(mix(b, R[i]), {_STIRRER})")
        body.line(f"S[{perception.digests} + 2 * p] = a")
        body.line(f"S[{perception.digests + 1} + 2 * p] = b")
    body.line("return 0")
    lowering.text.function("perceive(C: ints[CONTEXT], L: state, S: state, m: int) -> int", body)
    body = Body()
    body.line(f"K[0] = S[{perception.digests} + 2 * p]")
    body.line(f"K[1] = S[{perception.digests + 1} + 2 * p]")
    body.line("return 0")
    lowering.text.function("perceived(S: state, p: int, K: ints[2]) -> int", body)


def _observed(lowering: Lowering, perception: Perception) -> None:
    _moved(lowering, perception)
    body = Body()
    body.line("start: int = 0")
    body.line("n: int = 1")
    _moves_between(lowering, perception, body)
    if perception.tellings:
        _told(lowering, perception, body)
    for variable in perception.firsts:
        assert not isinstance(variable.visibility, Audience) or variable.visibility is Audience.EVERYBODY
        if isinstance(variable.visibility, SeenBy) and reads_state(variable.visibility.audience):
            _seen_now(lowering, perception, variable, variable.visibility, body)
        elif not variable.is_constant:
            _seen_always(lowering, perception, variable, body)
    _asked(lowering, perception, body)
    with body.block("if n == start + 1"):
        body.line("return start")
    body.line("R[start] = n - start - 1")
    body.line("return n")
    lowering.text.function(f"observed({_HEAD}) -> int", body)


def _put(body: Body, head: str, words: list[str]) -> None:
    """Write an item behind the others."""
    for k, word in enumerate((head, *words)):
        body.line(f"R[n + {k}] = {word}" if k else f"R[n] = {word}")
    body.line(f"n += {len(words) + 1}")


def _words(part: Part, text: str) -> list[str]:
    """The words of a value, given as it is stored."""
    count = part.size - part.has_flag
    if count == 1:
        return [text]
    return [f"(({text}) >> {k * WORD}) & {(1 << WORD) - 1}" for k in range(count)]


def _moved(lowering: Lowering, perception: Perception) -> None:
    """``moved``: what player p perceives of the move m of player q."""
    body = Body()
    body.line(f"rule: int = {lowering.moves.rule_text('m')}")

    def show(rule: model.Rule, number: int, group: int) -> None:
        if rule.secret:
            with body.block("if q != p"):
                body.line("return n")
        code = lowering.moves.codes[number]
        words: list[str] = []
        for k, (part, parameter) in enumerate(zip(perception.moves[group].parts, rule.parameters, strict=True)):
            value = part.storage.put_text(code.argument_text("m", k))
            if parameter.secret:
                hidden = 0 if part.has_flag else part.storage.put(part.storage.none)
                value = f"({value}) if q == p else {hidden}"
            if part.has_flag:
                words.append("1 if q == p else 0" if parameter.secret else "1")
            words.append(value)
            words += ["0"] * (part.size - part.has_flag - 1)
        head = perception.head(MOVE, group * len(perception.model.players))
        _put(body, f"{head} + {perception.head(0, 1)} * q", words)

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
    body.choose("rule", cases)
    body.line("return n")
    lowering.text.function("moved(m: int, q: int, p: int, R: ints[WORDS], n: int) -> int", body)


def _moves_between(lowering: Lowering, perception: Perception, body: Body) -> None:
    """The move of the last decision; of choices made together, all of them once the last one has been made."""
    layout = perception.layout
    together = [k for k, phase in enumerate(layout.phases) if isinstance(phase.decision, model.Together)]
    with body.block("if m >= 0"):
        body.line(f"q: int = L[{ACTOR}] - 2")
        if not together:
            body.line("n = moved(m, q, p, R, n)")
            return
        with body.block("if " + " or ".join(f"L[{PHASE}] == {k}" for k in together)):
            with body.block("if q == p"):
                body.line("n = moved(m, p, p, R, n)")
                body.line("R[0] = n - 1")
                body.line("start = n")
                body.line("n += 1")
            with body.block(f"if S[{layout.choices} + q] != 0"):
                body.line("return start")
            with body.block(f"for other in range({len(perception.model.players)})"):
                body.line(f"made: int = L[{layout.choices} + other]")
                with body.block("if other == q"):
                    body.line("made = m + 1")
                with body.block("if made != 0 and other != p"):
                    body.line("n = moved(made - 1, other, p, R, n)")
        with body.block("else"):
            body.line("n = moved(m, q, p, R, n)")


def _told(lowering: Lowering, perception: Perception, body: Body) -> None:
    site = lowering.text.site("overflow", perception.model.start.span)
    body.line(f"count_told: int = S[{perception.told}]")
    with body.block(f"if count_told > {_MOST_TOLD}"):
        with body.block("if C[0] == 0"):
            body.line(f"C[0] = {site}")
        body.line(f"count_told = {_MOST_TOLD}")
    with body.block("for i in range(count_told)"):
        body.line(f"at: int = {perception.told + 1} + i * {perception.told_size}")
        with body.block("if (S[at] >> (16 + p)) & 1 != 0"):
            body.line(f"label: int = S[at] & {(1 << 16) - 1}")

            def show(number: int, group: Group) -> None:
                words = [word for k, part in enumerate(group.parts, 1) for word in _words(part, f"S[at + {k}]")]
                _put(body, str(perception.head(TOLD, number)), words)

            body.choose("label", [(k, partial(show, k, group)) for k, group in enumerate(perception.tellings)])


def _stored(lowering: Lowering, place: Place, at: str, state: str) -> str:
    """What is stored for an entry of a variable in a state."""
    return stored_text(lowering, place, at).replace("S[", f"{state}[").replace("(S, ", f"({state}, ")


def _entries(variable: Variable, place: Place) -> list[tuple[int, int, list[int]]]:
    """The entries of a variable: where they stand, their places among those of the model, their indices as codes."""
    found: list[tuple[int, list[int]]] = [(0, [])]
    for index in place.indices:
        codes = [encode(value, index.type) for value in strip_none(index.type).members]
        found = [(at * index.extent + code - index.bias, [*codes_before, code]) for at, codes_before in found
                 for code in codes]  # fmt: skip
    return sorted((at, variable.offset + k, codes) for k, (at, codes) in enumerate(found))


def _show_seen(lowering: Lowering, perception: Perception, variable: Variable, at: str, body: Body) -> None:
    place = perception.layout.places[variable]
    part = perception.seen_part(variable)
    head = perception.head(SEEN, perception.firsts[variable])
    scaled = f" + {perception.head(0, 1)} * {at}" if place.indices else ""
    _put(body, f"{head}{scaled}", _words(part, _stored(lowering, place, at, "S")))


def _seen_always(lowering: Lowering, perception: Perception, variable: Variable, body: Body) -> None:
    """New values of a variable of which everybody sees the same entries in all states."""
    place = perception.layout.places[variable]
    entries = _entries(variable, place)
    visible = [
        sum(1 << at for at, number, _ in entries if number in _sight(lowering)[player])
        for player in perception.model.players
    ]
    if not any(visible):
        return
    if place.is_planes:
        masks = lowering.text.table(visible, "bits")
        changed = lowering.text.local(body, "changed", "bits")
        differing = " | ".join(f"(S[{place.first + k}] ^ L[{place.first + k}])" for k in range(place.storage.width))
        body.line(f"{changed}: bits = ({differing or '0'}) & {masks}[p]")
        with body.block(f"while {changed} != 0"):
            at = lowering.text.local(body, "at")
            body.line(f"{at}: int = lowest({changed})")
            body.line(f"{changed} = {changed} & ({changed} - 1)")
            _show_seen(lowering, perception, variable, at, body)
        return
    flags = lowering.text.table([mask >> at & 1 for mask in visible for at in range(place.extent)])
    if not place.indices:
        with body.block(f"if S[{place.first}] != L[{place.first}] and {flags}[p] != 0"):
            _show_seen(lowering, perception, variable, "0", body)
        return
    at = lowering.text.local(body, "at")
    with body.block(f"for {at} in range({place.extent})"):
        changed = f"{_stored(lowering, place, at, 'S')} != {_stored(lowering, place, at, 'L')}"
        with body.block(f"if {changed} and {flags}[p * {place.extent} + {at}] != 0"):
            _show_seen(lowering, perception, variable, at, body)


def _sight(lowering: Lowering) -> dict[Member, set[int]]:
    return Sight(lowering.model, Compiler()).always


def _seen_now(lowering: Lowering, perception: Perception, variable: Variable, seen_by: SeenBy, body: Body) -> None:
    """New values of a variable that others may see in another state, and values that come to be seen."""
    text, place = lowering.text, perception.layout.places[variable]
    audience = _audience(lowering, perception, variable, seen_by)
    entries = _entries(variable, place)
    count, at, k = len(entries), text.local(body, "at"), text.local(body, "k")
    with body.block(f"for {k} in range({count})"):
        body.line(f"{at}: int = {text.table([at for at, _, _ in entries])}[{k}]")
        codes = "".join(
            f", {text.table([codes[i] for _, _, codes in entries])}[{k}]" for i in range(len(place.indices))
        )
        with body.block(f"if ({audience}(C, S{codes}) >> p) & 1 != 0"):
            now, before = _stored(lowering, place, at, "S"), _stored(lowering, place, at, "L")
            is_new = f"m >= 0 and ({audience}(C, L{codes}) >> p) & 1 == 0"
            if place.storage.has_unset:
                is_new += f" and {now} != {place.storage.unset}"
            with body.block(f"if {now} != {before} or ({is_new})"):
                _show_seen(lowering, perception, variable, at, body)


def _audience(lowering: Lowering, perception: Perception, variable: Variable, seen_by: SeenBy) -> str:
    """A function that gives the mask of those who see an entry."""
    body = Body()
    names = [lowering.text.local(body, "i") for _ in variable.indices]
    env: Env = {k: Scalar(name) for k, name in enumerate(names)}
    expr = seen_by.audience
    if is_set(expr.type):
        if isinstance(expr.type, OptionalType):
            raise Unsupported("an audience that may be none")
        body.line(f"return {lowering.mask(expr, env)}")
    else:
        player = lowering.bind(body, lowering.scalar(expr, env, OptionalType(perception.model.player_type)), "seer")
        with body.block(f"if {player.text} < 0"):
            body.line("return 0")
        body.line("one: bits = 1")
        body.line(f"return one << {player.text}")
    name = f"audience_{perception.firsts[variable]}"
    parameters = "".join(f", {name}: int" for name in names)
    lowering.text.function(f"{name}(C: ints[CONTEXT], S: state{parameters}) -> bits", body)
    return name


def _asked(lowering: Lowering, perception: Perception, body: Body) -> None:
    """That p is to decide, and in which phase, with the arguments that he sees."""
    layout = perception.layout
    waiting = "" if layout.waiting is None else f" or (S[{layout.waiting}] >> p) & 1 != 0"

    def show(number: int) -> Callable[[], None]:
        words = [
            word
            for k, part in enumerate(perception.asked_parts(number))
            if part is not None
            for word in _words(part, f"S[{layout.arguments + k}]")
        ]
        return partial(_put, body, str(perception.head(ASKED, number)), words)

    body.line(f"phase: int = S[{PHASE}]")
    with body.block(f"if S[{ACTOR}] == p + 2{waiting}"):
        deciding = [
            k for k, phase in enumerate(layout.phases) if isinstance(phase.decision, model.Turn | model.Together)
        ]
        body.choose("phase", [(k, show(k)) for k in deciding])
