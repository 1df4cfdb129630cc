#!/usr/bin/env python3
"""The views of the command line on a real pseudo terminal, against a real service. Both binaries come by environment:
CHICKENFOOT_BIN, CHICKENFOOT_SERVER_BIN. Needs Python 3 alone."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

CLI = os.path.abspath(os.environ["CHICKENFOOT_BIN"])
SERVER = os.path.abspath(os.environ["CHICKENFOOT_SERVER_BIN"])
PATIENCE = 30
CSI = re.compile(rb"\x1b\[([?>]?)([0-9;]*)([@-~])")


class Screen:
    """As much of a terminal as the views use: what stands where."""

    def __init__(self, columns, rows):
        self.alternate, self.cursor, self.rest = False, True, b""
        self.resize(columns, rows)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.clear()

    def clear(self):
        self.wipe()
        self.x = self.y = 0

    def wipe(self):
        self.cells = [[" "] * self.columns for _ in range(self.rows)]
        # What did not fit into a row.
        self.beyond = ""

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def feed(self, data):
        data, self.rest = self.rest + data, b""
        while data:
            if data[0] == 0x1B:
                found = CSI.match(data)
                if not found:
                    if len(data) < 32:
                        self.rest = data
                        return
                    raise AssertionError(f"an unknown sequence: {data[:32]!r}")
                self.control(*(part.decode() for part in found.groups()))
                data = data[found.end():]
                continue
            end = data.find(b"\x1b")
            piece, data = (data, b"") if end < 0 else (data[:end], data[end:])
            try:
                text = piece.decode()
            except UnicodeDecodeError as error:
                if data or len(piece) - error.start > 3:
                    raise
                text, self.rest = piece[: error.start].decode(), piece[error.start:]
            for char in text:
                self.put(char)

    def put(self, char):
        if char == "\r":
            self.x = 0
        elif char == "\n":
            if self.y + 1 == self.rows:
                self.cells = self.cells[1:] + [[" "] * self.columns]
            else:
                self.y += 1
        elif char >= " ":
            if self.x < self.columns:
                self.cells[self.y][self.x] = char
            else:
                self.beyond += char
            self.x += 1

    def control(self, private, numbers, final):
        values = [int(number or 0) for number in numbers.split(";")]
        if private and values[0] == 1049:
            self.alternate = final == "h"
            self.clear()
        elif private and values[0] == 25:
            self.cursor = final == "h"
        elif final == "H":
            line, column = (values + [1, 1])[:2]
            # What was written for a larger screen ends at the edge of this one.
            self.y, self.x = min(max(line, 1), self.rows) - 1, min(max(column, 1), self.columns) - 1
        elif final == "J":
            assert values == [2], f"clears {values}"
            self.wipe()
        elif final == "K":
            self.cells[self.y][self.x:] = [" "] * (self.columns - self.x)


class View:
    """A command on a terminal of its own."""

    def __init__(self, *args, size=(80, 24), env=None):
        self.master, self.slave = pty.openpty()
        self.screen, self.raw = Screen(*size), b""
        self.resize(*size, tell=False)
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [CLI, *args], stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **(env or {})},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def resize(self, columns, rows, tell=True):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if tell:
            self.screen.resize(columns, rows)
            os.killpg(self.process.pid, signal.SIGWINCH)

    def read(self, patience):
        ready, _, _ = select.select([self.master], [], [], patience)
        data = os.read(self.master, 65536) if ready else b""
        self.raw += data
        self.screen.feed(data)
        return bool(data)

    def sees(self, *texts):
        """Waits until all of these are on the screen."""
        end = time.monotonic() + PATIENCE
        while not all(text in self.screen.text() for text in texts):
            if time.monotonic() > end or (self.process.poll() is not None and not self.read(0)):
                raise AssertionError(f"{texts} are not on the screen:\n{self.screen.text()}")
            self.read(0.05)

    def lacks(self, pattern):
        """Waits until nothing like this is on the screen."""
        end = time.monotonic() + PATIENCE
        while re.search(pattern, self.screen.text()):
            if time.monotonic() > end or (self.process.poll() is not None and not self.read(0)):
                raise AssertionError(f"{pattern} is on the screen:\n{self.screen.text()}")
            self.read(0.05)

    def has(self, *texts):
        """Looks whether all of these stand on the terminal after the view was left."""
        left = self.raw.rsplit(b"\x1b[?1049l")[-1].decode()
        for text in texts:
            assert text in left, f"{text} is not in {left}"

    def press(self, keys):
        os.write(self.master, keys.encode())

    def ends(self, code):
        """Waits for the end, and looks whether the terminal is as it was."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it does not end:\n{self.screen.text()}"
            self.read(0.05)
        # What was written last may take a moment from one end of the terminal to the other.
        while self.read(0.2):
            pass
        assert self.process.returncode == code, f"exit code {self.process.returncode}:\n{self.screen.text()}"
        assert not self.screen.alternate and self.screen.cursor, "the screen was not left"
        assert termios.tcgetattr(self.slave) == self.before, "the terminal is not as it was"
        os.close(self.master)
        os.close(self.slave)


LEFT, RIGHT, UP, DOWN, HOME, END, PAGE_UP, PAGE_DOWN = (
    "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~")


def cli(*args):
    return subprocess.run([CLI, *args], check=True, timeout=60, capture_output=True, text=True).stdout.strip()


class Server:
    """A service on a port of its own, which may be stopped and started again."""

    def __init__(self, folder):
        self.store, self.listen = f"{folder}/store.db", "127.0.0.1:0"
        self.start()

    def start(self):
        command = [SERVER, "--listen", self.listen, "--store", self.store]
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env={**os.environ, "RUST_LOG": "info"})
        for line in self.process.stderr:
            if '"serving"' in line:
                self.listen = json.loads(line)["address"]
                break
        else:
            raise AssertionError("the service did not start")
        # Whatever else it logs is not read, but must not stop it.
        self.drain = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)
        os.environ["CHICKENFOOT_SERVER"] = f"http://{self.listen}"

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stderr.close()
        self.drain.wait(PATIENCE)


def a_match_that_is_over(folder):
    game = cli("match", "create", "--seats", "greedy,dead-foot,random", "--rounds", "2", "--seed", "07" * 32,
               "--deal-id", "view")
    cli("match", "watch", game)
    view = View("match", "watch", game)
    view.sees("finished", "the end", "dead-foot", "tiles  points", "? help", " wins with ")
    assert view.screen.alternate and not view.screen.cursor
    assert b"\x1b[3" in view.raw, "there are colours"
    view.press(HOME)
    view.sees("event 1 of")
    view.press(RIGHT)
    view.sees("event 2 of", "[9|9]", "(arm open: 9)")
    view.press(PAGE_DOWN)
    view.sees("[8|8]", "round 2 of 2")
    view.press(PAGE_UP + LEFT)
    view.sees("event 1 of")
    view.press("?")
    view.sees("keys of a match", "one event back or forward")
    view.press(LEFT)
    view.sees("event 1 of")
    view.press("++++ ")
    view.sees("the end")
    view.resize(40, 12)
    view.sees("? help", "the end", "0 greedy")
    assert not view.screen.beyond, view.screen.beyond
    view.press("q")
    view.ends(0)
    # What stays on the terminal is the result.
    view.has(f"match {game}: finished", "seat  name ", "greedy")

    view = View("match", "watch", game, "--exit", env={"NO_COLOR": "1"})
    view.ends(0)
    assert not re.search(rb"\x1b\[(?:[0-9;]*;)?[34][0-9][;m]", view.raw.replace(b"\x1b[39m", b"").replace(b"\x1b[49m", b"")), view.raw

    view = View("match", "watch", game, "--ascii")
    view.sees("the end", "|-")
    assert view.screen.text().isascii(), view.screen.text()
    view.press("\x03")
    view.ends(130)

    for args, env in [(["--plain"], {}), ([], {"TERM": "dumb"})]:
        view = View("match", "watch", game, *args, env=env)
        view.ends(0)
        assert b"\x1b[?1049h" not in view.raw and b"match ended" in view.raw

    record = f"{folder}/match.json"
    with open(record, "w") as file:
        file.write(cli("record", "get", game))
    view = View("replay", record)
    view.sees("event 1 of", "before the first round")
    view.press(END)
    view.sees("the end", " wins with ")
    view.press("q")
    view.ends(0)


def a_match_that_is_played(folder, server):
    game = cli("match", "create", "--seats", "open,greedy", "--rounds", "1", "--decision-time", "60s")
    view = View("match", "watch", game)
    view.sees("open", "waiting for seat 0, which anybody may take")
    cli("match", "join", game, "--seat", "0")
    view.sees("running", "LIVE", "[9|9]", "tester is on turn", "thinks for")
    view.press(LEFT)
    view.sees(", 1 new")
    view.press("l")
    view.sees("LIVE")
    server.stop()
    view.sees("connection lost")
    server.start()
    view.sees("q quit", "LIVE")
    cli("match", "abort", game)
    view.sees("aborted", "ended before its time by who made it")
    view.process.terminate()
    view.ends(143)


def a_tournament(folder):
    config = f"{folder}/cup.toml"
    with open(config, "w") as file:
        file.write('name = "Cup"\ntable_size = 2\nclocks = { decision_time = "60s" }\n'
                   '[format]\nkind = "round-robin"\ncycles = 1\n[rules]\nrounds = 1\n'
                   '[[entrants]]\nagent = "slow"\n[[entrants]]\nhouse = "greedy"\n[[entrants]]\nhouse = "random"\n')
    token = cli("agent", "register", "slow")
    slow = subprocess.Popen(
        [CLI, "agent", "exec", "slow", "--silence", "300s", "--", "sh", "-c", "cat > /dev/null"],
        env={**os.environ, "CHICKENFOOT_TOKEN": token}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        cup = cli("tournament", "create", config)
        view = View("tournament", "watch", cup)
        view.sees("Cup", "round-robin, open", "not started, 3 entrants so far")
        cli("tournament", "start", cup)
        view.sees("round-robin, running", "running matches: ", "slow 0", "1/3 blocks", "greedy", "random")
        # The list is asked for now and then: the match of these two may be over and still stand in it.
        view.lacks(r"house:\w+ \d+, house:")
        view.press("\t")
        view.press("\r")
        view.sees("match ", "LIVE", "[9|9]", "slow is on turn")
        view.press("?")
        view.sees("keys of a match")
        view.press("\x1b")
        view.sees("LIVE")
        view.press("\x1b")
        view.sees("running matches: ")
        cli("tournament", "cancel", cup)
        view.sees("round-robin, cancelled")
        view.press("q")
        view.ends(1)
        view.has("was cancelled")
        view = View("tournament", "watch", cup, "--exit")
        view.ends(1)
    finally:
        slow.terminate()
        slow.wait(PATIENCE)


def main():
    for name in ("CHICKENFOOT_SERVER", "CHICKENFOOT_TOKEN", "NO_COLOR"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        server = Server(folder)
        stack.callback(lambda: server.process.poll() is None and server.stop())
        os.environ["CHICKENFOOT_TOKEN"] = cli("agent", "register", "tester")
        a_match_that_is_over(folder)
        a_match_that_is_played(folder, server)
        a_tournament(folder)
    print("all fine")


if __name__ == "__main__":
    sys.exit(main())
