"""QR codes for the page."""

from __future__ import annotations

import io

import segno


def qr_svg(text: str) -> str:
    """A QR code as SVG, dark on a light ground so that it works on a dark page too."""
    out = io.BytesIO()
    segno.make(text, error="m").save(out, kind="svg", scale=4, border=3, dark="#14171a", light="#ffffff", xmldecl=False)
    return out.getvalue().decode()
