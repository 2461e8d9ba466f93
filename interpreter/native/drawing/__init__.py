"""The lowering of random draws of moves and outcomes."""
