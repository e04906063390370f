import path from 'node:path';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { fileError } from '../../core/files/atomic-file.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import type { Logger } from '../../core/logger.ts';
import { checkReadOptions } from '../../data/clip/joint-order.ts';
import type { ConversionOrder, ConversionReport } from '../../data/conversion/convert-clip-file.ts';
import type { ConversionEnd } from '../../data/conversion/convert-clip-files.ts';
import {
  type ClipConversion,
  type ConversionPlan,
  type ConversionRequest,
  type OtherRates,
  planConversion,
} from '../../data/conversion/plan-conversion.ts';
import { AS_STATED, fixesOf } from '../../data/dataset-file.ts';
import type { ConversionSource } from '../../data/dataset-store.ts';
import { otherOptions } from '../../data/listing/other-options.ts';
import type { JobRegistry } from '../../jobs/job-registry.ts';
import type { JobHandle } from '../../jobs/live-job.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import { DEFAULT_INPUT_FPS, DEFAULT_OUTPUT_FPS } from '../../motion/conversion-options.ts';
import { asksDebias, parseFix } from '../../motion/fixes.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { convertDataset } from '../../protocol/routes/datasets.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';

const DEFAULT_BATCH_SIZE = 8;
/** Limits of one batch for a thread: number of clips and size of their files. A stopped job ends after the running
 *  batches. With batches of a single short clip, the threads would wait for the main thread. */
const TASK_CLIPS = 8;
const TASK_BYTES = 8 << 20;
/** A batch has at most this share of the remaining clips, so that all threads end at about the same time. */
const TASK_SHARE = 1 / 4;
/** Number of clips that a thread handles at the same time: it converts one clip while the disk saves another. */
const AT_ONCE = 2;
/** Maximum number of failed clips named in a job's error. */
const NAMED = 5;
/** Smallest vertical shift to report, m. A smaller shift is a rounding error. */
const LEAST_SHOWN_M = 5e-4;
const NONE: OtherRates = { clips: new Set(), unreadable: new Map() };
/** Name of the job queue. Each conversion uses all threads, so two conversions at once would only slow down both. */
const QUEUE = 'convert';

export interface ConversionDeps {
  readonly jobs: JobRegistry;
  readonly logger: Logger;
  /** number of threads of the pool */
  readonly threads: number;
  /** the selected robot */
  robot(): ClipRobotSource;
  dataset(robot: ClipRobotSource, name: string): Promise<ConversionSource>;
  /** Waits until files that were just copied into a dataset are listed. Returns false if a file is still growing. */
  awaitNewFiles(robot: ClipRobotSource, dataset: string): Promise<boolean>;
  /** Returns the names of the clips of a dataset that match a pattern. */
  find(robot: ClipRobotSource, dataset: string, q: string): Promise<readonly string[]>;
  /** Stores the read options of a dataset, which override the detected ones for raw files. */
  setReadOptions(robot: ClipRobotSource, dataset: string, read: ReadOptions): Promise<void>;
  /** Runs in a thread of the pool. @param atOnce clips that the thread converts or saves at the same time */
  convert(orders: readonly ConversionOrder[], atOnce: number): Promise<ConversionEnd[]>;
  /** Called when the conversion of a clip has ended. @param error reason of the failure; null: the clip was
   *  converted */
  ended(robot: ClipRobotSource, dataset: string, clip: string, error: string | null): void;
  /** Called when clips of a dataset have been written. */
  written(robot: ClipRobotSource, dataset: string): Promise<void>;
}

/** The input of one conversion job. */
interface Order {
  readonly robot: ClipRobotSource;
  readonly dataset: string;
  readonly request: ConversionRequest;
  readonly options: ConversionOrder['options'];
  /** conversion options of `dataset.yaml` */
  readonly defaults: ConversionSource['defaults'];
  /** maximum number of clips converted at the same time */
  readonly batchSize: number;
  /** false if a file was still growing at the request */
  readonly complete: boolean;
}

/** Runs conversion jobs, one at a time, each with all threads of the pool. A clip that cannot be converted does not
 *  stop the others. */
export class Conversion {
  readonly #deps: ConversionDeps;

  constructor(deps: ConversionDeps) {
    this.#deps = deps;
  }

  /** Starts a conversion of a dataset of the selected robot. Options missing from the request come from
   *  `dataset.yaml`.
   *  @returns the job's name  @throws bad_input for an unknown dataset or clip, or invalid options */
  async start(body: BodyOf<typeof convertDataset>): Promise<string> {
    const { dataset, which = 'missing', batch_size: batchSize = DEFAULT_BATCH_SIZE, fixes } = body;
    for (const [index, fix] of (fixes ?? []).entries()) parseFix(fix, `fixes.${index}`);
    const robot = this.#deps.robot();
    const complete = await this.#deps.awaitNewFiles(robot, dataset);
    const clips = await this.#named(robot, body);
    const { read } = body;
    if (read) {
      checkReadOptions(
        read,
        robot.facts.joints.map(({ name }) => name),
      );
      await this.#deps.setReadOptions(robot, dataset, read);
    }
    const { defaults } = await this.#deps.dataset(robot, dataset);
    const options = {
      inputFps: body.input_fps === 'file' ? null : (body.input_fps ?? defaults.input_fps ?? null),
      outputFps: body.output_fps ?? defaults.output_fps ?? DEFAULT_OUTPUT_FPS,
      debiasZ: body.debias_z ?? defaults.debias_z ?? false,
      fixes: fixes ?? null,
      defaultFps: DEFAULT_INPUT_FPS,
      read: defaults.read ?? AS_STATED,
    };
    const mirror = body.mirror ?? defaults.mirror ?? false;
    const request = { which, clips, mirror, repairs: (fixes?.length ?? 0) > 0 };
    const order: Order = { robot, dataset, request, options, defaults, batchSize, complete };
    const { conversions, refused } = await this.#plan(order, null);
    const spec = {
      kind: 'convert' as const,
      dataset,
      steps: conversions.length + refused.length,
      params: {
        robot: robot.facts.id,
        which,
        ...(which === 'selected' ? { clips: clips.length } : {}),
        batch_size: batchSize,
        output_fps: options.outputFps,
        input_fps: options.inputFps,
        mirror,
        debias_z: options.debiasZ,
        ...(fixes ? { fixes } : {}),
        ...(defaults.read ? { read: defaults.read } : {}),
      },
    };
    return this.#deps.jobs.run(spec, (job) => this.#carryOut(job, order), QUEUE);
  }

  /** Returns the names that the request states or matches. @throws bad_input if no clip matches */
  async #named(
    robot: ClipRobotSource,
    { dataset, which, clips = [], q = '' }: BodyOf<typeof convertDataset>,
  ): Promise<readonly string[]> {
    if (q === '') return clips;
    if (clips.length > 0) throw badInput('q: give either "clips" or "q"');
    if (which !== 'selected') throw badInput('q: chooses clips, so "which" must be "selected"');
    const found = await this.#deps.find(robot, dataset, q);
    if (found.length === 0) throw badInput(`q: no clip of dataset "${dataset}" matches ${JSON.stringify(q)}`);
    return found;
  }

  /** @param job null: plan from what is known, without reading clips */
  async #plan({ robot, dataset, request, options }: Order, job: JobHandle | null): Promise<ConversionPlan> {
    const { entries, npzFolder, otherRates } = await this.#deps.dataset(robot, dataset);
    const none = request.which === 'missing' || request.repairs;
    const progress = job && { signal: job.signal, report: () => {} };
    const own = none ? NONE : await otherRates(options.outputFps, progress);
    return planConversion(entries, npzFolder, request, own);
  }

  async #carryOut(job: JobHandle, order: Order): Promise<void> {
    // Plan again, because the files may have changed since the request.
    const { conversions, refused } = await this.#plan(order, job);
    const total = conversions.length + refused.length;
    const failed: { clip: string; error: string }[] = [];
    const stale = new StaleClips();
    let ended = 0;
    const finishClip = (line: string) => {
      ended += 1;
      job.log(line);
      job.report(ended, total);
    };
    const fail = (clip: string, error: string) => {
      failed.push({ clip, error });
      this.#deps.ended(order.robot, order.dataset, clip, error);
      finishClip(`${clip}: FAILED: ${error}`);
    };
    job.report(0, total);
    for (const line of firstLines(order, total)) job.log(line);
    for (const { clip, error } of refused) fail(clip, error);
    await this.#makeFolders(conversions);
    let next = 0;
    const workers = Math.min(this.#deps.threads, order.batchSize, conversions.length);
    const worker = async () => {
      while (next < conversions.length && !job.signal.aborted) {
        const taken = takeNext(conversions, next, workers);
        next += taken.length;
        const ends = await this.#convert(order, taken, Math.min(AT_ONCE, Math.floor(order.batchSize / workers)));
        for (const [k, conversion] of taken.entries()) {
          const end = ends[k]!;
          if (!end.ok) {
            if (end.code === 'disk_full') throw new StudioError(end.code, end.detail);
            fail(conversion.clip, end.detail);
            continue;
          }
          finishClip(reportLine(conversion, end.report));
          this.#deps.ended(order.robot, order.dataset, conversion.clip, null);
          stale.note(optionsNotAsked(order, conversion, end.report));
        }
      }
    };
    const results = await Promise.allSettled(Array.from({ length: workers }, worker));
    await this.#deps.written(order.robot, order.dataset);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    if (job.signal.aborted) {
      const rest = total - ended;
      await job.finish(
        'stopped',
        `stopped; ${rest} of ${total} clips are not converted. Convert the missing clips to continue${failures(failed, total)}`,
      );
      return;
    }
    job.log(`${total - failed.length} of ${total} clips converted`);
    for (const line of stale.lines()) job.log(line);
    if (failed.length === 0) await job.finish('done');
    else await job.finish(failed.length === total ? 'failed' : 'done', failures(failed, total).slice(2));
  }

  /** Converts clips in one thread. If the thread ends, for example at its time limit, converts the clips one by one, so
   *  that only the clip that made it end fails. */
  async #convert(order: Order, conversions: readonly ClipConversion[], atOnce: number): Promise<ConversionEnd[]> {
    const { robot, options, defaults } = order;
    const orders = conversions.map((conversion) => ({
      ...conversion,
      robot,
      options: { ...options, fixes: options.fixes ?? fixesOf(defaults, conversion.clip) },
    }));
    try {
      return await this.#deps.convert(orders, atOnce);
    } catch (error) {
      if (conversions.length === 1) {
        if (error instanceof StudioError) return [{ ok: false, code: error.code, detail: error.message }];
        return [{ ok: false, code: 'bad_input', detail: this.#bug(conversions[0]!.clip, error) }];
      }
      const ends: ConversionEnd[] = [];
      for (const conversion of conversions) ends.push(...(await this.#convert(order, [conversion], 1)));
      return ends;
    }
  }

  async #makeFolders(conversions: readonly ClipConversion[]): Promise<void> {
    const folders = new Set(conversions.flatMap(({ outputs }) => outputs.map((output) => path.dirname(output.path))));
    try {
      for (const folder of folders) await makeFolders(folder, 3);
    } catch (error) {
      throw fileError(error);
    }
  }

  #bug(clip: string, error: unknown): string {
    this.#deps.logger.error({ err: error }, `converting ${clip}: ${messageOf(error)}`);
    return 'internal error: see the service log';
  }
}

/** Returns the clips that a thread converts next. @param next index of the first one */
function takeNext(all: readonly ClipConversion[], next: number, threads: number): readonly ClipConversion[] {
  const most = Math.min(TASK_CLIPS, Math.max(1, Math.floor((TASK_SHARE * (all.length - next)) / threads)));
  let bytes = all[next]!.source.bytes;
  let end = next + 1;
  while (end < next + most && bytes + all[end]!.source.bytes <= TASK_BYTES) bytes += all[end++]!.source.bytes;
  return all.slice(next, end);
}

/** Lists the options of a converted clip that differ from `dataset.yaml`; empty if none differs. */
function optionsNotAsked({ options, defaults, request }: Order, conversion: ClipConversion, report: ConversionReport) {
  if (!conversion.source.raw) return []; // never stale
  const { inputFps, fixes } = report;
  const debiasZ = options.debiasZ || asksDebias(fixes);
  const { outputFps, read } = options;
  const record = { inputFps, outputFps, debiasZ, mirrored: false, fixes, source: null, read };
  const lacksImage =
    defaults.mirror === true && !request.mirror && conversion.outputs.every((output) => !output.mirrored);
  return [...otherOptions(record, defaults, conversion.clip), ...(lacksImage ? ['no mirror image'] : [])];
}

/** Counts the clips that are still listed as stale after their conversion, by reason. */
class StaleClips {
  readonly #counts = new Map<string, number>();

  note(reasons: readonly string[]): void {
    if (reasons.length === 0) return;
    const text = reasons.join(', ');
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  /** Returns one line per reason for the job's log. */
  lines(): string[] {
    return Array.from(this.#counts, ([reasons, count]) => {
      const clips = count === 1 ? '1 clip is' : `${count} clips are`;
      return `${clips} listed as stale, because dataset.yaml has other options: ${reasons}. Convert again without these options, or change dataset.yaml.`;
    });
  }
}

/** Returns the first lines of the job's log. @param total number of clips to convert */
function firstLines(order: Order, total: number): string[] {
  const growing = 'files are still being written to the dataset. Convert again when they are complete.';
  if (total === 0) return [`nothing to convert: ${order.complete ? 'all clips are up to date' : growing}`];
  return [`${total} ${total === 1 ? 'clip' : 'clips'}, ${orderText(order)}`, ...(order.complete ? [] : [growing])];
}

function orderText({ options, request }: Order): string {
  const parts = [`${options.outputFps} frames a second`];
  if (options.inputFps !== null) parts.push(`raw files read as ${options.inputFps}`);
  if (options.debiasZ) parts.push('on the floor');
  if (request.mirror) parts.push('with mirror images');
  return parts.join(', ');
}

function reportLine({ clip, notes }: ClipConversion, report: ConversionReport): string {
  const { inputFrames, inputFps, frames, fixes, shiftZ, readMs, computeMs, writeMs } = report;
  if (frames === 0)
    return `${clip}: not converted, because the existing file with the name of its mirror image is not a mirror image`;
  const parts = [`${inputFrames} frames at ${inputFps} → ${frames}`];
  if (fixes.length > 0) parts.push(`repaired: ${fixes.join(', ')}`);
  if (Math.abs(shiftZ) >= LEAST_SHOWN_M)
    parts.push(`moved ${shiftZ > 0 ? 'down' : 'up'} ${Math.abs(shiftZ).toFixed(3)} m`);
  parts.push(...notes, `${((readMs + computeMs + writeMs) / 1e3).toFixed(2)} s`);
  return `${clip}: ${parts.join('; ')}`;
}

/** Returns a text with the number of failed clips and the names of the first ones; empty if no clip failed. */
function failures(failed: readonly { readonly clip: string; readonly error: string }[], total: number): string {
  if (failed.length === 0) return '';
  const named = failed.slice(0, NAMED).map(({ clip, error }) => `${clip} (${error})`);
  const more = failed.length > NAMED ? `, and ${failed.length - NAMED} more: see the log` : '';
  return `; ${failed.length} of ${total} clips could not be converted: ${named.join(', ')}${more}`;
}
