"""The parts of the offline repairer: what it may change, in which order it tries, and how it chooses."""
