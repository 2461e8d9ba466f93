"""Running lowered programs and kernels, in Python or as machine code."""
