"""From clips to a tested bundle for a robot's controller: the whole journey in one script.

    npm start                        in one terminal
    python3 examples/journey.py      in another

The cells (`# %%`) can be run one after the other in an editor with notebooks for Python. Needs `requests`. With `numpy`
and `websocket-client` the script also watches the policy play. The last line of the output is JSON.
"""

# %% Connect
import argparse
import importlib.util
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "clients" / "python"))
from motion_studio import MotionStudio, StudioError  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--url", default="http://127.0.0.1:8765")
parser.add_argument("--token")
parser.add_argument("--clip", default="squat")
parser.add_argument("--iterations", type=int, default=150)
parser.add_argument("--envs", type=int, default=128)
parser.add_argument("--seconds", type=float, default=5.0, help="how long the policy plays")
parser.add_argument("--output", type=Path, default=Path("."), help="folder for the files that the script makes")
options = parser.parse_args()

studio = MotionStudio(options.url, options.token)
print(f"motion-studio {studio.get_health()['version']} at {studio.url}")

# %% A robot, and a dataset with one clip
studio.select_robot("humanoid")
dataset = f"journey-{options.clip}"
if dataset not in [one["name"] for one in studio.list_datasets()["datasets"]]:
    studio.create_dataset(dataset)
clip = studio.download_clip("samples", options.clip, source="raw").save(options.output / f"{options.clip}.csv")
studio.upload_clip(dataset, clip.name, clip)

# %% Convert it, and look at what the checks found. They run in the background
studio.wait_for_job(studio.convert_dataset(dataset)["job"])
[converted] = studio.list_clips(dataset)["clips"]
while converted["qa"] is None:
    time.sleep(0.2)
    [converted] = studio.list_clips(dataset)["clips"]
checked = converted["qa"]
print(f"{converted['name']}: {converted['frames']} frames, {checked['issues']} issues, worst: {checked['worst']}")

# %% A preset: the task of the robot, but rash actions cost a little more
[base, *_] = studio.get_selected_robot()["tasks"]
task = studio.write_preset("journey", base, overrides={"rewards": {"action_rate_l1": {"weight": -0.12}}})["task"]

# %% Train. An error names the field and the remedy
try:
    studio.launch_training(task, dataset="no-such-dataset")
except StudioError as error:
    print(f"refused with {error.status}, field {error.field}: {error.detail}")

launched = studio.launch_training(
    task,
    dataset=dataset,
    num_envs=options.envs,
    max_iterations=options.iterations,
    seed=1,
    run_name="journey",
)
job, run = launched["job"], launched["run"]
shown = 0


def report(state):
    global shown
    if state["step"] is not None and state["step"] >= shown:
        print(f"  {state['step']} of {state['steps']} iterations")
        shown = state["step"] + 25


studio.wait_for_job(job, report=report)

# %% Judge it: every clip, two starts
evaluation = studio.start_evaluation(run, starts=2, gate={"success": {"min": 0.5}})
studio.wait_for_job(evaluation["job"])
judged = studio.get_evaluation(evaluation["evaluation"])
[summary] = judged["summary"]
[gate] = judged["gate"]
print(f"success {summary['success']:.0%}, tracked {summary['tracked_s']:.2f} s, gate {'met' if gate['ok'] else 'missed'}")
report_file = studio.get_evaluation_report(judged["name"]).save(options.output / "report.html")

# %% Play it in 16 environments, and record what the scene shows
studio.configure_play(run=run, num_envs=16)
recording = studio.start_recording(max_s=60)["recording"]
start = studio.get_play_state()["session"]["sim_time"]
watched = []
if importlib.util.find_spec("websocket") and importlib.util.find_spec("numpy"):
    with studio.live(fps=20, timeout=30) as live:
        for frame in live.frames():
            watched.append(frame.poses[:, 0, 2].mean())
            if frame.owner == "play" and frame.hud.get("sim_time", start) - start >= options.seconds:
                break
    print(f"watched {len(watched)} frames; the roots are {watched[-1]:.2f} m above the floor at the end")
else:
    print("frames: not watched; install numpy and websocket-client")
studio.stop_recording()
studio.stop_play()
recorded = studio.download_recording(recording).save(options.output / f"{recording}.mcap")

# %% Export it for a robot's controller. The bundle is read back and tested
exported = studio.export_policy(run, format="whole_body_tracking", clip=options.clip, selftest_s=1.0)
name = exported["busy"]["result"]["export"]
[bundle] = [one for one in studio.list_exports(run=run)["exports"] if one["name"] == name]
archive = studio.download_export(name).save(options.output / f"{name}.zip")
assert studio.check_bundle(archive)["selftest"]["ok"]
studio.close()

print(
    json.dumps(
        {
            "run": run,
            "success": summary["success"],
            "gate": gate["ok"],
            "frames": len(watched),
            "report": report_file.stat().st_size,
            "recording": recorded.stat().st_size,
            "bundle": archive.stat().st_size,
            "selftest": bundle["selftest"],
        }
    )
)
