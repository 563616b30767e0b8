"""The ``mendlab`` command: one file a command or command group. What they compute is computed below; they print."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
import warnings
from types import FrameType
from typing import Final, NoReturn

import click

from mendlab import __version__
from mendlab.errors import MendlabError

COMMANDS: Final = {
    "demo": ("demo", "see it all at work on HumanEval and bundled programs"),
    "doctor": ("doctor", "tell what this machine can do"),
    "mutators": ("mutators", "list, show and run the mutation operators"),
    "subjects": ("subjects", "run the tests of a program as it is, three times"),
    "inject": ("inject", "make tasks of defects that tests detect"),
    "score": ("score", "tell how many mutants the tests of a program kill"),
    "harvest": ("harvest", "make tasks of the bug fixes in a repository's history"),
    "import": ("import_tasks", "make tasks of the bugs of another benchmark"),
    "write-tests": ("write_tests", "write held-out tests that aim at each defect"),
    "check": ("check", "prove a task set, and have it withstand attacks"),
    "grade": ("grade", "grade tasks easy, medium or hard"),
    "contamination": ("contamination", "look for signs that a model has seen the tasks"),
    "disguise": ("disguise", "rewrite programs so that they do the same otherwise"),
    "prompt": ("prompt", "print what a model would be asked first"),
    "repair": ("repair", "ask a model, an agent or the search for patches"),
    "verify": ("verify", "judge patches that were made elsewhere"),
    "report": ("report", "report on runs: pass@k, intervals, cost, difficulty"),
    "compare": ("compare", "compare runs on one task set, task by task"),
    "review": ("review", "serve a page on which a person reviews attempts"),
    "export": ("export", "write tasks or runs in another tool's format"),
}
"""Module and description of each, in the order of the work."""

_OUTPUT_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""How writing to standard output fails when no file is named; a closed pipe is none of them."""

_NO_PLACE: Final = (errno.ENAMETOOLONG, errno.ELOOP)
"""How looking at a place fails that nothing can be at, whatever it was named for."""


class Lazy(click.Group):
    """Imports the module of a command only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"mendlab.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line for each command, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: mendlab demo",
)
@click.version_option(__version__, prog_name="mendlab")
def root() -> None:
    """A bug-injection and repair lab for Python.

    Make repair benchmarks out of code that has tests, run repairers on them, and say which repairs are right.
    Results go to standard output (--json for programs), progress to standard error.
    Exit codes: 0 done, 1 a finding, 2 bad input.
    """


def main() -> NoReturn:
    """Run the command line. Every error of the family becomes one line on standard error and exit code 2."""
    # What the compiler thinks of a subject's code is not for the user of the lab.
    warnings.simplefilter("ignore", SyntaxWarning)
    signals: list[int] = []

    def terminate(number: int, _: FrameType | None) -> NoReturn:
        signals.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, terminate)
    try:
        code = root.main(prog_name="mendlab", standalone_mode=False)
    except MendlabError as error:
        fail(str(error), 2)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "mendlab"
        fail(f"{error.format_message().rstrip('.')} (see {command} --help)", 2)
    except click.ClickException as error:
        fail(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: os._exit(128 + number))  # whoever asks twice waits for nothing
        fail("interrupted; run the same command again to go on from here", 128 + (signals or [signal.SIGINT])[-1])
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        if error.filename is not None and error.errno in _NO_PLACE:
            fail(f"{str(error.filename)[:60]}: is no place: {error.strerror}", 2)
        if error.filename is not None or error.errno not in _OUTPUT_ERRORS:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what waits to be written would fail again at the exit
        fail(f"standard output cannot be written: {error.strerror}", 2)
    sys.exit(code if isinstance(code, int) else 0)


def fail(line: str, code: int) -> NoReturn:
    """Print one line, whatever line ends a message has in it, and leave."""
    click.echo(f"mendlab: {' '.join(line.splitlines())}", err=True)
    sys.exit(code)
