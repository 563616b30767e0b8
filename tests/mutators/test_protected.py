"""What is never mutated, because nothing or everything would break there, and the pragma."""

from __future__ import annotations

import pytest

from mendlab.mutators import enumerate_mutants

NEVER = {
    "docstring of a module": '"""Text of 3 words."""\n',
    "docstring of a function": 'def f():\n    "Text"\n',
    "docstring on the header's line": 'class A: "Text"\n',
    "__all__": "__all__ = ['a', 'b']\n__all__ += ['c']\n__all__.append('d')\n",
    "version": "__version__ = '1.2.3'\n",
    "imports": "import a.b\nfrom c import d as e, f\n",
    "annotation of a variable": "x: int | None\ny: dict[str, 'T']\n",
    "annotations of a function": "def f(a: list[int], *b: 'T') -> tuple[int, ...]: pass\n",
    "type checking": "if TYPE_CHECKING:\n    import a\n    b = 1\n",
    "type checking of the module": "if typing.TYPE_CHECKING:\n    b = 1\n",
    "type variable": "TypeVar('T', bound='A')\n",
    "assigned type variable": "T = TypeVar('T', bound='A')\nP = typing.ParamSpec('P')\nN = t.NewType('N', int)\n",
    "type alias": "X: TypeAlias = dict[str, int]\nY: typing.TypeAlias = 'list[X]'\n",
    "not type checking": "if not TYPE_CHECKING:\n    import a\nelse:\n    b = 1 + 2\n",
    "type checking with another condition": "if TYPE_CHECKING or a > 1:\n    import a\n",
    "never with type checking": "if a > 1 and TYPE_CHECKING:\n    b = 1 + 2\n",
    "chosen by type checking": "T = TypeVar('T')\nprint if not TYPE_CHECKING else 1\n",
    "type checking set": "TYPE_CHECKING = False\n",
    "metadata": "__license__ = 'MIT'\n__copyright__ = f'{1 + 2}'\n__email__: str = 'a@b.org'\n__doc__ = 'a' + 'b'\n",
    "match arguments": "class A:\n    __match_args__ = ('a', 'b')\n",
    "version's other names": "version = '1.2.3'\nVERSION = (1, 2)\n",
    "metadata among targets": "__all__, __version__ = ['a'], '1.2'\n__all__[0] = 'b'\n",
    "metadata under a condition": "if a > 1:\n    __all__ = ['a']\nelse:\n    __all__ += ['b']\n",
    "overload": "@overload\ndef f(a: int = 1) -> int:\n    return a\n",
    "overload of typing": "@typing.overload\ndef f(a: int = 1) -> int: ...\n",
    "protocol": "class A(Generic[T], Protocol[T]):\n    'Text'\n",
    "never reached": "assert_never(a + 1)\n",
    "main": "if __name__ == '__main__':\n    main(1, 2)\n",
    "main on a line": "if '__main__' == __name__: sys.exit(main(1))\n",
    "logger": "_LOGGER = logging.getLogger('a' + 'b')\nlog = structlog.get_logger(1)\n",
    "logging set up": "logging.basicConfig(level=1)\nlogging.getLogger('a').setLevel(10)\n",
    "logging alone under a condition": "if _LOGGER.isEnabledFor(10) and a > 1:\n    _LOGGER.debug('a', 1)\n",
    "pragma on a decorator": "@a(1)\n@b(2)  # mendlab: skip\ndef f(a):\n    return a + 1\n",
}


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_never_mutated(source: str) -> None:
    assert [m.diff for m in enumerate_mutants(source)] == []


def test_a_default_beside_an_annotation_is_mutated() -> None:
    changed = {m.source for m in enumerate_mutants("def f(a: int = 1): pass\n")}
    assert "def f(a: int = 2): pass\n" in changed
    assert all("a: int" in text for text in changed)


@pytest.mark.parametrize(
    "call",
    [
        "logger.info('took %s s', 3)",
        "logging.getLogger(__name__).warning('x' + 'y')",
        "self.log.debug(f'{x}')",
        "warnings.warn('old', DeprecationWarning)",
        "_LOGGER.error('x' + 'y')",
        "self.get_logger().info('x', 3)",
        "self.access_log.log(10, 'x')",
        "logger.bind(x=1).info('x')",
        "log.setLevel(10)",
    ],
)
def test_logging_is_never_mutated(call: str) -> None:
    source = f"def f(self, x):\n    x += 1\n    {call}\n    return x\n"
    found = list(enumerate_mutants(source))
    assert found
    assert all(call in m.source for m in found)


@pytest.mark.parametrize(
    "code",
    [
        "math.log(x + 1)",
        "catalog.log(x + 1)",
        "x = y.cast(x + 1)",
        "version = x + 1",
        "version = 'newest'",
        "class A:\n    __hash__ = x + 1",
        "print((__x__ := x + 1))\nif __name__ == 'a':\n    print(x + 1)",
        "if __name__ == '__main__':\n    a = x + 1\n    print(a)",
        "if not TYPE_CHECKING:\n    x += 1",
        "if a:\n    log.info(x)\n    x += 1",
    ],
)
def test_what_only_looks_like_it_is_mutated(code: str) -> None:
    assert any("x - 1" in m.source or "x -= 1" in m.source or "'NEWEST'" in m.source for m in enumerate_mutants(code))


def test_the_type_variables_and_loggers_of_a_module_stay() -> None:
    lines = ("T = TypeVar('T')\n", "log = logging.getLogger('a')\n")
    found = list(enumerate_mutants("a = 1\n" + "".join(lines) + "b = a + 2\n"))
    assert found
    assert all(line in m.source for m in found for line in lines)


def test_the_base_of_a_protocol_stays() -> None:
    found = list(enumerate_mutants("class A(Base, Protocol):\n    def f(self): return 1\n"))
    assert found
    assert all(m.source.startswith("class A(Base, Protocol):\n") for m in found)


def test_the_condition_of_the_main_block_stays() -> None:
    source = "if __name__ == '__main__':\n    a = x + 1\n    print(a)\n"
    assert all(m.source.startswith("if __name__ == '__main__':\n") for m in enumerate_mutants(source))


def test_a_walrus_of_metadata_is_never_mutated() -> None:
    found = list(enumerate_mutants("a = (__version__ := '1.2') + b\n"))
    assert found
    assert all("__version__ := '1.2'" in m.source for m in found if "__version__" in m.source)


def test_a_block_may_go_with_its_logging() -> None:
    source = "def f(x):\n    if x:\n        log.info('x')\n        return 1\n    return 2\n"
    assert "def f(x):\n    return 2\n" in {m.source for m in enumerate_mutants(source)}


@pytest.mark.parametrize("pragma", ["# mendlab: skip", "# pragma: no mutate", "# mendlab:skip (why)"])
def test_pragma_protects_its_line_only(pragma: str) -> None:
    source = f"def f(a):\n    a += 1  {pragma}\n    return a + 2\n"
    found = list(enumerate_mutants(source))
    assert found
    assert all(f"    a += 1  {pragma}\n" in m.source for m in found)


@pytest.mark.parametrize("place", ["{}\nx = 1\ny = 2\n", "x = 1\ny = 2\n{}\n", "def f():\n    {}\n    return 1\n"])
def test_pragma_for_the_file_protects_all_of_it(place: str) -> None:
    assert list(enumerate_mutants(place.format("# why")))
    assert list(enumerate_mutants(place.format("# mendlab: skip-file"))) == []


def test_a_pragma_of_another_tool_is_none() -> None:
    assert list(enumerate_mutants("x = 1  # pragma: no cover\n"))


def test_nothing_is_added_to_type_only_code_and_the_rest_of_its_statement_is_mutated() -> None:
    source = "if TYPE_CHECKING:\n    import a\nelse:\n    a = 1\n"
    found = list(enumerate_mutants(source))
    assert found
    assert all(m.source.startswith("if TYPE_CHECKING:\n    import a\n") for m in found)


def test_pragma_protects_a_statement_over_several_lines() -> None:
    source = "x = [\n    1,  # mendlab: skip\n    2,\n]\n"
    assert list(enumerate_mutants(source)) == []


def test_pragma_on_a_header_protects_the_condition_not_the_body() -> None:
    source = "def f(a):\n    while a > 1:  # mendlab: skip\n        a = a // 2\n    return a\n"
    found = list(enumerate_mutants(source))
    assert "def f(a):\n    while a > 1:  # mendlab: skip\n        a = a * 2\n    return a\n" in {
        m.source for m in found
    }
    assert all("    while a > 1:  # mendlab: skip\n" in m.source for m in found)


@pytest.mark.parametrize("header", ["def f(a):", "class A:", "async def f(a):"])
def test_pragma_on_a_definition_protects_all_of_it(header: str) -> None:
    source = f"{header}  # mendlab: skip\n    b = 1\n    def g(c):\n        return c + 2\ny = 1\n"
    found = list(enumerate_mutants(source))
    assert found
    assert all(m.span.start_line >= 5 for m in found)


def test_pragma_in_a_string_is_none() -> None:
    assert list(enumerate_mutants("x = '# mendlab: skip'\n"))
