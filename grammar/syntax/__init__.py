"""The syntax tree: what stands in a ``.game`` file, before anyone asks what it means.

Every node is frozen and knows its span. Spans do not count when trees are compared, so that a tree and the tree parsed
from its printed text are equal. Names are plain strings; a node that declares or uses a name carries the span of the
name itself in a :class:`Name`, where a finding will point.
"""

from zermelo.grammar.syntax.declarations import *
from zermelo.grammar.syntax.expressions import *
from zermelo.grammar.syntax.file import *
from zermelo.grammar.syntax.nodes import *
from zermelo.grammar.syntax.sayings import *
from zermelo.grammar.syntax.statements import *
from zermelo.grammar.syntax.trees import *
from zermelo.grammar.syntax.types import *
