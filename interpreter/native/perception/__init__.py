"""The lowering of observations."""
