"""Running lowered programs and kernels, as Python or as machine code."""
