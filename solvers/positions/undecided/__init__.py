"""Positions in which nobody can win at once, of contests without chance whose positions do not all fit into memory."""
