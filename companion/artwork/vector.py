"""The drawings of this room as PDF operators, so that they are printed as sharp as the printer can.

Only what the room draws with is understood: groups, paths, rectangles, circles, ellipses, text and clips, with fill,
stroke, opacity and transforms (SVG 1.1; operators after ISO 32000-1). Fonts are the resources ``/F2`` (Japanese) and
``/F3`` (Helvetica Bold), opacity in steps of a twentieth ``/G1`` … ``/G19``.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import atan2, cos, pi, sin, sqrt, tan

STEPS = 20
"""Opacity is drawn in so many steps."""
SMALL = 10.0
"""mm. What is smaller is never tinted."""

_TOKEN = re.compile(r"[A-Za-z]|[-+]?(?:\d*\.\d+|\d+\.?)(?:[eE][-+]?\d+)?")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}
_ROUND = 0.5522847498
"""A quarter of a circle as a Bézier curve: its handles, as a part of the radius."""
_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 "
    "584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 "
    "333 611 556 778 556 556 500 389 280 389 584"
)
_WIDTHS = {chr(32 + i): int(width) / 1000 for i, width in enumerate(_BOLD.split())}
"""Widths of Helvetica Bold's letters, in its size."""

Point = tuple[float, float]
Segment = tuple[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class _Ink:
    """What is inherited from element to element."""

    fill: str = "#000000"
    stroke: str = "none"
    width: float = 1.0
    cap: str = "butt"
    join: str = "miter"
    rule: str = "nonzero"
    alpha: float = 1.0


@dataclass(slots=True)
class _Pen:
    """Operators as they come, and the clips that the document names. `tint`: what becomes of the colour of
    an area that is not small; `scale`: how large the present units are drawn."""

    tint: Callable[[str], str]
    clips: dict[str, ET.Element] = field(default_factory=dict)
    scale: float = 1.0
    out: list[str] = field(default_factory=list)


def operators(svg: str, tint: Callable[[str], str] = lambda colour: colour) -> str:
    """The operators that draw an SVG document of this room in its own units, its left top at (0, 0), y upwards: below
    the axis. `tint` changes the colours of areas (to save ink)."""
    root = ET.fromstring(svg)
    pen = _Pen(tint)
    for element in root.iter():
        if _name(element) == "clipPath":
            pen.clips[element.get("id", "")] = element
    pen.out.append("q 1 0 0 -1 0 0 cm")
    for child in root:
        _draw(child, _Ink(), pen)
    pen.out.append("Q")
    return "\n".join(pen.out)


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _draw(element: ET.Element, ink: _Ink, pen: _Pen) -> None:
    name = _name(element)
    if name in ("clipPath", "title", "defs"):
        return
    ink = _inherited(element, ink)
    moved = element.get("transform")
    clip = re.fullmatch(r"url\(#(.+)\)", element.get("clip-path", ""))
    if moved or clip:
        pen.out.append("q")
    if clip:
        for shape in pen.clips[clip[1]]:
            pen.out += [*_shape(shape), "W n"]
    before = pen.scale
    if moved:
        pen.out += _moved(moved)
        pen.scale *= _scale(moved)
    if name == "g":
        for child in element:
            _draw(child, ink, pen)
    elif name == "text":
        pen.out += _text(element, ink)
    else:
        _paint(element, ink, pen)
    pen.scale = before
    if moved or clip:
        pen.out.append("Q")


def _scale(transform: str) -> float:
    """How much larger a transform draws: its factor upright."""
    factor = 1.0
    for inside in re.findall(r"scale\(([^)]*)\)", transform):
        factor *= abs(float(re.split(r"[\s,]+", inside.strip())[-1]))
    return factor


def _is_small(shape: Sequence[str], scale: float) -> bool:
    """Is a shape as small as what stands in a corner? It has to stay dark to be read."""
    found = [float(number) for line in shape for number in re.findall(r"-?\d+\.\d+", line)]
    if len(shape) == 1 and shape[0].endswith("re"):
        return max(found[2:]) * scale < SMALL
    return max(max(axis) - min(axis) for axis in (found[::2], found[1::2])) * scale < SMALL


def _inherited(element: ET.Element, ink: _Ink) -> _Ink:
    said = element.attrib
    return _Ink(
        said.get("fill", ink.fill),
        said.get("stroke", ink.stroke),
        float(said.get("stroke-width", ink.width)),
        said.get("stroke-linecap", ink.cap),
        said.get("stroke-linejoin", ink.join),
        said.get("fill-rule", ink.rule),
        ink.alpha * float(said.get("opacity", 1)),
    )


def _moved(transform: str) -> Iterator[str]:
    for name, inside in re.findall(r"(\w+)\(([^)]*)\)", transform):
        values = [float(value) for value in re.split(r"[\s,]+", inside.strip())]
        if name == "translate":
            yield f"1 0 0 1 {values[0]:.4f} {(*values, 0.0)[1]:.4f} cm"
        elif name == "scale":
            yield f"{values[0]:.5f} 0 0 {values[-1]:.5f} 0 0 cm"
        elif name == "rotate":
            angle, at = values[0] * pi / 180, values[1:] or [0.0, 0.0]
            yield f"1 0 0 1 {at[0]:.4f} {at[1]:.4f} cm"
            yield f"{cos(angle):.5f} {sin(angle):.5f} {-sin(angle):.5f} {cos(angle):.5f} 0 0 cm"
            yield f"1 0 0 1 {-at[0]:.4f} {-at[1]:.4f} cm"
        else:
            raise ValueError(f"no drawing of this room is moved by {name}")


def _paint(element: ET.Element, ink: _Ink, pen: _Pen) -> None:
    fills, strokes = ink.fill != "none", ink.stroke != "none" and ink.width > 0
    if not fills and not strokes:
        return
    step = round(ink.alpha * STEPS)
    if step < STEPS:
        pen.out.append(f"q /G{max(1, step)} gs")
    shape = _shape(element)
    if fills:
        pen.out.append(f"{_rgb(ink.fill if _is_small(shape, pen.scale) else pen.tint(ink.fill))} rg")
    if strokes:
        caps, joins = ("butt", "round", "square"), ("miter", "round", "bevel")
        pen.out.append(f"{_rgb(ink.stroke)} RG {ink.width:.4f} w {caps.index(ink.cap)} J {joins.index(ink.join)} j")
    pen.out += shape
    star = "*" if ink.rule == "evenodd" and fills else ""
    pen.out.append({(True, True): "B", (True, False): "f", (False, True): "S"}[fills, strokes] + star)
    if step < STEPS:
        pen.out.append("Q")


def _rgb(colour: str) -> str:
    named = {"white": "#ffffff", "black": "#000000"}.get(colour, colour)
    found = re.fullmatch(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", named)
    if found is None:
        raise ValueError(f"no drawing of this room has the colour {colour!r}")
    return " ".join(f"{int(part, 16) / 255:.4g}" for part in found.groups())


def _shape(element: ET.Element) -> list[str]:
    """The path of a path, rectangle, circle or ellipse."""
    number: Callable[[str], float] = lambda key: float(element.get(key, 0))  # noqa: E731
    match _name(element):
        case "path":
            return [f"{' '.join(f'{v:.4f}' for v in values)} {op}" for op, values in segments(element.get("d", ""))]
        case "rect":
            return _rect(number("x"), number("y"), number("width"), number("height"), number("rx"))
        case "circle":
            return _ellipse(number("cx"), number("cy"), number("r"), number("r"))
        case "ellipse":
            return _ellipse(number("cx"), number("cy"), number("rx"), number("ry"))
        case other:
            raise ValueError(f"no drawing of this room has the element {other}")


def _rect(x: float, y: float, w: float, h: float, r: float) -> list[str]:
    if not r:
        return [f"{x:.4f} {y:.4f} {w:.4f} {h:.4f} re"]
    k = r * (1 - _ROUND)
    right, low = x + w, y + h
    d = (
        f"M{x + r} {y}L{right - r} {y}C{right - k} {y} {right} {y + k} {right} {y + r}L{right} {low - r}"
        f"C{right} {low - k} {right - k} {low} {right - r} {low}L{x + r} {low}C{x + k} {low} {x} {low - k} {x} {low - r}"
        f"L{x} {y + r}C{x} {y + k} {x + k} {y} {x + r} {y}Z"
    )
    return [f"{' '.join(f'{v:.4f}' for v in values)} {op}" for op, values in segments(d)]


def _ellipse(cx: float, cy: float, rx: float, ry: float) -> list[str]:
    left, right, radii = f"{cx - rx:.4f} {cy:.4f}", f"{cx + rx:.4f} {cy:.4f}", f"{rx:.4f} {ry:.4f}"
    d = f"M{left}A{radii} 0 1 1 {right}A{radii} 0 1 1 {left}Z"
    return [f"{' '.join(f'{v:.4f}' for v in values)} {op}" for op, values in segments(d)]


def segments(d: str) -> Iterator[Segment]:
    """A path's data as PDF operators (m, l, c, h) with absolute points. Raises ValueError for what is no path data."""
    tokens = _TOKEN.findall(_apart(d))
    at, place, start, handle = 0, (0.0, 0.0), (0.0, 0.0), None
    command = ""
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        upper = command.upper()
        if upper not in _TAKES:
            raise ValueError(f"no path of this room has the command {command!r}")
        count = _TAKES[upper]
        values = [float(token) for token in tokens[at : at + count]]
        at += count
        x, y = place if command.islower() else (0.0, 0.0)
        before, handle = handle, None
        if upper == "Z":
            place = start
            yield "h", ()
        elif upper == "A":
            end = (values[5] + x, values[6] + y)
            yield from _arc(place, values, end)
            place = end
        elif upper in "HV":
            place = (values[0] + x, place[1]) if upper == "H" else (place[0], values[0] + y)
            yield "l", place
        else:
            points = [(values[i] + x, values[i + 1] + y) for i in range(0, count, 2)]
            if upper in "ML":
                yield ("m" if upper == "M" else "l"), points[0]
                if upper == "M":
                    start, command = points[0], "l" if command == "m" else "L"
            else:
                points, handle = _curve(upper, place, points, before)
                yield "c", (*points[0], *points[1], *points[2])
            place = points[-1]


def _curve(upper: str, place: Point, points: list[Point], before: Point | None) -> tuple[list[Point], Point]:
    """A curve of any kind as a cubic one, and its second handle."""
    if upper == "S":
        points = [(2 * place[0] - before[0], 2 * place[1] - before[1]) if before else place, *points]
    if upper == "Q":
        middle, end = points
        handles = [(p[0] + 2 * (middle[0] - p[0]) / 3, p[1] + 2 * (middle[1] - p[1]) / 3) for p in (place, end)]
        points = [*handles, end]
    return points, points[1]


def _apart(d: str) -> str:
    """The flags of arcs may be written without a space; here they always get one."""
    number = r"[-+]?(?:\d*\.\d+|\d+\.?)"
    gap = r"[\s,]*"
    arc = rf"({number}{gap}{number}{gap}{number}{gap})([01]){gap}([01]){gap}({number}{gap}{number}{gap})"
    return re.sub(r"[Aa][^A-Za-z]*", lambda found: re.sub(arc, r"\1 \2 \3 \4 ", found[0]), d)


def _arc(start: Point, values: list[float], end: Point) -> Iterator[Segment]:
    """An arc as curves of at most a quarter (SVG 1.1, F.6)."""
    rx, ry, turn = abs(values[0]), abs(values[1]), values[2] * pi / 180
    large, sweep = bool(values[3]), bool(values[4])
    if not rx or not ry or start == end:
        yield "l", end
        return
    c, s = cos(turn), sin(turn)
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    px, py = c * dx + s * dy, -s * dx + c * dy
    grow = sqrt(max(1.0, (px / rx) ** 2 + (py / ry) ** 2))
    rx, ry = rx * grow, ry * grow
    under = (rx * ry) ** 2 - (rx * py) ** 2 - (ry * px) ** 2
    factor = sqrt(max(0.0, under) / ((rx * py) ** 2 + (ry * px) ** 2)) * (-1 if large == sweep else 1)
    qx, qy = factor * rx * py / ry, -factor * ry * px / rx
    cx, cy = c * qx - s * qy + (start[0] + end[0]) / 2, s * qx + c * qy + (start[1] + end[1]) / 2
    first = atan2((py - qy) / ry, (px - qx) / rx)
    angle = (atan2((-py - qy) / ry, (-px - qx) / rx) - first) % (2 * pi)
    if not sweep:
        angle -= 2 * pi
    steps = max(1, int(abs(angle) / (pi / 2) + 0.999))
    step = angle / steps
    k = 4 / 3 * tan(step / 4)

    def on(u: float, v: float) -> Point:
        return cx + c * rx * u - s * ry * v, cy + s * rx * u + c * ry * v

    for number in range(steps):
        a, b = first + number * step, first + (number + 1) * step
        one, two = on(cos(a) - k * sin(a), sin(a) + k * cos(a)), on(cos(b) + k * sin(b), sin(b) - k * cos(b))
        yield "c", (*one, *two, *(end if number == steps - 1 else on(cos(b), sin(b))))


def _text(element: ET.Element, ink: _Ink) -> list[str]:
    said: Mapping[str, str] = element.attrib
    text, size = element.text or "", float(said.get("font-size", 4))
    width = size * sum(_WIDTHS.get(letter, 1.0) for letter in text)
    x = float(said.get("x", 0)) - (width / 2 if said.get("text-anchor") == "middle" else 0)
    shown = []
    for latin, letters in groupby(text, key=lambda letter: letter in _WIDTHS):
        run = "".join(letters)
        escaped = run.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        shown.append(
            f"/F3 {size:g} Tf ({escaped}) Tj" if latin else f"/F2 {size:g} Tf <{run.encode('utf-16-be').hex()}> Tj"
        )
    return [f"BT {_rgb(ink.fill)} rg 1 0 0 -1 {x:.4f} {float(said.get('y', 0)):.4f} Tm {' '.join(shown)} ET"]
