"""Symmetries of the rules: relabellings of players, cells, members and entries that the rules do not notice.

:mod:`.relabelling` says what a relabelling is, :mod:`zermelo.interpreter.symmetries.group` which ones may be
symmetries, :mod:`.equivariance` and :mod:`zermelo.interpreter.symmetries.group` prove that one is, and :mod:`.group`
gathers those that are proved. :mod:`zermelo.interpreter.symmetries.equivariance` says whether the first state of a play
is its own image.
"""
