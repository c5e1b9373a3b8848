"""The entrances to training: all of them are listed, each is there, an unknown name is told so."""

from __future__ import annotations

import importlib

import pytest

from companion.training.__main__ import ENTRANCES, main


def test_help_lists_every_entrance_with_a_line(capsys: pytest.CaptureFixture) -> None:
    assert main(["--help"]) == 0
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[2:]]
    assert [line[0] for line in lines] == list(ENTRANCES)
    assert all(len(line[1]) > 10 for line in lines)


@pytest.mark.parametrize("name", list(ENTRANCES))
def test_an_entrance_has_help_of_its_own(name: str, capsys: pytest.CaptureFixture) -> None:
    pytest.importorskip("PIL", reason="prints are drawn with Pillow")
    module = importlib.import_module(f"companion.training.{ENTRANCES[name][0]}")
    with pytest.raises(SystemExit) as stop:
        module.main(["--help"])
    assert stop.value.code == 0
    assert "usage:" in capsys.readouterr().out


def test_an_unknown_name_is_told_so(capsys: pytest.CaptureFixture) -> None:
    assert main(["dance"]) == 2
    assert "dance" in capsys.readouterr().err
