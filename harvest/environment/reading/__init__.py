"""What a tree says of its dependencies: a file a place where it may say it."""
