import type { Static } from 'typebox';
import type { QueryOf } from '../protocol/route.ts';
import type { getClipPlots } from '../protocol/routes/plots.ts';
import type { Channel as ChannelSchema } from '../protocol/schemas/plots.ts';
import type { JointFacts, RobotFacts } from '../robots/robot-facts.ts';

/** A plotted figure: what it is called, in which unit, and the range it should keep. */
export type Channel = Static<typeof ChannelSchema>;

/** Channels of a clip that belong together. */
export type ClipPlotGroup = NonNullable<QueryOf<typeof getClipPlots>['group']>;

/** What of a clip is plotted. */
export interface ClipPlotPart {
  /** null: all channels */
  readonly group: ClipPlotGroup | null;
  /** whether with the raw source of a converted clip */
  readonly ref: boolean;
}

/** Columns of a clip's plots in the order of its channels; a name says where the first of its kind is. */
export interface ClipColumns {
  readonly pos: number;
  readonly rpy: number;
  readonly rootVel: number;
  readonly joint: number;
  readonly torque: number;
  readonly height: number;
  readonly vel: number;
  readonly count: number;
}

const AXES = ['x', 'y', 'z'] as const;
const TURNS = ['roll', 'pitch', 'yaw'] as const;
const LIMIT_NOTE =
  "the effort limit of the robot's spec; the torque is an estimate: inverse dynamics of the smoothed motion, the ground's force shared among what is near the floor";

export function clipColumns({ joints, wiring }: RobotFacts): ClipColumns {
  const joint = 9;
  const torque = joint + joints.length;
  const height = torque + joints.length;
  const vel = height + wiring.feet.length;
  return { pos: 0, rpy: 3, rootVel: 6, joint, torque, height, vel, count: vel + joints.length };
}

/** Channels of a clip on its robot, in the order of {@link clipColumns}: the root's position, orientation and velocity;
 *  joints; torques; heights of the feet's soles above the floor; joint velocities. */
export function clipChannels({ joints, wiring }: RobotFacts): Channel[] {
  const free = { lower: null, upper: null };
  return [
    ...AXES.map((axis) => ({ id: `root.pos.${axis}`, name: `root ${axis}`, group: 'root', unit: 'm', ...free })),
    ...TURNS.map((turn) => ({ id: `root.rpy.${turn}`, name: `root ${turn}`, group: 'root', unit: 'rad', ...free })),
    ...AXES.map((axis) => ({
      id: `root.vel.${axis}`,
      name: `root velocity ${axis}`,
      group: 'root',
      unit: 'raw',
      ...free,
    })),
    ...joints.map(({ name, type, lower, upper }) => ({
      id: `joint.${name}`,
      name,
      group: 'joints',
      unit: type === 'hinge' ? 'rad' : 'm',
      lower,
      upper,
    })),
    ...joints.map(torqueChannel),
    ...wiring.feet.map((foot) => ({ id: `height.${foot}`, name: foot, group: 'feet', unit: 'm', ...free })),
    ...joints.map(({ name, velocityLimit }) => ({
      id: `vel.${name}`,
      name,
      group: 'velocities',
      unit: 'raw',
      ...bothWays(velocityLimit),
    })),
  ];
}

/** @param joint a slide's effort is a force: Nm would be wrong */
function torqueChannel({ name, type, effortLimit }: JointFacts): Channel {
  const channel = {
    id: `torque.${name}`,
    name,
    group: 'torques',
    unit: type === 'hinge' ? 'Nm' : 'raw',
    ...bothWays(effortLimit),
  };
  return effortLimit === null ? channel : { ...channel, limit_note: LIMIT_NOTE };
}

function bothWays(limit: number | null): { lower: number | null; upper: number | null } {
  return limit === null ? { lower: null, upper: null } : { lower: -limit, upper: limit };
}
