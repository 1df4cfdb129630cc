"""python -m chickenfoot verify FILE...: checks records of matches. `-` is the standard input."""

from __future__ import annotations

import argparse
import pathlib
import sys

from .flaw import Flaw
from .verify import verify


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 0 if all records are right, 1 if one is not, 2 if the command cannot be understood or a file not read."""
    parser = argparse.ArgumentParser(prog="python -m chickenfoot", description="Tools for the Chicken Foot match service.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("verify", help="check the records of matches offline")
    command.add_argument("files", nargs="+", metavar="FILE", help="what `chickenfoot record get` wrote; - for the input")
    options = parser.parse_args(arguments)
    return max(_verify(file) for file in options.files)


def _verify(file: str) -> int:
    try:
        content = sys.stdin.buffer.read() if file == "-" else pathlib.Path(file).read_bytes()
    except OSError as why:
        print(f"{file}: cannot be read: {why.strerror}", file=sys.stderr)
        return 2
    try:
        record = verify(content)
    except Flaw as flaw:
        print(f"{file}: {flaw}", file=sys.stderr)
        return 1
    print(f"{file}: verified, digest {record.digest.hex()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
