"""Python's websockets package: python-websockets.py broadcast|per-client|per-client-blob FRAME_BYTES FPS.

broadcast        the same bytes to every client, by websockets.broadcast
per-client       the way of viser: a task for each client packs the newest state with msgpack and awaits its sending;
                 the state is a position and an orientation message for each body
per-client-blob  the same with one message whose positions and orientations are byte strings, the cheapest to pack
"""

import asyncio
import json
import struct
import sys
import time

import msgpack
import websockets

WAY, FRAME_BYTES, FPS = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])

clients = set()
frames = {"seq": 0, "next": None, "trailer": bytes(16)}
blob = bytes(range(256)) * (FRAME_BYTES // 256 + 1)


def per_body(bodies):
    return [
        message
        for k in range(bodies)
        for message in (
            {"type": "SetPositionMessage", "name": f"/robot/body_{k:04}", "position": (0.1, 0.2, 0.3)},
            {"type": "SetOrientationMessage", "name": f"/robot/body_{k:04}", "wxyz": (0.7, 0.1, 0.7, 0.1)},
        )
    ]


def state():
    """What each client's task packs: as many bodies as the frame's size allows."""
    room = FRAME_BYTES - 200
    if WAY == "per-client-blob":
        bodies = room // 28
        return [{"type": "BodyPoses", "positions": blob[: 12 * bodies], "wxyzs": blob[: 16 * bodies]}]
    return per_body(room // (len(msgpack.packb(per_body(2))) // 2))


async def serve_client(socket):
    clients.add(socket)
    try:
        if WAY == "broadcast":
            await socket.wait_closed()
            return
        messages = state()
        while True:
            await asyncio.shield(frames["next"])
            await socket.send(msgpack.packb({"messages": messages, "trailer": frames["trailer"]}))
    except websockets.ConnectionClosed:
        pass
    finally:
        clients.discard(socket)


async def main():
    loop = asyncio.get_running_loop()
    frames["next"] = loop.create_future()
    server = await websockets.serve(
        serve_client, "127.0.0.1", 0, compression=None, ping_interval=None, max_queue=4, backlog=1024
    )
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    due = time.monotonic()
    while True:
        due = max(due + 1 / FPS, time.monotonic() - 1 / FPS)
        await asyncio.sleep(max(0, due - time.monotonic()))
        frames["seq"] += 1
        frames["trailer"] = struct.pack("<QQ", time.monotonic_ns(), frames["seq"])
        if WAY == "broadcast":
            websockets.broadcast(clients, blob[: FRAME_BYTES - 16] + frames["trailer"])
        done, frames["next"] = frames["next"], loop.create_future()
        done.set_result(None)


asyncio.run(main())
