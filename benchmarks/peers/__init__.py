"""The programs that this project is measured against; each is skipped, with the reason, where it is not installed."""
