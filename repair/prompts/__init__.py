"""Prompts: templates in files, what they are told of a problem, and the requests that they make."""
