"""The shipped weights find cards of a deck drawn here and now, which they never saw."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import onnxruntime as ort

from companion.training.detector import measure
from companion.training.scenes import backgrounds, dataset, drawn_prints, fonts
from companion.training.scenes import compose as scenes
from companion.training.scenes.prints import Print, round_corners

WEIGHTS = Path(__file__).parents[3] / "models" / "detector" / "detector.onnx"


@pytest.mark.skipif(not fonts.fonts(), reason="no text font is installed")
def test_cards_and_indices_of_an_unseen_deck_are_found() -> None:
    """Twenty scenes: most face-up cards and index corners, and few false alarms."""
    design = drawn_prints.invent(5_000_000)
    faces = {f: round_corners(drawn_prints.draw_face(design, f)) for f in ("AS", "7H", "10D", "KC", "QH", "3C")}
    back = round_corners(drawn_prints.draw_back(5_000_000, design.aspect))
    deck = Print("new", "invented", "heldout", faces, [back], design.index, design.corners)
    maker = scenes.Composer([deck], backgrounds.Bank(), (320, 320), (45, 160))
    session = ort.InferenceSession(str(WEIGHTS), providers=["CPUExecutionProvider"])
    tallies = [measure.Tally() for _ in dataset.NAMES]
    for seed in range(20):
        scene = maker.compose(seed)
        measure.score_scene(measure.detect(session, scene.image), dataset.targets(scene), tallies, 0.4)
    report = measure.figures(tallies, 0.4)
    assert report["up"]["things"] > 30 and report["index"]["things"] > 20
    assert report["up"]["ap50"] > 0.7
    assert report["index"]["ap50"] > 0.6
    assert report["up"]["precision_at_0.4"] > 0.75


def test_the_output_is_the_raw_pose_head_for_any_size() -> None:
    """15 rows (three scores, four corners with presence), one column a place, for a picture that is not square."""
    session = ort.InferenceSession(str(WEIGHTS), providers=["CPUExecutionProvider"])
    for height, width in ((320, 320), (192, 416)):
        picture = np.zeros((1, 3, height, width), np.float32)
        out = session.run(None, {session.get_inputs()[0].name: picture})[0]
        assert out.shape == (1, 15, height * width // 64 + height * width // 256 + height * width // 1024)
