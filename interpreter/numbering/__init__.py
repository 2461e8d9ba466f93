"""Moves, and what players see, as numbers for programs that learn."""
