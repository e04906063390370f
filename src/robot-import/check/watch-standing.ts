import { mujocoMessage } from '../../sim/mujoco.ts';
import { type Drift, type HeldRobot, NO_DRIFT, TooSlow } from './held-robot.ts';

/** s on the floor after which a robot must still be up, and for how long it is watched at most */
export const GROUND_TIME = 0.5;
const WATCHED_TIME = 2;
/** s before GROUND_TIME in which a touch of the floor counts */
const TOUCH_TIME = 0.1;
/** A robot with less than this share of its root's height, or z component of the root's z axis, has fallen. */
const FALLEN = { height: 0.6, up: 0.5 } as const;

/** What a robot did that was put on the floor in its default pose. Figures are those at GROUND_TIME. */
export interface Standing {
  /** m, at the start */
  readonly rootZ: number;
  /** why the figures mean nothing; null while all went well */
  readonly problem: string | null;
  /** root height as a share of that at the start */
  readonly height: number;
  /** z component of the root's z axis */
  readonly up: number;
  /** of the joint that was furthest from its default so far */
  readonly drift: Drift;
  /** m, deepest into the floor so far */
  readonly penetration: number;
  /** model bodies on the floor */
  readonly touching: ReadonlySet<number>;
  /** s until it fell; null: it stayed up while it was watched */
  readonly fell: number | null;
  /** s */
  readonly watched: number;
}

/** Lets a robot stand for as long as it does, at most two seconds. @param start puts it on the floor */
export function watchStanding(start: () => HeldRobot, rootZ: number): Standing {
  const seen = new StandingRecord(rootZ);
  let robot: HeldRobot | null = null;
  try {
    robot = start();
    const steps = Math.round(WATCHED_TIME / robot.timestep);
    for (let step = 1; step <= steps && !seen.isOver; step++) {
      robot.step();
      seen.add(robot, step * robot.timestep);
    }
  } catch (error) {
    const done = `on the floor after ${seen.watched.toFixed(2)} s`;
    seen.end(
      error instanceof TooSlow
        ? `takes too long to simulate, given up ${done}: simplify the collision shapes`
        : `cannot be simulated ${done}: ${mujocoMessage(error)}`,
    );
  } finally {
    robot?.delete();
  }
  return seen;
}

class StandingRecord implements Standing {
  readonly rootZ: number;
  readonly touching = new Set<number>();
  problem: string | null = null;
  height = 1;
  up = 1;
  drift = NO_DRIFT;
  penetration = 0;
  fell: number | null = null;
  watched = 0;
  #ended = false;

  constructor(rootZ: number) {
    this.rootZ = rootZ;
  }

  get isOver(): boolean {
    return this.#ended || (this.fell !== null && this.watched >= GROUND_TIME);
  }

  add(robot: HeldRobot, time: number): void {
    this.watched = time;
    if (!robot.isFinite()) {
      this.fell ??= time;
      this.end(`explodes after ${time.toFixed(2)} s on the floor`);
      return;
    }
    if (robot.rootZ() < FALLEN.height * this.rootZ || robot.up() < FALLEN.up) this.fell ??= time;
    if (time > GROUND_TIME + robot.timestep / 2) return;
    this.height = robot.rootZ() / this.rootZ;
    this.up = robot.up();
    const off = robot.drift();
    if (off && off.share > this.drift.share) this.drift = off;
    for (const { bodies, depth } of robot.contacts()) {
      if (!bodies.includes(0)) continue;
      this.penetration = Math.max(this.penetration, depth);
      if (time > GROUND_TIME - TOUCH_TIME) this.touching.add(Math.max(...bodies));
    }
  }

  /** Ends the record; what happens after GROUND_TIME is no problem, since robots fall. */
  end(problem: string): void {
    this.#ended = true;
    if (this.watched <= GROUND_TIME) this.problem = problem;
  }
}
