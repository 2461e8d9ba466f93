"""``python -m tests.measure``: run all tests, and write the list of the long ones, ``tests/long.txt``.

A case that takes three seconds of processor time is long. So are all cases of a function that takes ``FUNCTION``
seconds with those that are left, ...
"""
