"""What is asked about hidden things: by small games that show each flaw and near misses that do not, and against a
comparison of all pairs of plays."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import pytest
from all_machines import compiled_machine, needs_llvm
from written_games import bundled_model, model_of

from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.validation.about_secrets import AboutSecrets, Histories, find_secrets

MAKERS = [ReferenceMachine, pytest.param(compiled_machine, marks=needs_llvm)]

DOORS = """
    game "Doors"
    players Host, Guest
    type Door = left | right
    var prize: Door  hidden
    var footprints: 0..2 = 0
    VARIABLE
    start at hide
    phase hide:
        turn Host:
            move put(secret d in Door):
                prize := d
                PUT
                go enter
    phase enter:
        turn Guest:
            move come_in: go walk
            move stay_out: end draw
    phase walk:
        WALK
        go guess
    phase guess:
        turn Guest:
            move open(d in Door) GUARD:
                if d == prize: end win Guest
                end win Host
            move leave: end draw
"""


def doors(variable="", put="", walk="footprints += 1", guard=""):
    text = DOORS.replace("VARIABLE", variable).replace("PUT", put).replace("WALK", walk).replace("GUARD", guard)
    return model_of("\n".join(line for line in text.splitlines() if line.strip()))


def asked(model, make=ReferenceMachine):
    return list(AboutSecrets(make(model), model, facts(model)).replies())


def codes(model, make=ReferenceMachine):
    return [answer.finding.code for answer in asked(model, make) if answer.finding is not None]


@pytest.mark.parametrize("make", MAKERS)
def test_a_secret_that_is_kept(make):
    assert codes(doors(), make) == []
    assert {answer.answer for answer in asked(doors(), make)} == {"no", "yes"}  # every hidden variable matters


@pytest.mark.parametrize("make", MAKERS)
def test_moves_that_betray_it_name_what_they_betray(make):
    betrayed = next(answer for answer in asked(doors(guard="if d == prize"), make) if answer.finding is not None)
    finding = betrayed.finding
    assert finding is not None
    assert finding.code == "moves-differ"
    assert "put(left), come_in and put(right), come_in" in finding.message
    assert finding.remark == "prize = left in one, prize = right in the other"
    assert [label.text for label in finding.labels] == ["the moves give this away"]
    assert [str(move) for move in betrayed.play or ()] == ["put(right)", "come_in"]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("walk", "told"),
    [
        ("footprints := if prize == left then 1 else 2", ["secret-told"]),
        ("reveal prize\n        footprints := if prize == left then 1 else 2", []),
        ("footprints := 1", []),
        ("if prize == left: footprints := 1", []),  # what is not written tells it, but nothing that is
    ],
)
def test_a_public_variable_that_tells_it(make, walk, told):
    assert codes(doors(walk=walk), make) == told
    if told:
        (answer,) = [each for each in asked(doors(walk=walk), make) if each.finding is not None]
        assert answer.answer == "yes: Guest, prize"
        assert [str(move) for move in answer.play or ()] == ["put(left)", "come_in"]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("variable", "put", "found"),
    [
        ("var copy: Door = left", "if d == left: copy := left\n                else: copy := right", True),
        ("", "tell Guest that it(d)", False),  # then it is meant
        ("", "tell Host that it(d)", False),
    ],
)
def test_what_everybody_can_work_out(make, variable, put, found):
    model = doors(variable, put)
    assert ("secret-worked-out" in codes(model, make)) == found


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("variable", "put", "yes"),
    [
        ("var copy: Door = left", "if d == left: copy := left\n                else: copy := right", True),
        ("var copy: 0..2 = 0", "copy := number(d)", True),
        ("", "tell Guest that it(d)", False),
    ],
)
def test_a_public_variable_that_always_tells_it_is_answered_once_and_found_once(make, variable, put, yes):
    told = asked(doors(variable, put, walk="footprints := 1"), make)
    answers = {each.question: each.answer for each in told}
    assert answers["Can a player work out what is hidden?"] == ("yes: Guest, prize" if yes else "no")
    assert answers["Does a public variable tell a secret?"] == ("yes: Guest, prize" if yes else "no")
    assert [each.finding.code for each in told if each.finding] == (["secret-worked-out"] if yes else [])


@pytest.mark.parametrize(
    ("variable", "walk", "found"),
    [
        ("var steps: 0..9 = 0 hidden", "steps += 1", ["unnoticed-variable"]),
        ("var steps: 0..9 = 0 hidden", "steps += 1\n        if steps > 1: footprints := 1", []),
        ("var steps: 0..9 = 0", "steps += 1", []),  # everybody sees it
        ("var steps[Player]: 0..9 = 0 private", "steps[Guest] += 1", []),
        ("var steps: 0..9 = 0 hidden", "steps += 1\n        tell Host that steps(steps)", []),
    ],
)
def test_what_nobody_can_notice(variable, walk, found):
    assert codes(doors(variable, walk=walk)) == found


# --------------------------------------------------------------- all pairs of plays


def visited(machine):
    """Every state in which a player decides, with the whole play."""
    waiting, found = [machine.initial()], []
    while waiting:
        state = waiting.pop()
        if machine.actor(state) >= 0:
            found.append(state)
        waiting.extend(machine.after(state, move) for move in choices_at(machine, state))
    return found


def hidden_from(machine, state, player, name):
    """The values of a variable that a player does not see."""
    seen = machine.view(state, player)
    return [entry for entry in machine.entries(state) if entry.variable == name and entry not in seen]


@pytest.mark.parametrize(
    "model",
    [
        *(bundled_model(name) for name in ("kuhn_poker", "smuggler", "beer_or_quiche", "wildcatter")),
        doors(),
        doors(walk="footprints := if prize == left then 1 else 2"),
        doors("var copy: Door = left", "copy := d"),
    ],
    ids=lambda model: model.title,
)
def test_secrets_are_those_of_all_pairs_of_plays(model):
    """A player does not know a secret if and only if two of their decisions have the same information state and
    different values of it."""
    machine = ReferenceMachine(model)
    decisions = defaultdict(list)
    for state in visited(machine):
        decisions[machine.actor(state)].append(state)
    for secret in find_secrets(machine, model, Histories(machine, 10_000)):
        states, name = decisions[secret.player], secret.variable
        differing = [
            pair
            for pair in combinations(states, 2)
            if hidden_from(machine, pair[0], secret.player, name) != hidden_from(machine, pair[1], secret.player, name)
        ]
        alike = [
            pair
            for pair in differing
            if machine.information_state(pair[0], secret.player) == machine.information_state(pair[1], secret.player)
        ]
        assert bool(alike) == (secret.mistaken is not None)
        if secret.mistaken is not None:
            assert {frozenset(map(machine.play, pair)) for pair in alike} >= {frozenset(secret.mistaken)}
        assert not secret.is_open or (differing and not alike)
