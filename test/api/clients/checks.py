"""What a script does with the Python client: `python3 checks.py <address> <folder>`."""

import socket
import sys
import threading
from pathlib import Path

import numpy
from motion_studio import Event, Frame, JobFailed, MotionStudio, StudioError, TaskFailed, decode_frame

address, folder = sys.argv[1], Path(sys.argv[2])


def error_of(call):
    try:
        call()
    except StudioError as error:
        return error
    raise AssertionError("no error")


def broken_download():
    """Returns a download that breaks off after 5000 of its 100,000 bytes."""
    server = socket.create_server(("127.0.0.1", 0))

    def answer():
        connection, _ = server.accept()
        with server, connection:
            connection.recv(1 << 16)
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n" + bytes(5000))

    def forgive(response, **_):
        response.raw.enforce_content_length = False  # the default of urllib3 1.26

    threading.Thread(target=answer, daemon=True).start()
    studio = MotionStudio(f"http://127.0.0.1:{server.getsockname()[1]}")
    studio._session.hooks["response"].append(forgive)
    return studio.download_recording("squat")


for use in (lambda file: file.read(), lambda file: file.save(folder / "broken.mcap")):
    error = error_of(lambda: use(broken_download()))
    assert error.status == 0 and "before the file was complete" in error.detail, error
assert not list(folder.glob("broken*"))


with MotionStudio(address) as studio:
    loaded = studio.load_clip("samples", "squat")
    assert loaded["busy"]["state"] == "done", loaded
    assert studio.get_preview()["clip"] == "squat"
    started = studio.load_clip("samples", "squat", wait=False)
    assert studio.wait_for_task(started["task"])["state"] == "done"

    error = error_of(lambda: studio.load_clip("samples", "broken"))
    assert isinstance(error, TaskFailed) and "broken.csv" in error.detail, error
    error = error_of(lambda: studio.load_clip("samples", "nowhere"))
    assert (error.status, error.field) == (400, "clip"), error
    error = error_of(lambda: studio.push_robot(speed=1))
    assert error.status == 409, error
    job = studio.convert_dataset("samples", which="selected", clips=["broken"])["job"]
    error = error_of(lambda: studio.wait_for_job(job, timeout=30))
    assert isinstance(error, JobFailed) and error.job["status"] == "failed", error
    error = error_of(MotionStudio("http://127.0.0.1:9").get_health)
    assert error.status == 0 and "Check that the service runs" in error.detail, error

    file = studio.download_clip("samples", "squat", source="raw").save(folder / "squat.csv")
    studio.create_dataset("python")
    studio.upload_clip("python", "a path.csv", file)
    studio.upload_clip("python", "bytes, ä.csv", file.read_bytes())
    with file.open("rb") as opened:
        studio.upload_clip("python", "opened.csv", opened)
    names = [clip["name"] for clip in studio.list_clips("python", excluded=False)["clips"]]
    assert sorted(names) == ["a path", "bytes, ä", "opened"], names
    assert not list(folder.glob("*.part"))

    tasks = studio.get_selected_robot()["tasks"]
    assert studio.get_preset_schema(tasks[0], modules=[])["base"] == tasks[0]

    with studio.live(fps=30, timeout=20) as live:
        assert live.role == "control" and len(live.id) > 0
        studio.show_robot()
        studio.load_clip("samples", "squat")
        owners, frame = [], None
        for message in live:
            if isinstance(message, Event):
                owners += [message.payload] if message.topic == "owner" else []
            elif message.owner == "data" and {"owner": "data", "by": live.id} in owners:
                frame = message
                break
        assert frame is not None, owners
        bodies = len(studio.get_scene_model()["bodies"])
        assert frame.poses.shape == (1, bodies, 7) and frame.poses.dtype == numpy.float32, frame.poses.shape
        assert numpy.allclose(numpy.linalg.norm(frame.poses[..., 3:], axis=-1), 1, atol=1e-4)
        assert frame.ghost is None and frame.hud["clip"] == "squat", frame.hud

    try:
        decode_frame(b"\xff\xff\xff\x7f")
    except ValueError as error:
        assert "does not fit" in str(error)
    else:
        raise AssertionError("no error")

sys.stdout.write("all checks passed")
