"""The repair templates: one family a file, each template a decorated generator."""
