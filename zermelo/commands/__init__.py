"""The commands of the command line, one file each.

A command's module has a docstring that ``--help`` shows, ``EXAMPLES`` that end the help, ``configure(parser)`` that
adds its arguments, and ``run(options)`` that carries it out and returns the exit code.
"""
