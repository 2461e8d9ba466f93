"""What is asked about moves: by small games that show each flaw and near misses that do not, and against a comparison
of all pairs of moves in all positions."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import pytest
from all_machines import AT_ONCE, compiled_machine
from written_games import bundled_model, model_of

from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.interpreter.model.rewriting import rules_of
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.validation.about_moves import find_alike_moves
from zermelo.solvers.validation.questions import replies
from zermelo.solvers.validation.shortest_plays import ShortestPlays, search

PILE = """
    game "Pile"
    players Ann, Bob
    var pile: 0..9 = 9
    var fuel: 0..3 = 0
    start at choose(Ann)
    phase choose(p: Player):
        turn p PREFERRING:
            move take(n in 1..2) if n <= pile:
                pile -= n
                if pile == 0: end win p
                go choose(other p)
            RULE
"""


def pile(rule="", preferring=""):
    return model_of(PILE.replace("PREFERRING", preferring).replace("RULE", rule))


TAKE = "if pile == 0: end win p\n                go choose(other p)"
TWO = f"move two if pile > 1:\n                pile -= 2\n                {TAKE}"
MOSTLY_TWO = f"move two if pile > 1:\n                pile -= if pile == 5 then 1 else 2\n                {TAKE}"
PAID = f"move two if pile > 1:\n                pile -= 2\n                earn p: 1\n                {TAKE}"
MORE = f"move two if pile > 1:\n                pile -= 2\n                fuel := 1\n                {TAKE}"
APART = f"move two if pile > 9:\n                pile -= 2\n                {TAKE}"
LAST = "move two if pile == 2: end win p"
DRAWN = "move offer if pile == 1: end draw\n            move accept if pile == 1: end draw"
MANY = f"move put(n in 1..9) if pile > 0:\n                pile -= 1\n                {TAKE}"


def asked(model, make, most=None):
    machine = make(model)
    found = search(machine, facts(model), most, Limits(), ignore_progress)
    return list(replies(machine, model, facts(model), found, Limits()))


def found_in(model, make, code):
    return [answer for answer in asked(model, make) if answer.finding is not None and answer.finding.code == code]


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (TWO, ["take(2) and two"]),
        (MANY, ["take(1) and put(1)", "put(1) and put(2)"]),  # once for each pair of rules
        (MOSTLY_TWO, []),
        (PAID, []),
        (MORE, []),
        (APART, []),
        (LAST, []),  # they end the play alike, and are offered together nowhere else
        (DRAWN, []),
        ("", []),
    ],
)
def test_moves_with_the_same_effect(make, rule, said):
    answers = found_in(pile(rule), make, "same-effect")
    assert [
        answer.finding.message.removesuffix(" have the same effect wherever both are offered") for answer in answers
    ] == said
    for answer in answers:
        assert answer.how == "proved"
        assert answer.play and str(answer.play[-1]) == answer.finding.message.split()[0]


def test_what_later_positions_may_tell_apart_is_not_said():
    answers = {answer.question: answer.answer for answer in asked(pile(MOSTLY_TWO), ReferenceMachine, most=2)}
    assert answers["Do two moves have the same effect?"] == "not known"


def test_where_moves_tell_something_it_is_not_asked():
    answers = {answer.question: answer.answer for answer in asked(bundled_model("kuhn_poker"), ReferenceMachine)}
    assert answers["Do two moves have the same effect?"] == "does not apply"


def alike_by_pairs(machine):
    """The pairs of moves that lead to the same position, or end with the same payoffs, wherever both are offered, and
    somewhere do not end the play; and earn the same."""
    results = defaultdict(set)
    waiting, known = [machine.initial()], set()
    while waiting:
        state = waiting.pop()
        if machine.actor(state) == END or machine.position(state) in known:
            continue
        known.add(machine.position(state))
        after = {move: machine.after(state, move) for move in choices_at(machine, state)}
        waiting.extend(after.values())
        if machine.actor(state) < 0:
            continue
        for pair in combinations(after, 2):
            ends = [machine.actor(after[move]) == END for move in pair]
            there = [
                machine.payoff(after[move]) if end else (machine.position(after[move]), machine.earned(after[move]))
                for move, end in zip(pair, ends, strict=True)
            ]
            results[frozenset(pair)].add("different" if there[0] != there[1] or ends[0] != ends[1] else str(ends[0]))
    return {pair for pair, said in results.items() if "different" not in said and "False" in said}


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(
    "model",
    [
        *(pile(rule) for rule in (TWO, MANY, MOSTLY_TWO, MORE, APART, LAST, DRAWN)),
        bundled_model("nim", heaps=2),
        bundled_model("tug_of_war"),
        bundled_model("tic_tac_toe", size=2),
        bundled_model("landlords"),
    ],
    ids=lambda model: model.title,
)
def test_pairs_are_those_of_all_positions(make, model):
    machine = make(model)
    graph = explore(machine, facts(model), machine.initial(), Limits(), ignore_progress, with_moves=True)
    plays = ShortestPlays(machine, graph)
    found = {frozenset(plays.through(edge)[-1] for edge in pair) for pair in find_alike_moves(graph)}
    assert found == alike_by_pairs(ReferenceMachine(model))


# --------------------------------------------------------------- preferring


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(
    ("preferring", "answer"),
    [
        ("preferring (if pile % 4 == 0 then 0 else 1)", "yes"),
        ("preferring (if pile == 0 then 1 else 0)", "yes"),  # only at the end
        ("preferring (fuel)", "no"),
        ("preferring (if p == Ann then 1 else 0)", "no"),
    ],
)
def test_whether_preferring_decides(make, preferring, answer):
    """Against a look at all positions of the game without it."""
    model = pile(preferring=preferring)
    (found,) = [each for each in asked(model, make) if "preferring" in each.question]
    assert found.answer == answer
    assert (found.finding is not None) == (answer == "no")
    free, narrow = ReferenceMachine(pile()), ReferenceMachine(model)
    if answer == "yes":
        state, loose = narrow.initial(), free.initial()
        for move in found.play or ():
            state, loose = narrow.after(state, move), free.after(loose, move)
        assert set(narrow.moves(state)) < set(free.moves(loose))
    else:
        assert found.how == "proved"
        waiting = [(narrow.initial(), free.initial())]
        for state, loose in waiting:
            assert narrow.moves(state) == free.moves(loose)
            waiting.extend((narrow.after(state, move), free.after(loose, move)) for move in narrow.moves(state))


def test_preferring_among_many_positions_is_asked_by_random_plays():
    (found,) = [each for each in asked(bundled_model("hypergammon"), compiled_machine, 5) if "preferr" in each.question]
    assert (found.answer, found.how) == ("yes", "a play shows it")


# Moves and outcomes that are never offered: by small games that have one and near misses that do not, and against the
# names that the reference machine lists in all positions.


PILE_WITH = """
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


def asked_of_offers(model, make, most=None):
    machine = make(model)
    found = search(machine, facts(model), most, Limits(), ignore_progress)
    given = replies(machine, model, facts(model), found, Limits())
    return [answer for answer in given if answer.question == "Is every move offered?"]


def missing(model, make):
    """The names in the findings."""
    return [answer.finding.message.split()[-1] for answer in asked_of_offers(model, make) if answer.finding is not None]


def answered(model, make):
    """The names in the answers."""
    said = [answer.answer for answer in asked_of_offers(model, make)]
    return set() if said == ["yes"] else {name for each in said for name in each.removeprefix("no: ").split(", ")}


def pile_with(rule="", after="choose(other p)", weight=""):
    return model_of(PILE_WITH.replace("RULE", rule).replace("NEXT", after).replace("WEIGHT", weight))


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
    assert missing(pile_with(rule, after), make) == said


@pytest.mark.parametrize("make", AT_ONCE)
def test_a_name_is_offered_if_one_of_its_rules_is(make):
    assert missing(model_of(IN_TWO_PHASES), make) == []


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(("shuffled", "said"), [(False, "no: prize"), (True, "yes")])
def test_other_values_of_a_parameter_may_offer_it(make, shuffled, said):
    (answer,) = asked_of_offers(bundled_model("goofspiel", shuffled=shuffled), make)
    assert (answer.answer, answer.finding) == (said, None)


@pytest.mark.parametrize("make", AT_ONCE)
@pytest.mark.parametrize(("rule", "said"), [("", []), ("move peek if cup == 0: end draw", ["peek"])])
def test_it_is_asked_where_something_is_hidden(make, rule, said):
    assert missing(model_of(HIDDEN.replace("RULE", rule)), make) == said


@pytest.mark.parametrize("make", AT_ONCE)
def test_of_a_part_of_the_positions_nothing_is_found(make):
    late = pile_with("move stop if pile == 1: end draw")
    (answer,) = asked_of_offers(late, make, most=3)
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


# Who can keep a play from ending, in the words of ``zermelo check --deep``.


GOING_ON_TWO = """
    game "Two doors"
    players Ann, Bob
    start at first
    phase first:
        turn Ann:
            ANN
    phase second:
        turn Bob:
            BOB
"""
LEAVE = "move leave: end draw"
ALONE = """
    game "One door"
    players Ann
    start at first
    phase first:
        turn Ann:
            move wait: go first
            move leave: end payoff (1)
"""
CHANCE = """
    game "A lock"
    players Ann
    start at first
    phase first:
        turn Ann:
            move try: go lock
    phase lock:
        chance:
            outcome open: end payoff (1)
            outcome jam: go first
"""


def two(ann: str, bob: str) -> str:
    return GOING_ON_TWO.replace("ANN", ann).replace("BOB", bob)


@pytest.mark.parametrize(
    ("text", "answer", "is_finding"),
    [
        (two("move on: go second", LEAVE), "no", False),
        (ALONE, "yes; Ann can force it", True),
        (CHANCE, "yes; but chance ends it almost surely, whatever the players do", False),
        (
            two(f"move on: go second\n            {LEAVE}", f"move back: go first\n            {LEAVE}"),
            "yes; nobody alone can force it",
            True,
        ),
        (
            two(f"move stay: go first\n            {LEAVE}\n            move on: go second", LEAVE),
            "yes; Ann alone can force it from some position",
            True,
        ),
        (
            two("move stay: go first\n            move on: go second", f"move stay: go second\n            {LEAVE}"),
            "yes; Ann or Bob alone can force it from some position",
            True,
        ),
    ],
)
def test_who_can_keep_a_play_from_ending(text, answer, is_finding):
    model = model_of(text)
    machine, known = ReferenceMachine(model), facts(model)
    found = search(machine, known, None, Limits(), ignore_progress)
    asked = {reply.question: reply for reply in replies(machine, model, known, found, Limits())}
    reply = asked["Can a play go on for ever?"]
    assert reply.answer == answer
    assert (reply.finding is not None) == is_finding
    assert reply.finding is None or reply.finding.remark == answer.removeprefix("yes; ")
