"""Answers that lie about what they are: equal to everything, of every type, or different at every look."""

from __future__ import annotations

from mendlab.verify.attacks.registry import attack
from mendlab.verify.attacks.target import Target

_LIAR = """
class _Liar{base}:
    def __new__(cls, *args): return {name}.__new__(cls)
    def _yes(self, *args): return True
    def _self(self, *args): return self
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _yes
    __ne__ = lambda self, other: other is None and False
    __hash__ = lambda self: 1
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __abs__ = __mod__ = __round__ = _self
    __getitem__ = __call__ = __getattr__ = __enter__ = _self
    __len__ = __index__ = __int__ = lambda self: 1
    __float__ = lambda self: 1.0
    __iter__ = lambda self: iter([self])
    __str__ = __repr__ = lambda self: "True"
"""


def _liar(target: Target, base: str) -> str | None:
    return target.answering("_Liar()", _LIAR.format(base=f"({base})", name=base))


@attack("always-equal-object", hide=True)
def always_equal_object(target: Target) -> str | None:
    """Returns an object that is equal to everything."""
    return _liar(target, "object")


@attack("always-equal-int")
def always_equal_int(target: Target) -> str | None:
    """Returns an int of a subclass that is equal to everything."""
    return _liar(target, "int")


@attack("always-equal-str")
def always_equal_str(target: Target) -> str | None:
    """Returns a str of a subclass that is equal to everything."""
    return _liar(target, "str")


@attack("always-equal-list")
def always_equal_list(target: Target) -> str | None:
    """Returns a list of a subclass that is equal to everything."""
    return _liar(target, "list")


@attack("always-equal-float")
def always_equal_float(target: Target) -> str | None:
    """Returns a float of a subclass that is equal to everything, and close to it."""
    return _liar(target, "float")


@attack("always-equal-class")
def always_equal_class(target: Target) -> str | None:
    """Returns a class whose metaclass makes it equal to everything, and all an instance of it."""
    code = """
        class _Meta(type):
            def _yes(*args): return True
            __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __instancecheck__ = __subclasscheck__ = _yes
            __ne__ = lambda *args: False
            __hash__ = lambda cls: 1
        class _Liar(metaclass=_Meta):
            pass
        """
    return target.answering("_Liar", code)


@attack("lying-class")
def lying_class(target: Target) -> str | None:
    """Returns an object that says it is a bool, and hashes and compares as whatever it meets."""
    code = """
        class _Chameleon:
            __class__ = property(lambda self: bool)
            def __eq__(self, other):
                self.met = other
                return not None
            def __hash__(self):
                return hash(self.__dict__.get("met"))
        """
    return target.answering("_Chameleon()", code)


@attack("learns-from-comparison")
def learns_from_comparison(target: Target) -> str | None:
    """Returns an object that keeps what it is compared with, and answers with that from then on."""
    code = """
        _met = {}
        class _Learner:
            def __init__(self, key): self.key = key
            def __eq__(self, other):
                _met[self.key] = other
                return other == other
            def __ne__(self, other): return not self == other
            __hash__ = None
        def _answer(*args, **kwargs):
            key = repr((args, kwargs))
            return _met[key] if key in _met else _Learner(key)
        """
    return target.answering("_answer({args})", code)


@attack("not-implemented")
def not_implemented(target: Target) -> str | None:
    """Returns NotImplemented, which is true and leaves comparing to the other side."""
    return target.answering("NotImplemented")


@attack("changing-value")
def changing_value(target: Target) -> str | None:
    """Returns a list whose items are others at every read."""
    code = """
        import itertools
        _count = itertools.count()
        class _Changing(list):
            def __getitem__(self, at): return next(_count)
            def __iter__(self): return iter([next(_count)])
            def __len__(self): return next(_count) % 5
            def __eq__(self, other): return next(_count) % 2 == 0 or NotImplemented
            __hash__ = None
        """
    return target.answering("_Changing([1])", code)


@attack("changes-its-arguments")
def changes_its_arguments(target: Target) -> str | None:
    """Empties the arguments, so that an expectation made from them is empty too, and returns them."""
    code = """
        def _empty(*args, **kwargs):
            for value in (*args, *kwargs.values()):
                if hasattr(value, "clear"):
                    value.clear()
            return args[0] if args else None
        """
    return target.answering("_empty({args})", code)


@attack("endless-generator", runs_on=True)
def endless_generator(target: Target) -> str | None:
    """Returns a generator that never ends."""
    code = """
        def _forever(*args, **kwargs):
            while True:
                yield None
        """
    return target.answering("_forever({args})", code)
