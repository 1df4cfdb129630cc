"""The same as the package itself, for asyncio: `run`, `Runner`, `Client` and `Session`.

    import asyncio
    from chickenfoot import aio

    async def choose(turn):
        return turn.options[0]

    asyncio.run(aio.run(choose, name="my-bot"))

Errors, turns, moves and messages are those of the package.
"""

from ._client import Client
from ._runner import Runner, run
from ._session import Session

__all__ = ["Client", "Runner", "Session", "run"]
