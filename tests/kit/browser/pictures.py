"""Screenshots of the main screens for the documentation, written only when they are asked for."""

from pathlib import Path

from playwright.sync_api import Page

PICTURE_BYTES_MAX = 350_000
JPEG_QUALITY = 88


class Pictures:
    """Writes pictures to a folder, or nothing if there is none."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def keep(self, page: Page, name: str) -> None:
        """Write what a page shows, once everything on it is drawn and at rest."""
        if self._folder is None:
            return
        page.evaluate("document.fonts.ready")
        page.mouse.move(0, 0)
        path = self._folder / f"{name}.jpg"
        page.screenshot(path=path, type="jpeg", quality=JPEG_QUALITY, animations="disabled")
        assert path.stat().st_size < PICTURE_BYTES_MAX, f"{name} is too large a picture"
