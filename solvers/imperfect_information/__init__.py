"""Solvers of games with hidden information."""
