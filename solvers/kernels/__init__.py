"""Search kernels in the kernel dialect (:mod:`zermelo.interpreter.native.dialect.language`).

A kernel is a module that calls the rules of a game (``moves``, ``apply``, ...) and is run together with them by one of
two executors. :mod:`.ranges` says what numbers they hold.
"""
