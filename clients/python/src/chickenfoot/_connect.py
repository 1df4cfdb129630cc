"""Where the service is, and how to get there."""

from __future__ import annotations

import os
import pathlib
import secrets
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import grpc

from .errors import AddressError

DEFAULT_SERVER = "http://127.0.0.1:7440"

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True)
class ConnectOptions:
    """How to connect: who calls, and over which TLS. Certificates and keys are PEM.

    An address with `https://` is reached over TLS; its certificate is checked against those that gRPC trusts, or against `ca`
    alone. `server_name` is the name that the certificate must have, if not that of the address.
    """

    token: str | None = field(default=None, repr=False)
    ca: bytes | None = field(default=None, repr=False)
    certificate: bytes | None = field(default=None, repr=False)
    key: bytes | None = field(default=None, repr=False)
    server_name: str | None = None

    @classmethod
    def from_files(
        cls,
        *,
        token: str | None = None,
        ca: str | os.PathLike[str] | None = None,
        certificate: str | os.PathLike[str] | None = None,
        key: str | os.PathLike[str] | None = None,
        server_name: str | None = None,
    ) -> ConnectOptions:
        """Options with certificates and keys from files."""

        def read(path: str | os.PathLike[str] | None) -> bytes | None:
            return None if path is None else pathlib.Path(path).read_bytes()

        return cls(token, read(ca), read(certificate), read(key), server_name)

    @property
    def wants_tls(self) -> bool:
        """Whether any of it makes sense over TLS only."""
        return bool(self.ca or self.certificate or self.key or self.server_name)

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with every call."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()


@dataclass(frozen=True)
class Target:
    """An address that was understood: what gRPC is to be told."""

    name: str
    credentials: grpc.ChannelCredentials | None
    options: list[tuple[str, str | int]]


def target(server: str | None, options: ConnectOptions) -> Target:
    """What to connect to. `server` is like `http://127.0.0.1:7440`; if it is None, CHICKENFOOT_SERVER says, or else that address
    is meant. Without a scheme it is `https://` if there are options for TLS, else `http://`.

    Raises AddressError if it is no address, or not one for TLS although there are options for TLS.
    """
    address = server or os.environ.get("CHICKENFOOT_SERVER") or DEFAULT_SERVER
    full = address if "://" in address else f"{'https' if options.wants_tls else 'http'}://{address}"
    try:
        parts = urlsplit(full)
        host, port = parts.hostname, parts.port
    except ValueError as why:
        raise AddressError(f"{address!r} is not an address such as {DEFAULT_SERVER}") from why
    if parts.scheme not in ("http", "https") or not host or parts.path not in ("", "/"):
        raise AddressError(f"{address!r} is not an address such as {DEFAULT_SERVER}")
    if options.wants_tls and parts.scheme != "https":
        raise AddressError(f"{address!r} does not begin with https://, and there are options for TLS")
    if options.token is not None and not (options.token.isascii() and options.token.isprintable()):
        raise AddressError("the token has characters that no token has")
    shown = f"[{host}]" if ":" in host else host
    credentials = None
    if parts.scheme == "https":
        credentials = grpc.ssl_channel_credentials(options.ca, options.key, options.certificate)
    name = f"{shown}:{port or (443 if credentials else 80)}"
    return Target(name, credentials, _settings(host, options))


def _settings(host: str, options: ConnectOptions) -> list[tuple[str, str | int]]:
    settings: list[tuple[str, str | int]] = [
        # A record of the longest match has some hundred kilobytes.
        ("grpc.max_receive_message_length", 16 * 1024 * 1024),
        # A connection that does not answer a ping for so long is dead.
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.http2.max_pings_without_data", 0),
        # Each channel has a connection of its own: a new one must not inherit one that is dead without knowing it.
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.enable_retries", 0),
        # A client that is used on and on is to find a service that is back again.
        ("grpc.initial_reconnect_backoff_ms", 250),
        ("grpc.max_reconnect_backoff_ms", 5_000),
        # Proxies of the environment are for far away.
        ("grpc.enable_http_proxy", 0 if host in _LOOPBACK else 1),
    ]
    if options.server_name:
        settings.append(("grpc.ssl_target_name_override", options.server_name))
    return settings


def entropy() -> bytes:
    """Fresh entropy for a seat: 32 bytes from the system."""
    return secrets.token_bytes(32)


def request_id() -> str:
    """A text that no other request bears: 32 hexadecimal digits, as secret as a token."""
    return secrets.token_hex(16)
