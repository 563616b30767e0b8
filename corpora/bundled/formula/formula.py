"""Evaluates spreadsheet-like formulas: a tokenizer, a precedence-climbing parser and an evaluator."""

from collections import namedtuple

Token = namedtuple("Token", "kind text position")

BINARY = {  # operator: (precedence, right-associative)
    "or": (1, False),
    "and": (2, False),
    "=": (3, False),
    "<": (3, False),
    "<=": (3, False),
    "+": (4, False),
    "-": (4, False),
    "*": (5, False),
    "/": (5, False),
    "%": (5, False),
    "^": (7, True),
}
UNARY_PRECEDENCE = 6

FUNCTIONS = {
    "abs": (abs, 1, 1),
    "max": (max, 1, None),
    "min": (min, 1, None),
    "round": (round, 1, 2),
}


class FormulaError(Exception):
    """A formula that cannot be read or evaluated; ``position`` counts characters from 0."""

    def __init__(self, message, position):
        super().__init__("{} at {}".format(message, position))
        self.position = position


def tokenize(text):
    """The tokens of ``text``, ending with one of kind ``end``."""
    tokens = []
    at = 0
    while at < len(text):
        start, char = at, text[at]
        if char.isspace():
            at += 1
            continue
        if char.isdigit() or char == ".":
            while at < len(text) and (text[at].isdigit() or text[at] == "."):
                at += 1
            if text[start:at].count(".") > 1 or text[start:at] == ".":
                raise FormulaError("bad number", start)
            kind = "number"
        elif char.isalpha() or char == "_":
            while at < len(text) and (text[at].isalnum() or text[at] == "_"):
                at += 1
            kind = "operator" if text[start:at] in ("and", "or", "not") else "name"
        elif text[at : at + 2] == "<=":
            at += 2
            kind = "operator"
        elif char in "+-*/%^<=(),":
            at += 1
            kind = "operator"
        else:
            raise FormulaError("unexpected character {!r}".format(char), at)
        tokens.append(Token(kind, text[start:at], start))
    tokens.append(Token("end", "", len(text)))
    return tokens


class Parser:
    """Builds nested tuples: ("number", x), ("name", n, at), ("unary", op, e), ("binary", op, l, r, at), ("call", ...)."""

    def __init__(self, text):
        self.tokens = tokenize(text)
        self.index = 0

    def parse(self):
        tree = self.expression(0)
        if self.peek().kind != "end":
            raise FormulaError("unexpected {!r}".format(self.peek().text), self.peek().position)
        return tree

    def peek(self):
        return self.tokens[self.index]

    def take(self):
        token = self.tokens[self.index]
        self.index += 1
        return token

    def expect(self, text):
        token = self.take()
        if token.text != text:
            raise FormulaError("expected {!r}".format(text), token.position)

    def expression(self, minimum):
        left = self.operand()
        while self.peek().text in BINARY:
            precedence, right_associative = BINARY[self.peek().text]
            if precedence < minimum:
                break
            operator = self.take()
            right = self.expression(precedence if right_associative else precedence + 1)
            left = ("binary", operator.text, left, right, operator.position)
        return left

    def operand(self):
        token = self.take()
        if token.kind == "number":
            return ("number", float(token.text) if "." in token.text else int(token.text))
        if token.kind == "name":
            if self.peek().text == "(":
                return self.call(token)
            return ("name", token.text, token.position)
        if token.text in ("-", "not"):
            return ("unary", token.text, self.expression(UNARY_PRECEDENCE))
        if token.text == "(":
            inner = self.expression(0)
            self.expect(")")
            return inner
        raise FormulaError("expected a value", token.position)

    def call(self, name):
        self.expect("(")
        arguments = []
        if self.peek().text != ")":
            arguments.append(self.expression(0))
            while self.peek().text == ",":
                self.take()
                arguments.append(self.expression(0))
        self.expect(")")
        return ("call", name.text, arguments, name.position)


def evaluate(text, variables=None):
    """The value of a formula; names are looked up in ``variables``."""
    return _value(Parser(text).parse(), variables or {})


def _value(tree, variables):
    kind = tree[0]
    if kind == "number":
        return tree[1]
    if kind == "name":
        if tree[1] not in variables:
            raise FormulaError("unknown name {!r}".format(tree[1]), tree[2])
        return variables[tree[1]]
    if kind == "unary":
        operand = _value(tree[2], variables)
        return -operand if tree[1] == "-" else not operand
    if kind == "call":
        return _call(tree, variables)
    return _binary(tree, variables)


def _call(tree, variables):
    _, name, arguments, position = tree
    if name == "if":
        if len(arguments) != 3:
            raise FormulaError("if takes 3 arguments", position)
        return _value(arguments[1] if _value(arguments[0], variables) else arguments[2], variables)
    if name not in FUNCTIONS:
        raise FormulaError("unknown function {!r}".format(name), position)
    function, least, most = FUNCTIONS[name]
    if len(arguments) < least or (most is not None and len(arguments) > most):
        raise FormulaError("wrong number of arguments for {}".format(name), position)
    values = [_value(argument, variables) for argument in arguments]
    return values[0] if len(values) == 1 and most is None else function(*values)


def _binary(tree, variables):
    _, operator, left, right, position = tree
    a = _value(left, variables)
    if operator == "and":
        return a and _value(right, variables)
    if operator == "or":
        return a or _value(right, variables)
    b = _value(right, variables)
    if operator in "/%" and b == 0:
        raise FormulaError("division by zero", position)
    return {
        "=": lambda: a == b,
        "<": lambda: a < b,
        "<=": lambda: a <= b,
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: a / b,
        "%": lambda: a % b,
        "^": lambda: a**b,
    }[operator]()
