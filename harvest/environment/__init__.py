"""The environment of a commit: what its tree says it needs, versions that go together, and an interpreter to match."""
