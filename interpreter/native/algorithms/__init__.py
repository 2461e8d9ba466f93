"""Algorithms of the lowering: modules of the kernel dialect, with holes that the rules of a game fill.

Nobody imports these modules: :mod:`zermelo.interpreter.native.dialect.kernel_source` says how their holes are declared,
and how they are filled in the text of a program. Besides their holes they call the words of the dialect and of the
rules (:mod:`zermelo.interpreter.native.dialect.words`).
"""
