"""Mail in S/MIME: what is only signed is read as if it were not, what is encrypted is said to be."""

import base64
import datetime as dt
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
from cryptography.x509.oid import NameOID

from extraction import extract
from extraction.document import Lost, LostWhat
from tests.extraction.test_mail import HEAD, part, text_of, unpacked, written

TEXT = part("The northern pier is closed.\n")
WITH_FILE = (
    f'Content-Type: multipart/mixed; boundary="b"\n\n--b\n{TEXT}\n--b\n'
    f"{part('Tolls rise.', 'text/plain', 'Content-Disposition: attachment; filename=tolls.txt')}\n--b--\n"
)
ENCRYPTED = ("What is encrypted in the message was not read. Decrypt it and upload it again.",)


@cache
def _certificate(make: Callable[[], ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey]) -> tuple[x509.Certificate, object]:
    key, name = make(), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Harbour")])
    day = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 7, day, day + dt.timedelta(days=9))
    return builder.sign(key, hashes.SHA256()), key


def _elliptic() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _rsa() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def signed(inner: str) -> bytes:
    certificate, key = _certificate(_elliptic)
    builder = pkcs7.PKCS7SignatureBuilder().set_data(inner.encode())
    return builder.add_signer(certificate, key, hashes.SHA256()).sign(Encoding.DER, [pkcs7.PKCS7Options.Binary])  # type: ignore[arg-type]


def encrypted(inner: str) -> bytes:
    builder = pkcs7.PKCS7EnvelopeBuilder().set_data(inner.encode()).add_recipient(_certificate(_rsa)[0])
    return builder.encrypt(Encoding.DER, [])


def in_pieces(inner: str) -> bytes:
    """Signed as programs write it that begin before they know the length."""

    def open_ended(tag: int, *values: bytes) -> bytes:
        return bytes([tag, 0x80]) + b"".join(values) + b"\0\0"

    def octets(text: bytes) -> bytes:
        return b"\x04\x82" + len(text).to_bytes(2, "big") + text

    kind = b"\x06\x09" + bytes.fromhex("2a864886f70d0107")
    text = inner.encode()
    content = open_ended(0xA0, open_ended(0x24, octets(text[:30]), octets(text[30:])))
    version_and_digests = b"\x02\x01\x01\x31\x00"
    return open_ended(
        0x30,
        kind + b"\x02",
        open_ended(0xA0, open_ended(0x30, version_and_digests, open_ended(0x30, kind + b"\x01", content))),
    )


def sealed(content: bytes, kind: str = "application/pkcs7-mime; smime-type=signed-data") -> str:
    body = base64.encodebytes(content).decode()
    return f'Content-Type: {kind}; name="smime.p7m"\nContent-Transfer-Encoding: base64\n\n{body}'


@pytest.mark.parametrize("kind", ["application/pkcs7-mime", "application/x-pkcs7-mime", "application/octet-stream"])
@pytest.mark.parametrize("seal", [signed, in_pieces, lambda inner: signed(sealed(signed(inner)))])
def test_what_is_only_signed_is_read(tmp_path: Path, seal: Callable[[str], bytes], kind: str) -> None:
    path = written(tmp_path, f"{HEAD}Subject: Pier\n{sealed(seal(WITH_FILE), kind)}")
    text = text_of(path)
    assert "The northern pier is closed." in text
    assert "Attachments: tolls.txt" in text
    assert [(page.lost, page.warnings) for page in extract(path)] == [((), ())]
    assert unpacked(path)["tolls.txt"] == "Tolls rise."


PGP = "-----BEGIN PGP MESSAGE-----\nabcd\n-----END PGP MESSAGE-----\n"


@pytest.mark.parametrize(
    "inner",
    [
        lambda: sealed(encrypted(TEXT), "application/pkcs7-mime; smime-type=enveloped-data"),
        lambda: sealed(signed(sealed(encrypted(TEXT)))),
        lambda: f'Content-Type: multipart/encrypted; boundary="b"\n\n--b\n{TEXT}\n--b--\n',
        lambda: part(f"Below.\n{PGP}"),
    ],
)
def test_what_is_encrypted_is_said_to_be(tmp_path: Path, inner: Callable[[], str]) -> None:
    [page] = extract(written(tmp_path, f"{HEAD}Subject: Pier\n{inner()}"))
    assert page.warnings == ENCRYPTED
    assert page.lost == (Lost(LostWhat.FOREIGN),)
    assert "Pier" in page.text


def test_a_damaged_seal_is_told_as_a_part_that_is_not_read(tmp_path: Path) -> None:
    for content in (b"", b"\x30", b"\x30\x80" * 5_000, signed(TEXT)[:40], b"\x30\x84\xff\xff\xff\xff\x06", b"\x1f" * 9):
        [page] = extract(written(tmp_path, f"{HEAD}Subject: Pier\n{sealed(content)}"))
        assert (page.warnings, page.lost) == ((), (Lost(LostWhat.FOREIGN),)), content
