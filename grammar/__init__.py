"""The language of ``.game`` files: from bytes to a syntax tree, and back to text.

    bytes ──► text ──► declarations ──► tokens ──► syntax tree
      reading.py   layout.py         engine.py, layout.py   game.lark, builder/

:mod:`zermelo.grammar.parse` runs these steps; :mod:`zermelo.grammar.engine` holds the parser. After a syntax error
:mod:`zermelo.grammar.syntax_diagnosis` finds out what was meant. :mod:`zermelo.grammar.syntax` has the nodes of the
tree, and :mod:`zermelo.grammar.diagnostics` defines findings.
"""
