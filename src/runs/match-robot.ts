import type { RunRecord } from './store/run-record.ts';

/** A registered robot, as far as runs tell robots apart. */
export interface RobotOfRuns {
  readonly id: string;
  /** null while it has not been compiled */
  readonly jointNames: readonly string[] | null;
}

/** The robot of a run: the one it names, else the one with the same set of joint names; of several the one that the
 *  experiment's or the run's name holds as a word, else the first. Deployed policies often name neither robot nor joints:
 *  then the one with as many joints that is such a word, else the only one with as many joints.
 *  @param robots the one to take where nothing else tells comes first
 *  @returns null with the reason where there is none */
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
    const own = namedOf(same, run) ?? same[0];
    if (own) return found(own);
    const what =
      run.robot === null
        ? 'its joints are those of no robot here'
        : `its robot "${run.robot}" is not here, nor is one with its joints`;
    return { robot: null, error: `${what}: import that robot` };
  }
  if (run.robot !== null) return { robot: null, error: `its robot "${run.robot}" is not here: import that robot` };
  const fitting = robots.filter(({ jointNames }) => run.joints === null || jointNames?.length === run.joints);
  const only = namedOf(fitting, run) ?? (run.joints !== null && fitting.length === 1 ? fitting[0] : undefined);
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

/** The robot whose id the name of the experiment or of the run holds, as a word or as several; of several the one with
 *  the longest id. */
function namedOf(robots: readonly RobotOfRuns[], { runDir, run }: RunRecord): RobotOfRuns | undefined {
  const words = (text: string) => `_${text.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_`;
  const name = words(`${runDir}_${run}`);
  const named = robots.filter(({ id }) => name.includes(words(id))).sort((a, b) => b.id.length - a.id.length);
  return named[0]?.id.length === named[1]?.id.length ? undefined : named[0];
}
