"""Random rules that are nearly symmetric: what is called a symmetry is one on random plays.

Whatever relabelling is proved, plays and their images are compared on the reference machine.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, note, settings
from hypothesis import strategies as st
from near_symmetries import made_up
from random_cases import many
from random_games.writer import write_game
from relabelled_plays import fault, fault_somewhere
from typed_rules import typed_rules

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.symmetries.group import symmetries


def check_plays(model: Model, seed: int, plays: int = 3) -> int:
    """Check what is proved of a game on random plays; the number of symmetries."""
    machine, found = ReferenceMachine(model), symmetries(model)
    for number, relabelling in enumerate(found[1:12]):
        for play in range(plays):
            shown = fault(machine, relabelling, Random(f"{seed} {number} {play}"))
            assert not shown, (shown, relabelling.members, relabelling.matrix, relabelling.numbers)
    return len(found)


@settings(max_examples=many(150), deadline=None)
@given(st.integers(0, 1_000_000))
def test_what_is_proved_of_made_up_rules_holds_on_plays(number: int) -> None:
    text = made_up(number)
    note(text)
    model, _ = check(Source("made_up.game", text))
    if model is not None:
        check_plays(model, number)


def test_made_up_rules_are_of_all_kinds() -> None:
    """Groups of many sizes are proved, and no size is that of most games: so the test above is not idle."""
    counts: Counter[int] = Counter()
    for number in range(150):
        model, _ = check(Source("made_up.game", made_up(number)))
        counts[0 if model is None else check_plays(model, number, plays=1)] += 1
    assert counts[0] < 60
    assert len(counts) > 6
    assert max(counts.values()) < 60


@settings(max_examples=many(60), deadline=None)
@given(st.integers(0, 1_000_000))
def test_what_is_proved_of_random_games_holds_on_plays(number: int) -> None:
    text = write_game(Random(number))
    note(text)
    model, _ = check(Source("random.game", text))
    if model is not None:
        check_plays(model, number)


@settings(max_examples=many(25), deadline=None)
@given(st.integers(0, 1_000_000))
def test_what_is_proved_of_typed_rules_holds_everywhere(number: int) -> None:
    """In all of the first positions, for all moves."""
    text = typed_rules(number)
    note(text)
    model, _ = check(Source("typed.game", text))
    if model is not None:
        found = symmetries(model)
        machine = ReferenceMachine(model)
        for relabelling in Random(number).sample(found[1:], min(2, len(found) - 1)):
            shown = fault_somewhere(machine, relabelling, 12)
            assert not shown, (shown, relabelling.members, relabelling.matrix, relabelling.numbers)


def test_typed_rules_are_of_all_kinds() -> None:
    models = [check(Source("typed.game", typed_rules(number)))[0] for number in range(60)]
    sizes = Counter(0 if model is None else len(symmetries(model)) for model in models)
    assert sizes[0] < 10
    assert len(sizes) > 6
    assert max(sizes.values()) < 30
