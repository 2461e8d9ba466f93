"""Normal forms and their equilibria."""
