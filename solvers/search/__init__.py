"""Searches of games without secrets."""
