import type { EnvState } from '../../src/mdp/env-state.ts';
import type { TermContext } from '../../src/mdp/term.ts';
import type { Point } from '../../src/robots/kinematics/feet.ts';
import type { JointFacts, RobotFacts } from '../../src/robots/robot-facts.ts';

const HALF = Math.SQRT1_2;
/** Quarter turns, wxyz: about x (turns y to z) and about z (turns x to y). */
export const ABOUT_X = [HALF, HALF, 0, 0];
const ABOUT_Z = [HALF, 0, 0, HALF];

/** Index of the environment that contains the test values. All values of environment 0 are NaN, so that tests detect a
 *  term that reads the wrong row. */
export const ENV = 1;
const SIZES = { n: 2, joints: 2, bodies: 3, keybodies: 2, feet: 1 };

const joint = (name: string, more: Partial<JointFacts>): JointFacts => ({
  name,
  type: 'hinge',
  lower: -1,
  upper: 1,
  default: 0.1,
  effortLimit: 100,
  velocityLimit: null,
  stiffness: 10,
  damping: 1,
  armature: 0.01,
  actionScale: 0.5,
  torqueSpeed: null,
  friction: null,
  body: 0,
  follows: null,
  ...more,
});

/** A robot with a root, a torso (the anchor), and a hand, which is also the only foot. The knee has a motor model; the
 *  elbow does not. */
export const TINY_ROBOT: RobotFacts = {
  id: 'tiny',
  name: 'Tiny',
  joints: [joint('knee', { torqueSpeed: { y1: 8, y2: 10, x1: 2, x2: 4 }, effortLimit: 10 }), joint('elbow', {})],
  bodies: [
    { name: 'root', parent: -1 },
    { name: 'torso', parent: 0 },
    { name: 'hand', parent: 1 },
  ],
  actuators: 2,
  mass: 3,
  height: 1,
  wiring: { anchor: 'torso', keybodies: ['torso', 'hand'], feet: ['hand'] },
  endEffectors: ['hand'],
  footSoleZ: 0.1,
  rootHeight: 1,
};

/** Values of environment 1 by field of the state. Integer arrays are also given as numbers. */
export type TinyValues = { readonly [K in keyof EnvState]?: readonly number[] };

/** The pose used for most numbers computed by hand. The root lies on its back (quarter turn about x), the torso looks
 *  along y (quarter turn about z), and the hand is level. In the reference, the torso is turned about x and the hand
 *  about z. */
export const POSE: TinyValues = {
  jointPos: [0.3, -0.2],
  jointVel: [1, -2],
  jointAcc: [10, -20],
  torque: [9, -50],
  bodyPosW: [10, 20, 1, 11, 20, 1.5, 11, 22, 1.2],
  bodyQuatW: [...ABOUT_X, ...ABOUT_Z, 1, 0, 0, 0],
  bodyLinVelW: [1, 2, 3, 1, 0, 0, 0, 1, 0],
  bodyAngVelW: [4, 5, 6, 0, 0, 2, 3, 4, 0],
  actions: [0.5, -1],
  previousActions: [0.2, 0.5],
  contactForce: [0, 0, 1 - Math.E, Math.E ** 2 - 1, 0, 0],
  footContact: [1],
  angularMomentum: [1, 2, 3],
  assistForce: [7, 8, 9],
  assistTorque: [0.7, 0.8, 0.9],
  assistGain: [0.25],
  episodeStep: [499],
  terminated: [0],
  timedOut: [0],
  envOrigin: [10, 20, 0.5],
  clip: [0],
  frame: [5],
  refJointPos: [0.4, 0.1],
  refJointVel: [2, 0],
  refBodyPosW: [10, 20, 1, 11.5, 20.2, 1.6, 12, 22, 1],
  refBodyQuatW: [1, 0, 0, 0, ...ABOUT_X, ...ABOUT_Z],
  refBodyLinVelW: [0, 0, 0, 1, 2, 3, 0, 0, 1],
  refBodyAngVelW: [0, 0, 0, 4, 5, 6, 0, 1, 0],
  relBodyPosW: [11, 20, 1.6, 11, 22.3, 1.2],
  relBodyQuatW: [...ABOUT_Z, ...ABOUT_Z],
};

/** Returns a context for creating a term: {@link POSE} in environment 1, changed by `changes`. @param down from the
 *  sole, in the frame of the foot */
export function tinyContext(changes: TinyValues = {}, down: Point = [0, 0, -1]): TermContext {
  const values = { ...POSE, ...changes };
  const rows = (key: keyof EnvState, kind: 'float' | 'i32' | 'u8' = 'float') => {
    const own = values[key]!;
    if (kind === 'u8') return Uint8Array.from([...own.map(() => 255), ...own]);
    if (kind === 'i32') return Int32Array.from([...own.map(() => 1e6), ...own]);
    return Float64Array.from([...own.map(() => Number.NaN), ...own]);
  };
  const integers: Readonly<Record<string, 'i32' | 'u8'>> = {
    episodeStep: 'i32',
    clip: 'i32',
    frame: 'i32',
    footContact: 'u8',
    terminated: 'u8',
    timedOut: 'u8',
  };
  const arrays = Object.keys(values).map((key) => [key, rows(key as keyof EnvState, integers[key])]);
  const state = { n: SIZES.n, joints: SIZES.joints, bodies: SIZES.bodies, ...Object.fromEntries(arrays) } as EnvState;
  return {
    state,
    facts: TINY_ROBOT,
    indices: { anchor: 1, keybodies: [1, 2], endEffectors: [2], feet: [2] },
    stepS: 0.02,
    maxEpisodeSteps: 500,
    defaultJointPos: Float64Array.of(0.1, 0.1),
    effortLimit: Float64Array.of(10, 100),
    softLower: Float64Array.of(-0.1, -0.1),
    softUpper: Float64Array.of(0.2, 0.5),
    soleDown: [down],
    referenceAnchorAcceleration: (env, out) => out.set(env === ENV ? [1, 2, 3, 4, 5, 6] : [Number.NaN]),
    clipPhase: (env) => (env === ENV ? 1.25 : Number.NaN),
    lastReward: (name, env) => (env === ENV && name === 'motion_body_pos' ? 0.75 : 0),
    keybody(name) {
      const at = ['torso', 'hand'].indexOf(name);
      if (at < 0) throw new Error(`unknown keybody ${name}`);
      return at;
    },
  };
}

/** Returns a context for creating terms of a whole robot. `state` has a row for each name in `keybodies`. */
export function contextOf(facts: RobotFacts, keybodies: readonly string[], state: EnvState): TermContext {
  const body = (name: string) => facts.bodies.findIndex((one) => one.name === name);
  const limits = facts.joints.map(({ lower, upper }) => ({ lower: lower ?? -Infinity, upper: upper ?? Infinity }));
  return {
    state,
    facts,
    indices: {
      anchor: body(facts.wiring.anchor),
      keybodies: keybodies.map(body),
      endEffectors: facts.endEffectors.map(body),
      feet: facts.wiring.feet.map(body),
    },
    stepS: 0.02,
    maxEpisodeSteps: 500,
    defaultJointPos: Float64Array.from(facts.joints, (one) => one.default),
    effortLimit: Float64Array.from(facts.joints, (one) => one.effortLimit ?? Infinity),
    softLower: Float64Array.from(limits, ({ lower, upper }) => 0.95 * lower + 0.05 * upper),
    softUpper: Float64Array.from(limits, ({ lower, upper }) => 0.05 * lower + 0.95 * upper),
    soleDown: facts.wiring.feet.map(() => [0, 0, -1]),
    referenceAnchorAcceleration: (_env, out) => out.fill(0),
    clipPhase: () => 0,
    lastReward: () => 0,
    keybody: (name) => keybodies.indexOf(name),
  };
}
