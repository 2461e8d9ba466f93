"""The language of ``.game`` files: from bytes to a syntax tree, and back to text.

    bytes ──► text ──► declarations ──► tokens ──► syntax tree
      reading.py   layout.py (cut)   lexer.py, layout.py   game.lark, builder/

:mod:`grammar.parse` runs these steps; :mod:`grammar.engine` holds the parser. Where a text is no sentence of the
language, :mod:`grammar.slips` finds out what was meant. :mod:`grammar.syntax` has the nodes of the tree,
:mod:`grammar.printer` turns them into text again, and :mod:`grammar.diagnostics` and :mod:`grammar.codes` say what a
finding is.
"""
