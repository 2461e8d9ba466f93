"""Which solver fits a game, and running it."""
