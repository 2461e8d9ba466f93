"""Moves and outcomes that are never offered: by small games that have one and near misses that do not, and against the
names that the reference machine lists in all positions."""

from __future__ import annotations

import pytest
from all_machines import AT_ONCE
from written_games import bundled_model, model_of

from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.interpreter.model.rewriting import rules_of
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.validation.questions import replies
from zermelo.solvers.validation.shortest_plays import search

PILE = """
    game "Pile"
    players Ann, Bob
    var pile: 0..9 = 9
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move take(n in 1..2) if n <= pile:
                pile -= n
                if pile == 0: end win p
                go NEXT
            RULE
    phase toss(p: Player):
        chance:
            outcome heads: go choose(other p)
            outcome tails WEIGHT: go choose(other p)
"""

IN_TWO_PHASES = """
    game "Doors"
    players Ann, Bob
    start at first
    phase first:
        turn Ann:
            move leave: end win Ann
            move knock: go second
    phase second:
        turn Ann:
            move leave if 1 > 2: end draw
            move wait: end draw
"""

HIDDEN = """
    game "Cups"
    players Ann, Bob
    var cup: 0..2 = 0    hidden
    start at hide
    phase hide:
        chance:
            outcome put(n in 1..2):
                cup := n
                go guess
    phase guess:
        turn Ann:
            move guess(n in 1..2): end win (if cup == n then Ann else Bob)
            RULE
"""


def asked(model, make, most=None):
    machine = make(model)
    found = search(machine, facts(model), most, Limits(), ignore_progress)
    given = replies(machine, model, facts(model), found, Limits())
    return [answer for answer in given if answer.question == "Is every move offered?"]


def missing(model, make):
    """The names in the findings."""
    return [answer.finding.message.split()[-1] for answer in asked(model, make) if answer.finding is not None]


def answered(model, make):
    """The names in the answers."""
    said = [answer.answer for answer in asked(model, make)]
    return set() if said == ["yes"] else {name for each in said for name in each.removeprefix("no: ").split(", ")}


def pile(rule="", after="choose(other p)", weight=""):
    return model_of(PILE.replace("RULE", rule).replace("NEXT", after).replace("WEIGHT", weight))


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(
    ("rule", "after", "said"),
    [
        ("", "toss(p)", []),
        ("move stop if pile == 0: end draw", "toss(p)", ["stop"]),
        ("move stop if pile == 1: end draw", "toss(p)", []),
        ("move stop(n in 1..9) if n > pile + 8: end draw", "toss(p)", ["stop"]),
        ("move stop(n in 1..9) if n > pile + 7: end draw", "toss(p)", []),  # stop(9) with one left
        ("move stop if pile > 9: go toss(p)", "choose(other p)", ["stop", "heads", "tails"]),
    ],
)
def test_what_is_never_offered(make, rule, after, said):
    assert missing(pile(rule, after), make) == said


@pytest.mark.parametrize("make", AT_ONCE)
def test_a_name_is_offered_if_one_of_its_rules_is(make):
    assert missing(model_of(IN_TWO_PHASES), make) == []


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(("shuffled", "said"), [(False, "no: prize"), (True, "yes")])
def test_other_values_of_a_parameter_may_offer_it(make, shuffled, said):
    (answer,) = asked(bundled_model("goofspiel", shuffled=shuffled), make)
    assert (answer.answer, answer.finding) == (said, None)


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(("rule", "said"), [("", []), ("move peek if cup == 0: end draw", ["peek"])])
def test_it_is_asked_where_something_is_hidden(make, rule, said):
    assert missing(model_of(HIDDEN.replace("RULE", rule)), make) == said


@pytest.mark.parametrize("make", AT_ONCE)
def test_of_a_part_of_the_positions_nothing_is_found(make):
    late = pile("move stop if pile == 1: end draw")
    (answer,) = asked(late, make, most=3)
    assert answer.finding is None
    assert (answer.answer, answer.how) == ("not seen: stop, heads, tails", "within 3 positions")


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("nim", {}),
        ("tic_tac_toe", {}),
        ("kuhn_poker", {}),
        ("rock_paper_scissors", {}),
        ("horizon_effect", {}),
        ("goofspiel", {}),
    ],
)
def test_the_reference_machine_lists_the_same_names(make, name, parameters):
    model = bundled_model(name, **parameters)
    machine = ReferenceMachine(model)
    waiting, known, offered = [machine.initial()], set(), set()
    for state in waiting:
        if state.actor != END and (position := machine.position(state)) not in known:
            known.add(position)
            listed = choices_at(machine, state)
            offered.update(move.name for move in listed)
            waiting.extend(machine.after(state, move) for move in listed)
    names = {rule.name for phase in model.phases.values() for rule in rules_of(phase.decision)}
    assert answered(model, make) == names - offered
