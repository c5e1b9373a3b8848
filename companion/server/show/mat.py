"""The mat of a game to print: every zone with its name and a tag in each corner, over several sheets of paper.

Sheets overlap; crosses stand at the same points of both, so that they can be laid over one another. The first sheet
shows the whole mat with the names of the sheets and says what to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from companion.referee import Match
from companion.server.show.texts import Context, Texts
from companion.server.show.zones import centimetres
from companion.table import Layout, ZoneShape
from companion.table.forms import Size
from companion.table.solve import TAG
from companion.vision.camera.boards import tag_figure
from companion.vision.camera.pdf import Page, document, rectangle, stroke, width_of, words

PAPERS: dict[str, Size] = {"a4": (297.0, 210.0), "a3": (420.0, 297.0)}
"""Long and short side, mm."""

PRINTED = 8.0
"""No printer prints nearer (mm) to the edge of a sheet."""

OVERLAP = 12.0
"""By so much (mm) neighbouring sheets show the same."""

RIM = 10.0
"""White paper (mm) round the table area: tags are found only with something light around them."""

CROSS = 4.0
ARM = 12.0
"""Length (mm) of the lines at the corners of a zone."""

LINES, WORDS = 0.7, 0.7
"""Grey of lines and names (0 black, 1 white): for eyes, not for the reader of cards."""

LETTERS = 7.0
"""Height (mm) of a zone's name, where it has room."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a mat is cut into sheets: sheet size, columns and rows, all in mm."""

    sheet: Size
    columns: int
    rows: int

    @property
    def shown(self) -> Size:
        """What a sheet shows of the mat."""
        return (self.sheet[0] - 2 * PRINTED, self.sheet[1] - 2 * PRINTED)

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """The left top of what a sheet shows, mm of the mat."""
        return (column * (self.shown[0] - OVERLAP), row * (self.shown[1] - OVERLAP))

    def name(self, column: int, row: int) -> str:
        """``B2``: second row, second column."""
        return f"{chr(ord('A') + row)}{column + 1}"


def tiled(table: Size, paper: str) -> Tiling:
    """The way with the fewest sheets, upright or lying. Raises KeyError for paper that nobody knows."""
    long, short = PAPERS[paper]
    ways = []
    for sheet in ((long, short), (short, long)):
        steps = [ceil((table[n] - OVERLAP) / (sheet[n] - 2 * PRINTED - OVERLAP)) for n in (0, 1)]
        ways.append(Tiling(sheet, max(1, steps[0]), max(1, steps[1])))
    return min(ways, key=lambda way: way.columns * way.rows)


def with_rim(table: Size) -> Size:
    """The paper of a mat for a table area of this size, mm."""
    return (table[0] + 2 * RIM, table[1] + 2 * RIM)


def mat_title(match: Match, layout: Layout, texts: Texts, lang: str) -> str:
    """Game, players and size in one line."""
    game = texts.text(f"game.{match.game.id}.name", lang)
    return texts.text("mat.title", lang, game=game, n=len(match.setup.players), size=centimetres(layout.size))


def mat_pdf(layout: Layout, title: str, texts: Texts, lang: str, context: Context, paper: str = "a4") -> bytes:
    """The mat of a `layout` in mm as PDF. `title`: what it is for; `context` knows the names of its zones."""
    size = with_rim(layout.size)
    tiling = tiled(size, paper)
    figure = Page(*size, _figure(layout, texts, lang, context))
    sheets = [_sheet(tiling, size, column, row) for row in range(tiling.rows) for column in range(tiling.columns)]
    return document([_cover(tiling, layout.size, title, texts, lang), *sheets], figure)


def _figure(layout: Layout, texts: Texts, lang: str, context: Context) -> str:
    """The whole mat: where to cut it, tags, zones."""
    width, tall = layout.size
    paper = with_rim(layout.size)
    drawn = [rectangle(0.1, 0.1, paper[0] - 0.2, paper[1] - 0.2, 0.8, 0.2), f"q 1 0 0 1 {RIM:g} {RIM:g} cm"]
    for number in range(4):
        x = 0.0 if number in (0, 3) else width - TAG
        y = 0.0 if number in (0, 1) else tall - TAG
        drawn.append(tag_figure(number, x, y, TAG, tall))
    drawn += [_zone(shape, texts.zone(shape.id, lang, context), tall) for shape in layout.zones]
    return "\n".join([*drawn, "Q"])


def _zone(shape: ZoneShape, name: str, tall: float) -> str:
    """Outline and name, at the edge nearest to whoever it belongs to."""
    xs, ys = zip(*shape.polygon, strict=True)
    left, right, top, low = min(xs), max(xs), min(ys), max(ys)
    across = right - left if shape.turn % 180 == 0 else low - top
    size = max(2.5, min(LETTERS, LETTERS * (across - 6) / max(1.0, width_of(name, LETTERS))))
    inset = 2.5
    begin = {
        0: (left + inset, low - inset),
        90: (left + inset, top + inset),
        180: (right - inset, top + inset),
        270: (right - inset, low - inset),
    }[shape.turn]
    corners = [
        _corner(x, tall - y, x_way, y_way)
        for x, x_way in ((left, 1), (right, -1))
        for y, y_way in ((top, -1), (low, 1))
    ]
    return "\n".join([*corners, words(name, begin[0], tall - begin[1], size, WORDS, shape.turn)])


def _corner(x: float, y: float, x_way: int, y_way: int) -> str:
    """Two short lines. A closed frame of a card's form would be read as a card."""
    return stroke(x, y, x + x_way * ARM, y, LINES, 0.6) + "\n" + stroke(x, y, x, y + y_way * ARM, LINES, 0.6)


def _sheet(tiling: Tiling, table: Size, column: int, row: int) -> Page:
    """One sheet: its part of the mat, crosses in the overlaps, lines where to cut, its name."""
    (wide, high), (x, y) = tiling.shown, tiling.corner(column, row)
    lift = PRINTED + high + y - table[1]
    drawn = [
        f"q {PRINTED} {PRINTED} {wide:.3f} {high:.3f} re W n 1 0 0 1 {PRINTED - x:.3f} {lift:.3f} cm /Fig Do Q",
        words(tiling.name(column, row), PRINTED + OVERLAP + 1, PRINTED + OVERLAP + 1, 4, 0.6),
    ]
    half = OVERLAP / 2
    across = ([PRINTED + half] if column else []) + ([PRINTED + wide - half] if column + 1 < tiling.columns else [])
    along = ([PRINTED + high - half] if row else []) + ([PRINTED + half] if row + 1 < tiling.rows else [])
    drawn += ["[0.6 1.2] 0 d"]
    drawn += [stroke(at, PRINTED, at, PRINTED + high, 0.7, 0.15) for at in across[: 1 if column else 0]]
    drawn += [stroke(PRINTED, at, PRINTED + wide, at, 0.7, 0.15) for at in along[: 1 if row else 0]]
    drawn += ["[] 0 d"]
    for at in across:
        for up in along or (PRINTED + high / 2,):
            drawn += _cross(at, up)
        drawn += [c for up in (PRINTED + high / 3, PRINTED + 2 * high / 3) for c in _cross(at, up)]
    for up in along:
        drawn += [c for at in (PRINTED + wide / 3, PRINTED + 2 * wide / 3) for c in _cross(at, up)]
    return Page(*tiling.sheet, "\n".join(drawn))


def _cross(x: float, y: float) -> list[str]:
    return [stroke(x - CROSS, y, x + CROSS, y, 0.0, 0.2), stroke(x, y - CROSS, x, y + CROSS, 0.0, 0.2)]


def _cover(tiling: Tiling, table: Size, title: str, texts: Texts, lang: str) -> Page:
    """The whole mat small, with the names of the sheets, and what to do."""
    width, tall = tiling.sheet
    size, count = centimetres(table), tiling.columns * tiling.rows
    lines = [texts.text(f"mat.step.{n}", lang, size=size, sheets=count) for n in range(1, 6)]
    drawn = [words(title, 15, tall - 20, 7, 0.0)]
    at = tall - 32
    for line in lines:
        for part in _wrapped(line, 4.2, width - 30, lang):
            drawn.append(words(part, 15, at, 4.2, 0.1))
            at -= 6.2
        at -= 1
    drawn += [stroke(15, at - 3, 115, at - 3, 0.0, 0.3), stroke(15, at - 5, 15, at - 1, 0.0, 0.3)]
    drawn += [stroke(115, at - 5, 115, at - 1, 0.0, 0.3), words("100 mm", 118, at - 4.2, 4, 0.1)]
    table = with_rim(table)
    scale = min((width - 30) / table[0], (at - 25) / table[1])
    low = at - 12 - table[1] * scale
    drawn.append(f"q {scale:.5f} 0 0 {scale:.5f} 15 {low:.3f} cm /Fig Do Q")
    for row in range(tiling.rows):
        for column in range(tiling.columns):
            (x, y), (wide, high) = tiling.corner(column, row), tiling.shown
            right, bottom = min(x + wide, table[0]), min(y + high, table[1])
            box = (15 + x * scale, low + (table[1] - bottom) * scale, (right - x) * scale, (bottom - y) * scale)
            drawn.append(rectangle(*box, 0.3, 0.15))
            drawn.append(words(tiling.name(column, row), box[0] + box[2] / 2 - 3, box[1] + box[3] / 2, 5, 0.2))
    return Page(width, tall, "\n".join(drawn))


def _wrapped(line: str, size: float, width: float, lang: str) -> list[str]:
    """A sentence in lines that fit: parted at spaces, Japanese between letters."""
    pieces, between = (list(line), "") if lang == "ja" else (line.split(" "), " ")
    parts = [pieces[0]]
    for piece in pieces[1:]:
        if width_of(parts[-1] + between + piece, size) > width:
            parts.append(piece)
        else:
            parts[-1] += between + piece
    return parts
