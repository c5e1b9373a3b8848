"""Scripts and styles work in browsers of six years ago: nothing newer than ECMAScript 2020, and newer CSS only where
its absence does no harm. The parser is acorn, which comes inside the Node.js that Playwright brings along."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from companion import resources

playwright = pytest.importorskip("playwright", reason="Playwright is not installed")
NODE = Path(playwright.__file__).parent / "driver" / "node"
SCRIPTS = sorted((resources.web() / "static" / "js").glob("*.js"))
STYLES = sorted((resources.web() / "static" / "css").glob("*.css"))
PARSE = """
const acorn = require("internal/deps/acorn/acorn/dist/acorn");
const found = { called: [], globals: [] };
const walk = (node) => {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node)) { node.forEach(walk); return; }
  if (node.type === "CallExpression" && node.callee.property) found.called.push(node.callee.property.name);
  if (node.type === "Identifier") found.globals.push(node.name);
  Object.values(node).forEach(walk);
};
try {
  walk(acorn.parse(require("fs").readFileSync(0, "utf8"), { ecmaVersion: 2020, sourceType: "module" }));
  console.log(JSON.stringify(found));
} catch (error) { console.log(JSON.stringify({ error: String(error) })); }
"""
LATER_METHODS = {
    "replaceAll", "at", "findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "groupBy", "hasOwn", "any",
    "withResolvers", "fromAsync", "isWellFormed", "randomUUID", "showModal", "showPopover", "replaceChildren",
    "startViewTransition", "timeout",
}  # fmt: skip
LATER_GLOBALS = {"WeakRef", "FinalizationRegistry", "AggregateError", "structuredClone", "Temporal", "Iterator"}
LATER_CSS = re.compile(
    r":has\(|:is\(|:where\(|@(?:container|layer|property|scope)|color-mix\(|\d[dsl]vh\b|aspect-ratio\s*:|\binset\s*:|^\s*&",
    re.MULTILINE,
)


def parsed(source):
    done = subprocess.run(
        [NODE, "--expose-internals", "-e", PARSE], input=source.encode(), capture_output=True, check=True
    )
    return json.loads(done.stdout)


def test_the_parser_knows_what_is_too_new():
    assert "error" not in parsed("export const a = b?.c ?? 1n;")
    assert "error" in parsed("a ??= 1;")
    assert "error" in parsed("class A { #x = 1; }")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_ecmascript_2020(path):
    found = parsed(path.read_text(encoding="utf-8"))
    assert "error" not in found, found
    assert set(found["called"]) & LATER_METHODS == set()
    assert set(found["globals"]) & LATER_GLOBALS == set()


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_styles_need_nothing_newer(path):
    text = path.read_text(encoding="utf-8")
    assert LATER_CSS.findall(text) == []
    for selector, block in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        flex = re.search(r"display:\s*(?:inline-)?flex", block)
        assert not (flex and re.search(r"(?:^|;|\s)(?:row-|column-)?gap\s*:", block)), (
            f"{selector.strip()}: gap in flex"
        )


def test_the_focus_shows_where_focus_visible_is_unknown():
    text = (resources.web() / "static" / "css" / "page.css").read_text(encoding="utf-8")
    assert re.search(r"^:focus \{ outline: 3px", text, re.MULTILINE)
    assert ":focus:not(:focus-visible) { outline: none; }" in text
