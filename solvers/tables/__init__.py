"""Tables of all positions of a game, on disk.

From solved positions to files, and back::

    keys        what a position is called in a table: its packed key; and how the bits of a key are laid out
    rows        what a table says of a position, as columns
    dataset     the files: Parquet, with a manifest beside them; a look-up reads one row group
    building    from the graph of positions to rows
    verifying   every value against those behind it, from the rules and the files alone
"""
