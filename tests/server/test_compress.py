import gzip

from flask import Response


def test_text_leaves_packed_for_whoever_takes_it(client):
    plain = client.get("/rules")
    packed = client.get("/rules", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert int(packed.headers["Content-Length"]) == len(packed.data)
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["Vary"]


def test_files_are_packed_too_and_still_known_by_their_tag(client):
    path = next(p for p in client.get("/").text.split('"') if p.endswith("page+home.css"))
    with client.get(path) as plain, client.get(path, headers={"Accept-Encoding": "gzip"}) as packed:
        assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"].startswith("W/")


def test_streams_pictures_and_errors_stay_as_they_are(client, app):
    app.add_url_rule("/drops", "drops", lambda: Response(iter(["a" * 999]), mimetype="text/plain"))
    app.add_url_rule("/photo", "photo", lambda: Response(b"a" * 999, mimetype="image/jpeg"))
    for path in ("/drops", "/photo", "/nowhere"):
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in answer.headers, path
