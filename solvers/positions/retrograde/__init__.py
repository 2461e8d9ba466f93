"""Two players without chance: values and distances, from the ends back."""
