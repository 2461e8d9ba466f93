"""How values, states, moves and observations are coded as numbers."""
