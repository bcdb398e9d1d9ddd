"""Receivers that speak TLS: a certificate that is trusted and of the right name, and others."""

import ssl
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.utils import timezone

from ingest.webhooks.sending import DeliveryOutcome, post
from kb_project.clients.http import trusted_certificates


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for `localhost` that signs itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = timezone.now()
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    made = builder.add_extension(names, critical=False).sign(key, hashes.SHA256())
    path = tmp_path / "certificate.pem"
    form = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM) + key.private_bytes(serialization.Encoding.PEM, *form)
    )
    return path


@pytest.fixture
def port(certificate: Path) -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


def test_a_certificate_must_be_trusted_and_of_the_name(
    port: int, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def posted(host: str) -> DeliveryOutcome:
        return post(f"https://{host}:{port}/", headers={}, body=b"", networks=["127.0.0.0/8"])

    assert posted("localhost").fault == "unreachable"
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    trusted_certificates.cache_clear()
    try:
        assert posted("localhost") == DeliveryOutcome(204, None)
        assert posted("127.0.0.1").fault == "unreachable"
    finally:
        trusted_certificates.cache_clear()
