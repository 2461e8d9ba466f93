"""Linear programs solved in fractions, with certificates."""
