"""Validates sign-up forms with results in place of exceptions, and collects every fault at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generic, Iterable, TypeVar, Union

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Ok(Generic[T]):
    value: T

    def then(self, step: Callable[[T], Result]) -> Result:
        return step(self.value)

    def map(self, change: Callable[[T], Any]) -> Ok:
        return Ok(change(self.value))

    def or_else(self, default: Any) -> T:
        return self.value


@dataclass(frozen=True)
class Fault:
    """One or more complaints, each a (field, message) pair."""

    complaints: tuple[tuple[str, str], ...]

    def then(self, step: Callable[[Any], Result]) -> Fault:
        return self

    def map(self, change: Callable[[Any], Any]) -> Fault:
        return self

    def or_else(self, default: U) -> U:
        return default


Result = Union[Ok, Fault]


def fault(field: str, message: str) -> Fault:
    return Fault(((field, message),))


def attempt(field: str, call: Callable[..., Any], *args: Any) -> Result:
    """Runs code that raises and turns ValueError and LookupError into a fault; others pass through."""
    try:
        return Ok(call(*args))
    except KeyError as error:
        return fault(field, f"unknown key {error.args[0]}")
    except (ValueError, IndexError) as error:
        return fault(field, str(error))


def gather(results: dict[str, Result]) -> Result:
    """Every value by name, or all the complaints of all the faults in order."""
    complaints = [c for result in results.values() if isinstance(result, Fault) for c in result.complaints]
    if complaints:
        return Fault(tuple(complaints))
    return Ok({name: result.value for name, result in results.items()})


def first_ok(results: Iterable[Result]) -> Result:
    """The first value of a lazy series; the last fault when there is none."""
    result: Result = fault("", "nothing to try")
    for result in results:
        if isinstance(result, Ok):
            return result
    return result


def required(form: dict[str, str], field: str) -> Result:
    text = form.get(field, "").strip()
    return Ok(text) if text else fault(field, "is missing")


def length_between(field: str, least: int, most: int) -> Callable[[str], Result]:
    def check(text: str) -> Result:
        if len(text) < least:
            return fault(field, f"is shorter than {least}")
        if len(text) > most:
            return fault(field, f"is longer than {most}")
        return Ok(text)

    return check


def whole_number(field: str, least: int, most: int) -> Callable[[str], Result]:
    def check(text: str) -> Result:
        parsed = attempt(field, int, text)
        if isinstance(parsed, Fault):
            return fault(field, "is not a whole number")
        if not least <= parsed.value <= most:
            return fault(field, f"must be from {least} to {most}")
        return parsed

    return check


def email(text: str) -> Result:
    name, at, domain = text.partition("@")
    if not at or not name or "@" in domain:
        return fault("email", "needs one @")
    labels = domain.split(".")
    if len(labels) < 2 or not all(label.replace("-", "").isalnum() for label in labels):
        return fault("email", "has a bad domain")
    return Ok(f"{name}@{domain.lower()}")


def password(text: str) -> Result:
    checks = {
        "needs a digit": any(c.isdigit() for c in text),
        "needs a letter": any(c.isalpha() for c in text),
        "needs 8 characters": len(text) >= 8,
    }
    missing = [("password", message) for message, met in checks.items() if not met]
    return Fault(tuple(missing)) if missing else Ok(text)


def sign_up(form: dict[str, str], taken: frozenset[str] = frozenset()) -> Result:
    """The cleaned form, or every complaint about it."""

    def not_taken(name: str) -> Result:
        return fault("name", "is taken") if name in taken else Ok(name)

    repeated: Result = Ok(None)
    if form.get("password", "") != form.get("repeat", ""):
        repeated = fault("repeat", "differs from the password")
    age = form.get("age", "").strip()
    checked = gather(
        {
            "name": required(form, "name").then(length_between("name", 2, 12)).map(str.lower).then(not_taken),
            "email": required(form, "email").then(email),
            "age": whole_number("age", 16, 120)(age) if age else Ok(None),
            "password": required(form, "password").then(password),
            "repeat": repeated,
        }
    )
    return checked.map(lambda fields: {key: fields[key] for key in fields if key != "repeat"})
