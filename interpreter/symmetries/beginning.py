"""What holds when a play begins: the values after ``setup``, and the phase in which it starts.

A symmetry of the rules takes plays to plays from the image of their first state. That is another state where a file
begins with values of its own, such as a suit that is named first. Rules alone tell what is true of every position;
only where the first state is its own image, too, does a symmetry take the whole game to itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import UNSET, Context
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.statements import StatementCompiler, compiled_setup
from zermelo.interpreter.evaluation.variables import entry_indices
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.symmetries.relabelling import Relabelling


def keeps_constants(game: Model, relabelling: Relabelling) -> bool:
    """Whether variables that only ``setup`` assigns hold at renamed indices what they hold, renamed. False if ``setup``
    is an error of the rules."""
    constants = [variable for variable in game.variables if variable.is_constant]
    if not constants:
        return True
    try:
        context, _ = compiled_setup(StatementCompiler(game, Compiler()))()
    except EvaluationError:
        return False
    return _keeps(context, constants, relabelling)


def keeps_beginning(game: Model, relabelling: Relabelling) -> bool:
    """Whether the first state is its own image. False if it cannot be worked out."""
    compiler = Compiler()
    try:
        context, frame = compiled_setup(StatementCompiler(game, compiler))()
        arguments = [compiler.expression(argument)(context, frame) for argument in game.start.arguments]
    except EvaluationError:
        return False
    return _keeps(context, game.variables, relabelling) and all(relabelling.of(value) == value for value in arguments)


def _keeps(context: Context, variables: Sequence[Variable], relabelling: Relabelling) -> bool:
    for variable in variables:
        entries = {
            entry_indices(variable, variable.offset + k): context.values[variable.offset + k]
            for k in range(variable.entries)
        }
        for indices, value in entries.items():
            there = entries[tuple(relabelling.at((variable, k), index) for k, index in enumerate(indices))]
            if (UNSET if value is UNSET else relabelling.of(value)) != there:
                return False
    return True
