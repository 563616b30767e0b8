import pytest

from guards import BudgetExceeded, Breaker, CircuitOpen, budget, checked


@checked(width=lambda w: w > 0, unit=str, scale=(int, float))
def area(width, height, *, unit="cm", scale=1):
    """Says an area."""
    return "{} {}2".format(width * height * scale, unit)


def test_checked_passes_arguments_on():
    assert area(2, 3) == "6 cm2"
    assert area(height=3, width=2, unit="m", scale=0.5) == "3.0 m2"
    assert (area.__name__, area.__doc__) == ("area", "Says an area.")


@pytest.mark.parametrize(
    "args, kwargs, error, message",
    [
        ((0, 3), {}, ValueError, "width: 0 is not allowed"),
        ((), {"width": -1, "height": 2}, ValueError, "width: -1 is not allowed"),
        ((1, 1), {"unit": 5}, TypeError, "unit: 5 has the wrong type"),
        ((1, 1), {"scale": "2"}, TypeError, "scale: '2' has the wrong type"),
        ((1,), {}, TypeError, "height"),
    ],
)
def test_checked_refuses(args, kwargs, error, message):
    with pytest.raises(error, match=message):
        area(*args, **kwargs)


def test_checked_looks_at_defaults_too():
    @checked(size=lambda size: size < 5)
    def make(size=9):
        return size

    assert make(4) == 4
    with pytest.raises(ValueError, match="size: 9"):
        make()


def test_checked_knows_the_parameters():
    with pytest.raises(TypeError, match="area_of has no parameter depth"):

        @checked(width=int, depth=int, zone=int)
        def area_of(width):
            return width


def test_budget():
    @budget(2)
    def ask(question):
        return question.upper()

    assert ask.left == 2
    assert [ask("a"), ask(question="b")] == ["A", "B"]
    assert ask.left == 0
    with pytest.raises(BudgetExceeded, match="ask may be called 2 times"):
        ask("c")
    ask.refill()
    assert ask.left == 2
    assert ask("d") == "D"
    assert ask.left == 1


def test_budget_counts_failed_calls():
    @budget(1)
    def fail():
        raise KeyError("x")

    with pytest.raises(KeyError):
        fail()
    with pytest.raises(BudgetExceeded):
        fail()


class Clock:
    now = 100

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def service(clock):
    breaker = Breaker(limit=2, rest=10, clock=clock)

    @breaker
    def call(good):
        if not good:
            raise OSError("down")
        return "up"

    call.breaker = breaker
    return call


def fail(service):
    with pytest.raises(OSError):
        service(False)


def test_breaker_opens_at_the_limit(service):
    fail(service)
    assert service(True) == "up"
    fail(service)
    fail(service)
    with pytest.raises(CircuitOpen, match="resting until 110"):
        service(True)


def test_breaker_lets_one_call_through_after_the_rest(service, clock):
    fail(service)
    fail(service)
    clock.now = 109
    with pytest.raises(CircuitOpen):
        service(True)
    clock.now = 110
    fail(service)
    clock.now = 119
    with pytest.raises(CircuitOpen, match="until 120"):
        service(True)
    clock.now = 120
    assert service(True) == "up"
    fail(service)
    assert service(True) == "up"


def test_refused_calls_are_not_failures(service):
    fail(service)
    fail(service)
    for _ in range(3):
        with pytest.raises(CircuitOpen):
            service(False)
    assert service.breaker.failures == 2


def test_breaker_as_a_context_manager(clock):
    breaker = Breaker(1, 5, clock)
    with breaker as entered:
        assert entered is breaker
    with pytest.raises(ZeroDivisionError):
        with breaker:
            1 / 0
    with pytest.raises(CircuitOpen):
        breaker.__enter__()
