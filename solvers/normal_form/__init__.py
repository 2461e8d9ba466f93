"""Tables of payoffs and their equilibria."""
