# ruff: noqa: INP001 - a program of its own, in no package
"""Makes the pictures in docs/screenshots small, and shows them in docs/ui.md. `make screenshots` takes them first.

Of each page two are kept: wide and light, narrow and dark. The tests take four, to be looked at while one works.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
PICTURES = HERE / "screenshots"
DOCUMENT = HERE / "ui.md"
KEPT = {"wide-light": 560, "narrow-dark": 175}
START, END = "<!-- pictures -->", "<!-- end of pictures -->"
# Plain surfaces and few colours: with so many nobody sees a difference, and a picture takes a third of the bytes.
COLOURS = 160


def main() -> None:
    pages = sorted({_page(path) for path in PICTURES.glob("*.png")})
    for path in PICTURES.glob("*.png"):
        if path.stem.removeprefix(f"{_page(path)}-") in KEPT:
            _shrink(path)
        else:
            path.unlink()
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(before + "\n".join([START, *_gallery(pages), END]) + after, encoding="utf-8")
    total = sum(path.stat().st_size for path in PICTURES.glob("*.png"))
    sys.stdout.write(f"{len(pages)} pages, {total / 1000:,.0f} kB\n")


def _page(path: Path) -> str:
    """`job-editor-form-wide-light` is of `job-editor-form`."""
    return path.stem.rsplit("-", 2)[0]


def _shrink(path: Path) -> None:
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def _gallery(pages: list[str]) -> Iterator[str]:
    for page in pages:
        title = page.replace("-", " ").capitalize()
        shown = [
            f'<img alt="{title}, {form.replace("-", ", ")}" src="screenshots/{page}-{form}.png" width="{width}">'
            for form, width in KEPT.items()
            if (PICTURES / f"{page}-{form}.png").is_file()
        ]
        yield f"\n**{title}**\n\n{' '.join(shown)}"
    yield ""


if __name__ == "__main__":
    main()
