// Computes a squat for any robot from its model: see train-squat.mjs. Uses the built service (npm run build).
import { PosedModel } from '../dist/robots/kinematics/posed-model.js';
import { compileSpec, prepareModel } from '../dist/robots/prepare/prepare-model.js';
import { readModelFiles } from '../dist/robots/robot-source.js';
import { loadMujoco } from '../dist/sim/mujoco.js';

const FPS = 30;
/** s: standing before and after; one squat; squats */
const REST = 0.5;
const CYCLE = { down: 0.9, hold: 0.2, up: 0.8, pause: 0.3 };
const REPEATS = 3;
/** Poses between standing and the deepest one. */
const LEVELS = 40;
/** Largest distance by which a foot may leave its place, m. */
const SLIP = 0.003;
/** Weight of the foot's turning (rad) against its way (m): soles stay flat. */
const FLAT = 0.2;
/** Damping of the solution, against jumps where legs are stretched. */
const DAMPING = 0.02;

/** Computes the clip. Lengths in m.
 *  @param folder of the saved robot  @param spec its RobotSpec  @param joints of GET /api/robot
 *  @param share depth as a share of the root's height; less if the legs do not bend so far
 *  @returns rows as in CSV clips at 30 fps: root x y z, root quaternion x y z w, joints */
export async function squatOf(folder, spec, joints, share) {
  const mj = await loadMujoco();
  const { spec: mjSpec } = prepareModel(mj, readModelFiles(folder), spec.model);
  const posed = new PosedModel(mj, compileSpec(mj, mjSpec, spec.model));
  const standing = new Map(joints.map(({ name, default: value }) => [name, value]));
  for (let depth = share * spec.root_height; depth > 0.01; depth *= 0.8) {
    const levels = bend(posed, spec, standing, depth);
    const slip = Math.max(...levels.map((level) => level.slip));
    if (slip <= SLIP) return { depth, slip, rows: rowsOf(levels, spec, joints, posed.facing, depth) };
  }
  throw new Error(`the legs of ${spec.id} do not bend by 1 cm with their feet in place`);
}

/** Lowers the root in small steps and moves the legs so that each foot stays where it is. */
function bend(posed, spec, standing, depth) {
  const { tree } = posed;
  posed.pose(standing);
  const values = new Map(standing);
  const legs = spec.wiring.feet.map((name) => {
    const foot = tree.carrierOf[tree.names.indexOf(name)];
    const path = [];
    for (let body = foot; body !== tree.root; body = tree.above.get(body)) path.push(body);
    const own = posed.joints.filter(
      (joint) => path.includes(joint.body) && joint.type === 'hinge' && Object.hasOwn(spec.joints, joint.name),
    );
    const isWheel = (joint) => joint.body === foot && joint.lower === null;
    return { foot, joints: own.filter((joint) => !isWheel(joint)), start: soleOf(posed, foot) };
  });
  const isFlat = legs.length === 2;
  const centre = posed.subtreeCentre(tree.root)[0];
  let shift = 0;
  const levels = [];
  for (let level = 0; level <= LEVELS; level++) {
    const down = (depth * level) / LEVELS;
    for (let round = 0; round < 12; round++) {
      posed.pose(values);
      shift = centre - posed.subtreeCentre(tree.root)[0];
      for (const leg of legs) step(posed, leg, values, [-shift, 0, down], isFlat);
    }
    posed.pose(values);
    const slip = Math.max(...legs.map(({ foot, start }) => Math.hypot(...errorOf(posed, foot, start, [-shift, 0, down]))));
    levels.push({ values: new Map(values), shift, down, slip });
  }
  return levels;
}

/** Returns the middle of the points on which a foot stands, m. */
function soleOf(posed, foot) {
  const { x, y, z } = posed.sole(foot);
  return [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2, z];
}

function errorOf(posed, foot, start, move) {
  const now = soleOf(posed, foot);
  return start.map((value, axis) => value + move[axis] - now[axis]);
}

/** One damped least-squares step of a leg towards its foot's place. Joints stay within their ranges. */
function step(posed, { foot, joints, start }, values, move, isFlat) {
  const at = soleOf(posed, foot);
  const columns = joints.map((joint) => {
    const axis = posed.axis(joint);
    const arm = posed.anchor(joint).map((value, k) => at[k] - value);
    const way = [axis[1] * arm[2] - axis[2] * arm[1], axis[2] * arm[0] - axis[0] * arm[2], axis[0] * arm[1] - axis[1] * arm[0]];
    return isFlat ? [...way, ...axis.map((value) => FLAT * value)] : way;
  });
  const error = [...errorOf(posed, foot, start, move), ...(isFlat ? [0, 0, 0] : [])];
  const count = joints.length;
  const matrix = columns.map((a, i) => columns.map((b, k) => dot(a, b) + (i === k ? DAMPING ** 2 : 0)));
  const right = columns.map((column) => dot(column, error));
  const turns = solve(matrix, right, count);
  joints.forEach((joint, k) => {
    const next = values.get(joint.name) + turns[k];
    values.set(joint.name, Math.min(joint.upper ?? Infinity, Math.max(joint.lower ?? -Infinity, next)));
  });
}

const dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);

/** Solves a symmetric positive definite system by elimination. */
function solve(matrix, right, count) {
  for (let k = 0; k < count; k++) {
    for (let row = k + 1; row < count; row++) {
      const factor = matrix[row][k] / matrix[k][k];
      for (let column = k; column < count; column++) matrix[row][column] -= factor * matrix[k][column];
      right[row] -= factor * right[k];
    }
  }
  const out = new Array(count).fill(0);
  for (let k = count - 1; k >= 0; k--) {
    const rest = out.reduce((sum, value, column) => (column > k ? sum + matrix[k][column] * value : sum), 0);
    out[k] = (right[k] - rest) / matrix[k][k];
  }
  return out;
}

function rowsOf(levels, spec, joints, facing, depth) {
  const cycle = CYCLE.down + CYCLE.hold + CYCLE.up + CYCLE.pause;
  const duration = 2 * REST + REPEATS * cycle;
  const ease = (u) => (u <= 0 ? 0 : u >= 1 ? 1 : u * u * u * (10 + u * (6 * u - 15)));
  const heading = (facing * Math.PI) / 2;
  return Array.from({ length: Math.round(duration * FPS) + 1 }, (_, frame) => {
    const t = frame / FPS - REST;
    const phase = t - cycle * Math.min(REPEATS - 1, Math.max(0, Math.floor(t / cycle)));
    const share = Math.max(0, ease(phase / CYCLE.down) - ease((phase - CYCLE.down - CYCLE.hold) / CYCLE.up));
    const along = share * LEVELS;
    const low = Math.min(LEVELS - 1, Math.floor(along));
    const mix = (pick) => pick(levels[low]) + (along - low) * (pick(levels[low + 1]) - pick(levels[low]));
    const shift = mix((level) => level.shift);
    const z = spec.root_height - share * depth;
    return [
      ...[shift * Math.cos(heading), shift * Math.sin(heading), z, 0, 0, 0, 1],
      ...joints.map(({ name }) => mix((level) => level.values.get(name))),
    ];
  });
}
