"""Search kernels in the kernel dialect (:mod:`zermelo.interpreter.native.dialect.language`).

A kernel is a module that calls the rules of a game (``moves``, ``apply``, ...). It is compiled together with lowered
rules, or runs as Python on either backend (:mod:`zermelo.solvers.running`). :mod:`.ranges` says what numbers it holds.

A kernel imports the words that it uses one by one, as it would from any module, so the lists of kernels that go through
a game alike are alike. What such kernels do alike are modules: :mod:`.states`, :mod:`.past`, :mod:`.horizon`,
:mod:`.endgames`, :mod:`.ends`, :mod:`.repetition`, :mod:`.observations`, :mod:`.fractions`.
"""
