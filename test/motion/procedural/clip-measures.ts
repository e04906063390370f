import { humanoidMjcf, humanoidSpec } from '../../../src/robots/humanoid/humanoid.ts';
import { buildRobotModel, type RobotModel } from '../../../src/robots/robot-model.ts';
import { loadMujoco, type MainModule, type MjData, type MjModel, nameAt } from '../../../src/sim/mujoco.ts';

interface Frames {
  readonly fps: number;
  readonly width: number;
  readonly frames: Float64Array;
}

/** All measures that the tests check, from MuJoCo's forward kinematics. */
export interface Measures {
  /** height of the lowest point of the collision shapes, m: minimum and maximum over all frames */
  readonly deepest: number;
  readonly floating: number;
  /** names of bodies that touch each other */
  readonly selfContacts: readonly string[];
  /** maximum number of consecutive frames in which a sole near the floor (z < 0.02 m) moves faster than 0.6 m/s */
  readonly slidingFrames: number;
  /** greatest speed of a sole that is flat on the floor (z < 0.001 m), m/s */
  readonly flatSoleSpeed: number;
  /** rad beyond the hard range, and beyond the soft range; rad/s; rad/s²; m and rad per frame */
  readonly beyondLimit: number;
  readonly beyondSoftLimit: number;
  readonly speed: number;
  readonly acceleration: number;
  readonly rootMove: number;
  readonly rootTurn: number;
  readonly quaternionError: number;
  readonly finite: boolean;
}

export interface Bench {
  readonly built: RobotModel;
  readonly measure: (clip: Frames) => Measures;
}

export async function openBench(): Promise<Bench> {
  const mj = await loadMujoco();
  const spec = humanoidSpec();
  const built = buildRobotModel(mj, new Map([[spec.model, new TextEncoder().encode(humanoidMjcf())]]), spec);
  mj.FS.writeFile('/clip-measures.mjb', built.physics);
  const model = mj.MjModel.from_binary_path('/clip-measures.mjb', new mj.MjVFS());
  const data = new mj.MjData(model);
  return { built, measure: (clip) => measure(mj, model, data, built, clip) };
}

function measure(mj: MainModule, model: MjModel, data: MjData, built: RobotModel, clip: Frames): Measures {
  const { fps, width, frames } = clip;
  const count = frames.length / width;
  const row = (k: number) => frames.subarray(k * width, (k + 1) * width);
  const soles: { readonly z: number; readonly x: number; readonly y: number }[][] = [];
  const selfContacts = new Set<string>();
  let deepest = Infinity;
  let floating = -Infinity;
  for (let k = 0; k < count; k++) {
    const [x, y, z, qx, qy, qz, qw, ...joints] = row(k);
    data.qpos.set([x, y, z, qw, qx, qy, qz, ...joints]);
    mj.mj_fwdPosition(model, data);
    const lowest = lowestPoint(model, data);
    deepest = Math.min(deepest, lowest);
    floating = Math.max(floating, lowest);
    soles.push([0, 1].map((side) => soleOf(mj, model, data, side)));
    for (const pair of touchingBodies(model, data)) selfContacts.add(pair);
  }
  let slidingFrames = 0;
  let flatSoleSpeed = 0;
  for (const side of [0, 1]) {
    let run = 0;
    for (let k = 1; k < count; k++) {
      const [a, b] = [soles[k - 1]![side]!, soles[k]![side]!];
      const speed = Math.hypot(b.x - a.x, b.y - a.y) * fps;
      run = a.z < 0.02 && b.z < 0.02 && speed > 0.6 ? run + 1 : 0;
      slidingFrames = Math.max(slidingFrames, run);
      if (a.z < 0.001 && b.z < 0.001) flatSoleSpeed = Math.max(flatSoleSpeed, speed);
    }
  }
  let [beyondLimit, beyondSoftLimit, speed, acceleration, rootMove, rootTurn, quaternionError] = [0, 0, 0, 0, 0, 0, 0];
  for (let k = 0; k < count; k++) {
    const now = row(k);
    quaternionError = Math.max(quaternionError, Math.abs(Math.hypot(...now.subarray(3, 7)) - 1));
    for (const [j, joint] of built.facts.joints.entries()) {
      const q = now[7 + j]!;
      const middle = (joint.lower! + joint.upper!) / 2;
      const half = (joint.upper! - joint.lower!) / 2;
      beyondLimit = Math.max(beyondLimit, Math.abs(q - middle) - half);
      beyondSoftLimit = Math.max(beyondSoftLimit, Math.abs(q - middle) - 0.9 * half);
      if (k > 0) speed = Math.max(speed, Math.abs(q - row(k - 1)[7 + j]!) * fps);
      if (k > 1) {
        const second = q - 2 * row(k - 1)[7 + j]! + row(k - 2)[7 + j]!;
        acceleration = Math.max(acceleration, Math.abs(second) * fps * fps);
      }
    }
    if (k === 0) continue;
    const before = row(k - 1);
    rootMove = Math.max(rootMove, Math.hypot(...[0, 1, 2].map((i) => now[i]! - before[i]!)));
    const cosine = [3, 4, 5, 6].reduce((sum, i) => sum + now[i]! * before[i]!, 0);
    rootTurn = Math.max(rootTurn, 2 * Math.acos(Math.min(1, Math.abs(cosine))));
  }
  return {
    deepest,
    floating,
    selfContacts: [...selfContacts],
    slidingFrames,
    flatSoleSpeed,
    beyondLimit,
    beyondSoftLimit,
    speed,
    acceleration,
    rootMove,
    rootTurn,
    quaternionError,
    finite: frames.every(Number.isFinite),
  };
}

/** Height of the lowest point of the capsules, m. The robot has no other collision shapes. */
function lowestPoint(model: MjModel, data: MjData): number {
  let lowest = Infinity;
  for (let g = 0; g < model.ngeom; g++) {
    if (model.geom_bodyid[g] === 0) continue;
    const reach = Math.abs(data.geom_xmat[9 * g + 8]) * model.geom_size[3 * g + 1] + model.geom_size[3 * g];
    lowest = Math.min(lowest, data.geom_xpos[3 * g + 2] - reach);
  }
  return lowest;
}

function soleOf(mj: MainModule, model: MjModel, data: MjData, side: number) {
  const site = mj.mj_name2id(model, mj.mjtObj.mjOBJ_SITE.value, side === 0 ? 'left_foot' : 'right_foot');
  const [x, y, z] = data.site_xpos.subarray(3 * site, 3 * site + 3) as Float64Array;
  return { x: x!, y: y!, z: z! };
}

function touchingBodies(model: MjModel, data: MjData): string[] {
  const pairs: string[] = [];
  const list = data.contact;
  for (let k = 0; k < data.ncon; k++) {
    const contact = list.get(k)!;
    const bodies = [contact.geom1, contact.geom2].map((geom): number => model.geom_bodyid[geom]);
    if (!bodies.includes(0)) pairs.push(bodies.map((body) => nameAt(model, model.name_bodyadr[body])).join(' '));
    contact.delete();
  }
  list.delete();
  return pairs;
}
