"""Sessions that are forked for every small change, and what takes a change into a fork."""
