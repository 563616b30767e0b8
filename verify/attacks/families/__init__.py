"""One file a family of attacks; each is found by being here."""
