"""A priced par sheet with everything that its formats need, and its signature."""

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.par_sheets.figure_commands import with_obtained
from openfelt.cli.par_sheets.formats.optional_packages import CHARTS, missing
from openfelt.cli.par_sheets.formats.text_pages import html, markdown
from openfelt.cli.par_sheets.seeded_run import GAME, kept_run, no_run, seeded_run
from openfelt.cli.par_sheets.sheet import ParSheet, Section
from openfelt.cli.progress import watched
from openfelt.maths.content_hash import content_hash
from openfelt.rules.house import GameName, House
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.notary.keys import KeyFileError, load_or_make_key, public_key_of
from openfelt.runtime.notary.signed_files import SIGNATURE_SUFFIX, sign_file

if TYPE_CHECKING:
    from openfelt.cli.par_sheets.run_plans import RunPlan

FIGURES_HASH: Final = "figures_sha256"

Priced = tuple[ParSheet, dict[str, Any], "RunPlan"]
"""A sheet, its figures for programs, and how its seeded run is played."""


@dataclass(frozen=True)
class WholeSheet:
    """A par sheet, the same figures for programs, and the key that signs it."""

    house: House
    sheet: ParSheet
    facts: dict[str, Any]
    key: Ed25519PrivateKey | None

    @property
    def software(self) -> str:
        """The program and its version."""
        return f"openfelt {version('openfelt')}"

    def as_markdown(self) -> str:
        """The sheet as Markdown."""
        return markdown(self.sheet)

    def as_html(self) -> str:
        """The sheet as HTML, with charts if their packages are there."""
        if missing(CHARTS):
            return html(self.sheet)
        from openfelt.cli.par_sheets.formats.vega_charts import as_svg

        return html(self.sheet, as_svg)

    def as_json(self) -> str:
        """Every figure as a decimal and a fraction, and every section as it is printed."""
        return json.dumps(self.facts, indent=2) + "\n"

    def as_pdf(self) -> bytes:
        """The sheet as PDF."""
        from openfelt.cli.par_sheets.formats.pdf_pages import pdf

        return pdf(self.sheet, fingerprint=self.house.fingerprint, software=self.software)

    def as_workbook(self) -> bytes:
        """The sheet as XLSX."""
        from openfelt.cli.par_sheets.formats.workbook import workbook

        return workbook(self.sheet)

    def sign(self, path: Path, content: bytes) -> None:
        """Write the signature beside a written file, if there is a key."""
        if self.key is None:
            return
        about = {
            "what": self.sheet.title,
            "house": f"{self.house.id}, version {self.house.version}",
            "rule data": self.house.fingerprint,
            "figures": self.facts[FIGURES_HASH],
            "software": self.software,
        }
        line = sign_file(self.key, content, about=about, at_ms=SystemClock().wall_ms())
        path.with_name(path.name + SIGNATURE_SUFFIX).write_text(line, encoding="utf-8")


def price_sheet(house: House, *, rounds: int, seed: int, key_file: Path | None) -> WholeSheet:
    """Count every figure of a house, and play the seeded run.

    Raises ValueError for what is not counted, and Complaint for an unusable key.
    """
    try:
        key = None if key_file is None else load_or_make_key(key_file)
    except KeyFileError as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error
    draw = house.game is GameName.ULTIMATE_DRAW
    sheet, facts, plan = (_draw if draw else _holdem)(house)
    run = (
        seeded_run(house, plan.strategy, plan.exact, rounds=rounds, seed=seed, chances=plan.chances)
        if rounds
        else kept_run(house, plan.exact, chances=plan.chances)
    )
    facts["award_tables"] = sheet.award_facts
    played = [no_run(house)]
    if run is not None:
        facts["seeded_run"] = run.facts
        sheet, played = with_obtained(sheet, run.obtained), [run.section, run.frequencies]
    facts = {"software": f"openfelt {version('openfelt')}", **facts}
    digest = content_hash(facts)
    sections = (*sheet.sections, *played, _signature(key, digest))
    sheet = replace(sheet, sections=sections)
    facts[FIGURES_HASH] = digest
    facts["sections"] = [
        {"title": s.title, "sentences": s.sentences, "columns": s.columns, "rows": s.rows}
        for s in sections
    ]
    return WholeSheet(house, sheet, facts, key)


def _signature(key: Ed25519PrivateKey | None, digest: str) -> Section:
    rows = [("Fingerprint of the figures (SHA-256)", digest)]
    if key is None:
        return Section("Signature", ("This sheet is not signed.",), ("what", "value"), tuple(rows))
    sentence = (
        "Each file of this sheet is signed with Ed25519, in a file beside it whose name ends in "
        f"{SIGNATURE_SUFFIX}. To check it, run: openfelt checksheet FILE --key PUBLIC_KEY"
    )
    rows.append(("Public key", public_key_of(key)))
    return Section("Signature", (sentence,), ("what", "value"), tuple(rows))


def _draw(house: House) -> Priced:
    from openfelt.cli.figures.draw_edge_report import draw_facts, known_plays
    from openfelt.cli.par_sheets.draw_sheet import draw_sheet
    from openfelt.cli.par_sheets.run_plans import draw_plan
    from openfelt.maths import draw_terms_of, price_draw_house
    from openfelt.maths.draw.best_play import known_house_way

    terms = draw_terms_of(house)
    figures = price_draw_house(house, ante=known_house_way(terms.qualifying))
    unit = Fraction(1)
    facts = draw_facts(figures, unit, known_plays(figures, unit))
    return draw_sheet(figures), facts, draw_plan(figures)


def _holdem(house: House) -> Priced:
    from openfelt.cli.figures.edge_report import figures_facts
    from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
    from openfelt.cli.par_sheets.run_plans import holdem_plan
    from openfelt.maths.wagers.house_figures import price_house

    with watched("Solving the game") as progress:
        figures = price_house(house, progress=progress)
    stakes = dict.fromkeys([GAME, *figures.side_bets], 1)
    return holdem_sheet(figures), figures_facts(figures, stakes), holdem_plan(figures)
