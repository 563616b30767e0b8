"""The tools of the strategy ``agent``: each is one decorated function, found by being in this folder."""
