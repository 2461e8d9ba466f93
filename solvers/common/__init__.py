"""What all solvers share: limits, goals, progress."""
