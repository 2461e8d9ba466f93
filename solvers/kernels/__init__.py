"""Search kernels in the kernel dialect (:mod:`zermelo.interpreter.native.dialect.language`).

A kernel is a module that calls the rules of a game (``moves``, ``apply``, ...). It is compiled together with lowered
rules, or runs as Python on either backend (:mod:`zermelo.solvers.running`). :mod:`.ranges` says what numbers it holds.
"""
