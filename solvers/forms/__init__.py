"""The extensive form, the sequence form, strategies and what they are worth."""
