"""One file a strategy; each is found by being here."""
