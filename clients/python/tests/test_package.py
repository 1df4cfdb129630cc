"""What is shipped: the wheel and the sdist, and what importing costs."""

import os
import pathlib
import subprocess
import sys
import tarfile
import zipfile

import pytest
from service import PACKAGE, REPOSITORY


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(PACKAGE)]
    subprocess.run(command, check=True, capture_output=True)
    return out


def test_the_wheel_has_licence_types_and_readme_and_no_tests(built: pathlib.Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        metadata = wheel.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    assert "chickenfoot/py.typed" in names
    assert "chickenfoot/v1/agent_pb2.pyi" in names
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    assert "# Chicken Foot in Python" in metadata
    assert "License-Expression: MIT" in metadata
    outside = [name for name in names if not name.startswith(("chickenfoot/", "chickenfoot-"))]
    assert not outside
    assert not [name for name in names if "test" in name or name.endswith(("json", "jsonl", ".pyc"))]


def test_the_sdist_has_what_a_wheel_is_made_of_and_no_tests(built: pathlib.Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = [name.partition("/")[2] for name in sdist.getnames()]
    for wanted in ("LICENSE", "README.md", "pyproject.toml", "src/chickenfoot/py.typed", "examples/highest.py"):
        assert wanted in names
    assert not [name for name in names if "tests" in name or name.endswith(("json", "jsonl"))]


def test_the_licence_is_that_of_the_project() -> None:
    assert (PACKAGE / "LICENSE").read_text() == (REPOSITORY / "LICENSE").read_text()


def test_importing_opens_no_connection_and_starts_no_thread() -> None:
    script = (
        "import os, sys, threading\n"
        "sys.addaudithook(lambda event, _: event.startswith('socket.') and event != 'socket.__new__' and os._exit(3))\n"
        "import chickenfoot, chickenfoot.aio, chickenfoot.__main__\n"
        "paths = [f'/proc/self/fd/{number}' for number in os.listdir('/proc/self/fd')]\n"
        "links = [os.readlink(path) for path in paths if os.path.lexists(path)]\n"
        "assert not [link for link in links if link.startswith('socket:')], links\n"
        "assert threading.active_count() == 1\n"
        "assert 'pettingzoo' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment, stdin=subprocess.DEVNULL)
