// Made from the route table by scripts/clients.ts. Do not edit.

/** Bytes that a call uploads. */
export type Upload = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | string;

/** One request to the service. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** with parameters as `{name}` */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
  readonly upload?: Upload;
  /** The reply names a task: wait for its end unless the options say otherwise. */
  readonly slow?: true;
}

export interface CallOptions {
  /** false: answers at once with the name of the task (default: waits for its end) */
  readonly wait?: boolean;
  readonly signal?: AbortSignal;
}

/** The action is done */
export interface Ok {
  readonly ok: true;
}

/** Progress and result of one slow action */
export interface Busy {
  /** Unique for each start, such as `select-2` */
  readonly task: string;
  /** What the task does, for people */
  readonly label: string;
  /** `superseded`: a later action on the same subject replaced it */
  readonly state: 'running' | 'done' | 'failed' | 'superseded';
  /** Null: unknown */
  readonly progress: number | null;
  /** Current step, for people */
  readonly message: string;
  /** Why the task failed */
  readonly error: string | null;
  /** Id of the client that started the task; null if its request had no `X-Client-Id` */
  readonly by: string | null;
  /** ISO-8601 UTC */
  readonly started: string;
  /** ISO-8601 UTC; null while it runs */
  readonly ended: string | null;
  readonly result: { readonly [name: string]: unknown } | null;
}

/** One line of the service's log */
export interface LogLine {
  /** ISO-8601 UTC */
  readonly time: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly source: 'service' | 'gateway' | 'robots' | 'data' | 'jobs' | 'play' | 'presets';
  readonly message: string;
  /** Number of the line since the service started */
  readonly seq: number;
}

/** The action has started. `busy` is present if the request sent `Prefer: wait=<seconds>` */
export interface TaskStarted {
  readonly ok: true;
  /** Name of the started task. `busy` events and GET /api/busy report its progress and its end */
  readonly task: string;
  readonly busy?: Busy;
}

export interface Check {
  readonly name: string;
  /** Whether the check passed */
  readonly ok: boolean;
  /** The measured value and, if the check failed, the remedy */
  readonly text: string;
}

export interface RobotSummary {
  readonly id: string;
  readonly name: string;
  readonly source: 'builtin' | 'created';
  readonly selected: boolean;
  readonly model: {
    readonly bodies: number;
    readonly joints: number;
    readonly actuators: number;
    /** kg */
    readonly mass: number;
    /** Height in the default pose, m */
    readonly height: number;
  } | null;
  readonly datasets: readonly DatasetCounts[];
  /** Paths of its runs */
  readonly runs: readonly string[];
  /** Names of its tasks */
  readonly tasks: readonly string[];
  /** Why the robot cannot be loaded */
  readonly error: string | null;
}

export interface Robot {
  readonly id: string;
  readonly name: string;
  readonly source: 'builtin' | 'created';
  readonly joints: readonly Joint[];
  readonly wiring: Wiring;
  readonly tasks: readonly string[];
  readonly options: RobotOptions;
  /** Changes with the geometry of the scene */
  readonly model_version: number;
  /** Pose of the root: x y z in m, quaternion w x y z */
  readonly root: readonly number[];
}

export interface RobotOptions {
  /** Marks the anchor, the key bodies and the feet */
  readonly show_wiring: boolean;
}

export interface Joint {
  readonly name: string;
  /** Column of the joint in CSV clips */
  readonly index: number;
  readonly type: 'hinge' | 'slide';
  /** Lower limit, in `unit` */
  readonly lower: number | null;
  /** Upper limit, in `unit` */
  readonly upper: number | null;
  /** Position in the default pose, in `unit` */
  readonly default: number;
  /** Current position, in `unit` */
  readonly value: number;
  /** Nm */
  readonly effort_limit: number | null;
  /** rad/s */
  readonly velocity_limit: number | null;
  /** Position gain kp, Nm/rad */
  readonly stiffness: number;
  /** Velocity gain kd, Nm·s/rad */
  readonly damping: number;
  readonly unit: 'rad' | 'm';
  /** Joint that moves this one. Absent for joints with a motor of their own */
  readonly follows?: string;
}

export interface Wiring {
  /** Body whose frame is the reference for tracking errors */
  readonly anchor: string;
  /** Bodies whose position is tracked */
  readonly keybodies: readonly string[];
  /** Bodies of the feet, left first */
  readonly feet: readonly string[];
}

export interface RobotSpec {
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  /** Path of the MJCF or URDF file in the robot's folder */
  readonly model: string;
  readonly wiring: Wiring;
  /** Height of the root body above the floor in the default pose, m */
  readonly root_height: number;
  /** Bodies such as hands and feet */
  readonly end_effectors?: readonly string[];
  /** Distance of the sole below the origin of the foot body, m. Absent: measured on the feet's collision shapes */
  readonly foot_sole_z?: number;
  readonly contacts?: Contacts;
  /** Every actuated joint by name */
  readonly joints: { readonly [name: string]: JointSpec };
}

export interface UncheckedRobotSpec {
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  /** Path of the MJCF or URDF file in the robot's folder */
  readonly model: string;
  readonly wiring: Wiring;
  /** Height of the root body above the floor in the default pose, m */
  readonly root_height: number;
  /** Bodies such as hands and feet */
  readonly end_effectors?: readonly string[];
  /** Distance of the sole below the origin of the foot body, m. Absent: measured on the feet's collision shapes */
  readonly foot_sole_z?: number;
  readonly contacts?: Contacts;
  /** Every actuated joint by name */
  readonly joints: { readonly [name: string]: {
    /** Position in the default pose, rad or m */
    readonly default: number;
    /** Position gain kp, Nm/rad */
    readonly stiffness: number;
    /** Velocity gain kd, Nm·s/rad */
    readonly damping: number;
    /** Reflected rotor inertia, kg·m² */
    readonly armature: number;
    /** Largest torque, Nm */
    readonly effort_limit: number;
    /** Change of the target per unit of action, rad or m */
    readonly action_scale: number;
    /** Largest speed, rad/s or m/s */
    readonly velocity_limit?: number;
    /** Torque that the motor can hold without overheating, Nm */
    readonly continuous_torque?: number;
    readonly torque_speed?: TorqueSpeed;
    readonly friction?: {
      /** Dry friction, Nm */
      readonly static: number;
      /** Viscous friction, Nm·s/rad */
      readonly viscous: number;
    };
  } };
}

export interface JointSpec {
  /** Position in the default pose, rad or m */
  readonly default: number;
  /** Position gain kp, Nm/rad */
  readonly stiffness: number;
  /** Velocity gain kd, Nm·s/rad */
  readonly damping: number;
  /** Reflected rotor inertia, kg·m² */
  readonly armature: number;
  /** Largest torque, Nm */
  readonly effort_limit: number;
  /** Change of the target per unit of action, rad or m */
  readonly action_scale: number;
  /** Largest speed, rad/s or m/s */
  readonly velocity_limit?: number;
  /** Torque that the motor can hold without overheating, Nm */
  readonly continuous_torque?: number;
  readonly torque_speed?: TorqueSpeed;
  readonly friction?: {
    /** Dry friction, Nm */
    readonly static: number;
    /** Viscous friction, Nm·s/rad */
    readonly viscous: number;
  };
}

export interface TorqueSpeed {
  /** Torque at low speed while driving, Nm */
  readonly y1: number;
  /** Torque at low speed while braking, Nm */
  readonly y2: number;
  /** Speed at which the torque starts to fall, rad/s */
  readonly x1: number;
  /** Speed at which the torque is zero, rad/s */
  readonly x2: number;
}

export interface Contacts {
  /** Whether bodies of the robot collide with each other */
  readonly self_collision?: boolean;
  readonly feet?: FootContacts;
  /** Pairs of bodies that do not collide */
  readonly exclude?: readonly (readonly [string, string])[];
}

export interface FootContacts {
  /** Dimensions of the contact friction, as in MuJoCo */
  readonly condim?: 1 | 3 | 4 | 6;
  /** Sliding friction coefficient */
  readonly friction?: number;
  /** Contact priority, as in MuJoCo */
  readonly priority?: number;
}

export interface SceneModel {
  /** The same number as `model_version` in the frames */
  readonly version: number;
  readonly robot: string;
  /** Bodies without the world, in the order of the poses in frames */
  readonly bodies: readonly {
    readonly name: string;
    /** Index into `bodies`; −1 for the world */
    readonly parent: number;
    /** Whether it has no joint, so that it moves with its parent */
    readonly fixed: boolean;
  }[];
  readonly geoms: readonly Geom[];
  readonly meshes: readonly Mesh[];
  /** Size of model.bin */
  readonly bin: {
    readonly bytes: number;
    /** Number of vertices */
    readonly nv: number;
    /** Number of faces */
    readonly nf: number;
  };
}

export interface Geom {
  readonly name: string;
  /** Index into `bodies` */
  readonly body: number;
  readonly type: 'mesh' | 'box' | 'sphere' | 'capsule' | 'cylinder' | 'ellipsoid' | 'plane';
  /** Position in the body frame, m */
  readonly pos: readonly [number, number, number];
  /** Rotation in the body frame, quaternion wxyz */
  readonly quat: readonly [number, number, number, number];
  /** Half sizes as in MuJoCo, m */
  readonly size: readonly [number, number, number];
  /** Red, green, blue (sRGB), opacity, 0..1 */
  readonly rgba: readonly [number, number, number, number];
  /** MuJoCo geom group */
  readonly group: number;
  /** Index into `meshes` */
  readonly mesh: number | null;
  /** Whether it takes part in contacts */
  readonly collision: boolean;
  /** Picture of the surface, multiplied with `rgba`: `GET /api/robot/texture/{name}`. Null: plain */
  readonly texture: string | null;
}

export interface Mesh {
  readonly name: string;
  /** First vertex and number of vertices in model.bin */
  readonly vert: readonly [number, number];
  /** First face and number of faces in model.bin */
  readonly face: readonly [number, number];
  readonly uv: readonly [number, number] | null;
}

export interface ModelFile {
  /** Path in the upload */
  readonly path: string;
  readonly bytes: number;
  readonly kind: 'mjcf' | 'urdf' | 'mesh' | 'texture' | 'other';
  /** Whether it is probably the main model */
  readonly main: boolean;
}

export interface JointGains {
  /** Nm/rad */
  readonly stiffness: number;
  /** Nm·s/rad */
  readonly damping: number;
  /** kg·m² */
  readonly armature: number;
  /** Nm */
  readonly effort_limit: number;
  /** Where the values come from */
  readonly source: string;
}

export interface DraftCheck {
  readonly name: string;
  /** Whether the check passed */
  readonly ok: boolean;
  /** The measured value and, if the check failed, the remedy */
  readonly text: string;
  /** Passed, but the text describes a possible problem */
  readonly warning?: boolean;
  /** Pairs of bodies. Adding them to `contacts.exclude` makes the check pass */
  readonly exclude?: readonly (readonly [string, string])[];
}

export interface DatasetCounts {
  readonly name: string;
  /** Clips with a raw file */
  readonly source: number;
  /** Clips with a raw file and an up-to-date npz */
  readonly converted: number;
  /** Clips with a raw file but without an up-to-date npz */
  readonly missing: number;
  /** Clips with only an npz, including mirrored clips */
  readonly extra: number;
  /** Clips whose last conversion failed */
  readonly failed: number;
  /** Whether the clips are in a linked folder outside the workspace */
  readonly linked: boolean;
  /** Folder of the clips */
  readonly path: string;
  readonly scan: Scan | null;
  readonly read?: ReadOptions;
  /** Why the dataset cannot be used */
  readonly error?: string | null;
}

export interface Scan {
  /** Total duration of the readable clips, h */
  readonly hours: number;
  /** Readable clips */
  readonly clips: number;
  /** Clips that cannot be read; at most the first 500 */
  readonly unreadable: readonly {
    readonly clip: string;
    readonly error: string;
  }[];
  /** Number of all unreadable clips */
  readonly unreadable_total?: number;
  readonly histogram: {
    /** Edges of the bins, s; one more than `counts` */
    readonly edges: readonly number[];
    /** Clips whose duration is in the bin */
    readonly counts: readonly number[];
  };
  /** Time of the scan, ISO-8601 UTC */
  readonly at: string;
}

export interface Assumption {
  readonly what: 'fps' | 'units' | 'quaternion' | 'joint_order' | 'up';
  /** Frames per second; unit of positions (`m`, `cm`, `mm`); `xyzw`, `wxyz`, or another word where the file has no
   *  quaternion (`euler_xyz`); joints as `named` in the file or in the order of the `robot`; axis that points up */
  readonly value: string | number;
  /** `file`: the file states it. `format`: every file of the format has it. `guess`: judged by the numbers, or a
   *  default */
  readonly from: 'file' | 'format' | 'guess';
}

export interface ReadOptions {
  /** Frames per second of the file */
  readonly fps?: number;
  /** Unit of the root's position in the file */
  readonly units?: 'm' | 'cm' | 'mm';
  /** Order of the numbers of the root's quaternion in the file */
  readonly quaternion?: 'xyzw' | 'wxyz';
  /** Names of the joints in the order of the file's columns */
  readonly joint_order?: readonly string[];
}

/** Exactly one field. Steps are applied in order; those after a split apply to each part */
export interface EditStep {
  readonly trim?: {
    /** Start, s; the first frame is ⌊from_s·fps⌋ */
    readonly from_s: number;
    /** End, s; the last frame is ⌊to_s·fps⌋ */
    readonly to_s: number;
  };
  readonly split?: {
    /** Length of a part, s */
    readonly every_s?: number;
    /** Overlap of two parts, s; default: 0 */
    readonly overlap_s?: number;
    /** Splits in the middle of every pause */
    readonly at?: 'pauses';
  };
  readonly append?: {
    /** Name of a clip of the dataset */
    readonly clip: string;
    /** Time in which both clips are blended, s. The second clip is aligned in heading and position */
    readonly blend_s: number;
  };
  readonly loop?: {
    /** s; the end of the clip is blended into its start */
    readonly blend_s: number;
  };
  /** s; the clip begins in the default pose */
  readonly stand_in?: number;
  /** s; the clip ends in the default pose */
  readonly stand_out?: number;
  /** Factor: 2 is twice as fast */
  readonly speed?: number;
  readonly smooth?: {
    /** Hz, below half of the frame rate */
    readonly cutoff_hz: number;
  };
  /** Exchanges left and right */
  readonly mirror?: true;
  /** Moves the clip so that its lowest sole is on the floor */
  readonly floor?: true;
  /** Moves the clip so that it starts at x = y = 0 with heading 0 */
  readonly origin?: true;
}

export interface Clip {
  readonly name: string;
  /** `missing`: it has a raw file but no up-to-date npz. A stale clip without a raw file is `converted` and `stale` */
  readonly status: 'converted' | 'missing';
  /** Why the last conversion failed; null once the source or the options in dataset.yaml change */
  readonly failed: string | null;
  /** Whether it is left out of training, evaluation and motion libraries */
  readonly excluded: boolean;
  /** Multiplies the chance that an episode of a training starts in the clip; 1 by default */
  readonly weight: number;
  /** Labels that listings can be filtered by */
  readonly tags: readonly string[];
  /** Whether it has a raw file */
  readonly raw: boolean;
  /** Whether the npz is older than the source or was made with other options than those in dataset.yaml */
  readonly stale: boolean;
  readonly source: {
    readonly file: string;
    readonly format: string;
    readonly bytes: number;
    /** What is assumed to read the file, without what `convert.read` of dataset.yaml overrides */
    readonly assumed: readonly Assumption[];
  } | null;
  readonly frames: number | null;
  /** Frames per second */
  readonly fps: number | null;
  /** s */
  readonly duration: number | null;
  /** ISO-8601 UTC */
  readonly modified: string;
  readonly qa: {
    readonly worst: 'ok' | 'info' | 'warning' | 'error';
    readonly issues: number;
  } | null;
  readonly score: {
    /** 0 (impossible for the robot) to 1 */
    readonly feasibility: number;
    /** 0 (at rest) to 1 */
    readonly complexity: number;
    /** Peak torque as a share of its limit, 95th percentile over time */
    readonly torque: number;
    /** Mean distance, m, of the zero moment point from the area that touches the floor */
    readonly support: number;
    /** Share of the time in which bodies overlap */
    readonly collision: number;
    /** 95th percentile over key bodies and time, m/s³ */
    readonly jerk: number;
    /** Share of the time in which nothing touches the floor */
    readonly airborne: number;
  } | null;
  /** Why the clip cannot be read */
  readonly error: string | null;
}

export interface Preview {
  /** Whether a clip or a grid of clips is open */
  readonly open: boolean;
  readonly loading: boolean;
  readonly dataset: string | null;
  readonly clip: string | null;
  readonly source: 'npz' | 'raw' | null;
  readonly frames: number;
  /** Frames per second */
  readonly fps: number;
  /** Shown frame, from 0 */
  readonly frame: number;
  /** Shown time, s */
  readonly time: number;
  readonly playing: boolean;
  readonly options: DataOptions;
  readonly grid: {
    readonly dataset: string;
    readonly clips: readonly string[];
  } | null;
  /** Name of the recording that is shown; null for clips */
  readonly recording: string | null;
  readonly edit?: {
    readonly part: number;
    readonly parts: number;
  } | null;
  readonly qa: {
    readonly ok: boolean;
    readonly issues: readonly QaIssue[];
  } | null;
  /** Why the last clip could not be loaded */
  readonly error: string | null;
}

export interface QaIssue {
  readonly kind: 'joint_limit' | 'joint_velocity' | 'joint_acceleration' | 'jump' | 'ground_penetration' | 'floating' | 'foot_sliding' | 'root_tilt' | 'not_finite' | 'self_collision' | 'frozen' | 'first_frame' | 'body_order' | 'quaternion_order' | 'joint_order' | 'frame_rate';
  readonly severity: 'info' | 'warning' | 'error';
  /** The measured value and its limit, for people */
  readonly text: string;
  /** First and last affected frame */
  readonly frames: readonly [number, number];
  /** Channels of the plot that show the issue, and the worst frame */
  readonly plot: {
    readonly channels: readonly string[];
    readonly frame: number;
  };
  /** Body, foot or joint that is affected most */
  readonly body: string | null;
  /** Whether it is ignored: see POST /api/data/mark */
  readonly ignored: boolean;
  /** Repair that `fixes` of a conversion accepts; null: none is known */
  readonly fix: string | null;
}

export interface DataOptions {
  /** Multiple of real time */
  readonly speed: number;
  /** Whether the clip starts again at its end */
  readonly loop: boolean;
  /** Shows the raw source beside the converted clip */
  readonly ghost: boolean;
  /** Marks the key bodies */
  readonly keybodies: boolean;
  /** Marks feet that touch the floor */
  readonly contacts: boolean;
  /** Draws the path of the root */
  readonly trail: boolean;
}

export interface Task {
  readonly name: string;
  readonly base: string;
  readonly preset: string | null;
  readonly description: string;
}

export interface Preset {
  readonly name: string;
  readonly task: string;
  readonly base: string;
  readonly modules: readonly string[];
  readonly overrides: Overrides;
  readonly description: string;
  /** Why the preset cannot be used */
  readonly error: string | null;
}

export type PresetInFull = Preset & {
  /** Text of the file */
  readonly yaml: string;
  readonly effect: Effect | null;
};

export interface Effect {
  /** Number of values in each observation group */
  readonly observations: readonly {
    readonly group: string;
    readonly dim: number;
    readonly base: number | null;
  }[];
  readonly action: {
    readonly dim: number;
    readonly base: number;
  };
  readonly memory: {
    /** Number of environments of the estimate */
    readonly envs: number;
    /** Estimated memory of these environments */
    readonly bytes: number;
    /** Estimated memory of the base task with the same number of environments */
    readonly base_bytes: number;
  };
}

export interface Module {
  readonly name: string;
  readonly overrides: Overrides;
  readonly description: string;
  /** Why the module cannot be used */
  readonly error: string | null;
}

export type ModuleInFull = Module & {
  /** Text of the file */
  readonly yaml: string;
};

/** Nested object with the structure of the task configuration. Each value replaces that of the base task */
export type Overrides = { readonly [name: string]: unknown };

export interface Knob {
  /** Path in `overrides`, such as `rewards.action_rate_l1.weight` */
  readonly path: string;
  readonly type: 'number' | 'integer' | 'boolean' | 'string' | 'enum' | 'vector';
  /** Value in the base task */
  readonly default: unknown;
  /** Value after the modules */
  readonly value: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Exclusive lower limit */
  readonly above?: number;
  readonly enum?: readonly string[];
  readonly unit?: string;
  /** Type of the items of a vector */
  readonly items?: 'number' | 'integer' | 'string';
  /** Number of items of a vector */
  readonly length?: number;
  /** Whether the vector is a range: lowest, then highest */
  readonly ordered?: boolean;
  /** Whether a single number is accepted in place of the vector */
  readonly or_number?: boolean;
  readonly nullable?: boolean;
  readonly description: string;
}

export interface LibraryTerm {
  readonly name: string;
  /** Function for which this is another name */
  readonly alias_of?: string;
  readonly dim?: number;
  readonly unit: string;
  readonly description: string;
  readonly params: readonly Knob[];
}

export interface TaskTerm {
  readonly path: string;
  readonly func: string;
  readonly description: string;
}

export interface Job {
  /** Unique name; also the folder in `jobs/` */
  readonly name: string;
  readonly kind: 'train' | 'convert' | 'evaluate';
  /** `lost`: the process ended without reporting a result */
  readonly status: 'queued' | 'running' | 'stopping' | 'done' | 'failed' | 'stopped' | 'lost';
  /** 0..1; null: unknown */
  readonly progress: number | null;
  /** Iterations or clips done */
  readonly step: number | null;
  /** Iterations or clips in total */
  readonly steps: number | null;
  /** Estimated remaining time, s */
  readonly eta: number | null;
  /** Steps per second */
  readonly rate: number | null;
  /** ISO-8601 UTC */
  readonly created: string;
  /** ISO-8601 UTC */
  readonly started: string | null;
  /** ISO-8601 UTC */
  readonly ended: string | null;
  readonly task: string | null;
  readonly dataset: string | null;
  /** Path of the run that a training writes */
  readonly run: string | null;
  readonly trainer: string | null;
  readonly launcher: string | null;
  readonly pid: number | null;
  readonly exit_code: number | null;
  /** Signal that ended the process */
  readonly signal: string | null;
  /** Why the job failed */
  readonly error: string | null;
  /** Problem of a running job that needs attention */
  readonly alarm?: string | null;
  /** Parameters that the job was started with */
  readonly params: { readonly [name: string]: unknown };
}

export interface Launched {
  readonly ok: true;
  /** Name of the job: see GET /api/jobs/{name} */
  readonly job: string;
  /** Path of the run; null until the trainer reports it */
  readonly run: string | null;
  /** Path of the run whose networks the training starts with */
  readonly started_from: string | null;
  /** Explains the start, for people */
  readonly note: string | null;
}

export interface LaunchTrial {
  readonly ok: true;
  readonly dry_run: true;
  /** Program and arguments that the job would run */
  readonly command: readonly string[];
  /** Parameters that the job would be launched with */
  readonly params: { readonly [name: string]: unknown };
  readonly checks: readonly Check[];
  readonly budget: {
    /** Steps of all environments together */
    readonly env_steps: number;
    /** Exact if `max_iterations` is given; otherwise an estimate that the evaluations during training change */
    readonly iterations: number;
    /** Lowest and highest expected wall time on this machine */
    readonly seconds: readonly [number, number];
  } | null;
  /** Path of the run whose networks the training starts with */
  readonly started_from: string | null;
  /** Explains the start, for people */
  readonly note: string | null;
}

export interface Trainer {
  readonly name: string;
  /** Default number of environments; null: the value of the task */
  readonly num_envs: number | null;
  /** Default number of iterations; null: until it converges */
  readonly max_iterations: number | null;
  /** Optional fields of POST /api/train/launch that this trainer accepts */
  readonly takes: readonly ('num_envs' | 'max_iterations' | 'run_name' | 'seed' | 'logger' | 'resume' | 'start_from' | 'extra')[];
  readonly loggers: readonly ('tensorboard' | 'wandb' | 'none')[];
  /** Description of `extra` for people */
  readonly extra: string;
}

export interface Launcher {
  readonly name: string;
  /** `local`, or the kind given in studio.yaml */
  readonly kind: string;
  /** Name of the kind for people */
  readonly label: string;
  /** Trainings that run at the same time; null: the launcher has its own queue */
  readonly limit: number | null;
}

export interface Run {
  /** `<run_dir>/<run>` */
  readonly path: string;
  readonly run_dir: string;
  readonly run: string;
  readonly task: string | null;
  readonly robot: string | null;
  readonly dataset: string | null;
  /** ISO-8601 UTC */
  readonly created: string;
  /** ISO-8601 UTC */
  readonly modified: string;
  /** Layout of the run folder */
  readonly format: 'studio' | 'rsl_rl' | 'deploy';
  readonly checkpoints: readonly {
    readonly name: string;
    readonly iteration: number | null;
    readonly modified: string;
  }[];
  /** Name of the latest checkpoint */
  readonly latest: string | null;
  /** Job that writes or wrote the run */
  readonly job: string | null;
  /** Why the run cannot be read */
  readonly error: string | null;
  /** Labels that listings can be filtered by */
  readonly tags: readonly string[];
  /** `""`: no note */
  readonly note: string;
  readonly favourite: boolean;
  /** Why the run cannot be played */
  readonly unplayable: string | null;
  readonly score: {
    /** Mean time before a failure or the end of an episode, s */
    readonly tracked_s: number;
    /** Mean maximum length of the episodes, s */
    readonly horizon_s: number;
    /** Share of episodes without a failure, 0..1 */
    readonly success: number;
    /** Mean distance of the key bodies from the reference, m */
    readonly body_pos: number;
    /** `training`: measured during the training */
    readonly by: 'training' | 'evaluation';
  } | null;
  /** Path of the run whose networks the training started with */
  readonly started_from: string | null;
  /** Wall time trained so far */
  readonly minutes: number | null;
}

export interface Series {
  /** Name in the event files */
  readonly tag: string;
  /** Label for people */
  readonly name: string;
  readonly group: string;
  /** Iterations */
  readonly x: readonly number[];
  /** Values; null: not a finite number */
  readonly y: readonly (number | null)[];
}

export interface Condition {
  readonly name: string;
  /** Physics step, s. Must divide the control step */
  readonly timestep?: number;
  readonly integrator?: 'euler' | 'implicit' | 'implicitfast' | 'rk4';
  readonly solver?: 'newton' | 'cg' | 'pgs';
  /** Shape of friction cones */
  readonly cone?: 'pyramidal' | 'elliptic';
  /** Which geoms have contacts; default: "all" */
  readonly contacts?: 'all' | 'soles';
  /** Sliding friction of all geoms, the ground included */
  readonly friction?: number;
  /** Delay of each action, in control steps */
  readonly delay_steps?: number;
  /** Factor on the task's observation noise. Absent: no noise */
  readonly noise_scale?: number;
  /** Factor on the position gains */
  readonly stiffness_scale?: number;
  /** Factor on the velocity gains */
  readonly damping_scale?: number;
  /** Factor on masses and inertias of all bodies */
  readonly mass_scale?: number;
  /** Factor on the effort limits */
  readonly torque_scale?: number;
  /** Whether the task's random pushes are applied; default: false */
  readonly pushes?: boolean;
  /** Whether the task's domain randomisation is applied; default: false */
  readonly randomised?: boolean;
}

export interface Evaluation {
  readonly name: string;
  /** Path of the run */
  readonly run: string;
  readonly job: string;
  /** ISO-8601 UTC */
  readonly created: string;
  /** `lost`: the process ended without reporting a result */
  readonly status: 'queued' | 'running' | 'stopping' | 'done' | 'failed' | 'stopped' | 'lost';
  readonly protocol: EvaluationProtocol;
  /** By checkpoint and condition; empty until it is done */
  readonly summary: readonly EvaluationSummary[];
  readonly robustness: readonly Robustness[];
  readonly gate: readonly GateResult[] | null;
  /** By checkpoint, condition and clip */
  readonly clips: readonly EvaluationRow[];
  /** By checkpoint, condition and joint */
  readonly joints: readonly JointMargin[];
}

export interface Export {
  readonly name: string;
  /** Path of the run */
  readonly run: string;
  /** `whole_body_tracking`: one ONNX file with the clip inside. `unitree`: folder with deploy.yaml.
   *  `wbc-g1-deploy`: folder with config.yaml and a manifest of clips */
  readonly format: 'whole_body_tracking' | 'unitree' | 'wbc-g1-deploy';
  readonly checkpoint: string;
  readonly clip: string;
  /** Size of all files */
  readonly bytes: number;
  /** ISO-8601 UTC */
  readonly created: string;
  readonly selftest: SelfTest;
}

export interface SelfTest {
  /** Whether the exported policy gives the same joint targets as the run and tracks the clip as long */
  readonly ok: boolean;
  /** Largest difference to an action of the run, in units of the action; null: there is no run to compare with */
  readonly max_action_difference: number | null;
  /** Time tracked with the files, s; null: they could not be run */
  readonly tracked_s: number | null;
  /** Time tracked with the policy of the run, s; null: there is no run to compare with */
  readonly run_tracked_s: number | null;
  /** Description of the test, or of the problem with the name of the joint */
  readonly text: string;
}

export interface ListedEvaluation {
  readonly name: string;
  /** Path of the run */
  readonly run: string;
  readonly job: string;
  /** ISO-8601 UTC */
  readonly created: string;
  /** `lost`: the process ended without reporting a result */
  readonly status: 'queued' | 'running' | 'stopping' | 'done' | 'failed' | 'stopped' | 'lost';
  readonly protocol: EvaluationProtocol;
  /** By checkpoint and condition; empty until it is done */
  readonly summary: readonly EvaluationSummary[];
  readonly robustness: readonly Robustness[];
  readonly gate: readonly GateResult[] | null;
}

export interface EvaluationProtocol {
  readonly checkpoints: readonly string[];
  /** Path of the motion library */
  readonly motion: string;
  /** Number of clips */
  readonly clips: number;
  /** Starts per clip: frame 0, then evenly spread */
  readonly starts: number;
  /** Longest episode, s; null: to the clip's end */
  readonly horizon_s: number | null;
  readonly seed: number;
  readonly conditions: readonly Condition[];
  /** Rule by which an episode fails */
  readonly failure: string;
  /** How the reference frame and pose for the comparison are chosen */
  readonly alignment: string;
  readonly control_hz: number;
  /** SHA-256 of the compiled robot */
  readonly model: string;
  /** Version of the service */
  readonly version: string;
}

export interface EvaluationSummary {
  /** `""`: zero action */
  readonly checkpoint: string;
  readonly condition: string;
  readonly episodes: number;
  /** Share of the episodes without a failure, 0..1 */
  readonly success: number;
  /** Mean time until the failure or the end of the episode, s */
  readonly tracked_s: number;
  /** Tracked time of all episodes / their possible time, 0..1 */
  readonly tracked_share: number;
  readonly errors: EvaluationErrors;
  /** RMS of the difference of successive actions × control_hz, 1/s */
  readonly action_rate: number;
  /** 95th percentile of the jerk of the key bodies, m/s³ */
  readonly jerk: number;
}

export interface EvaluationRow {
  /** `""`: zero action */
  readonly checkpoint: string;
  readonly condition: string;
  readonly episodes: number;
  /** Share of the episodes without a failure, 0..1 */
  readonly success: number;
  /** Mean time until the failure or the end of the episode, s */
  readonly tracked_s: number;
  /** Tracked time of all episodes / their possible time, 0..1 */
  readonly tracked_share: number;
  readonly errors: EvaluationErrors;
  /** RMS of the difference of successive actions × control_hz, 1/s */
  readonly action_rate: number;
  /** 95th percentile of the jerk of the key bodies, m/s³ */
  readonly jerk: number;
  readonly clip: string;
  /** The episode that tracked the smallest share of its time */
  readonly worst: {
    /** Frame at which the episode started, at control_hz */
    readonly start: number;
    /** Frame of the failure, at control_hz; null: no failure */
    readonly failed: number | null;
    /** Termination that ended the episode */
    readonly term: string | null;
    /** Joint or body that left the reference before the failure */
    readonly subject: string | null;
    /** Error of the subject */
    readonly value: number | null;
    /** Limit that the value exceeded, in the same unit */
    readonly limit: number | null;
    /** Unit of value and limit: `rad` for a hinge joint, `m` for a slide joint or a body. Null: they are those of
     *  the termination. Absent in evaluations of older versions */
    readonly unit?: string | null;
  };
}

export interface EvaluationErrors {
  /** Mean distance of the key bodies in the world, m */
  readonly body_pos: number;
  /** Mean distance of the key bodies, m, after the reference is moved to the robot anchor's x and y and turned by
   *  the difference in yaw */
  readonly body_pos_local: number;
  /** Mean angle of the key bodies in the world, rad */
  readonly body_rot: number;
  /** RMS error of the joint positions, over joints and steps, rad */
  readonly joint_pos: number;
  /** RMS error of the joint velocities, over joints and steps, rad/s */
  readonly joint_vel: number;
  /** Mean distance of the anchor in the world, m */
  readonly anchor_pos: number;
  /** Mean angle of the anchor in the world, rad */
  readonly anchor_rot: number;
}

export interface JointMargin {
  readonly checkpoint: string;
  readonly condition: string;
  readonly joint: string;
  /** Largest torque / effort limit; 0 without a limit */
  readonly torque_peak: number;
  /** RMS torque / effort limit; 0 without a limit */
  readonly torque_rms: number;
  /** Share of the steps with at least 0.99 of the limit, 0..1 */
  readonly saturated: number;
  /** Largest speed / velocity limit; 0 without a limit */
  readonly speed_peak: number;
  /** Largest |torque × speed|, W */
  readonly power_peak: number;
  /** Correlation of the position of the joint with its reference, −1..1. A small or negative value indicates a
   *  wrong sign or order of joints. Null: the reference hardly moves, or less than 5 s were tracked in all. Absent
   *  in evaluations of older versions */
  readonly follows?: number | null;
  /** Joint whose reference this joint follows, while that joint follows the reference of this one: their actions
   *  are exchanged. Absent in evaluations of older versions */
  readonly exchanged_with?: string | null;
  /** RMS torque / `continuous_torque` of robot.yaml; null: not stated */
  readonly heat: number | null;
}

export interface Robustness {
  /** Setting of the conditions */
  readonly field: string;
  readonly values: readonly number[];
  /** Success of the first checkpoint at each value */
  readonly success: readonly number[];
  /** First value with a success below 0.9 */
  readonly breaks_at: number | null;
}

/** Bounds by metric, a path in the summary such as `success` or `errors.body_pos` */
export type Gate = { readonly [name: string]: {
  readonly min?: number;
  readonly max?: number;
} };

export interface GateResult {
  readonly checkpoint: string;
  /** Path in the summary */
  readonly metric: string;
  readonly min?: number;
  readonly max?: number;
  readonly value: number;
  readonly ok: boolean;
}

export interface PlayState {
  readonly session: PlaySession | null;
}

export interface PlaySession {
  readonly id: number;
  readonly state: 'building' | 'running' | 'paused' | 'failed';
  /** Why the session failed */
  readonly error: string | null;
  /** Path of the run */
  readonly run: string;
  /** `""`: zero action */
  readonly checkpoint: string;
  /** Path of the motion library */
  readonly motion: string;
  readonly task: string;
  readonly robot: string;
  /** Number of environments */
  readonly num_envs: number;
  /** Largest `num_envs` without rebuilding the session */
  readonly capacity: number;
  /** Index of the focused environment */
  readonly focus: number;
  readonly playing: boolean;
  /** Whether an episode ends when the robot fails */
  readonly terminations: boolean;
  /** Control steps per second */
  readonly control_hz: number;
  /** Simulated time, s */
  readonly sim_time: number;
  /** Measured speed, as a multiple of real time */
  readonly realtime_factor: number;
  /** Length of the kept record, s */
  readonly history_s: 60;
  readonly options: PlayOptions;
  readonly rewards: readonly RewardWeight[];
  /** Environments that repeat one clip */
  readonly pins: readonly {
    readonly env: number;
    readonly clip: string;
  }[];
  readonly compare: {
    readonly entries: readonly {
      readonly run: string;
      /** `""`: zero action */
      readonly checkpoint: string;
      /** Environment that plays the entry */
      readonly env: number;
      /** Falls since the clip was chosen */
      readonly falls: number;
      /** Episodes that have ended, with or without a fall. Equal for all entries */
      readonly episodes: number;
      /** Whether the robot has fallen and waits for the others */
      readonly down: boolean;
      readonly errors: EvaluationErrors | null;
    }[];
    /** `beside`: robots side by side. `overlay`: all robots in one place */
    readonly layout: 'beside' | 'overlay';
    /** Clip that all environments repeat. null: the task chooses */
    readonly clip: string | null;
    /** Frame at which the clip starts */
    readonly frame: number;
    readonly seed: number;
  } | null;
  readonly condition: Condition | null;
  readonly figures?: PlayFigures;
}

export interface PlayOptions {
  /** Where the reference motion is shown */
  readonly ghost: 'off' | 'overlay' | 'beside';
  /** Marks the target positions of the key bodies */
  readonly targets: boolean;
  /** Marks contacts with the floor */
  readonly contacts: boolean;
  /** Requested speed, as a multiple of real time */
  readonly speed: number;
}

export interface PlayFigures {
  /** Position error of the key bodies relative to the anchor, m: mean over 1 s, for each of the first 256
   *  environments */
  readonly errors: readonly (number | null)[];
  /** Metrics of the focused environment: means over 1 s */
  readonly tracking: {
    /** As in `errors`, m */
    readonly keybody_error: number | null;
    /** RMS error over the joints, rad */
    readonly joint_rmse: number | null;
    /** Rotation error of the anchor, rad */
    readonly anchor_rotation: number | null;
    /** Share of joints at their effort limit, 0..1 */
    readonly torque_at_limit: number | null;
  };
  /** The last 16 episodes that ended with a failure, newest first */
  readonly ends: readonly {
    readonly env: number;
    /** Simulated time, s */
    readonly sim_time: number;
    /** Control step of the episode */
    readonly step: number;
    readonly clip: string;
    /** Name of the termination term */
    readonly cause: string;
    /** What happened, with value and unit */
    readonly text: string;
  }[];
}

export interface RewardWeight {
  readonly name: string;
  readonly weight: number;
  /** Weight in the task */
  readonly default: number;
}

export interface ChangedInPlace {
  readonly ok: true;
  readonly in_place: true;
  readonly session: PlaySession;
}

export interface MotionLibrary {
  /** Value for `motion` of POST /api/play/configure */
  readonly path: string;
  readonly name: string;
  readonly clips: number;
  /** s */
  readonly duration: number;
  /** Whether it is the run's own library */
  readonly default: boolean;
}

export interface PlayClip {
  readonly index: number;
  readonly name: string;
  readonly frames: number;
  readonly fps: number;
  /** s */
  readonly duration: number;
}

export interface Channel {
  /** Unique name, such as `root.pos.x` */
  readonly id: string;
  /** Label for people */
  readonly name: string;
  readonly group: string;
  readonly unit: string;
  /** Lower limit, in `unit` */
  readonly lower: number | null;
  /** Upper limit, in `unit` */
  readonly upper: number | null;
  /** Source of the limits */
  readonly limit_note?: string;
}

/** What `deleteRobot` sends. */
export interface DeleteRobotInput {
  readonly id: string;
}

/** The action is done. POST /api/undo takes it back */
export interface DeleteRobotReply {
  readonly ok: true;
  /** Token for POST /api/undo */
  readonly undo: string;
}

/** What `getRobotSpec` sends. */
export interface GetRobotSpecInput {
  readonly id: string;
}

export interface GetRobotSpecReply {
  readonly id: string;
  readonly spec: RobotSpec;
  /** Text of the file */
  readonly yaml: string;
}

/** What `getRobotTexture` sends. */
export interface GetRobotTextureInput {
  readonly name: string;
}

export interface ListRobotsReply {
  readonly robots: readonly RobotSummary[];
  readonly selected: string;
}

/** What `poseJoint` sends. */
export interface PoseJointInput {
  /** Name of a joint of the selected robot */
  readonly name: string;
  /** Position, rad (hinge) or m (slide), clamped to the range */
  readonly value: number;
}

export interface PoseJointReply {
  readonly ok: true;
  /** Position after clamping */
  readonly value: number;
}

/** What `resetJoints` sends. */
export interface ResetJointsInput {
  /** true: all joints 0. false: the default pose; default: false */
  readonly zero?: boolean;
}

/** What `selectRobot` sends. */
export interface SelectRobotInput {
  /** Id or name of a registered robot */
  readonly name: string;
}

/** What `setRobotOptions` sends. */
export interface SetRobotOptionsInput {
  /** Marks the anchor, the key bodies and the feet. Absent: unchanged */
  readonly show_wiring?: boolean;
}

export interface SetRobotOptionsReply {
  readonly ok: true;
  readonly options: RobotOptions;
}

/** What `checkDraft` sends. */
export interface CheckDraftInput {
  readonly spec: UncheckedRobotSpec;
}

export interface CheckDraftReply {
  /** Whether all checks passed */
  readonly ok: boolean;
  readonly checks: readonly DraftCheck[];
}

/** What `copyModelFolder` sends. */
export interface CopyModelFolderInput {
  /** Id of the new robot; also the name of its upload */
  readonly id: string;
  /** Path of a folder on the machine of the service */
  readonly source: string;
}

export interface CopyModelFolderReply {
  readonly ok: true;
  readonly id: string;
  readonly files: number;
  readonly bytes: number;
}

/** What `deleteUpload` sends. */
export interface DeleteUploadInput {
  readonly id: string;
}

export interface GetImportStateReply {
  /** Folder of the robots in the workspace */
  readonly folder: string;
  readonly robots: readonly {
    readonly id: string;
    readonly name: string;
  }[];
  readonly unfinished: readonly {
    readonly id: string;
    readonly files: number;
    readonly bytes: number;
    readonly modified: string;
  }[];
  readonly draft: {
    readonly id: string;
    readonly model: string;
  } | null;
}

/** What `inspectModel` sends. */
export interface InspectModelInput {
  /** Id of the new robot; also the name of its upload */
  readonly id: string;
  /** Path of the MJCF or URDF file in the upload */
  readonly model: string;
}

export interface InspectModelReply {
  readonly ok: true;
  readonly id: string;
  readonly model: string;
  readonly format: 'mjcf' | 'urdf';
  readonly bodies: readonly {
    readonly name: string;
    readonly parent: string | null;
    readonly mass: number;
  }[];
  readonly joints: readonly Joint[];
  readonly wiring: Wiring;
  /** Suggested gains by joint */
  readonly gains: { readonly [name: string]: JointGains };
  readonly spec: RobotSpec;
  /** Reasons for the suggestions */
  readonly reasons: {
    readonly anchor: string;
    readonly keybodies: string;
    readonly feet: string;
    readonly pose: string;
    readonly contacts: string;
  };
  readonly warnings: readonly string[];
}

/** What `listModelFiles` sends. */
export interface ListModelFilesInput {
  /** Id of the new robot; also the name of its upload */
  readonly id: string;
}

export interface ListModelFilesReply {
  readonly id: string;
  readonly files: readonly ModelFile[];
}

/** What `loadGains` sends. */
export interface LoadGainsInput {
  /** Id of the inspected upload, or else of a saved robot, that gets the gains */
  readonly id: string;
  /** Path of the file: deploy.yaml, a policy with metadata (.onnx), robot.yaml, or YAML or JSON with PD gains */
  readonly file?: string;
  /** Id of the upload or saved robot that has the file. Absent: `id` */
  readonly from?: string;
  /** Id of the robot with the gains, in place of a file */
  readonly robot?: string;
}

export interface LoadGainsReply {
  readonly ok: true;
  /** Gains of the joints that were found */
  readonly gains: { readonly [name: string]: {
    /** Nm/rad */
    readonly stiffness: number;
    /** Nm·s/rad */
    readonly damping: number;
    /** kg·m² */
    readonly armature: number;
    /** Nm */
    readonly effort_limit: number;
    /** Where the values come from */
    readonly source: string;
    /** Change of the target per unit of action, rad or m */
    readonly action_scale: number;
    /** Which of the values the file or robot states. The others are those of the spec */
    readonly stated: readonly ('stiffness' | 'damping' | 'armature' | 'effort_limit' | 'action_scale')[];
  } };
  /** Joints of the robot without gains in the file, which keep theirs; then names in the file that are not joints
   *  of the robot */
  readonly joints_unmatched: readonly string[];
  /** What was assumed about the file */
  readonly notes: readonly string[];
  readonly spec: RobotSpec;
}

/** What `previewDraft` sends. */
export interface PreviewDraftInput {
  readonly wiring: Wiring;
}

/** What `saveRobot` sends. */
export interface SaveRobotInput {
  readonly spec: UncheckedRobotSpec;
}

export interface SaveRobotReply {
  readonly ok: true;
  readonly id: string;
  /** Name of the first task of the robot */
  readonly task: string;
  /** Token for POST /api/undo; null: the action replaced nothing */
  readonly undo: string | null;
}

/** What `uploadModelFile` sends. */
export interface UploadModelFileInput {
  readonly id: string;
  /** Relative path. Slashes may be encoded as `%2F` */
  readonly path: string;
}

export interface UploadModelFileReply {
  readonly ok: true;
  readonly path: string;
  readonly bytes: number;
}

/** What `convertDataset` sends. */
export interface ConvertDatasetInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** `all`: clips with a raw file, and npz files of another frame rate than `output_fps`. `selected` requires
   *  `clips` or `q`; default: "missing" */
  readonly which?: 'missing' | 'all' | 'selected';
  /** Names of the clips, with `which: selected` */
  readonly clips?: readonly string[];
  /** Case-insensitive: part of the name, or a pattern for the whole name with `*` and `?` */
  readonly q?: string;
  /** Number of clips converted together; default: 8 */
  readonly batch_size?: number;
  /** Frames per second of the result. Absent: the value in dataset.yaml, else 50 */
  readonly output_fps?: number;
  /** Also writes the mirrored clip as `<clip>_M`. Absent: the value in dataset.yaml, else false */
  readonly mirror?: boolean;
  /** Moves the clip so that the soles are on the floor. Absent: the value in dataset.yaml, else false */
  readonly debias_z?: boolean;
  readonly input_fps?: number | 'file' | null;
  readonly read?: ReadOptions;
  /** Repairs to apply, as given in `fix` of the issues, in addition to the earlier repairs of each clip. `[]`
   *  removes the earlier repairs */
  readonly fixes?: readonly string[];
}

export interface ConvertDatasetReply {
  readonly ok: true;
  /** Name of the job: see GET /api/jobs/{name} */
  readonly job: string;
}

/** What `createDataset` sends. */
export interface CreateDatasetInput {
  /** Name of the new dataset */
  readonly name: string;
}

export interface CreateDatasetReply {
  readonly ok: true;
  readonly dataset: string;
}

/** What `deleteClip` sends. */
export interface DeleteClipInput {
  readonly dataset: string;
  readonly clip: string;
  /** Also deletes the mirrored clip `<clip>_M` that a conversion made; default false */
  readonly mirror?: boolean;
}

/** The action is done. POST /api/undo takes it back */
export interface DeleteClipReply {
  readonly ok: true;
  /** Token for POST /api/undo */
  readonly undo: string;
}

/** What `deleteDataset` sends. */
export interface DeleteDatasetInput {
  readonly dataset: string;
}

/** The action is done. POST /api/undo takes it back */
export interface DeleteDatasetReply {
  readonly ok: true;
  /** Token for POST /api/undo */
  readonly undo: string;
}

/** What `downloadClip` sends. */
export interface DownloadClipInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** Name of a clip of the dataset */
  readonly clip: string;
  /** Absent: the npz if it exists, else the raw file */
  readonly source?: 'npz' | 'raw';
}

/** What `editClip` sends. */
export interface EditClipInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** Name of a clip of the dataset */
  readonly clip: string;
  readonly steps: readonly EditStep[];
  /** Name of the new clip. Absent: `<clip>_edited`. The parts of a split are called `<name>_1`, `<name>_2` … */
  readonly name?: string;
  /** Dataset of the new clip. Absent: that of the source */
  readonly into?: string;
}

/** What `generateClips` sends. */
export interface GenerateClipsInput {
  /** Name of the new dataset; default: "basics" */
  readonly dataset?: string;
}

/** What `importDataset` sends. */
export interface ImportDatasetInput {
  /** Path of a folder, or of a TWIST2 dataset yaml, on the machine of the service */
  readonly source: string;
  /** Name of the dataset. Absent: the name of the folder */
  readonly name?: string;
  /** true: links the folder and never writes to it. false: copies it; default: false */
  readonly link?: boolean;
  readonly read?: ReadOptions;
}

export interface ListClipJointsReply {
  readonly joints: readonly {
    readonly name: string;
    readonly lower: number | null;
    readonly upper: number | null;
  }[];
}

/** What `listClips` sends. */
export interface ListClipsInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** Case-insensitive: part of the name, or a pattern for the whole name with `*` and `?` */
  readonly q?: string;
  /** `raw`: clips with a raw file; default: "all" */
  readonly status?: 'all' | 'converted' | 'missing' | 'raw';
  /** `true`: clips with issues. `false`: checked clips without issues. Otherwise: clips with issues of this
   *  severity or kind. Ignored issues are not considered */
  readonly findings?: 'true' | 'false' | 'info' | 'warning' | 'error' | 'joint_limit' | 'joint_velocity' | 'joint_acceleration' | 'jump' | 'ground_penetration' | 'floating' | 'foot_sliding' | 'root_tilt' | 'not_finite' | 'self_collision' | 'frozen' | 'first_frame' | 'body_order' | 'quaternion_order' | 'joint_order' | 'frame_rate';
  /** Whether the last conversion failed */
  readonly failed?: boolean;
  /** Only clips with this tag */
  readonly tag?: string;
  /** Whether the clip is excluded */
  readonly excluded?: boolean;
  /** `score`: by feasibility, then complexity; ascending order has the outliers first. `worst`: by the worst issue,
   *  then the number of issues. Clips without the value come last; default: "name" */
  readonly sort?: 'name' | 'duration' | 'score' | 'worst' | 'modified';
  /** default: "asc" */
  readonly order?: 'asc' | 'desc';
  /** From 1; default: 1 */
  readonly page?: number;
  /** Clips per page; default: 50 */
  readonly size?: number;
}

export interface ListClipsReply {
  readonly dataset: string;
  /** Number of matching clips on all pages */
  readonly total: number;
  readonly page: number;
  readonly size: number;
  readonly pages: number;
  readonly clips: readonly Clip[];
}

export interface ListDatasetsReply {
  readonly robot: string;
  readonly datasets: readonly DatasetCounts[];
}

/** What `markClips` sends. */
export interface MarkClipsInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** Names of the clips */
  readonly clips?: readonly string[];
  /** Case-insensitive: part of the name, or a pattern for the whole name with `*` and `?` */
  readonly q?: string;
  /** true: leaves the clips out of training, evaluation and motion libraries */
  readonly exclude?: boolean;
  /** Multiplies the chance that an episode of a training starts in the clip; 1 by default */
  readonly weight?: number;
  /** Labels that listings can be filtered by */
  readonly tags?: readonly string[];
  /** Issues that are shown as ignored and not counted */
  readonly ignore?: readonly {
    readonly kind: 'joint_limit' | 'joint_velocity' | 'joint_acceleration' | 'jump' | 'ground_penetration' | 'floating' | 'foot_sliding' | 'root_tilt' | 'not_finite' | 'self_collision' | 'frozen' | 'first_frame' | 'body_order' | 'quaternion_order' | 'joint_order' | 'frame_rate';
    /** Body or joint of the issue. Absent: any */
    readonly body?: string;
  }[];
  readonly add?: {
    /** Labels that listings can be filtered by */
    readonly tags?: readonly string[];
    /** Issues that are shown as ignored and not counted */
    readonly ignore?: readonly {
      readonly kind: 'joint_limit' | 'joint_velocity' | 'joint_acceleration' | 'jump' | 'ground_penetration' | 'floating' | 'foot_sliding' | 'root_tilt' | 'not_finite' | 'self_collision' | 'frozen' | 'first_frame' | 'body_order' | 'quaternion_order' | 'joint_order' | 'frame_rate';
      /** Body or joint of the issue. Absent: any */
      readonly body?: string;
    }[];
  };
  readonly remove?: {
    /** Labels that listings can be filtered by */
    readonly tags?: readonly string[];
    /** Issues that are shown as ignored and not counted */
    readonly ignore?: readonly {
      readonly kind: 'joint_limit' | 'joint_velocity' | 'joint_acceleration' | 'jump' | 'ground_penetration' | 'floating' | 'foot_sliding' | 'root_tilt' | 'not_finite' | 'self_collision' | 'frozen' | 'first_frame' | 'body_order' | 'quaternion_order' | 'joint_order' | 'frame_rate';
      /** Body or joint of the issue. Absent: any */
      readonly body?: string;
    }[];
  };
}

export interface MarkClipsReply {
  readonly ok: true;
  /** Number of marked clips */
  readonly clips: number;
}

/** What `pickClips` sends. */
export interface PickClipsInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** Total duration, min */
  readonly minutes: number;
}

export interface PickClipsReply {
  /** Names of the picked clips, best first. Excluded clips and clips with errors are never picked */
  readonly clips: readonly string[];
  /** Total duration of the picked clips, min */
  readonly minutes: number;
  /** Number of clips that have not been checked yet and so cannot be picked */
  readonly unscored: number;
}

export interface RefreshDatasetsReply {
  readonly ok: true;
  readonly datasets: readonly DatasetCounts[];
}

/** What `renameData` sends. */
export interface RenameDataInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** The new name */
  readonly name: string;
  /** Name of a clip of the dataset. Absent: the dataset itself is renamed */
  readonly clip?: string;
}

/** The action is done. POST /api/undo takes it back */
export interface RenameDataReply {
  readonly ok: true;
  /** Token for POST /api/undo */
  readonly undo: string;
}

/** What `scanDataset` sends. */
export interface ScanDatasetInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
}

/** What `uploadClip` sends. */
export interface UploadClipInput {
  readonly dataset: string;
  readonly file: string;
}

export interface UploadClipReply {
  readonly ok: true;
  readonly clip: string;
  readonly bytes: number;
  /** The clip, or every clip of an uploaded bundle */
  readonly clips: readonly string[];
  /** Token for POST /api/undo; null: the action replaced nothing */
  readonly undo: string | null;
}

/** What `loadClip` sends. */
export interface LoadClipInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** Name of a clip of the dataset */
  readonly clip: string;
  /** `auto`: the npz if it is up to date, else the raw file; default: "auto" */
  readonly source?: 'auto' | 'npz' | 'raw';
}

/** What `loadGrid` sends. */
export interface LoadGridInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** Names of the clips, in this order. Absent: the first clips that match `q` */
  readonly clips?: readonly string[];
  /** Case-insensitive: part of the name, or a pattern for the whole name with `*` and `?` */
  readonly q?: string;
  /** Largest number of clips; default: 64 */
  readonly count?: number;
}

/** What `previewEdit` sends. */
export interface PreviewEditInput {
  /** Name of a dataset of the selected robot */
  readonly dataset: string;
  /** Name of a clip of the dataset */
  readonly clip: string;
  /** Steps as for POST /api/data/edit. Empty: shows the source clip */
  readonly steps: readonly EditStep[];
  /** Which part of a split is shown, from 0; clamped; default: 0 */
  readonly part?: number;
}

export type PreviewEditReply = Ok & Preview;

/** What `seekPreviewFrame` sends. */
export interface SeekPreviewFrameInput {
  /** Frame from 0, clamped to the length of the clip */
  readonly frame: number;
}

export type SeekPreviewFrameReply = Ok & Preview;

/** What `seekPreviewTime` sends. */
export interface SeekPreviewTimeInput {
  /** s, clamped to the duration of the clip */
  readonly time: number;
}

export type SeekPreviewTimeReply = Ok & Preview;

/** What `setPreviewOptions` sends. */
export interface SetPreviewOptionsInput {
  /** Multiple of real time */
  readonly speed?: number;
  /** Whether the clip starts again at its end */
  readonly loop?: boolean;
  /** Shows the raw source beside the converted clip */
  readonly ghost?: boolean;
  /** Marks the key bodies */
  readonly keybodies?: boolean;
  /** Marks feet that touch the floor */
  readonly contacts?: boolean;
  /** Draws the path of the root */
  readonly trail?: boolean;
}

export type SetPreviewOptionsReply = Ok & Preview;

/** What `setPreviewPlaying` sends. */
export interface SetPreviewPlayingInput {
  /** Absent: toggles the state */
  readonly playing?: boolean;
}

export type SetPreviewPlayingReply = Ok & Preview;

/** What `getClipPlots` sends. */
export interface GetClipPlotsInput {
  /** Only the channels of this group. Absent: all. Torques take the longest to compute */
  readonly group?: 'root' | 'joints' | 'torques' | 'feet' | 'velocities';
  /** false: without the raw source for comparison; default: true */
  readonly ref?: boolean;
}

export interface GetClipPlotsReply {
  readonly title: string;
  readonly fps: number;
  readonly frames: number;
  readonly channels: readonly Channel[];
  /** Values as base64 of little-endian float32: frames × channels, row-major */
  readonly data: string;
  /** Values of the raw source in the same format; null without one */
  readonly ref: string | null;
  /** What `ref` shows, for people */
  readonly ref_label: string | null;
}

/** What `getPlayPlots` sends. */
export interface GetPlayPlotsInput {
  /** Index of the environment. Absent: the focused environment */
  readonly env?: number;
  /** First row. Ignored if `epoch` is absent or out of date */
  readonly since?: number;
  /** `epoch` of the last reply. Another value or none: all kept rows are returned */
  readonly epoch?: number;
}

/** What `deleteModule` sends. */
export interface DeleteModuleInput {
  readonly name: string;
}

/** The action is done. POST /api/undo takes it back */
export interface DeleteModuleReply {
  readonly ok: true;
  /** Token for POST /api/undo */
  readonly undo: string;
}

/** What `getModule` sends. */
export interface GetModuleInput {
  readonly name: string;
}

/** What `writeModule` sends. */
export interface WriteModuleInput {
  readonly name: string;
  readonly overrides?: Overrides;
  readonly description?: string;
  /** Checks the request and answers as usual, without writing the file; default: false */
  readonly dry_run?: boolean;
}

export type WriteModuleReply = Ok & ModuleInFull & {
  /** Token for POST /api/undo; null: the action replaced nothing */
  readonly undo: string | null;
};

/** What `deletePreset` sends. */
export interface DeletePresetInput {
  readonly name: string;
}

/** The action is done. POST /api/undo takes it back */
export interface DeletePresetReply {
  readonly ok: true;
  /** Token for POST /api/undo */
  readonly undo: string;
}

/** What `getPreset` sends. */
export interface GetPresetInput {
  readonly name: string;
}

/** What `writePreset` sends. */
export interface WritePresetInput {
  readonly name: string;
  /** Built-in task: see GET /api/tasks */
  readonly base: string;
  readonly overrides?: Overrides;
  readonly modules?: readonly string[];
  readonly description?: string;
  /** Checks the request and answers as usual, without writing the file; default: false */
  readonly dry_run?: boolean;
}

export type WritePresetReply = Ok & PresetInFull & {
  /** Token for POST /api/undo; null: the action replaced nothing */
  readonly undo: string | null;
};

/** What `getPresetSchema` sends. */
export interface GetPresetSchemaInput {
  /** Built-in task: see GET /api/tasks */
  readonly base: string;
  /** Names of modules in the order in which they are applied: `modules=a,b` or `modules=a&modules=b` */
  readonly modules?: readonly string[];
}

export interface GetPresetSchemaReply {
  readonly base: string;
  readonly modules: readonly string[];
  readonly knobs: readonly Knob[];
  /** Terms of the task: observations, rewards, terminations, events */
  readonly terms: readonly TaskTerm[];
  readonly observation_terms: readonly LibraryTerm[];
  readonly reward_terms: readonly LibraryTerm[];
  readonly termination_terms: readonly LibraryTerm[];
  readonly event_terms: readonly LibraryTerm[];
  /** JSON Schema of `overrides` */
  readonly json_schema: unknown;
}

export interface ListPresetsReply {
  readonly tasks: readonly Task[];
  readonly presets: readonly Preset[];
  readonly modules: readonly Module[];
  /** Folder of the preset and module files */
  readonly directory: string;
}

/** What `getCurves` sends. */
export interface GetCurvesInput {
  /** Name of a job. Send either `job` or `run` */
  readonly job?: string;
  /** Path of the run: `<run_dir>/<run>` */
  readonly run?: string;
  /** default: "all" */
  readonly group?: 'train' | 'errors' | 'rewards' | 'sampling' | 'loss' | 'all';
  /** Maximum number of points of each curve. Downsampling keeps minima and maxima; default: 1000 */
  readonly max_points?: number;
  /** First iteration to return; default: 0 */
  readonly since?: number;
}

export interface GetCurvesReply {
  readonly run: string | null;
  readonly job: string | null;
  readonly group: string;
  readonly x: 'iteration';
  readonly series: readonly Series[];
}

/** What `launchTraining` sends. */
export interface LaunchTrainingInput {
  /** Task of the selected robot: see GET /api/tasks */
  readonly task: string;
  /** Dataset of the selected robot */
  readonly dataset: string;
  /** Number of environments. Absent: the default of the trainer */
  readonly num_envs?: number;
  /** Exact number of iterations. Absent: `builtin` trains until its evaluation converges */
  readonly max_iterations?: number;
  /** Suffix of the name of the run; default: "" */
  readonly run_name?: string;
  /** Path of a run to continue; default: "" */
  readonly resume_run?: string;
  /** Checkpoint of `resume_run`. `""`: the latest; default: "" */
  readonly resume_checkpoint?: string;
  /** Initial networks; only for the trainer `builtin`. `fresh`: new networks. `best`: the networks of the run of
   *  this robot and task that tracks best. Otherwise the path of a run; default: "fresh" */
  readonly start_from?: string;
  /** `wandb` requires an external trainer; default: "tensorboard" */
  readonly logger?: 'tensorboard' | 'wandb' | 'none';
  /** More arguments for the trainer. A string is split at spaces. No shell interprets them; default: [] */
  readonly extra?: readonly string[] | string;
  /** Trainer: see GET /api/tasks; default: "builtin" */
  readonly trainer?: string;
  /** Launcher: see GET /api/tasks; default: "local" */
  readonly launcher?: string;
  /** Absent: the seed of the task */
  readonly seed?: number;
  /** Runs all checks and answers with the command, without launching it; default: false */
  readonly dry_run?: boolean;
}

export type LaunchTrainingReply = Launched | LaunchTrial;

export interface ListTasksReply {
  readonly tasks: readonly Task[];
  readonly trainers: readonly Trainer[];
  readonly launchers: readonly Launcher[];
}

/** What `downloadJobLog` sends. */
export interface DownloadJobLogInput {
  readonly name: string;
}

/** What `forgetJob` sends. */
export interface ForgetJobInput {
  readonly name: string;
}

/** What `getJob` sends. */
export interface GetJobInput {
  readonly name: string;
  /** Number of log lines; default: 200 */
  readonly tail?: number;
}

export type GetJobReply = Job & {
  /** Last lines of the log */
  readonly log: readonly string[];
};

export interface ListJobsReply {
  readonly jobs: readonly Job[];
}

/** What `stopJob` sends. */
export interface StopJobInput {
  readonly name: string;
}

/** What `deleteRun` sends. */
export interface DeleteRunInput {
  /** Path of the run: `<run_dir>/<run>` */
  readonly run: string;
}

/** The action is done. POST /api/undo takes it back */
export interface DeleteRunReply {
  readonly ok: true;
  /** Token for POST /api/undo */
  readonly undo: string;
}

/** What `listRuns` sends. */
export interface ListRunsInput {
  /** version of an earlier reply: lists the runs that changed since then, in no order, and removed */
  readonly since?: string;
}

export interface ListRunsReply {
  readonly runs: readonly Run[];
  /** State of the list; pass it as since in the next call */
  readonly version: string;
  /** Paths of the runs that are gone. Absent: runs is the whole list, because since was not given or its state is
   *  not known any more */
  readonly removed?: readonly string[];
}

/** What `downloadRunFile` sends. */
export interface DownloadRunFileInput {
  /** Path of the run: `<run_dir>/<run>` */
  readonly run: string;
  /** Path of the file in the folder of the run */
  readonly file: string;
}

/** What `markRun` sends. */
export interface MarkRunInput {
  /** Path of the run: `<run_dir>/<run>` */
  readonly run: string;
  /** Labels that listings can be filtered by */
  readonly tags?: readonly string[];
  /** `""`: no note */
  readonly note?: string;
  readonly favourite?: boolean;
}

/** What `collectFailures` sends. */
export interface CollectFailuresInput {
  readonly name: string;
  /** Name of the new dataset */
  readonly dataset: string;
  /** Uses clips whose success under a checkpoint and condition is below this share, 0..1. 1: every clip with a
   *  failure */
  readonly below: number;
  /** Time before and after a failure, s. Stretches that overlap are joined; default: 2 */
  readonly margin_s?: number;
  /** Absent: failures of all checkpoints are used */
  readonly checkpoint?: string;
  /** Absent: failures under all conditions are used */
  readonly condition?: string;
}

/** What `compareStoredEvaluations` sends. */
export interface CompareStoredEvaluationsInput {
  /** Name of an evaluation */
  readonly a: string;
  /** Name of an evaluation; the same as `a` to compare two of its checkpoints */
  readonly b: string;
  /** Absent: the first checkpoint. `""`: zero action */
  readonly a_checkpoint?: string;
  /** Absent: the first checkpoint. `""`: zero action */
  readonly b_checkpoint?: string;
}

export interface CompareStoredEvaluationsReply {
  /** By condition and metric */
  readonly differences: readonly {
    /** Path in the summary */
    readonly metric: 'success' | 'tracked_s' | 'tracked_share' | 'errors.body_pos' | 'errors.body_pos_local' | 'errors.body_rot' | 'errors.joint_pos' | 'errors.joint_vel' | 'errors.anchor_pos' | 'errors.anchor_rot' | 'action_rate' | 'jerk';
    readonly condition: string;
    /** Value of `a` */
    readonly a: number;
    /** Value of `b` */
    readonly b: number;
    /** b − a over all episodes */
    readonly mean: number;
    /** Lower bound of the 95 % interval of b − a */
    readonly low: number;
    /** Upper bound of the 95 % interval of b − a */
    readonly high: number;
  }[];
}

/** What `deleteEvaluation` sends. */
export interface DeleteEvaluationInput {
  readonly name: string;
}

/** What `getEvaluation` sends. */
export interface GetEvaluationInput {
  readonly name: string;
}

/** What `getEvaluationReport` sends. */
export interface GetEvaluationReportInput {
  readonly name: string;
  /** default: "html" */
  readonly format?: 'html' | 'json' | 'csv';
}

/** What `listEvaluations` sends. */
export interface ListEvaluationsInput {
  /** Path of the run: `<run_dir>/<run>` */
  readonly run?: string;
}

export interface ListEvaluationsReply {
  readonly evaluations: readonly ListedEvaluation[];
}

/** What `startEvaluation` sends. */
export interface StartEvaluationInput {
  /** Path of the run: `<run_dir>/<run>` */
  readonly run: string;
  /** Names of checkpoints; `""`: zero action. Absent: the latest */
  readonly checkpoints?: readonly string[];
  /** `path` of a motion library: see GET /api/play/libraries. Absent: the run's own library */
  readonly motion?: string;
  /** Names of clips. Absent: all that are not excluded */
  readonly clips?: readonly string[];
  /** Starts per clip: the first is frame 0, the others are spread evenly; default: 4 */
  readonly starts?: number;
  /** Longest episode, s. Absent: to the clip's end */
  readonly horizon_s?: number;
  /** Names (`nominal`, `pushes`, `noise`, `randomised`, `task`: all three, `robustness`: about 24 conditions that
   *  vary one setting each) or objects. Absent: `nominal` */
  readonly conditions?: readonly (string | Condition)[];
  /** default: 0 */
  readonly seed?: number;
  readonly gate?: Gate;
  /** Launcher: see GET /api/tasks; default: "local" */
  readonly launcher?: string;
  /** Name of a stopped, failed or lost evaluation of the run to continue */
  readonly resume?: string;
}

export interface StartEvaluationReply {
  readonly ok: true;
  /** Name of the job: see GET /api/jobs/{name} */
  readonly job: string;
  /** Name of the evaluation: see GET /api/evaluations/{name} */
  readonly evaluation: string;
}

export interface CheckBundleReply {
  readonly ok: true;
  readonly selftest: SelfTest;
}

/** What `deleteExport` sends. */
export interface DeleteExportInput {
  readonly name: string;
}

/** What `downloadExport` sends. */
export interface DownloadExportInput {
  readonly name: string;
}

/** What `exportPolicy` sends. */
export interface ExportPolicyInput {
  /** Path of the run: `<run_dir>/<run>` */
  readonly run: string;
  /** `whole_body_tracking`: one ONNX file with the clip inside. `unitree`: folder with deploy.yaml.
   *  `wbc-g1-deploy`: folder with config.yaml and a manifest of clips */
  readonly format: 'whole_body_tracking' | 'unitree' | 'wbc-g1-deploy';
  /** Absent: the latest */
  readonly checkpoint?: string;
  /** Clip of the run's motion library. Needed if the library has several clips */
  readonly clip?: string;
  /** Time from standing to the first frame that is added to the clip, s; default: 0 */
  readonly stand_in_s?: number;
  /** Time from the last frame to standing that is added to the clip, s; default: 0 */
  readonly stand_out_s?: number;
  /** Length of the self-test, s; null: the whole clip; default: 10 */
  readonly selftest_s?: number | null;
}

/** What `listExports` sends. */
export interface ListExportsInput {
  /** Path of the run: `<run_dir>/<run>` */
  readonly run?: string;
}

export interface ListExportsReply {
  readonly exports: readonly Export[];
}

/** What `comparePolicies` sends. */
export interface ComparePoliciesInput {
  /** The policies to compare, all of the same robot and control rate. Environment k plays entry k */
  readonly entries: readonly {
    /** Path of the run */
    readonly run: string;
    /** `""`: zero action. Absent: the latest checkpoint */
    readonly checkpoint?: string;
  }[];
  /** `path` of a motion library. Absent: the library of the first entry */
  readonly motion?: string;
  /** Name or index of a clip. Absent: the first clip */
  readonly clip?: string | number;
  /** Frame at which the clip starts; default: 0 */
  readonly frame?: number;
  /** The same seed gives the same comparison; default: 0 */
  readonly seed?: number;
  /** `beside`: robots side by side. `overlay`: all robots in one place */
  readonly layout?: 'beside' | 'overlay';
}

/** What `configurePlay` sends. */
export interface ConfigurePlayInput {
  /** Path of the run. Absent: the run of the current session, which must exist */
  readonly run?: string;
  /** `""`: zero action. Absent: unchanged, or the latest checkpoint for a new session */
  readonly checkpoint?: string;
  /** `path` of a motion library: see GET /api/play/libraries. Absent: unchanged, or the run's own */
  readonly motion?: string;
  /** Number of environments, at most `play.max_envs` (4096). Absent: unchanged, or 1 */
  readonly num_envs?: number;
  /** false: an episode continues when the robot fails. Absent: unchanged, or true */
  readonly terminations?: boolean;
  /** The same seed gives the same session */
  readonly seed?: number;
}

export type ConfigurePlayReply = TaskStarted | ChangedInPlace;

/** What `downloadPlayRecord` sends. */
export interface DownloadPlayRecordInput {
  /** Index of the environment. Absent: the focused environment */
  readonly env?: number;
  /** default: "npz" */
  readonly format?: 'npz' | 'csv';
}

/** What `focusEnv` sends. */
export interface FocusEnvInput {
  /** Index of the environment */
  readonly index: number;
}

export interface FocusEnvReply {
  readonly ok: true;
  readonly index: number;
}

export interface ListPlayClipsReply {
  readonly clips: readonly PlayClip[];
}

/** What `listPlayLibraries` sends. */
export interface ListPlayLibrariesInput {
  /** Path of the run: `<run_dir>/<run>` */
  readonly run: string;
}

export interface ListPlayLibrariesReply {
  readonly run: string;
  readonly libraries: readonly MotionLibrary[];
}

export interface ListPlayRunsReply {
  readonly runs: readonly Run[];
  /** State of the list; pass it as since to GET /api/runs */
  readonly version: string;
}

/** What `pinClip` sends. */
export interface PinClipInput {
  /** Name or index of a clip of the session: see GET /api/play/clips. null: any clip again */
  readonly clip: string | number | null;
  /** Index of the environment. Absent: the focused environment */
  readonly env?: number;
  /** Frame at which the clip starts; default: 0 */
  readonly frame?: number;
}

/** What `playWorst` sends. */
export interface PlayWorstInput {
  /** Name of the evaluation */
  readonly evaluation: string;
  /** Index into `clips` of the evaluation */
  readonly row: number;
}

/** What `pushRobot` sends. */
export interface PushRobotInput {
  /** Added to the horizontal velocity of the root, m/s. Negative: the opposite direction */
  readonly speed: number;
  /** Heading in the world, rad. Absent: random */
  readonly direction?: number;
  /** Index of the environment. Absent: all environments */
  readonly env?: number;
}

/** What `setPlayOptions` sends. */
export interface SetPlayOptionsInput {
  /** Where the reference motion is shown. `true`: `overlay`. `false`: `off` */
  readonly ghost?: 'off' | 'overlay' | 'beside' | boolean;
  /** Marks the target positions of the key bodies */
  readonly targets?: boolean;
  /** Marks contacts with the floor */
  readonly contacts?: boolean;
  /** Multiple of real time */
  readonly speed?: number;
}

export interface SetPlayOptionsReply {
  readonly ok: true;
  readonly options: PlayOptions;
}

/** What `setPlayPlaying` sends. */
export interface SetPlayPlayingInput {
  /** Absent: toggles the state */
  readonly playing?: boolean;
}

export interface SetPlayPlayingReply {
  readonly ok: true;
  readonly playing: boolean;
}

/** What `setPlayRewards` sends. */
export interface SetPlayRewardsInput {
  /** Weight by name of the term. Other terms keep their weight */
  readonly rewards: { readonly [name: string]: number };
}

export interface SetPlayRewardsReply {
  readonly ok: true;
  readonly rewards: readonly RewardWeight[];
}

export interface StepPlayReply {
  readonly ok: true;
  /** Simulated time, s */
  readonly sim_time: number;
}

/** What `emptyTrash` sends. */
export interface EmptyTrashInput {
  /** Token of one item. Absent: all items */
  readonly undo?: string;
}

export interface EmptyTrashReply {
  readonly ok: true;
  /** Number of removed items */
  readonly items: number;
}

export interface ListTrashReply {
  readonly items: readonly {
    /** Token for POST /api/undo */
    readonly undo: string;
    readonly kind: 'robot' | 'dataset' | 'clip' | 'run' | 'preset' | 'module';
    /** `replace`: the previous version of an item that was replaced */
    readonly action: 'delete' | 'replace';
    /** Robot that it belongs to; null for a run */
    readonly robot: string | null;
    /** A clip is named `<dataset>/<clip>`, a run by its path */
    readonly name: string;
    readonly bytes: number;
    /** ISO-8601 UTC */
    readonly deleted: string;
  }[];
  /** Age at which items are removed permanently, days: `trash.days` of studio.yaml */
  readonly days: number;
}

/** What `undoAction` sends. */
export interface UndoActionInput {
  /** Token from the reply of the action, or of GET /api/trash */
  readonly undo: string;
}

export interface UndoActionReply {
  readonly ok: true;
  /** Token for POST /api/undo; null: the action replaced nothing */
  readonly undo: string | null;
}

/** What `deleteRecording` sends. */
export interface DeleteRecordingInput {
  readonly name: string;
}

/** What `downloadRecording` sends. */
export interface DownloadRecordingInput {
  readonly name: string;
}

export interface ListRecordingsReply {
  readonly recordings: readonly {
    /** File name without its ending */
    readonly name: string;
    /** `mcap`: for Foxglove, Lichtblick, Rerun and the studio; `npz`: for numpy and the studio */
    readonly format: 'mcap' | 'npz';
    /** `cut`: the recording ended before a stop or its time limit. The file is readable up to its last complete
     *  chunk */
    readonly state: 'recording' | 'done' | 'cut';
    readonly bytes: number;
    /** s of wall time; null: unknown */
    readonly duration: number | null;
    /** Id of the robot at the start */
    readonly robot: string | null;
    /** Owner of the scene at the start */
    readonly owner: 'robots' | 'data' | 'play' | 'import' | null;
    /** ISO-8601 UTC */
    readonly created: string;
    /** Why the recording ended early */
    readonly reason: string | null;
    /** Why the studio cannot open it */
    readonly error: string | null;
  }[];
}

/** What `openRecording` sends. */
export interface OpenRecordingInput {
  /** Name of a recording: see GET /api/recordings */
  readonly name: string;
}

/** What `startRecording` sends. */
export interface StartRecordingInput {
  /** File name without its ending. Absent: the local date and time */
  readonly name?: string;
  /** `mcap`: for Foxglove, Lichtblick, Rerun and the studio; `npz`: for numpy and the studio */
  readonly format?: 'mcap' | 'npz';
  /** The recording stops by itself after this time, s. It also stops at 3 GiB; default: 600 */
  readonly max_s?: number;
}

export interface StartRecordingReply {
  readonly ok: true;
  /** Name of the recording */
  readonly recording: string;
}

export interface StopRecordingReply {
  readonly ok: true;
  /** Name of the recording */
  readonly recording: string;
  readonly bytes: number;
  /** s of wall time */
  readonly duration: number;
}

export interface GetHealthReply {
  readonly ok: true;
  readonly version: string;
  /** Time since the start, s */
  readonly uptime_s: number;
}

/** What `getLog` sends. */
export interface GetLogInput {
  /** Number of lines; default: 200 */
  readonly tail?: number;
}

export interface GetLogReply {
  readonly lines: readonly LogLine[];
}

export type GetOpenApiReply = { readonly [name: string]: unknown };

export interface ListBusyTasksReply {
  readonly active: readonly Busy[];
  readonly recent: readonly Busy[];
}

export interface ListClientsReply {
  readonly clients: readonly {
    /** Sent to the client in its first event. Its requests name it in `X-Client-Id` */
    readonly id: string;
    /** `view`: connected with the view token, may only read */
    readonly role: 'control' | 'view';
    /** Start of the connection, ISO-8601 UTC */
    readonly since: string;
    /** Frames sent in the last second, 1/s */
    readonly rate: number;
    /** Frames that a newer one replaced because the client was not ready */
    readonly skipped: number;
    /** Whether `X-Client-Id` of this request names this client */
    readonly you: boolean;
  }[];
}

/** One method for each operation of the HTTP API. */
export abstract class StudioApi {
  /** Sends a request and returns the JSON of the reply. */
  protected abstract json(request: ApiRequest, options: CallOptions | undefined): Promise<unknown>;
  /** Sends a request and returns a successful reply, whose body is not read. */
  protected abstract send(request: ApiRequest, options: CallOptions | undefined): Promise<Response>;

  /** Deletes an imported robot. Its datasets and runs are kept. `DELETE /api/robots/{id}` */
  async deleteRobot(input: DeleteRobotInput, options?: CallOptions): Promise<DeleteRobotReply> {
    const { id } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/robots/{id}', params: { id } };
    return (await this.json(request, options)) as DeleteRobotReply;
  }

  /** Gets the spec (robot.yaml) of a robot that was imported. `GET /api/robots/{id}/spec` */
  async getRobotSpec(input: GetRobotSpecInput, options?: CallOptions): Promise<GetRobotSpecReply> {
    const { id } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/robots/{id}/spec', params: { id } };
    return (await this.json(request, options)) as GetRobotSpecReply;
  }

  /** Gets a texture of the robot in the scene, as named by `texture` of its geoms. `GET /api/robot/texture/{name}`.
   *  Returns the response, whose body is the file */
  async getRobotTexture(input: GetRobotTextureInput, options?: CallOptions): Promise<Response> {
    const { name } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/robot/texture/{name}', params: { name } };
    return this.send(request, options);
  }

  /** Gets bodies, geoms and meshes of the robot in the scene. Fetch them again when `model_version` changes. `GET
   *  /api/robot/model` */
  async getSceneModel(options?: CallOptions): Promise<SceneModel> {
    const request: ApiRequest = { method: 'GET', path: '/api/robot/model' };
    return (await this.json(request, options)) as SceneModel;
  }

  /** Gets the mesh data of the robot in the scene. `GET /api/robot/model.bin`. Returns the response, whose body is
   *  the file */
  async getSceneModelBin(options?: CallOptions): Promise<Response> {
    const request: ApiRequest = { method: 'GET', path: '/api/robot/model.bin' };
    return this.send(request, options);
  }

  /** Gets the selected robot: joints, wiring and tasks. `GET /api/robot` */
  async getSelectedRobot(options?: CallOptions): Promise<Robot> {
    const request: ApiRequest = { method: 'GET', path: '/api/robot' };
    return (await this.json(request, options)) as Robot;
  }

  /** Gets the terrain under the robots. Fetch it again when `terrain_version` changes. `GET
   *  /api/scene/terrain.bin`. Returns the response, whose body is the file */
  async getTerrainBin(options?: CallOptions): Promise<Response> {
    const request: ApiRequest = { method: 'GET', path: '/api/scene/terrain.bin' };
    return this.send(request, options);
  }

  /** Lists the registered robots with a summary of the model, the datasets and the runs. `GET /api/robots` */
  async listRobots(options?: CallOptions): Promise<ListRobotsReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/robots' };
    return (await this.json(request, options)) as ListRobotsReply;
  }

  /** Sets one joint of the selected robot. `POST /api/robot/joint` */
  async poseJoint(input: PoseJointInput, options?: CallOptions): Promise<PoseJointReply> {
    const { name, value } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robot/joint', body: { name, value } };
    return (await this.json(request, options)) as PoseJointReply;
  }

  /** Resets all joints to the default pose or to zero. `POST /api/robot/joint/reset` */
  async resetJoints(input: ResetJointsInput = {}, options?: CallOptions): Promise<Ok> {
    const { zero } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robot/joint/reset', body: { zero } };
    return (await this.json(request, options)) as Ok;
  }

  /** Selects a robot. The choice survives a restart of the service. `POST /api/robot/select` */
  async selectRobot(input: SelectRobotInput, options?: CallOptions): Promise<TaskStarted> {
    const { name } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robot/select', body: { name }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Shows or hides the wiring markers. `POST /api/robot/joint/options` */
  async setRobotOptions(input: SetRobotOptionsInput = {}, options?: CallOptions): Promise<SetRobotOptionsReply> {
    const { show_wiring } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robot/joint/options', body: { show_wiring } };
    return (await this.json(request, options)) as SetRobotOptionsReply;
  }

  /** Shows the selected robot in the scene. `POST /api/robot/joint/show` */
  async showRobot(options?: CallOptions): Promise<Ok> {
    const request: ApiRequest = { method: 'POST', path: '/api/robot/joint/show', body: {} };
    return (await this.json(request, options)) as Ok;
  }

  /** Closes the draft. The scene shows its previous content. `POST /api/robots/import/cancel` */
  async cancelImport(options?: CallOptions): Promise<Ok> {
    const request: ApiRequest = { method: 'POST', path: '/api/robots/import/cancel', body: {} };
    return (await this.json(request, options)) as Ok;
  }

  /** Checks a spec: whether it compiles, holds its pose and stands on its feet. `POST /api/robots/import/check` */
  async checkDraft(input: CheckDraftInput, options?: CallOptions): Promise<CheckDraftReply> {
    const { spec } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robots/import/check', body: { spec } };
    return (await this.json(request, options)) as CheckDraftReply;
  }

  /** Copies a folder on the machine of the service into an upload. `POST /api/robots/import/path` */
  async copyModelFolder(input: CopyModelFolderInput, options?: CallOptions): Promise<CopyModelFolderReply> {
    const { id, source } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robots/import/path', body: { id, source } };
    return (await this.json(request, options)) as CopyModelFolderReply;
  }

  /** Deletes an unfinished upload. `DELETE /api/robots/import/{id}` */
  async deleteUpload(input: DeleteUploadInput, options?: CallOptions): Promise<Ok> {
    const { id } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/robots/import/{id}', params: { id } };
    return (await this.json(request, options)) as Ok;
  }

  /** Gets the robots folder, the saved robots, the unfinished uploads and the draft. `GET /api/robots/import` */
  async getImportState(options?: CallOptions): Promise<GetImportStateReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/robots/import' };
    return (await this.json(request, options)) as GetImportStateReply;
  }

  /** Compiles a model and suggests its spec: bodies, joints, wiring and gains. `POST /api/robots/import/inspect` */
  async inspectModel(input: InspectModelInput, options?: CallOptions): Promise<InspectModelReply> {
    const { id, model } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robots/import/inspect', body: { id, model } };
    return (await this.json(request, options)) as InspectModelReply;
  }

  /** Lists the files of an upload, models first, the most likely main model at the top. `GET
   *  /api/robots/import/files` */
  async listModelFiles(input: ListModelFilesInput, options?: CallOptions): Promise<ListModelFilesReply> {
    const { id } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/robots/import/files', query: { id } };
    return (await this.json(request, options)) as ListModelFilesReply;
  }

  /** Takes gains of joints from a file or from another robot. Nothing is saved. `POST /api/robots/import/gains` */
  async loadGains(input: LoadGainsInput, options?: CallOptions): Promise<LoadGainsReply> {
    const { id, file, from, robot } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robots/import/gains', body: { id, file, from, robot } };
    return (await this.json(request, options)) as LoadGainsReply;
  }

  /** Shows the draft in the scene with markers on the wired bodies. `POST /api/robots/import/preview` */
  async previewDraft(input: PreviewDraftInput, options?: CallOptions): Promise<Ok> {
    const { wiring } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robots/import/preview', body: { wiring } };
    return (await this.json(request, options)) as Ok;
  }

  /** Saves the robot and adds it to the registered robots. `POST /api/robots/import/save` */
  async saveRobot(input: SaveRobotInput, options?: CallOptions): Promise<SaveRobotReply> {
    const { spec } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/robots/import/save', body: { spec } };
    return (await this.json(request, options)) as SaveRobotReply;
  }

  /** Uploads one model file to its relative path in the folder of the new robot. `PUT
   *  /api/robots/import/upload/{id}/{path}` */
  async uploadModelFile(input: UploadModelFileInput, content: Upload, options?: CallOptions): Promise<UploadModelFileReply> {
    const { id, path } = input;
    const request: ApiRequest = { method: 'PUT', path: '/api/robots/import/upload/{id}/{path}', params: { id, path }, upload: content };
    return (await this.json(request, options)) as UploadModelFileReply;
  }

  /** Converts clips to npz, as a job. `POST /api/data/convert` */
  async convertDataset(input: ConvertDatasetInput, options?: CallOptions): Promise<ConvertDatasetReply> {
    const { dataset, which, clips, q, batch_size, output_fps, mirror, debias_z, input_fps, read, fixes } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/convert', body: { dataset, which, clips, q, batch_size, output_fps, mirror, debias_z, input_fps, read, fixes } };
    return (await this.json(request, options)) as ConvertDatasetReply;
  }

  /** Creates an empty dataset. `POST /api/data/new` */
  async createDataset(input: CreateDatasetInput, options?: CallOptions): Promise<CreateDatasetReply> {
    const { name } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/new', body: { name } };
    return (await this.json(request, options)) as CreateDatasetReply;
  }

  /** Deletes a clip. The folder of a linked dataset is never changed. `DELETE
   *  /api/data/datasets/{dataset}/clips/{clip}` */
  async deleteClip(input: DeleteClipInput, options?: CallOptions): Promise<DeleteClipReply> {
    const { dataset, clip, mirror } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/data/datasets/{dataset}/clips/{clip}', params: { dataset, clip }, query: { mirror } };
    return (await this.json(request, options)) as DeleteClipReply;
  }

  /** Deletes a dataset. The folder of a linked dataset is never changed. `DELETE /api/data/datasets/{dataset}` */
  async deleteDataset(input: DeleteDatasetInput, options?: CallOptions): Promise<DeleteDatasetReply> {
    const { dataset } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/data/datasets/{dataset}', params: { dataset } };
    return (await this.json(request, options)) as DeleteDatasetReply;
  }

  /** Downloads the file of a clip. `GET /api/data/download`. Returns the response, whose body is the file */
  async downloadClip(input: DownloadClipInput, options?: CallOptions): Promise<Response> {
    const { dataset, clip, source } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/data/download', query: { dataset, clip, source } };
    return this.send(request, options);
  }

  /** Makes new raw clips from a clip by steps such as trim, append and smooth. The source is not changed. `POST
   *  /api/data/edit` */
  async editClip(input: EditClipInput, options?: CallOptions): Promise<TaskStarted> {
    const { dataset, clip, steps, name, into } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/edit', body: { dataset, clip, steps, name, into }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Creates a dataset of generated motions for the selected robot: standing, swaying, squatting, stepping,
   *  turning. Use them to train the first policy of a new robot. `POST /api/data/generate` */
  async generateClips(input: GenerateClipsInput = {}, options?: CallOptions): Promise<TaskStarted> {
    const { dataset } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/generate', body: { dataset }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Imports a folder on the machine of the service as a dataset, as a copy or a link. LeRobot datasets, SONIC
   *  deploy folders and TWIST2 dataset yamls become one raw clip per episode. `POST /api/data/import` */
  async importDataset(input: ImportDatasetInput, options?: CallOptions): Promise<TaskStarted> {
    const { source, name, link, read } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/import', body: { source, name, link, read }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Lists the joints of the selected robot in the column order of CSV clips. `GET /api/data/joints` */
  async listClipJoints(options?: CallOptions): Promise<ListClipJointsReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/data/joints' };
    return (await this.json(request, options)) as ListClipJointsReply;
  }

  /** Lists the clips of a dataset, filtered and sorted, page by page. `GET /api/data/clips` */
  async listClips(input: ListClipsInput, options?: CallOptions): Promise<ListClipsReply> {
    const { dataset, q, status, findings, failed, tag, excluded, sort, order, page, size } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/data/clips', query: { dataset, q, status, findings, failed, tag, excluded, sort, order, page, size } };
    return (await this.json(request, options)) as ListClipsReply;
  }

  /** Lists the datasets of the selected robot with the number of source, converted and missing clips. `GET
   *  /api/data/datasets` */
  async listDatasets(options?: CallOptions): Promise<ListDatasetsReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/data/datasets' };
    return (await this.json(request, options)) as ListDatasetsReply;
  }

  /** Excludes, weights and tags clips, and ignores issues. Absent fields keep their value. A list replaces the
   *  previous list; `add` and `remove` change single entries. `POST /api/data/mark` */
  async markClips(input: MarkClipsInput, options?: CallOptions): Promise<MarkClipsReply> {
    const { dataset, clips, q, exclude, weight, tags, ignore, add, remove } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/mark', body: { dataset, clips, q, exclude, weight, tags, ignore, add, remove } };
    return (await this.json(request, options)) as MarkClipsReply;
  }

  /** Picks the best clips of a dataset by score, up to a total duration. `POST /api/data/pick` */
  async pickClips(input: PickClipsInput, options?: CallOptions): Promise<PickClipsReply> {
    const { dataset, minutes } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/pick', body: { dataset, minutes } };
    return (await this.json(request, options)) as PickClipsReply;
  }

  /** Reads the datasets again after a series of uploads. `POST /api/data/uploaded` */
  async refreshDatasets(options?: CallOptions): Promise<RefreshDatasetsReply> {
    const request: ApiRequest = { method: 'POST', path: '/api/data/uploaded', body: {} };
    return (await this.json(request, options)) as RefreshDatasetsReply;
  }

  /** Renames a clip with its npz, recipe and marks, or a dataset. `POST /api/data/rename` */
  async renameData(input: RenameDataInput, options?: CallOptions): Promise<RenameDataReply> {
    const { dataset, name, clip } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/rename', body: { dataset, name, clip } };
    return (await this.json(request, options)) as RenameDataReply;
  }

  /** Measures a dataset: total hours and a histogram of clip durations. `POST /api/data/scan` */
  async scanDataset(input: ScanDatasetInput, options?: CallOptions): Promise<TaskStarted> {
    const { dataset } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/scan', body: { dataset }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Uploads a clip or a bundle of clips to a dataset. `PUT /api/data/upload/{dataset}/{file}` */
  async uploadClip(input: UploadClipInput, content: Upload, options?: CallOptions): Promise<UploadClipReply> {
    const { dataset, file } = input;
    const request: ApiRequest = { method: 'PUT', path: '/api/data/upload/{dataset}/{file}', params: { dataset, file }, upload: content };
    return (await this.json(request, options)) as UploadClipReply;
  }

  /** Closes the preview. The scene shows its previous content. `POST /api/data/close` */
  async closePreview(options?: CallOptions): Promise<Ok> {
    const request: ApiRequest = { method: 'POST', path: '/api/data/close', body: {} };
    return (await this.json(request, options)) as Ok;
  }

  /** Gets the state of the clip preview. `GET /api/data/preview` */
  async getPreview(options?: CallOptions): Promise<Preview> {
    const request: ApiRequest = { method: 'GET', path: '/api/data/preview' };
    return (await this.json(request, options)) as Preview;
  }

  /** Opens a clip in the scene and plays it from frame 0. `POST /api/data/load` */
  async loadClip(input: LoadClipInput, options?: CallOptions): Promise<TaskStarted> {
    const { dataset, clip, source } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/load', body: { dataset, clip, source }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Opens several clips side by side in the scene. With `loop`, each clip starts again at its own end. `POST
   *  /api/data/grid` */
  async loadGrid(input: LoadGridInput, options?: CallOptions): Promise<TaskStarted> {
    const { dataset, clips, q, count } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/grid', body: { dataset, clips, q, count }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Shows the result of an edit in the scene without writing it. The playhead of the open clip stays. `POST
   *  /api/data/edit/preview` */
  async previewEdit(input: PreviewEditInput, options?: CallOptions): Promise<PreviewEditReply> {
    const { dataset, clip, steps, part } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/edit/preview', body: { dataset, clip, steps, part } };
    return (await this.json(request, options)) as PreviewEditReply;
  }

  /** Moves the preview to a frame. `POST /api/data/frame` */
  async seekPreviewFrame(input: SeekPreviewFrameInput, options?: CallOptions): Promise<SeekPreviewFrameReply> {
    const { frame } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/frame', body: { frame } };
    return (await this.json(request, options)) as SeekPreviewFrameReply;
  }

  /** Moves the preview to a time. `POST /api/data/time` */
  async seekPreviewTime(input: SeekPreviewTimeInput, options?: CallOptions): Promise<SeekPreviewTimeReply> {
    const { time } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/time', body: { time } };
    return (await this.json(request, options)) as SeekPreviewTimeReply;
  }

  /** Sets display options and speed of the preview. Absent fields keep their value. `POST /api/data/options` */
  async setPreviewOptions(input: SetPreviewOptionsInput = {}, options?: CallOptions): Promise<SetPreviewOptionsReply> {
    const { speed, loop, ghost, keybodies, contacts, trail } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/options', body: { speed, loop, ghost, keybodies, contacts, trail } };
    return (await this.json(request, options)) as SetPreviewOptionsReply;
  }

  /** Plays or pauses the preview. `POST /api/data/playing` */
  async setPreviewPlaying(input: SetPreviewPlayingInput = {}, options?: CallOptions): Promise<SetPreviewPlayingReply> {
    const { playing } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/data/playing', body: { playing } };
    return (await this.json(request, options)) as SetPreviewPlayingReply;
  }

  /** Gets the channels of the clip that is open in the preview. `GET /api/plots/clip` */
  async getClipPlots(input: GetClipPlotsInput = {}, options?: CallOptions): Promise<GetClipPlotsReply> {
    const { group, ref } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/plots/clip', query: { group, ref } };
    return (await this.json(request, options)) as GetClipPlotsReply;
  }

  /** Gets rows of the record of an environment. `GET /api/plots/play`. Returns the response, whose body is the file */
  async getPlayPlots(input: GetPlayPlotsInput = {}, options?: CallOptions): Promise<Response> {
    const { env, since, epoch } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/plots/play', query: { env, since, epoch } };
    return this.send(request, options);
  }

  /** Deletes a module. `DELETE /api/modules/{name}` */
  async deleteModule(input: DeleteModuleInput, options?: CallOptions): Promise<DeleteModuleReply> {
    const { name } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/modules/{name}', params: { name } };
    return (await this.json(request, options)) as DeleteModuleReply;
  }

  /** Gets a module. `GET /api/modules/{name}` */
  async getModule(input: GetModuleInput, options?: CallOptions): Promise<ModuleInFull> {
    const { name } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/modules/{name}', params: { name } };
    return (await this.json(request, options)) as ModuleInFull;
  }

  /** Creates or replaces a module. `PUT /api/modules/{name}` */
  async writeModule(input: WriteModuleInput, options?: CallOptions): Promise<WriteModuleReply> {
    const { name, overrides, description, dry_run } = input;
    const request: ApiRequest = { method: 'PUT', path: '/api/modules/{name}', params: { name }, body: { overrides, description, dry_run } };
    return (await this.json(request, options)) as WriteModuleReply;
  }

  /** Deletes a preset. `DELETE /api/presets/{name}` */
  async deletePreset(input: DeletePresetInput, options?: CallOptions): Promise<DeletePresetReply> {
    const { name } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/presets/{name}', params: { name } };
    return (await this.json(request, options)) as DeletePresetReply;
  }

  /** Gets a preset. `GET /api/presets/{name}` */
  async getPreset(input: GetPresetInput, options?: CallOptions): Promise<PresetInFull> {
    const { name } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/presets/{name}', params: { name } };
    return (await this.json(request, options)) as PresetInFull;
  }

  /** Creates or replaces a preset. `PUT /api/presets/{name}` */
  async writePreset(input: WritePresetInput, options?: CallOptions): Promise<WritePresetReply> {
    const { name, base, overrides, modules, description, dry_run } = input;
    const request: ApiRequest = { method: 'PUT', path: '/api/presets/{name}', params: { name }, body: { base, overrides, modules, description, dry_run } };
    return (await this.json(request, options)) as WritePresetReply;
  }

  /** Gets every setting of a task with its default, and the terms that can be added. `GET /api/presets/schema` */
  async getPresetSchema(input: GetPresetSchemaInput, options?: CallOptions): Promise<GetPresetSchemaReply> {
    const { base, modules } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/presets/schema', query: { base, modules } };
    return (await this.json(request, options)) as GetPresetSchemaReply;
  }

  /** Lists the tasks, the presets and modules, and the folder of their files. `GET /api/presets` */
  async listPresets(options?: CallOptions): Promise<ListPresetsReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/presets' };
    return (await this.json(request, options)) as ListPresetsReply;
  }

  /** Gets the training curves of a job or of a run. `GET /api/curves` */
  async getCurves(input: GetCurvesInput = {}, options?: CallOptions): Promise<GetCurvesReply> {
    const { job, run, group, max_points, since } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/curves', query: { job, run, group, max_points, since } };
    return (await this.json(request, options)) as GetCurvesReply;
  }

  /** Starts a training as a job. It continues if the service stops. `POST /api/train/launch` */
  async launchTraining(input: LaunchTrainingInput, options?: CallOptions): Promise<LaunchTrainingReply> {
    const { task, dataset, num_envs, max_iterations, run_name, resume_run, resume_checkpoint, start_from, logger, extra, trainer, launcher, seed, dry_run } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/train/launch', body: { task, dataset, num_envs, max_iterations, run_name, resume_run, resume_checkpoint, start_from, logger, extra, trainer, launcher, seed, dry_run } };
    return (await this.json(request, options)) as LaunchTrainingReply;
  }

  /** Lists the tasks of the selected robot (built-in tasks and presets), the trainers and the launchers. `GET
   *  /api/tasks` */
  async listTasks(options?: CallOptions): Promise<ListTasksReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/tasks' };
    return (await this.json(request, options)) as ListTasksReply;
  }

  /** Downloads the log of a job. `GET /api/jobs/{name}/log`. Returns the response, whose body is the file */
  async downloadJobLog(input: DownloadJobLogInput, options?: CallOptions): Promise<Response> {
    const { name } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/jobs/{name}/log', params: { name } };
    return this.send(request, options);
  }

  /** Deletes the record and log of a job. Its run is kept. Waits for a job that is stopping. `DELETE
   *  /api/jobs/{name}` */
  async forgetJob(input: ForgetJobInput, options?: CallOptions): Promise<Ok> {
    const { name } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/jobs/{name}', params: { name } };
    return (await this.json(request, options)) as Ok;
  }

  /** Gets one job with the end of its log. `GET /api/jobs/{name}` */
  async getJob(input: GetJobInput, options?: CallOptions): Promise<GetJobReply> {
    const { name, tail } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/jobs/{name}', params: { name }, query: { tail } };
    return (await this.json(request, options)) as GetJobReply;
  }

  /** Lists the jobs with status, progress and estimated remaining time, newest first. `GET /api/jobs` */
  async listJobs(options?: CallOptions): Promise<ListJobsReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/jobs' };
    return (await this.json(request, options)) as ListJobsReply;
  }

  /** Stops a job. A job that has already ended is not an error. `POST /api/jobs/{name}/stop` */
  async stopJob(input: StopJobInput, options?: CallOptions): Promise<Ok> {
    const { name } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/jobs/{name}/stop', params: { name }, body: {} };
    return (await this.json(request, options)) as Ok;
  }

  /** Deletes a run. `DELETE /api/runs` */
  async deleteRun(input: DeleteRunInput, options?: CallOptions): Promise<DeleteRunReply> {
    const { run } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/runs', query: { run } };
    return (await this.json(request, options)) as DeleteRunReply;
  }

  /** Lists the runs on disk, newest first; with since, only what changed. `GET /api/runs` */
  async listRuns(input: ListRunsInput = {}, options?: CallOptions): Promise<ListRunsReply> {
    const { since } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/runs', query: { since } };
    return (await this.json(request, options)) as ListRunsReply;
  }

  /** Downloads one file of a run. `GET /api/runs/file`. Returns the response, whose body is the file */
  async downloadRunFile(input: DownloadRunFileInput, options?: CallOptions): Promise<Response> {
    const { run, file } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/runs/file', query: { run, file } };
    return this.send(request, options);
  }

  /** Sets the tags, the note or the favourite mark of a run. Absent fields stay as they are. `POST /api/runs/mark` */
  async markRun(input: MarkRunInput, options?: CallOptions): Promise<Ok> {
    const { run, tags, note, favourite } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/runs/mark', body: { run, tags, note, favourite } };
    return (await this.json(request, options)) as Ok;
  }

  /** Makes a dataset of the stretches around failures. The clips of the evaluation stay as they are. `POST
   *  /api/evaluations/{name}/dataset` */
  async collectFailures(input: CollectFailuresInput, options?: CallOptions): Promise<TaskStarted> {
    const { name, dataset, below, margin_s, checkpoint, condition } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/evaluations/{name}/dataset', params: { name }, body: { dataset, below, margin_s, checkpoint, condition }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Compares two evaluations of the same motion, clips, starts, seed and conditions: differences b − a of all
   *  metrics with 95 % intervals (paired bootstrap over clips and starts). `GET /api/evaluations/compare` */
  async compareStoredEvaluations(input: CompareStoredEvaluationsInput, options?: CallOptions): Promise<CompareStoredEvaluationsReply> {
    const { a, b, a_checkpoint, b_checkpoint } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/evaluations/compare', query: { a, b, a_checkpoint, b_checkpoint } };
    return (await this.json(request, options)) as CompareStoredEvaluationsReply;
  }

  /** Deletes an evaluation. `DELETE /api/evaluations/{name}` */
  async deleteEvaluation(input: DeleteEvaluationInput, options?: CallOptions): Promise<Ok> {
    const { name } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/evaluations/{name}', params: { name } };
    return (await this.json(request, options)) as Ok;
  }

  /** Gets one evaluation with its tables of clips and joints. `GET /api/evaluations/{name}` */
  async getEvaluation(input: GetEvaluationInput, options?: CallOptions): Promise<Evaluation> {
    const { name } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/evaluations/{name}', params: { name } };
    return (await this.json(request, options)) as Evaluation;
  }

  /** Gets the report of an evaluation. The HTML is one file without references; CSV and JSON have every episode.
   *  `GET /api/evaluations/{name}/report`. Returns the response, whose body is the file */
  async getEvaluationReport(input: GetEvaluationReportInput, options?: CallOptions): Promise<Response> {
    const { name, format } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/evaluations/{name}/report', params: { name }, query: { format } };
    return this.send(request, options);
  }

  /** Lists evaluations with their summaries, newest first. The results of an unfinished evaluation are empty. `GET
   *  /api/evaluations` */
  async listEvaluations(input: ListEvaluationsInput = {}, options?: CallOptions): Promise<ListEvaluationsReply> {
    const { run } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/evaluations', query: { run } };
    return (await this.json(request, options)) as ListEvaluationsReply;
  }

  /** Evaluates checkpoints of a run on clips, from several start times and under several conditions, as a job. It
   *  continues if the service stops. `POST /api/evaluate` */
  async startEvaluation(input: StartEvaluationInput, options?: CallOptions): Promise<StartEvaluationReply> {
    const { run, checkpoints, motion, clips, starts, horizon_s, conditions, seed, gate, launcher, resume } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/evaluate', body: { run, checkpoints, motion, clips, starts, horizon_s, conditions, seed, gate, launcher, resume } };
    return (await this.json(request, options)) as StartEvaluationReply;
  }

  /** Tests a bundle that is sent as a zip file, on the selected robot. It is compared with the run that it names,
   *  if that run is in this workspace. `PUT /api/exports/check` */
  async checkBundle(content: Upload, options?: CallOptions): Promise<CheckBundleReply> {
    const request: ApiRequest = { method: 'PUT', path: '/api/exports/check', upload: content };
    return (await this.json(request, options)) as CheckBundleReply;
  }

  /** Deletes a bundle. `DELETE /api/exports/{name}` */
  async deleteExport(input: DeleteExportInput, options?: CallOptions): Promise<Ok> {
    const { name } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/exports/{name}', params: { name } };
    return (await this.json(request, options)) as Ok;
  }

  /** Downloads a bundle as a zip file. `GET /api/exports/{name}`. Returns the response, whose body is the file */
  async downloadExport(input: DownloadExportInput, options?: CallOptions): Promise<Response> {
    const { name } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/exports/{name}', params: { name } };
    return this.send(request, options);
  }

  /** Exports a checkpoint with a clip for a robot's controller, reads the written files back and runs them beside
   *  the policy of the run. `POST /api/export` */
  async exportPolicy(input: ExportPolicyInput, options?: CallOptions): Promise<TaskStarted> {
    const { run, format, checkpoint, clip, stand_in_s, stand_out_s, selftest_s } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/export', body: { run, format, checkpoint, clip, stand_in_s, stand_out_s, selftest_s }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Lists exported bundles with the results of their self-tests, newest first. `GET /api/exports` */
  async listExports(input: ListExportsInput = {}, options?: CallOptions): Promise<ListExportsReply> {
    const { run } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/exports', query: { run } };
    return (await this.json(request, options)) as ListExportsReply;
  }

  /** Plays 2 to 4 policies in lock step: same clip, same start, same pushes, same noise. `POST /api/play/compare` */
  async comparePolicies(input: ComparePoliciesInput, options?: CallOptions): Promise<TaskStarted> {
    const { entries, motion, clip, frame, seed, layout } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/play/compare', body: { entries, motion, clip, frame, seed, layout }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Starts a session with a policy, or changes the running session. `POST /api/play/configure` */
  async configurePlay(input: ConfigurePlayInput = {}, options?: CallOptions): Promise<ConfigurePlayReply> {
    const { run, checkpoint, motion, num_envs, terminations, seed } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/play/configure', body: { run, checkpoint, motion, num_envs, terminations, seed }, slow: true };
    return (await this.json(request, options)) as ConfigurePlayReply;
  }

  /** Downloads the record of the last 60 s of an environment. `GET /api/play/record`. Returns the response, whose
   *  body is the file */
  async downloadPlayRecord(input: DownloadPlayRecordInput = {}, options?: CallOptions): Promise<Response> {
    const { env, format } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/play/record', query: { env, format } };
    return this.send(request, options);
  }

  /** Selects the environment for metrics, plots and the camera. `POST /api/focus` */
  async focusEnv(input: FocusEnvInput, options?: CallOptions): Promise<FocusEnvReply> {
    const { index } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/focus', body: { index } };
    return (await this.json(request, options)) as FocusEnvReply;
  }

  /** Gets the state of the play session. `GET /api/play` */
  async getPlayState(options?: CallOptions): Promise<PlayState> {
    const request: ApiRequest = { method: 'GET', path: '/api/play' };
    return (await this.json(request, options)) as PlayState;
  }

  /** Lists the clips of the session. The list is empty without a session. `GET /api/play/clips` */
  async listPlayClips(options?: CallOptions): Promise<ListPlayClipsReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/play/clips' };
    return (await this.json(request, options)) as ListPlayClipsReply;
  }

  /** Lists the motion libraries that a run can play. `GET /api/play/libraries` */
  async listPlayLibraries(input: ListPlayLibrariesInput, options?: CallOptions): Promise<ListPlayLibrariesReply> {
    const { run } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/play/libraries', query: { run } };
    return (await this.json(request, options)) as ListPlayLibrariesReply;
  }

  /** Lists the runs on disk, newest first. unplayable says why a run cannot be played. `GET /api/play/runs` */
  async listPlayRuns(options?: CallOptions): Promise<ListPlayRunsReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/play/runs' };
    return (await this.json(request, options)) as ListPlayRunsReply;
  }

  /** Makes an environment repeat one clip. `POST /api/play/clip` */
  async pinClip(input: PinClipInput, options?: CallOptions): Promise<Ok> {
    const { clip, env, frame } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/play/clip', body: { clip, env, frame } };
    return (await this.json(request, options)) as Ok;
  }

  /** Plays a failure of an evaluation under its condition, from one second before the failure. `POST
   *  /api/play/worst` */
  async playWorst(input: PlayWorstInput, options?: CallOptions): Promise<TaskStarted> {
    const { evaluation, row } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/play/worst', body: { evaluation, row }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Pushes the robots. `POST /api/play/push` */
  async pushRobot(input: PushRobotInput, options?: CallOptions): Promise<Ok> {
    const { speed, direction, env } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/play/push', body: { speed, direction, env } };
    return (await this.json(request, options)) as Ok;
  }

  /** Restarts the episode of every environment. `POST /api/play/restart` */
  async restartPlay(options?: CallOptions): Promise<Ok> {
    const request: ApiRequest = { method: 'POST', path: '/api/play/restart', body: {} };
    return (await this.json(request, options)) as Ok;
  }

  /** Sets ghost, markers and speed of the session. Absent fields keep their value. `POST /api/play/options` */
  async setPlayOptions(input: SetPlayOptionsInput = {}, options?: CallOptions): Promise<SetPlayOptionsReply> {
    const { ghost, targets, contacts, speed } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/play/options', body: { ghost, targets, contacts, speed } };
    return (await this.json(request, options)) as SetPlayOptionsReply;
  }

  /** Pauses or resumes the session. `POST /api/play/playing` */
  async setPlayPlaying(input: SetPlayPlayingInput = {}, options?: CallOptions): Promise<SetPlayPlayingReply> {
    const { playing } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/play/playing', body: { playing } };
    return (await this.json(request, options)) as SetPlayPlayingReply;
  }

  /** Changes reward weights of the running session. `POST /api/play/rewards` */
  async setPlayRewards(input: SetPlayRewardsInput, options?: CallOptions): Promise<SetPlayRewardsReply> {
    const { rewards } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/play/rewards', body: { rewards } };
    return (await this.json(request, options)) as SetPlayRewardsReply;
  }

  /** Pauses the session and simulates one control step. `POST /api/play/step` */
  async stepPlay(options?: CallOptions): Promise<StepPlayReply> {
    const request: ApiRequest = { method: 'POST', path: '/api/play/step', body: {} };
    return (await this.json(request, options)) as StepPlayReply;
  }

  /** Stops the session. Does nothing without a session. `POST /api/play/stop` */
  async stopPlay(options?: CallOptions): Promise<Ok> {
    const request: ApiRequest = { method: 'POST', path: '/api/play/stop', body: {} };
    return (await this.json(request, options)) as Ok;
  }

  /** Permanently removes one item of the trash, or all items. `POST /api/trash/empty` */
  async emptyTrash(input: EmptyTrashInput = {}, options?: CallOptions): Promise<EmptyTrashReply> {
    const { undo } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/trash/empty', body: { undo } };
    return (await this.json(request, options)) as EmptyTrashReply;
  }

  /** Lists deleted and replaced items that can be restored, newest first. `GET /api/trash` */
  async listTrash(options?: CallOptions): Promise<ListTrashReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/trash' };
    return (await this.json(request, options)) as ListTrashReply;
  }

  /** Takes back a deletion, a replacement or a rename. `POST /api/undo` */
  async undoAction(input: UndoActionInput, options?: CallOptions): Promise<UndoActionReply> {
    const { undo } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/undo', body: { undo } };
    return (await this.json(request, options)) as UndoActionReply;
  }

  /** Deletes a recording, which is final. `DELETE /api/recordings/{name}` */
  async deleteRecording(input: DeleteRecordingInput, options?: CallOptions): Promise<Ok> {
    const { name } = input;
    const request: ApiRequest = { method: 'DELETE', path: '/api/recordings/{name}', params: { name } };
    return (await this.json(request, options)) as Ok;
  }

  /** Downloads a recording. `GET /api/recordings/{name}`. Returns the response, whose body is the file */
  async downloadRecording(input: DownloadRecordingInput, options?: CallOptions): Promise<Response> {
    const { name } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/recordings/{name}', params: { name } };
    return this.send(request, options);
  }

  /** Lists the recordings of the workspace, newest first. `GET /api/recordings` */
  async listRecordings(options?: CallOptions): Promise<ListRecordingsReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/recordings' };
    return (await this.json(request, options)) as ListRecordingsReply;
  }

  /** Plays a recording of the selected robot in the scene, with the same playback controls as a clip. `POST
   *  /api/record/open` */
  async openRecording(input: OpenRecordingInput, options?: CallOptions): Promise<TaskStarted> {
    const { name } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/record/open', body: { name }, slow: true };
    return (await this.json(request, options)) as TaskStarted;
  }

  /** Records the frames of the scene. During a play session also records the rows and events of the focused
   *  environment. `POST /api/record/start` */
  async startRecording(input: StartRecordingInput = {}, options?: CallOptions): Promise<StartRecordingReply> {
    const { name, format, max_s } = input;
    const request: ApiRequest = { method: 'POST', path: '/api/record/start', body: { name, format, max_s } };
    return (await this.json(request, options)) as StartRecordingReply;
  }

  /** Stops the recording. Answers once its file is complete. `POST /api/record/stop` */
  async stopRecording(options?: CallOptions): Promise<StopRecordingReply> {
    const request: ApiRequest = { method: 'POST', path: '/api/record/stop', body: {} };
    return (await this.json(request, options)) as StopRecordingReply;
  }

  /** Reports version and uptime of the service. `GET /healthz` */
  async getHealth(options?: CallOptions): Promise<GetHealthReply> {
    const request: ApiRequest = { method: 'GET', path: '/healthz' };
    return (await this.json(request, options)) as GetHealthReply;
  }

  /** Gets the last log lines of level info and above, oldest first. `GET /api/log` */
  async getLog(input: GetLogInput = {}, options?: CallOptions): Promise<GetLogReply> {
    const { tail } = input;
    const request: ApiRequest = { method: 'GET', path: '/api/log', query: { tail } };
    return (await this.json(request, options)) as GetLogReply;
  }

  /** Gets metrics for Prometheus. `GET /metrics`. Returns the response, whose body is the file */
  async getMetrics(options?: CallOptions): Promise<Response> {
    const request: ApiRequest = { method: 'GET', path: '/metrics' };
    return this.send(request, options);
  }

  /** Gets this API as an OpenAPI 3.1 document. `GET /api/openapi.json` */
  async getOpenApi(options?: CallOptions): Promise<GetOpenApiReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/openapi.json' };
    return (await this.json(request, options)) as GetOpenApiReply;
  }

  /** Lists slow actions: the running ones and the last 50 that ended, newest first. `GET /api/busy` */
  async listBusyTasks(options?: CallOptions): Promise<ListBusyTasksReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/busy' };
    return (await this.json(request, options)) as ListBusyTasksReply;
  }

  /** Lists the connected websocket clients, the oldest connection first. `GET /api/clients` */
  async listClients(options?: CallOptions): Promise<ListClientsReply> {
    const request: ApiRequest = { method: 'GET', path: '/api/clients' };
    return (await this.json(request, options)) as ListClientsReply;
  }
}
