"""The bot of highest.py with asyncio: python highest_aio.py NAME"""

import asyncio
import logging
import sys

import chickenfoot
from chickenfoot import aio


async def choose(turn: chickenfoot.Turn) -> chickenfoot.Move:
    return max(turn.options, key=lambda option: option.pips + (option.kind == "play"))


if len(sys.argv) != 2:
    sys.exit("usage: highest_aio.py NAME")
logging.basicConfig(level=logging.INFO)
asyncio.run(aio.run(choose, name=sys.argv[1]))
