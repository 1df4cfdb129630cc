"""A service with a certificate, which the client checks."""

import asyncio
import pathlib
import subprocess

import pytest
from bots import highest
from service import running

import chickenfoot
from chickenfoot import Client, ConnectOptions, Rules, Runner, aio


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    """A certificate that vouches for itself, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    made, key = folder / "certificate.pem", folder / "key.pem"
    names = ["-subj", "/CN=chickenfoot.test", "-addext", "subjectAltName=DNS:chickenfoot.test"]
    new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    subprocess.run([*new, *names, "-keyout", str(key), "-out", str(made)], check=True, capture_output=True)
    return made, key


def test_a_bot_plays_over_tls_with_a_service_that_its_authority_vouches_for(
    certificate: tuple[pathlib.Path, pathlib.Path], log: pathlib.Path
) -> None:
    made, key = certificate
    with running(log, "--store", "memory", "--tls-cert", str(made), "--tls-key", str(key)) as server:
        address = server.address.replace("http:", "https:")
        trusting = ConnectOptions.from_files(ca=made, server_name="chickenfoot.test")
        with Client(address, options=trusting) as nobody:
            token = nobody.register("bot")
        options = ConnectOptions.from_files(token=token, ca=made, server_name="chickenfoot.test")
        with Client(address, options=options) as client:
            # Each runner gets a match of its own: a runner takes whatever is offered, and might end both.
            client.create_match(["agent:bot", "greedy"], Rules.trains(2, rounds=1))
            assert Runner(address, options=options, games=1).run(highest).games == 1
            client.create_match(["agent:bot", "greedy"], Rules.trains(2, rounds=1))
            assert asyncio.run(aio.Runner(address, options=options, games=1).run(highest)).games == 1
        # Others are not trusted, and nothing is sent in the clear where TLS was asked for.
        for wrong in (ConnectOptions(server_name="chickenfoot.test"), ConnectOptions(ca=made.read_bytes())):
            with Client(address, options=wrong) as client, pytest.raises(chickenfoot.ConnectionLost):
                client.agent("bot")
