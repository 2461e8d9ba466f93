"""Symmetries of the rules: relabellings of players, cells, members and entries that the rules do not notice.

:mod:`.equivariance` says what a relabelling is, proves which expressions commute with it, and says whether the first
state of a play is its own image. :mod:`.group` says which relabellings may be symmetries, proves that one is, and
gathers those that are proved.
"""
