"""Every module of the package can be imported, whether a test needs it or not."""

import importlib
import pkgutil

import openfelt


def test_every_module_can_be_imported() -> None:
    names = [module.name for module in pkgutil.walk_packages(openfelt.__path__, "openfelt.")]
    for name in names:
        if not name.endswith("__main__"):
            importlib.import_module(name)
    assert "openfelt.cli.par_sheets.formats.vega_marks" in names
