"""Observations on lowered machines: the same as on the reference machine, with the same information sets, for all
players at all times, without using it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any, Final

import digest_kernel
import pytest
from all_machines import needs_llvm
from random_games.labelled import labelled_tree
from random_games.paused import with_and_without
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.evaluation.context import Audiences
from zermelo.interpreter.machine import CHANCE, END, HIDDEN, Machine
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.kernels import CompiledKernels, Executor, PythonKernels
from zermelo.interpreter.native.running.machine import LoweredMachine, machine_over
from zermelo.interpreter.native.state_encoding.encoding import storage_of
from zermelo.interpreter.native.state_encoding.observations import Part, Perception, encode_information_state
from zermelo.interpreter.native.state_encoding.state_layout import NothingHidden, NotLowered
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.types import NumberType, OptionalType, SetType, TupleType, Type
from zermelo.interpreter.values import OrderedSet, Value

TRIALS: Final = Path(__file__).parents[2] / "trial" / "proofs"

ON_BOTH = pytest.mark.parametrize("is_compiled", [False, pytest.param(True, marks=needs_llvm)])


class Both:
    """A model on the reference machine and on a lowered one. Every state met is compared: the players' information
    states, and that both machines distinguish the same states."""

    def __init__(self, model: Model, is_compiled: bool) -> None:
        self.program = lower(model)
        assert isinstance(self.program.perception, Perception), "perception has been lowered"
        self.perception = self.program.perception
        self.reference = ReferenceMachine(model)
        self.lowered = machine_over(self.program, Executor(self.program, 0 if is_compiled else None))
        self.there: dict[tuple[Hashable, ...], tuple[Hashable, ...]] = {}
        self.back: dict[tuple[Hashable, ...], tuple[Hashable, ...]] = {}
        self.states = 0

    def meet(self, one: Any, two: Any) -> list[Any]:
        """Compare two states; the moves that can be made in them."""
        self.states += 1
        for player in range(len(self.program.model.players)):
            known, words = self.reference.information_state(one, player), self.lowered.information_state(two, player)
            assert tuple(words) == known
            assert encode_information_state(self.perception, known) == words
            assert list(map(str, words)) == list(map(str, known))
            assert self.there.setdefault(known, words) == words
            assert self.back.setdefault(words, known) == known
            for length in range(len(known)):
                assert self.there.get(known[:length], words[:length]) == words[:length]
        actor = self.reference.actor(one)
        assert self.lowered.actor(two) == actor
        if actor == CHANCE:
            return [move for move, _ in self.reference.outcomes(one)]
        return list(self.reference.moves(one))

    def play(self, plays: int, seed: int, longest: int = 40) -> None:
        random = Random(seed)
        for _ in range(plays):
            one, two = self.reference.initial(), self.lowered.initial()
            for _ in range(longest):
                moves = self.meet(one, two)
                if not moves:
                    break
                move = random.choice(moves)
                one, two = self.reference.after(one, move), self.lowered.after(two, move)

    def walk(self) -> None:
        """Meet all states of a small game."""
        waiting = [(self.reference.initial(), self.lowered.initial())]
        while waiting:
            one, two = waiting.pop()
            moves = self.meet(one, two)
            waiting += [(self.reference.after(one, move), self.lowered.after(two, move)) for move in moves]

    @property
    def has_asked(self) -> bool:
        """Whether the lowered machine has needed the reference machine."""
        return "machine" in self.lowered._twin.__dict__


SMALL: Final = ("kuhn_poker", "rock_paper_scissors", "prisoners_dilemma", "forked_roads")
LARGE: Final[dict[str, dict[str, int]]] = {
    "blind_tic_tac_toe": {},
    "leduc_poker": {},
    "liars_dice": {},
    "liars_dice with two dice": {"sides": 3, "dice": 2},
}


@ON_BOTH
@pytest.mark.parametrize("name", SMALL)
def test_whole_trees(name: str, is_compiled: bool) -> None:
    both = Both(bundled_model(name), is_compiled)
    both.walk()
    assert both.states > 4
    assert not both.has_asked


@ON_BOTH
@pytest.mark.parametrize("name", LARGE)
def test_random_plays(name: str, is_compiled: bool) -> None:
    both = Both(bundled_model(name.split(" ")[0], **LARGE[name]), is_compiled)
    both.play(40, seed=1)
    assert not both.has_asked


def test_games_of_perfect_information_pay_nothing() -> None:
    program = lower(bundled_model("tic_tac_toe"))
    assert program.perception == NothingHidden()
    assert not program.has("observed") and program.constants["WORDS"] == 0


EVERYTHING: Final = """
    game "All that can be perceived"
    players A, B, C
    type Suit = red | black
    type Card = (rank: 1..3, suit: Suit)
    type Cell = grid(9, 9)
    var hand[Player]: Card? = none              private
    var table: set of Card = {}
    var board[Cell]: Player? = none             hidden
    var marks[Player, Cell]: Bool = false       private
    var shown[Player]: Bool = false
    var open[q: Player]: -2..2                  seen by if shown[q] then Player else {q}
    var team: set of Cell = {}                  seen by {A, C}
    var lamp: Suit? = none                      seen by if shown[B] then none else B
    var price[Suit]: 0..200 = 100               seen by Player - {B}
    var secret_price: 0..200 = 7                hidden
    var rounds: 0..12 = 0
    start at deal

    phase deal:
        chance:
            outcome deal(a in Card, n in -2..2):
                for p in Player:
                    hand[p] := a
                open[A] := n
                open[B] := -n
                shown[A] := n < 1
                tell A that dealt(n, a)
                go play(A, 1, a.suit)

    phase play(p: Player, x: 0..3, secret known: Suit):
        rounds += 1
        if rounds >= 9: end draw
        turn p:
            move mark(c in {a1, b2, i9}) secret if not marks[p, c]:
                marks[p, c] := true
                board[c] := p
                team += {c}
                tell p that was_there(board[c], team)
                go play(next p, x, red)
            move lay(secret card in Card, s in {red, black}):
                table += {card}
                hand[p] := none
                lamp := s
                price[s] += 1
                tell Player - {p} that laid(card.rank, none)
                go next_round(p, x)
            move add(n in 0..1) if hand[p] is not none:
                secret_price += n
                tell (if n == 0 then A else B) that laid(secret_price, secret_price)
                go next_round(p, x)
            move reveal if not shown[p]:
                shown[p] := true
                for q in Player: tell q that seen(number(q))
                go bidding
            move hide secret if shown[p]:
                shown[p] := false
                open[p] := -1
                go play(next p, 3, black)

    phase next_round(p: Player, x: 0..3):
        chance:
            outcome sun:
                tell Player that sun
                go play(next p, x, red)
            outcome rain:
                tell C that rain(secret_price > 8, north)
                go bidding

    phase bidding:
        together p in Player:
            move bid(n in 1..2) if hand[p] is not none
            move add(secret n in -1..1) if n != 0
            move wait secret
        then:
            rounds += 1
            if rounds > 8: end draw
            price[red] := 50
            open[C] := 1
            go play(B, 0, black)
"""


@ON_BOTH
def test_every_way_to_perceive_something(is_compiled: bool) -> None:
    both = Both(model_of(EVERYTHING), is_compiled)
    both.play(40, seed=3)
    assert not both.has_asked
    shown = {str(observation) for known in both.there for observation in known}
    for part in (
        "told was_there(A, {a1", "lay(?, red)", "lay((2, red), red)", "told laid(8, 8)", "told laid(1, none)",
        "add(?)", "told rain(", "price[black] = 101", "lamp = red", "open[A] = ", "B: reveal", "told seen(3)",
        "team = {", ", 3, ?)", "hand[A] = none", "marks[B, i9] = true",
    ):  # fmt: skip
        assert any(part in text for text in shown), part


SECRET_SETS: Final = """
    game "Secret sets"
    players A, B
    var gone[Player]: set of 1..2 = {}    private
    start at discard(A)
    phase discard(p: Player):
        turn p:
            move discard(secret s in subsets(1..2, 0) + subsets(1..2, 1)):
                gone[p] := s
                if p == B: end draw
                go discard(B)
"""


@ON_BOTH
def test_a_secret_set_may_be_empty(is_compiled: bool) -> None:
    both = Both(model_of(SECRET_SETS), is_compiled)
    both.walk()
    assert not both.has_asked
    shown = {str(observation) for known in both.there for observation in known}
    assert {"A: discard({})", "A: discard({1})", "A: discard(?)"} <= shown


RANK, WIDE = NumberType(-1, 2, Fraction(1, 2)), NumberType(1, 100)


@pytest.mark.parametrize(
    ("type", "has_flag", "values"),
    [
        (RANK, False, RANK.generate()),
        (OptionalType(RANK), False, OptionalType(RANK).generate()),
        (TupleType((RANK, NumberType(0, 1))), False, TupleType((RANK, NumberType(0, 1))).generate()),
        (SetType(RANK), False, SetType(RANK).generate()),
        (OptionalType(SetType(RANK)), False, OptionalType(SetType(RANK)).generate()),
        (SetType(RANK), True, [HIDDEN, *SetType(RANK).generate()]),
        (OptionalType(RANK), True, [HIDDEN, *OptionalType(RANK).generate()]),
        (SetType(WIDE), True, [HIDDEN, *(OrderedSet(range(k, 101, 9)) for k in range(1, 102))]),
    ],
)
def test_every_value_has_words_of_its_own(type: Type, has_flag: bool, values: Iterable[Value]) -> None:
    part, met = Part(type, storage_of(type), has_flag), set()
    for value in values:
        words = tuple(part.put(value))
        assert len(words) == part.size and words not in met
        assert part.take(words) == value
        met.add(words)


@pytest.mark.parametrize("value", [-1, 4])
def test_a_value_for_which_there_is_no_room_has_no_words(value: int) -> None:
    type = NumberType(0, 3)
    with pytest.raises(Unsupported):
        list(Part(type, storage_of(type)).put(value))


def test_a_player_forgets_nothing_that_he_was_told_before_many_steps_of_chance() -> None:
    text = """
        game "Much to hear"
        players A, B
        var drawn: 0..40 = 0     hidden
        param most: 1..40 = 4
        start at ask
        phase ask:
            turn A:
                move go_on: go spin
                move stop: end draw
        phase spin:
            if drawn == most: go answer
            chance:
                outcome spun(n in 1..2):
                    drawn += 1
                    tell B that spun(n)
                    go spin
        phase answer:
            turn B:
                move guess(n in 0..1): end draw
    """
    few, many = Both(model_of(text), False), Both(model_of(text, most=30), False)
    few.walk()
    many.play(20, seed=1, longest=60)
    assert not few.has_asked
    assert many.has_asked, "so much is told that the reference machine has to be asked"


def test_an_error_in_what_is_told_is_an_error_of_the_rules() -> None:
    model = model_of("""
        game "Told wrongly"
        players A, B
        var card: 1..2
        start at p
        phase p:
            turn A:
                move m:
                    tell B that it_is(card)
                    end draw
    """)
    machines: list[Machine[Any]] = [ReferenceMachine(model), machine_over(lower(model))]
    said = []
    for machine in machines:
        with pytest.raises(Exception) as raised:
            machine.after(machine.initial(), machine.moves(machine.initial())[0])
        said.append((type(raised.value), str(raised.value)))
    assert said[0] == said[1]


# ------------------------------------------------------------- digests in kernels


def enumerated(program: Program, is_compiled: bool, room: int) -> tuple[int, int, list[list[int]]]:
    """All histories, depth first: their number, the number of information sets, and for the first ones the actor and
    the digest of their information state."""
    kernels = (CompiledKernels if is_compiled else PythonKernels)(program, kernel(digest_kernel.visit))
    search = kernels.new(digest_kernel.Search, path=40, table=1 << 17, found=room)
    kernels.call(digest_kernel.visit, search)
    found = [[each.who, each.low, each.high] for each in (search.found[k] for k in range(room))]
    return search.histories, search.sets, found


def histories(machine: LoweredMachine) -> Iterator[tuple[int, Hashable]]:
    """All histories in the same order: the actor and their information state."""
    waiting = [machine.initial()]
    while waiting:
        state = waiting.pop()
        actor = machine.actor(state)
        yield actor, machine.information_state(state, actor) if actor >= 0 else None
        moves = machine.moves(state) if actor != CHANCE else [move for move, _ in machine.outcomes(state)]
        if actor != END:
            waiting += [machine.after(state, move) for move in reversed(moves)]


@ON_BOTH
@pytest.mark.parametrize(
    ("name", "parameters", "counts"),
    [
        ("kuhn_poker", {}, (55, 12)),
        ("rock_paper_scissors", {}, (13, 2)),
        ("liars_dice", {"sides": 3}, (1 + 3 + 9 * (2**6 + 2**6 - 1), 192)),
        ("liars_dice", {"dice": 2, "sides": 2}, None),
        ("leduc_poker", {}, (9457, 936)),
    ],
)
def test_digests_make_the_same_information_sets(
    name: str, parameters: dict[str, Any], counts: tuple[int, int] | None, is_compiled: bool
) -> None:
    counted = compare_digests(lower(bundled_model(name, **parameters)), is_compiled)
    assert counts is None or counted == counts


@ON_BOTH
def test_digests_know_no_hidden_clock(is_compiled: bool) -> None:
    """The same observations in one step or in two have the same digest."""
    texts = [(TRIALS / f"{name}.game").read_text() for name in ("02_label_split", "02b_hidden_clock_phases")]
    for text in texts:
        assert compare_digests(lower(model_of(text)), is_compiled)[1] == 3
    for seed in range(4 if is_compiled else 12):
        compare_digests(lower(model_of(with_and_without(Random(seed))[1])), is_compiled)
        compare_digests(lower(model_of(labelled_tree(Random(seed)).game())), is_compiled)


def compare_digests(program: Program, is_compiled: bool) -> tuple[int, int]:
    """The numbers of histories and information sets, which are the same by digests and by information states."""
    if not isinstance(program.perception, Perception):
        return 0, 0
    expected = list(histories(machine_over(program)))
    count, sets, found = enumerated(program, is_compiled, len(expected))
    assert count == len(expected)
    there: dict[Hashable, Hashable] = {}
    back: dict[Hashable, Hashable] = {}
    for (actor, known), (who, *digest) in zip(expected, found, strict=True):
        assert actor == who
        if actor >= 0:
            one, two = (actor, known), (actor, *digest)
            assert there.setdefault(one, two) == two
            assert back.setdefault(two, one) == one
    assert len(there) == sets
    return count, sets


@needs_llvm
def test_liars_dice_has_as_many_histories_as_published() -> None:
    assert enumerated(lower(bundled_model("liars_dice")), True, 0)[:2] == (294_883, 24_576)


@needs_llvm
def test_both_executors_make_the_same_digests() -> None:
    program = lower(bundled_model("kuhn_poker"))
    assert enumerated(program, True, 55) == enumerated(program, False, 55)


def test_what_the_reference_machine_alone_can_tell_is_said_and_why() -> None:
    program = lower(
        model_of("""
        game "One label for two types"
        players A, B
        var coin: Bool = false  hidden
        start at choose
        phase choose:
            turn A:
                move take(b in Bool):
                    tell A that heard(b)
                    go answer
        phase answer:
            turn B:
                move take(n in 1..2):
                    tell A that heard(n)
                    end draw
        """)
    )
    assert program.perception == NotLowered("moves or tellings of one name with arguments of different types")
    assert not program.has("observed") and program.constants["WORDS"] == 0


# Sightings of large variables: the text, and the time to write it.


def fields(width: int, seers: str) -> Model:
    text = f"""
        game "Fields"
        players Ann, Bob
        type Field = grid({width}, {width})
        var here[f: Field]: 0..2 = 0    seen by {seers}
        var there[f: Field, q: Player]: 0..2 = 0    seen by if f.x == 1 then {{q}} else {{Ann}}
        start at put
        phase put:
            turn Ann:
                move mark(f in Field) secret:
                    here[f] := 2
                    there[f, Bob] := 1
                    go answer
        phase answer:
            turn Bob:
                move ok: end draw
    """
    model, findings = check(Source("fields.game", dedent(text)), {})
    assert model is not None, findings
    return model


@pytest.mark.parametrize("seers", ["if f.y == 2 then {Bob} else {Ann}", "{Ann}"])
def test_sight_is_asked_for_once_however_many_entries_there_are(seers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    always = Audiences.always.func

    def counted(sight: Audiences) -> Any:
        asked.append(1)
        return always(sight)

    for width in (2, 8):
        model = fields(width, seers)
        with monkeypatch.context() as patched:
            patched.setattr(Audiences, "always", property(counted))
            asked.clear()
            assert isinstance(lower(model).perception, Perception)
        assert len(asked) == 1


@pytest.mark.parametrize("seers", ["if f.y == 2 then {Bob} else {Ann}", "{Ann}"])
def test_each_sees_his_entries(seers: str) -> None:
    model = fields(3, seers)
    reference, machine = ReferenceMachine(model), machine_over(lower(model))
    for move in reference.moves(reference.initial()):
        one, two = reference.after(reference.initial(), move), machine.after(machine.initial(), move)
        assert reference.actor(one) != CHANCE
        for player in (0, 1):
            assert tuple(machine.information_state(two, player)) == reference.information_state(one, player)
