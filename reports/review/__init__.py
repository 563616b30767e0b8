"""Review by a person: which attempts, the page, the decisions on disk, and how far people and the machine agree."""
