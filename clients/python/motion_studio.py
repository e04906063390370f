"""Client of motion-studio 0.1.0.

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


class Ok(TypedDict):
    """The action is done"""
    ok: Literal[True]


class Busy(TypedDict):
    """Progress and result of one slow action"""
    task: str
    """Unique for each start, such as `select-2`"""
    label: str
    """What the task does, for people"""
    state: Literal["running", "done", "failed", "superseded"]
    """`superseded`: a later action on the same subject replaced it"""
    progress: float | None
    """Null: unknown"""
    message: str
    """Current step, for people"""
    error: str | None
    """Why the task failed"""
    by: str | None
    """Id of the client that started the task; null if its request had no `X-Client-Id`"""
    started: str
    """ISO-8601 UTC"""
    ended: str | None
    """ISO-8601 UTC; null while it runs"""
    result: dict[str, Any] | None


class LogLine(TypedDict):
    """One line of the service's log"""
    time: str
    """ISO-8601 UTC"""
    level: Literal["debug", "info", "warn", "error"]
    source: Literal["service", "gateway", "robots", "data", "jobs", "play", "presets"]
    message: str
    seq: int
    """Number of the line since the service started"""


class TaskStarted(TypedDict):
    """The action has started. `busy` is present if the request sent `Prefer: wait=<seconds>`"""
    ok: Literal[True]
    task: str
    """Name of the started task. `busy` events and GET /api/busy report its progress and its end"""
    busy: NotRequired[Busy]


class Check(TypedDict):
    name: str
    ok: bool
    """Whether the check passed"""
    text: str
    """The measured value and, if the check failed, the remedy"""


class RobotSummaryModel(TypedDict):
    bodies: int
    joints: int
    actuators: int
    mass: float
    """kg"""
    height: float
    """Height in the default pose, m"""


class RobotSummary(TypedDict):
    id: str
    name: str
    source: Literal["builtin", "created"]
    selected: bool
    model: RobotSummaryModel | None
    datasets: list[DatasetCounts]
    runs: list[str]
    """Paths of its runs"""
    tasks: list[str]
    """Names of its tasks"""
    error: str | None
    """Why the robot cannot be loaded"""


class Robot(TypedDict):
    id: str
    name: str
    source: Literal["builtin", "created"]
    joints: list[Joint]
    wiring: Wiring
    tasks: list[str]
    options: RobotOptions
    model_version: int
    """Changes with the geometry of the scene"""
    root: list[float]
    """Pose of the root: x y z in m, quaternion w x y z"""


class RobotOptions(TypedDict):
    show_wiring: bool
    """Marks the anchor, the key bodies and the feet"""


class Joint(TypedDict):
    name: str
    index: int
    """Column of the joint in CSV clips"""
    type: Literal["hinge", "slide"]
    lower: float | None
    """Lower limit, in `unit`"""
    upper: float | None
    """Upper limit, in `unit`"""
    default: float
    """Position in the default pose, in `unit`"""
    value: float
    """Current position, in `unit`"""
    effort_limit: float | None
    """Nm"""
    velocity_limit: float | None
    """rad/s"""
    stiffness: float
    """Position gain kp, Nm/rad"""
    damping: float
    """Velocity gain kd, Nm·s/rad"""
    unit: Literal["rad", "m"]
    follows: NotRequired[str]
    """Joint that moves this one. Absent for joints with a motor of their own"""


class Wiring(TypedDict):
    anchor: str
    """Body whose frame is the reference for tracking errors"""
    keybodies: list[str]
    """Bodies whose position is tracked"""
    feet: list[str]
    """Bodies of the feet, left first"""


class RobotSpec(TypedDict):
    version: int
    id: str
    name: str
    model: str
    """Path of the MJCF or URDF file in the robot's folder"""
    wiring: Wiring
    root_height: float
    """Height of the root body above the floor in the default pose, m"""
    end_effectors: NotRequired[list[str]]
    """Bodies such as hands and feet"""
    foot_sole_z: NotRequired[float]
    """Distance of the sole below the origin of the foot body, m. Absent: measured on the feet's collision shapes"""
    contacts: NotRequired[Contacts]
    joints: dict[str, JointSpec]
    """Every actuated joint by name"""


class UncheckedRobotSpecJointsValueFriction(TypedDict):
    static: float
    """Dry friction, Nm"""
    viscous: float
    """Viscous friction, Nm·s/rad"""


class UncheckedRobotSpecJointsValue(TypedDict):
    default: float
    """Position in the default pose, rad or m"""
    stiffness: float
    """Position gain kp, Nm/rad"""
    damping: float
    """Velocity gain kd, Nm·s/rad"""
    armature: float
    """Reflected rotor inertia, kg·m²"""
    effort_limit: float
    """Largest torque, Nm"""
    action_scale: float
    """Change of the target per unit of action, rad or m"""
    velocity_limit: NotRequired[float]
    """Largest speed, rad/s or m/s"""
    continuous_torque: NotRequired[float]
    """Torque that the motor can hold without overheating, Nm"""
    torque_speed: NotRequired[TorqueSpeed]
    friction: NotRequired[UncheckedRobotSpecJointsValueFriction]


class UncheckedRobotSpec(TypedDict):
    version: int
    id: str
    name: str
    model: str
    """Path of the MJCF or URDF file in the robot's folder"""
    wiring: Wiring
    root_height: float
    """Height of the root body above the floor in the default pose, m"""
    end_effectors: NotRequired[list[str]]
    """Bodies such as hands and feet"""
    foot_sole_z: NotRequired[float]
    """Distance of the sole below the origin of the foot body, m. Absent: measured on the feet's collision shapes"""
    contacts: NotRequired[Contacts]
    joints: dict[str, UncheckedRobotSpecJointsValue]
    """Every actuated joint by name"""


class JointSpecFriction(TypedDict):
    static: float
    """Dry friction, Nm"""
    viscous: float
    """Viscous friction, Nm·s/rad"""


class JointSpec(TypedDict):
    default: float
    """Position in the default pose, rad or m"""
    stiffness: float
    """Position gain kp, Nm/rad"""
    damping: float
    """Velocity gain kd, Nm·s/rad"""
    armature: float
    """Reflected rotor inertia, kg·m²"""
    effort_limit: float
    """Largest torque, Nm"""
    action_scale: float
    """Change of the target per unit of action, rad or m"""
    velocity_limit: NotRequired[float]
    """Largest speed, rad/s or m/s"""
    continuous_torque: NotRequired[float]
    """Torque that the motor can hold without overheating, Nm"""
    torque_speed: NotRequired[TorqueSpeed]
    friction: NotRequired[JointSpecFriction]


class TorqueSpeed(TypedDict):
    y1: float
    """Torque at low speed while driving, Nm"""
    y2: float
    """Torque at low speed while braking, Nm"""
    x1: float
    """Speed at which the torque starts to fall, rad/s"""
    x2: float
    """Speed at which the torque is zero, rad/s"""


class Contacts(TypedDict):
    self_collision: NotRequired[bool]
    """Whether bodies of the robot collide with each other"""
    feet: NotRequired[FootContacts]
    exclude: NotRequired[list[list[str]]]
    """Pairs of bodies that do not collide"""


class FootContacts(TypedDict):
    condim: NotRequired[Literal[1, 3, 4, 6]]
    """Dimensions of the contact friction, as in MuJoCo"""
    friction: NotRequired[float]
    """Sliding friction coefficient"""
    priority: NotRequired[int]
    """Contact priority, as in MuJoCo"""


class SceneModelBodies(TypedDict):
    name: str
    parent: int
    """Index into `bodies`; −1 for the world"""
    fixed: bool
    """Whether it has no joint, so that it moves with its parent"""


class SceneModelBin(TypedDict):
    """Size of model.bin"""
    bytes: int
    nv: int
    """Number of vertices"""
    nf: int
    """Number of faces"""


class SceneModel(TypedDict):
    version: int
    """The same number as `model_version` in the frames"""
    robot: str
    bodies: list[SceneModelBodies]
    """Bodies without the world, in the order of the poses in frames"""
    geoms: list[Geom]
    meshes: list[Mesh]
    bin: SceneModelBin
    """Size of model.bin"""


class Geom(TypedDict):
    name: str
    body: int
    """Index into `bodies`"""
    type: Literal["mesh", "box", "sphere", "capsule", "cylinder", "ellipsoid", "plane"]
    pos: list[float]
    """Position in the body frame, m"""
    quat: list[float]
    """Rotation in the body frame, quaternion wxyz"""
    size: list[float]
    """Half sizes as in MuJoCo, m"""
    rgba: list[float]
    """Red, green, blue (sRGB), opacity, 0..1"""
    group: int
    """MuJoCo geom group"""
    mesh: int | None
    """Index into `meshes`"""
    collision: bool
    """Whether it takes part in contacts"""
    texture: str | None
    """Picture of the surface, multiplied with `rgba`: `GET /api/robot/texture/{name}`. Null: plain"""


class Mesh(TypedDict):
    name: str
    vert: list[int]
    """First vertex and number of vertices in model.bin"""
    face: list[int]
    """First face and number of faces in model.bin"""
    uv: list[int] | None


class ModelFile(TypedDict):
    path: str
    """Path in the upload"""
    bytes: int
    kind: Literal["mjcf", "urdf", "mesh", "texture", "other"]
    main: bool
    """Whether it is probably the main model"""


class JointGains(TypedDict):
    stiffness: float
    """Nm/rad"""
    damping: float
    """Nm·s/rad"""
    armature: float
    """kg·m²"""
    effort_limit: float
    """Nm"""
    source: str
    """Where the values come from"""


class DraftCheck(TypedDict):
    name: str
    ok: bool
    """Whether the check passed"""
    text: str
    """The measured value and, if the check failed, the remedy"""
    warning: NotRequired[bool]
    """Passed, but the text describes a possible problem"""
    exclude: NotRequired[list[list[str]]]
    """Pairs of bodies. Adding them to `contacts.exclude` makes the check pass"""


class DatasetCounts(TypedDict):
    name: str
    source: int
    """Clips with a raw file"""
    converted: int
    """Clips with a raw file and an up-to-date npz"""
    missing: int
    """Clips with a raw file but without an up-to-date npz"""
    extra: int
    """Clips with only an npz, including mirrored clips"""
    failed: int
    """Clips whose last conversion failed"""
    linked: bool
    """Whether the clips are in a linked folder outside the workspace"""
    path: str
    """Folder of the clips"""
    scan: Scan | None
    read: NotRequired[ReadOptions]
    error: NotRequired[str | None]
    """Why the dataset cannot be used"""


class ScanUnreadable(TypedDict):
    clip: str
    error: str


class ScanHistogram(TypedDict):
    edges: list[float]
    """Edges of the bins, s; one more than `counts`"""
    counts: list[int]
    """Clips whose duration is in the bin"""


class Scan(TypedDict):
    hours: float
    """Total duration of the readable clips, h"""
    clips: int
    """Readable clips"""
    unreadable: list[ScanUnreadable]
    """Clips that cannot be read; at most the first 500"""
    unreadable_total: NotRequired[int]
    """Number of all unreadable clips"""
    histogram: ScanHistogram
    at: str
    """Time of the scan, ISO-8601 UTC"""


Assumption = TypedDict(
    "Assumption",
    {
        "what": "Literal['fps', 'units', 'quaternion', 'joint_order', 'up']",
        "value": "str | float",
        "from": "Literal['file', 'format', 'guess']",
    },
)


class ReadOptions(TypedDict):
    fps: NotRequired[float]
    """Frames per second of the file"""
    units: NotRequired[Literal["m", "cm", "mm"]]
    """Unit of the root's position in the file"""
    quaternion: NotRequired[Literal["xyzw", "wxyz"]]
    """Order of the numbers of the root's quaternion in the file"""
    joint_order: NotRequired[list[str]]
    """Names of the joints in the order of the file's columns"""


class EditStepTrim(TypedDict):
    from_s: float
    """Start, s; the first frame is ⌊from_s·fps⌋"""
    to_s: float
    """End, s; the last frame is ⌊to_s·fps⌋"""


class EditStepSplit(TypedDict):
    every_s: NotRequired[float]
    """Length of a part, s"""
    overlap_s: NotRequired[float]
    """Overlap of two parts, s; default: 0"""
    at: NotRequired[Literal["pauses"]]
    """Splits in the middle of every pause"""


class EditStepAppend(TypedDict):
    clip: str
    """Name of a clip of the dataset"""
    blend_s: float
    """Time in which both clips are blended, s. The second clip is aligned in heading and position"""


class EditStepLoop(TypedDict):
    blend_s: float
    """s; the end of the clip is blended into its start"""


class EditStepSmooth(TypedDict):
    cutoff_hz: float
    """Hz, below half of the frame rate"""


class EditStep(TypedDict):
    """Exactly one field. Steps are applied in order; those after a split apply to each part"""
    trim: NotRequired[EditStepTrim]
    split: NotRequired[EditStepSplit]
    append: NotRequired[EditStepAppend]
    loop: NotRequired[EditStepLoop]
    stand_in: NotRequired[float]
    """s; the clip begins in the default pose"""
    stand_out: NotRequired[float]
    """s; the clip ends in the default pose"""
    speed: NotRequired[float]
    """Factor: 2 is twice as fast"""
    smooth: NotRequired[EditStepSmooth]
    mirror: NotRequired[Literal[True]]
    """Exchanges left and right"""
    floor: NotRequired[Literal[True]]
    """Moves the clip so that its lowest sole is on the floor"""
    origin: NotRequired[Literal[True]]
    """Moves the clip so that it starts at x = y = 0 with heading 0"""


class ClipSource(TypedDict):
    """The raw file; null without one"""
    file: str
    format: str
    bytes: int
    assumed: list[Assumption]
    """What is assumed to read the file, without what `convert.read` of dataset.yaml overrides"""


class ClipQa(TypedDict):
    """Result of the checks without ignored issues; null until the clip is checked"""
    worst: Literal["ok", "info", "warning", "error"]
    issues: int


class ClipScore(TypedDict):
    """How well the robot can do the clip; null until the clip is checked. Defined in docs/curation.md"""
    feasibility: float
    """0 (impossible for the robot) to 1"""
    complexity: float
    """0 (at rest) to 1"""
    torque: float
    """Peak torque as a share of its limit, 95th percentile over time"""
    support: float
    """Mean distance, m, of the zero moment point from the area that touches the floor"""
    collision: float
    """Share of the time in which bodies overlap"""
    jerk: float
    """95th percentile over key bodies and time, m/s³"""
    airborne: float
    """Share of the time in which nothing touches the floor"""


class Clip(TypedDict):
    name: str
    status: Literal["converted", "missing"]
    """`missing`: it has a raw file but no up-to-date npz. A stale clip without a raw file is `converted` and
    `stale`
    """
    failed: str | None
    """Why the last conversion failed; null once the source or the options in dataset.yaml change"""
    excluded: bool
    """Whether it is left out of training, evaluation and motion libraries"""
    weight: float
    """Multiplies the chance that an episode of a training starts in the clip; 1 by default"""
    tags: list[str]
    """Labels that listings can be filtered by"""
    raw: bool
    """Whether it has a raw file"""
    stale: bool
    """Whether the npz is older than the source or was made with other options than those in dataset.yaml"""
    source: ClipSource | None
    frames: int | None
    fps: float | None
    """Frames per second"""
    duration: float | None
    """s"""
    modified: str
    """ISO-8601 UTC"""
    qa: ClipQa | None
    score: ClipScore | None
    error: str | None
    """Why the clip cannot be read"""


class PreviewGrid(TypedDict):
    """Clips shown side by side; null if a single clip is open"""
    dataset: str
    clips: list[str]


class PreviewEdit(TypedDict):
    """The clip is shown as edited, and not written: part of a split, from 0, and number of parts"""
    part: int
    parts: int


class PreviewQa(TypedDict):
    """Result of the checks; null until the clip is checked"""
    ok: bool
    issues: list[QaIssue]


class Preview(TypedDict):
    open: bool
    """Whether a clip or a grid of clips is open"""
    loading: bool
    dataset: str | None
    clip: str | None
    source: Literal["npz", "raw", None]
    frames: int
    fps: float
    """Frames per second"""
    frame: int
    """Shown frame, from 0"""
    time: float
    """Shown time, s"""
    playing: bool
    options: DataOptions
    grid: PreviewGrid | None
    recording: str | None
    """Name of the recording that is shown; null for clips"""
    edit: NotRequired[PreviewEdit | None]
    qa: PreviewQa | None
    error: str | None
    """Why the last clip could not be loaded"""


class QaIssuePlot(TypedDict):
    """Channels of the plot that show the issue, and the worst frame"""
    channels: list[str]
    frame: int


class QaIssue(TypedDict):
    kind: Literal["joint_limit", "joint_velocity", "joint_acceleration", "jump", "ground_penetration", "floating", "foot_sliding", "root_tilt", "not_finite", "self_collision", "frozen", "first_frame", "body_order", "quaternion_order", "joint_order", "frame_rate"]
    severity: Literal["info", "warning", "error"]
    text: str
    """The measured value and its limit, for people"""
    frames: list[int]
    """First and last affected frame"""
    plot: QaIssuePlot
    """Channels of the plot that show the issue, and the worst frame"""
    body: str | None
    """Body, foot or joint that is affected most"""
    ignored: bool
    """Whether it is ignored: see POST /api/data/mark"""
    fix: str | None
    """Repair that `fixes` of a conversion accepts; null: none is known"""


class DataOptions(TypedDict):
    speed: float
    """Multiple of real time"""
    loop: bool
    """Whether the clip starts again at its end"""
    ghost: bool
    """Shows the raw source beside the converted clip"""
    keybodies: bool
    """Marks the key bodies"""
    contacts: bool
    """Marks feet that touch the floor"""
    trail: bool
    """Draws the path of the root"""


class Task(TypedDict):
    name: str
    base: str
    preset: str | None
    description: str


class Preset(TypedDict):
    name: str
    task: str
    base: str
    modules: list[str]
    overrides: Overrides
    description: str
    error: str | None
    """Why the preset cannot be used"""


class PresetInFull(TypedDict):
    name: str
    task: str
    base: str
    modules: list[str]
    overrides: Overrides
    description: str
    error: str | None
    """Why the preset cannot be used"""
    yaml: str
    """Text of the file"""
    effect: Effect | None


class EffectObservations(TypedDict):
    group: str
    dim: int
    base: int | None


class EffectAction(TypedDict):
    dim: int
    base: int


class EffectMemory(TypedDict):
    envs: int
    """Number of environments of the estimate"""
    bytes: int
    """Estimated memory of these environments"""
    base_bytes: int
    """Estimated memory of the base task with the same number of environments"""


class Effect(TypedDict):
    observations: list[EffectObservations]
    """Number of values in each observation group"""
    action: EffectAction
    memory: EffectMemory


class Module(TypedDict):
    name: str
    overrides: Overrides
    description: str
    error: str | None
    """Why the module cannot be used"""


class ModuleInFull(TypedDict):
    name: str
    overrides: Overrides
    description: str
    error: str | None
    """Why the module cannot be used"""
    yaml: str
    """Text of the file"""


Overrides = dict[str, Any]


class Knob(TypedDict):
    path: str
    """Path in `overrides`, such as `rewards.action_rate_l1.weight`"""
    type: Literal["number", "integer", "boolean", "string", "enum", "vector"]
    default: Any
    """Value in the base task"""
    value: Any
    """Value after the modules"""
    minimum: NotRequired[float]
    maximum: NotRequired[float]
    above: NotRequired[float]
    """Exclusive lower limit"""
    enum: NotRequired[list[str]]
    unit: NotRequired[str]
    items: NotRequired[Literal["number", "integer", "string"]]
    """Type of the items of a vector"""
    length: NotRequired[int]
    """Number of items of a vector"""
    ordered: NotRequired[bool]
    """Whether the vector is a range: lowest, then highest"""
    or_number: NotRequired[bool]
    """Whether a single number is accepted in place of the vector"""
    nullable: NotRequired[bool]
    description: str


class LibraryTerm(TypedDict):
    name: str
    alias_of: NotRequired[str]
    """Function for which this is another name"""
    dim: NotRequired[int]
    unit: str
    description: str
    params: list[Knob]


class TaskTerm(TypedDict):
    path: str
    func: str
    description: str


class Job(TypedDict):
    name: str
    """Unique name; also the folder in `jobs/`"""
    kind: Literal["train", "convert", "evaluate"]
    status: Literal["queued", "running", "stopping", "done", "failed", "stopped", "lost"]
    """`lost`: the process ended without reporting a result"""
    progress: float | None
    """0..1; null: unknown"""
    step: int | None
    """Iterations or clips done"""
    steps: int | None
    """Iterations or clips in total"""
    eta: float | None
    """Estimated remaining time, s"""
    rate: float | None
    """Steps per second"""
    created: str
    """ISO-8601 UTC"""
    started: str | None
    """ISO-8601 UTC"""
    ended: str | None
    """ISO-8601 UTC"""
    task: str | None
    dataset: str | None
    run: str | None
    """Path of the run that a training writes"""
    trainer: str | None
    launcher: str | None
    pid: int | None
    exit_code: int | None
    signal: str | None
    """Signal that ended the process"""
    error: str | None
    """Why the job failed"""
    alarm: NotRequired[str | None]
    """Problem of a running job that needs attention"""
    params: dict[str, Any]
    """Parameters that the job was started with"""


class Launched(TypedDict):
    ok: Literal[True]
    job: str
    """Name of the job: see GET /api/jobs/{name}"""
    run: str | None
    """Path of the run; null until the trainer reports it"""
    started_from: str | None
    """Path of the run whose networks the training starts with"""
    note: str | None
    """Explains the start, for people"""


class LaunchTrialBudget(TypedDict):
    """null: unknown, as for an external trainer"""
    env_steps: int
    """Steps of all environments together"""
    iterations: int
    """Exact if `max_iterations` is given; otherwise an estimate that the evaluations during training change"""
    seconds: list[float]
    """Lowest and highest expected wall time on this machine"""


class LaunchTrial(TypedDict):
    ok: Literal[True]
    dry_run: Literal[True]
    command: list[str]
    """Program and arguments that the job would run"""
    params: dict[str, Any]
    """Parameters that the job would be launched with"""
    checks: list[Check]
    budget: LaunchTrialBudget | None
    started_from: str | None
    """Path of the run whose networks the training starts with"""
    note: str | None
    """Explains the start, for people"""


class Trainer(TypedDict):
    name: str
    num_envs: int | None
    """Default number of environments; null: the value of the task"""
    max_iterations: int | None
    """Default number of iterations; null: until it converges"""
    takes: list[Literal["num_envs", "max_iterations", "run_name", "seed", "logger", "resume", "start_from", "extra"]]
    """Optional fields of POST /api/train/launch that this trainer accepts"""
    loggers: list[Literal["tensorboard", "wandb", "none"]]
    extra: str
    """Description of `extra` for people"""


class Launcher(TypedDict):
    name: str
    kind: str
    """`local`, or the kind given in studio.yaml"""
    label: str
    """Name of the kind for people"""
    limit: int | None
    """Trainings that run at the same time; null: the launcher has its own queue"""


class RunCheckpoints(TypedDict):
    name: str
    iteration: int | None
    modified: str


class RunScore(TypedDict):
    tracked_s: float
    """Mean time before a failure or the end of an episode, s"""
    horizon_s: float
    """Mean maximum length of the episodes, s"""
    success: float
    """Share of episodes without a failure, 0..1"""
    body_pos: float
    """Mean distance of the key bodies from the reference, m"""
    by: Literal["training", "evaluation"]
    """`training`: measured during the training"""


class Run(TypedDict):
    path: str
    """`<run_dir>/<run>`"""
    run_dir: str
    run: str
    task: str | None
    robot: str | None
    dataset: str | None
    created: str
    """ISO-8601 UTC"""
    modified: str
    """ISO-8601 UTC"""
    format: Literal["studio", "rsl_rl", "deploy"]
    """Layout of the run folder"""
    checkpoints: list[RunCheckpoints]
    latest: str | None
    """Name of the latest checkpoint"""
    job: str | None
    """Job that writes or wrote the run"""
    error: str | None
    """Why the run cannot be read"""
    tags: list[str]
    """Labels that listings can be filtered by"""
    note: str
    """`""`: no note"""
    favourite: bool
    unplayable: str | None
    """Why the run cannot be played"""
    score: RunScore | None
    started_from: str | None
    """Path of the run whose networks the training started with"""
    minutes: float | None
    """Wall time trained so far"""


class Series(TypedDict):
    tag: str
    """Name in the event files"""
    name: str
    """Label for people"""
    group: str
    x: list[float]
    """Iterations"""
    y: list[float | None]
    """Values; null: not a finite number"""


class Condition(TypedDict):
    name: str
    timestep: NotRequired[float]
    """Physics step, s. Must divide the control step"""
    integrator: NotRequired[Literal["euler", "implicit", "implicitfast", "rk4"]]
    solver: NotRequired[Literal["newton", "cg", "pgs"]]
    cone: NotRequired[Literal["pyramidal", "elliptic"]]
    """Shape of friction cones"""
    contacts: NotRequired[Literal["all", "soles"]]
    """Which geoms have contacts; default: "all" """
    friction: NotRequired[float]
    """Sliding friction of all geoms, the ground included"""
    delay_steps: NotRequired[int]
    """Delay of each action, in control steps"""
    noise_scale: NotRequired[float]
    """Factor on the task's observation noise. Absent: no noise"""
    stiffness_scale: NotRequired[float]
    """Factor on the position gains"""
    damping_scale: NotRequired[float]
    """Factor on the velocity gains"""
    mass_scale: NotRequired[float]
    """Factor on masses and inertias of all bodies"""
    torque_scale: NotRequired[float]
    """Factor on the effort limits"""
    pushes: NotRequired[bool]
    """Whether the task's random pushes are applied; default: false"""
    randomised: NotRequired[bool]
    """Whether the task's domain randomisation is applied; default: false"""


class Evaluation(TypedDict):
    name: str
    run: str
    """Path of the run"""
    job: str
    created: str
    """ISO-8601 UTC"""
    status: Literal["queued", "running", "stopping", "done", "failed", "stopped", "lost"]
    """`lost`: the process ended without reporting a result"""
    protocol: EvaluationProtocol
    summary: list[EvaluationSummary]
    """By checkpoint and condition; empty until it is done"""
    robustness: list[Robustness]
    gate: list[GateResult] | None
    clips: list[EvaluationRow]
    """By checkpoint, condition and clip"""
    joints: list[JointMargin]
    """By checkpoint, condition and joint"""


class Export(TypedDict):
    name: str
    run: str
    """Path of the run"""
    format: Literal["whole_body_tracking", "unitree", "wbc-g1-deploy"]
    """`whole_body_tracking`: one ONNX file with the clip inside. `unitree`: folder with deploy.yaml.
    `wbc-g1-deploy`: folder with config.yaml and a manifest of clips
    """
    checkpoint: str
    clip: str
    bytes: int
    """Size of all files"""
    created: str
    """ISO-8601 UTC"""
    selftest: SelfTest


class SelfTest(TypedDict):
    ok: bool
    """Whether the exported policy gives the same joint targets as the run and tracks the clip as long"""
    max_action_difference: float | None
    """Largest difference to an action of the run, in units of the action; null: there is no run to compare with"""
    tracked_s: float | None
    """Time tracked with the files, s; null: they could not be run"""
    run_tracked_s: float | None
    """Time tracked with the policy of the run, s; null: there is no run to compare with"""
    text: str
    """Description of the test, or of the problem with the name of the joint"""


class ListedEvaluation(TypedDict):
    name: str
    run: str
    """Path of the run"""
    job: str
    created: str
    """ISO-8601 UTC"""
    status: Literal["queued", "running", "stopping", "done", "failed", "stopped", "lost"]
    """`lost`: the process ended without reporting a result"""
    protocol: EvaluationProtocol
    summary: list[EvaluationSummary]
    """By checkpoint and condition; empty until it is done"""
    robustness: list[Robustness]
    gate: list[GateResult] | None


class EvaluationProtocol(TypedDict):
    checkpoints: list[str]
    motion: str
    """Path of the motion library"""
    clips: int
    """Number of clips"""
    starts: int
    """Starts per clip: frame 0, then evenly spread"""
    horizon_s: float | None
    """Longest episode, s; null: to the clip's end"""
    seed: int
    conditions: list[Condition]
    failure: str
    """Rule by which an episode fails"""
    alignment: str
    """How the reference frame and pose for the comparison are chosen"""
    control_hz: float
    model: str
    """SHA-256 of the compiled robot"""
    version: str
    """Version of the service"""


class EvaluationSummary(TypedDict):
    checkpoint: str
    """`""`: zero action"""
    condition: str
    episodes: int
    success: float
    """Share of the episodes without a failure, 0..1"""
    tracked_s: float
    """Mean time until the failure or the end of the episode, s"""
    tracked_share: float
    """Tracked time of all episodes / their possible time, 0..1"""
    errors: EvaluationErrors
    action_rate: float
    """RMS of the difference of successive actions × control_hz, 1/s"""
    jerk: float
    """95th percentile of the jerk of the key bodies, m/s³"""


class EvaluationRowWorst(TypedDict):
    """The episode that tracked the smallest share of its time"""
    start: int
    """Frame at which the episode started, at control_hz"""
    failed: int | None
    """Frame of the failure, at control_hz; null: no failure"""
    term: str | None
    """Termination that ended the episode"""
    subject: str | None
    """Joint or body that left the reference before the failure"""
    value: float | None
    """Error of the subject"""
    limit: float | None
    """Limit that the value exceeded, in the same unit"""
    unit: NotRequired[str | None]
    """Unit of value and limit: `rad` for a hinge joint, `m` for a slide joint or a body. Null: they are those of
    the termination. Absent in evaluations of older versions
    """


class EvaluationRow(TypedDict):
    checkpoint: str
    """`""`: zero action"""
    condition: str
    episodes: int
    success: float
    """Share of the episodes without a failure, 0..1"""
    tracked_s: float
    """Mean time until the failure or the end of the episode, s"""
    tracked_share: float
    """Tracked time of all episodes / their possible time, 0..1"""
    errors: EvaluationErrors
    action_rate: float
    """RMS of the difference of successive actions × control_hz, 1/s"""
    jerk: float
    """95th percentile of the jerk of the key bodies, m/s³"""
    clip: str
    worst: EvaluationRowWorst
    """The episode that tracked the smallest share of its time"""


class EvaluationErrors(TypedDict):
    body_pos: float
    """Mean distance of the key bodies in the world, m"""
    body_pos_local: float
    """Mean distance of the key bodies, m, after the reference is moved to the robot anchor's x and y and turned by
    the difference in yaw
    """
    body_rot: float
    """Mean angle of the key bodies in the world, rad"""
    joint_pos: float
    """RMS error of the joint positions, over joints and steps, rad"""
    joint_vel: float
    """RMS error of the joint velocities, over joints and steps, rad/s"""
    anchor_pos: float
    """Mean distance of the anchor in the world, m"""
    anchor_rot: float
    """Mean angle of the anchor in the world, rad"""


class JointMargin(TypedDict):
    checkpoint: str
    condition: str
    joint: str
    torque_peak: float
    """Largest torque / effort limit; 0 without a limit"""
    torque_rms: float
    """RMS torque / effort limit; 0 without a limit"""
    saturated: float
    """Share of the steps with at least 0.99 of the limit, 0..1"""
    speed_peak: float
    """Largest speed / velocity limit; 0 without a limit"""
    power_peak: float
    """Largest |torque × speed|, W"""
    follows: NotRequired[float | None]
    """Correlation of the position of the joint with its reference, −1..1. A small or negative value indicates a
    wrong sign or order of joints. Null: the reference hardly moves, or less than 5 s were tracked in all.
    Absent in evaluations of older versions
    """
    exchanged_with: NotRequired[str | None]
    """Joint whose reference this joint follows, while that joint follows the reference of this one: their actions
    are exchanged. Absent in evaluations of older versions
    """
    heat: float | None
    """RMS torque / `continuous_torque` of robot.yaml; null: not stated"""


class Robustness(TypedDict):
    field: str
    """Setting of the conditions"""
    values: list[float]
    success: list[float]
    """Success of the first checkpoint at each value"""
    breaks_at: float | None
    """First value with a success below 0.9"""


class GateValue(TypedDict):
    min: NotRequired[float]
    max: NotRequired[float]


Gate = dict[str, GateValue]


class GateResult(TypedDict):
    checkpoint: str
    metric: str
    """Path in the summary"""
    min: NotRequired[float]
    max: NotRequired[float]
    value: float
    ok: bool


class PlayState(TypedDict):
    session: PlaySession | None


class PlaySessionPins(TypedDict):
    env: int
    clip: str


class PlaySessionCompareEntries(TypedDict):
    run: str
    checkpoint: str
    """`""`: zero action"""
    env: int
    """Environment that plays the entry"""
    falls: int
    """Falls since the clip was chosen"""
    episodes: int
    """Episodes that have ended, with or without a fall. Equal for all entries"""
    down: bool
    """Whether the robot has fallen and waits for the others"""
    errors: EvaluationErrors | None


class PlaySessionCompare(TypedDict):
    entries: list[PlaySessionCompareEntries]
    layout: Literal["beside", "overlay"]
    """`beside`: robots side by side. `overlay`: all robots in one place"""
    clip: str | None
    """Clip that all environments repeat. null: the task chooses"""
    frame: int
    """Frame at which the clip starts"""
    seed: int


class PlaySession(TypedDict):
    id: int
    state: Literal["building", "running", "paused", "failed"]
    error: str | None
    """Why the session failed"""
    run: str
    """Path of the run"""
    checkpoint: str
    """`""`: zero action"""
    motion: str
    """Path of the motion library"""
    task: str
    robot: str
    num_envs: int
    """Number of environments"""
    capacity: int
    """Largest `num_envs` without rebuilding the session"""
    focus: int
    """Index of the focused environment"""
    playing: bool
    terminations: bool
    """Whether an episode ends when the robot fails"""
    control_hz: float
    """Control steps per second"""
    sim_time: float
    """Simulated time, s"""
    realtime_factor: float
    """Measured speed, as a multiple of real time"""
    history_s: int
    """Length of the kept record, s"""
    options: PlayOptions
    rewards: list[RewardWeight]
    pins: list[PlaySessionPins]
    """Environments that repeat one clip"""
    compare: PlaySessionCompare | None
    condition: Condition | None
    figures: NotRequired[PlayFigures]


class PlayOptions(TypedDict):
    ghost: Literal["off", "overlay", "beside"]
    """Where the reference motion is shown"""
    targets: bool
    """Marks the target positions of the key bodies"""
    contacts: bool
    """Marks contacts with the floor"""
    speed: float
    """Requested speed, as a multiple of real time"""


class PlayFiguresTracking(TypedDict):
    """Metrics of the focused environment: means over 1 s"""
    keybody_error: float | None
    """As in `errors`, m"""
    joint_rmse: float | None
    """RMS error over the joints, rad"""
    anchor_rotation: float | None
    """Rotation error of the anchor, rad"""
    torque_at_limit: float | None
    """Share of joints at their effort limit, 0..1"""


class PlayFiguresEnds(TypedDict):
    env: int
    sim_time: float
    """Simulated time, s"""
    step: int
    """Control step of the episode"""
    clip: str
    cause: str
    """Name of the termination term"""
    text: str
    """What happened, with value and unit"""


class PlayFigures(TypedDict):
    errors: list[float | None]
    """Position error of the key bodies relative to the anchor, m: mean over 1 s, for each of the first 256
    environments
    """
    tracking: PlayFiguresTracking
    """Metrics of the focused environment: means over 1 s"""
    ends: list[PlayFiguresEnds]
    """The last 16 episodes that ended with a failure, newest first"""


class RewardWeight(TypedDict):
    name: str
    weight: float
    default: float
    """Weight in the task"""


class ChangedInPlace(TypedDict):
    ok: Literal[True]
    in_place: Literal[True]
    session: PlaySession


class MotionLibrary(TypedDict):
    path: str
    """Value for `motion` of POST /api/play/configure"""
    name: str
    clips: int
    duration: float
    """s"""
    default: bool
    """Whether it is the run's own library"""


class PlayClip(TypedDict):
    index: int
    name: str
    frames: int
    fps: float
    duration: float
    """s"""


class Channel(TypedDict):
    id: str
    """Unique name, such as `root.pos.x`"""
    name: str
    """Label for people"""
    group: str
    unit: str
    lower: float | None
    """Lower limit, in `unit`"""
    upper: float | None
    """Upper limit, in `unit`"""
    limit_note: NotRequired[str]
    """Source of the limits"""


class DeleteRobotReply(TypedDict):
    """The action is done. POST /api/undo takes it back"""
    ok: Literal[True]
    undo: str
    """Token for POST /api/undo"""


class GetRobotSpecReply(TypedDict):
    id: str
    spec: RobotSpec
    yaml: str
    """Text of the file"""


class ListRobotsReply(TypedDict):
    robots: list[RobotSummary]
    selected: str


class PoseJointReply(TypedDict):
    ok: Literal[True]
    value: float
    """Position after clamping"""


class SetRobotOptionsReply(TypedDict):
    ok: Literal[True]
    options: RobotOptions


class CheckDraftReply(TypedDict):
    ok: bool
    """Whether all checks passed"""
    checks: list[DraftCheck]


class CopyModelFolderReply(TypedDict):
    ok: Literal[True]
    id: str
    files: int
    bytes: int


class GetImportStateReplyRobots(TypedDict):
    id: str
    name: str


class GetImportStateReplyUnfinished(TypedDict):
    id: str
    files: int
    bytes: int
    modified: str


class GetImportStateReplyDraft(TypedDict):
    """The model inspected last"""
    id: str
    model: str


class GetImportStateReply(TypedDict):
    folder: str
    """Folder of the robots in the workspace"""
    robots: list[GetImportStateReplyRobots]
    unfinished: list[GetImportStateReplyUnfinished]
    draft: GetImportStateReplyDraft | None


class InspectModelReplyBodies(TypedDict):
    name: str
    parent: str | None
    mass: float


class InspectModelReplyReasons(TypedDict):
    """Reasons for the suggestions"""
    anchor: str
    keybodies: str
    feet: str
    pose: str
    contacts: str


class InspectModelReply(TypedDict):
    ok: Literal[True]
    id: str
    model: str
    format: Literal["mjcf", "urdf"]
    bodies: list[InspectModelReplyBodies]
    joints: list[Joint]
    wiring: Wiring
    gains: dict[str, JointGains]
    """Suggested gains by joint"""
    spec: RobotSpec
    reasons: InspectModelReplyReasons
    """Reasons for the suggestions"""
    warnings: list[str]


class ListModelFilesReply(TypedDict):
    id: str
    files: list[ModelFile]


class LoadGainsReplyGainsValue(TypedDict):
    stiffness: float
    """Nm/rad"""
    damping: float
    """Nm·s/rad"""
    armature: float
    """kg·m²"""
    effort_limit: float
    """Nm"""
    source: str
    """Where the values come from"""
    action_scale: float
    """Change of the target per unit of action, rad or m"""
    stated: list[Literal["stiffness", "damping", "armature", "effort_limit", "action_scale"]]
    """Which of the values the file or robot states. The others are those of the spec"""


class LoadGainsReply(TypedDict):
    ok: Literal[True]
    gains: dict[str, LoadGainsReplyGainsValue]
    """Gains of the joints that were found"""
    joints_unmatched: list[str]
    """Joints of the robot without gains in the file, which keep theirs; then names in the file that are not joints
    of the robot
    """
    notes: list[str]
    """What was assumed about the file"""
    spec: RobotSpec


class SaveRobotReply(TypedDict):
    ok: Literal[True]
    id: str
    task: str
    """Name of the first task of the robot"""
    undo: str | None
    """Token for POST /api/undo; null: the action replaced nothing"""


class UploadModelFileReply(TypedDict):
    ok: Literal[True]
    path: str
    bytes: int


class ConvertDatasetReply(TypedDict):
    ok: Literal[True]
    job: str
    """Name of the job: see GET /api/jobs/{name}"""


class CreateDatasetReply(TypedDict):
    ok: Literal[True]
    dataset: str


class DeleteClipReply(TypedDict):
    """The action is done. POST /api/undo takes it back"""
    ok: Literal[True]
    undo: str
    """Token for POST /api/undo"""


class DeleteDatasetReply(TypedDict):
    """The action is done. POST /api/undo takes it back"""
    ok: Literal[True]
    undo: str
    """Token for POST /api/undo"""


class ListClipJointsReplyJoints(TypedDict):
    name: str
    lower: float | None
    upper: float | None


class ListClipJointsReply(TypedDict):
    joints: list[ListClipJointsReplyJoints]


class ListClipsReply(TypedDict):
    dataset: str
    total: int
    """Number of matching clips on all pages"""
    page: int
    size: int
    pages: int
    clips: list[Clip]


class ListDatasetsReply(TypedDict):
    robot: str
    datasets: list[DatasetCounts]


class MarkClipsReply(TypedDict):
    ok: Literal[True]
    clips: int
    """Number of marked clips"""


class MarkClipsIgnore(TypedDict):
    kind: Literal["joint_limit", "joint_velocity", "joint_acceleration", "jump", "ground_penetration", "floating", "foot_sliding", "root_tilt", "not_finite", "self_collision", "frozen", "first_frame", "body_order", "quaternion_order", "joint_order", "frame_rate"]
    body: NotRequired[str]
    """Body or joint of the issue. Absent: any"""


class MarkClipsAddIgnore(TypedDict):
    kind: Literal["joint_limit", "joint_velocity", "joint_acceleration", "jump", "ground_penetration", "floating", "foot_sliding", "root_tilt", "not_finite", "self_collision", "frozen", "first_frame", "body_order", "quaternion_order", "joint_order", "frame_rate"]
    body: NotRequired[str]
    """Body or joint of the issue. Absent: any"""


class MarkClipsAdd(TypedDict):
    tags: NotRequired[list[str]]
    """Labels that listings can be filtered by"""
    ignore: NotRequired[list[MarkClipsAddIgnore]]
    """Issues that are shown as ignored and not counted"""


class MarkClipsRemoveIgnore(TypedDict):
    kind: Literal["joint_limit", "joint_velocity", "joint_acceleration", "jump", "ground_penetration", "floating", "foot_sliding", "root_tilt", "not_finite", "self_collision", "frozen", "first_frame", "body_order", "quaternion_order", "joint_order", "frame_rate"]
    body: NotRequired[str]
    """Body or joint of the issue. Absent: any"""


class MarkClipsRemove(TypedDict):
    tags: NotRequired[list[str]]
    """Labels that listings can be filtered by"""
    ignore: NotRequired[list[MarkClipsRemoveIgnore]]
    """Issues that are shown as ignored and not counted"""


class PickClipsReply(TypedDict):
    clips: list[str]
    """Names of the picked clips, best first. Excluded clips and clips with errors are never picked"""
    minutes: float
    """Total duration of the picked clips, min"""
    unscored: int
    """Number of clips that have not been checked yet and so cannot be picked"""


class RefreshDatasetsReply(TypedDict):
    ok: Literal[True]
    datasets: list[DatasetCounts]


class RenameDataReply(TypedDict):
    """The action is done. POST /api/undo takes it back"""
    ok: Literal[True]
    undo: str
    """Token for POST /api/undo"""


class UploadClipReply(TypedDict):
    ok: Literal[True]
    clip: str
    bytes: int
    clips: list[str]
    """The clip, or every clip of an uploaded bundle"""
    undo: str | None
    """Token for POST /api/undo; null: the action replaced nothing"""


class PreviewEditReplyGrid(TypedDict):
    """Clips shown side by side; null if a single clip is open"""
    dataset: str
    clips: list[str]


class PreviewEditReplyEdit(TypedDict):
    """The clip is shown as edited, and not written: part of a split, from 0, and number of parts"""
    part: int
    parts: int


class PreviewEditReplyQa(TypedDict):
    """Result of the checks; null until the clip is checked"""
    ok: bool
    issues: list[QaIssue]


class PreviewEditReply(TypedDict):
    ok: Literal[True]
    open: bool
    """Whether a clip or a grid of clips is open"""
    loading: bool
    dataset: str | None
    clip: str | None
    source: Literal["npz", "raw", None]
    frames: int
    fps: float
    """Frames per second"""
    frame: int
    """Shown frame, from 0"""
    time: float
    """Shown time, s"""
    playing: bool
    options: DataOptions
    grid: PreviewEditReplyGrid | None
    recording: str | None
    """Name of the recording that is shown; null for clips"""
    edit: NotRequired[PreviewEditReplyEdit | None]
    qa: PreviewEditReplyQa | None
    error: str | None
    """Why the last clip could not be loaded"""


class SeekPreviewFrameReplyGrid(TypedDict):
    """Clips shown side by side; null if a single clip is open"""
    dataset: str
    clips: list[str]


class SeekPreviewFrameReplyEdit(TypedDict):
    """The clip is shown as edited, and not written: part of a split, from 0, and number of parts"""
    part: int
    parts: int


class SeekPreviewFrameReplyQa(TypedDict):
    """Result of the checks; null until the clip is checked"""
    ok: bool
    issues: list[QaIssue]


class SeekPreviewFrameReply(TypedDict):
    ok: Literal[True]
    open: bool
    """Whether a clip or a grid of clips is open"""
    loading: bool
    dataset: str | None
    clip: str | None
    source: Literal["npz", "raw", None]
    frames: int
    fps: float
    """Frames per second"""
    frame: int
    """Shown frame, from 0"""
    time: float
    """Shown time, s"""
    playing: bool
    options: DataOptions
    grid: SeekPreviewFrameReplyGrid | None
    recording: str | None
    """Name of the recording that is shown; null for clips"""
    edit: NotRequired[SeekPreviewFrameReplyEdit | None]
    qa: SeekPreviewFrameReplyQa | None
    error: str | None
    """Why the last clip could not be loaded"""


class SeekPreviewTimeReplyGrid(TypedDict):
    """Clips shown side by side; null if a single clip is open"""
    dataset: str
    clips: list[str]


class SeekPreviewTimeReplyEdit(TypedDict):
    """The clip is shown as edited, and not written: part of a split, from 0, and number of parts"""
    part: int
    parts: int


class SeekPreviewTimeReplyQa(TypedDict):
    """Result of the checks; null until the clip is checked"""
    ok: bool
    issues: list[QaIssue]


class SeekPreviewTimeReply(TypedDict):
    ok: Literal[True]
    open: bool
    """Whether a clip or a grid of clips is open"""
    loading: bool
    dataset: str | None
    clip: str | None
    source: Literal["npz", "raw", None]
    frames: int
    fps: float
    """Frames per second"""
    frame: int
    """Shown frame, from 0"""
    time: float
    """Shown time, s"""
    playing: bool
    options: DataOptions
    grid: SeekPreviewTimeReplyGrid | None
    recording: str | None
    """Name of the recording that is shown; null for clips"""
    edit: NotRequired[SeekPreviewTimeReplyEdit | None]
    qa: SeekPreviewTimeReplyQa | None
    error: str | None
    """Why the last clip could not be loaded"""


class SetPreviewOptionsReplyGrid(TypedDict):
    """Clips shown side by side; null if a single clip is open"""
    dataset: str
    clips: list[str]


class SetPreviewOptionsReplyEdit(TypedDict):
    """The clip is shown as edited, and not written: part of a split, from 0, and number of parts"""
    part: int
    parts: int


class SetPreviewOptionsReplyQa(TypedDict):
    """Result of the checks; null until the clip is checked"""
    ok: bool
    issues: list[QaIssue]


class SetPreviewOptionsReply(TypedDict):
    ok: Literal[True]
    open: bool
    """Whether a clip or a grid of clips is open"""
    loading: bool
    dataset: str | None
    clip: str | None
    source: Literal["npz", "raw", None]
    frames: int
    fps: float
    """Frames per second"""
    frame: int
    """Shown frame, from 0"""
    time: float
    """Shown time, s"""
    playing: bool
    options: DataOptions
    grid: SetPreviewOptionsReplyGrid | None
    recording: str | None
    """Name of the recording that is shown; null for clips"""
    edit: NotRequired[SetPreviewOptionsReplyEdit | None]
    qa: SetPreviewOptionsReplyQa | None
    error: str | None
    """Why the last clip could not be loaded"""


class SetPreviewPlayingReplyGrid(TypedDict):
    """Clips shown side by side; null if a single clip is open"""
    dataset: str
    clips: list[str]


class SetPreviewPlayingReplyEdit(TypedDict):
    """The clip is shown as edited, and not written: part of a split, from 0, and number of parts"""
    part: int
    parts: int


class SetPreviewPlayingReplyQa(TypedDict):
    """Result of the checks; null until the clip is checked"""
    ok: bool
    issues: list[QaIssue]


class SetPreviewPlayingReply(TypedDict):
    ok: Literal[True]
    open: bool
    """Whether a clip or a grid of clips is open"""
    loading: bool
    dataset: str | None
    clip: str | None
    source: Literal["npz", "raw", None]
    frames: int
    fps: float
    """Frames per second"""
    frame: int
    """Shown frame, from 0"""
    time: float
    """Shown time, s"""
    playing: bool
    options: DataOptions
    grid: SetPreviewPlayingReplyGrid | None
    recording: str | None
    """Name of the recording that is shown; null for clips"""
    edit: NotRequired[SetPreviewPlayingReplyEdit | None]
    qa: SetPreviewPlayingReplyQa | None
    error: str | None
    """Why the last clip could not be loaded"""


class GetClipPlotsReply(TypedDict):
    title: str
    fps: float
    frames: int
    channels: list[Channel]
    data: str
    """Values as base64 of little-endian float32: frames × channels, row-major"""
    ref: str | None
    """Values of the raw source in the same format; null without one"""
    ref_label: str | None
    """What `ref` shows, for people"""


class DeleteModuleReply(TypedDict):
    """The action is done. POST /api/undo takes it back"""
    ok: Literal[True]
    undo: str
    """Token for POST /api/undo"""


class WriteModuleReply(TypedDict):
    ok: Literal[True]
    name: str
    overrides: Overrides
    description: str
    error: str | None
    """Why the module cannot be used"""
    yaml: str
    """Text of the file"""
    undo: str | None
    """Token for POST /api/undo; null: the action replaced nothing"""


class DeletePresetReply(TypedDict):
    """The action is done. POST /api/undo takes it back"""
    ok: Literal[True]
    undo: str
    """Token for POST /api/undo"""


class WritePresetReply(TypedDict):
    ok: Literal[True]
    name: str
    task: str
    base: str
    modules: list[str]
    overrides: Overrides
    description: str
    error: str | None
    """Why the preset cannot be used"""
    yaml: str
    """Text of the file"""
    effect: Effect | None
    undo: str | None
    """Token for POST /api/undo; null: the action replaced nothing"""


class GetPresetSchemaReply(TypedDict):
    base: str
    modules: list[str]
    knobs: list[Knob]
    terms: list[TaskTerm]
    """Terms of the task: observations, rewards, terminations, events"""
    observation_terms: list[LibraryTerm]
    reward_terms: list[LibraryTerm]
    termination_terms: list[LibraryTerm]
    event_terms: list[LibraryTerm]
    json_schema: Any
    """JSON Schema of `overrides`"""


class ListPresetsReply(TypedDict):
    tasks: list[Task]
    presets: list[Preset]
    modules: list[Module]
    directory: str
    """Folder of the preset and module files"""


class GetCurvesReply(TypedDict):
    run: str | None
    job: str | None
    group: str
    x: Literal["iteration"]
    series: list[Series]


class ListTasksReply(TypedDict):
    tasks: list[Task]
    trainers: list[Trainer]
    launchers: list[Launcher]


class GetJobReply(TypedDict):
    name: str
    """Unique name; also the folder in `jobs/`"""
    kind: Literal["train", "convert", "evaluate"]
    status: Literal["queued", "running", "stopping", "done", "failed", "stopped", "lost"]
    """`lost`: the process ended without reporting a result"""
    progress: float | None
    """0..1; null: unknown"""
    step: int | None
    """Iterations or clips done"""
    steps: int | None
    """Iterations or clips in total"""
    eta: float | None
    """Estimated remaining time, s"""
    rate: float | None
    """Steps per second"""
    created: str
    """ISO-8601 UTC"""
    started: str | None
    """ISO-8601 UTC"""
    ended: str | None
    """ISO-8601 UTC"""
    task: str | None
    dataset: str | None
    run: str | None
    """Path of the run that a training writes"""
    trainer: str | None
    launcher: str | None
    pid: int | None
    exit_code: int | None
    signal: str | None
    """Signal that ended the process"""
    error: str | None
    """Why the job failed"""
    alarm: NotRequired[str | None]
    """Problem of a running job that needs attention"""
    params: dict[str, Any]
    """Parameters that the job was started with"""
    log: list[str]
    """Last lines of the log"""


class ListJobsReply(TypedDict):
    jobs: list[Job]


class DeleteRunReply(TypedDict):
    """The action is done. POST /api/undo takes it back"""
    ok: Literal[True]
    undo: str
    """Token for POST /api/undo"""


class ListRunsReply(TypedDict):
    runs: list[Run]
    version: str
    """State of the list; pass it as since in the next call"""
    removed: NotRequired[list[str]]
    """Paths of the runs that are gone. Absent: runs is the whole list, because since was not given or its state is
    not known any more
    """


class CompareStoredEvaluationsReplyDifferences(TypedDict):
    metric: Literal["success", "tracked_s", "tracked_share", "errors.body_pos", "errors.body_pos_local", "errors.body_rot", "errors.joint_pos", "errors.joint_vel", "errors.anchor_pos", "errors.anchor_rot", "action_rate", "jerk"]
    """Path in the summary"""
    condition: str
    a: float
    """Value of `a`"""
    b: float
    """Value of `b`"""
    mean: float
    """b − a over all episodes"""
    low: float
    """Lower bound of the 95 % interval of b − a"""
    high: float
    """Upper bound of the 95 % interval of b − a"""


class CompareStoredEvaluationsReply(TypedDict):
    differences: list[CompareStoredEvaluationsReplyDifferences]
    """By condition and metric"""


class ListEvaluationsReply(TypedDict):
    evaluations: list[ListedEvaluation]


class StartEvaluationReply(TypedDict):
    ok: Literal[True]
    job: str
    """Name of the job: see GET /api/jobs/{name}"""
    evaluation: str
    """Name of the evaluation: see GET /api/evaluations/{name}"""


class CheckBundleReply(TypedDict):
    ok: Literal[True]
    selftest: SelfTest


class ListExportsReply(TypedDict):
    exports: list[Export]


class ComparePoliciesEntries(TypedDict):
    run: str
    """Path of the run"""
    checkpoint: NotRequired[str]
    """`""`: zero action. Absent: the latest checkpoint"""


class FocusEnvReply(TypedDict):
    ok: Literal[True]
    index: int


class ListPlayClipsReply(TypedDict):
    clips: list[PlayClip]


class ListPlayLibrariesReply(TypedDict):
    run: str
    libraries: list[MotionLibrary]


class ListPlayRunsReply(TypedDict):
    runs: list[Run]
    version: str
    """State of the list; pass it as since to GET /api/runs"""


class SetPlayOptionsReply(TypedDict):
    ok: Literal[True]
    options: PlayOptions


class SetPlayPlayingReply(TypedDict):
    ok: Literal[True]
    playing: bool


class SetPlayRewardsReply(TypedDict):
    ok: Literal[True]
    rewards: list[RewardWeight]


class StepPlayReply(TypedDict):
    ok: Literal[True]
    sim_time: float
    """Simulated time, s"""


class EmptyTrashReply(TypedDict):
    ok: Literal[True]
    items: int
    """Number of removed items"""


class ListTrashReplyItems(TypedDict):
    undo: str
    """Token for POST /api/undo"""
    kind: Literal["robot", "dataset", "clip", "run", "preset", "module"]
    action: Literal["delete", "replace"]
    """`replace`: the previous version of an item that was replaced"""
    robot: str | None
    """Robot that it belongs to; null for a run"""
    name: str
    """A clip is named `<dataset>/<clip>`, a run by its path"""
    bytes: int
    deleted: str
    """ISO-8601 UTC"""


class ListTrashReply(TypedDict):
    items: list[ListTrashReplyItems]
    days: int
    """Age at which items are removed permanently, days: `trash.days` of studio.yaml"""


class UndoActionReply(TypedDict):
    ok: Literal[True]
    undo: str | None
    """Token for POST /api/undo; null: the action replaced nothing"""


class ListRecordingsReplyRecordings(TypedDict):
    """A recording of the scene"""
    name: str
    """File name without its ending"""
    format: Literal["mcap", "npz"]
    """`mcap`: for Foxglove, Lichtblick, Rerun and the studio; `npz`: for numpy and the studio"""
    state: Literal["recording", "done", "cut"]
    """`cut`: the recording ended before a stop or its time limit. The file is readable up to its last complete
    chunk
    """
    bytes: int
    duration: float | None
    """s of wall time; null: unknown"""
    robot: str | None
    """Id of the robot at the start"""
    owner: Literal["robots", "data", "play", "import", None]
    """Owner of the scene at the start"""
    created: str
    """ISO-8601 UTC"""
    reason: str | None
    """Why the recording ended early"""
    error: str | None
    """Why the studio cannot open it"""


class ListRecordingsReply(TypedDict):
    recordings: list[ListRecordingsReplyRecordings]


class StartRecordingReply(TypedDict):
    ok: Literal[True]
    recording: str
    """Name of the recording"""


class StopRecordingReply(TypedDict):
    ok: Literal[True]
    recording: str
    """Name of the recording"""
    bytes: int
    duration: float
    """s of wall time"""


class GetHealthReply(TypedDict):
    ok: Literal[True]
    version: str
    uptime_s: float
    """Time since the start, s"""


class GetLogReply(TypedDict):
    lines: list[LogLine]


class ListBusyTasksReply(TypedDict):
    active: list[Busy]
    recent: list[Busy]


class ListClientsReplyClients(TypedDict):
    """A connected websocket"""
    id: str
    """Sent to the client in its first event. Its requests name it in `X-Client-Id`"""
    role: Literal["control", "view"]
    """`view`: connected with the view token, may only read"""
    since: str
    """Start of the connection, ISO-8601 UTC"""
    rate: float
    """Frames sent in the last second, 1/s"""
    skipped: int
    """Frames that a newer one replaced because the client was not ready"""
    you: bool
    """Whether `X-Client-Id` of this request names this client"""


class ListClientsReply(TypedDict):
    clients: list[ListClientsReplyClients]



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

    def delete_robot(self, id: str) -> DeleteRobotReply:
        """Deletes an imported robot. Its datasets and runs are kept. `DELETE /api/robots/{id}`"""
        return self._json("DELETE", "/api/robots/{id}", path={"id": id})

    def get_robot_spec(self, id: str) -> GetRobotSpecReply:
        """Gets the spec (robot.yaml) of a robot that was imported. `GET /api/robots/{id}/spec`"""
        return self._json("GET", "/api/robots/{id}/spec", path={"id": id})

    def get_robot_texture(self, name: str) -> Download:
        """Gets a texture of the robot in the scene, as named by `texture` of its geoms. `GET
        /api/robot/texture/{name}`
        """
        return self._download("GET", "/api/robot/texture/{name}", path={"name": name})

    def get_scene_model(self) -> SceneModel:
        """Gets bodies, geoms and meshes of the robot in the scene. Fetch them again when `model_version` changes. `GET
        /api/robot/model`
        """
        return self._json("GET", "/api/robot/model")

    def get_scene_model_bin(self) -> Download:
        """Gets the mesh data of the robot in the scene. `GET /api/robot/model.bin`"""
        return self._download("GET", "/api/robot/model.bin")

    def get_selected_robot(self) -> Robot:
        """Gets the selected robot: joints, wiring and tasks. `GET /api/robot`"""
        return self._json("GET", "/api/robot")

    def get_terrain_bin(self) -> Download:
        """Gets the terrain under the robots. Fetch it again when `terrain_version` changes. `GET
        /api/scene/terrain.bin`
        """
        return self._download("GET", "/api/scene/terrain.bin")

    def list_robots(self) -> ListRobotsReply:
        """Lists the registered robots with a summary of the model, the datasets and the runs. `GET /api/robots`"""
        return self._json("GET", "/api/robots")

    def pose_joint(self, name: str, value: float) -> PoseJointReply:
        """Sets one joint of the selected robot. `POST /api/robot/joint`

        name: Name of a joint of the selected robot
        value: Position, rad (hinge) or m (slide), clamped to the range
        """
        return self._json("POST", "/api/robot/joint", body={"name": name, "value": value})

    def reset_joints(self, *, zero: bool | None = None) -> Ok:
        """Resets all joints to the default pose or to zero. `POST /api/robot/joint/reset`

        zero: true: all joints 0. false: the default pose; default: false
        """
        return self._json("POST", "/api/robot/joint/reset", body=_given(zero=zero))

    def select_robot(self, name: str, *, wait: bool = True) -> TaskStarted:
        """Selects a robot. The choice survives a restart of the service. `POST /api/robot/select`

        name: Id or name of a registered robot
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json("POST", "/api/robot/select", body={"name": name}, wait=wait)

    def set_robot_options(self, *, show_wiring: bool | None = None) -> SetRobotOptionsReply:
        """Shows or hides the wiring markers. `POST /api/robot/joint/options`

        show_wiring: Marks the anchor, the key bodies and the feet. Absent: unchanged
        """
        return self._json("POST", "/api/robot/joint/options", body=_given(show_wiring=show_wiring))

    def show_robot(self) -> Ok:
        """Shows the selected robot in the scene. `POST /api/robot/joint/show`"""
        return self._json("POST", "/api/robot/joint/show", body={})

    def cancel_import(self) -> Ok:
        """Closes the draft. The scene shows its previous content. `POST /api/robots/import/cancel`"""
        return self._json("POST", "/api/robots/import/cancel", body={})

    def check_draft(self, spec: UncheckedRobotSpec) -> CheckDraftReply:
        """Checks a spec: whether it compiles, holds its pose and stands on its feet. `POST /api/robots/import/check`"""
        return self._json("POST", "/api/robots/import/check", body={"spec": spec})

    def copy_model_folder(self, id: str, source: str) -> CopyModelFolderReply:
        """Copies a folder on the machine of the service into an upload. `POST /api/robots/import/path`

        id: Id of the new robot; also the name of its upload
        source: Path of a folder on the machine of the service
        """
        return self._json("POST", "/api/robots/import/path", body={"id": id, "source": source})

    def delete_upload(self, id: str) -> Ok:
        """Deletes an unfinished upload. `DELETE /api/robots/import/{id}`"""
        return self._json("DELETE", "/api/robots/import/{id}", path={"id": id})

    def get_import_state(self) -> GetImportStateReply:
        """Gets the robots folder, the saved robots, the unfinished uploads and the draft. `GET /api/robots/import`"""
        return self._json("GET", "/api/robots/import")

    def inspect_model(self, id: str, model: str) -> InspectModelReply:
        """Compiles a model and suggests its spec: bodies, joints, wiring and gains. `POST /api/robots/import/inspect`

        id: Id of the new robot; also the name of its upload
        model: Path of the MJCF or URDF file in the upload
        """
        return self._json("POST", "/api/robots/import/inspect", body={"id": id, "model": model})

    def list_model_files(self, id: str) -> ListModelFilesReply:
        """Lists the files of an upload, models first, the most likely main model at the top. `GET
        /api/robots/import/files`

        id: Id of the new robot; also the name of its upload
        """
        return self._json("GET", "/api/robots/import/files", query={"id": id})

    def load_gains(
        self,
        id: str,
        *,
        file: str | None = None,
        from_: str | None = None,
        robot: str | None = None,
    ) -> LoadGainsReply:
        """Takes gains of joints from a file or from another robot. Nothing is saved. `POST /api/robots/import/gains`

        id: Id of the inspected upload, or else of a saved robot, that gets the gains
        file: Path of the file: deploy.yaml, a policy with metadata (.onnx), robot.yaml, or YAML or JSON with PD
            gains
        from_: Id of the upload or saved robot that has the file. Absent: `id`
        robot: Id of the robot with the gains, in place of a file
        """
        return self._json(
            "POST",
            "/api/robots/import/gains",
            body={"id": id, **_given(file=file, **{"from": from_}, robot=robot)},
        )

    def preview_draft(self, wiring: Wiring) -> Ok:
        """Shows the draft in the scene with markers on the wired bodies. `POST /api/robots/import/preview`"""
        return self._json("POST", "/api/robots/import/preview", body={"wiring": wiring})

    def save_robot(self, spec: UncheckedRobotSpec) -> SaveRobotReply:
        """Saves the robot and adds it to the registered robots. `POST /api/robots/import/save`"""
        return self._json("POST", "/api/robots/import/save", body={"spec": spec})

    def upload_model_file(self, id: str, path: str, content: Upload) -> UploadModelFileReply:
        """Uploads one model file to its relative path in the folder of the new robot. `PUT
        /api/robots/import/upload/{id}/{path}`

        path: Relative path. Slashes may be encoded as `%2F`
        """
        return self._json("PUT", "/api/robots/import/upload/{id}/{path}", path={"id": id, "path": path}, upload=content)

    def convert_dataset(
        self,
        dataset: str,
        *,
        which: Literal["missing", "all", "selected"] | None = None,
        clips: list[str] | None = None,
        q: str | None = None,
        batch_size: int | None = None,
        output_fps: float | None = None,
        mirror: bool | None = None,
        debias_z: bool | None = None,
        input_fps: float | Literal["file"] | None = None,
        read: ReadOptions | None = None,
        fixes: list[str] | None = None,
    ) -> ConvertDatasetReply:
        """Converts clips to npz, as a job. `POST /api/data/convert`

        dataset: Name of a dataset of the selected robot
        which: `all`: clips with a raw file, and npz files of another frame rate than `output_fps`. `selected`
            requires `clips` or `q`; default: "missing"
        clips: Names of the clips, with `which: selected`
        q: Case-insensitive: part of the name, or a pattern for the whole name with `*` and `?`
        batch_size: Number of clips converted together; default: 8
        output_fps: Frames per second of the result. Absent: the value in dataset.yaml, else 50
        mirror: Also writes the mirrored clip as `<clip>_M`. Absent: the value in dataset.yaml, else false
        debias_z: Moves the clip so that the soles are on the floor. Absent: the value in dataset.yaml, else
            false
        fixes: Repairs to apply, as given in `fix` of the issues, in addition to the earlier repairs of each
            clip. `[]` removes the earlier repairs
        """
        return self._json(
            "POST",
            "/api/data/convert",
            body={"dataset": dataset, **_given(which=which, clips=clips, q=q, batch_size=batch_size, output_fps=output_fps, mirror=mirror, debias_z=debias_z, input_fps=input_fps, read=read, fixes=fixes)},
        )

    def create_dataset(self, name: str) -> CreateDatasetReply:
        """Creates an empty dataset. `POST /api/data/new`

        name: Name of the new dataset
        """
        return self._json("POST", "/api/data/new", body={"name": name})

    def delete_clip(self, dataset: str, clip: str, *, mirror: bool | None = None) -> DeleteClipReply:
        """Deletes a clip. The folder of a linked dataset is never changed. `DELETE
        /api/data/datasets/{dataset}/clips/{clip}`

        mirror: Also deletes the mirrored clip `<clip>_M` that a conversion made; default false
        """
        return self._json(
            "DELETE",
            "/api/data/datasets/{dataset}/clips/{clip}",
            path={"dataset": dataset, "clip": clip},
            query=_given(mirror=mirror),
        )

    def delete_dataset(self, dataset: str) -> DeleteDatasetReply:
        """Deletes a dataset. The folder of a linked dataset is never changed. `DELETE /api/data/datasets/{dataset}`"""
        return self._json("DELETE", "/api/data/datasets/{dataset}", path={"dataset": dataset})

    def download_clip(self, dataset: str, clip: str, *, source: Literal["npz", "raw"] | None = None) -> Download:
        """Downloads the file of a clip. `GET /api/data/download`

        dataset: Name of a dataset of the selected robot
        clip: Name of a clip of the dataset
        source: Absent: the npz if it exists, else the raw file
        """
        return self._download(
            "GET",
            "/api/data/download",
            query={"dataset": dataset, "clip": clip, **_given(source=source)},
        )

    def edit_clip(
        self,
        dataset: str,
        clip: str,
        steps: list[EditStep],
        *,
        name: str | None = None,
        into: str | None = None,
        wait: bool = True,
    ) -> TaskStarted:
        """Makes new raw clips from a clip by steps such as trim, append and smooth. The source is not changed. `POST
        /api/data/edit`

        dataset: Name of a dataset of the selected robot
        clip: Name of a clip of the dataset
        name: Name of the new clip. Absent: `<clip>_edited`. The parts of a split are called `<name>_1`,
            `<name>_2` …
        into: Dataset of the new clip. Absent: that of the source
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json(
            "POST",
            "/api/data/edit",
            body={"dataset": dataset, "clip": clip, "steps": steps, **_given(name=name, into=into)},
            wait=wait,
        )

    def generate_clips(self, *, dataset: str | None = None, wait: bool = True) -> TaskStarted:
        """Creates a dataset of generated motions for the selected robot: standing, swaying, squatting, stepping,
        turning. Use them to train the first policy of a new robot. `POST /api/data/generate`

        dataset: Name of the new dataset; default: "basics"
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json("POST", "/api/data/generate", body=_given(dataset=dataset), wait=wait)

    def import_dataset(
        self,
        source: str,
        *,
        name: str | None = None,
        link: bool | None = None,
        read: ReadOptions | None = None,
        wait: bool = True,
    ) -> TaskStarted:
        """Imports a folder on the machine of the service as a dataset, as a copy or a link. LeRobot datasets, SONIC
        deploy folders and TWIST2 dataset yamls become one raw clip per episode. `POST /api/data/import`

        source: Path of a folder, or of a TWIST2 dataset yaml, on the machine of the service
        name: Name of the dataset. Absent: the name of the folder
        link: true: links the folder and never writes to it. false: copies it; default: false
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json(
            "POST",
            "/api/data/import",
            body={"source": source, **_given(name=name, link=link, read=read)},
            wait=wait,
        )

    def list_clip_joints(self) -> ListClipJointsReply:
        """Lists the joints of the selected robot in the column order of CSV clips. `GET /api/data/joints`"""
        return self._json("GET", "/api/data/joints")

    def list_clips(
        self,
        dataset: str,
        *,
        q: str | None = None,
        status: Literal["all", "converted", "missing", "raw"] | None = None,
        findings: Literal["true", "false", "info", "warning", "error", "joint_limit", "joint_velocity", "joint_acceleration", "jump", "ground_penetration", "floating", "foot_sliding", "root_tilt", "not_finite", "self_collision", "frozen", "first_frame", "body_order", "quaternion_order", "joint_order", "frame_rate"] | None = None,
        failed: bool | None = None,
        tag: str | None = None,
        excluded: bool | None = None,
        sort: Literal["name", "duration", "score", "worst", "modified"] | None = None,
        order: Literal["asc", "desc"] | None = None,
        page: int | None = None,
        size: int | None = None,
    ) -> ListClipsReply:
        """Lists the clips of a dataset, filtered and sorted, page by page. `GET /api/data/clips`

        dataset: Name of a dataset of the selected robot
        q: Case-insensitive: part of the name, or a pattern for the whole name with `*` and `?`
        status: `raw`: clips with a raw file; default: "all"
        findings: `true`: clips with issues. `false`: checked clips without issues. Otherwise: clips with issues
            of this severity or kind. Ignored issues are not considered
        failed: Whether the last conversion failed
        tag: Only clips with this tag
        excluded: Whether the clip is excluded
        sort: `score`: by feasibility, then complexity; ascending order has the outliers first. `worst`: by the
            worst issue, then the number of issues. Clips without the value come last; default: "name"
        order: default: "asc"
        page: From 1; default: 1
        size: Clips per page; default: 50
        """
        return self._json(
            "GET",
            "/api/data/clips",
            query={"dataset": dataset, **_given(q=q, status=status, findings=findings, failed=failed, tag=tag, excluded=excluded, sort=sort, order=order, page=page, size=size)},
        )

    def list_datasets(self) -> ListDatasetsReply:
        """Lists the datasets of the selected robot with the number of source, converted and missing clips. `GET
        /api/data/datasets`
        """
        return self._json("GET", "/api/data/datasets")

    def mark_clips(
        self,
        dataset: str,
        *,
        clips: list[str] | None = None,
        q: str | None = None,
        exclude: bool | None = None,
        weight: float | None = None,
        tags: list[str] | None = None,
        ignore: list[MarkClipsIgnore] | None = None,
        add: MarkClipsAdd | None = None,
        remove: MarkClipsRemove | None = None,
    ) -> MarkClipsReply:
        """Excludes, weights and tags clips, and ignores issues. Absent fields keep their value. A list replaces the
        previous list; `add` and `remove` change single entries. `POST /api/data/mark`

        dataset: Name of a dataset of the selected robot
        clips: Names of the clips
        q: Case-insensitive: part of the name, or a pattern for the whole name with `*` and `?`
        exclude: true: leaves the clips out of training, evaluation and motion libraries
        weight: Multiplies the chance that an episode of a training starts in the clip; 1 by default
        tags: Labels that listings can be filtered by
        ignore: Issues that are shown as ignored and not counted
        """
        return self._json(
            "POST",
            "/api/data/mark",
            body={"dataset": dataset, **_given(clips=clips, q=q, exclude=exclude, weight=weight, tags=tags, ignore=ignore, add=add, remove=remove)},
        )

    def pick_clips(self, dataset: str, minutes: float) -> PickClipsReply:
        """Picks the best clips of a dataset by score, up to a total duration. `POST /api/data/pick`

        dataset: Name of a dataset of the selected robot
        minutes: Total duration, min
        """
        return self._json("POST", "/api/data/pick", body={"dataset": dataset, "minutes": minutes})

    def refresh_datasets(self) -> RefreshDatasetsReply:
        """Reads the datasets again after a series of uploads. `POST /api/data/uploaded`"""
        return self._json("POST", "/api/data/uploaded", body={})

    def rename_data(self, dataset: str, name: str, *, clip: str | None = None) -> RenameDataReply:
        """Renames a clip with its npz, recipe and marks, or a dataset. `POST /api/data/rename`

        dataset: Name of a dataset of the selected robot
        name: The new name
        clip: Name of a clip of the dataset. Absent: the dataset itself is renamed
        """
        return self._json("POST", "/api/data/rename", body={"dataset": dataset, "name": name, **_given(clip=clip)})

    def scan_dataset(self, dataset: str, *, wait: bool = True) -> TaskStarted:
        """Measures a dataset: total hours and a histogram of clip durations. `POST /api/data/scan`

        dataset: Name of a dataset of the selected robot
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json("POST", "/api/data/scan", body={"dataset": dataset}, wait=wait)

    def upload_clip(self, dataset: str, file: str, content: Upload) -> UploadClipReply:
        """Uploads a clip or a bundle of clips to a dataset. `PUT /api/data/upload/{dataset}/{file}`"""
        return self._json(
            "PUT",
            "/api/data/upload/{dataset}/{file}",
            path={"dataset": dataset, "file": file},
            upload=content,
        )

    def close_preview(self) -> Ok:
        """Closes the preview. The scene shows its previous content. `POST /api/data/close`"""
        return self._json("POST", "/api/data/close", body={})

    def get_preview(self) -> Preview:
        """Gets the state of the clip preview. `GET /api/data/preview`"""
        return self._json("GET", "/api/data/preview")

    def load_clip(
        self,
        dataset: str,
        clip: str,
        *,
        source: Literal["auto", "npz", "raw"] | None = None,
        wait: bool = True,
    ) -> TaskStarted:
        """Opens a clip in the scene and plays it from frame 0. `POST /api/data/load`

        dataset: Name of a dataset of the selected robot
        clip: Name of a clip of the dataset
        source: `auto`: the npz if it is up to date, else the raw file; default: "auto"
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json(
            "POST",
            "/api/data/load",
            body={"dataset": dataset, "clip": clip, **_given(source=source)},
            wait=wait,
        )

    def load_grid(
        self,
        dataset: str,
        *,
        clips: list[str] | None = None,
        q: str | None = None,
        count: int | None = None,
        wait: bool = True,
    ) -> TaskStarted:
        """Opens several clips side by side in the scene. With `loop`, each clip starts again at its own end. `POST
        /api/data/grid`

        dataset: Name of a dataset of the selected robot
        clips: Names of the clips, in this order. Absent: the first clips that match `q`
        q: Case-insensitive: part of the name, or a pattern for the whole name with `*` and `?`
        count: Largest number of clips; default: 64
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json(
            "POST",
            "/api/data/grid",
            body={"dataset": dataset, **_given(clips=clips, q=q, count=count)},
            wait=wait,
        )

    def preview_edit(
        self,
        dataset: str,
        clip: str,
        steps: list[EditStep],
        *,
        part: int | None = None,
    ) -> PreviewEditReply:
        """Shows the result of an edit in the scene without writing it. The playhead of the open clip stays. `POST
        /api/data/edit/preview`

        dataset: Name of a dataset of the selected robot
        clip: Name of a clip of the dataset
        steps: Steps as for POST /api/data/edit. Empty: shows the source clip
        part: Which part of a split is shown, from 0; clamped; default: 0
        """
        return self._json(
            "POST",
            "/api/data/edit/preview",
            body={"dataset": dataset, "clip": clip, "steps": steps, **_given(part=part)},
        )

    def seek_preview_frame(self, frame: int) -> SeekPreviewFrameReply:
        """Moves the preview to a frame. `POST /api/data/frame`

        frame: Frame from 0, clamped to the length of the clip
        """
        return self._json("POST", "/api/data/frame", body={"frame": frame})

    def seek_preview_time(self, time: float) -> SeekPreviewTimeReply:
        """Moves the preview to a time. `POST /api/data/time`

        time: s, clamped to the duration of the clip
        """
        return self._json("POST", "/api/data/time", body={"time": time})

    def set_preview_options(
        self,
        *,
        speed: float | None = None,
        loop: bool | None = None,
        ghost: bool | None = None,
        keybodies: bool | None = None,
        contacts: bool | None = None,
        trail: bool | None = None,
    ) -> SetPreviewOptionsReply:
        """Sets display options and speed of the preview. Absent fields keep their value. `POST /api/data/options`

        speed: Multiple of real time
        loop: Whether the clip starts again at its end
        ghost: Shows the raw source beside the converted clip
        keybodies: Marks the key bodies
        contacts: Marks feet that touch the floor
        trail: Draws the path of the root
        """
        return self._json(
            "POST",
            "/api/data/options",
            body=_given(speed=speed, loop=loop, ghost=ghost, keybodies=keybodies, contacts=contacts, trail=trail),
        )

    def set_preview_playing(self, *, playing: bool | None = None) -> SetPreviewPlayingReply:
        """Plays or pauses the preview. `POST /api/data/playing`

        playing: Absent: toggles the state
        """
        return self._json("POST", "/api/data/playing", body=_given(playing=playing))

    def get_clip_plots(
        self,
        *,
        group: Literal["root", "joints", "torques", "feet", "velocities"] | None = None,
        ref: bool | None = None,
    ) -> GetClipPlotsReply:
        """Gets the channels of the clip that is open in the preview. `GET /api/plots/clip`

        group: Only the channels of this group. Absent: all. Torques take the longest to compute
        ref: false: without the raw source for comparison; default: true
        """
        return self._json("GET", "/api/plots/clip", query=_given(group=group, ref=ref))

    def get_play_plots(self, *, env: int | None = None, since: int | None = None, epoch: int | None = None) -> Download:
        """Gets rows of the record of an environment. `GET /api/plots/play`

        env: Index of the environment. Absent: the focused environment
        since: First row. Ignored if `epoch` is absent or out of date
        epoch: `epoch` of the last reply. Another value or none: all kept rows are returned
        """
        return self._download("GET", "/api/plots/play", query=_given(env=env, since=since, epoch=epoch))

    def delete_module(self, name: str) -> DeleteModuleReply:
        """Deletes a module. `DELETE /api/modules/{name}`"""
        return self._json("DELETE", "/api/modules/{name}", path={"name": name})

    def get_module(self, name: str) -> ModuleInFull:
        """Gets a module. `GET /api/modules/{name}`"""
        return self._json("GET", "/api/modules/{name}", path={"name": name})

    def write_module(
        self,
        name: str,
        *,
        overrides: Overrides | None = None,
        description: str | None = None,
        dry_run: bool | None = None,
    ) -> WriteModuleReply:
        """Creates or replaces a module. `PUT /api/modules/{name}`

        dry_run: Checks the request and answers as usual, without writing the file; default: false
        """
        return self._json(
            "PUT",
            "/api/modules/{name}",
            path={"name": name},
            body=_given(overrides=overrides, description=description, dry_run=dry_run),
        )

    def delete_preset(self, name: str) -> DeletePresetReply:
        """Deletes a preset. `DELETE /api/presets/{name}`"""
        return self._json("DELETE", "/api/presets/{name}", path={"name": name})

    def get_preset(self, name: str) -> PresetInFull:
        """Gets a preset. `GET /api/presets/{name}`"""
        return self._json("GET", "/api/presets/{name}", path={"name": name})

    def write_preset(
        self,
        name: str,
        base: str,
        *,
        overrides: Overrides | None = None,
        modules: list[str] | None = None,
        description: str | None = None,
        dry_run: bool | None = None,
    ) -> WritePresetReply:
        """Creates or replaces a preset. `PUT /api/presets/{name}`

        base: Built-in task: see GET /api/tasks
        dry_run: Checks the request and answers as usual, without writing the file; default: false
        """
        return self._json(
            "PUT",
            "/api/presets/{name}",
            path={"name": name},
            body={"base": base, **_given(overrides=overrides, modules=modules, description=description, dry_run=dry_run)},
        )

    def get_preset_schema(self, base: str, *, modules: list[str] | None = None) -> GetPresetSchemaReply:
        """Gets every setting of a task with its default, and the terms that can be added. `GET /api/presets/schema`

        base: Built-in task: see GET /api/tasks
        modules: Names of modules in the order in which they are applied: `modules=a,b` or `modules=a&modules=b`
        """
        return self._json("GET", "/api/presets/schema", query={"base": base, **_given(modules=modules)})

    def list_presets(self) -> ListPresetsReply:
        """Lists the tasks, the presets and modules, and the folder of their files. `GET /api/presets`"""
        return self._json("GET", "/api/presets")

    def get_curves(
        self,
        *,
        job: str | None = None,
        run: str | None = None,
        group: Literal["train", "errors", "rewards", "sampling", "loss", "all"] | None = None,
        max_points: int | None = None,
        since: int | None = None,
    ) -> GetCurvesReply:
        """Gets the training curves of a job or of a run. `GET /api/curves`

        job: Name of a job. Send either `job` or `run`
        run: Path of the run: `<run_dir>/<run>`
        group: default: "all"
        max_points: Maximum number of points of each curve. Downsampling keeps minima and maxima; default: 1000
        since: First iteration to return; default: 0
        """
        return self._json(
            "GET",
            "/api/curves",
            query=_given(job=job, run=run, group=group, max_points=max_points, since=since),
        )

    def launch_training(
        self,
        task: str,
        dataset: str,
        *,
        num_envs: int | None = None,
        max_iterations: int | None = None,
        run_name: str | None = None,
        resume_run: str | None = None,
        resume_checkpoint: str | None = None,
        start_from: str | None = None,
        logger: Literal["tensorboard", "wandb", "none"] | None = None,
        extra: list[str] | str | None = None,
        trainer: str | None = None,
        launcher: str | None = None,
        seed: int | None = None,
        dry_run: bool | None = None,
    ) -> Launched | LaunchTrial:
        """Starts a training as a job. It continues if the service stops. `POST /api/train/launch`

        task: Task of the selected robot: see GET /api/tasks
        dataset: Dataset of the selected robot
        num_envs: Number of environments. Absent: the default of the trainer
        max_iterations: Exact number of iterations. Absent: `builtin` trains until its evaluation converges
        run_name: Suffix of the name of the run; default: ""
        resume_run: Path of a run to continue; default: ""
        resume_checkpoint: Checkpoint of `resume_run`. `""`: the latest; default: ""
        start_from: Initial networks; only for the trainer `builtin`. `fresh`: new networks. `best`: the
            networks of the run of this robot and task that tracks best. Otherwise the path of a run; default:
            "fresh"
        logger: `wandb` requires an external trainer; default: "tensorboard"
        extra: More arguments for the trainer. A string is split at spaces. No shell interprets them; default:
            []
        trainer: Trainer: see GET /api/tasks; default: "builtin"
        launcher: Launcher: see GET /api/tasks; default: "local"
        seed: Absent: the seed of the task
        dry_run: Runs all checks and answers with the command, without launching it; default: false
        """
        return self._json(
            "POST",
            "/api/train/launch",
            body={"task": task, "dataset": dataset, **_given(num_envs=num_envs, max_iterations=max_iterations, run_name=run_name, resume_run=resume_run, resume_checkpoint=resume_checkpoint, start_from=start_from, logger=logger, extra=extra, trainer=trainer, launcher=launcher, seed=seed, dry_run=dry_run)},
        )

    def list_tasks(self) -> ListTasksReply:
        """Lists the tasks of the selected robot (built-in tasks and presets), the trainers and the launchers. `GET
        /api/tasks`
        """
        return self._json("GET", "/api/tasks")

    def download_job_log(self, name: str) -> Download:
        """Downloads the log of a job. `GET /api/jobs/{name}/log`"""
        return self._download("GET", "/api/jobs/{name}/log", path={"name": name})

    def forget_job(self, name: str) -> Ok:
        """Deletes the record and log of a job. Its run is kept. Waits for a job that is stopping. `DELETE
        /api/jobs/{name}`
        """
        return self._json("DELETE", "/api/jobs/{name}", path={"name": name})

    def get_job(self, name: str, *, tail: int | None = None) -> GetJobReply:
        """Gets one job with the end of its log. `GET /api/jobs/{name}`

        tail: Number of log lines; default: 200
        """
        return self._json("GET", "/api/jobs/{name}", path={"name": name}, query=_given(tail=tail))

    def list_jobs(self) -> ListJobsReply:
        """Lists the jobs with status, progress and estimated remaining time, newest first. `GET /api/jobs`"""
        return self._json("GET", "/api/jobs")

    def stop_job(self, name: str) -> Ok:
        """Stops a job. A job that has already ended is not an error. `POST /api/jobs/{name}/stop`"""
        return self._json("POST", "/api/jobs/{name}/stop", path={"name": name}, body={})

    def delete_run(self, run: str) -> DeleteRunReply:
        """Deletes a run. `DELETE /api/runs`

        run: Path of the run: `<run_dir>/<run>`
        """
        return self._json("DELETE", "/api/runs", query={"run": run})

    def list_runs(self, *, since: str | None = None) -> ListRunsReply:
        """Lists the runs on disk, newest first; with since, only what changed. `GET /api/runs`

        since: version of an earlier reply: lists the runs that changed since then, in no order, and removed
        """
        return self._json("GET", "/api/runs", query=_given(since=since))

    def download_run_file(self, run: str, file: str) -> Download:
        """Downloads one file of a run. `GET /api/runs/file`

        run: Path of the run: `<run_dir>/<run>`
        file: Path of the file in the folder of the run
        """
        return self._download("GET", "/api/runs/file", query={"run": run, "file": file})

    def mark_run(
        self,
        run: str,
        *,
        tags: list[str] | None = None,
        note: str | None = None,
        favourite: bool | None = None,
    ) -> Ok:
        """Sets the tags, the note or the favourite mark of a run. Absent fields stay as they are. `POST
        /api/runs/mark`

        run: Path of the run: `<run_dir>/<run>`
        tags: Labels that listings can be filtered by
        note: `""`: no note
        """
        return self._json(
            "POST",
            "/api/runs/mark",
            body={"run": run, **_given(tags=tags, note=note, favourite=favourite)},
        )

    def collect_failures(
        self,
        name: str,
        dataset: str,
        below: float,
        *,
        margin_s: float | None = None,
        checkpoint: str | None = None,
        condition: str | None = None,
        wait: bool = True,
    ) -> TaskStarted:
        """Makes a dataset of the stretches around failures. The clips of the evaluation stay as they are. `POST
        /api/evaluations/{name}/dataset`

        dataset: Name of the new dataset
        below: Uses clips whose success under a checkpoint and condition is below this share, 0..1. 1: every
            clip with a failure
        margin_s: Time before and after a failure, s. Stretches that overlap are joined; default: 2
        checkpoint: Absent: failures of all checkpoints are used
        condition: Absent: failures under all conditions are used
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json(
            "POST",
            "/api/evaluations/{name}/dataset",
            path={"name": name},
            body={"dataset": dataset, "below": below, **_given(margin_s=margin_s, checkpoint=checkpoint, condition=condition)},
            wait=wait,
        )

    def compare_stored_evaluations(
        self,
        a: str,
        b: str,
        *,
        a_checkpoint: str | None = None,
        b_checkpoint: str | None = None,
    ) -> CompareStoredEvaluationsReply:
        """Compares two evaluations of the same motion, clips, starts, seed and conditions: differences b − a of all
        metrics with 95 % intervals (paired bootstrap over clips and starts). `GET /api/evaluations/compare`

        a: Name of an evaluation
        b: Name of an evaluation; the same as `a` to compare two of its checkpoints
        a_checkpoint: Absent: the first checkpoint. `""`: zero action
        b_checkpoint: Absent: the first checkpoint. `""`: zero action
        """
        return self._json(
            "GET",
            "/api/evaluations/compare",
            query={"a": a, "b": b, **_given(a_checkpoint=a_checkpoint, b_checkpoint=b_checkpoint)},
        )

    def delete_evaluation(self, name: str) -> Ok:
        """Deletes an evaluation. `DELETE /api/evaluations/{name}`"""
        return self._json("DELETE", "/api/evaluations/{name}", path={"name": name})

    def get_evaluation(self, name: str) -> Evaluation:
        """Gets one evaluation with its tables of clips and joints. `GET /api/evaluations/{name}`"""
        return self._json("GET", "/api/evaluations/{name}", path={"name": name})

    def get_evaluation_report(self, name: str, *, format: Literal["html", "json", "csv"] | None = None) -> Download:
        """Gets the report of an evaluation. The HTML is one file without references; CSV and JSON have every episode.
        `GET /api/evaluations/{name}/report`

        format: default: "html"
        """
        return self._download("GET", "/api/evaluations/{name}/report", path={"name": name}, query=_given(format=format))

    def list_evaluations(self, *, run: str | None = None) -> ListEvaluationsReply:
        """Lists evaluations with their summaries, newest first. The results of an unfinished evaluation are empty.
        `GET /api/evaluations`

        run: Path of the run: `<run_dir>/<run>`
        """
        return self._json("GET", "/api/evaluations", query=_given(run=run))

    def start_evaluation(
        self,
        run: str,
        *,
        checkpoints: list[str] | None = None,
        motion: str | None = None,
        clips: list[str] | None = None,
        starts: int | None = None,
        horizon_s: float | None = None,
        conditions: list[str | Condition] | None = None,
        seed: int | None = None,
        gate: Gate | None = None,
        launcher: str | None = None,
        resume: str | None = None,
    ) -> StartEvaluationReply:
        """Evaluates checkpoints of a run on clips, from several start times and under several conditions, as a job. It
        continues if the service stops. `POST /api/evaluate`

        run: Path of the run: `<run_dir>/<run>`
        checkpoints: Names of checkpoints; `""`: zero action. Absent: the latest
        motion: `path` of a motion library: see GET /api/play/libraries. Absent: the run's own library
        clips: Names of clips. Absent: all that are not excluded
        starts: Starts per clip: the first is frame 0, the others are spread evenly; default: 4
        horizon_s: Longest episode, s. Absent: to the clip's end
        conditions: Names (`nominal`, `pushes`, `noise`, `randomised`, `task`: all three, `robustness`: about 24
            conditions that vary one setting each) or objects. Absent: `nominal`
        seed: default: 0
        launcher: Launcher: see GET /api/tasks; default: "local"
        resume: Name of a stopped, failed or lost evaluation of the run to continue
        """
        return self._json(
            "POST",
            "/api/evaluate",
            body={"run": run, **_given(checkpoints=checkpoints, motion=motion, clips=clips, starts=starts, horizon_s=horizon_s, conditions=conditions, seed=seed, gate=gate, launcher=launcher, resume=resume)},
        )

    def check_bundle(self, content: Upload) -> CheckBundleReply:
        """Tests a bundle that is sent as a zip file, on the selected robot. It is compared with the run that it names,
        if that run is in this workspace. `PUT /api/exports/check`
        """
        return self._json("PUT", "/api/exports/check", upload=content)

    def delete_export(self, name: str) -> Ok:
        """Deletes a bundle. `DELETE /api/exports/{name}`"""
        return self._json("DELETE", "/api/exports/{name}", path={"name": name})

    def download_export(self, name: str) -> Download:
        """Downloads a bundle as a zip file. `GET /api/exports/{name}`"""
        return self._download("GET", "/api/exports/{name}", path={"name": name})

    def export_policy(
        self,
        run: str,
        format: Literal["whole_body_tracking", "unitree", "wbc-g1-deploy"],
        *,
        checkpoint: str | None = None,
        clip: str | None = None,
        stand_in_s: float | None = None,
        stand_out_s: float | None = None,
        selftest_s: float | None = None,
        wait: bool = True,
    ) -> TaskStarted:
        """Exports a checkpoint with a clip for a robot's controller, reads the written files back and runs them beside
        the policy of the run. `POST /api/export`

        run: Path of the run: `<run_dir>/<run>`
        format: `whole_body_tracking`: one ONNX file with the clip inside. `unitree`: folder with deploy.yaml.
            `wbc-g1-deploy`: folder with config.yaml and a manifest of clips
        checkpoint: Absent: the latest
        clip: Clip of the run's motion library. Needed if the library has several clips
        stand_in_s: Time from standing to the first frame that is added to the clip, s; default: 0
        stand_out_s: Time from the last frame to standing that is added to the clip, s; default: 0
        selftest_s: Length of the self-test, s; null: the whole clip; default: 10
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json(
            "POST",
            "/api/export",
            body={"run": run, "format": format, **_given(checkpoint=checkpoint, clip=clip, stand_in_s=stand_in_s, stand_out_s=stand_out_s, selftest_s=selftest_s)},
            wait=wait,
        )

    def list_exports(self, *, run: str | None = None) -> ListExportsReply:
        """Lists exported bundles with the results of their self-tests, newest first. `GET /api/exports`

        run: Path of the run: `<run_dir>/<run>`
        """
        return self._json("GET", "/api/exports", query=_given(run=run))

    def compare_policies(
        self,
        entries: list[ComparePoliciesEntries],
        *,
        motion: str | None = None,
        clip: str | int | None = None,
        frame: int | None = None,
        seed: int | None = None,
        layout: Literal["beside", "overlay"] | None = None,
        wait: bool = True,
    ) -> TaskStarted:
        """Plays 2 to 4 policies in lock step: same clip, same start, same pushes, same noise. `POST /api/play/compare`

        entries: The policies to compare, all of the same robot and control rate. Environment k plays entry k
        motion: `path` of a motion library. Absent: the library of the first entry
        clip: Name or index of a clip. Absent: the first clip
        frame: Frame at which the clip starts; default: 0
        seed: The same seed gives the same comparison; default: 0
        layout: `beside`: robots side by side. `overlay`: all robots in one place
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json(
            "POST",
            "/api/play/compare",
            body={"entries": entries, **_given(motion=motion, clip=clip, frame=frame, seed=seed, layout=layout)},
            wait=wait,
        )

    def configure_play(
        self,
        *,
        run: str | None = None,
        checkpoint: str | None = None,
        motion: str | None = None,
        num_envs: int | None = None,
        terminations: bool | None = None,
        seed: int | None = None,
        wait: bool = True,
    ) -> TaskStarted | ChangedInPlace:
        """Starts a session with a policy, or changes the running session. `POST /api/play/configure`

        run: Path of the run. Absent: the run of the current session, which must exist
        checkpoint: `""`: zero action. Absent: unchanged, or the latest checkpoint for a new session
        motion: `path` of a motion library: see GET /api/play/libraries. Absent: unchanged, or the run's own
        num_envs: Number of environments, at most `play.max_envs` (4096). Absent: unchanged, or 1
        terminations: false: an episode continues when the robot fails. Absent: unchanged, or true
        seed: The same seed gives the same session
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json(
            "POST",
            "/api/play/configure",
            body=_given(run=run, checkpoint=checkpoint, motion=motion, num_envs=num_envs, terminations=terminations, seed=seed),
            wait=wait,
        )

    def download_play_record(self, *, env: int | None = None, format: Literal["npz", "csv"] | None = None) -> Download:
        """Downloads the record of the last 60 s of an environment. `GET /api/play/record`

        env: Index of the environment. Absent: the focused environment
        format: default: "npz"
        """
        return self._download("GET", "/api/play/record", query=_given(env=env, format=format))

    def focus_env(self, index: int) -> FocusEnvReply:
        """Selects the environment for metrics, plots and the camera. `POST /api/focus`

        index: Index of the environment
        """
        return self._json("POST", "/api/focus", body={"index": index})

    def get_play_state(self) -> PlayState:
        """Gets the state of the play session. `GET /api/play`"""
        return self._json("GET", "/api/play")

    def list_play_clips(self) -> ListPlayClipsReply:
        """Lists the clips of the session. The list is empty without a session. `GET /api/play/clips`"""
        return self._json("GET", "/api/play/clips")

    def list_play_libraries(self, run: str) -> ListPlayLibrariesReply:
        """Lists the motion libraries that a run can play. `GET /api/play/libraries`

        run: Path of the run: `<run_dir>/<run>`
        """
        return self._json("GET", "/api/play/libraries", query={"run": run})

    def list_play_runs(self) -> ListPlayRunsReply:
        """Lists the runs on disk, newest first. unplayable says why a run cannot be played. `GET /api/play/runs`"""
        return self._json("GET", "/api/play/runs")

    def pin_clip(self, clip: str | int | None, *, env: int | None = None, frame: int | None = None) -> Ok:
        """Makes an environment repeat one clip. `POST /api/play/clip`

        clip: Name or index of a clip of the session: see GET /api/play/clips. null: any clip again
        env: Index of the environment. Absent: the focused environment
        frame: Frame at which the clip starts; default: 0
        """
        return self._json("POST", "/api/play/clip", body={"clip": clip, **_given(env=env, frame=frame)})

    def play_worst(self, evaluation: str, row: int, *, wait: bool = True) -> TaskStarted:
        """Plays a failure of an evaluation under its condition, from one second before the failure. `POST
        /api/play/worst`

        evaluation: Name of the evaluation
        row: Index into `clips` of the evaluation
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json("POST", "/api/play/worst", body={"evaluation": evaluation, "row": row}, wait=wait)

    def push_robot(self, speed: float, *, direction: float | None = None, env: int | None = None) -> Ok:
        """Pushes the robots. `POST /api/play/push`

        speed: Added to the horizontal velocity of the root, m/s. Negative: the opposite direction
        direction: Heading in the world, rad. Absent: random
        env: Index of the environment. Absent: all environments
        """
        return self._json("POST", "/api/play/push", body={"speed": speed, **_given(direction=direction, env=env)})

    def restart_play(self) -> Ok:
        """Restarts the episode of every environment. `POST /api/play/restart`"""
        return self._json("POST", "/api/play/restart", body={})

    def set_play_options(
        self,
        *,
        ghost: Literal["off", "overlay", "beside"] | bool | None = None,
        targets: bool | None = None,
        contacts: bool | None = None,
        speed: float | None = None,
    ) -> SetPlayOptionsReply:
        """Sets ghost, markers and speed of the session. Absent fields keep their value. `POST /api/play/options`

        ghost: Where the reference motion is shown. `true`: `overlay`. `false`: `off`
        targets: Marks the target positions of the key bodies
        contacts: Marks contacts with the floor
        speed: Multiple of real time
        """
        return self._json(
            "POST",
            "/api/play/options",
            body=_given(ghost=ghost, targets=targets, contacts=contacts, speed=speed),
        )

    def set_play_playing(self, *, playing: bool | None = None) -> SetPlayPlayingReply:
        """Pauses or resumes the session. `POST /api/play/playing`

        playing: Absent: toggles the state
        """
        return self._json("POST", "/api/play/playing", body=_given(playing=playing))

    def set_play_rewards(self, rewards: dict[str, float]) -> SetPlayRewardsReply:
        """Changes reward weights of the running session. `POST /api/play/rewards`

        rewards: Weight by name of the term. Other terms keep their weight
        """
        return self._json("POST", "/api/play/rewards", body={"rewards": rewards})

    def step_play(self) -> StepPlayReply:
        """Pauses the session and simulates one control step. `POST /api/play/step`"""
        return self._json("POST", "/api/play/step", body={})

    def stop_play(self) -> Ok:
        """Stops the session. Does nothing without a session. `POST /api/play/stop`"""
        return self._json("POST", "/api/play/stop", body={})

    def empty_trash(self, *, undo: str | None = None) -> EmptyTrashReply:
        """Permanently removes one item of the trash, or all items. `POST /api/trash/empty`

        undo: Token of one item. Absent: all items
        """
        return self._json("POST", "/api/trash/empty", body=_given(undo=undo))

    def list_trash(self) -> ListTrashReply:
        """Lists deleted and replaced items that can be restored, newest first. `GET /api/trash`"""
        return self._json("GET", "/api/trash")

    def undo_action(self, undo: str) -> UndoActionReply:
        """Takes back a deletion, a replacement or a rename. `POST /api/undo`

        undo: Token from the reply of the action, or of GET /api/trash
        """
        return self._json("POST", "/api/undo", body={"undo": undo})

    def delete_recording(self, name: str) -> Ok:
        """Deletes a recording, which is final. `DELETE /api/recordings/{name}`"""
        return self._json("DELETE", "/api/recordings/{name}", path={"name": name})

    def download_recording(self, name: str) -> Download:
        """Downloads a recording. `GET /api/recordings/{name}`"""
        return self._download("GET", "/api/recordings/{name}", path={"name": name})

    def list_recordings(self) -> ListRecordingsReply:
        """Lists the recordings of the workspace, newest first. `GET /api/recordings`"""
        return self._json("GET", "/api/recordings")

    def open_recording(self, name: str, *, wait: bool = True) -> TaskStarted:
        """Plays a recording of the selected robot in the scene, with the same playback controls as a clip. `POST
        /api/record/open`

        name: Name of a recording: see GET /api/recordings
        wait: waits for the end of the task (default), or answers at once with its name
        """
        return self._json("POST", "/api/record/open", body={"name": name}, wait=wait)

    def start_recording(
        self,
        *,
        name: str | None = None,
        format: Literal["mcap", "npz"] | None = None,
        max_s: float | None = None,
    ) -> StartRecordingReply:
        """Records the frames of the scene. During a play session also records the rows and events of the focused
        environment. `POST /api/record/start`

        name: File name without its ending. Absent: the local date and time
        format: `mcap`: for Foxglove, Lichtblick, Rerun and the studio; `npz`: for numpy and the studio
        max_s: The recording stops by itself after this time, s. It also stops at 3 GiB; default: 600
        """
        return self._json("POST", "/api/record/start", body=_given(name=name, format=format, max_s=max_s))

    def stop_recording(self) -> StopRecordingReply:
        """Stops the recording. Answers once its file is complete. `POST /api/record/stop`"""
        return self._json("POST", "/api/record/stop", body={})

    def get_health(self) -> GetHealthReply:
        """Reports version and uptime of the service. `GET /healthz`"""
        return self._json("GET", "/healthz")

    def get_log(self, *, tail: int | None = None) -> GetLogReply:
        """Gets the last log lines of level info and above, oldest first. `GET /api/log`

        tail: Number of lines; default: 200
        """
        return self._json("GET", "/api/log", query=_given(tail=tail))

    def get_metrics(self) -> Download:
        """Gets metrics for Prometheus. `GET /metrics`"""
        return self._download("GET", "/metrics")

    def get_open_api(self) -> dict[str, Any]:
        """Gets this API as an OpenAPI 3.1 document. `GET /api/openapi.json`"""
        return self._json("GET", "/api/openapi.json")

    def list_busy_tasks(self) -> ListBusyTasksReply:
        """Lists slow actions: the running ones and the last 50 that ended, newest first. `GET /api/busy`"""
        return self._json("GET", "/api/busy")

    def list_clients(self) -> ListClientsReply:
        """Lists the connected websocket clients, the oldest connection first. `GET /api/clients`"""
        return self._json("GET", "/api/clients")


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
