"""The fonts of this machine that a card may be printed in, and their signs as masks."""

from __future__ import annotations

import os
import subprocess
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SUIT_FONT_NAMES = ("DejaVuSans.ttf", "Symbola_hint.ttf", "NotoSansSymbols2-Regular.ttf", "DejaVuSerif.ttf")
EXCLUDED = (
    "Emoji",
    "Symbols",
    "Mono",
    "Math",
    "Icons",
    "StandardSymbols",
    "D050000L",
    "Keyboard",
    "Biolinum_K",
    "Display-Black",
    "Thin",
    "Hairline",
    "ExtraLight",
)


@lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """Paths of the Latin text fonts of this machine, sorted: upright styles only.

    Uses fontconfig's `fc-list`; a machine without it falls back to the fonts below /usr/share/fonts.
    """
    try:
        listed = subprocess.run(["fc-list", ":lang=en:slant=0", "file"], capture_output=True, text=True, check=True)
        paths = [line.split(":")[0].strip() for line in listed.stdout.splitlines()]
    except (OSError, subprocess.CalledProcessError):
        paths = [str(p) for p in Path("/usr/share/fonts").rglob("*.ttf")]
    good = [p for p in paths if p.endswith((".ttf", ".otf", ".t1")) and not any(x in p for x in EXCLUDED)]
    return tuple(sorted({Path(p).name: p for p in good}.values()))


@lru_cache(maxsize=1)
def further_fonts() -> dict[str, list[str]]:
    """Families of the upright fonts below `$COMPANION_FONTS` that draw all numerals and letters, each with its files.

    Prints that may train use them beside those of this machine; held-out prints stay what they are without. A file
    that is no font is named on standard output and left out.
    """
    given = os.environ.get("COMPANION_FONTS", "")
    families: dict[str, list[str]] = {}
    for path in sorted(Path(given).rglob("*.[ot]tf")) if given else ():
        try:
            face = ImageFont.truetype(str(path), 24)
        except OSError as problem:
            print(f"left out: {path}: {problem}", flush=True)
            continue
        family, style = face.getname()
        missing = bytes(face.getmask("\uffff"))
        slanted = any(word in f"{style} {path.name}" for word in ("Italic", "Oblique"))
        if not slanted and all(bytes(face.getmask(sign)) != missing for sign in "0123456789AJQKVDBWRH"):
            families.setdefault(family or path.stem, []).append(str(path))
    return families


@lru_cache(maxsize=1)
def suit_fonts() -> tuple[str, ...]:
    """Paths of fonts whose suit glyphs are filled shapes."""
    found = {p.name: str(p) for p in Path("/usr/share/fonts").rglob("*.ttf") if p.name in SUIT_FONT_NAMES}
    return tuple(found[name] for name in SUIT_FONT_NAMES if name in found)


def family_pick(rng: np.random.Generator, *, further: bool = False) -> str:
    """A font path, also of `further_fonts` where asked for; families count once, so that no large one rules."""
    families: dict[str, list[str]] = {f"{name} (further)": paths for name, paths in further_fonts().items() if further}
    for path in fonts():
        families.setdefault(Path(path).name.split("-")[0][:9], []).append(path)
    if not families:
        raise FileNotFoundError("no font found: install a font package such as fonts-dejavu")
    key = sorted(families)[int(rng.integers(len(families)))]
    latin = [key] if not key.startswith("NotoS") else [k for k in sorted(families) if k.startswith("NotoS")][:1]
    return families[latin[0]][int(rng.integers(len(families[latin[0]])))]


def glyph_mask(text: str, font: str, height: int, squeeze: float = 1.0, weight: int = 0) -> Image.Image:
    """`text` as a tight 8-bit mask, `height` px tall, its width multiplied by `squeeze`; `weight` px bolder."""
    face = ImageFont.truetype(font, max(24, height * 2))
    left, top, right, bottom = face.getbbox(text)
    mask = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4), 0)
    ImageDraw.Draw(mask).text((2 - left, 2 - top), text, fill=255, font=face)
    box = mask.getbbox()
    if box is None:
        raise ValueError(f"the font {font} draws nothing for {text!r}")
    mask = mask.crop(box)
    width = max(3, round(mask.width * height / mask.height * squeeze))
    mask = mask.resize((width, height), Image.Resampling.LANCZOS)
    return mask.filter(ImageFilter.MaxFilter(3)) if weight else mask
