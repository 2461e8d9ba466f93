"""The syntax tree of a ``.game`` file.

Every node is frozen and has its span. Comparison ignores spans, so that a tree equals the tree parsed from its printed
text. A node that declares or uses a name has it as a :class:`~zermelo.grammar.syntax.expressions.Name`, with the span
that findings point at.
"""

from zermelo.grammar.syntax.declarations import *
from zermelo.grammar.syntax.expressions import *
