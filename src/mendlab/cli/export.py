"""``mendlab export``: task sets, runs and scores in the formats of others."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import get_args

import click

from mendlab.cli.options import WIDTH, example, existing_path, json_option, new_path
from mendlab.cli.output import note, print_json, print_table, refusals_json, show_refusals
from mendlab.cli.running import named_options
from mendlab.corpora.exporters import export_formats
from mendlab.corpora.exporters.registry import Source

FORMATS = export_formats("mendlab.reports.exports")


def _listed() -> str:
    """The formats, by what they are made from."""
    lines = []
    for source in get_args(Source):
        lines += ["\b", f"Formats of a {source}:"]
        for each in FORMATS.values():
            if each.source == source:
                listed = f"{each.name:18} {each.summary}"
                lines += textwrap.wrap(listed, WIDTH - 2, initial_indent="  ", subsequent_indent=" " * 21)
        lines.append("")
    return "\n".join([*lines, ""])


@click.command(
    "export",
    epilog=_listed()
    + example(
        "mendlab export humanevalpack tasks --out tasks.jsonl",
        "mendlab export swebench tasks --out swe",
        "mendlab export huggingface tasks --out dataset",
        "mendlab export taskdirs tasks --out folders",
        "mendlab export predictions runs/search --out predictions.jsonl",
        "mendlab export junit runs/search --out junit.xml",
        "mendlab export mutation-elements score --option subject=./myproject --out mutation.json",
    ),
)
@click.argument("format", type=click.Choice(tuple(FORMATS)))
@click.argument("source", type=existing_path)
@click.option("--out", type=new_path, required=True, help="The file or new folder to write.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the format.")
@json_option
def command(format: str, source: Path, out: Path, options: tuple[str, ...], as_json: bool) -> None:
    """Write SOURCE in the format of another tool: a task set, a run or a folder of scores.

    What the format cannot express is left out and named with the reason; what it does not carry is counted, by reading
    the export back where mendlab can.
    """
    exported = FORMATS[format].export(source, out, **named_options(options))
    show_refusals(exported.left_out, "cannot be written in this format")
    for line in exported.notes:
        note(line)
    if as_json:
        lost = None if exported.lost is None else dict(exported.lost)
        told = {"written": exported.items, "left_out": refusals_json(exported.left_out), "lost": lost}
        print_json({"export": str(out), "format": format, **told})
        return
    rows: list[tuple[str, object]] = [("written", exported.items), ("left out", len(exported.left_out))]
    rows += [(f"lose {name}", count) for name, count in (exported.lost or {}).items()]
    print_table("", ("", ""), rows, right=(1,))
    click.echo(f"{format}: {out}")
