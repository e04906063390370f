import { type JointGains, jointGains } from '../../mdp/env/actuators.ts';
import type { EnvironmentOptions } from '../../mdp/env/environment-options.ts';
import { ROOT_VELOCITIES } from '../../mdp/env/read-state.ts';
import type { EnvState } from '../../mdp/env-state.ts';
import type { Environments } from '../../mdp/environments.ts';
import { Balance } from './balance.ts';
import { inverse, nonNegativeMinimum, product, transposed } from './dense.ts';
import { Goals } from './goals.ts';
import { RobotDynamics, type SolePoint } from './robot-dynamics.ts';

const ROOT = ROOT_VELOCITIES;
/** A point of a sole is on the ground below this height, m. */
const GROUND = 0.015;
/** A foot that lands in the reference within this time may already carry weight, s. */
const EARLY_S = 0.0637;
/** Friction that contact forces use, and number of edges of the pyramid that approximates its cone. */
const FRICTION = 0.554;
const EDGES = 4;
/** Weights of errors: of the centre of mass, of the root's orientation, and of place and orientation of a foot in the
 *  air. */
const CENTER = 3.38;
const TURN = 0.582;
const FOOT_PLACE = 0.607;
const FOOT_TURN = 0.42;
/** Weights of squares: changes of joint accelerations; contact forces along an edge. */
const JOINT_CHANGE = 0.121;
const FORCE = 2.03e-5;
const SWEEPS = 300;

/** Whole-body control: chooses joint torques so that centre of mass, root, feet and joints accelerate as their goals
 *  say, as far as the equations of motion and the friction of the soles allow. It tracks a motion several times longer
 *  than zero action, without any learning.
 *
 *  Unknown are the changes δ of the joints' accelerations and the forces λ ≥ 0 along the edges of the friction
 *  pyramids. The rows of the free root in M q̈ + h = τ + Jᵀ f give its acceleration, so q̈ = q̈₀ + P δ + Q λ. The tasks
 *  T q̈ = g are met in the least squares, with small δ and λ: δ is eliminated, and λ is a small quadratic programme. */
export class WholeBodyControl {
  readonly #dynamics: RobotDynamics;
  readonly #goals: Goals;
  readonly #balance: Balance;
  readonly #gains: JointGains;
  /** (J) rad per unit of action */
  readonly #scale: readonly number[];
  readonly #residual: boolean;
  readonly #stepS: number;

  constructor(options: EnvironmentOptions) {
    const { config, facts, library } = options;
    const { scale, scale_factor: factor, action_mode: mode } = config.actions.joint_pos;
    this.#dynamics = new RobotDynamics(options);
    this.#goals = new Goals(library);
    const { masses, feet, footPoints } = this.#dynamics;
    this.#balance = new Balance(library, masses, feet, footPoints);
    this.#gains = jointGains(facts, config.robot);
    this.#scale = facts.joints.map((joint, j) => (scale?.[j] ?? joint.actionScale) * factor);
    this.#residual = mode === 'reference_residual';
    this.#stepS = config.decimation * config.sim.timestep;
  }

  /** Computes the raw action of one environment in its current state. @param out (J) */
  act(envs: Environments, env: number, out: Float32Array): void {
    const { state } = envs;
    const dynamics = this.#dynamics;
    dynamics.load(envs, env);
    const wanted = new Float64Array(dynamics.nv);
    this.#goals.motion(state, env, wanted);
    const { acceleration, forces } = this.#solve(this.#tasks(envs, env, wanted), wanted);
    const { stiffness, damping, effortLimit, defaultPos } = this.#gains;
    const half = this.#stepS / 2;
    const inertial = product(dynamics.mass, acceleration, dynamics.nv, dynamics.nv, 1);
    for (let j = 0; j < state.joints; j++) {
      const k = ROOT + j;
      const at = env * state.joints + j;
      const limit = effortLimit[j]!;
      const torque = Math.max(-limit, Math.min(limit, inertial[k]! + dynamics.bias[k]! - forces[k]!));
      // The target at which the servo has this torque in the middle of the control step.
      const velocity = state.jointVel[at]! + half * acceleration[k]!;
      const position = state.jointPos[at]! + half * state.jointVel[at]!;
      const target = position + (torque + damping[j]! * velocity) / stiffness[j]!;
      const base = this.#residual ? state.refJointPos[at]! : defaultPos[j]!;
      const action = (target - base) / this.#scale[j]!;
      out[j] = Number.isFinite(action) ? action : 0;
    }
  }

  delete(): void {
    this.#dynamics.delete();
  }

  /** Returns the tasks: centre of mass, orientation of the root, each point on the ground, and each foot in the air. */
  #tasks(envs: Environments, env: number, wanted: Float64Array): Tasks {
    const { state } = envs;
    const dynamics = this.#dynamics;
    const { nv } = dynamics;
    const balance = this.#balance.goal(state, env);
    const rows: Float64Array[] = [];
    const goals: number[] = [];
    const add = (row: Float64Array, goal: number, weight: number) => {
      rows.push(row.map((value) => weight * value));
      goals.push(weight * goal);
    };
    // The momentum is the mass matrix's first three rows times the velocities.
    const { mass, bias, masses } = dynamics;
    for (const [axis, goal] of balance.acceleration.entries()) {
      const weight = CENTER / masses.total;
      const force = masses.total * (goal + (axis === 2 ? masses.gravity : 0)) - bias[axis]!;
      add(mass.subarray(axis * nv, (axis + 1) * nv), force, weight);
    }
    for (let k = 3; k < ROOT; k++) add(unit(nv, k), wanted[k]!, TURN);
    const standing = this.#standing(state, env);
    const jacobians = standing.map((point) => dynamics.jacobian(point));
    for (const [k, point] of standing.entries()) {
      const own = product(jacobians[k]!, dynamics.velocity, 3, nv, 1);
      const goal = this.#goals.standing(state, env, point, [...own]);
      for (const [axis, row] of rowsOf(jacobians[k]!, nv).entries()) add(row, goal[axis]!, 1);
    }
    for (const [foot, body] of dynamics.feet.entries()) {
      if (standing.some((point) => point.body === body)) continue;
      const { landsIn } = this.#balance.phase(state, env, foot);
      const { linear, angular } = dynamics.bodyJacobians(body);
      const { place, turn } = this.#goals.swinging(state, env, body, this.#balance.step(balance, landsIn));
      for (const [axis, row] of rowsOf(linear, nv).entries()) add(row, place[axis]!, FOOT_PLACE);
      for (const [axis, row] of rowsOf(angular, nv).entries()) add(row, turn[axis]!, FOOT_TURN);
    }
    const flat = new Float64Array(rows.length * nv);
    for (const [k, row] of rows.entries()) flat.set(row, k * nv);
    return { rows: flat, goals: Float64Array.from(goals), edges: frictionEdges(jacobians, nv) };
  }

  /** Returns the points on the ground that may carry weight: those of feet that stand in the reference, or land soon.
   *  If there are none, all points on the ground. */
  #standing(state: EnvState, env: number): SolePoint[] {
    const { feet } = this.#dynamics;
    const low = this.#dynamics.soles().filter(({ position }) => position[2]! < GROUND);
    const carrying = low.filter(({ body }) => {
      const { touching, landsIn } = this.#balance.phase(state, env, feet.indexOf(body));
      return touching || landsIn < EARLY_S;
    });
    return carrying.length > 0 ? carrying : low;
  }

  /** @param wanted (nv) accelerations; those of the joints hold if δ = 0
   *  @returns (nv) accelerations, and generalised forces of the contacts */
  #solve({ rows, goals, edges }: Tasks, wanted: Float64Array): { acceleration: Float64Array; forces: Float64Array } {
    const { nv } = this.#dynamics;
    const joints = nv - ROOT;
    const count = goals.length;
    const forces = edges.length / nv;
    const { free, byJoints, byForces } = this.#rootRows(wanted, edges);
    const p = new Float64Array(nv * joints);
    p.set(byJoints);
    for (let j = 0; j < joints; j++) p[(ROOT + j) * joints + j] = 1;
    const q = new Float64Array(nv * forces);
    q.set(byForces);
    const start = Float64Array.from(wanted);
    start.set(free);

    const tp = product(rows, p, count, nv, joints);
    const tq = product(rows, q, count, nv, forces);
    const missing = product(rows, start, count, nv, 1).map((value, k) => goals[k]! - value);
    const metric = product(tp, transposed(tp, count, joints), count, joints, count).map(
      (value) => value / JOINT_CHANGE,
    );
    for (let k = 0; k < count; k++) metric[k * count + k]! += 1;
    const weighted = inverse(metric, count);
    const back = product(transposed(tq, count, forces), weighted, forces, count, count);
    const h = product(back, tq, forces, count, forces);
    for (let k = 0; k < forces; k++) h[k * forces + k]! += FORCE;
    const lambda = nonNegativeMinimum(h, product(back, missing, forces, count, 1), SWEEPS);
    const pushed = product(tq, lambda, count, forces, 1);
    const left = product(
      weighted,
      missing.map((value, k) => value - pushed[k]!),
      count,
      count,
      1,
    );
    const change = product(transposed(tp, count, joints), left, joints, count, 1).map((value) => value / JOINT_CHANGE);
    const moved = product(p, change, nv, joints, 1);
    const carried = product(q, lambda, nv, forces, 1);
    return {
      acceleration: start.map((value, k) => value + moved[k]! + carried[k]!),
      forces: product(lambda, edges, 1, forces, nv),
    };
  }

  /** Solves the rows of the root for its acceleration: free − D δ + B λ.
   *  @returns `free` (6), −D (6, J) and B (6, edges) */
  #rootRows(wanted: Float64Array, edges: Float64Array) {
    const { nv, mass, bias } = this.#dynamics;
    const joints = nv - ROOT;
    const count = edges.length / nv;
    const ofRoot = new Float64Array(ROOT * ROOT);
    const ofJoints = new Float64Array(ROOT * joints);
    const needed = new Float64Array(ROOT);
    const pushes = new Float64Array(ROOT * count);
    for (let row = 0; row < ROOT; row++) {
      for (let k = 0; k < ROOT; k++) ofRoot[row * ROOT + k] = mass[row * nv + k]!;
      needed[row] = -bias[row]!;
      for (let j = 0; j < joints; j++) {
        ofJoints[row * joints + j] = -mass[row * nv + ROOT + j]!;
        needed[row]! -= mass[row * nv + ROOT + j]! * wanted[ROOT + j]!;
      }
      for (let k = 0; k < count; k++) pushes[row * count + k] = edges[k * nv + row]!;
    }
    const inverted = inverse(ofRoot, ROOT);
    return {
      free: product(inverted, needed, ROOT, ROOT, 1),
      byJoints: product(inverted, ofJoints, ROOT, ROOT, joints),
      byForces: product(inverted, pushes, ROOT, ROOT, count),
    };
  }
}

function unit(size: number, at: number): Float64Array {
  const out = new Float64Array(size);
  out[at] = 1;
  return out;
}

function rowsOf(matrix: Float64Array, width: number): Float64Array[] {
  return Array.from({ length: matrix.length / width }, (_, row) => matrix.subarray(row * width, (row + 1) * width));
}

interface Tasks {
  /** (tasks, nv) */
  readonly rows: Float64Array;
  /** (tasks) accelerations */
  readonly goals: Float64Array;
  /** (edges, nv) generalised force of a unit force along each edge of the friction pyramids */
  readonly edges: Float64Array;
}

/** @param jacobians (3, nv) of each point on the ground */
function frictionEdges(jacobians: readonly Float64Array[], nv: number): Float64Array {
  const out = new Float64Array(EDGES * jacobians.length * nv);
  for (const [point, jacobian] of jacobians.entries()) {
    for (let edge = 0; edge < EDGES; edge++) {
      const sign = edge % 2 === 0 ? FRICTION : -FRICTION;
      const along = edge < 2 ? 0 : nv;
      const at = (EDGES * point + edge) * nv;
      for (let k = 0; k < nv; k++) out[at + k] = jacobian[2 * nv + k]! + sign * jacobian[along + k]!;
    }
  }
  return out;
}
