"""Players who choose at once: a matrix in each position, in circles and outside."""
