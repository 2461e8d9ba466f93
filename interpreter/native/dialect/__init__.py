"""The kernel dialect: what it is, how texts of it are written, what they cannot say."""
