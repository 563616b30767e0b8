"""One file a provider; each is found by being here."""
