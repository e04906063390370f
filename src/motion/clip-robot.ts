import { readFile } from 'node:fs/promises';
import type { RobotFacts } from '../robots/robot-facts.ts';
import { HeapViews } from '../sim/heap-views.ts';
import { type DoubleBuffer, loadMujoco, type MainModule, type MjData, type MjModel } from '../sim/mujoco.ts';

/** Describes where a thread finds a compiled robot. This object is sent between threads. */
export interface ClipRobotSource {
  /** path of the compiled model (MJB) on this machine; the name identifies the content */
  readonly physicsPath: string;
  readonly facts: RobotFacts;
}

/** Maximum number of robots that a thread keeps loaded. MuJoCo's heap never shrinks, and work usually comes robot by
 *  robot. */
const KEPT = 4;

/** MuJoCo's arrays of a robot's state. Row 0 of body arrays is the world. */
export interface RobotViews {
  /** (nq,) root x y z, quaternion wxyz, joints */
  readonly qpos: Float64Array;
  /** (nv,) root linear velocity in the world frame, root angular velocity in the root's frame, joint velocities */
  readonly qvel: Float64Array;
  /** (nv,) */
  readonly qacc: Float64Array;
  /** (nv,) passive forces, such as those of springs and dampers */
  readonly qfrcPassive: Float64Array;
  /** (nv,) results of inverse dynamics: {@link ClipRobot.forces} */
  readonly forces: Float64Array;
  /** (nbody + 1, 3) m, world frame */
  readonly xpos: Float64Array;
  /** (nbody + 1, 4) wxyz, world frame */
  readonly xquat: Float64Array;
  /** (joints, 3) anchors in m, and axes as unit vectors, world frame; row 0 is the free joint */
  readonly xanchor: Float64Array;
  readonly xaxis: Float64Array;
  /** (nbody + 1, 6) angular, then linear velocity in world axes, about the centre of mass of the root's subtree */
  readonly cvel: Float64Array;
  /** (nbody + 1, 3) m, world frame */
  readonly subtreeCom: Float64Array;
  /** (ngeom, 3) m and (ngeom, 9) rotation matrices, world frame */
  readonly geomXpos: Float64Array;
  readonly geomXmat: Float64Array;
}

/** A compiled robot with one state (MjData), for computations on clips. Geom 0 is the floor, a plane at z = 0. The
 *  model has no visual geoms. */
export class ClipRobot {
  readonly facts: RobotFacts;
  readonly mj: MainModule;
  readonly model: MjModel;
  readonly data: MjData;
  readonly nq: number;
  readonly nv: number;
  /** bodies without the world */
  readonly nbody: number;
  /** (nv,) memory in the WASM heap to which MuJoCo's functions write without a copy */
  readonly forces: DoubleBuffer;
  readonly #views: HeapViews<RobotViews>;

  constructor(mj: MainModule, model: MjModel, facts: RobotFacts) {
    this.mj = mj;
    this.model = model;
    this.facts = facts;
    this.data = new mj.MjData(model);
    this.nq = model.nq;
    this.nv = model.nv;
    this.nbody = model.nbody - 1;
    this.forces = new mj.DoubleBuffer(model.nv);
    this.#views = new HeapViews(() => viewsOf(this.data, this.forces));
  }

  /** Views of the state. Valid until the next call of MuJoCo: read the property again after each call. */
  get views(): RobotViews {
    return this.#views.current;
  }

  delete(): void {
    this.forces.delete();
    this.data.delete();
    this.model.delete();
  }
}

function viewsOf(data: MjData, forces: DoubleBuffer): RobotViews {
  return {
    qpos: data.qpos,
    qvel: data.qvel,
    qacc: data.qacc,
    qfrcPassive: data.qfrc_passive,
    forces: forces.GetView(),
    xpos: data.xpos,
    xquat: data.xquat,
    xanchor: data.xanchor,
    xaxis: data.xaxis,
    cvel: data.cvel,
    subtreeCom: data.subtree_com,
    geomXpos: data.geom_xpos,
    geomXmat: data.geom_xmat,
  };
}

const opened = new Map<string, Promise<ClipRobot>>();

/** Returns this thread's instance of the robot. The first use loads it, in milliseconds. All callers share its state:
 *  after an `await`, the state may hold the pose of another caller. */
export async function openClipRobot({ physicsPath, facts }: ClipRobotSource): Promise<ClipRobot> {
  const known = opened.get(physicsPath);
  if (known) {
    opened.delete(physicsPath);
    opened.set(physicsPath, known);
    return known;
  }
  const opening = load(physicsPath, facts);
  opened.set(physicsPath, opening);
  opening.catch(() => opened.delete(physicsPath));
  for (const [path, robot] of opened) {
    if (opened.size <= KEPT) break;
    opened.delete(path);
    robot.then((old) => old.delete()).catch(() => {}); // a robot that failed to load needs no delete
  }
  return opening;
}

async function load(physicsPath: string, facts: RobotFacts): Promise<ClipRobot> {
  const [mj, bytes] = await Promise.all([loadMujoco(), readFile(physicsPath)]);
  return createClipRobot(mj, bytes, facts);
}

/** Loads a robot of the caller, who deletes it. @param bytes a compiled model (MJB) */
export function createClipRobot(mj: MainModule, bytes: Uint8Array, facts: RobotFacts): ClipRobot {
  mj.FS.writeFile('/clip-robot.mjb', bytes);
  const noFiles = new mj.MjVFS();
  try {
    return new ClipRobot(mj, mj.MjModel.from_binary_path('/clip-robot.mjb', noFiles), facts);
  } finally {
    noFiles.delete();
    mj.FS.unlink('/clip-robot.mjb');
  }
}
