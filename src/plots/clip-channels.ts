import type { Static } from 'typebox';
import type { QueryOf } from '../protocol/route.ts';
import type { getClipPlots } from '../protocol/routes/plots.ts';
import type { Channel as ChannelSchema } from '../protocol/schemas/plots.ts';
import type { JointFacts, RobotFacts } from '../robots/robot-facts.ts';

/** A plotted quantity: its name, its unit and its permitted range. */
export type Channel = Static<typeof ChannelSchema>;

/** A group of a clip's channels. */
export type ClipPlotGroup = NonNullable<QueryOf<typeof getClipPlots>['group']>;

/** The part of a clip's plots that a request selects. */
export interface ClipPlotPart {
  /** group of channels; null: all channels */
  readonly group: ClipPlotGroup | null;
  /** true: also include the raw source of a converted clip */
  readonly ref: boolean;
}

/** Column numbers in a clip's plots, in the order of its channels. Each field is the first column of its kind. */
export interface ClipColumns {
  readonly pos: number;
  readonly rpy: number;
  readonly rootVel: number;
  readonly lowest: number;
  readonly joint: number;
  readonly torque: number;
  readonly height: number;
  readonly speed: number;
  readonly vel: number;
  readonly count: number;
}

const AXES = ['x', 'y', 'z'] as const;
const TURNS = ['roll', 'pitch', 'yaw'] as const;
const LIMIT_NOTE =
  "the effort limit of the robot's spec; the torque is an estimate by inverse dynamics of the smoothed motion, with the ground force shared among the bodies near the floor";

export function clipColumns({ joints, wiring }: RobotFacts): ClipColumns {
  const lowest = 9;
  const joint = lowest + 1;
  const torque = joint + joints.length;
  const height = torque + joints.length;
  const speed = height + wiring.feet.length;
  const vel = speed + wiring.feet.length;
  return { pos: 0, rpy: 3, rootVel: 6, joint, torque, height, speed, lowest, vel, count: vel + joints.length };
}

/** Lists the channels of a clip in the order of {@link clipColumns}. These are position, orientation and velocity of
 *  the root; height of the robot's lowest point; joints; torques; heights of the soles above the floor; horizontal
 *  speed of each sole's slowest point; joint velocities. */
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
    { id: 'ground.lowest', name: 'lowest point', group: 'root', unit: 'm', ...free },
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
    ...wiring.feet.map((foot) => ({ id: `speed.${foot}`, name: `${foot} speed`, group: 'feet', unit: 'raw', ...free })),
    ...joints.map(({ name, velocityLimit }) => ({
      id: `vel.${name}`,
      name,
      group: 'velocities',
      unit: 'raw',
      ...bothWays(velocityLimit),
    })),
  ];
}

/** Returns the channel of a joint's torque. @param joint for a slide joint, the effort is a force, so the unit is N */
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
