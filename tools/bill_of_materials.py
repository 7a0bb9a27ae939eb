"""The bill of materials of a release: every Python and npm package, as one CycloneDX file.

``python -m tools.bill_of_materials FILE`` writes it and checks it against the schema of
CycloneDX; without a file it is only put together, which ``make check`` does. ``cyclonedx-py`` and
``npm sbom`` list the packages. What a running server needs has the scope ``required``, what only
builds and tests Openfelt is ``excluded``, and npm's packages are built into the web terminal or
build it.
"""

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import requires
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement

from tools.building import ROOT
from tools.node import npm

SPEC: Final = "1.5"
"""The version of CycloneDX that both programs write."""
Plain = dict[str, Any]
_PIN: Final = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
_WEB: Final = "web"


def bill() -> Plain:
    """The whole bill."""
    python, web = _python_bill(), _npm_bill(_WEB)
    root = python["metadata"]["component"]
    site = web["metadata"]["component"]
    pinned = pins((ROOT / "requirements.lock").read_text("utf-8"))
    packages = [
        package
        for package in python["components"]
        if (normal(package["name"]), package["version"]) in pinned
    ]
    needed = needed_packages(_wanted())
    for package in packages:
        package["scope"] = "required" if normal(package["name"]) in needed else "excluded"
    # cyclonedx-py also follows extras that are not installed for anything.
    scopes = {package["bom-ref"]: package["scope"] for package in packages}
    graph = {
        line["ref"]: [ref for ref in line.get("dependsOn", ()) if scopes.get(ref) == scope]
        for line in python["dependencies"]
        if (scope := scopes.get(line["ref"])) is not None
    }
    wanted = {normal(requirement.name) for requirement in _wanted()}
    direct = [part["bom-ref"] for part in packages if normal(part["name"]) in wanted]
    graph[root["bom-ref"]] = [*direct, site["bom-ref"]]
    return {
        "$schema": python["$schema"],
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "version": 1,
        "metadata": {"component": root, "tools": python["metadata"]["tools"]},
        "components": [*packages, site, *web["components"]],
        "dependencies": [
            *({"ref": ref, "dependsOn": on} for ref, on in graph.items()),
            *web["dependencies"],
        ],
    }


def problems(made: Plain) -> Iterator[str]:
    """What is wrong with a bill that can be seen without the schema."""
    parts = [made["metadata"]["component"], *made["components"]]
    refs = {part["bom-ref"] for part in parts}
    if len(refs) != len(parts):
        yield "Two packages have the same reference."
    for line in made["dependencies"]:
        unknown = {line["ref"], *line.get("dependsOn", ())} - refs
        yield from (f"{ref} is needed, but not listed." for ref in sorted(unknown))
    listed = {normal(part["name"]) for part in parts if part.get("scope") == "required"}
    missing = needed_packages(_wanted()) - listed
    yield from (f"{name} is needed by a server, but not listed." for name in sorted(missing))


def needed_packages(wanted: Iterable[Requirement]) -> set[str]:
    """The installed packages that these requirements need, and what those need, and so on."""
    waiting, needed = list(wanted), set[str]()
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        requirement = waiting.pop()
        key = normal(requirement.name), frozenset(requirement.extras)
        if key in seen:
            continue
        seen.add(key)
        needed.add(key[0])
        inner = [Requirement(text) for text in requires(requirement.name) or ()]
        waiting += [one for one in inner if _applies(one, ("", *requirement.extras))]
    return needed


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras)


def pins(lock: str) -> set[tuple[str, str]]:
    """The packages of a lock file, with their versions.

    >>> pins("Some_Thing==1.2 \\\\\\n    --hash=sha256:00\\n")
    {('some-thing', '1.2')}
    """
    return {(normal(name), version) for name, version in _PIN.findall(lock)}


def normal(name: str) -> str:
    """The name of a Python package in its usual form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _wanted() -> list[Requirement]:
    """What a running server needs by pyproject.toml, on this system."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    requirements = [Requirement(text) for text in project["dependencies"]]
    return [requirement for requirement in requirements if _applies(requirement, ("",))]


def _python_bill() -> Plain:
    command = (
        *(sys.executable, "-m", "cyclonedx_py", "environment", sys.executable),
        *("--pyproject", "pyproject.toml", "--spec-version", SPEC),
        *("--output-reproducible", "--no-validate"),
    )
    made = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=300)
    plain: Plain = json.loads(made.stdout)
    return plain


def _npm_bill(folder: str) -> Plain:
    made = npm(folder, "sbom", "--sbom-format", "cyclonedx", "--package-lock-only")
    plain: Plain = json.loads(made.stdout)
    assert plain["specVersion"] == SPEC, plain["specVersion"]
    return plain


def _against_schema(text: str) -> str | None:
    # Reading the schema takes ten seconds, so only those who write a file wait for it.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    problem = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    return None if problem is None else str(problem)[:500]


def main(arguments: Sequence[str] | None = None) -> int:
    """Put the bill together, and write it if a file is named; 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.bill_of_materials")
    parser.add_argument("file", nargs="?", type=Path, help="where to write it")
    file = parser.parse_args(arguments).file
    made = bill()
    wrong = list(problems(made))
    text = json.dumps(made, indent=2) + "\n"
    if file is not None and not wrong:
        wrong += filter(None, [_against_schema(text)])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        sys.stdout.write(f"Wrote {file} with {len(made['components'])} packages.\n")
    sys.stderr.write("".join(f"{line}\n" for line in wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
