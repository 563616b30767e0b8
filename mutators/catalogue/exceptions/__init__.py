"""Wrong handling and raising of exceptions."""
