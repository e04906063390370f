import { badInput, StudioError } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import { sessionConfig } from '../../play/play-config.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { comparePolicies } from '../../protocol/routes/play.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { BuildOrder } from './build-order.ts';
import type { PlayRequest } from './live-session.ts';
import type { PlayDeps, PlaySetup } from './play-deps.ts';
import type { PlayLibrary } from './play-libraries.ts';
import { checkpointOf, clipIndex, findLibrary } from './play-request.ts';
import { checkPlanMemory, controlHz, planSession } from './session-plan.ts';

type Body = BodyOf<typeof comparePolicies>;

/** Distance between neighbouring robots, as a multiple of the robot's height. */
const SPACING = 1.2;
/** A comparison runs in one thread, because its environments wait for each other after each step. */
const THREADS = 1;

interface FoundEntry {
  readonly run: RunRecord;
  readonly checkpoint: string;
}

/** Completes and checks a request to compare policies. Reads runs and checkpoints, and the motion library if a clip or
 *  frame is given. @throws bad_input naming the field, such as `entries[1].checkpoint` */
export async function comparisonOrder(body: Body, deps: PlayDeps): Promise<BuildOrder> {
  const { runs } = deps;
  const robot = deps.robot();
  const entries: FoundEntry[] = [];
  for (const [index, { run, checkpoint }] of body.entries.entries())
    entries.push(
      await ofEntry(index, async () => {
        const found = await runs.find(run);
        return { run: found, checkpoint: checkpointOf(found, checkpoint) };
      }),
    );
  const first = entries[0]!;
  const libraries = await runs.libraries(first.run, robot);
  const own = libraries.find((library) => library.default) ?? libraries[0];
  const library = findLibrary(body.motion ?? own?.path, libraries);
  const { clip, frame, read } = await start(body, library, () => runs.readLibrary(library, first.run, robot));
  const setups: PlaySetup[] = [];
  for (const [index, { run, checkpoint }] of entries.entries())
    setups.push(await ofEntry(index, () => runs.setup(run, checkpoint, robot)));
  const { layout = 'beside', seed = 0 } = body;
  const asked: PlayRequest = {
    run: first.run.path,
    checkpoint: first.checkpoint,
    motion: library.path,
    numEnvs: entries.length,
    terminations: true,
    seed,
    compare: { entries: entries.map(({ run, checkpoint }) => ({ run: run.path, checkpoint })), clip, frame, layout },
    condition: null,
  };
  const plan = planComparison(asked, setups, robot);
  checkPlanMemory(plan, THREADS, library.rows);
  return { asked, task: setups[0]!.task, run: first.run, library, read, pin: null, plan, threads: THREADS, robot };
}

/** Runs an action for one entry and prefixes its errors with the place of the entry in the request. */
async function ofEntry<T>(index: number, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'bad_input') throw error;
    throw badInput(`entries[${index}].${error.message}`);
  }
}

/** Finds the clip and the frame at which all environments start. */
async function start(body: Body, library: PlayLibrary, readLibrary: () => Promise<MotionLibrary>) {
  const { clip = 0, frame = 0 } = body;
  if (clip === 0 && frame === 0) return { clip, frame, read: null };
  const read = await readLibrary();
  const names = read.clips.map(({ name }) => name);
  const index = clipIndex(names, clip, library.path);
  const { frames } = read.clips[index]!;
  if (frame >= frames)
    throw badInput(`frame: must be from 0 to ${frames - 1}, the frames of clip ${quoteName(names[index]!)}`);
  return { clip: index, frame, read };
}

function planComparison(asked: PlayRequest, setups: readonly PlaySetup[], robot: ClipRobotSource) {
  const compare = asked.compare!;
  const plan = planSession(asked, setups[0]!, robot);
  const first = plan.config;
  for (const [index, { config }] of setups.entries()) {
    const [hz, wanted] = [controlHz(config), controlHz(first)];
    if (Math.abs(hz - wanted) > 1e-3 * wanted)
      throw badInput(
        `entries[${index}].run: ${quoteName(compare.entries[index]!.run)} has ${round(hz)} control steps per second, entries[0] has ${round(wanted)}. Compare runs of the same control rate.`,
      );
  }
  if (compare.layout === 'beside' && first.scene.terrain.type !== 'plane')
    throw badInput(
      `layout: the ground of ${quoteName(asked.run)} is uneven, so all robots must stand at the same place. Use overlay.`,
    );
  const policies = setups.map(({ config, policy }) => ({ config: inScene(sessionConfig(config), first), policy }));
  const { clip, frame, layout } = compare;
  return {
    ...plan,
    capacity: asked.numEnvs,
    compare: { policies, layout, spacing: SPACING * robot.facts.height, clip: clip ?? 0, frame },
  };
}

/** Returns the task of one policy with the scene of another task: the same ground and the same starts. Observations,
 *  actions, gains, terminations and rewards stay those of the policy's task. */
function inScene(config: TaskConfig, { scene, commands }: TaskConfig): TaskConfig {
  const { rsi, pose_range, velocity_range, joint_position_range } = commands.motion;
  const motion = { ...config.commands.motion, rsi, pose_range, velocity_range, joint_position_range };
  return { ...config, scene, commands: { ...config.commands, motion } };
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}
