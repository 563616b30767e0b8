from fractions import Fraction as F

import pytest

from matrices import Matrix, MatrixError, solve

A = Matrix([[2, 1], [5, 3]])
B = Matrix([[1, -1], [0, 4]])
WIDE = Matrix([[1, 2, 3], [4, 5, 6]])


def test_values():
    assert WIDE.shape == (2, 3)
    assert WIDE[1, 0] == 4
    assert repr(Matrix([["1/2", 3]])) == "Matrix([[1/2, 3]])"
    assert repr(A) == "Matrix([[2, 1], [5, 3]])"
    assert Matrix([[0.5]]) == Matrix([[F(1, 2)]])
    assert hash(Matrix([[1, 2]])) == hash(Matrix([(1, 2)]))
    assert A != B
    assert A != [[2, 1], [5, 3]]


@pytest.mark.parametrize("rows, message", [([], "needs a row"), ([[]], "needs a row"), ([[1], [1, 2]], "differ in length")])
def test_bad_rows(rows, message):
    with pytest.raises(MatrixError, match=message):
        Matrix(rows)


def test_identity_and_transpose():
    assert Matrix.identity(2) == Matrix([[1, 0], [0, 1]])
    assert WIDE.transpose() == Matrix([[1, 4], [2, 5], [3, 6]])
    assert A @ Matrix.identity(2) == A


def test_arithmetic():
    assert A + B == Matrix([[3, 0], [5, 7]])
    assert A - B == Matrix([[1, 2], [5, -1]])
    assert A * 3 == 3 * A == Matrix([[6, 3], [15, 9]])
    assert A @ B == Matrix([[2, 2], [5, 7]])
    assert B @ A == Matrix([[-3, -2], [20, 12]])
    assert WIDE @ WIDE.transpose() == Matrix([[14, 32], [32, 77]])
    assert WIDE.transpose() @ A == Matrix([[22, 13], [29, 17], [36, 21]])


def test_shapes_must_fit():
    with pytest.raises(MatrixError, match=r"shapes differ: \(2, 2\) and \(2, 3\)"):
        A + WIDE
    with pytest.raises(MatrixError, match=r"cannot multiply \(2, 3\) by \(2, 2\)"):
        WIDE @ A
    for operation in (WIDE.trace, WIDE.determinant, WIDE.inverse, lambda: WIDE**2):
        with pytest.raises(MatrixError, match=r"not a square matrix: \(2, 3\)"):
            operation()


def test_trace():
    assert A.trace() == 5
    assert Matrix([[1, 2, 3], [4, 5, 6], [7, 8, 10]]).trace() == 16


@pytest.mark.parametrize("exponent", range(-4, 8))
def test_powers_add_up(exponent):
    expected = Matrix.identity(2)
    for _ in range(abs(exponent)):
        expected = expected @ (A if exponent > 0 else Matrix([[3, -1], [-5, 2]]))
    assert A**exponent == expected


@pytest.mark.parametrize(
    "rows, reduced, pivots, factor",
    [
        ([[0, 2], [3, 0]], [[1, 0], [0, 1]], (0, 1), -6),
        ([[1, 2, 3], [2, 4, 7]], [[1, 2, 0], [0, 0, 1]], (0, 2), 1),
        ([[0, 0], [0, 0]], [[0, 0], [0, 0]], (), 1),
        ([[2, 4], [1, 2], [3, 7]], [[1, 0], [0, 1], [0, 0]], (0, 1), -2),
        ([[0, 5, 10]], [[0, 1, 2]], (1,), 5),
    ],
)
def test_reduced(rows, reduced, pivots, factor):
    assert Matrix(rows).reduced() == (Matrix(reduced), pivots, factor)


@pytest.mark.parametrize("rows, rank", [([[1, 2], [2, 4]], 1), ([[1, 2], [3, 4]], 2), ([[0, 0]], 0), ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 2)])
def test_rank(rows, rank):
    assert Matrix(rows).rank() == rank


@pytest.mark.parametrize(
    "rows, determinant",
    [
        ([[7]], 7),
        ([[2, 1], [5, 3]], 1),
        ([[1, 2], [2, 4]], 0),
        ([[0, 1], [1, 0]], -1),
        ([[0, 0, 1], [1, 0, 0], [0, 1, 0]], 1),
        ([[2, -3, 1], [2, 0, -1], [1, 4, 5]], 49),
        ([["1/2", "1/3"], ["1/4", "1/5"]], F(1, 60)),
    ],
)
def test_determinant(rows, determinant):
    assert Matrix(rows).determinant() == determinant


def test_inverse():
    assert A.inverse() == Matrix([[3, -1], [-5, 2]])
    assert Matrix([[0, 2], [4, 0]]).inverse() == Matrix([[0, "1/4"], ["1/2", 0]])
    three = Matrix([[2, -3, 1], [2, 0, -1], [1, 4, 5]])
    assert three @ three.inverse() == Matrix.identity(3)


@pytest.mark.parametrize("rows", [[[1, 2], [2, 4]], [[0, 0], [0, 1]], [[0]]])
def test_singular(rows):
    with pytest.raises(MatrixError, match="singular"):
        Matrix(rows).inverse()


def test_solve():
    assert solve(Matrix([[2, 1], [1, -1]]), [7, -1]) == [2, 3]
    assert solve(Matrix([[1, 1], [1, -1], [2, 0]]), [3, 0, 3]) == [F(3, 2), F(3, 2)]


def test_no_solution_and_many():
    assert solve(Matrix([[1, 1], [1, 1]]), [1, 2]) is None
    with pytest.raises(MatrixError, match="1 unknowns are free"):
        solve(Matrix([[1, 1], [2, 2]]), [1, 2])
    with pytest.raises(MatrixError, match="2 unknowns are free"):
        solve(Matrix([[1, 1, 1]]), [1])
    with pytest.raises(MatrixError, match="2 equations but 1 constants"):
        solve(A, [1])
