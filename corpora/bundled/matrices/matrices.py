"""Exact linear algebra on fractions: elimination, determinants, inverses, powers and linear systems."""

from fractions import Fraction


class MatrixError(ValueError):
    """Shapes that do not fit, or a matrix that cannot be inverted."""


class Matrix:
    """An immutable matrix of fractions, given by its rows."""

    def __init__(self, rows):
        self.rows = tuple(tuple(Fraction(value) for value in row) for row in rows)
        if not self.rows or not self.rows[0]:
            raise MatrixError("a matrix needs a row and a column")
        if len({len(row) for row in self.rows}) > 1:
            raise MatrixError("rows differ in length")

    @classmethod
    def identity(cls, size):
        return cls([[int(i == j) for j in range(size)] for i in range(size)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    def __eq__(self, other):
        return isinstance(other, Matrix) and self.rows == other.rows

    def __hash__(self):
        return hash(self.rows)

    def __getitem__(self, place):
        row, column = place
        return self.rows[row][column]

    def __repr__(self):
        return "Matrix([{}])".format(", ".join("[" + ", ".join(map(str, row)) + "]" for row in self.rows))

    def __add__(self, other):
        self._same_shape(other)
        return Matrix([[a + b for a, b in zip(left, right)] for left, right in zip(self.rows, other.rows)])

    def __sub__(self, other):
        return self + other * -1

    def __mul__(self, scalar):
        return Matrix([[value * scalar for value in row] for row in self.rows])

    __rmul__ = __mul__

    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise MatrixError("cannot multiply {} by {}".format(self.shape, other.shape))
        columns = other.transpose().rows
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in columns] for row in self.rows])

    def __pow__(self, exponent):
        """Powers by squaring; negative ones through the inverse."""
        self._square()
        base = self if exponent >= 0 else self.inverse()
        exponent = abs(exponent)
        result = Matrix.identity(len(self.rows))
        while exponent:
            if exponent % 2 == 1:
                result = result @ base
            base = base @ base
            exponent //= 2
        return result

    def transpose(self):
        return Matrix(zip(*self.rows))

    def trace(self):
        self._square()
        return sum(self.rows[i][i] for i in range(len(self.rows)))

    def reduced(self):
        """The reduced row echelon form, the columns that hold a leading 1, and the determinant's factor.

        The factor is the product of the pivots with the sign of the row swaps.
        """
        rows = [list(row) for row in self.rows]
        pivots, factor, top = [], Fraction(1), 0
        for column in range(self.shape[1]):
            place = next((r for r in range(top, len(rows)) if rows[r][column] != 0), None)
            if place is None:
                continue
            if place != top:
                rows[place], rows[top] = rows[top], rows[place]
                factor = -factor
            pivot = rows[top][column]
            factor *= pivot
            rows[top] = [value / pivot for value in rows[top]]
            for index, row in enumerate(rows):
                if index != top:
                    scale = row[column]
                    rows[index] = [a - scale * b for a, b in zip(row, rows[top])]
            pivots.append(column)
            top += 1
            if top == len(rows):
                break
        return Matrix(rows), tuple(pivots), factor

    def rank(self):
        return len(self.reduced()[1])

    def determinant(self):
        self._square()
        _, pivots, factor = self.reduced()
        return factor if len(pivots) == len(self.rows) else Fraction(0)

    def inverse(self):
        self._square()
        size = len(self.rows)
        unit = Matrix.identity(size)
        joined = Matrix([left + right for left, right in zip(self.rows, unit.rows)])
        reduced, pivots, _ = joined.reduced()
        if pivots != tuple(range(size)):
            raise MatrixError("the matrix is singular")
        return Matrix([row[size:] for row in reduced.rows])

    def _square(self):
        if self.shape[0] != self.shape[1]:
            raise MatrixError("not a square matrix: {}".format(self.shape))

    def _same_shape(self, other):
        if self.shape != other.shape:
            raise MatrixError("shapes differ: {} and {}".format(self.shape, other.shape))


def solve(coefficients, constants):
    """The one solution of a linear system as a list of fractions.

    Returns None when there is none and raises MatrixError when there are many.
    """
    if len(constants) != coefficients.shape[0]:
        raise MatrixError("{} equations but {} constants".format(coefficients.shape[0], len(constants)))
    unknowns = coefficients.shape[1]
    joined = Matrix([(*row, constant) for row, constant in zip(coefficients.rows, constants)])
    reduced, pivots, _ = joined.reduced()
    if unknowns in pivots:
        return None
    if len(pivots) < unknowns:
        raise MatrixError("{} unknowns are free".format(unknowns - len(pivots)))
    return [reduced[row, unknowns] for row in range(unknowns)]
