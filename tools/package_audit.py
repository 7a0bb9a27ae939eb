"""Asks the registries whether a package that we pin has a known hole: ``make check`` runs it.

A finding fails, unless ``ACCEPTED`` says why it does not concern Openfelt. Where a registry does
not answer, that is said in a sentence and fails nothing: a build needs no network.
"""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any, Final

from tools.building import ROOT
from tools.node import npm

ACCEPTED: Final[dict[str, str]] = {}
"""Findings that do not concern Openfelt: the id of the advisory, and why."""
WAIT_SECONDS: Final = 120
NPM_FOLDERS: Final = ("web", "tools/asyncapi")
_PIP_AUDIT: Final = (
    *(sys.executable, "-m", "pip_audit", "--requirement", "requirements.lock"),
    *("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--timeout", "15"),
    *("--format", "json"),
)
_NPM_AUDIT: Final = ("audit", "--json", "--package-lock-only", "--fetch-retries=0")


@dataclass
class Audited:
    """What one registry said."""

    packages: str
    """Which packages were asked about."""
    findings: list[str] = field(default_factory=list)
    not_audited: str | None = None
    """Why nothing, or not everything, was looked up."""

    def lines(self) -> list[str]:
        """What there is to tell."""
        told = [f"{self.packages}: {finding}" for finding in self.findings]
        if self.not_audited is not None:
            told.append(f"{self.packages}: not audited, {self.not_audited}")
        return told or [f"{self.packages}: no known holes"]


def read_pip_audit(text: str) -> Audited:
    """What pip-audit printed.

    >>> read_pip_audit("").lines()
    ['Python packages: not audited, the registry does not answer.']
    """
    audited = Audited("Python packages")
    packages = _plain(text).get("dependencies")
    if not isinstance(packages, list):
        audited.not_audited = "the registry does not answer."
        return audited
    for package in packages:
        audited.findings += [
            f"{package['name']} {package['version']} has {hole['id']}"
            for hole in package.get("vulns", ())
            if not {hole["id"], *hole.get("aliases", ())} & ACCEPTED.keys()
        ]
    skipped = sum("skip_reason" in package for package in packages)
    if skipped:
        audited.not_audited = (
            f"the registry has no word about {skipped} of {len(packages)} packages."
        )
    return audited


def read_npm_audit(folder: str, text: str) -> Audited:
    """What ``npm audit`` printed.

    >>> read_npm_audit("web", '{"statusCode": 405, "message": "Not Allowed"}').lines()
    ['npm packages of web: not audited, the registry does not answer.']
    """
    audited = Audited(f"npm packages of {folder}")
    packages = _plain(text).get("vulnerabilities")
    if not isinstance(packages, dict):
        audited.not_audited = "the registry does not answer."
        return audited
    holes = {
        (hole["name"], hole["url"].rpartition("/")[2], hole["title"])
        for package in packages.values()
        for hole in package["via"]
        if isinstance(hole, dict)
    }
    audited.findings = [
        f"{name} has {advisory}: {title}"
        for name, advisory, title in sorted(holes)
        if advisory not in ACCEPTED
    ]
    return audited


def _plain(text: str) -> dict[str, Any]:
    try:
        plain = json.loads(text)
    except ValueError:
        return {}
    return plain if isinstance(plain, dict) else {}


def audits() -> list[Audited]:
    """Ask about every package that is pinned."""
    asking = subprocess.Popen(_PIP_AUDIT, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        told = [read_npm_audit(folder, _npm_audit(folder)) for folder in NPM_FOLDERS]
        printed = asking.communicate(timeout=WAIT_SECONDS)[0].decode()
    except subprocess.TimeoutExpired:
        printed = ""
    finally:
        asking.kill()
        asking.wait()
    return [read_pip_audit(printed), *told]


def _npm_audit(folder: str) -> str:
    try:
        return npm(folder, *_NPM_AUDIT, timeout_seconds=WAIT_SECONDS).stdout
    except subprocess.TimeoutExpired:
        return ""


def main() -> int:
    """Print what the registries said; 1 where a package has a known hole."""
    told = audits()
    sys.stdout.write("".join(f"  {line}\n" for audited in told for line in audited.lines()))
    return int(any(audited.findings for audited in told))


if __name__ == "__main__":
    raise SystemExit(main())
