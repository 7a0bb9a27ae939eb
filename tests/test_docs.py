"""The documentation is complete and true: what the program has is on its page, and the reverse.

Whether links and paths lead anywhere is checked in test_house_style.py; whether examples in the
pages run, by the doctests of the pages themselves.
"""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from examples import deal_many, one_round
from openfelt.catalog import load_catalog, load_documents, load_house
from openfelt.catalog.files import HouseFile, PaytableFile, TomlTable
from openfelt.rules import Line, RefusalCode, RoundView
from openfelt.rules.dealing import Step
from openfelt.rules.round_actions import Action
from openfelt.rules.round_events import Event
from openfelt.rules.view import HandView
from tests.kit.docs import DOCS, FENCE, HEADING, prose, read, rows, sections
from tests.kit.repository import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def short(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


# The public names ------------------------------------------------------------

PACKAGES = ["cards", "rules", "catalog", "table", "ledger", "maths", "client"]


def code_lines(page: Path) -> list[str]:
    """Every line of code that the page's doctests run, but for imports."""
    lines = re.findall(r"^(?:>>>|\.\.\.) (.*)$", read(page), re.MULTILINE)
    return [line for line in lines if " import " not in line]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_reference_page_lists_every_public_name_and_no_other(package: str) -> None:
    page = DOCS / "reference" / f"{package}.md"
    named = re.findall(r"^### `(\w+)`$", read(page), re.MULTILINE)
    public = import_module(f"openfelt.{package}").__all__
    assert sorted(named) == sorted(public)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_has_an_example_that_runs(package: str) -> None:
    code = "\n".join(code_lines(DOCS / "reference" / f"{package}.md"))
    public = import_module(f"openfelt.{package}").__all__
    assert not [name for name in public if not re.search(rf"\b{name}\b", code)]


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_listed_once_and_in_order(package: str) -> None:
    public = import_module(f"openfelt.{package}").__all__
    capitals_first = sorted(set(public), key=lambda name: (not name.isupper(), name))
    assert list(public) == capitals_first


# Keys of the files of rule data ----------------------------------------------

TOPS = {HouseFile: "Top of the file", PaytableFile: "Top of a paytable file"}


def forms(form: type[TomlTable], path: str = "") -> Iterator[tuple[str, type[TomlTable]]]:
    """A form and those inside it, each with the heading that its section has."""
    yield (path or TOPS[form]), form
    for name, hint in get_type_hints(form).items():
        inside = path.strip("[]") + "." * bool(path) + name
        for inner, brackets in inner_forms(hint):
            yield from forms(inner, brackets.format(inside))


def inner_forms(hint: Any) -> Iterator[tuple[type[TomlTable], str]]:
    """The forms in a type hint, with how TOML writes the heading of such a table."""
    if isinstance(hint, type) and issubclass(hint, TomlTable):
        yield hint, "[{}]"
        return
    written: dict[Any, str] = {list: "[[{}]]", dict: "[{}.<wager>]"}
    several = written.get(get_origin(hint))
    for argument in get_args(hint):
        for inner, brackets in inner_forms(argument):
            yield inner, several or brackets


def default_words(field: msgspec.structs.FieldInfo) -> str:
    """A default as the page writes it."""
    if field.required:
        return "required"
    default = field.default if field.default_factory is msgspec.NODEFAULT else None
    if field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    if default is None:
        return "none"
    if isinstance(default, TomlTable):
        return "the house banks"
    return msgspec.json.encode(default).decode()


@pytest.mark.parametrize(
    ("heading", "form"),
    [*forms(HouseFile), *forms(PaytableFile)],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_the_page_of_the_house_file_lists_every_key(heading: str, form: type[TomlTable]) -> None:
    found = {
        name.strip("`"): text
        for name, text in sections(DOCS / "reference" / "house-file.md").items()
    }
    assert heading in found
    told = {row[0]: row[2] for row in rows(found[heading])}
    keys = {field.encode_name: default_words(field) for field in msgspec.structs.fields(form)}
    assert told == keys


# Refusals, actions and events ------------------------------------------------


def test_the_page_of_refusals_lists_every_code_once() -> None:
    told = [row[0] for row in rows(prose(DOCS / "reference" / "refusals.md"))]
    assert sorted(told) == sorted(RefusalCode)


@pytest.mark.parametrize(("heading", "union"), [("Actions", Action), ("Events", Event)])
def test_the_page_of_events_lists_every_field(heading: str, union: Any) -> None:
    told: dict[str, list[str]] = {}
    for name, field, _ in rows(sections(DOCS / "reference" / "events.md")[heading]):
        told.setdefault(name or list(told)[-1], []).extend([field] if field else [])
    assert told == {one.__name__: [field.name for field in fields(one)] for one in get_args(union)}


def test_the_page_of_events_lists_every_step_of_a_plan() -> None:
    told = rows(sections(DOCS / "reference" / "events.md")["Steps of the plan"])
    assert [row[0] for row in told] == [step.__name__ for step in get_args(Step)]


@pytest.mark.parametrize(
    ("page", "heading", "table"),
    [
        ("guides/read-a-settlement.md", "The lines", [Line]),
        ("reference/rules.md", "`RoundView`", [RoundView, HandView]),
    ],
)
def test_a_table_of_fields_is_complete(page: str, heading: str, table: list[Any]) -> None:
    cells = [row[0] for row in rows(sections(DOCS / page)[heading])]
    told = [name.strip("` ") for cell in cells for name in cell.split(",")]
    assert sorted(told) == sorted(field.name for one in table for field in fields(one))


# Clauses and rulings ---------------------------------------------------------

CITED = re.compile(r"(?<![\w./])[WOCSDR]\.(?:\d|[a-z_])[\w.-]*")


def test_every_clause_that_a_page_cites_exists() -> None:
    known = {clause.id for document in load_documents() for clause in document.clauses}
    without_paths = {page: re.sub(r"`[^`\n]*[/<][^`\n]*`", "", prose(page)) for page in PAGES}
    unknown = {
        f"{short(page)} cites {cited}"
        for page, text in without_paths.items()
        for cited in CITED.findall(text)
        if cited.rstrip(".") not in known
    }
    assert not unknown


def test_every_ruling_has_its_reasons() -> None:
    rulings = [clause.id for clause in load_documents()[-1].clauses]
    told = re.findall(r"^### (R\.\d+) ", read(DOCS / "why" / "rulings.md"), re.MULTILINE)
    assert told == rulings


# Pages, and the links between them -------------------------------------------


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, made as the common viewers of Markdown make them."""
    titles = [match[2].lower() for match in HEADING.finditer(prose(page))]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_every_link_to_a_heading_finds_it(page: Path) -> None:
    missing = []
    for target in re.findall(r"\]\(([^)\s]*#[^)\s]*)\)", prose(page)):
        file, _, anchor = target.partition("#")
        if "://" not in target and anchor not in anchors((page.parent / file) if file else page):
            missing.append(target)
    assert not missing


def test_the_index_leads_to_every_page() -> None:
    linked = re.findall(r"\]\(([^)#\s]+)", read(DOCS / "README.md"))
    reached = {(DOCS / target).resolve() for target in linked}
    pages = set(DOCS.rglob("*.md")) - {DOCS / "README.md"}
    assert not {short(page) for page in pages - reached}


# Examples --------------------------------------------------------------------


def fenced(page: Path, language: str) -> list[str]:
    return [code for kind, code in FENCE.findall(read(page)) if kind == language]


def test_the_guide_shows_the_example_house_as_it_is() -> None:
    folder = ROOT / "examples" / "houses"
    shown = fenced(DOCS / "guides" / "own-house.md", "toml")
    assert shown == [read(folder / "riverside.toml"), read(folder / "paytables" / "riverside.toml")]


def test_the_example_house_loads_and_uses_its_own_paytable(tmp_path: Path) -> None:
    (tmp_path / "paytables").mkdir()
    house, paytables = fenced(DOCS / "guides" / "own-house.md", "toml")
    (tmp_path / "riverside.toml").write_text(house, encoding="utf-8")
    (tmp_path / "paytables" / "riverside.toml").write_text(paytables, encoding="utf-8")
    loaded = load_house("riverside", folder=tmp_path)
    assert loaded.wagers[-1].paytable is load_catalog(tmp_path).paytables["trips", "RIVERSIDE-1"]
    assert loaded.seats == tomllib.loads(house)["table"]["seats"]


def test_the_guide_shows_what_the_example_round_prints(capsys: pytest.CaptureFixture[str]) -> None:
    one_round.main()
    assert capsys.readouterr().out in fenced(DOCS / "guides" / "read-a-settlement.md", "")


def test_the_first_hand_goes_as_the_tutorial_says(tmp_path: Path) -> None:
    answered = next(
        code for code in fenced(DOCS / "start" / "first-round.md", "") if "help>" in code
    )
    prompts, keys = zip(*(line.split(">", 1) for line in answered.splitlines()), strict=True)
    game = subprocess.run(
        [sys.executable, "-m", "openfelt", "play", "online", "--seed", "7"],
        input="".join(f"{key.strip()}\n" for key in (*keys, "quit")),
        env=os.environ | {"OPENFELT_DATA": str(tmp_path), "COLUMNS": "100"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    places = [game.stdout.find(f"{prompt}>") for prompt in prompts]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize("house", ["washington", "online", "california", "stadium", "draw"])
def test_many_rounds_can_be_dealt(house: str, capsys: pytest.CaptureFixture[str]) -> None:
    deal_many.main(["--house", house, "--rounds", "50"])
    assert "50 rounds" in capsys.readouterr().out


@pytest.mark.parametrize("rounds", ["1", "-5", "1000001"])
def test_dealing_many_rounds_has_a_bound(rounds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        deal_many.main(["--rounds", rounds])
    assert "from 2 to 1,000,000" in capsys.readouterr().err
