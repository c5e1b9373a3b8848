"""Cards move: one that was just played comes from its player, a trick that was won goes to its winner; for those who
asked for no motion nothing moves."""

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

WATCH = """window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, ...rest) {
  const zone = this.closest("[data-zone]");
  const box = this.getBoundingClientRect();
  const start = /translate\\(([-\\d.]+)px, ([-\\d.]+)px/.exec(frames[0].transform || "") || [0, 0, 0];
  const from = [box.x + box.width / 2 + Number(start[1]), box.y + box.height / 2 + Number(start[2])];
  moved.push({ zone: zone && zone.dataset.zone, ghost: this.classList.contains("ghost"), from });
  return animate.call(this, frames, ...rest);
};"""


def watched(play):
    """The page loaded again, with an ear for what moves."""
    play.page.add_init_script(WATCH)
    play.page.reload()
    play.page.wait_for_selector("body.ready")
    return play.page


def moves(play):
    """What moves with the next action, which somebody else does."""
    play.page.wait_for_function("() => document.getAnimations().length === 0")
    play.page.evaluate("moved = []")
    play.on(1)
    play.page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
    return play.page.evaluate("moved")


def inside(point, box):
    x, y = point
    return box["x"] - 2 <= x <= box["x"] + box["width"] + 2 and box["y"] - 2 <= y <= box["y"] + box["height"] + 2


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_that_was_played_comes_from_its_player(new_game, motion):
    play = new_game("aces-king", 3, seed=8, steps=3, width=1280, height=800, reduced_motion=motion)
    page = watched(play)
    for _ in range(4):
        action = play.next()
        plate = page.locator(f"[data-place=seat-{action.seat}] .plate").bounding_box()
        found = moves(play)
        if action.kind == "play":
            assert [one["zone"] for one in found] == (["discard"] if motion == "no-preference" else [])
            assert all(inside(one["from"], plate) for one in found)
            return
    raise AssertionError("nobody played a card")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_trick_that_was_won_goes_to_its_winner(new_game, motion):
    play = new_game(
        "pokard-trick", 2, options={"deals": "1"}, seed=15, steps=3, width=1280, height=800, reduced_motion=motion
    )
    page = watched(play)
    for _ in range(10):
        page.wait_for_function("() => document.getAnimations().length === 0")
        trick = page.locator("[data-zone=trick]").bounding_box()
        action = play.next()
        found = moves(play)
        if action.kind == "collect":
            winner = next(z["seat"] for z in play.table["zones"] if z["id"].startswith("captured") and z["cards"])
            assert [one["zone"] for one in found] == ([f"captured:{winner}"] * 2 if motion == "no-preference" else [])
            assert all(inside(one["from"], trick) for one in found)
            return
    raise AssertionError("nobody won a trick")


def test_what_was_won_flies_to_the_plate_of_its_winner_when_the_table_is_cleared(new_game):
    play = new_game(
        "three-card-trick-poker", 2, deck="M7D1", options={"end": "S"}, seed=8, steps=14, width=1280, height=800
    )
    page = watched(play)
    for _ in range(7):
        ghosts = [one for one in moves(play) if one["ghost"]]
        if ghosts:
            assert len(ghosts) >= 2
            page.wait_for_selector(".ghost", state="detached")
            return
    raise AssertionError("nobody cleared the table")
