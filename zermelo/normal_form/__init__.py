"""Games as tables: their equilibria, which of those are sequential, and what a mediator can arrange."""
