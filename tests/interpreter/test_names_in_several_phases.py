"""Moves of one name in several phases, with other arguments and secrets in each: what is reported, what is paid, and
what the others perceive, against the words of the manual in plain Python."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from all_machines import python_machine
from attrs import frozen
from random_cases import seeds

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import Machine, Move
from zermelo.interpreter.reference.machine import ReferenceMachine

PLAYERS: Final = ("Ann", "Bob")


@frozen
class Rule:
    """A move with an argument from 1 to ``most``, or none if that is 0. ``secret`` is the argument, ``unseen`` the
    whole move; ``told`` says that the argument of Ann is then written where all see it."""

    name: str
    most: int
    secret: bool
    unseen: bool
    told: bool


@frozen
class Stage:
    """A phase in which Ann or Bob decides, or both do if ``who`` is empty; what they choose counts ``weight`` times."""

    who: str
    rules: tuple[Rule, ...]
    weight: int

    @property
    def deciding(self) -> tuple[str, ...]:
        return (self.who,) if self.who else PLAYERS


def a_stage(random: Random) -> Stage:
    names = random.sample(("bid", "pass", "call"), random.randint(1, 2))
    rules = []
    for name in names:
        most, unseen = random.randint(0, 3), random.random() < 0.15
        is_told = most > 0 and random.random() < 0.4
        rules.append(Rule(name, most, most > 0 and random.random() < 0.4, unseen, is_told))
    return Stage(random.choice(("", "", *PLAYERS)), tuple(rules), random.choice((1, 10)))


def written(stages: list[Stage]) -> tuple[str, set[int]]:
    """The game, and the lines that betray something secret."""
    lines = ['game "Names"', "players Ann, Bob", "var score[Player]: 0..999 = 0   hidden", "var told: 0..9 = 0"]
    lines += ["start at s0"]
    betraying = set[int]()

    def tell(rule: Rule, line: str) -> None:
        lines.append(line)
        if rule.secret or rule.unseen:
            betraying.add(len(lines))

    for k, stage in enumerate(stages):
        lines += [f"phase s{k}:", f"    turn {stage.who}:" if stage.who else "    together:"]
        for rule in stage.rules:
            argument = f"({'secret ' * rule.secret}n in 1..{rule.most})" if rule.most else ""
            lines.append(f"        move {rule.name}{argument}{' secret' * rule.unseen}{':' * bool(stage.who)}")
            if stage.who:
                lines.append(f"            score[{stage.who}] += {stage.weight} * {'n' if rule.most else '1'}")
                if rule.told:
                    tell(rule, "            told := n")
                lines.append(f"            go s{k + 1}")
        if not stage.who:
            lines.append("    then:")
            for rule in stage.rules:
                for player in PLAYERS:
                    chosen = f"{rule.name}[{player}]"
                    if rule.most and len(stage.rules) == 1:
                        lines.append(f"        score[{player}] += {stage.weight} * {chosen}.n")
                    elif rule.most:
                        lines.append(
                            f"        if {chosen}.n is not none: score[{player}] += {stage.weight} * {chosen}.n"
                        )
                    else:
                        lines.append(f"        if {chosen}: score[{player}] += {stage.weight}")
                if rule.told and len(stage.rules) == 1:
                    tell(rule, f"        told := {rule.name}[Ann].n")
                elif rule.told:
                    tell(rule, f"        if {rule.name}[Ann].n is not none: told := {rule.name}[Ann].n")
            lines.append(f"        go s{k + 1}")
    lines += [f"phase s{len(stages)}:", "    end payoff (score[Ann], score[Bob])"]
    return "\n".join(lines) + "\n", betraying


Choices = list[dict[str, tuple[Rule, int]]]
"""For each phase the move of each player who decides there, with its argument."""


def some_choices(random: Random, stages: list[Stage]) -> Choices:
    found: Choices = []
    for stage in stages:
        made = {player: random.choice(stage.rules) for player in stage.deciding}
        found.append(
            {player: (rule, random.randint(1, rule.most) if rule.most else 0) for player, rule in made.items()}
        )
    return found


def paid(stages: list[Stage], choices: Choices) -> tuple[int, ...]:
    return tuple(
        sum(
            stage.weight * max(1, made[player][1])
            for stage, made in zip(stages, choices, strict=True)
            if player in made
        )
        for player in PLAYERS
    )


def perceived(stages: list[Stage], choices: Choices, player: str) -> list[object]:
    """All that a player has perceived at the end."""
    seen: list[object] = []
    told = 0
    for k, (stage, made) in enumerate(zip(stages, choices, strict=True)):
        if player in made:
            seen += [("decides", k), made[player]]
        for other, (rule, argument) in made.items():
            if other != player and not rule.unseen:
                seen.append((other, rule.name, rule.most, None if rule.secret else argument))
        teller = "Ann" if not stage.who else stage.who
        now = made[teller][1] if made[teller][0].told else told
        if now != told:
            seen.append(now)
        told = now
    return seen


def ended(machine: Machine[Any], stages: list[Stage], choices: Choices) -> Any:
    state = machine.initial()
    for stage, made in zip(stages, choices, strict=True):
        for player in stage.deciding:
            rule, argument = made[player]
            state = machine.after(state, Move(rule.name, (argument,) if rule.most else ()))
    return state


def judge(random: Random, is_lowered: bool) -> None:
    stages = [a_stage(random) for _ in range(random.randint(2, 4))]
    text, betraying = written(stages)
    model, findings = check(Source("names.game", text))
    assert model is not None, text
    found = {finding.span.line for finding in findings if finding.code == "betrays-hidden"}
    assert found == betraying, (text, found, betraying)
    machine = python_machine(model) if is_lowered else ReferenceMachine(model)
    one, two = some_choices(random, stages), some_choices(random, stages)
    changed = random.randrange(len(stages))
    two = [*one[:changed], two[changed], *one[changed + 1 :]]
    states = [ended(machine, stages, choices) for choices in (one, two)]
    assert [machine.payoff(state) for state in states] == [paid(stages, one), paid(stages, two)], text
    for k, player in enumerate(PLAYERS):
        alike = machine.information_state(states[0], k) == machine.information_state(states[1], k)
        assert alike == (perceived(stages, one, player) == perceived(stages, two, player)), (text, one, two, player)


@pytest.mark.random
def test_each_phase_has_moves_of_its_own() -> None:
    for seed in seeds(40):
        judge(Random(seed), is_lowered=seed % 10 == 0)
