"""The commands of the command line, one file each.

The module of a command has a docstring, which ``--help`` shows, ``EXAMPLES``, which end the help,
``configure(parser)``, which adds its arguments, and ``run(options)``, which returns the exit code.
"""
