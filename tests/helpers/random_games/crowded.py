"""Games with many defines and actions whose names differ in a digit or an underscore at the end: a lowering that
appends numbers to names may make two of them equal. All of them affect the payoffs."""

from __future__ import annotations

from random import Random
from typing import Final

_STEMS: Final = ("score", "T", "S", "need", "body", "at", "moves", "offers", "x", "held", "entry", "get", "case")
_ENDS: Final = ("", "1", "2", "3", "4", "5", "6", "7", "11", "12", "_", "_1", "__1")


def write_crowded_game(random: Random) -> str:
    """A game of two players, who count up to 8."""
    stem = random.choice(_STEMS)
    names = list(dict.fromkeys([*(stem + end for end in _ENDS), "T", "T1", "moves", "body_0"]))
    random.shuffle(names)
    count, store, one, two, amount, name, step, *defines = names
    lines = ['game "Crowded"', "players Ann, Bob", "claim zero_sum", f"var {count}: 0..9 = 0", f"var {store}: 0..9 = 3"]
    terms = []
    for define in defines:
        has_parameter = random.random() < 0.5
        key = "k" if has_parameter else count
        a, b, c = (random.randint(0, 9) for _ in range(3))
        table = ", ".join(f"{number}: {random.randint(0, 9)}" for number in range(10))
        body = random.choice(
            (f"if {count} == {a} then {b} else if {key} > {c} then {key} else {a}", f"{{{table}}}[{key}] + {store}")
        )
        lines.append(f"define {define}{'(k: 0..9)' if has_parameter else ''} = {body}")
        terms.append(f"{random.randint(1, 5)} * {define}{f'({count})' if has_parameter else ''}")
    for action in (one, two):
        lines.append(f"action {action}({amount}: 0..9):")
        lines.append(f"    {store} := min(9, max(0, {amount} + {random.randint(-2, 2)}))")
    lines += [
        f"define total = {' + '.join(terms)}",
        "start at play(Ann)",
        "phase play(p: Player):",
        f"    let {name} = total",
        f"    if {count} >= 8: end payoff {{p: {name}, other p: -total}}",
        "    turn p:",
        f"        move {step}(k in 1..3) if {count} + k <= 9 and {name} > {random.randint(-100, -40)}:",
        f"            {one}({count})",
        f"            {count} += k",
        f"            {two}({store})",
        "            go play(other p)",
    ]
    return "\n".join(lines) + "\n"
