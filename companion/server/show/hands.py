"""What is told of a hand: what its cards can do, and what the referee says of it to its owner alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games import Prompt
from companion.games.values import Action
from companion.referee import Weighed, offers
from companion.server.show.present import Presenter


def offered(shown: Presenter, kind: str, seat: int | None, cards: Sequence[str]) -> list[dict[str, Any]]:
    """What `cards`, or else the cards that this reader knows in the hand of `seat`, can do as answers to the open
    prompts of a kind."""
    view = shown.view
    hand = view.players[seat].hand if seat is not None and seat < len(view.players) else None
    known = tuple(cards) or (hand.known if hand else ())
    return [
        {"action": action.to_json(), "text": _chosen(shown, prompt, action)}
        for prompt in shown.open_to_reader(view.prompts)
        if (prompt.kind, prompt.seat) == (kind, seat)
        if prompt.slot is not None and prompt.slot.source in (None, f"hand:{seat}")
        for action in offers(shown.match, prompt, known, shown.mask.tellable)
    ]


def _chosen(shown: Presenter, prompt: Prompt, action: Action) -> str:
    """The choices of an action that its prompt leaves open, in words."""
    open_ = {choice.name for choice in prompt.choices if len(choice.values) > 1}
    said = [
        shown.texts.choice(shown.game, name, value, shown.lang, shown.context)
        for name, value in action.args
        if name in open_
    ]
    return shown.text("ui.list-comma").join(said)


def weighed(shown: Presenter, found: Weighed) -> dict[str, Any]:
    """What the referee says of a hand that only its owner sees. What he can only say because he knows another hand is
    left out: asking is no way of looking."""
    return {
        "notes": [shown.violation(v) for v in shown.mask.tellable(found.notes)],
        "plays": [
            {
                "kind": play.prompt.kind,
                "label": shown.label(play.prompt),
                "cards": list(play.cards),
                "verdict": str(shown.mask.verdict(play.violations, play.verdict)),
                "violations": [shown.violation(v) for v in shown.mask.tellable(play.violations)],
                "note": shown.text(play.note) if play.note else "",
            }
            for play in found.plays
        ],
    }
