"""Moves and outcomes drawn at random, lowered."""
