"""The lowering of expressions: shared parts, numbers, tuples and variables."""
