"""Tables of all positions of a game, on disk.

From solved positions to files, and back::

    keys        what a position is called in a table: its packed key; and how the bits of a key are laid out
    rows        what a table says of a position, as columns
    dataset     the files: Parquet, with a manifest beside them; a look-up reads one row group
    expanding   the moves of many positions, from their keys
    along_graph what a table says of all positions of a graph
    building    from the graph of positions to rows
    books       openings: the rows of the first plies, or what searches find there
    verifying   every value against those behind it, from the rules and the files alone

What does not fit into memory is made in external memory::

    on_disk               where, by whom, and whether an unfinished one is gone on with
    unfinished            the folder in which it is made: checkpoints, and coming back to them
    shards                the files of a shard, the work on it, and the mail between shards
    rounds                the interface of all that follows: map, exchange, checkpoint; in this process
    cluster               the same by workers of a Ray cluster
    external_exploring    finding the positions
    external_solving      retrograde analysis
    external_building     from these to the same rows
"""
