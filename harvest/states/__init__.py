"""The three states of a commit: its parent, the parent with the commit's tests, and the commit; and what tests say."""
