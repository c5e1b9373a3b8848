"""A page's scripts and styles leave as one file each; a browser runs them in the other tests."""

import re

import pytest

from companion import resources
from companion.server.joined import JoinError, joined

STATIC = resources.web() / "static"


def test_a_page_has_one_script_and_one_style(client, table):
    for path in (
        "/",
        "/decks",
        "/history",
        "/players",
        "/install",
        "/demo",
        f"/tables/{table}",
        f"/tables/{table}/join",
    ):
        text = client.get(path).text
        assert len(re.findall(r"<script (?!type=.application/json|id=)", text)) == 1, path
        assert len(re.findall(r'rel="(?:stylesheet|modulepreload)"', text)) == 1, path
        for found in re.findall(r'(?:src|href)="(/static/[^"]+\.(?:js|css))"', text):
            answer = client.get(found)
            assert answer.status_code == 200, found
            assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("page", sorted(file.stem for file in (STATIC / "js").glob("*.js")))
def test_every_script_can_be_joined_with_what_it_needs(page):
    text = joined(STATIC, f"page/{page}/{page}.js")
    assert not re.search(r"^import\b[^(]", text, re.MULTILINE)
    assert len(re.findall(r"^export", text, re.MULTILINE)) <= 1
    for later in re.findall(r"import\([\"`]\./([\w-]+)\.js", text):
        sent = joined(STATIC, f"page/{page}/{later}.js")
        own = set(re.findall(r"^// ([\w-]+)\.js$", text, re.MULTILINE))
        assert not own & {needed for needed in re.findall(r'from "\./([\w-]+)\.js"', sent) if needed != page}


def written(folder, **scripts):
    (folder / "js").mkdir()
    for name, text in {"worker": "run();\n", **scripts}.items():
        (folder / "js" / f"{name}.js").write_text(text, encoding="utf-8")
    return folder


GOOD = {
    "words": "export const lang = 1;\nexport async function t() {\n  return lang;\n}\n",
    "page": 'import { lang, t } from "./words.js";\nconst part = lang;\nimport("./later.js");\n',
    "later": 'import { t } from "./words.js";\nimport { x } from "./other.js";\nexport class Later {}\n',
    "other": 'import "./words.js";\nexport const x = 2;\n',
}


def test_what_is_needed_comes_first_and_what_comes_later_finds_it(tmp_path):
    folder = written(tmp_path, **GOOD)
    text = joined(folder, "page/page/page.js")
    assert text.index("// words.js") < text.index("// page.js")
    assert "const { lang, t } = (() => {\nconst lang = 1;\nasync function t() {\n" in text
    assert text.endswith("export { lang, t };\n")
    later = joined(folder, "page/page/later.js")
    assert later.startswith('import { t } from "./page.js";\nimport { x } from "./other.js";\n')
    assert joined(folder, "page/page/other.js").startswith('import "./page.js";\n')
    assert joined(folder, "page/page/words.js") == 'export { lang, t } from "./page.js";\n'
    for nothing in ("page/none/none.js", "page/page/none.js", "css/none.css", "page/../page/page.js", "js/page.js"):
        assert joined(folder, nothing) is None


def test_a_changed_file_is_joined_anew(tmp_path):
    folder = written(tmp_path, **GOOD)
    joined(folder, "page/page/page.js")
    (folder / "js" / "words.js").write_text(GOOD["words"].replace("= 1", "= 3"), encoding="utf-8")
    assert "lang = 3" in joined(folder, "page/page/page.js")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"other": "export const lang = 2;\n", "page": 'import "./words.js";\nimport "./other.js";\n'},
            "both export lang",
        ),
        ({"words": 'import "./page.js";\n'}, "page needs words needs page"),
        ({"words": "export const lang = 1;\n"}, "words.js exports no t"),
        ({"words": "export let lang = 1;\n"}, "words.js: export let lang"),
        ({"page": 'import { t as say } from "./words.js";\n'}, "words.js exports no t as say"),
    ],
)
def test_what_cannot_be_joined_is_said(tmp_path, change, said):
    with pytest.raises(JoinError, match=re.escape(said)):
        joined(written(tmp_path, **{**GOOD, **change}), "page/page/page.js")
