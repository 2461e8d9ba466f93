"""Plays: a person in the terminal, programs at the other seats, and matches between them."""
