"""Variables that nobody can notice: the plays of a game are the same whatever such a variable is at the beginning."""

from __future__ import annotations

import pytest
from written_games import bundled_model, model_of

from zermelo import gamedefs
from zermelo.interpreter.analysis import unnoticed_variables
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.reference.machine import ReferenceMachine

TEXT = """
    game "Steps"
    players Ann, Bob
    type Place = a | b
    var asked: 0..3 = ASKED hidden
    var other_one: 0..3 = 0 hidden
    var latest: 0..3 = 0 hidden
    var board[Place]: 0..3 = 0
    start at step(1)
    phase step(k: 0..3):
        RULE
        turn Ann:
            move go_on(n in 0..1):
                EFFECT
                asked := (asked + 1) % 4
                if k == 3: end payoff {Ann: board[a] - board[b], Bob: board[b]}
                go step(k + 1)
    action put(n: 0..3):
        board[a] := n
"""

RULES = [
    ("other_one := asked", "", True),
    ("other_one := asked\n        latest := other_one", "", True),
    ("", "asked := (asked + n) % 4", True),
    ("", "if asked % 2 == 0: board[a] := 1", False),
    ("other_one := asked", "if other_one == 0: board[a] := 1", False),
    ("other_one := asked", "board[b] := other_one", False),
    ("", "board[if asked % 2 == 0 then a else b] := n", False),
    ("", "put(asked)", False),
    ("", "earn Ann: asked", False),
    ("", "tell Bob that it(asked)", False),
    ("let given = asked", "board[a] := given", False),
]


def game(rule, effect, asked=0):
    text = TEXT.replace("RULE", rule).replace("EFFECT", effect).replace("ASKED", str(asked))
    return model_of("\n".join(line for line in text.splitlines() if line.strip()))


def plays(model):
    """All plays with what they pay, and what everybody perceives on the way."""
    machine = ReferenceMachine(model)
    waiting, found = [machine.initial()], []
    while waiting:
        state = waiting.pop()
        offered = choices_at(machine, state)
        known = [str(tuple(map(str, machine.information_state(state, player)))) for player in (0, 1)]
        found.append((machine.play(state), known, machine.payoff(state) if not offered else None))
        waiting.extend(machine.after(state, move) for move in offered)
    return found


@pytest.mark.parametrize(("rule", "effect", "is_unnoticed"), RULES)
def test_a_game_is_the_same_whatever_they_are(rule, effect, is_unnoticed):
    assert ("asked" in [variable.name for variable in unnoticed_variables(game(rule, effect))]) == is_unnoticed
    assert (plays(game(rule, effect)) == plays(game(rule, effect, asked=1))) == is_unnoticed


@pytest.mark.parametrize("name", gamedefs.names())
def test_in_bundled_games_there_are_none(name):
    assert unnoticed_variables(bundled_model(name)) == []
