"""An authority of the test's own, with certificates for this machine."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Certificates:
    """The files of an authority and of one certificate that it has signed."""

    authority: Path
    certificate: Path
    key: Path

    @property
    def joined(self) -> Path:
        """Certificate and key in one file, as HAProxy takes them."""
        file = self.certificate.with_suffix(".pem")
        file.write_bytes(self.certificate.read_bytes() + self.key.read_bytes())
        return file


def certificates(folder: Path) -> Certificates:
    """Make an authority and a certificate for ``localhost`` and 127.0.0.1, for a day."""
    own, leaf = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)

    def builder(name: str, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(_named(name))
            .issuer_name(_named("tests"))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(days=1))
        )

    authority = (
        builder("tests", own)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(own, hashes.SHA256())
    )
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    signed = (
        builder("localhost", leaf)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(own, hashes.SHA256())
    )
    files = Certificates(folder / "ca.crt", folder / "own.crt", folder / "own.key")
    files.authority.write_bytes(authority.public_bytes(Encoding.PEM))
    files.certificate.write_bytes(signed.public_bytes(Encoding.PEM))
    files.key.write_bytes(leaf.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
