"""Symmetries of the rules: relabellings of players, cells, members and entries that the rules do not notice.

:mod:`.relabelling` says what a relabelling is, :mod:`.candidates` which ones may be symmetries, :mod:`.equivariance`
and :mod:`.rules` prove that one is, and :mod:`.group` gathers those that are proved. :mod:`.beginning` says whether the
first state of a play is its own image.
"""
