"""The lowering of sets to masks, of queries of sets, and of loops over them."""
