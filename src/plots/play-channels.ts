import type { ObservationSlice } from '../mdp/environments.ts';
import type { JointFacts } from '../robots/robot-facts.ts';
import type { Channel } from './clip-channels.ts';

/** The properties of a play session that its channels depend on. Plain data, sent between threads. */
export interface PlaySignals {
  readonly joints: readonly JointFacts[];
  /** source of the joints' effort limits */
  readonly limitsFrom: 'spec' | 'run';
  readonly rewards: readonly string[];
  /** parts of the policy's observations */
  readonly observations: readonly ObservationSlice[];
}

/** Columns of a play session's rows. Each field is the first column of its kind. */
export interface PlayColumns {
  readonly pos: number;
  readonly rpy: number;
  readonly rootVel: number;
  readonly joint: number;
  readonly torque: number;
  readonly action: number;
  readonly reward: number;
  /** the sum of the rewards */
  readonly total: number;
  readonly obs: number;
  readonly count: number;
  /** number of leading columns that have a reference: root and joints */
  readonly ref: number;
}

const AXES = ['x', 'y', 'z'] as const;
const TURNS = ['roll', 'pitch', 'yaw'] as const;
const LIMIT_NOTES = {
  spec: "the effort limit of the robot's spec; the torque is the one applied",
  run: "the effort limit of the run's own files; the torque is the one applied",
} as const;
const FREE = { lower: null, upper: null };

export function playColumns({ joints, rewards, observations }: PlaySignals): PlayColumns {
  const joint = 9;
  const torque = joint + joints.length;
  const action = torque + joints.length;
  const reward = action + joints.length;
  const obs = reward + rewards.length + 1;
  const count = obs + observations.reduce((sum, { dim }) => sum + dim, 0);
  return { pos: 0, rpy: 3, rootVel: 6, joint, torque, action, reward, total: obs - 1, obs, count, ref: torque };
}

/** Lists the channels of a play session in the order of {@link playColumns}: position, orientation and velocity of the
 *  root; joints; torques; actions; rewards and their total; observations of the policy. */
export function playChannels({ joints, limitsFrom, rewards, observations }: PlaySignals): Channel[] {
  const root = (id: string, name: string, unit: string) => ({ id, name, group: 'root', unit, ...FREE });
  return [
    ...AXES.map((axis) => root(`root.pos.${axis}`, `root ${axis}`, 'm')),
    ...TURNS.map((turn) => root(`root.rpy.${turn}`, `root ${turn}`, 'rad')),
    ...AXES.map((axis) => root(`root.vel.${axis}`, `root velocity ${axis}`, 'raw')),
    ...joints.map(({ name, type, lower, upper }) => ({
      id: `joint.${name}`,
      name,
      group: 'joints',
      unit: type === 'hinge' ? 'rad' : 'm',
      lower,
      upper,
    })),
    ...joints.map((joint) => torqueChannel(joint, LIMIT_NOTES[limitsFrom])),
    ...joints.map(({ name }) => ({ id: `action.${name}`, name, group: 'actions', unit: '', ...FREE })),
    ...[...rewards, 'total'].map((name) => ({
      id: `reward.${name}`,
      name,
      group: 'rewards',
      unit: 'reward',
      ...FREE,
    })),
    ...observations.flatMap(({ term, dim }) =>
      Array.from({ length: dim }, (_, k) => ({
        id: `obs.${term}[${k}]`,
        name: `${term}[${k}]`,
        group: 'observations',
        unit: 'raw',
        ...FREE,
      })),
    ),
  ];
}

/** Returns the indices of the channels that have a reference. */
export function referenceColumns(signals: PlaySignals): number[] {
  return Array.from({ length: playColumns(signals).ref }, (_, k) => k);
}

/** @param joint the effort of a slide joint is a force, so its unit is N and not Nm */
function torqueChannel({ name, type, effortLimit }: JointFacts, note: string): Channel {
  const limits = effortLimit === null ? FREE : { lower: -effortLimit, upper: effortLimit };
  const unit = type === 'hinge' ? 'Nm' : 'raw';
  const channel = { id: `torque.${name}`, name, group: 'torques', unit, ...limits };
  return effortLimit === null ? channel : { ...channel, limit_note: note };
}
