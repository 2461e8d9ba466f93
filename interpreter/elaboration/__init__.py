"""From a syntax tree to a model: every name resolved, every expression typed, all three notations lowered to one.

The typing rules of expressions register themselves with
:func:`zermelo.interpreter.elaboration.expressions.elaborate` on import, so all of them are imported here.
"""

from zermelo.interpreter.elaboration import calls, operators, statements
from zermelo.interpreter.elaboration.assembly import assemble

__all__ = ["assemble", "calls", "operators", "statements"]
