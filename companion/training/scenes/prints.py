"""Card prints for training: every deck design as pictures of its faces, with the place of its index.

Sources, all kept out of the repository and rendered into a cache:

- Debian's `gnome-cards-data` (GPL-3+): SVG sheets, 13 columns, clubs, diamonds, hearts, spades, then jokers and back;
- npm `svg-cards` (LGPL-2.1) and `@younestouati/playing-cards-standard-deck` (LGPL-3), unpacked by the recipe;
- photographs of one real deck whose manifest says "may train" (cut out by their dark ground);
- invented prints (`drawn_prints`), as many as asked for.

A source that is missing is left out."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from companion.training.scenes import drawn_prints

Box = tuple[float, float, float, float]
WIDTH = 250
RANKS = drawn_prints.RANKS
FACES = tuple(rank + suit for suit in "SHDC" for rank in RANKS)
JOKERS = ("JK1", "JK2")
GNOME_DIR = Path("/usr/share/aisleriot/cards")

# Index box (rank over suit) of each sheet design as fractions of the card, read off contact sheets by hand.
# Left out because rank and suit are not printed together in a corner: guyenne-classic, swiss-xvii, tango_nuevo.
GNOME: dict[str, Box] = {
    "ancient_french": (0.02, 0.035, 0.17, 0.24),
    "anglo": (0.02, 0.03, 0.155, 0.245),
    "anglo_bitmap": (0.02, 0.03, 0.155, 0.245),
    "anglo_modern": (0.02, 0.04, 0.15, 0.255),
    "anglo_modern_4_color": (0.02, 0.04, 0.15, 0.255),
    "anglo_poker": (0.02, 0.03, 0.155, 0.225),
    "atlasnye": (0.02, 0.04, 0.145, 0.235),
    "atlasnye_skat": (0.02, 0.04, 0.145, 0.235),
    "bellot": (0.025, 0.015, 0.17, 0.25),
    "berlin": (0.02, 0.035, 0.155, 0.225),
    "dondorf": (0.03, 0.03, 0.175, 0.25),
    "gnomangelo": (0.025, 0.035, 0.16, 0.25),
    "gnomangelo_bitmap": (0.025, 0.035, 0.16, 0.26),
    "lattmann": (0.02, 0.035, 0.16, 0.235),
    "neoclassical": (0.02, 0.035, 0.17, 0.245),
    "neoclassical_4_color": (0.02, 0.035, 0.17, 0.245),
    "orell": (0.03, 0.035, 0.165, 0.21),
    "ornamental": (0.02, 0.045, 0.28, 0.445),
    "paris": (0.025, 0.03, 0.165, 0.24),
    "plastic": (0.025, 0.03, 0.22, 0.305),
    "rheinland": (0.02, 0.035, 0.155, 0.235),
    "simplistic": (0.035, 0.05, 0.155, 0.255),
    "slavic_costumes": (0.035, 0.035, 0.19, 0.23),
    "tango": (0.025, 0.035, 0.24, 0.38),
    "tarocco": (0.025, 0.035, 0.165, 0.215),
    "tigullio": (0.03, 0.035, 0.175, 0.235),
    "\u0410\u0442\u043b\u0430\u0441\u043d\u044b\u0435": (0.02, 0.045, 0.14, 0.225),
}
GNOME_FOUR = {"dondorf"}
HELDOUT = {"simplistic", "tigullio"}
SVG_CARDS_BOX: Box = (0.02, 0.025, 0.155, 0.24)
YOUNES_BOX: Box = (0.02, 0.03, 0.14, 0.24)
PIATNIK_BOX: Box = (0.02, 0.02, 0.16, 0.2)


@dataclass(frozen=True, slots=True)
class Print:
    """One deck design. Pictures are RGBA, uint8, `WIDTH` px wide, alpha cuts the rounded corners.

    `index` is the top-left index (rank over suit) as fractions of the card; the bottom-right one is its image under
    a half turn. With `corners == 4` the other two corners carry one as well, mirrored in place but upright towards
    the nearer short side. `indexed` names the faces that really show it (jokers often do not).
    """

    name: str
    source: str
    split: str
    faces: dict[str, np.ndarray]
    backs: list[np.ndarray]
    index: Box
    corners: int = 2
    indexed: frozenset[str] = field(default_factory=lambda: frozenset(FACES))


def cache_dir() -> Path:
    """Where rendered prints live: `$COMPANION_PRINTS`, else `~/.cache/table-companion/prints`."""
    path = Path(os.environ.get("COMPANION_PRINTS", "") or Path.home() / ".cache" / "table-companion" / "prints")
    path.mkdir(parents=True, exist_ok=True)
    return path


def photos_dir() -> Path | None:
    """The folder of real photographs (`$COMPANION_PHOTOS`), or None: training then does without them."""
    given = os.environ.get("COMPANION_PHOTOS", "")
    return Path(given) if given and Path(given).is_dir() else None


def npm_dir() -> Path | None:
    """The folder in which the recipe unpacked the npm card sets (`$COMPANION_NPM_CARDS`), or None."""
    given = os.environ.get("COMPANION_NPM_CARDS", "")
    return Path(given) if given and Path(given).is_dir() else None


def round_corners(card: np.ndarray, radius: float = 0.055) -> np.ndarray:
    """RGB or RGBA card picture → RGBA with its corners cut; `radius` is a fraction of the width."""
    h, w = card.shape[:2]
    r = max(1, round(radius * w))
    mask = np.zeros((h, w), np.uint8)
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for corner in ((r, r), (w - 1 - r, r), (r, h - 1 - r), (w - 1 - r, h - 1 - r)):
        cv2.circle(mask, corner, r, 255, -1, cv2.LINE_AA)
    return np.dstack([card[..., :3], mask])


def _trim(cell: np.ndarray, cut: float = 0.012) -> np.ndarray:
    """A sheet cell (RGBA) → the card alone: its opaque part, less the drawn outline, on white, corners cut."""
    solid = cell[..., 3] > 128
    ys, xs = np.flatnonzero(solid.any(1)), np.flatnonzero(solid.any(0))
    if len(ys) < 20 or len(xs) < 20:
        raise ValueError("an empty cell in a card sheet")
    margin = max(1, round(cut * (xs[-1] - xs[0])))
    part = cell[ys[0] + margin : ys[-1] + 1 - margin, xs[0] + margin : xs[-1] + 1 - margin]
    alpha = part[..., 3:].astype(np.float32) / 255
    flat = (part[..., :3] * alpha + np.array([250, 250, 250], np.float32) * (1 - alpha)).astype(np.uint8)
    return round_corners(_sized(flat))


def _sized(card: np.ndarray) -> np.ndarray:
    height = round(card.shape[0] * WIDTH / card.shape[1])
    return cv2.resize(card, (WIDTH, height), interpolation=cv2.INTER_AREA)


def _svg(text: str, width: int) -> np.ndarray:
    """SVG text → RGBA picture `width` px wide. Needs the `resvg_py` package."""
    import resvg_py

    raw = np.frombuffer(bytes(resvg_py.svg_to_bytes(svg_string=text, width=width)), np.uint8)
    image = cv2.imdecode(raw, cv2.IMREAD_UNCHANGED)
    if image is None:
        raise ValueError("an SVG card could not be drawn")
    return cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA)


def _gnome(name: str) -> dict[str, np.ndarray]:
    """All cells of one sheet by face code; backs are `back0`."""
    sheet = _svg(gzip.decompress((GNOME_DIR / f"{name}.svgz").read_bytes()).decode("utf-8"), 13 * (WIDTH + 10))
    h, w = sheet.shape[0] / 5, sheet.shape[1] / 13
    order = [(rank + suit, r, c) for r, suit in enumerate("CDHS") for c, rank in enumerate(RANKS)]
    order += [("JK2", 4, 0), ("JK1", 4, 1), ("back0", 4, 2)]
    return {
        code: _trim(sheet[round(r * h) : round((r + 1) * h), round(c * w) : round((c + 1) * w)]) for code, r, c in order
    }


def _svg_cards(folder: Path) -> dict[str, np.ndarray]:
    """npm `svg-cards`: its 2x PNG pictures."""
    found = sorted(folder.glob("**/png/2x/club_1.png"))
    if not found:
        raise FileNotFoundError("svg-cards")
    names = {"A": "1", "J": "jack", "Q": "queen", "K": "king"}
    suits = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
    files = {r + s: f"{suits[s]}_{names.get(r, r)}.png" for s in "SHDC" for r in RANKS}
    files |= {"JK1": "joker_red.png", "JK2": "joker_black.png", "back0": "back-navy.png", "back1": "back-red.png"}
    out = {}
    for code, file in files.items():
        image = cv2.imread(str(found[0].parent / file), cv2.IMREAD_UNCHANGED)
        out[code] = _trim(cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA))
    return out


def _younes(folder: Path) -> dict[str, np.ndarray]:
    """npm `@younestouati/playing-cards-standard-deck`: one SVG a card."""
    found = sorted(folder.glob("**/cards/13s.svg"))
    if not found:
        raise FileNotFoundError("playing-cards-standard-deck")
    files = {rank + suit: f"{k + 1}{suit.lower()}.svg" for suit in "SHDC" for k, rank in enumerate(RANKS)}
    files["back0"] = "back.svg"
    return {code: _trim(_svg((found[0].parent / f).read_text("utf-8"), WIDTH + 10)) for code, f in files.items()}


def cut_out(photo: np.ndarray) -> np.ndarray | None:
    """The one bright card of a photograph on a dark ground, upright, RGB; None where no clear quadrilateral is seen."""
    grey = cv2.GaussianBlur(cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY), (7, 7), 0)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    if cv2.contourArea(hull) < 0.08 * grey.size:
        return None
    quad = _hull_quad(hull[:, 0].astype(np.float32))
    if quad is None:
        return None
    height = round(WIDTH * 1.5)
    target = np.array([[0, 0], [WIDTH, 0], [WIDTH, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(quad, target)
    return cv2.warpPerspective(photo, warp, (WIDTH, height), flags=cv2.INTER_AREA)


def _hull_quad(hull: np.ndarray) -> np.ndarray | None:
    """A convex hull with rounded corners → its four straight sides' intersections, short side on top."""
    length = cv2.arcLength(hull[:, None], True)
    for eps in np.linspace(0.01, 0.12, 23):
        poly = cv2.approxPolyDP(hull[:, None], eps * length, True)[:, 0]
        if len(poly) == 4:
            break
    else:
        return None
    poly = poly.astype(np.float32)
    lines = []
    for k in range(4):  # fit each side on the hull points near its middle, so that rounded corners do not shrink it
        a, b = poly[k], poly[(k + 1) % 4]
        points = a + np.linspace(0.2, 0.8, 40)[:, None] * (b - a)
        normal = np.array([b[1] - a[1], a[0] - b[0]]) / max(1e-6, np.hypot(*(b - a)))
        shift = max(float(((hull - a) @ normal).max()), 0.0)
        lines.append((points[0] + normal * shift * 0.6, points[-1] + normal * shift * 0.6))
    corners = []
    for k in range(4):
        (p, q), (r, s) = lines[k - 1], lines[k]
        d1, d2 = q - p, s - r
        cross = d1[0] * d2[1] - d1[1] * d2[0]
        if abs(cross) < 1e-6:
            return None
        corners.append(p + d1 * ((r - p)[0] * d2[1] - (r - p)[1] * d2[0]) / cross)
    quad = np.array(corners, np.float32)
    along, down = quad[1] - quad[0], quad[2] - quad[1]
    if along[0] * down[1] - along[1] * down[0] < 0:
        quad = quad[::-1].copy()
    quad = np.roll(quad, -int(np.argmin(quad.sum(1))), axis=0)
    wide, tall = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[2] - quad[1]))
    return np.roll(quad, 1, axis=0) if wide > tall else quad


def _piatnik(folder: Path) -> dict[str, np.ndarray]:
    """The "may train" single cards of the source `predrag-piatnik`, cut out."""
    base = folder / "predrag-piatnik"
    out = {}
    for line in (base / "manifest.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row.get("use") != "may train" or len(row["cards"]) != 1 or row["cards"][0]["name"] not in FACES:
            continue
        card = cut_out(cv2.cvtColor(cv2.imread(str(base / row["file"])), cv2.COLOR_BGR2RGB))
        if card is not None:
            out[row["cards"][0]["name"]] = round_corners(card)
    return out


def _drawn(seed: int) -> dict[str, np.ndarray]:
    design = drawn_prints.invent(seed)
    out = {code: round_corners(drawn_prints.draw_face(design, code)) for code in FACES + JOKERS}
    return out | {f"back{k}": round_corners(drawn_prints.draw_back(seed * 2 + k, design.aspect)) for k in range(2)}


def _cached(name: str, make: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The pictures of one print from the cache (memory-mapped), rendered on first use."""
    base = cache_dir() / name.replace("/", "_")
    data, keys = base.with_suffix(".npy"), base.with_suffix(".json")
    if not keys.exists():
        pictures = make()
        if len(pictures) < 30:
            raise ValueError(f"the print {name} has too few faces")
        shape = next(iter(pictures.values())).shape
        stack = np.stack([cv2.resize(p, (shape[1], shape[0])) if p.shape != shape else p for p in pictures.values()])
        scratch = base.with_suffix(f".{os.getpid()}.npy")
        np.save(scratch, stack)
        scratch.replace(data)
        keys.write_text(json.dumps(list(pictures)), "utf-8")
    stack = np.load(data, mmap_mode="r")
    return dict(zip(json.loads(keys.read_text("utf-8")), stack, strict=True))


@dataclass(frozen=True, slots=True)
class _Recipe:
    """How to get one print; picklable, so that workers can render it."""

    name: str
    source: str
    split: str
    index: Box
    corners: int
    kind: str
    seed: int = 0

    def pictures(self) -> dict[str, np.ndarray]:
        match self.kind:
            case "gnome":
                return _gnome(self.name)
            case "drawn":
                return _drawn(self.seed)
            case "svg-cards":
                return _svg_cards(_need(npm_dir()))
            case "younes":
                return _younes(_need(npm_dir()))
            case _:
                return _piatnik(_need(photos_dir()))

    def load(self) -> Print:
        pictures = _cached(f"{self.kind}-{self.name}", self.pictures)
        faces = {code: p for code, p in pictures.items() if not code.startswith("back")}
        backs = [p for code, p in pictures.items() if code.startswith("back")]
        indexed = frozenset(faces) if self.kind == "drawn" else frozenset(FACES)
        return Print(self.name, self.source, self.split, faces, backs, self.index, self.corners, indexed)


def _need(folder: Path | None) -> Path:
    if folder is None:
        raise FileNotFoundError("a source of prints")
    return folder


def _recipes(split: str, drawn: int) -> list[_Recipe]:
    out = []
    for name, box in GNOME.items():
        own = "heldout" if name in HELDOUT else "train"
        if own == split and (GNOME_DIR / f"{name}.svgz").exists():
            out.append(_Recipe(name, "gnome-cards-data", own, box, 4 if name in GNOME_FOUR else 2, "gnome"))
    if split == "train" and npm_dir() is not None:
        out.append(_Recipe("svg-cards", "npm svg-cards", split, SVG_CARDS_BOX, 2, "svg-cards"))
        out.append(_Recipe("standard-deck", "npm playing-cards-standard-deck", split, YOUNES_BOX, 2, "younes"))
    if split == "train" and photos_dir() is not None:
        out.append(_Recipe("piatnik-photo", "predrag-piatnik (may train)", split, PIATNIK_BOX, 4, "photo"))
    first = drawn_prints.HELDOUT_SEEDS if split == "heldout" else 0
    return out + [invented(seed) for seed in range(first, first + drawn)]


def invented(seed: int) -> _Recipe:
    """How to get the invented print of this seed: `load` it."""
    design, split = drawn_prints.invent(seed), "heldout" if seed >= drawn_prints.HELDOUT_SEEDS else "train"
    return _Recipe(f"drawn-{seed}", "invented", split, design.index, design.corners, "drawn", seed)


def _warm(recipe: _Recipe) -> str:
    """Render into the cache; an unusable source is reported, not fatal."""
    try:
        recipe.load()
    except (FileNotFoundError, ValueError, ImportError, KeyError) as problem:
        return f"{recipe.name}: {problem}"
    return ""


def load_prints(split: str, drawn: int | None = None, workers: int = 2) -> list[Print]:
    """All prints of a split (`train` or `heldout`), rendered on first use with `workers` processes.

    `drawn` is the number of invented prints (default 60 for training, 8 held out). Sources that are not installed
    are left out; a print that cannot be rendered is named on standard error. Raises ValueError for another split.
    """
    if split not in ("train", "heldout"):
        raise ValueError(f"unknown split {split!r}: train or heldout")
    recipes = _recipes(split, (60 if split == "train" else 8) if drawn is None else drawn)
    cold = [r for r in recipes if not (cache_dir() / f"{r.kind}-{r.name}.json").exists()]
    if len(cold) > 3 and workers > 1:
        with ProcessPoolExecutor(workers) as pool:
            problems = list(pool.map(_warm, cold))
    else:
        problems = [_warm(r) for r in cold]
    for problem in filter(None, problems):
        print("left out:", problem, flush=True)
    return [r.load() for r in recipes if (cache_dir() / f"{r.kind}-{r.name}.json").exists()]


FILMED = 200  # so many invented prints of a split may be picked one by one


def one_print(split: str, rng: np.random.Generator) -> Print:
    """One print of a split, rendered on first use: every second time one of the card sets that are installed, else an
    invented one, mostly with the letters A J Q K."""
    installed = [recipe for recipe in _recipes(split, 0) if recipe.kind != "photo"]
    if installed and rng.random() < 0.5:
        return installed[int(rng.integers(len(installed)))].load()
    first = drawn_prints.HELDOUT_SEEDS if split == "heldout" else 0
    english = rng.random() < 0.8
    while True:
        seed = first + int(rng.integers(FILMED))
        if not english or drawn_prints.invent(seed).letters == ("A", "J", "Q", "K"):
            return invented(seed).load()


def index_quads(design: Print, face: str) -> list[np.ndarray]:
    """The index boxes of a face in card fractions, each 4×2, in the index's own order TL, TR, BR, BL.

    Top-left first, then its half turn, then (four-corner prints) top-right and its half turn. Empty for a face
    that shows no index.
    """
    if face not in design.indexed:
        return []
    x0, y0, x1, y1 = design.index
    first = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
    quads = [first, 1 - first]
    if design.corners == 4:
        right = first + np.array([1 - x0 - x1, 0], np.float32)
        quads += [right, 1 - right]
    return quads
