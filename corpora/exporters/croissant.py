"""Croissant 1.0 metadata (MLCommons): the tables of a data set in JSON-LD, as ``mlcroissant`` reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from mendlab.records import Manifest

_CONTEXT: Final[dict[str, Any]] = {
    "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/", "conformsTo": "dct:conformsTo", "equivalentProperty": "cr:equivalentProperty",
    "samplingRate": "cr:samplingRate",
    "citeAs": "cr:citeAs", "column": "cr:column", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract", "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5",
    "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet", "references": "cr:references",
    "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace", "separator": "cr:separator",
    "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip
_TYPES: Final = {
    "string": "sc:Text", "list": "sc:Text", "double": "sc:Float", "bool": "sc:Boolean", "binary": "sc:Text"
}  # fmt: skip


def croissant(manifest: Manifest, tables: Mapping[str, Mapping[str, str]], digests: Mapping[str, str]) -> str:
    """Return the metadata; ``digests`` are the SHA-256 of the tables' files by path, in the order of the tables."""
    files = dict(zip(tables, digests.items(), strict=True))
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": manifest.name,
        "description": f"{manifest.tasks} tasks of program repair in Python. {manifest.canary}",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "version": _version(manifest.version),
        "license": manifest.licence or "unknown",
        "url": f"urn:mendlab:{manifest.digests.get('tasks.jsonl', manifest.name)}",
        "citeAs": f"{manifest.name}, version {manifest.version}",
        "datePublished": manifest.provenance.date or "1970-01-01",
        "distribution": [_file(name, *place) for name, place in files.items()],
        "recordSet": [_records(name, columns) for name, columns in tables.items()],
    }
    return json.dumps(described, indent=1, ensure_ascii=False) + "\n"


def _version(version: str) -> str:
    """The version in three parts, as Croissant asks for."""
    parts = [*version.split("."), "0", "0"][:3]
    return ".".join(parts) if all(part.isdigit() for part in parts) else "1.0.0"


def _file(name: str, path: str, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{name}-file",
        "name": f"{name}-file",
        "contentUrl": path,
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _records(name: str, columns: Mapping[str, str]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "dataType": _TYPES[kind],
                **({"repeated": True} if kind == "list" else {}),
                "source": {"fileObject": {"@id": f"{name}-file"}, "extract": {"column": column}},
            }
            for column, kind in columns.items()
        ],
    }
