import * as quaternion from '../../../src/core/math/quaternion.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import type { CheckKind } from '../../../src/protocol/check-kinds.ts';

/** A clip with one defect. */
interface Defect {
  readonly name: string;
  /** kinds of issues that report the defect */
  readonly kinds: readonly CheckKind[];
  readonly clip: ClipRows;
  /** first and last frame of the defect */
  readonly frames: readonly [number, number];
}

type Random = () => number;
type Make = (robot: ClipRobot, clip: ClipRows, random: Random) => Defect | null;

/** Puts a defect into a clip, at a place and with a size drawn from `random`; null if the clip has no suitable
 *  place. */
export const DEFECTS: Readonly<Record<string, Make>> = {
  joint_limit(robot, clip, random) {
    const joint = pick(
      robot.facts.joints.map((_, index) => index),
      random,
    );
    const { lower, upper } = robot.facts.joints[joint]!;
    const beyond = between(0.06, 0.5, random);
    const target = random() < 0.5 ? lower! - beyond : upper! + beyond;
    const { start, end } = place(clip, 0.3, 1, random);
    const rows = copy(clip);
    const ramp = Math.max(2, Math.round(0.25 * clip.fps));
    each(clip, robot, rows, (row, frame) => {
      const u = smooth(frame, start, end, ramp);
      row[7 + joint] = row[7 + joint]! * (1 - u) + target * u;
    });
    return made('joint_limit', ['joint_limit'], clip, rows, [start, end]);
  },
  joint_velocity(robot, clip, random) {
    const joint = pick(
      robot.facts.joints.map((_, index) => index),
      random,
    );
    const { lower, upper, velocityLimit } = robot.facts.joints[joint]!;
    const speed = (velocityLimit ?? 30) * between(1.3, 2, random);
    // There and back within the joint's range, at `speed`.
    const room = Math.min(upper! - lower!, 2.5);
    const steps = Math.max(1, Math.min(3, Math.floor((room / speed) * clip.fps)));
    if ((steps * speed) / clip.fps > room) return null;
    const { start } = place(clip, 0.3, 0.5, random);
    const rows = copy(clip);
    const sign = random() < 0.5 ? 1 : -1;
    each(clip, robot, rows, (row, frame) => {
      const up = Math.max(0, steps - Math.abs(frame - start - steps));
      row[7 + joint] = row[7 + joint]! + (sign * up * speed) / clip.fps;
    });
    return made('joint_velocity', ['joint_velocity'], clip, rows, [start, start + 2 * steps]);
  },
  joint_acceleration(robot, clip, random) {
    const joint = pick(
      robot.facts.joints.map((_, index) => index),
      random,
    );
    const size = (between(1300, 2500, random) / clip.fps ** 2 / 2) * Math.max(1, clip.fps / 30);
    const { start, end } = place(clip, 0.2, 0.6, random);
    const rows = copy(clip);
    each(clip, robot, rows, (row, frame) => {
      // Alternates from frame to frame, so the second difference is twice the size.
      if (frame >= start && frame <= end) row[7 + joint] = row[7 + joint]! + (frame % 2 === 0 ? size : -size) / 2;
    });
    return made('joint_acceleration', ['joint_acceleration', 'joint_velocity'], clip, rows, [start, end]);
  },
  jump_position(robot, clip, random) {
    const { start } = place(clip, 0.2, 0.3, random);
    const size = between(0.12, 1, random);
    const angle = 2 * Math.PI * random();
    const rows = copy(clip);
    each(clip, robot, rows, (row, frame) => {
      if (frame < start) return;
      row[0] = row[0]! + size * Math.cos(angle);
      row[1] = row[1]! + size * Math.sin(angle);
    });
    return made('jump_position', ['jump'], clip, rows, [start - 1, start]);
  },
  jump_rotation(robot, clip, random) {
    const { start } = place(clip, 0.2, 0.3, random);
    const yaw = between(0.6, 3, random);
    const rows = copy(clip);
    const pivot = rows.slice(start * robot.nq, start * robot.nq + 3);
    const turn = quaternion.fromYaw([1, 0, 0, 0], yaw);
    each(clip, robot, rows, (row, frame) => {
      if (frame < start) return;
      const offset = [row[0]! - pivot[0]!, row[1]! - pivot[1]!, 0];
      quaternion.rotate(offset, turn, offset);
      row[0] = pivot[0]! + offset[0]!;
      row[1] = pivot[1]! + offset[1]!;
      row.set(quaternion.multiply([0, 0, 0, 0], turn, row.slice(3, 7)), 3);
    });
    return made('jump_rotation', ['jump'], clip, rows, [start - 1, start]);
  },
  jump_joint(robot, clip, random) {
    const joint = pick(
      robot.facts.joints.map((_, index) => index),
      random,
    );
    const { start, end } = place(clip, 0.2, 1, random);
    const size = between(1, 1.6, random) * (random() < 0.5 ? 1 : -1);
    const rows = copy(clip);
    each(clip, robot, rows, (row, frame) => {
      if (frame >= start && frame <= end) row[7 + joint] = row[7 + joint]! + size;
    });
    return made('jump_joint', ['jump'], clip, rows, [start - 1, start]);
  },
  ground_penetration(robot, clip, random) {
    const whole = random() < 0.4;
    const { start, end } = whole ? { start: 0, end: clip.frames - 1 } : place(clip, 0.3, 1.5, random);
    const depth = between(0.06, 0.3, random);
    return lifted('ground_penetration', ['ground_penetration'], robot, clip, -depth, start, end);
  },
  floating(robot, clip, random) {
    const whole = random() < 0.4;
    const { start, end } = whole ? { start: 0, end: clip.frames - 1 } : place(clip, 1.2, 2, random);
    const height = between(0.06, 0.35, random);
    return lifted('floating', ['floating'], robot, clip, height, start, end);
  },
  foot_sliding(robot, clip, random) {
    const { start, end } = place(clip, 0.5, 1.5, random);
    const speed = between(0.5, 1.5, random);
    const angle = 2 * Math.PI * random();
    const rows = copy(clip);
    each(clip, robot, rows, (row, frame) => {
      const way = (speed * Math.max(0, Math.min(frame, end) - start)) / clip.fps;
      row[0] = row[0]! + way * Math.cos(angle);
      row[1] = row[1]! + way * Math.sin(angle);
    });
    return made('foot_sliding', ['foot_sliding'], clip, rows, [start, end]);
  },
  root_tilt(robot, clip, random) {
    const whole = random() < 0.3;
    const { start, end } = whole ? { start: 0, end: clip.frames - 1 } : place(clip, 0.8, 2, random);
    const angle = between(1.3, Math.PI, random);
    const heading = 2 * Math.PI * random();
    const axis = [Math.cos(heading), Math.sin(heading), 0];
    const rows = copy(clip);
    each(clip, robot, rows, (row, frame) => {
      const u = whole ? 1 : smooth(frame, start, end, Math.round(0.2 * clip.fps));
      const turn = quaternion.fromAxisAngle([1, 0, 0, 0], axis, angle * u);
      row.set(quaternion.multiply([0, 0, 0, 0], turn, row.slice(3, 7)), 3);
    });
    return made('root_tilt', ['root_tilt', 'quaternion_order'], clip, rows, [start, end]);
  },
  not_finite(robot, clip, random) {
    const column = Math.floor(random() * robot.nq);
    const { start, end } = place(clip, 0.04, 0.3, random);
    const rows = copy(clip);
    const value = pick([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], random);
    each(clip, robot, rows, (row, frame) => {
      if (frame >= start && frame <= end) row[column] = value;
    });
    return made('not_finite', ['not_finite'], clip, rows, [start, end]);
  },
  quaternion_length(robot, clip, random) {
    const { start, end } = place(clip, 0.04, 1, random);
    const factor = pick([0.5, 0.98, 1.01, 2], random);
    const rows = copy(clip);
    each(clip, robot, rows, (row, frame) => {
      if (frame >= start && frame <= end) for (let k = 3; k < 7; k++) row[k] = row[k]! * factor;
    });
    return made('quaternion_length', ['not_finite'], clip, rows, [start, end]);
  },
  self_collision(robot, clip, random) {
    const { start, end } = place(clip, 0.5, 1.5, random);
    const pose = overlappingPose(robot, clip, Math.floor((start + end) / 2), random);
    if (!pose) return null;
    const rows = copy(clip);
    each(clip, robot, rows, (row, frame) => {
      const u = smooth(frame, start, end, Math.max(2, Math.round(0.2 * clip.fps)));
      for (const [joint, value] of pose) row[7 + joint] = row[7 + joint]! * (1 - u) + value * u;
    });
    return made('self_collision', ['self_collision'], clip, rows, [start, end]);
  },
  frozen(robot, clip, random) {
    const count = Math.round(between(0.5, 1.5, random) * clip.fps);
    const { start } = place(clip, count / clip.fps, count / clip.fps, random);
    if (!moves(robot, clip, start)) return null;
    const { nq } = robot;
    const held = clip.rows.subarray(start * nq, (start + 1) * nq);
    if (random() < 0.5) {
      // The clip pauses and then continues.
      const rows = new Float64Array(clip.rows.length + count * nq);
      rows.set(clip.rows.subarray(0, start * nq));
      for (let k = 0; k < count; k++) rows.set(held, (start + k) * nq);
      rows.set(clip.rows.subarray(start * nq), (start + count) * nq);
      return {
        ...{ name: 'frozen', kinds: ['frozen'], frames: [start, start + count] },
        clip: { ...clip, frames: clip.frames + count, rows },
      };
    }
    const rows = copy(clip);
    for (let k = 0; k < count; k++) rows.set(held, Math.min(clip.frames - 1, start + k) * nq);
    return made('frozen', ['frozen'], clip, rows, [start, start + count]);
  },
  first_frame(robot, clip, random) {
    const { nq } = robot;
    const off = between(0.15, 1, random);
    const rows = copy(clip);
    const count = random() < 0.7 ? 1 : 1 + Math.floor(random() * 5);
    const kind = random();
    for (let frame = 0; frame < count; frame++) {
      const row = rows.subarray(frame * nq, (frame + 1) * nq);
      row.set(clip.rows.subarray(0, 7));
      if (kind < 0.4) row.fill(0, 7);
      else if (kind < 0.7) {
        row.set(clip.rows.subarray(7, nq), 7);
        row[0] = row[0]! + off;
      } else {
        // A T-pose: arms out, all other joints at 0.
        row.fill(0, 7);
        for (const [joint, { name, lower, upper }] of robot.facts.joints.entries())
          if (name.includes('shoulder_roll'))
            row[7 + joint] = name.startsWith('left') ? Math.min(1.5, upper!) : Math.max(-1.5, lower!);
      }
    }
    const broken = Math.max(
      ...Array.from({ length: nq }, (_, k) => Math.abs(rows[count * nq + k]! - rows[(count - 1) * nq + k]!)),
    );
    return broken < 0.3 && kind < 0.4 ? null : made('first_frame', ['first_frame'], clip, rows, [0, count]);
  },
};

/** The clip as read from a file that holds wxyz quaternions where the reader expects xyzw. */
export function swapped(clip: ClipRows, nq: number): ClipRows {
  const rows = copy(clip);
  for (let at = 3; at < rows.length; at += nq) {
    const [w, x, y, z] = clip.rows.subarray(at, at + 4);
    rows.set([z!, w!, x!, y!], at);
  }
  return { ...clip, rows };
}

/** The clip as read from a file that holds the joints in another order. */
export function reordered(clip: ClipRows, nq: number, order: readonly number[]): ClipRows {
  const rows = copy(clip);
  for (let at = 7; at < rows.length; at += nq)
    for (const [column, joint] of order.entries()) rows[at + column] = clip.rows[at + joint]!;
  return { ...clip, rows };
}

function made(
  name: string,
  kinds: readonly CheckKind[],
  clip: ClipRows,
  rows: Float64Array,
  frames: readonly [number, number],
): Defect {
  return { name, kinds, clip: { ...clip, rows }, frames };
}

function copy({ rows }: ClipRows): Float64Array {
  return Float64Array.from(rows);
}

function each(
  clip: ClipRows,
  { nq }: ClipRobot,
  rows: Float64Array,
  change: (row: Float64Array, frame: number) => void,
) {
  for (let frame = 0; frame < clip.frames; frame++) change(rows.subarray(frame * nq, (frame + 1) * nq), frame);
}

/** A random range of frames that lasts `least` to `most` seconds and keeps clear of the ends of the clip. */
function place({ frames, fps }: ClipRows, least: number, most: number, random: Random) {
  const edge = Math.round(0.5 * fps);
  const length = Math.min(Math.round(between(least, most, random) * fps), frames - 2 * edge - 1);
  const start = edge + Math.floor(random() * Math.max(1, frames - 2 * edge - length));
  return { start, end: start + Math.max(1, length) };
}

function between(least: number, most: number, random: Random): number {
  return least + (most - least) * random();
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)]!;
}

/** Window from 0 outside the frames to 1 inside, with a ramp of `ramp` frames at each end (inside). */
function smooth(frame: number, start: number, end: number, ramp: number): number {
  const u = Math.max(
    0,
    Math.min(1, Math.min(frame - start, end - frame) / Math.min(ramp, Math.max(1, (end - start) / 3))),
  );
  return u * u * (3 - 2 * u);
}

function lifted(
  name: string,
  kinds: readonly CheckKind[],
  robot: ClipRobot,
  clip: ClipRows,
  height: number,
  start: number,
  end: number,
): Defect {
  const rows = copy(clip);
  const whole = start === 0 && end === clip.frames - 1;
  each(clip, robot, rows, (row, frame) => {
    row[2] = row[2]! + height * (whole ? 1 : smooth(frame, start, end, Math.round(0.1 * clip.fps)));
  });
  return made(name, kinds, clip, rows, [start, end]);
}

/** Whether the joints move noticeably around a frame. */
function moves({ nq }: ClipRobot, { rows, fps, frames }: ClipRows, frame: number): boolean {
  for (const at of [frame - 1, frame, Math.min(frame + 1, frames - 2)]) {
    let most = 0;
    for (let k = 7; k < nq; k++) most = Math.max(most, Math.abs(rows[(at + 1) * nq + k]! - rows[at * nq + k]!) * fps);
    if (most < 0.15) return false;
  }
  return true;
}

/** Joints of one limb and values that let it overlap another body by 6 cm or more. */
function overlappingPose(robot: ClipRobot, clip: ClipRows, frame: number, random: Random): [number, number][] | null {
  const { facts, nq, mj, model, data } = robot;
  for (let attempt = 0; attempt < 300; attempt++) {
    const limb = pick([/left_(shoulder|elbow)/, /right_(shoulder|elbow)/, /left_hip/, /right_hip/], random);
    const pose = facts.joints.flatMap(({ name, lower, upper }, joint): [number, number][] =>
      limb.test(name) ? [[joint, between(lower!, upper!, random)]] : [],
    );
    const row = clip.rows.slice(frame * nq, (frame + 1) * nq);
    row[2] = 1000;
    for (const [joint, value] of pose) row[7 + joint] = value;
    robot.views.qpos.set(row);
    mj.mj_kinematics(model, data);
    mj.mj_collision(model, data);
    const contacts = data.contact;
    let depth = 0;
    for (let k = 0; k < (data.ncon as number); k++) {
      const contact = contacts.get(k)!;
      depth = Math.max(depth, -contact.dist);
      contact.delete();
    }
    contacts.delete();
    if (depth > 0.06) return pose;
  }
  return null;
}
