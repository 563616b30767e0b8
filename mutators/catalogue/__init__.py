"""The operators that come with mendlab, one family a file. Every module here is loaded; none is listed anywhere."""
