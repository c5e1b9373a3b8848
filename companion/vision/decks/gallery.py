"""All cards of an enrolled deck, ready to be recognised; and what is said of one card that lies on the table.

A card is laid onto the pictures it may show and two networks say which picture and which mark it has (`verifying`), and
either may be in doubt by itself. On a deck whose pictures and marks mingle, or that has none, maps name the whole face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.decks import marks, parameters
from companion.vision.decks.alignment import (
    SMALL,
    TURNED,
    Looks,
    all_warped,
    grey,
    moves_alike,
    outline_under,
    pictures_turned,
    seen_under,
    small,
    softer,
    turned_alike,
    warped,
)
from companion.vision.decks.answers import NOTHING, Cut, Glimpse, Laid, Recognised, surely_behind
from companion.vision.decks.crops import CELLS, MARGIN, STRIDE, Crops, Seen, half_turned, levelled, reduced
from companion.vision.decks.enrolled import EnrolledDeck
from companion.vision.decks.matching import Floats, Ready, Templates, compare, interiors
from companion.vision.decks.network import Network
from companion.vision.decks.templates import Anatomy, build
from companion.vision.decks.verifying import Verifier, alike_for, apart, never, of_faces, shares, twins
from companion.vision.reading.workers import Workers
from companion.vision.types import Candidate


class Gallery:
    """The faces of an enrolled deck. Safe to share between threads as far as its networks are."""

    def __init__(self, deck: EnrolledDeck, network: Network, verifier: Verifier | None = None) -> None:
        """Learn the deck from its samples: a few seconds. `verifier`: that shipped, where None."""
        self.deck, self.network = deck, network
        self.workers = Workers(network.threads)
        self.faces = deck.faces
        self.parts = deck.parts()
        fine = np.stack([sample.pixels for sample in deck.samples])
        crops = reduced(fine)
        owner = [self.faces.index(sample.face) for sample in deck.samples]
        both = [interiors(network.maps(each)) for each in (crops, half_turned(crops))]
        named = [self.parts[face] for face in owner]
        turned = turned_alike(both[0], both[1], [picture for picture, _ in named])
        lying, upset = (np.where(turned[:, None, None], *pair) for pair in (both[::-1], both))
        turned ^= pictures_turned(lying, upset, named)
        crops[turned], fine[turned] = half_turned(crops[turned]), half_turned(fine[turned])
        moves = moves_alike(crops, owner, self.parts)
        crops = all_warped(crops, moves)
        ways = [self._learned(each, owner) for each in (crops, half_turned(crops))]
        self.anatomy = ways[0][1]
        self._named_parts()
        plain = levelled(crops)
        shown = np.array([int(self.picture_of[face]) for face in owner])
        coloured = [np.median(plain[shown == k], axis=0).astype(np.uint8) for k in range(len(self.pictures))]
        self.looks = Looks(np.stack(coloured))
        self.mean_look = self.looks.small.mean(axis=0).astype(np.uint8)
        self.windows: marks.Marks | None = None
        if float(self.anatomy.own.mean()) < parameters.MINGLED and len(self.marks) > 1 and len(self.pictures) > 1:
            fine = levelled(all_warped(fine, moves))
            self.windows = marks.learned(fine, [int(self.mark_of[o]) for o in owner], self.anatomy)
        self._verifier = (verifier or Verifier(threads=1)) if self.windows is not None else None
        self._told = self._told_marks(fine, owner)
        self._apart = self._found_apart()
        self._twins = (twins(self._apart[0]), twins(self._apart[1]))
        self._turned_twins = self._found_turned_twins()
        each_way = [way[0] if self.windows is None else self._of_pictures(way[0]) for way in ways]
        self.templates = Templates(
            np.concatenate([way.means for way in each_way]), np.concatenate([way.spread for way in each_way])
        )
        self._ready = Ready.of(self.templates, network.numbers)

    def _named_parts(self) -> None:
        """The deck's pictures and marks, and which of them are on each face. What is drawn large is the picture, be it
        the rank or the suit; but where it is drawn for each mark anew, by hand or in other ink, each face is a picture
        of its own."""
        own = float(self.anatomy.own.mean())
        if own <= parameters.DRAWN_ANEW and self.anatomy.large_marks:
            self.parts = [(mark, picture) for picture, mark in self.parts]
            self.anatomy = self.anatomy.exchanged()
        elif parameters.DRAWN_ANEW < own < parameters.MINGLED:
            self.parts = [(face, mark) for face, (_, mark) in zip(self.faces, self.parts, strict=True)]
        self.pictures = sorted({picture for picture, _ in self.parts})
        self.marks = sorted({mark for _, mark in self.parts})
        self.picture_of = np.array([self.pictures.index(picture) for picture, _ in self.parts])
        self.mark_of = np.array([self.marks.index(mark) for _, mark in self.parts])
        self.code_of = {
            (int(picture), int(mark)): face
            for face, picture, mark in zip(self.faces, self.picture_of, self.mark_of, strict=True)
        }

    def _learned(self, crops: Crops, owner: Sequence[int]) -> tuple[Templates, Anatomy]:
        samples = interiors(self.network.sample_maps(crops))
        return build(samples, owner, self.parts, self.network.numbers)

    def _of_pictures(self, faces: Templates) -> Templates:
        """Of each picture what its faces have in common; and another card."""
        these = [np.flatnonzero(self.picture_of == k) for k in range(len(self.pictures))]
        these.append(np.array([len(self.faces)]))
        return Templates(
            np.stack([faces.means[k].mean(axis=0) for k in these]),
            np.stack([faces.spread[k].mean(axis=0) for k in these]),
        )

    def _told_marks(self, fine: Crops, owner: Sequence[int]) -> NDArray[np.bool_]:
        """Which marks three of four samples, laid onto each other, show where marks are printed. Of those a card's mark
        tells; all of them count where no picture tells the face by itself."""
        if self.windows is None or self._verifier is None or len(self.pictures) < len(self.faces):
            return np.ones(len(self.marks), bool)
        said = [shares(self._verifier.marks(self.windows.shown(crop), self.windows.looks)) for crop in fine]
        owned = self.mark_of[np.asarray(owner)]
        sure = np.stack(said)[np.arange(len(owned)), owned]
        return np.array([np.quantile(sure[owned == mark], 0.25) > 0.5 for mark in range(len(self.marks))])

    def _found_apart(self) -> tuple[Floats, Floats]:
        """By how much the networks tell pictures, and marks, apart as the samples show them: (n, n) of log odds, the
        lesser of both ways; infinite between one and itself, and where nothing is compared."""
        if self.windows is None or self._verifier is None:
            return never(len(self.pictures)), never(len(self.marks))
        looks, wide = self.looks.small, self.windows.looks
        pictures = [
            self._verifier.pictures(np.broadcast_to(each, looks.shape), looks, self.mean_look) for each in looks
        ]
        marks_ = [
            self._verifier.marks(np.broadcast_to(wide[:, k : k + 1], wide.shape), wide) for k in range(len(self.marks))
        ]
        return apart(np.stack(pictures)), apart(np.stack(marks_))

    def _found_turned_twins(self) -> list[list[int]]:
        """Of each picture those others that the samples show it to be upside down, as a 6 is a 9."""
        out: list[list[int]] = [[] for _ in self.pictures]
        if self.windows is None or self._verifier is None:
            return out
        own = self._verifier.pictures(self.looks.small, self.looks.small, self.mean_look)
        for picture, coloured in enumerate(self.looks.small):
            crop = self.looks.soft[picture][::-1, ::-1]
            near = np.argsort(-self.looks.alike(crop)[0])[: parameters.TURNED_TRIED].tolist()
            for other in near:
                move = self.looks.target(other, False).moved(crop)
                shown = warped(coloured[::-1, ::-1], move)[None]
                said = self._verifier.pictures(shown, self.looks.small[other : other + 1], self.mean_look)
                if other != picture and own[other] - said[0] < parameters.TOLD_APART:
                    out[picture] = sorted({*out[picture], other})
                    out[other] = sorted({*out[other], picture})
        return out

    def recognised(
        self, crops: Crops, seen: Sequence[Seen | None] | None = None, least: float = 0.0
    ) -> list[Recognised]:
        """Which card each crop (n, height, width, 3), as `crops.rectified` cuts them `SAMPLE` times as large, shows or
        may show; `seen`: where (`crops.visible`), of None all counts. Where no picture is sure by `least`, marks are
        not looked at and there are no candidates; what shows next to nothing of any is not laid onto one at all."""
        return [self.named(one, least) for one in self.glimpsed(crops, seen)]

    def glimpsed(self, crops: Crops, seen: Sequence[Seen | None] | None = None) -> list[Glimpse]:
        """What maps say of each crop; arguments as of `recognised`."""
        return [self.glimpse(*pair) for pair in zip(self.cut(crops), seen or [None] * len(crops), strict=True)]

    def cut(self, crops: Crops) -> list[Cut]:
        """What is looked at of each crop, wherever it is seen."""
        if not len(crops):
            return []
        plain = levelled(reduced(crops))
        return [Cut(*each) for each in zip(crops, plain, self.network.maps_of_levelled(plain), strict=True)]

    def glimpse(self, card: Cut, seen: Seen | None) -> Glimpse:
        """What its map says of one."""
        return Glimpse(card.fine, card.plain, seen, self._said(card.map, seen))

    def named(self, one: Glimpse, least: float = 0.0) -> Recognised:
        """Which card it shows or may show: see `recognised`."""
        return self._by_maps(one) if self.windows is None else self._by_parts(one, max(least, parameters.LEAST_PICTURE))

    def evidence(self, card: Floats, seen: Seen | None = None) -> tuple[Floats, float]:
        """Log evidence of each face, or of each picture where marks have a place of their own, in a card's map; and of
        another card of such a deck. Either way up."""
        either = self._said(card, seen).max(axis=0)
        return either[:-1], float(either[-1])

    def laid(self, crop: Crops, card: Floats, seen: Seen | None = None) -> Laid:
        """A levelled crop, whose map is `card`, laid onto the pictures it is most like where it is seen."""
        return self._laid(crop, self._said(card, seen)[:, :-1], seen, every=True)

    def _said(self, card: Floats, seen: Seen | None) -> Floats:
        """Log evidence (2, templates) of each template, upright and upside down, in a card's map."""
        return compare(card, self._ready, _hidden(seen)).reshape(2, -1)

    def _laid(self, crop: Crops, by_maps: Floats, seen: Seen | None, *, every: bool = False) -> Laid:
        """`every`: also those pictures that are surely less alike than the first."""
        plain, count = grey(crop[None])[0], len(self.pictures)
        little, soft, part = small(plain), softer(plain), None if seen is None else small(seen)
        alike = np.full((2, count), -1, np.float32)
        under = np.zeros((2, count), np.intp)
        moves: list[Floats] = []
        open_ = np.ones(count, bool)
        for number in range(min(parameters.PICTURES_TRIED, count)):
            # what maps say counts first; then what the card looks like where it has been laid, then maps again
            said = np.where(open_, by_maps if number % 2 == 0 else alike, -np.inf)
            way, picture = (int(at) for at in np.unravel_index(int(said.argmax()), said.shape))
            open_[picture] = False
            move, agree = self.looks.laid(little, soft, picture, bool(way), part)
            better = agree > alike
            alike = np.where(better, agree, alike)
            under = np.where(better, number, under)
            moves.append(move)
            second, most = np.sort(alike.max(axis=0))[-2:] if count > 1 else (-1.0, float(alike.max()))
            if most > parameters.SURELY_ALIKE and most - second > parameters.SURELY_AHEAD:
                break
            if number and most < parameters.LEAST_ALIKE:  # none of the deck's cards, or not there
                break
        each = alike.max(axis=0)
        order = np.argsort(-each)[: parameters.PICTURES_SHOWN].tolist()
        if not every:
            behind = surely_behind(alike, seen)
            order = [picture for picture in order if not behind[picture]]
        # also where its outline lies aside, and so others look more alike
        likeliest = int(by_maps.max(axis=0).argmax())
        if likeliest not in order:
            order = [*order[: parameters.PICTURES_SHOWN - 1], likeliest]
        ways = [bool(alike[1, k] > alike[0, k]) for k in order]
        which = [moves[int(under[int(way), k])] for k, way in zip(order, ways, strict=True)]
        shown = [_small(warped(crop, move), way) for move, way in zip(which, ways, strict=True)]
        parts = None
        if part is not None:
            parts = np.stack(
                [
                    warped(part, move)[:: -1 if way else 1, :: -1 if way else 1]
                    for move, way in zip(which, ways, strict=True)
                ]
            )
        return Laid(order, ways, which, np.stack(shown), alike, parts)

    def exactly(self, crop: Crops, laid: Laid, number: int, seen: Seen | None = None) -> Floats:
        """The homography (3, 3) that lays a levelled crop upright onto `laid.pictures[number]` as well as can be."""
        way = laid.ways[number]
        target = self.looks.target(laid.pictures[number], way)
        soft = softer(grey(crop[None])[0])
        move = target.exactly(soft, laid.moves[number], None if seen is None else small(seen))
        return move @ TURNED if way else move

    def mark_of_card(self, fine: Crops, move: Floats, seen: Seen | None) -> Floats:
        """Log odds of each mark of a levelled crop, `SAMPLE` times as large, under the map (3, 3) that lays it upright,
        in those windows that are seen; where none is, in all."""
        assert self.windows is not None and self._verifier is not None
        shown = seen_under(move, seen)
        heard = None if shown is None else self.windows.heard(shown)
        which = slice(None) if heard is None or not heard.any() else heard
        return self._verifier.marks(self.windows.shown(fine, move)[which], self.windows.looks[which])

    def _by_parts(self, one: Glimpse, least: float) -> Recognised:
        assert self._verifier is not None
        plain, seen, by_maps = one.plain, one.seen, one.said[:, :-1]
        if by_maps.max() < self._ready.nothing + parameters.LEAST_EVIDENCE:
            return NOTHING
        laid = self._laid(plain, by_maps, seen)
        if laid.alike.max() < parameters.LEAST_ALIKE:
            return NOTHING
        said = self._verifier.pictures(laid.shown, self.looks.small[laid.pictures], self.mean_look, laid.seen)
        same_picture, same_mark = self._twins
        # what the network does not tell apart by itself may look less alike to this card
        behind = surely_behind(laid.alike, seen)
        same_picture = np.where(behind | behind[:, None], np.eye(len(behind), dtype=np.float32), same_picture)
        best = int(said.argmax())
        alike = float(laid.alike[:, laid.pictures[best]].max())
        if seen is None and alike < parameters.WHOLE_ALIKE:
            return NOTHING
        laid, said = _with_twins(laid, said, same_picture)
        pictures = shares(alike_for(said, same_picture[np.ix_(laid.pictures, laid.pictures)]))
        # a picture alone is not enough where a card is looked for in many outlines
        alone = not self._told.all() and not self._told[self.mark_of[self.picture_of == laid.pictures[best]]].all()
        if pictures.max() < least or (alone and least > parameters.LEAST_PICTURE):
            return Recognised((), float(pictures.max()), 0.0)
        clear, move = levelled(one.fine[None])[0], self.exactly(plain, laid, best, seen)
        found = self.mark_of_card(clear, move, seen)
        upright, turned = laid.alike[:, laid.pictures[best]]
        twins = [other for other in self._turned_twins[laid.pictures[best]] if not behind[other]]
        if twins or abs(float(upright - turned)) < parameters.EITHER_WAY:
            other = self.mark_of_card(clear, move @ TURNED, seen)
            ahead = float(found.max() - other.max())
            if twins:  # which of them lies there its mark may say, by where it is found
                told = abs(ahead) >= parameters.TOLD_APART
                same = ([laid.pictures[best]] if ahead > 0 else twins) if told else [laid.pictures[best], *twins]
                laid, pictures = _only(laid, pictures, same, [laid.pictures[best], *twins])
            found = found if ahead >= 0 else other
        marks_ = shares(alike_for(found, same_mark))
        each = of_faces(dict(zip(laid.pictures, pictures.tolist(), strict=True)), marks_, self._told, self.code_of)
        ranked = sorted(each.items(), key=lambda pair: -pair[1])[:5]
        candidates = tuple(Candidate(face, p) for face, p in ranked if p > 1e-3)
        return Recognised(candidates, float(pictures.max()), float(marks_.max()), outline_under(move), alike)

    def _by_maps(self, one: Glimpse) -> Recognised:
        faces, other = np.split(one.said.max(axis=0), [-1])
        sure = sure_of_face(faces, float(other[0]))
        order = np.argsort(-faces)[:SHOWN]
        rest = np.exp((faces[order[1:]] - faces[order[1:]].max(initial=-np.inf)) / parameters.EVIDENCE_SCALE)
        weights = np.minimum((1 - sure) * rest / (rest.sum() + 1), sure)
        found = [Candidate(self.faces[k], float(p)) for k, p in zip(order.tolist(), [sure, *weights], strict=True)]
        return Recognised(tuple(found), sure, sure, alike=sure)

    def look_alikes(self) -> list[tuple[str, str]]:
        """Pairs that a camera may take for each other, as (picture, picture) or (mark, mark), each by its code; of
        faces where pictures and marks mingle."""
        if self.windows is None:
            return self._alike_faces()
        found: dict[tuple[str, str], None] = {}
        for names, told in zip((self.pictures, self.marks), self._apart, strict=True):
            for one, other in np.argwhere(np.triu(told < parameters.LOOK_ALIKE)).tolist():
                found[names[one], names[other]] = None
        for picture, turned in enumerate(self._turned_twins):
            for other in turned:
                found[self.pictures[min(picture, other)], self.pictures[max(picture, other)]] = None
        return list(found)

    def _alike_faces(self) -> list[tuple[str, str]]:
        found: dict[tuple[str, str], None] = {}
        crops = reduced([sample.pixels for sample in self.deck.samples])
        for sample, card in zip(self.deck.samples, self.network.maps(crops), strict=True):
            own = self.faces.index(sample.face)
            rivals, _ = self.evidence(card)
            others = np.delete(np.arange(len(rivals)), own)
            near = int(others[rivals[others].argmax()]) if len(others) else own
            if near != own and rivals[own] - rivals[near] < parameters.LOOK_ALIKE_LEAD:
                found[tuple(sorted((self.faces[own], self.faces[near])))] = None  # type: ignore[index]
        return list(found)


SHOWN = 4


def _hidden(seen: Seen | None) -> NDArray[np.bool_] | None:
    """(cells,): those of a card's map that are mostly not seen."""
    if seen is None:
        return None
    inner = seen[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(CELLS[0], STRIDE, CELLS[1], STRIDE)
    return np.asarray(inner.mean(axis=(1, 3)) < 0.5).ravel()


def _small(crop: NDArray[np.uint8], way: bool) -> NDArray[np.uint8]:
    small = cv2.resize(crop, SMALL, interpolation=cv2.INTER_AREA)
    return np.asarray(small[::-1, ::-1] if way else small, np.uint8)


def _with_twins(laid: Laid, said: Floats, twins: Floats) -> tuple[Laid, Floats]:
    """The same pictures and their log odds; after them twins onto which the card was not laid, as sure as they are."""
    more = [k for k in np.flatnonzero(twins[laid.pictures].any(axis=0)).tolist() if k not in laid.pictures]
    same = twins[np.ix_(more, laid.pictures)]
    said = np.concatenate([said, same @ said / same.sum(axis=1)]).astype(np.float32, copy=False)
    return replace(laid, pictures=[*laid.pictures, *more]), said


def _only(laid: Laid, shares: Floats, these: Sequence[int], twins: Sequence[int]) -> tuple[Laid, Floats]:
    """The same pictures with their shares, but those of all `twins` go to `these` of them alone, to each alike."""
    rest = [number for number, picture in enumerate(laid.pictures) if picture not in twins]
    own = sum(float(shares[n]) for n, picture in enumerate(laid.pictures) if picture in twins) / len(these)
    pictures = [*these, *(laid.pictures[n] for n in rest)]
    return replace(laid, pictures=pictures), np.array([own] * len(these) + [shares[n] for n in rest], np.float32)


def sure_of_face(evidence: Floats, other: float) -> float:
    """Probability that the likeliest is right where pictures and marks mingle: by how far it is ahead of the next, and
    of another card of the deck."""
    best = np.sort(evidence)[::-1]
    ahead = best[0] - best[1] if len(best) > 1 else best[0]
    constant, lead, beyond = parameters.FACE_SURE
    logit = constant + lead * np.log1p(max(ahead, 0.0)) + beyond * np.clip(best[0] - other, -50, 150) / 50
    return float(1 / (1 + np.exp(-logit)))
