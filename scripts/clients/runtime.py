"""Client of motion-studio <version>.

Made from the route table by scripts/clients.ts. Do not edit.

Needs Python 3.10 and the package `requests`. Frames and events need `websocket-client`, frames also `numpy`.

    from motion_studio import MotionStudio

    studio = MotionStudio("http://127.0.0.1:8765")
    studio.select_robot("humanoid")
    studio.load_clip("samples", "squat")
    job = studio.convert_dataset("samples")["job"]
    studio.wait_for_job(job)

Lengths are in metres, angles in radians, times in seconds. Quaternions are w, x, y, z.
"""

from __future__ import annotations

import json
import os
import re
import struct
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Iterator, Literal, Mapping, TypedDict, Union
from urllib.parse import quote

import requests

if TYPE_CHECKING:
    import numpy
    from typing_extensions import NotRequired

Upload = Union[bytes, bytearray, "os.PathLike[str]", BinaryIO]
"""Bytes, the path of a file, or a file that is open for reading bytes."""

SceneOwner = Literal["robots", "data", "play", "import"]
Topic = Literal[
    "client", "log", "busy", "robot", "robots", "data", "jobs", "runs", "recordings", "play", "presets", "owner", "focus"
]

_CONNECT_S = 10.0
_READ_S = 240.0
"""Longer than the service needs for its slowest answer."""
_WAIT_S = 60
_ENDED = ("done", "failed", "stopped", "lost")


# <types>


class StudioError(Exception):
    """The service refused a request, or did not answer.

    status: HTTP status; 0 without an answer
    detail: what is wrong and how to correct it
    field: name of the field that is wrong; None if the message names none
    """

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        match = re.match(r"([A-Za-z_][\w.\[\]/-]*): ", detail)
        self.field: str | None = match.group(1) if match else None


class TaskFailed(StudioError):
    """A slow action failed, or another client superseded it. `busy` is its last state."""

    def __init__(self, busy: Busy) -> None:
        super().__init__(200, busy["error"] or f"{busy['task']} {busy['state']}")
        self.busy = busy


class JobFailed(StudioError):
    """A job failed, was stopped or is lost. `job` is its last state, with the end of its log."""

    def __init__(self, job: GetJobReply) -> None:
        end = "\n".join(job["log"])
        super().__init__(200, f"{job['name']} {job['status']}: {job['error'] or ''}\n{end}".strip())
        self.job = job


class Download:
    """A file that the service sends. Call `read`, `text` or `save` once.

    Each raises StudioError if the connection breaks before the file is complete.
    """

    def __init__(self, response: requests.Response) -> None:
        self._response = response
        self.content_type: str = response.headers.get("content-type", "")

    def read(self) -> bytes:
        """Returns the whole file."""
        with self._whole() as response:
            return response.content

    def text(self) -> str:
        """Returns the whole file as UTF-8 text."""
        return self.read().decode("utf-8")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the file to `path`, however large it is. A broken connection leaves no file there."""
        target = Path(path)
        part = target.with_name(f"{target.name}.part")
        try:
            with self._whole() as response, part.open("wb") as file:
                for chunk in response.iter_content(1 << 20):
                    file.write(chunk)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return target

    @contextmanager
    def _whole(self) -> Iterator[requests.Response]:
        # By default, urllib3 1.26 takes the end of the connection for the end of the file.
        self._response.raw.enforce_content_length = True
        try:
            with self._response as response:
                yield response
        except requests.RequestException as error:
            detail = f"the connection broke before the file was complete: {_reason(error)}. Download it again."
            raise StudioError(0, detail) from error


@dataclass(frozen=True)
class Event:
    """An event. `payload` is a `Busy` for the topic `busy`, a `PlayState` for `play`, a `LogLine` for `log`."""

    topic: Topic
    payload: Any


@dataclass(frozen=True)
class Overlay:
    """Points, lines, arrows or spheres. `values` has one row for each: 3, 6, 6 or 4 numbers."""

    name: str
    kind: Literal["points", "lines", "arrows", "spheres"]
    values: numpy.ndarray
    colour: list[float] | None


@dataclass(frozen=True)
class Frame:
    """One picture of the scene.

    time: time of the scene
    poses: (n, nbody, 7) float32: position and quaternion w, x, y, z of each body, in the world frame
    ghost: (n, nbody, 7) float32 of the reference motion; None if it is not shown
    hud: texts and numbers of the head-up display
    """

    seq: int
    time: float
    owner: SceneOwner
    focus: int
    model_version: int
    terrain_version: int
    hud: dict[str, Any]
    poses: numpy.ndarray
    ghost: numpy.ndarray | None
    overlays: dict[str, Overlay]


def decode_frame(data: bytes) -> Frame:
    """Reads a binary message of the websocket. The arrays share the memory of `data` and are read-only.

    Raises ValueError for bytes that are not a frame.
    """
    import numpy

    if len(data) < 4:
        raise ValueError(f"{len(data)} bytes; a frame has at least 4")
    (size,) = struct.unpack_from("<I", data)
    start = (4 + size + 3) & ~3
    if start > len(data):
        raise ValueError(f"a header of {size} bytes does not fit in a frame of {len(data)} bytes")
    header = json.loads(data[4 : 4 + size])
    blob = numpy.frombuffer(data, dtype="<f4", offset=start)

    def values(span: Mapping[str, Any], *shape: int) -> numpy.ndarray:
        return blob[span["offset"] : span["offset"] + span["count"]].reshape(shape)

    bodies, ghost = header["nbody"], header["ghost"]
    return Frame(
        seq=header["seq"],
        time=header["time"],
        owner=header["owner"],
        focus=header["focus"],
        model_version=header["model_version"],
        terrain_version=header["terrain_version"],
        hud=header["hud"],
        poses=values(header["poses"], header["n"], bodies, 7),
        ghost=None if ghost is None else values(ghost, ghost["n"], bodies, 7),
        overlays={
            one["name"]: Overlay(one["name"], one["kind"], values(one, -1, one["stride"]), one.get("colour"))
            for one in header["overlays"]
        },
    )


class Live:
    """Frames and events of a service, in the order in which they arrive. Made by `MotionStudio.live`.

    A loop that is slower than the stream gets the newest frame next, never an old one. Events are never skipped.

    id: id of this client; requests of its `MotionStudio` carry it, so that events name who caused them
    role: `view` for a client that may only watch
    """

    def __init__(self, studio: MotionStudio, fps: float | None, timeout: float | None) -> None:
        try:
            import websocket
        except ImportError as error:
            raise ImportError("frames and events need websocket-client: pip install websocket-client") from error
        headers = [f"{name}: {value}" for name, value in studio._credentials().items()]
        address = "ws" + studio.url.removeprefix("http") + "/ws"
        self._closed = websocket.WebSocketConnectionClosedException
        self._late = websocket.WebSocketTimeoutException
        try:
            self._socket = websocket.create_connection(
                address, timeout=_CONNECT_S, header=headers, suppress_origin=True, enable_multithread=True
            )
        except (OSError, websocket.WebSocketException) as error:
            raise StudioError(getattr(error, "status_code", 0) or 0, f"{address} does not answer: {error}") from error
        self._socket.settimeout(timeout)
        if fps is not None:
            self._send({"type": "rate", "fps": fps})
        first = self._next()
        if not isinstance(first, Event) or first.topic != "client":
            raise StudioError(0, "the first event of the websocket has another topic than client. Check the version.")
        self.id: str = first.payload["id"]
        self.role: Literal["control", "view"] = first.payload["role"]

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def __iter__(self) -> Iterator[Frame | Event]:
        """Yields frames and events until the connection ends. Raises TimeoutError after `timeout` without one."""
        while True:
            message = self._next()
            if message is None:
                return
            yield message
            if isinstance(message, Frame):
                self._send({"type": "ack", "seq": message.seq})

    def frames(self) -> Iterator[Frame]:
        """Yields frames only."""
        return (message for message in self if isinstance(message, Frame))

    def events(self, *topics: Topic) -> Iterator[Event]:
        """Yields events only: those of the given topics, or all."""
        return (
            message
            for message in self
            if isinstance(message, Event) and (not topics or message.topic in topics)
        )

    def _next(self) -> Frame | Event | None:
        try:
            data = self._socket.recv()
        except self._late as error:
            raise TimeoutError("no frame or event within the time") from error
        except (self._closed, ConnectionError):
            return None
        if isinstance(data, bytes):
            return decode_frame(data) if data else None
        if data == "":
            return None
        message = json.loads(data)
        return Event(message["topic"], message["payload"])

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._socket.send(json.dumps(message))
        except (self._closed, ConnectionError):
            pass  # the next read reports the end of the connection


class MotionStudio:
    """Calls a running service: one method for each operation of its HTTP API.

    Methods of slow actions wait for the end of their task and raise TaskFailed if it fails; `wait=False` answers at
    once. Every method raises StudioError if the service refuses the request.

    url: address of the service
    token: `--token` or `--view-token` of the service
    """

    def __init__(self, url: str = "http://127.0.0.1:8765", token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self._token = token
        self._session = requests.Session()
        self._client_id: str | None = None

    def __enter__(self) -> MotionStudio:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections of this client."""
        self._session.close()

    def live(self, *, fps: float | None = None, timeout: float | None = None) -> Live:
        """Opens the stream of frames and events: `with studio.live() as live: for message in live: ...`.

        fps: at most so many frames a second (default: as many as the service sends)
        timeout: longest time without a frame or event, s (default: no limit)
        """
        live = Live(self, fps, timeout)
        self._client_id = live.id
        return live

    def wait_for_task(self, task: str) -> Busy:
        """Waits for the end of a slow action. Raises TaskFailed unless it is done."""
        pause = 0.05
        while True:
            tasks = self.list_busy_tasks()
            found = [busy for busy in (*tasks["active"], *tasks["recent"]) if busy["task"] == task]
            if not found:
                raise StudioError(404, f"task: unknown task {task}. The service keeps only the last 50 tasks that ended.")
            if found[0]["state"] == "done":
                return found[0]
            if found[0]["state"] != "running":
                raise TaskFailed(found[0])
            time.sleep(pause)
            pause = min(1.0, 1.5 * pause)

    def wait_for_job(
        self, job: str, *, timeout: float | None = None, report: Callable[[GetJobReply], None] | None = None
    ) -> GetJobReply:
        """Waits for the end of a job and returns its last state.

        timeout: longest wait, s (default: no limit); TimeoutError after it
        report: called with the state of the job about once a second

        Raises JobFailed unless the job is done.
        """
        began = time.monotonic()
        pause = 0.1
        while True:
            state = self.get_job(job, tail=10)
            if report is not None:
                report(state)
            if state["status"] == "done":
                return state
            if state["status"] in _ENDED:
                raise JobFailed(state)
            if timeout is not None and time.monotonic() - began > timeout:
                raise TimeoutError(f"{job} is {state['status']} after {timeout:g} s")
            time.sleep(pause)
            pause = min(1.0, 1.5 * pause)

    def _json(self, method: str, route: str, *, wait: bool = False, **parts: Any) -> Any:
        reply = self._request(method, route, wait=wait, **parts).json()
        if wait and "task" in reply:
            busy = reply.get("busy")
            if busy is None or busy["state"] == "running":
                busy = self.wait_for_task(reply["task"])
            if busy["state"] != "done":
                raise TaskFailed(busy)
            reply["busy"] = busy
        return reply

    def _download(self, method: str, route: str, **parts: Any) -> Download:
        return Download(self._request(method, route, stream=True, **parts))

    def _request(
        self,
        method: str,
        route: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        upload: Upload | None = None,
        wait: bool = False,
        stream: bool = False,
    ) -> requests.Response:
        address = self.url + re.sub(r"\{(\w+)\}", lambda name: quote((path or {})[name[1]], safe=""), route)
        headers = self._credentials()
        if self._client_id is not None:
            headers["x-client-id"] = self._client_id
        if wait:
            headers["prefer"] = f"wait={_WAIT_S}"
        opened: BinaryIO | None = None
        data: Any = None
        if upload is not None:
            headers["content-type"] = "application/octet-stream"
            if isinstance(upload, os.PathLike):
                opened = Path(upload).open("rb")
            data = upload if opened is None else opened
        elif body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body)
        try:
            response = self._session.request(
                method,
                address,
                params={name: _query_value(value) for name, value in (query or {}).items()},
                data=data,
                headers=headers,
                stream=stream,
                timeout=(_CONNECT_S, _READ_S),
            )
        except requests.RequestException as error:
            raise StudioError(0, f"{self.url} does not answer: {_reason(error)}. Check that the service runs.") from error
        finally:
            if opened is not None:
                opened.close()
        if response.ok:
            return response
        raise StudioError(response.status_code, _detail(response))

    def _credentials(self) -> dict[str, str]:
        return {} if self._token is None else {"authorization": f"Bearer {self._token}"}

    # <methods>


def _reason(error: BaseException) -> str:
    """The innermost cause of an error of requests, such as `Connection refused`."""
    while inner := [one for one in (getattr(error, "reason", None), *error.args) if isinstance(one, BaseException)]:
        error = inner[0]
    return getattr(error, "strerror", None) or str(error).split(": ")[-1]


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _query_value(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


def _detail(response: requests.Response) -> str:
    try:
        detail = response.json()["detail"]
    except (ValueError, KeyError, TypeError):
        detail = None
    return detail if isinstance(detail, str) else f"The service answered {response.status_code} {response.reason}"
