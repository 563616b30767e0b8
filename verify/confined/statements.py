"""Where a statement is in its file. Python 3.8 to 3.13, standard library only."""


def first_line(statement):
    """Return the line where a statement begins, its decorators included."""
    return min([statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", ()))])
