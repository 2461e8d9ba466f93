"""Algorithms of the lowering: texts of the kernel dialect, with holes for what the rules of a game bring.

These files are texts, not modules to import: :mod:`zermelo.interpreter.native.dialect.templates` says how their holes
are declared and filled. Beside their holes they call what programs have under a fixed name
(:mod:`zermelo.interpreter.native.dialect.names`).
"""
