"""Remembers cards: single pictures in, a table of lasting cards out.

A card is followed by its place alone. Names only ever keep things apart: when hands were at a place and another face
lies there afterwards, that is another card. A card that is not found stays until its place is *seen* empty, so
neither a hand nor another card on top makes it vanish, and a cleared table keeps no phantom; what it lay on proves as
much as bare table does. Reads of the same card add
up as log-odds; reads between which nothing moved say almost the same and count little. What a person says counts
for good.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.boxes import lies_in
from companion.vision.camera.calibration import Calibration
from companion.vision.following import parameters
from companion.vision.following.background import BackgroundModel
from companion.vision.following.backs import Backs
from companion.vision.following.beside import Beside
from companion.vision.following.looks import Grey, brighter, changed, grey, likeness, taken
from companion.vision.following.matching import (
    as_it_lay,
    associate,
    corners_of_others,
    found_again,
    is_at,
    is_disturbed,
    lies_deep,
    looks_otherwise,
    may_be,
    may_be_another,
    mostly_covered_by,
    outsized,
    pushed,
    read_astray,
    same_place,
)
from companion.vision.following.track import Track, TrackEvidence
from companion.vision.geometry import CARD_MM, Array, as_quad, bounds, corners, iou, share_in, side_lengths
from companion.vision.images import Pixels
from companion.vision.types import Candidate, CardRead, Point, Quad, ReadResult, Region, SeenTable, Side, Unit


class Tracker:
    """See the module. Not thread-safe: one owner feeds it and asks it."""

    def __init__(self, calibration: Calibration | None = None, *, accept: float | None = None) -> None:
        """`calibration` None: table units are fractions of the picture. `accept`: least probability of a face."""
        self.calibration = calibration
        self.accept = parameters.ACCEPT if accept is None else accept
        self._background = BackgroundModel()
        self._backs, self._beside = Backs(), Beside()
        self._tracks: list[Track] = []
        self._given_up: list[Quad] = []
        self._next = 1
        self._size = (1, 1)
        self._time, self._frame = 0.0, 0

    @property
    def tracks(self) -> tuple[Track, ...]:
        """All cards remembered, oldest first, dismissed ones too."""
        return tuple(self._tracks)

    def in_doubt(self, moving: Sequence[Region]) -> bool:
        """Some card where nothing moves (px) may become clearer by another read."""
        doubtful = any(t.doubtful(self.accept) and not is_disturbed(t.outline, moving) for t in self._tracks)
        return doubtful or any(not is_disturbed(corners(region), moving) for region in self._backs.unclear)

    def unclear(self, *, doubtful: bool = False) -> list[Region]:
        """Where cards lie (px) that were looked at once, and not clearly; `doubtful`: or are in doubt, or covered."""
        tracks = (t for t in self._tracks if t.tentative or (doubtful and (t.covered or t.doubtful(self.accept))))
        return [*(bounds(track.outline) for track in tracks), *self._backs.unclear]

    def expect(self, stacks: Sequence[Sequence[Point]]) -> None:
        """In each of these places of the table a stack face down should lie of which no card is known."""
        self._backs.expect(stacks)

    def glance(self, pixels: Pixels) -> None:
        """A cheap look while hands move: notes places that are seen empty, so that a quick change of cards in the
        same place is not taken for one card on another."""
        self._background.show(pixels)
        outlines = [track.outline for track in self._tracks]
        for at, track in enumerate(self._tracks):
            if self._background.background_shows(track.outline, track.appearance, outlines[:at] + outlines[at + 1 :]):
                track.vacated += 1

    def emptied(self) -> dict[int, int]:
        """How often each place was seen empty since the last update: for an update that comes later."""
        return {track.number: track.vacated for track in self._tracks}

    def update(self, result: ReadResult, pixels: Pixels, *, time: float = 0.0, frame: int = 0,
               changed: Sequence[Region] | None = None, moving: Sequence[Region] = (), lasting: Sequence[Region] = (),
               emptied: Mapping[int, int] | None = None, parts: Sequence[Region] = ()) -> list[Quad]:  # fmt: skip
        """Associate cards of a picture with the tracks. Returns the outlines (px) of those too near to what moves.

        `changed`: where hands were since the last reading, px; None means everywhere. `moving`: where they are now:
        what is read there counts for nothing, and what lay there still does; `lasting`: where something has moved for
        long, at rest is what has enough of it elsewhere. `time` in s. `emptied`: what `emptied`
        said when the picture was taken, if that is a while ago; what was seen since then counts at the next update.
        `parts`: nothing but these parts of the picture was read, px; empty: all of it was.
        """
        later = self._set_back(emptied) if emptied is not None else {}
        self._time, self._frame, self._size = time, frame, (result.width, result.height)
        if self.calibration is None:
            self.calibration = Calibration.whole_picture(result.width, result.height)
        moves, hides = self._beside.moving(result.cards, moving, lasting, time)
        hidden = {
            track.number: track
            for track in self._tracks
            if hides(track.outline) or (parts and not lies_in(track.outline, parts, self._size))
        }
        for track in self._tracks:
            if not parts or lies_in(track.outline, parts, self._size):
                track.hidden = track.number in hidden and share_in(track.outline, lasting) > parameters.MOST_HIDDEN
        self._tracks = [track for track in self._tracks if track.number not in hidden]
        self._background.show(pixels)
        hidden = {n: track for n, track in hidden.items() if not self._has_left(track, moving, lasting)}
        outlines = (*result.outlines, *self._backs.standing_out(pixels, self._picture))
        lying = [outline for outline in outlines if not moves(outline)]
        every = [*self._tracks, *hidden.values()]
        cards = outsized(result.cards, every, self._place, self.calibration.size) if self._in_mm else result.cards
        self._backs.meet(cards, lying, pixels, self._flat, self._place, self._sizes(cards))
        cards = self._backs.completed(cards, outlines, pixels, self._flat)
        near = [card.polygon for card in cards if moves(card.polygon)]
        cards = [card for card in cards if card.polygon not in near]
        places = [self._place(card.polygon) for card in cards]
        disturbed = [is_disturbed(track.outline, changed) for track in self._tracks]
        self._given_up = [outline for outline in self._given_up if not is_disturbed(outline, changed)]
        picture = grey(pixels)
        otherwise = {at for at, track in enumerate(self._tracks) if disturbed[at] and looks_otherwise(track, picture)}
        matches = associate(self._tracks, cards, places, disturbed, otherwise, self.accept)
        free = set(range(len(cards))) - set(matches.values())
        alike = self._note_absent(matches, cards, picture)
        shown = self._shown(set(range(len(self._tracks))) - set(matches), cards, outlines, alike)
        removed = self._removed(matches, cards, places, disturbed, shown, alike, picture)
        matches |= pushed(self._tracks, removed - set(matches), free, cards, places, otherwise, self.accept)
        for at in corners_of_others(self._tracks, matches, cards):
            del matches[at]
        matches = read_astray(self._tracks, matches, places, cards, self.accept)
        for at, which in matches.items():
            card, place = as_it_lay(track := self._tracks[at], cards[which], places[which])
            moved = disturbed[at] or not same_place(track.place, place)
            if lies_deep(track, self._tracks):
                track.since = time  # it was taken with the others meanwhile, and laid again
            if disturbed[at] and may_be_another(track, card, picture):
                track.evidence = TrackEvidence()  # another may have been laid there
            self._observe(track, card, place, repeated=not moved)
        for at in set(range(len(self._tracks))) - set(matches) - shown:
            self._tracks[at].covered = True
        new = [
            self._start_track(cards[which], places[which])
            for which in sorted(free - set(matches.values()))
            if self._can_be_new(cards[which], changed, hidden.values())
        ]
        self._tracks = [t for at, t in enumerate(self._tracks) if at in matches or at not in removed] + new
        for track in self._tracks:
            track.vacated = later.get(track.number, 0)
        self._tracks = sorted([*self._tracks, *hidden.values()], key=lambda track: track.number)
        self._keep_looks(picture, hidden)
        self._backs.learn([track for track in self._tracks if track.number not in hidden], pixels, self._flat)
        under = [*(track.outline for track in self._tracks if track.covered), *map(corners, (*moving, *lasting))]
        self._background.learn([track.outline for track in self._tracks], under, time)
        return near

    def _has_left(self, track: Track, moving: Sequence[Region], lasting: Sequence[Region]) -> bool:
        """A card that what moves on and on may hide is gone: its place was seen empty again and again."""
        if is_disturbed(track.outline, moving) or not is_disturbed(track.outline, lasting):
            return False
        seldom = track.vacated < parameters.OFTEN_BARE
        return not seldom and self._background.background_shows(track.outline, track.appearance)

    def _set_back(self, emptied: Mapping[int, int]) -> dict[int, int]:
        """Count only what was seen empty by then; returns what came later."""
        later = {track.number: track.vacated - emptied.get(track.number, 0) for track in self._tracks}
        for track in self._tracks:
            track.vacated = emptied.get(track.number, 0)
        return later

    @property
    def usual(self) -> float:
        """How large a card of this table is in the picture, square px; infinite before one is known."""
        found = sorted(cv2.contourArea(np.asarray(track.outline, np.float32)) for track in self._tracks)
        return found[len(found) // 2] if found else math.inf

    def shown_at(self, spots: Sequence[Point]) -> list[Region]:
        """Where cards lie open at these points of the picture (px): one that came to lie exactly on such a card may
        look so like it that no pixel tells."""
        up = [track.outline for track in self._tracks if track.side is Side.UP and not track.covered] if spots else []
        return [bounds(outline) for outline in up if any(is_at(outline, spot) for spot in spots)]

    def table(self, *, settled: bool) -> SeenTable:
        """The table as believed now; whether it is `settled` the caller knows."""
        size = self.calibration.size if self.calibration else (1.0, 1.0)
        unit = self.calibration.unit if self.calibration else Calibration.whole_picture(1, 1).unit
        cards = tuple(track.seen(self.accept) for track in self._tracks if not track.dismissed)
        return SeenTable(self._time, settled, unit, cards, self._frame, size)

    def correct(self, number: int, face: str) -> bool:
        """A person names card `number`: that is what it is from now on. False when it is no longer there."""
        return self._change(number, pinned=face)

    def candidates(self, number: int) -> tuple[Candidate, ...]:
        """What card `number` may be, the likeliest first; nothing for one that is not there."""
        return next((track.evidence.candidates() for track in self._tracks if track.number == number), ())

    def look_again_at_open(self) -> None:
        """What a V is has been told: the others are looked at again, however often they were."""
        for track in self._tracks:
            if track.evidence.open:
                track.evidence.repeats = 0

    def forget(self, number: int) -> bool:
        """A person says that `number` is no card: it is not reported again while it stays there."""
        return self._change(number, dismissed=True)

    def _change(self, number: int, *, pinned: str | None = None, dismissed: bool = False) -> bool:
        for track in self._tracks:
            if track.number == number:
                track.pinned, track.dismissed = pinned, dismissed
                track.side = Side.UP if pinned else track.side
                return True
        return False

    def pushed(self, calibration: Calibration, shift: NDArray[np.float64], pixels: Pixels) -> None:
        """The camera was pushed: `shift` (3, 3) maps its px before to those of `pixels`, and `calibration` holds from
        now on. The cards lie where they lay on the table; the table's looks are learnt anew."""
        self.calibration = calibration
        self._background, self._given_up = BackgroundModel(), []
        self._background.show(pixels)
        for track in self._tracks:
            a, b, c, d = cv2.perspectiveTransform(np.asarray(track.outline, np.float64)[None], shift)[0].tolist()
            track.outline = ((a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1]))
            track.appearance, track.vacated = self._background.appearance(track.outline), 0
            track.look, track.absent, track.indices = None, 0, ()

    def areas(self, regions: Sequence[Region]) -> tuple[Quad, ...]:
        """Where regions of the picture (px) lie on the table; nothing before the first reading."""
        if self.calibration is None or not regions:
            return ()
        points = self.calibration.to_table([point for region in regions for point in corners(region)], self._size)
        return tuple(zip(points[::4], points[1::4], points[2::4], points[3::4], strict=True))

    def points(self, spots: Sequence[Point]) -> tuple[Point, ...]:
        """Where points of the picture (px) lie on the table; nothing before the first reading."""
        return self.calibration.to_table(spots, self._size) if self.calibration is not None and spots else ()

    def _sizes(self, cards: Sequence[CardRead]) -> list[Array]:
        """How large the cards of this table are on it, short and long side: those named in a look, and before; where
        none lies open, as usual."""
        named = [card.polygon for card in cards if card.face is not None]
        named += [t.outline for t in self._tracks if not t.covered and t.face(self.accept) is not None]
        sizes = [np.sort(side_lengths(as_quad(self._flat(outline))[None])[0]) for outline in named]
        return sizes or ([np.array(CARD_MM)] if self._in_mm else [])

    def _flat(self, polygon: Quad) -> Quad:
        """An outline as it lies on the table seen from above; as it is where nobody knows how the camera looks."""
        return self._place(polygon) if self._in_mm else polygon

    @property
    def _in_mm(self) -> bool:
        return self.calibration is not None and self.calibration.unit is Unit.MM

    def _place(self, polygon: Quad) -> Quad:
        assert self.calibration is not None
        a, b, c, d = self.calibration.to_table(polygon, self._size)
        return (a, b, c, d)

    def _picture(self, places: Sequence[Point]) -> Sequence[Point]:
        assert self.calibration is not None
        return self.calibration.to_picture(places, self._size)

    def _removed(
        self, matches: dict[int, int], cards: Sequence[CardRead], places: Sequence[Quad], disturbed: Sequence[bool],
        shown: Collection[int], alike: Collection[int], picture: Grey,
    ) -> set[int]:  # fmt: skip
        """Tracks that were not found and whose place is seen empty, or shows the card that lay under them, unless it
        looks `alike`.

        One that never had a name, and is not found again although nothing moved, was a mistake of one read, unless its
        outline is still `shown` or it was read more often than missed; a back, if it is not found twice.
        """
        covers = [card.polygon for card in cards]
        named = [as_quad(card.polygon) for card in cards if card.face is not None]
        uncovered = [as_quad(places[which]) for which in found_again(self._tracks, matches, cards)]
        removed = set()
        for at in set(range(len(self._tracks))) - set(matches):
            track = self._tracks[at]
            lifted = (
                not track.covered
                and at not in alike
                and any(iou(as_quad(track.place), place) > parameters.LAY_ON for place in uncovered)
            )
            track.missed += 1
            seldom = track.missed < min(track.evidence.reads, parameters.ABSENT_LOOKS)
            covered = mostly_covered_by(track.outline, named)
            explained = covered and track.missed >= min(track.evidence.reads, 2)
            mistaken = track.passing(self.accept) and (explained or not (seldom or disturbed[at]))
            mistaken &= not (covered and track.is_none_of(cards, self.accept))
            mistaken &= track.side is Side.UP or track.covered  # a back may be missed once: it has no index
            mistaken &= at not in shown
            empty = track.vacated > 1 or self._bare(track, covers, picture)
            if mistaken and not (lifted or empty):
                self._given_up.append(track.outline)
            if lifted or mistaken or empty or track.absent >= parameters.ABSENT_LOOKS:
                removed.add(at)
        return removed

    def _shown(self, missing: set[int], cards: Sequence[CardRead], outlines: Sequence[Quad],
               alike: Collection[int]) -> set[int]:  # fmt: skip
        """Those of the tracks that no read names yet and of which an outline is still seen in their place, which no
        card that is read there explains; and sure backs that still look `alike`: an outline below may have grown."""
        read = [as_quad(card.polygon) for card in cards]
        explained = {at for at in missing if mostly_covered_by(self._tracks[at].outline, read)}
        own = {at: self._tracks[at] for at in missing - explained if self._tracks[at].passing(self.accept)}
        seen = {at for at, track in own.items() if any(same_place(track.outline, outline) for outline in outlines)}
        return seen | {at for at in explained if at in alike and self._tracks[at].is_sure_back}

    def _bare(self, track: Track, covers: Sequence[Quad], picture: Grey) -> bool:
        """Whether the table shows where a card lay that is not found; of one that looks like the table from afar, its
        print is gone."""
        if self._background.background_shows(track.outline, track.appearance, covers):
            return True
        unlike = track.look is not None and likeness(track.look, picture, track.outline) < parameters.UNLIKE
        return unlike and self._background.may_show(track.outline, covers)

    def _note_absent(self, matches: dict[int, int], cards: Sequence[CardRead], picture: Grey) -> set[int]:
        """Count the looks in which a card is not found and those below it show in its place. Returns those that are not
        found and whose place looks as with them, as far as nothing has come to lie there since."""
        owner = {which: self._tracks[at].number for at, which in matches.items()}
        found = [(owner.get(which, -1 - which), card.polygon) for which, card in enumerate(cards)]
        missing = set(range(len(self._tracks))) - set(matches)
        light = self._light(matches, picture) if missing else 1.0
        alike = set[int]()
        for at, track in enumerate(self._tracks):
            changes = (
                changed(track.look, picture, track.outline, found, light)
                if at in missing and track.look is not None
                else None
            )
            track.absent = track.absent + 1 if changes is not None and changes.show_below else 0
            if changes is not None and changes.none:
                alike.add(at)
        return alike

    def _light(self, matches: Collection[int], picture: Grey) -> float:
        """How many times as bright the cards that are found have become."""
        known = [self._tracks[at] for at in matches]
        return float(np.median([brighter(t.look, picture, t.outline) for t in known if t.look is not None] or [1.0]))

    def _keep_looks(self, picture: Grey, hidden: Mapping[int, Track]) -> None:
        """Remember how each card looks that was found just now, and what lies about it."""
        every = [(track.number, track.outline) for track in self._tracks]
        for track in self._tracks:
            if not track.covered and track.number not in hidden:
                track.look = taken(picture, track.outline, [one for one in every if one[0] != track.number])

    def _can_be_new(self, card: CardRead, changed: Sequence[Region] | None, hidden: Collection[Track]) -> bool:
        """Nobody lays a card on others without moving anything there: such a read is a second detection of those, or of
        one that the edge of a part cuts. A card that was given up, as looks did not find it, may be seen again."""
        if card.glanced or any(may_be(track, card, self.accept) for track in hidden):
            return False
        others = [as_quad(track.outline) for track in (*self._tracks, *hidden) if not track.dismissed]
        again = card.face is not None and any(same_place(card.polygon, outline) for outline in self._given_up)
        return again or is_disturbed(card.polygon, changed) or not mostly_covered_by(card.polygon, others)

    def _observe(self, track: Track, card: CardRead, place: Quad, *, repeated: bool) -> None:
        track.missed = 0
        if card.glanced:
            track.place, track.outline, track.covered = place, card.polygon, False
            track.appearance = self._background.appearance(card.polygon)
            return
        if card.side is not track.side and track.pinned is None:
            # One odd read does not turn a card over: either hands were there, or it says so twice.
            track.turned += 1
            if repeated and track.turned < 2:
                return
            track.side, track.evidence, track.since = card.side, TrackEvidence(), self._time
        track.turned = 0
        track.place, track.outline, track.covered = place, card.polygon, False
        track.appearance = self._background.appearance(card.polygon)
        track.confidence, track.indices = card.confidence, card.indices
        track.evidence.add(card, repeated=repeated)

    def _start_track(self, card: CardRead, place: Quad) -> Track:
        appearance = self._background.appearance(card.polygon)
        track = Track(self._next, card.side, place, card.polygon, appearance, self._time)
        self._next += 1
        self._observe(track, card, place, repeated=False)
        return track
