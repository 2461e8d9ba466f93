"""Choosing a solver for a game, and running it."""
