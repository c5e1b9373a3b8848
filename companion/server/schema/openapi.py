"""The API's description, made from the handlers themselves.

A handler says beside its code what it takes and answers (`operation`); its docstring is the text, its route the
address. `install` measures every request against exactly that (query, content type, body), and `document` writes it
down as OpenAPI. So what is documented is what is checked, and nothing is kept twice.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, TypeVar

from flask import Flask, abort, current_app, g, request
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from werkzeug.exceptions import BadRequest, UnsupportedMediaType
from werkzeug.routing import Rule

from companion import __version__
from companion.resources import LANGUAGES
from companion.server.errors import ApiError
from companion.server.schema.requests import PATH, STATUS, schemas

Schema = Mapping[str, Any]
View = TypeVar("View", bound=Callable[..., Any])

JSON = "application/json"
SECURITY = {
    "key": {"type": "http", "scheme": "bearer", "description": "The key in a join link; pages keep it in a cookie."}
}
_LANG: Schema = {
    "enum": list(LANGUAGES),
    "description": "The language of all texts; without it Accept-Language decides.",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """What a handler takes and answers. `body`: name of the schema of its JSON body, or a media type it takes as it
    is; `answer`: name of a schema, or media types; `status`: of a success; `query`: schemas by name; `errors`: statuses
    besides those that follow from the route itself; `acts`: only with a key; `checks`: name of the schema that the body
    is measured with, where the handler itself has the better words for the rest; `links`: OpenAPI links."""

    tag: str
    answer: str | tuple[str, ...]
    status: int = 200
    body: str | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    errors: tuple[int, ...] = ()
    acts: bool = False
    checks: str | None = None
    links: Mapping[str, Any] = field(default_factory=dict)

    @property
    def takes_json(self) -> bool:
        """The body is JSON."""
        return self.body is not None and "/" not in self.body


def operation(tag: str, answer: str | tuple[str, ...], **more: Any) -> Callable[[View], View]:
    """Mark a handler as part of the API; the arguments are those of `Operation`."""

    def mark(view: View) -> View:
        view.__operation__ = Operation(tag, answer, **more)  # type: ignore[attr-defined]
        return view

    return mark


def operation_of(view: Callable[..., Any] | None) -> Operation | None:
    """What `operation` said about a handler; None when it is not part of the API."""
    found: Operation | None = getattr(view, "__operation__", None)
    return found


def install(app: Flask) -> None:
    """Measure every request to a described handler before it runs. What passed is `query` and `body`."""

    @app.before_request
    def measure() -> None:
        found = current()
        if found is None:
            return
        if not all(_path_validator(part).is_valid(value) for part, value in (request.view_args or {}).items()):
            abort(404)
        g.query = {name: _from_query(name, schema) for name, schema in {"lang": _LANG, **found.query}.items()}
        if found.takes_json:
            g.body = _read_json()
            name = found.checks or found.body
            assert name is not None
            wrong = _wrong_field(name, g.body)
            if wrong == "":
                raise ApiError("bad-json")
            if wrong is not None:
                raise ApiError("bad-field", field=wrong)


def current() -> Operation | None:
    """What the handler of the current request said about itself."""
    return operation_of(current_app.view_functions.get(request.endpoint or ""))


def query(name: str) -> Any:
    """A query parameter of the current request, as its schema says; its default when it is missing."""
    return g.query[name]


def body() -> Any:
    """The JSON body of the current request, which fits its schema."""
    return g.body


def _from_query(name: str, schema: Schema) -> Any:
    text = request.args.get(name)
    if text is None:
        return schema.get("default")
    value: Any = text
    if schema.get("type") == "integer":
        if not re.fullmatch(r"-?[0-9]{1,15}", text):
            raise ApiError("bad-field", field=name)
        value = int(text)
    if next(Draft202012Validator(schema).iter_errors(value), None) is not None:
        raise ApiError("bad-field", field=name)
    return value


def _read_json() -> Any:
    """The body as JSON. Asking for the content type keeps other sites' forms out."""
    try:
        found = _whole(request.get_json())
        json.dumps(found, ensure_ascii=False).encode()  # half a surrogate pair is no text, whatever the escape says
    except UnsupportedMediaType as error:
        raise ApiError("not-json", 415) from error
    except (BadRequest, UnicodeEncodeError, RecursionError) as error:
        raise ApiError("bad-json") from error
    return found


def _whole(value: Any) -> Any:
    """The same with 4 where 4.0 was written: JSON, and its schemas, know one kind of number."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return {name: _whole(one) for name, one in value.items()} if isinstance(value, dict) else value


@cache
def _path_validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(PATH[name])


@lru_cache(maxsize=64)
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas()}})


def errors_in(name: str, value: Any) -> list[ValidationError]:
    """Where `value` differs from the schema `name`."""
    return sorted(_validator(name).iter_errors(value), key=lambda error: list(map(str, error.absolute_path)))


def _wrong_field(name: str, value: Any) -> str | None:
    """The field of a body that does not fit; ``""`` when it is no object at all, None when everything fits."""
    schema = schemas()[name]
    if not isinstance(value, dict):
        return ""
    tells = schema.get("discriminator")
    if tells is not None:
        chosen = value.get(tells["propertyName"])
        found = tells["mapping"].get(chosen) if isinstance(chosen, str) else None
        return str(tells["propertyName"]) if found is None else _wrong_field(found.rpartition("/")[2], value)
    worst = best_match(_validator(name).iter_errors(value))
    if worst is None:
        return None
    if worst.absolute_path:
        return str(worst.absolute_path[0])
    named = set(schema.get("properties", {}))
    if worst.validator == "required":
        return next((key for key in schema["required"] if key not in value), "?")
    return next((str(key)[:40] for key in value if key not in named), "?")


# --- the document --------------------------------------------------------------------------------------------------


def described(app: Flask) -> list[tuple[Rule, str, Operation]]:
    """Every route of the API, with its method, in the order of addresses."""
    found = []
    for rule in app.url_map.iter_rules():
        what = operation_of(app.view_functions[rule.endpoint])
        if what is not None:
            methods = sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
            found += [(rule, method.lower(), what) for method in methods]
    return sorted(found, key=lambda item: (path_of(item[0]), item[1]))


def path_of(rule: Rule) -> str:
    """``/tables/<int:seq>`` → ``/tables/{seq}``."""
    return re.sub(r"<(?:[^<>:]+:)?([^<>]+)>", r"{\1}", rule.rule)


def document(app: Flask) -> dict[str, Any]:
    """The whole API as OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for rule, method, what in described(app):
        paths.setdefault(path_of(rule), {})[method] = _operation(app, rule, what)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Table Companion",
            "version": __version__,
            "summary": "What pages, cameras and programs ask and tell the table.",
            "description": inspect.cleandoc(_ABOUT),
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": dict(schemas()), "securitySchemes": SECURITY},
    }


_ABOUT = """
Every error has one shape, `Error`; its `code` is for programs, its `message` for people, in their language.

A write says which entry it has seen last (`seq`) and carries a key of its own (`key`). When the table has moved on it
is refused with 409 and nothing is written; look at the table again and repeat. The same key again changes nothing and
gets the same answer, so a request whose answer was lost is simply sent once more.

Who may act is told by the key of a join link, as `Authorization: Bearer KEY` or as the cookie that opening the link
sets. Whoever has none looks on. The owner's key (the file `owner.key` in the data folder) is the host of every table.
"""


def _operation(app: Flask, rule: Rule, what: Operation) -> dict[str, Any]:
    view = app.view_functions[rule.endpoint]
    text = inspect.getdoc(view) or ""
    text = " ".join(text.split())
    summary, _, rest = text.rstrip(".").partition(". ")
    found: dict[str, Any] = {
        "operationId": rule.endpoint.rpartition(".")[2],
        "tags": [what.tag],
        "summary": summary,
        "description": f"{rest}." if rest else text,
        "parameters": [*_path_parameters(rule), *_query_parameters(what)],
        "responses": _responses(rule, what),
    }
    if what.body is not None:
        content: dict[str, Any] = {JSON: {"schema": _ref(what.body)}} if what.takes_json else {what.body: _FILE}
        found["requestBody"] = {"required": True, "content": content}
    if what.acts:
        found["security"] = [{"key": []}]
    return found


_FILE: dict[str, Any] = {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}
_STREAM: dict[str, Any] = {"schema": {"description": "Server-sent events, as the operation tells them."}}


def _path_parameters(rule: Rule) -> Iterable[dict[str, Any]]:
    for name in re.findall(r"<(?:[^<>:]+:)?([^<>]+)>", rule.rule):
        yield {"name": name, "in": "path", "required": True, "schema": PATH[name]}


def _query_parameters(what: Operation) -> Sequence[dict[str, Any]]:
    return [{"name": name, "in": "query", "schema": schema} for name, schema in {**what.query, "lang": _LANG}.items()]


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _responses(rule: Rule, what: Operation) -> dict[str, Any]:
    good: dict[str, Any] = {"description": STATUS[what.status]}
    if isinstance(what.answer, str):
        good["content"] = {JSON: {"schema": _ref(what.answer)}}
    else:
        good["content"] = {media: _STREAM if media == "text/event-stream" else _FILE for media in what.answer}
    if what.links:
        good["links"] = dict(what.links)
    statuses = {400, *what.errors}
    statuses |= {404} if rule.arguments else set()
    statuses |= {413, 415} if what.body else set()
    statuses |= {401, 403} if what.acts else set()
    shape: dict[str, Any] = {JSON: {"schema": _ref("Error")}}
    if not rule.rule.startswith("/api/"):
        shape["text/html"] = {"schema": {"type": "string"}}  # to a browser that would rather have a page
    failures = {str(status): {"description": STATUS[status], "content": shape} for status in sorted(statuses)}
    return {str(what.status): good, **failures}
