"""What the arrays take in which kernels iterate, beside the extensive form and the sequence form.

A kernel writes down for every player at every leaf what all others do, so for games of several players it may be more
than the building of the tree needs.
"""

from __future__ import annotations

from typing import Final

from zermelo.solvers.common.columns import OBJECT_BYTES
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.imperfect_information.monte_carlo_cfr import widest

_BYTES: Final = 8
"""Of a number, whole or not."""


def check_memory(tree: ExtensiveForm, form: SequenceForm, is_sampled: bool, is_compiled: bool, limits: Limits) -> None:
    """Raise ``ZermeloError`` (``out-of-memory``) where iteration would take more than the limit leaves."""
    worked_on = (_BYTES if is_compiled else OBJECT_BYTES) * numbers_of_kernel(tree, form, is_sampled)
    listed = OBJECT_BYTES * len(form.players) ** 2 * len(form.leaves[0])  # before it comes into arrays
    limits.require(worked_on + listed, f"iteration over {len(form.leaves[0]):,} leaves")


def numbers_of_kernel(tree: ExtensiveForm, form: SequenceForm, is_sampled: bool) -> int:
    """How many numbers the lists hold in which a kernel has the game and iterates."""
    players, leaves = len(form.players), len(form.leaves[0])
    sequences, sets = sum(map(len, form.players)), sum(len(player.parents) for player in form.players)
    flat = (players + 1) + (players + 1) + 3 * sets  # what is about sequences and sets
    flat += sequences + 1 + players * leaves * players  # what is about leaves: the others' sequences, and a payoff
    flat += sequences + players  # values and gains
    if not is_sampled:
        return flat + 5 * sequences
    copied = len(tree.firsts) + len(tree.sets_of) + 3 * sets + 2 * len(tree.children) + len(tree.payoffs)
    return flat + copied + 4 * sequences + 4 * tree.nodes + widest(tree)
