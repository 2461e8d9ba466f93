"""The algorithms of the solvers that iterate."""

from __future__ import annotations

from typing import Any

from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.forms.minimizer import Minimizer
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.imperfect_information.counterfactual_regret import VARIANTS, CounterfactualRegret
from zermelo.solvers.imperfect_information.iteration_memory import check_memory
from zermelo.solvers.imperfect_information.monte_carlo_cfr import MonteCarloRegret


def minimizer(
    name: str, machine: Machine[Any], tree: ExtensiveForm, form: SequenceForm, seed: int, limits: Limits
) -> Minimizer:
    """The algorithm of a solver that iterates: its kernel, compiled where the machine is.

    Raises ``ZermeloError`` (``out-of-memory``)."""
    is_compiled = isinstance(machine, LoweredMachine) and machine.is_compiled
    check_memory(tree, form, name not in VARIANTS, is_compiled, limits)
    if name in VARIANTS:
        return CounterfactualRegret(form, VARIANTS[name], is_compiled)
    return MonteCarloRegret(tree, form, name == "outcome_sampling", seed, is_compiled)
