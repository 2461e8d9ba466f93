"""The peers of this project; each is skipped, with the reason, if it is not installed."""
