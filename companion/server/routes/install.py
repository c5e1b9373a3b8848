"""What makes the page an app: manifest, service worker, the page for when the server is away, and how to install it."""

from __future__ import annotations

import hashlib
import json

from flask import Blueprint, Response, current_app, jsonify

from companion import resources
from companion.server.context import desk, language
from companion.server.page import render

install_pages = Blueprint("install", __name__)

SHELL = ("css/page.css", "icon.svg", "page/offline/offline.js")
"""What the offline page needs."""

ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("maskable-512", 512, "maskable"))
GREEN = "#17594a"


def _version() -> str:
    version: str = current_app.extensions["companion-version"]
    return version


@install_pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Name, colours and icons of the app, in the reader's language."""
    texts, lang = desk().texts, language()
    name = texts.text("ui.app", lang)
    icons = [
        {"src": f"/static/{_version()}/icons/{file}.png", "sizes": f"{n}x{n}", "type": "image/png", "purpose": purpose}
        for file, n, purpose in ICONS
    ]
    answer = jsonify(
        id="/",
        name=name,
        short_name=name,
        description=texts.text("ui.home.lead", lang),
        lang=lang,
        start_url="/",
        scope="/",
        display="standalone",
        background_color=GREEN,
        theme_color=GREEN,
        icons=icons,
    )
    answer.mimetype = "application/manifest+json"
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@install_pages.get("/service-worker.js")
def service_worker() -> Response:
    """The service worker. Its text changes with every file of the pages and with the offline page in every language,
    so no browser keeps what is old."""
    source = (resources.web() / "service-worker.js").read_text(encoding="utf-8")
    catalogues = desk().texts.catalogues
    said = json.dumps([catalogues[lang] for lang in resources.LANGUAGES], sort_keys=True)
    page = (resources.web() / "templates" / "offline.html").read_text(encoding="utf-8")
    version = hashlib.sha256("\0".join((_version(), source, page, said)).encode()).hexdigest()[:12]
    shell = ", ".join(f'"/static/{_version()}/{name}"' for name in SHELL)
    text = source.replace("%VERSION%", version).replace("%STATIC%", _version()).replace("%SHELL%", shell)
    answer = Response(text, mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@install_pages.get("/offline")
def offline() -> str:
    """What a device shows of any page while the server is away."""
    return render("offline.html")


@install_pages.get("/install")
def install() -> str:
    """How to put the page among a device's apps, step by step: what the device must trust first, and how."""
    return render("install.html", secure=desk().config.secure.rstrip("/"))
