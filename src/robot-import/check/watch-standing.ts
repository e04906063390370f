import { mujocoMessage } from '../../sim/mujoco.ts';
import { type Drift, type HeldRobot, NO_DRIFT, TooSlow } from './held-robot.ts';

/** Time at which a robot on the floor must still stand, s, and maximum duration of the simulation, s. */
export const GROUND_TIME = 0.5;
const WATCHED_TIME = 2;
/** Time before GROUND_TIME during which contacts with the floor are recorded, s. */
const TOUCH_TIME = 0.1;
/** Limits below which a robot has fallen: share of its root's initial height, and z component of the root's z axis. */
const FALLEN = { height: 0.6, up: 0.5 } as const;
/** Height of the root to which its fall is compared, m, if its frame is on the floor or lower than this. */
export const LEAST_HEIGHT = 0.03;

/** Behaviour of a robot placed on the floor in its default pose. Values are those at GROUND_TIME. */
export interface Standing {
  /** height of the root at the start, m */
  readonly rootZ: number;
  /** why the values are not valid; null if they are valid */
  readonly problem: string | null;
  /** root height as a share of the height at the start: 1 if the root has not sunk */
  readonly height: number;
  /** z component of the root's z axis */
  readonly up: number;
  /** the largest deviation of a joint from its default so far */
  readonly drift: Drift;
  /** deepest penetration into the floor so far, m */
  readonly penetration: number;
  /** model indices of the bodies that touch the floor */
  readonly touching: ReadonlySet<number>;
  /** time until the robot fell, s; null if it stayed upright */
  readonly fell: number | null;
  /** simulated time, s */
  readonly watched: number;
}

/** Simulates a standing robot until it falls, for at most 2 s. @param start creates the robot on the floor */
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
        ? `takes too long to simulate and was stopped ${done}. Simplify the collision shapes`
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
      this.end(`diverges after ${time.toFixed(2)} s on the floor`);
      return;
    }
    const share = 1 - (this.rootZ - robot.rootZ()) / Math.max(this.rootZ, LEAST_HEIGHT);
    if (share < FALLEN.height || robot.up() < FALLEN.up) this.fell ??= time;
    if (time > GROUND_TIME + robot.timestep / 2) return;
    this.height = share;
    this.up = robot.up();
    const off = robot.drift();
    if (off && off.share > this.drift.share) this.drift = off;
    for (const { bodies, depth } of robot.contacts()) {
      if (!bodies.includes(0)) continue;
      this.penetration = Math.max(this.penetration, depth);
      if (time > GROUND_TIME - TOUCH_TIME) this.touching.add(Math.max(...bodies));
    }
  }

  /** Ends the record. A problem after GROUND_TIME is not reported, because robots may fall. */
  end(problem: string): void {
    this.#ended = true;
    if (this.watched <= GROUND_TIME) this.problem = problem;
  }
}
