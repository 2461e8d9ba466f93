"""The lowering of statements, decisions, turns and payoffs."""
