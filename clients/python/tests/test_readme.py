"""Each example of the README, run."""

import os
import pathlib
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from service import PACKAGE, Server, eventually

import chickenfoot
from chickenfoot import Client, Rules

NewAgent = Callable[[], tuple[str, Client]]

README = (PACKAGE / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
WHOLE, *REST = EXAMPLES
BOTS = [text for text in REST if "run(" in text and "table" not in text]
OTHERS = [text for text in REST if text not in BOTS]


def test_the_first_example_is_the_file() -> None:
    assert (PACKAGE / "examples/highest.py").read_text() == WHOLE
    assert (len(BOTS), len(OTHERS)) == (2, 6)


@pytest.mark.parametrize("number", range(len(BOTS)))
def test_a_bot_of_the_readme_plays_a_match(
    server: Server, new_agent: NewAgent, names: Iterator[str], tmp_path: pathlib.Path, number: int
) -> None:
    _, maker = new_agent()
    name = next(names)
    token = maker.register(name)
    script = tmp_path / "bot.py"
    script.write_text(BOTS[number].replace('"my-bot"', repr(name)))
    variables = {"CHICKENFOOT_SERVER": server.address, "CHICKENFOOT_TOKEN": token, "PYTHONPATH": str(PACKAGE / "src")}
    bot = subprocess.Popen([sys.executable, str(script)], env={**os.environ, **variables})
    try:
        maker.create_match([f"agent:{name}", "greedy"], Rules.trains(2, rounds=1))
        assert bot.wait(60) == 0
    finally:
        bot.kill()
        bot.wait()


@pytest.fixture
def known(server: Server, new_agent: NewAgent, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the examples take for granted: a token, a match that is over, the service's address."""
    monkeypatch.setenv("CHICKENFOOT_SERVER", server.address)
    token, client = new_agent()
    match = client.create_match(["greedy", "lowest"], Rules.trains(2, rounds=2))
    eventually(lambda: client.get_match(match.id).state == chickenfoot.v1.MATCH_STATE_FINISHED)
    return {"chickenfoot": chickenfoot, "token": token, "match_id": match.id}


@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_an_example_of_the_readme_runs(known: dict[str, Any], number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(OTHERS[number], f"README example {number}", "exec"), known)
    printed = capsys.readouterr().out
    if "watch(match_id)" in OTHERS[number]:
        assert len(printed.splitlines()) == 2
    if "NotFound" in OTHERS[number]:
        assert printed.startswith("MATCH_NOT_FOUND NOT_FOUND {")
    if "Flaw" in OTHERS[number]:
        assert printed.startswith("seed ")
    assert threading.active_count() < 100
