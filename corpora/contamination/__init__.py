"""Whether a model may have seen the tasks of a set: overlap with text, near-duplicates, dates."""
