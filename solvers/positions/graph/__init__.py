"""The graph of positions: how it is found, its components, and what is asked of it."""
