"""Minimizing regret: what an iteration keeps and how it learns, by walking all of a tree or by sampling it."""
