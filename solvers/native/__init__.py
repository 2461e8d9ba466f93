"""Algorithms on kernels: what surrounds the texts of :mod:`zermelo.solvers.kernels` on machines that can run them.

The algorithms are those of the files of the same names in :mod:`solvers`, which define what they compute. Here are
the arrays that kernels work on, slices between which Ctrl-C is seen and progress shown, limits, threads, the principal
variation, exact fractions.
"""
