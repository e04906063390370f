import type { RunRecord } from '../../runs/store/run-record.ts';

/** A registered robot, as far as runs tell robots apart. */
export interface RobotOfRuns {
  readonly id: string;
  /** null while it has not been compiled */
  readonly jointNames: readonly string[] | null;
}

/** The robot of a run: the one it names, else the one with the same set of joint names. Deployed policies often name
 *  neither: then the one with as many joints that the experiment's or the run's name holds as a word, else the only one
 *  with as many joints. @returns null with the reason where there is none */
export function matchRobot(
  run: RunRecord,
  robots: readonly RobotOfRuns[],
): { robot: string | null; error: string | null } {
  if (run.error !== null) return { robot: null, error: run.error };
  const found = (robot: RobotOfRuns) => ({ robot: robot.id, error: null });
  const byId = robots.find(({ id }) => id === run.robot);
  if (byId) return found(byId);
  if (run.jointNames !== null) {
    const names = new Set(run.jointNames);
    const same = robots.find(
      ({ jointNames }) => jointNames?.length === names.size && jointNames.every((name) => names.has(name)),
    );
    if (same) return found(same);
    const what =
      run.robot === null
        ? 'its joints are those of no robot here'
        : `its robot "${run.robot}" is not here, nor is one with its joints`;
    return { robot: null, error: `${what}: import that robot` };
  }
  if (run.robot !== null) return { robot: null, error: `its robot "${run.robot}" is not here: import that robot` };
  const words = new Set(`${run.runDir}_${run.run}`.toLowerCase().split(/[^a-z0-9]+/));
  const fitting = robots.filter(({ jointNames }) => run.joints === null || jointNames?.length === run.joints);
  const named = fitting.filter(({ id }) => words.has(id.toLowerCase()));
  const only = named.length === 1 ? named[0] : run.joints !== null && fitting.length === 1 ? fitting[0] : undefined;
  if (only) return found(only);
  const unknown = robots.filter(({ jointNames }) => jointNames === null).map(({ id }) => id);
  if (unknown.length > 0)
    return { robot: null, error: `its robot may be ${unknown.join(' or ')}, which is being prepared or does not load` };
  return {
    robot: null,
    error:
      run.joints === null
        ? 'its files do not say which robot it is for: name the experiment after the robot, such as wbc_g1'
        : fitting.length === 0
          ? `it gives ${run.joints} actions and no robot here has as many joints: import its robot`
          : `it names no joints and several robots have ${run.joints}: name the experiment after one of them`,
  };
}
