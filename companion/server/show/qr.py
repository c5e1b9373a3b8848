"""QR codes for the page."""

from __future__ import annotations

import io

import segno


def qr_svg(text: str) -> str:
    """A QR code as SVG, dark on a light ground so that it works on a dark page too."""
    out = io.BytesIO()
    code = segno.make(text, error="m")
    code.save(out, kind="svg", border=2, dark="#14171a", light="#ffffff", xmldecl=False, omitsize=True)
    return out.getvalue().decode()
