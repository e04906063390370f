import type { RunRecord } from './store/run-record.ts';

/** Properties of a registered robot that are compared with those of runs. */
export interface RobotOfRuns {
  readonly id: string;
  /** null if the robot has not been compiled yet */
  readonly jointNames: readonly string[] | null;
}

/** Finds the robot of a run. Applies these rules in order:
 *  1. If the run names a robot: that robot.
 *  2. If the run names its joints: a robot with the same set of joint names. If several match, the one in the path of
 *  its motion library, otherwise the one that {@link namedOf} finds, otherwise the first one.
 *  3. If the run names neither, like many deployed policies: among the robots with the run's number of joints, the one
 *  in the path of its motion library, otherwise the one that {@link namedOf} finds, otherwise the only one. If the
 *  number is unknown, all robots are considered.
 *  @param robots the preferred robot comes first
 *  @returns robot null, with the reason, if no robot matches */
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
    const same = robots.filter(
      ({ jointNames }) => jointNames?.length === names.size && jointNames.every((name) => names.has(name)),
    );
    const own = inPathOf(same, run) ?? namedOf(same, run) ?? same[0];
    if (own) return found(own);
    const what =
      run.robot === null
        ? 'no robot of the workspace has its joints'
        : `the workspace has no robot "${run.robot}" and no robot with the same joints`;
    return { robot: null, error: `${what}. Import that robot` };
  }
  if (run.robot !== null) return { robot: null, error: `the workspace has no robot "${run.robot}". Import it` };
  const fitting = robots.filter(({ jointNames }) => run.joints === null || jointNames?.length === run.joints);
  const only =
    inPathOf(fitting, run) ??
    namedOf(fitting, run) ??
    (run.joints !== null && fitting.length === 1 ? fitting[0] : undefined);
  if (only) return found(only);
  const unknown = robots.filter(({ jointNames }) => jointNames === null).map(({ id }) => id);
  if (unknown.length > 0)
    return {
      robot: null,
      error: `its robot may be ${unknown.join(' or ')}, which is still being prepared or does not load`,
    };
  return {
    robot: null,
    error:
      run.joints === null
        ? 'its files do not state its robot. Name the experiment after the robot, such as wbc_g1'
        : fitting.length === 0
          ? `it has ${run.joints} actions, but no robot of the workspace has this number of joints. Import its robot`
          : `it does not name its joints, and several robots have ${run.joints} joints. Name the experiment after one of them`,
  };
}

/** Returns the robot that the path of the run's motion library names; undefined if it names none of these. */
function inPathOf(robots: readonly RobotOfRuns[], { robotInPath }: RunRecord): RobotOfRuns | undefined {
  return robots.find(({ id }) => id === robotInPath);
}

/** Returns the robot whose id is part of the name of the experiment or the run, compared word by word. If several ids
 *  match, returns the robot with the longest id; undefined if two ids are equally long. */
function namedOf(robots: readonly RobotOfRuns[], { runDir, run }: RunRecord): RobotOfRuns | undefined {
  const words = (text: string) => `_${text.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_`;
  const name = words(`${runDir}_${run}`);
  const named = robots.filter(({ id }) => name.includes(words(id))).sort((a, b) => b.id.length - a.id.length);
  return named[0]?.id.length === named[1]?.id.length ? undefined : named[0];
}
