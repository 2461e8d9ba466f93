"""The kernel dialect: its definition, writing texts of it, its limits."""
