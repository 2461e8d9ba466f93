"""The table of a small game, written for Gambit and the programs that read its tables (``.nfg``).

The table is the reduced strategic form: a pure strategy says what its player does wherever their own moves can lead
them. The payoffs of all profiles follow as numbers, and the first player's strategy changes fastest.
"""

from __future__ import annotations

from itertools import product

from zermelo.formats.efg_writing import quoted
from zermelo.formats.labels import told_apart
from zermelo.grammar.names import shown
from zermelo.solvers.normal_form.normal_form import NormalForm


def strategy_labels(table: NormalForm) -> list[list[str]]:
    """The labels of every player's pure strategies, in their order: their moves, told apart."""
    return [told_apart([shown(strategy.name) for strategy in own]) for own in table.strategies]


def nfg_text(title: str, table: NormalForm) -> str:
    """The text of an ``.nfg`` with this table."""
    players = " ".join(quoted(shown(name)) for name in table.player_names)
    lines = [f"NFG 1 R {quoted(title)} {{ {players} }}", "", "{"]
    lines += [f"  {{ {' '.join(map(quoted, own))} }}" for own in strategy_labels(table)]
    lines += ["}", '""', ""]
    for backwards in product(*map(range, reversed(table.counts))):
        lines.append(" ".join(map(str, table.payoff(backwards[::-1]))))
    return "\n".join(lines) + "\n"
