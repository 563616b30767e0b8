"""Models: one file a provider, and what stands between them and a strategy: tape, budget, retries, addresses."""
