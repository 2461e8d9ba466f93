"""Algorithms of the lowering: texts of the kernel dialect, with holes that the rules of a game fill.

These files are texts, not modules to import: :mod:`zermelo.interpreter.native.dialect.templates` says how their holes
are declared and filled. Besides their holes they call functions that every program has under a fixed name
(:mod:`zermelo.interpreter.native.dialect.names`).
"""
