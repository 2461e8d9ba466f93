"""The extensive form, the sequence form, strategies and best responses."""
