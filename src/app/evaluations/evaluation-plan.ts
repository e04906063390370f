import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { didYouMean } from '../../core/nearest.ts';
import { checkSize } from '../../evaluate/check-size.ts';
import { chosenClips } from '../../evaluate/chosen-clips.ts';
import { planEpisodes } from '../../evaluate/episodes.ts';
import type { EvaluationRecord } from '../../evaluate/evaluation-folder.ts';
import { type EvaluationOrder, ORDER_VERSION } from '../../evaluate/evaluation-order.ts';
import { checkGate } from '../../evaluate/gate.ts';
import { conditionsOf, NOMINAL } from '../../mdp/conditions/named-conditions.ts';
import { withCondition } from '../../mdp/conditions/with-condition.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { startEvaluation } from '../../protocol/routes/evaluations.ts';
import type { Condition, Protocol } from '../../protocol/schemas/evaluation.ts';
import { physicsOn } from '../../robots/uneven-ground.ts';
import { deployFiles } from '../../runs/store/deploy-files.ts';
import { DEPLOY_CHECKPOINT, type RunRecord } from '../../runs/store/run-record.ts';
import { chooseCheckpoint } from '../../runs/store/run-store.ts';
import type { PlayRuns, PlaySetup } from '../play/play-deps.ts';
import type { PlayLibrary } from '../play/play-libraries.ts';

export type EvaluateBody = BodyOf<typeof startEvaluation>;

const DEFAULT_STARTS = 4;
const ALIGNMENT =
  'The state after the control step of frame k is compared with frame k + 1. body_pos_local: the reference is moved to the x and y of the robot anchor and turned by the difference in yaw of the anchors; heights, roll and pitch stay.';

/** A checked request for an evaluation, with all names resolved. */
export interface EvaluationPlan {
  readonly run: RunRecord;
  readonly task: string;
  /** dataset of the motion library; null for the clip in a policy file */
  readonly dataset: string | null;
  readonly robot: ClipRobotSource;
  /** compiled robot for the ground of the task */
  readonly physicsPath: string;
  readonly protocol: Protocol;
  /** names of the clips in the request; null: all clips */
  readonly names: readonly string[] | null;
  readonly gate: EvaluateBody['gate'] | null;
  readonly episodes: number;
  readonly fingerprint: string;
  readonly order: Omit<EvaluationOrder, 'folder' | 'robot'>;
}

/** The settings of a requested evaluation, with defaults filled in. */
export interface Asked {
  readonly checkpoints: readonly string[];
  readonly motion: string | null;
  readonly names: readonly string[] | null;
  readonly starts: number;
  readonly horizonS: number | null;
  readonly conditions: readonly (string | Condition)[];
  readonly seed: number;
  readonly gate: EvaluationPlan['gate'];
}

/** Fills in the defaults of a request. @throws bad_input for an unknown checkpoint, or one that is named twice */
export function askedOf(body: EvaluateBody, run: RunRecord): Asked {
  const { checkpoints = [run.checkpoints.at(-1)?.name ?? ''] } = body;
  for (const name of checkpoints) if (name !== '') chooseCheckpoint(run, name, 'checkpoints');
  const twice = checkpoints.find((name, k) => checkpoints.indexOf(name) !== k);
  if (twice !== undefined) throw badInput(`checkpoints: ${quoteName(twice)} is named twice`);
  const names = body.clips ?? null;
  const again = names?.find((name, k) => names.indexOf(name) !== k);
  if (again !== undefined) throw badInput(`clips: ${quoteName(again)} is named twice`);
  if (body.gate) checkGate(body.gate);
  return {
    checkpoints,
    motion: body.motion ?? null,
    names,
    starts: body.starts ?? DEFAULT_STARTS,
    horizonS: body.horizon_s ?? null,
    conditions: body.conditions ?? [NOMINAL.name],
    seed: body.seed ?? 0,
    gate: body.gate ?? null,
  };
}

/** Returns the settings of an evaluation that is to be resumed. */
export function askedAgain({ protocol, names, gate }: EvaluationRecord): Asked {
  const { checkpoints, motion, starts, horizon_s: horizonS, conditions, seed } = protocol;
  return { checkpoints, motion, names, starts, horizonS, conditions, seed, gate };
}

/** Reads and checks everything that an evaluation needs. @throws bad_input naming the field */
export async function planEvaluation(
  content: PlayRuns,
  run: RunRecord,
  robot: ClipRobotSource,
  asked: Asked,
  version: string,
): Promise<EvaluationPlan> {
  const setups: PlaySetup[] = [];
  for (const checkpoint of asked.checkpoints) setups.push(await content.setup(run, checkpoint, robot));
  const { task, trained } = setups[0]!;
  const conditions = conditionsOf(asked.conditions, trained);
  for (const condition of conditions) withCondition(trained, condition, robot.facts);
  const libraries = await content.libraries(run, robot);
  const source = libraryOf(libraries, asked.motion);
  const whole = await content.readLibrary(source, run, robot);
  const clips = asked.names ?? whole.clips.map(({ name }) => name);
  const library = chosenClips(whole, clips);
  const controlHz = 1 / (trained.decimation * trained.sim.timestep);
  checkRate(library, controlHz);
  const { starts, horizonS, seed, gate } = asked;
  const pairs = asked.checkpoints.length * conditions.length;
  const episodes = planEpisodes(library, starts, horizonS).length * pairs;
  checkSize(pairs, episodes);
  const physicsPath = physicsOn(robot.physicsPath, trained.scene.terrain.type);
  const model = createHash('sha256')
    .update(await readFile(physicsPath))
    .digest('hex');
  const protocol: Protocol = {
    checkpoints: [...asked.checkpoints],
    motion: source.path,
    clips: clips.length,
    starts,
    horizon_s: horizonS,
    seed,
    conditions,
    failure: failureText(trained),
    alignment: ALIGNMENT,
    control_hz: Math.round(controlHz * 1e6) / 1e6,
    model,
    version,
  };
  const files = source.files?.filter(({ name }) => !isSingle(source) || clips.includes(name)) ?? null;
  return {
    run,
    task,
    dataset: /^data\/[^/]+\/([^/]+)$/.exec(source.path)?.[1] ?? null,
    robot,
    physicsPath,
    protocol,
    names: asked.names,
    gate,
    episodes,
    fingerprint: await fingerprintOf({ ...protocol, version: '' }, run, { trained, files, clips, library }),
    order: {
      version: ORDER_VERSION,
      run: { folder: run.folder, format: run.format },
      checkpoints: asked.checkpoints,
      conditions,
      files,
      clips,
      starts,
      horizonS,
      seed,
      gate: gate ?? null,
      scores: source === libraries[0] ? scored(asked, run, conditions[0]) : null,
      threads: 0,
    },
  };
}

function libraryOf(libraries: readonly PlayLibrary[], motion: string | null): PlayLibrary {
  const found = motion === null ? libraries[0] : libraries.find(({ path: own }) => own === motion);
  if (found) return found;
  if (motion === null) throw badInput('motion: the robot has no converted clips; convert a dataset of it first');
  const paths = libraries.map(({ path: own }) => own);
  throw badInput(
    `motion: unknown motion library ${quoteName(motion)}; ${didYouMean(motion, paths) ?? `available: ${paths.join(', ')}`}`,
  );
}

/** Returns the checkpoint whose result becomes the score of the run: the newest one, evaluated under nominal conditions
 *  on all clips to their ends. Returns null for any other evaluation. */
function scored({ checkpoints, names, horizonS }: Asked, run: RunRecord, first: Condition | undefined): string | null {
  const newest = run.checkpoints.at(-1)?.name;
  if (newest === undefined || !checkpoints.includes(newest)) return null;
  const whole = names === null && horizonS === null;
  return whole && JSON.stringify(first) === JSON.stringify(NOMINAL) ? newest : null;
}

/** Returns true if each file contains a single clip, so that only the files of the named clips need to be read. */
function isSingle({ files, clips }: PlayLibrary): boolean {
  return files?.length === clips;
}

function checkRate({ fps }: MotionLibrary, controlHz: number): void {
  if (Math.abs(fps / controlHz - 1) > 1e-3)
    throw badInput(
      `motion: the library has ${fps} frames per second, the policy ${Math.round(controlHz)} control steps per second. Convert the clips at that rate.`,
    );
}

function failureText({ terminations }: TaskConfig): string {
  const rules = Object.entries(terminations).flatMap(([name, { func, time_out: timeOut, params }]) => {
    if (timeOut) return [];
    const limit = params['threshold'] ?? params['force_threshold'] ?? params['limit_angle'] ?? params['minimum_height'];
    return [`${name} (${func}${typeof limit === 'number' ? ` ${limit}` : ''})`];
  });
  return [...rules, 'a state that is not finite'].join(', ');
}

/** Returns a hash of everything that determines the results. An evaluation can be resumed only if this hash is
 *  unchanged. */
async function fingerprintOf(
  protocol: Protocol,
  run: RunRecord,
  {
    trained,
    files,
    clips,
    library,
  }: {
    readonly trained: TaskConfig;
    readonly files: EvaluationOrder['files'];
    readonly clips: readonly string[];
    readonly library: MotionLibrary;
  },
): Promise<string> {
  const hash = createHash('sha256');
  const checkpoints = protocol.checkpoints.map((name) =>
    path.join(run.folder, name === DEPLOY_CHECKPOINT ? deployFiles(run.folder).onnx : name),
  );
  const states = await Promise.all(
    [...checkpoints.filter((_, k) => protocol.checkpoints[k] !== ''), ...(files ?? []).map((file) => file.path)].map(
      async (file) => {
        const { size, mtimeMs } = await stat(file);
        return [path.basename(file), size, mtimeMs];
      },
    ),
  );
  const frames = library.clips.map((clip) => clip.frames);
  return hash.update(JSON.stringify([protocol, run.format, trained, clips, frames, states])).digest('hex');
}
