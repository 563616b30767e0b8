"""Tools and their registry: a tool is one decorated function, whose parameters are what a model may say to it."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar, final

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from mendlab.records import ToolCall, ToolResult
from mendlab.repair.models.calls import Tool
from mendlab.repair.prompts.facts import trimmed
from mendlab.repair.tools.workspace import RefusedError, Workspace

MOST_CHARACTERS: Final = 12_000
"""How much of what a tool answers a model is shown."""
_ERRORS_SHOWN: Final = 3


@final
@dataclass(frozen=True, slots=True)
class ToolInfo:
    """An entry of the registry. ``changes`` says that the tool changes the workspace, and not only looks at it."""

    tool: Tool
    changes: bool
    arguments: type[BaseModel]
    do: Callable[..., str]

    def answer(self, workspace: Workspace, call: ToolCall) -> ToolResult:
        """Return what the tool answers; what it is asked for wrongly is answered too."""
        try:
            given = self.arguments.model_validate(_object(call.arguments))
            text = self.do(workspace, **{name: getattr(given, name) for name in type(given).model_fields})
        except RefusedError as refusal:
            return _result(call, str(refusal), failed=True)
        except ValidationError as error:
            return _result(call, _told(self.tool.name, error), failed=True)
        return _result(call, text)


_registry: dict[str, ToolInfo] = {}
_F = TypeVar("_F", bound=Callable[..., str])


def tool(*, changes: bool = False) -> Callable[[_F], _F]:
    """Register a function of a workspace and of a model's arguments by its name; its docstring describes it."""

    def register(do: _F) -> _F:
        parameters = list(inspect.signature(do, eval_str=True).parameters.values())[1:]
        fields: dict[str, Any] = {
            each.name: (each.annotation, ... if each.default is each.empty else each.default) for each in parameters
        }
        name = do.__name__
        model = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
        described = " ".join((inspect.getdoc(do) or "").split())
        _registry[name] = ToolInfo(Tool(name, described, _schema(model)), changes, model, do)
        return do

    return register


@cache
def tools() -> dict[str, ToolInfo]:
    """Return every tool by name, in the order of the files and of their functions."""
    package = importlib.import_module(__name__.rpartition(".")[0])
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(_registry)


def use(workspace: Workspace, call: ToolCall, known: ToolResult | None = None) -> ToolResult:
    """Return the answer to a model's call: the ``known`` one, if the tool has answered before.

    What changes the workspace is done again for that.
    """
    info = tools().get(call.name)
    if info is None:
        return known or _result(call, f"There is no tool {call.name!r}. There are: {', '.join(tools())}", failed=True)
    if known is None:
        return info.answer(workspace, call)
    if info.changes:
        info.answer(workspace, call)
    return known


def unused(call: ToolCall, why: str) -> ToolResult:
    """Return the answer to a call that nothing is done for."""
    return _result(call, f"This was not done: {why}", failed=True)


def _result(call: ToolCall, text: str, *, failed: bool = False) -> ToolResult:
    shown = trimmed(text, MOST_CHARACTERS).encode("utf-8", "replace").decode()
    return ToolResult(id=call.id, text=shown or "(nothing)", failed=failed)


def _object(arguments: str) -> dict[str, Any]:
    """Read a call's arguments; none at all are an empty object."""
    try:
        found = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise RefusedError(f"The arguments are not JSON: {error}") from None
    if not isinstance(found, dict):
        raise RefusedError(f"The arguments must be a JSON object, and are {trimmed(arguments, 100)}")
    return found


def _told(name: str, error: ValidationError) -> str:
    errors = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in errors[:_ERRORS_SHOWN]]
    return f"{name} cannot be called so. " + "; ".join(lines)


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return {key: _untitled(value) for key, value in model.model_json_schema().items() if key != "title"}


def _untitled(value: Any) -> Any:
    """Leave out the titles that are made of names, of properties and not of a property of that name."""
    if isinstance(value, dict):
        return {k: _untitled(v) for k, v in value.items() if k != "title" or not isinstance(v, str)}
    return [_untitled(item) for item in value] if isinstance(value, list) else value
