"""The public door: what is nothing that an annotation admits is refused by an error that names the argument, and no
exception of Python comes out."""

from __future__ import annotations

import inspect
from fractions import Fraction
from random import Random

import pytest

import zermelo

NIM = zermelo.load("nim", heaps=1)
KUHN = zermelo.load("kuhn_poker")
TREE = zermelo.load("two_ply_tree")
CALLS = {
    "balance": (NIM,),
    "batch": (NIM, 2),
    "belief": (KUHN.initial.after("deal(J, Q)").after("bet"), "Bob"),
    "check": (NIM,),
    "compare": (NIM,),
    "convert": ("chicken",),
    "correlated": (NIM,),
    "count_plays": (NIM, 2),
    "diff": (NIM, NIM),
    "draw": (NIM,),
    "draw_frames": (TREE,),
    "equilibria": (NIM,),
    "exploit": (KUHN, "uniform"),
    "force": (NIM,),
    "grade": (NIM, "."),
    "hand_out": (NIM,),
    "judge": (NIM, "weights.json"),
    "learn": (NIM,),
    "load": ("nim",),
    "load_position": ("nim", "setup:"),
    "loads": ("",),
    "match": (KUHN, "uniform", "uniform"),
    "mutate": (NIM,),
    "parse": ("",),
    "progress": ("looking", "nodes"),
    "random_plays": (NIM,),
    "render": ([],),
    "solve": (NIM,),
    "sweep": ("nim", {"heaps": [1]}),
    "test": (NIM,),
    "upgrade": ("",),
    "values": (NIM,),
    "with_weights": (NIM, "weights.json"),
}
"""Calls that are right, each without its options; here none of them is ever made."""

ANY_SIGN = {"seed", "at_least", "total"}
"""Numbers that may be less than 0."""

FUNCTIONS = [name for name in zermelo.__all__ if inspect.isfunction(getattr(zermelo, name)) and name != "games"]


def wrong_values(name, annotation):
    """Values that are not what the annotation of a parameter names."""
    yield object()
    words = annotation.replace("Parameter", "int | Fraction | bool | str")
    if "str" not in words and "Given" not in words and "Sequence" not in words:
        yield "3"
    if "float" not in words:
        yield 2.5
    if "float" in words or "int" in words:
        yield float("nan")
        if name not in ANY_SIGN and "bool" not in words:
            yield -1
    if "bool" not in words:
        yield True


def test_every_public_function_is_called():
    assert set(CALLS) == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_refuses_what_its_annotations_do_not_admit(name):
    function = getattr(zermelo, name)
    tried = 0
    for place, parameter in enumerate(inspect.signature(function).parameters.values()):
        if parameter.annotation == "Any":
            continue
        for value in wrong_values(parameter.name, parameter.annotation):
            given, named = list(CALLS[name]), {}
            if parameter.kind is parameter.VAR_POSITIONAL:
                given.append(value)
            elif parameter.kind is parameter.VAR_KEYWORD:
                if not isinstance(value, str | bool):
                    named = {"heaps": value}
            elif place < len(given) and parameter.kind is not parameter.KEYWORD_ONLY:
                given[place] = value
            else:
                named = {parameter.name: value}
            if given == list(CALLS[name]) and not named:
                continue
            if isinstance(value, bool) and parameter.kind is parameter.VAR_POSITIONAL:
                continue
            tried += 1
            with pytest.raises(zermelo.ZermeloError) as raised:
                function(*given, **named)
            told = f"{name}({parameter.name}: {parameter.annotation} = {value!r})"
            assert raised.value.code == "bad-usage", (told, raised.value.message)
            assert (next(iter(named)) if named else parameter.name).rstrip("_") in raised.value.message, told
    assert tried


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: zermelo.count_plays(NIM, "3"), "length is '3', but must be a whole number"),
        (lambda: zermelo.count_plays(NIM, 2.0), "length is 2.0, but must be a whole number"),
        (lambda: NIM.solve(time="3"), "time is '3', but must be a number"),
        (lambda: NIM.solve(verify="no"), "verify is 'no', but must be True or False"),
        (lambda: NIM.draw(depth="3"), "depth is '3', but must be a number"),
        (lambda: KUHN.match(seats={"Alice": 3}), "seats is {'Alice': 3}, but must be a mapping from a text to a text"),
        (lambda: NIM.diff("nim"), "second is 'nim', but must be a game"),
        (lambda: zermelo.load(3), "game is 3, but must be a text or a path"),
        (lambda: NIM.number(3), "player is 3, but must be a text"),
        (lambda: NIM.with_network(3), "network is 3, but must be a Network"),
        (lambda: NIM.initial.find(3), "move is 3, but must be a text"),
        (lambda: NIM.initial.why_not(3), "move is 3, but must be a move or a text"),
        (lambda: NIM.initial.view(None), "player is None, but must be a text"),
        (lambda: KUHN.initial.sample(3), "random is 3, but must be a Random"),
    ],
)
def test_what_is_said(ask, said):
    with pytest.raises(zermelo.ZermeloError) as raised:
        ask()
    assert (raised.value.code, raised.value.message[: len(said)]) == ("bad-usage", said)


def test_what_is_right_is_not_refused():
    numpy = pytest.importorskip("numpy")
    assert zermelo.count_plays(NIM, numpy.int64(1)).plays == zermelo.count_plays(NIM, 1).plays
    assert zermelo.force(zermelo.load("vacuum"), at_least=Fraction(1)).plan is not None
    assert str(KUHN.initial.sample(Random(1))) in {str(move) for move, _ in KUHN.initial.outcomes}
    provenance = NIM.random_plays(2).provenance
    assert zermelo.random_plays(provenance.load(), 2).plays == 2


def test_numbers_and_truth_values_of_numpy_are_those_of_python():
    numpy = pytest.importorskip("numpy")
    found = KUHN.solve("cfr_plus", exploitability=numpy.float64(0.5), time=numpy.float32(60))
    assert found == KUHN.solve("cfr_plus", exploitability=0.5, time=60.0) == found.provenance.again()
    listed = TREE.equilibria(pure=numpy.True_)
    assert listed == TREE.equilibria(pure=True)
    kept = {**found.provenance.options, **listed.provenance.options}
    assert [type(kept[name]) for name in ("exploitability", "time", "pure")] == [float, float, bool]
    assert zermelo.sweep("nim", {"heaps": numpy.int64(1)}, jobs=1)[0].value == {"Ann": "1", "Bob": "-1"}


MEMBERS = """
game "Named"
type Size = small | large
param size: Size = small
param text: 1..3 = 1
players Ann, Bob
table:
    Ann \\ Bob | left   | right
    up         | (text, 0) | (2, 1)
    down       | (1, 1) | (0, 0)
"""


def test_the_parameters_of_a_game_may_be_given_to_load_it_again():
    """A member as well as its name; and a parameter with the name of an argument that has no name in a call."""
    game = zermelo.loads(MEMBERS, size="large", text=3)
    again = zermelo.loads(MEMBERS, **game.parameters)
    assert again.parameters == game.parameters and [str(each) for each in again.parameters.values()] == ["large", "3"]


@pytest.mark.parametrize("ask", [lambda state: state.estimate("Eve"), lambda state: state.features("Eve")])
def test_a_player_whom_the_game_does_not_have_is_unknown_even_without_an_estimate(ask):
    with pytest.raises(zermelo.ZermeloError) as raised:
        ask(KUHN.initial)
    assert raised.value.code == "unknown-player"
