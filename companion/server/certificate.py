"""A certificate authority of this server's own: browsers let a page use the camera over HTTPS alone.

The authority and its certificate lie in the data folder. A browser that does not know the authority warns once; one in
which people have put ``/certificate.crt`` does not. Needs the package `cryptography` (extra ``https``).
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.resources import how_to_install

AUTHORITY_DAYS = 3650
DAYS = 397
"""Longer than this no browser believes a certificate."""

_RENEW_DAYS = 30
_NAME = "Table Companion"


class CertificateError(RuntimeError):
    """HTTPS is not possible; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The files (PEM) of the server's certificate, its key, and the authority that signed it."""

    certificate: Path
    key: Path
    authority: Path


def authority_file(data: Path) -> Path:
    """Where the certificate of the authority lies in a data folder."""
    return data / "https" / "authority.pem"


def certificate(data: Path, addresses: Sequence[str], now: datetime | None = None) -> Certificate:
    """The certificate for `addresses` (names and IP addresses), made or renewed where necessary.

    Raises CertificateError without the package `cryptography`, or when the files in the data folder are broken.
    """
    now = now or datetime.now(UTC)
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError as error:
        wanted = f"HTTPS needs the package cryptography: {how_to_install('cryptography')}"
        raise CertificateError(wanted) from error
    authority = authority_file(data)
    folder = authority.parent
    found = Certificate(folder / "server.pem", folder / "server.key", authority)
    folder.mkdir(parents=True, exist_ok=True)
    names = list(dict.fromkeys(["localhost", "127.0.0.1", "::1", socket.gethostname(), *addresses]))
    try:
        if not authority.exists():
            _make_authority(authority, folder / "authority.key", now)
        signer = x509.load_pem_x509_certificate(authority.read_bytes())
        if not (found.certificate.exists() and _good(found.certificate.read_bytes(), signer, names, now)):
            key = load_pem_private_key((folder / "authority.key").read_bytes(), None)
            _make_leaf(found, signer, key, names, now)
    except (OSError, ValueError) as error:
        raise CertificateError(f"The certificate in {folder} cannot be used ({error}); remove that folder.") from error
    return found


def _make_authority(file: Path, key_file: Path, now: datetime) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"{_NAME} ({socket.gethostname()})")
    built = (
        _builder(name, name, key.public_key(), now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(sign=True), critical=True)
    )
    _write_key(key_file, key)
    _write(file, built.sign(key, hashes.SHA256()))


def _make_leaf(to: Certificate, signer: Any, signing: Any, names: Sequence[str], now: datetime) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID

    key = ec.generate_private_key(ec.SECP256R1())
    built = (
        _builder(_name(_NAME), signer.subject, key.public_key(), now, DAYS)
        .add_extension(x509.SubjectAlternativeName([_alternative(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(sign=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    _write_key(to.key, key)
    _write(to.certificate, built.sign(signing, hashes.SHA256()))


def _good(pem: bytes, signer: Any, names: Sequence[str], now: datetime) -> bool:
    """A certificate of this authority that covers all names and will last for a while."""
    from cryptography import x509

    found = x509.load_pem_x509_certificate(pem)
    covered = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    lasts = found.not_valid_after_utc - now > timedelta(days=_RENEW_DAYS) and found.not_valid_before_utc <= now
    return lasts and found.issuer == signer.subject and all(_alternative(name) in covered for name in names)


def _builder(subject: Any, issuer: Any, public: Any, now: datetime, days: int) -> Any:
    from cryptography import x509

    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days - 1))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(*, sign: bool) -> Any:
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=not sign,
        key_cert_sign=sign,
        crl_sign=sign,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> Any:
    from cryptography import x509

    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text[:64])])


def _alternative(name: str) -> Any:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _write(file: Path, built: Any) -> None:
    from cryptography.hazmat.primitives.serialization import Encoding

    file.write_bytes(built.public_bytes(Encoding.PEM))


def _write_key(file: Path, key: Any) -> None:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    file.touch(mode=0o600)
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
