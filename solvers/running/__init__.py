"""Kernels at work on a game: what surrounds the texts of :mod:`zermelo.solvers.kernels` while they run.

Here are slices between which Ctrl-C is seen and progress shown, limits, threads, tables that grow, the search for the
principal variation, and the horizon.
"""
