"""What an editor asks about a file: which name stands at a place, what it means, where it is declared and used.

The names come from the syntax tree (:mod:`zermelo.interpreter.symbols.index`), their uses and types from the
elaboration (:mod:`zermelo.interpreter.symbols.index`). Both go as far as the file can be read, so a mistake in one
declaration does not hide the names of the others.
"""
