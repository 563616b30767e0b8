"""What the documents tell people to type exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from mendlab.cli import root
from mendlab.cli.demo import command as demo_command
from mendlab.corpora.importers import task_formats

TOP = Path(__file__).parents[2]
DOCUMENTS = [*sorted(TOP.glob("*.md")), *sorted((TOP / "docs").glob("*.md")), TOP / "Makefile"]
_IN_TEXT = re.compile(r"`(mendlab [^`\n]+)`")
_IN_A_BLOCK = re.compile(r"^\s*(?:\$ )?(?:\S*/)?(mendlab .+)$", re.MULTILINE)
_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands_in(document):
    """Every command line that a document shows: in code blocks, and in back quotes in its text."""
    text = document.read_text(encoding="utf-8")
    if document.suffix != ".md":
        return [line.strip() for line in _IN_A_BLOCK.findall(text)]
    blocks = "\n".join(_BLOCK.findall(text)).replace("\\\n", " ")
    return [*_IN_A_BLOCK.findall(blocks), *_IN_TEXT.findall(_BLOCK.sub("", text))]


SHOWN = [(document.relative_to(TOP), line) for document in DOCUMENTS for line in commands_in(document)]


def check(line):
    """Raise a UsageError if the program would not take this; paths need not be there."""
    words = shlex.split(line.split(" | ")[0].split(" > ")[0], comments=True)[1:]
    group, context = root, click.Context(root, info_name="mendlab")
    while isinstance(group, click.Group) and words and not words[0].startswith("-"):
        command = group.get_command(context, words[0])
        if command is None:
            raise click.UsageError(f"there is no command {words[0]}")
        group, context, words = command, click.Context(command, info_name=words[0], parent=context), words[1:]
    known = {option: parameter for parameter in group.params for option in (*parameter.opts, *parameter.secondary_opts)}
    known |= dict.fromkeys(("--help", "-h", "--version"))
    for word in words:
        if word.startswith("-"):
            name = word.partition("=")[0]
            if name not in known:
                raise click.UsageError(f"there is no option {name} of {group.name}")
    for parameter in group.params:
        if isinstance(parameter.type, click.Choice) and isinstance(parameter, click.Option):
            for option in parameter.opts:
                if option in words and words.index(option) + 1 < len(words):
                    parameter.type.convert(words[words.index(option) + 1], parameter, context)
    first = next((parameter for parameter in group.params if isinstance(parameter, click.Argument)), None)
    if first is not None and isinstance(first.type, click.Choice) and words and not words[0].startswith("-"):
        first.type.convert(words[0], first, context)


def test_the_documents_show_commands():
    named = {path.name for path, _ in SHOWN}
    assert {"README.md", "Makefile", "reading-a-report.md"} <= named
    assert len(SHOWN) > 15


@pytest.mark.parametrize(("document", "line"), SHOWN, ids=lambda value: str(value).replace("::", ""))
def test_a_command_in_a_document_is_one(document, line):
    check(line)


@pytest.mark.parametrize(
    "wrong",
    [
        "mendlab injekt x",
        "mendlab inject x --lmit 3",
        "mendlab mutators shoe x",
        "mendlab repair x --strategy wish",
        "mendlab import nothing x --out y",
    ],
)
def test_a_wrong_command_would_be_noticed(wrong):
    with pytest.raises(click.UsageError):
        check(wrong)


def test_the_readme_and_the_makefile_run_the_same_demo():
    assert "make demo" in (TOP / "README.md").read_text()
    assert "make test" in (TOP / "README.md").read_text()
    assert "$(BIN)/mendlab demo" in (TOP / "Makefile").read_text()
    assert demo_command.name == "demo"


def test_every_format_of_tasks_is_in_the_documents():
    text = "".join(document.read_text() for document in DOCUMENTS)
    assert [name for name in task_formats() if name not in text] == []
