"""Algorithms on kernels, which those of the same names in :mod:`solvers` define."""
