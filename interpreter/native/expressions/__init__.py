"""Expressions, lowered: what all kinds share, numbers, tuples and variables."""
