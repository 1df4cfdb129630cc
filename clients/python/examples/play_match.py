"""Two agents play a short match against two bots of the house: python play_match.py HOST:PORT

Needs the packages of requirements.txt and the contract in proto/, and nothing else of this repository.
"""
import importlib
import pathlib
import queue
import sys
import tempfile
import uuid
from concurrent.futures import ThreadPoolExecutor

import grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_tools import protoc

PROTO = pathlib.Path(__file__).resolve().parents[3] / "proto"
INCLUDE = [PROTO, pathlib.Path(protoc.__file__).parent / "_proto"]
FILES = [str(path.relative_to(PROTO)) for path in sorted(PROTO.glob("chickenfoot/v1/*.proto"))]
SERVICES = {"chickenfoot.v1.AgentService", "chickenfoot.v1.MatchService"}

with tempfile.TemporaryDirectory() as out:
    options = [f"-I{path}" for path in INCLUDE] + [f"--python_out={out}", f"--grpc_python_out={out}"]
    failed = protoc.main(["protoc", *options, *FILES])
    assert not failed, "the contract does not compile"
    sys.path.insert(0, out)
    agent, game, match = (importlib.import_module(f"chickenfoot.v1.{name}_pb2") for name in ("agent", "game", "match"))
    agent_grpc, match_grpc = (importlib.import_module(f"chickenfoot.v1.{name}_pb2_grpc") for name in ("agent", "match"))


def is_whole(tile):
    """Whether both numbers of a tile are set: a blank is a number, not the lack of one."""
    return tile.HasField("low") and tile.HasField("high")


def play(channel, metadata, unary):
    """Plays an agent's match on its session, always option 0; answers by unary calls if asked to."""
    up, matches, choices = queue.SimpleQueue(), match_grpc.MatchServiceStub(channel), 0
    up.put(agent.SessionRequest(open=agent.Open(client="play_match.py")))
    for message in agent_grpc.AgentServiceStub(channel).Session(iter(up.get, None), metadata=metadata):
        kind = message.WhichOneof("what")
        if kind == "seat_offer":
            reply = agent.OfferReply(match_id=message.seat_offer.match.id, accept=True)
            up.put(agent.SessionRequest(offer_reply=reply))
        elif kind == "decision":
            decision, choices = message.decision, choices + 1
            assert all(is_whole(tile) for tile in decision.view.hand)
            assert all(move.play.HasField("end") for move in decision.options if move.HasField("play"))
            choice = match.Choice(match_id=decision.match_id, decision=decision.number, option=0)
            if unary:
                matches.Play(match.PlayRequest(choice=choice), metadata=metadata)
            else:
                up.put(agent.SessionRequest(choice=choice))
        elif kind == "game_ended":
            up.put(None)
        assert kind not in ("refusal", "goodbye"), message
    return choices


with ThreadPoolExecutor() as pool, grpc.insecure_channel(sys.argv[1]) as channel:
    services = set(ProtoReflectionDescriptorDatabase(channel).get_services())
    print("services:", *sorted(services))
    assert services >= SERVICES, f"missing: {SERVICES - services}"
    agents, matches = agent_grpc.AgentServiceStub(channel), match_grpc.MatchServiceStub(channel)
    names = [f"{way}-{uuid.uuid4().hex[:8]}" for way in ("stream", "unary")]
    registered = [agents.RegisterAgent(agent.RegisterAgentRequest(name=name)) for name in names]
    metadata = [[("authorization", f"Bearer {answer.token}")] for answer in registered]
    players = [pool.submit(play, channel, metadata[i], unary=i == 1) for i in range(2)]
    seats = [match.SeatSpec(agent=name) for name in names] + [match.SeatSpec(house=h) for h in ("greedy", "dead-foot")]
    config = match.MatchConfig(rules=game.Rules(rounds=2), seats=seats)
    made = matches.CreateMatch(match.CreateMatchRequest(config=config), metadata=metadata[0]).match
    watch = matches.WatchMatch(match.WatchMatchRequest(match_id=made.id), timeout=60)
    watched = [message.event for message in watch if message.HasField("event")]
    record = matches.GetRecord(match.GetRecordRequest(match_id=made.id)).record
    choices = [player.result() for player in players]
    assert [e.seq for e in watched] == list(range(1, len(watched) + 1)), "the numbers of the events have holes"
    assert watched[-1].match_ended.totals == record.totals, "the watch and the record differ"
    for number, dealt in enumerate(record.rounds, 1):
        tiles = [tile for hand in dealt.hands for tile in hand.tiles] + list(dealt.boneyard.tiles)
        assert all(is_whole(t) for t in tiles) and any((t.low, t.high) == (0, 0) for t in tiles), f"round {number}"
    print(f"match {made.id}: {choices} choices, {len(watched)} events, totals {list(record.totals)}, 0-0 is whole")
