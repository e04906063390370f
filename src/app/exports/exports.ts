import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { createAtomic, fileError, hideFolder, inUnseenFolder, sweepTemps } from '../../core/files/atomic-file.ts';
import { quoteName } from '../../core/files/names.ts';
import { removeTree } from '../../core/files/remove-tree.ts';
import { bytesText, namesText } from '../../core/log/format-numbers.ts';
import type { Logger } from '../../core/logger.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { ExportedRun, ExportOrder } from '../../export/export-bundle.ts';
import { planExport } from '../../export/export-plan.ts';
import { type BundleRecord, EXPORTS, type StoredExport } from '../../export/exports-folder.ts';
import { LAYOUTS } from '../../export/layouts/layout.ts';
import { waistProblem } from '../../export/layouts/waist.ts';
import { runPolicy } from '../../export/run-policy.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { BodyOf, ReplyOf } from '../../protocol/route.ts';
import type { checkBundle, exportPolicy, listExports } from '../../protocol/routes/exports.ts';
import type { Export, SelfTest } from '../../protocol/schemas/exports.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import { chooseCheckpoint } from '../../runs/store/run-store.ts';
import type { BusyTasks } from '../busy-tasks.ts';
import type { PlayRuns } from '../play/play-deps.ts';
import type { PlayLibrary } from '../play/play-libraries.ts';

type ExportBody = BodyOf<typeof exportPolicy>;

const SELFTEST_S = 10;
/** Maximum size of an uploaded zip file to test, bytes. */
const MOST_BYTES = 512 << 20;

/** A zip file of a bundle. */
export interface ZippedExport {
  readonly body: Uint8Array;
  /** header names in lower case */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ExportsDeps {
  readonly busy: BusyTasks;
  readonly content: PlayRuns;
  readonly logger: Logger;
  /** folder for uploaded files while they are tested */
  readonly cache: string;
  /** the selected robot */
  robot(): ClipRobotSource;
  /** @throws bad_input for an unknown run */
  run(path: string): Promise<RunRecord>;
  /** Reads the exports of a run, or of all runs, on another thread. */
  scan(run: string | null): Promise<StoredExport[]>;
  /** Work with the files of bundles, in threads of the pool. */
  readonly files: {
    write(order: ExportOrder): Promise<BundleRecord>;
    zip(folder: string, record: BundleRecord): Promise<Uint8Array>;
    record(zip: string): Promise<BundleRecord | null>;
    check(zip: string, robot: ClipRobotSource, run: ExportedRun | null): Promise<SelfTest>;
  };
}

/** Exports policies with clips for the controllers of robots, and tests such bundles. */
export class Exports {
  readonly #deps: ExportsDeps;
  /** names given to exports whose folder does not exist yet */
  readonly #given = new Set<string>();

  constructor(deps: ExportsDeps) {
    this.#deps = deps;
  }

  /** Checks an export and starts it, which is slow.
   *  @param signal if it aborts, nothing is started  @returns the name of the busy task
   *  @throws bad_input naming the wrong field, or the setting that the format cannot express */
  async start(body: ExportBody, signal: AbortSignal): Promise<string> {
    const { content, busy, files } = this.#deps;
    const { format, stand_in_s: standInS = 0, stand_out_s: standOutS = 0, selftest_s: selftestS = SELFTEST_S } = body;
    if (body.checkpoint === '') throw badInput('checkpoint: zero actions cannot be exported: name a checkpoint');
    const run = await content.find(body.run);
    const robot = this.#deps.robot();
    const checkpoint = chooseCheckpoint(run, body.checkpoint ?? null)!.name;
    const exported = await this.#plan(body, run, checkpoint, robot);
    const name = await this.#newName(exported.clip, format);
    if (signal.aborted) this.#given.delete(name);
    signal.throwIfAborted();
    const order: ExportOrder = {
      ...exported,
      folder: path.join(run.folder, EXPORTS, name),
      created: new Date().toISOString(),
      format,
      standInS,
      standOutS,
      selftestS,
    };
    return busy.start('export', `Exporting ${exported.clip} of ${run.path}`, `export ${name}`, async (progress) => {
      try {
        progress.report('writing and testing');
        await this.#makeParent(run);
        const { bytes, selftest } = await files.write(order);
        progress.made({ export: name });
        const result = selftest.ok ? 'self-test passed' : `self-test FAILED: ${selftest.text}`;
        progress.outcome(`Export ${name} of ${run.path} written for ${format} (${bytesText(bytes)}), ${result}`);
        return result;
      } finally {
        this.#given.delete(name);
      }
    });
  }

  async list(run: string | null): Promise<ReplyOf<typeof listExports>> {
    const place = run === null ? null : (await this.#deps.run(run)).path;
    return { exports: (await this.#deps.scan(place)).map(({ record }) => listed(record)) };
  }

  /** Packs a bundle. @throws bad_input for an unknown export */
  async download(name: string): Promise<ZippedExport> {
    const { folder, record } = await this.#find(name);
    const body = await this.#deps.files.zip(folder, record).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw badInput(`name: a file of the export ${quoteName(name)} is missing. Export again.`);
    });
    const file = `${name}.zip`.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
    return { body, headers: { 'content-disposition': `attachment; filename="${file}"` } };
  }

  /** @param signal if it aborts, nothing is deleted  @throws bad_input for an unknown export */
  async remove(name: string, signal: AbortSignal): Promise<void> {
    const { folder } = await this.#find(name);
    signal.throwIfAborted();
    const hidden = await hideFolder(folder);
    removeTree(hidden).catch((error: unknown) =>
      this.#deps.logger.warn(
        { err: error },
        `export ${name} is deleted, but some of its files could not be removed: ${messageOf(error)}`,
      ),
    );
  }

  /** Tests an uploaded bundle. @param zip the bytes of the zip file @throws bad_input, too_large */
  async check(zip: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<ReplyOf<typeof checkBundle>> {
    const { cache, files } = this.#deps;
    return inUnseenFolder(cache, async (folder) => {
      const file = path.join(folder, 'bundle.zip');
      await receive(zip, file);
      signal.throwIfAborted();
      const robot = this.#deps.robot();
      const record = await files.record(file);
      const run = record && (await this.#runOf(record, robot));
      signal.throwIfAborted();
      return { ok: true as const, selftest: await files.check(file, robot, run) };
    });
  }

  /** Finds the run from which a bundle was exported. Returns null if the run is not in this workspace, or has
   *  changed. */
  async #runOf(record: BundleRecord, robot: ClipRobotSource): Promise<ExportedRun | null> {
    try {
      const run = await this.#deps.content.find(record.run);
      if (!run.checkpoints.some(({ name }) => name === record.checkpoint)) return null;
      const { clip, checkpoint, format } = record;
      const plan = await this.#plan({ run: run.path, clip, format }, run, checkpoint, robot);
      return { ...plan, standInS: record.stand_in_s, standOutS: record.stand_out_s };
    } catch (error) {
      if (error instanceof StudioError && error.code === 'bad_input') return null;
      throw error;
    }
  }

  /** Checks that a policy and a clip can be exported. */
  async #plan(body: ExportBody, run: RunRecord, checkpoint: string, robot: ClipRobotSource): Promise<ExportedRun> {
    const { content } = this.#deps;
    const { trained } = await content.setup(run, checkpoint, robot);
    const policy = runPolicy(trained, robot.facts);
    const plan = planExport(policy, LAYOUTS[body.format]);
    const { library, clip } = await this.#clip(body, run, robot);
    if (body.format === 'unitree' && plan.observations.some(({ reading }) => reading === 'anchor_ori_b')) {
      const problem = waistProblem(policy.anchor, await content.readLibrary(library, run, robot), robot.facts);
      if (problem !== null)
        throw badInput(`format: unitree cannot express motion_anchor_ori_b of this robot: ${problem}`);
    }
    return {
      run: { path: run.path, folder: run.folder, format: run.format },
      checkpoint,
      robot,
      files: library.files,
      clip,
      standInS: 0,
      standOutS: 0,
    };
  }

  /** Chooses the clip: the only clip of the run's own library, or the clip that the request names, from any of the
   *  run's libraries. */
  async #clip(
    body: ExportBody,
    run: RunRecord,
    robot: ClipRobotSource,
  ): Promise<{ library: PlayLibrary; clip: string }> {
    const { content } = this.#deps;
    const libraries = await content.libraries(run, robot);
    const [own] = libraries;
    if (!own) throw badInput('clip: the robot has no converted clips; convert a dataset of it first');
    const names = (await content.readLibrary(own, run, robot)).clips.map(({ name }) => name);
    const { clip } = body;
    if (clip === undefined) {
      if (names.length === 1) return { library: own, clip: names[0]! };
      throw badInput(`clip: ${own.path} has ${names.length} clips. Choose one of ${namesText(names)}.`);
    }
    if (names.includes(clip)) return { library: own, clip };
    const other = libraries.find(({ files }) => files?.some(({ name }) => name === clip));
    if (other) return { library: other, clip };
    throw badInput(
      `clip: ${own.path} has no clip ${quoteName(clip)}; ${didYouMean(clip, names) ?? `it has ${namesText(names)}`}`,
    );
  }

  async #makeParent(run: RunRecord): Promise<void> {
    const parent = path.join(run.folder, EXPORTS);
    try {
      await mkdir(parent, { recursive: true });
      await sweepTemps(parent);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EACCES' && code !== 'EROFS' && code !== 'ENOTDIR') throw fileError(error);
      throw badInput(`run: the folder ${run.path} cannot be written to (${code}). Change its permissions.`);
    }
  }

  async #find(name: string): Promise<StoredExport> {
    const all = await this.#deps.scan(null);
    const found = all.find(({ record }) => record.name === name);
    if (found) return found;
    const names = all.map(({ record }) => record.name);
    throw badInput(
      `name: unknown export ${quoteName(name)}; ${didYouMean(name, names) ?? 'GET /api/exports lists all'}`,
    );
  }

  /** Chooses a name that no export of the workspace has, made from the clip, the format and a number. */
  async #newName(clip: string, format: string): Promise<string> {
    const stem = `${
      clip
        .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
        .replace(/^[^A-Za-z0-9]+/, '')
        .slice(0, 64) || 'clip'
    }-${format}`;
    const taken = new Set((await this.#deps.scan(null)).map(({ record }) => record.name));
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? stem : `${stem}-${number}`;
      if (taken.has(name) || this.#given.has(name)) continue;
      this.#given.add(name);
      return name;
    }
  }
}

/** Stores an upload in a file. @throws too_large, disk_full */
async function receive(zip: AsyncIterable<Uint8Array>, target: string): Promise<void> {
  const file = await createAtomic(target);
  let bytes = 0;
  try {
    for await (const chunk of zip) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES)
        throw new StudioError('too_large', `the bundle has more than ${MOST_BYTES >> 20} MiB, which is the limit`);
      await file.write(chunk);
    }
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

function listed({ name, run, format, checkpoint, clip, bytes, created, selftest }: BundleRecord): Export {
  return { name, run, format, checkpoint, clip, bytes, created, selftest };
}
