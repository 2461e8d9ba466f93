"""Statements, decisions, turns and payoffs, lowered."""
