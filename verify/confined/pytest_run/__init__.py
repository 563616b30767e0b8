"""A project's own pytest session, and the plugin that tells what happens in it."""
