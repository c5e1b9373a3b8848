"""The odds page shows exact counts, in both languages, and refuses what does not exist."""

from __future__ import annotations

import re

from flask.testing import FlaskClient


def test_counts_of_a_deck(client: FlaskClient) -> None:
    page = client.get("/odds?ranking=52D1").get_data(as_text=True)
    assert "22,100" in page
    assert page.count('<rect class="fill"') == 9  # eight categories and nothing


def test_bars_are_shares_unless_logarithmic_ones_are_asked_for(client: FlaskClient) -> None:
    def bars(address: str) -> list[float]:
        page = client.get(address).get_data(as_text=True)
        return [float(width) for width in re.findall(r'class="fill" width="([\d.]+)"', page)]

    linear, log = bars("/odds?ranking=52D1"), bars("/odds?ranking=52D1&scale=log")
    assert abs(sum(linear) - 60) < 0.1  # together they are all hands
    assert all(much >= little for much, little in zip(log, linear, strict=True))
    assert min(log) > 10 * min(linear)


def test_house_rules_change_the_counts(client: FlaskClient) -> None:
    printed = client.get("/odds?ranking=65&straights=2").get_data(as_text=True)
    assert "3,120" in printed  # straights of proposal 2
    assert "3,120" not in client.get("/odds?ranking=65").get_data(as_text=True)


def test_findings_for_the_authors(client: FlaskClient) -> None:
    english = client.get("/odds?ranking=65", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert "comes up more often" in english
    japanese = client.get("/odds?ranking=65", headers={"Accept-Language": "ja"}).get_data(as_text=True)
    assert "出る手は多い" in japanese


def test_an_unknown_ranking_is_one_sentence(client: FlaskClient) -> None:
    answer = client.get("/odds?ranking=99X9")
    assert answer.status_code == 404
    assert "99X9" in answer.get_data(as_text=True)
    assert client.get("/odds?ranking=65&straights=9").status_code == 404
