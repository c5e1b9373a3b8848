"""HTTPS with an authority of the server's own: a client that trusts it gets in, also after renewals."""

import json
import re
import signal
import ssl
import subprocess
import sys
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest

from companion.server import ServeError, serve
from companion.server.certificate import certificate

x509 = pytest.importorskip("cryptography.x509", reason="cryptography is not installed")
SERVE = (
    "import sys; from pathlib import Path; from companion.server import serve; "
    "serve('127.0.0.1', 0, data=Path(sys.argv[1]), camera='none', game='three-card-showdown', https=True)"
)
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def read(file):
    return x509.load_pem_x509_certificate(file.read_bytes())


def test_it_is_signed_by_the_authority_and_names_every_address(tmp_path):
    found = certificate(tmp_path, ["192.168.1.7", "table.local"], NOW)
    leaf, authority = read(found.certificate), read(found.authority)
    leaf.verify_directly_issued_by(authority)
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {"localhost", "table.local"} <= set(names.get_values_for_type(x509.DNSName))
    assert {"127.0.0.1", "192.168.1.7"} <= set(map(str, names.get_values_for_type(x509.IPAddress)))
    assert (leaf.not_valid_after_utc - leaf.not_valid_before_utc).days <= 398
    for key in ("server.key", "authority.key"):
        assert (tmp_path / "https" / key).stat().st_mode & 0o077 == 0


def test_it_is_kept_until_it_runs_out_or_the_address_changes_and_the_authority_stays(tmp_path):
    first = certificate(tmp_path, ["192.168.1.7"], NOW)
    leaf, authority = first.certificate.read_bytes(), first.authority.read_bytes()
    assert certificate(tmp_path, ["192.168.1.7"], NOW + timedelta(days=200)).certificate.read_bytes() == leaf
    assert certificate(tmp_path, ["192.168.1.8"], NOW).certificate.read_bytes() != leaf
    again = certificate(tmp_path, ["192.168.1.8"], NOW + timedelta(days=380))
    assert read(again.certificate).not_valid_after_utc > NOW + timedelta(days=700)
    assert again.authority.read_bytes() == authority


def test_a_broken_certificate_is_one_sentence(tmp_path):
    (certificate(tmp_path, [], NOW).authority).write_text("what is this")
    with pytest.raises(ServeError, match="remove that folder"):
        serve("127.0.0.1", 0, data=tmp_path, https=True)


def test_pages_come_by_https_and_the_camera_link_leads_there(tmp_path):
    heed = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are told to ignore it
    process = subprocess.Popen([sys.executable, "-u", "-c", SERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, heed)
    lines = []
    try:
        while "Ctrl+C" not in (lines[-1] if lines else ""):
            line = process.stdout.readline()
            assert line, lines
            lines.append(line)
        plain, path = re.search(r"(http://127\.0\.0\.1:\d+)(/join/\S+)", "".join(lines)).groups()
        secure = re.search(r"https://127\.0\.0\.1:\d+", "".join(lines))[0]
        with urllib.request.urlopen(plain + "/certificate.crt", timeout=60) as answer:
            assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
            trusted = ssl.create_default_context(cadata=answer.read().decode())
        with urllib.request.urlopen(secure + path, timeout=60, context=trusted) as answer:
            table = re.search(r"/tables/\w+$", answer.url)[0]
        with urllib.request.urlopen(secure + "/api/tables", timeout=60, context=trusted) as answer:
            assert table in [f"/tables/{found['id']}" for found in json.load(answer)["tables"]]
        bearer = {"Authorization": f"Bearer {(tmp_path / 'owner.key').read_text()}"}
        with urllib.request.urlopen(
            urllib.request.Request(f"{plain}{table}/join", headers=bearer), timeout=60
        ) as answer:
            assert re.search(rf'href="{secure}/join/[^"]*:camera', answer.read().decode())
        with pytest.raises(urllib.error.URLError, match="certificate verify failed"):
            urllib.request.urlopen(secure, timeout=60, context=ssl.create_default_context())
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
