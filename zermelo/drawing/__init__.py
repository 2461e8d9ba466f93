"""What pictures show of games: trees, searches, positions, tables, payoffs, and figures over time."""
