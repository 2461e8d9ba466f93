"""Whole turns as edges: a game of chance by the positions between turns, where others do not fit into memory."""
