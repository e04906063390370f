import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { StudioError } from '../core/errors.ts';
import { createFolderAtomic, writeAtomicSync, writeWholeSync } from '../core/files/atomic-file.ts';
import { resolveInside } from '../core/files/path-guard.ts';
import { readRegularFileSync } from '../core/files/read-regular-file.ts';
import { chosenClips } from '../evaluate/chosen-clips.ts';
import type { ClipRobotSource } from '../motion/clip-robot.ts';
import { type LibraryFile, loadMotionLibrary } from '../motion/library/load-motion-library.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import { readEmbeddedLibrary } from '../play/run-setup/embedded-library.ts';
import { readRunSetup } from '../play/run-setup/read-run-setup.ts';
import type { ExportFormat, SelfTest } from '../protocol/schemas/exports.ts';
import { physicsOn } from '../robots/uneven-ground.ts';
import type { RunFormat } from '../runs/store/run-record.ts';
import { loadMujoco } from '../sim/mujoco.ts';
import type { BundleFiles } from './bundle-files.ts';
import { withStanding } from './clip-data.ts';
import { BUNDLE_FILE, type BundleRecord } from './exports-folder.ts';
import { BundleArchive } from './layouts/bundle-archive.ts';
import { readBundle } from './layouts/read-bundle.ts';
import { bundleParts, writeLayout } from './make-bundle.ts';
import { bundleReadme, README } from './readme/bundle-readme.ts';
import { type TestedRun, testBundle } from './selftest/self-test.ts';

/** Identifies what is exported: a checkpoint of a run, a clip, and the standing before and after the clip. */
export interface ExportedRun {
  readonly run: { readonly path: string; readonly folder: string; readonly format: RunFormat };
  readonly checkpoint: string;
  readonly robot: ClipRobotSource;
  /** files of the motion library; null: the clip is stored in the run's own file */
  readonly files: readonly LibraryFile[] | null;
  readonly clip: string;
  readonly standInS: number;
  readonly standOutS: number;
}

export interface ExportOrder extends ExportedRun {
  /** path of the new folder of the bundle; its parent exists */
  readonly folder: string;
  readonly created: string;
  readonly format: ExportFormat;
  /** duration of the self-test, s; null: the whole clip */
  readonly selftestS: number | null;
}

/** Reads a run and the clip that is exported together with it. */
export async function readExported(order: ExportedRun): Promise<TestedRun & { readonly clip: MotionLibrary }> {
  const { run, checkpoint, robot, files, clip, standInS, standOutS } = order;
  const { facts } = robot;
  const { trained, policy } = await readRunSetup({ folder: run.folder, format: run.format, checkpoint, facts });
  const library = files ? await loadMotionLibrary(files, facts) : await readEmbeddedLibrary(run.folder, robot);
  return {
    task: trained,
    weights: policy!,
    clip: await withStanding(chosenClips(library, [clip]), robot, standInS, standOutS),
  };
}

/** Writes a bundle, reads it back from the disk and tests it. The folder appears when the bundle is complete. A bundle
 *  that fails its test is kept. @throws StudioError bad_input naming the part that the layout cannot express,
 *  disk_full */
export async function exportBundle(order: ExportOrder): Promise<BundleRecord> {
  const { folder, run, checkpoint, robot, format, selftestS } = order;
  const { facts } = robot;
  const { task, weights, clip } = await readExported(order);
  const parts = bundleParts({ run: run.path, checkpoint, task, weights, clip, facts }, format);
  const layout = writeLayout(parts);
  const files = new Map([...layout, [README, [Buffer.from(bundleReadme(parts, order))]]]);
  let record: BundleRecord | null = null;
  await createFolderAtomic(folder, async (unseen) => {
    writeFiles(unseen, files);
    const selftest = await tested(unseen, [...layout.keys()], async (archive) =>
      testBundle(
        {
          mj: await loadMujoco(),
          physics: await readFile(physicsOn(robot.physicsPath, task.scene.terrain.type)),
          facts,
          library: clip,
          seconds: selftestS,
        },
        await readBundle(archive, facts),
        { task, weights },
      ),
    );
    record = recordOf(order, files, selftest);
    writeAtomicSync(path.join(unseen, BUNDLE_FILE), `${JSON.stringify(record, null, 1)}\n`);
  });
  return record!;
}

function writeFiles(folder: string, files: BundleFiles): void {
  for (const [name, parts] of files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeWholeSync(file, parts);
  }
}

/** Reads the written files and tests them. Files that cannot be read fail the test. */
async function tested(
  folder: string,
  names: readonly string[],
  test: (archive: BundleArchive) => Promise<SelfTest>,
): Promise<SelfTest> {
  try {
    const written = names.map((name) => {
      const file = path.join(folder, name);
      return [name, [readRegularFileSync(file, MAX_FILE)]] as const;
    });
    return await test(BundleArchive.of(new Map(written)));
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { ok: false, max_action_difference: null, tracked_s: null, run_tracked_s: null, text: error.message };
  }
}

const MAX_FILE = 1 << 30;

function recordOf(order: ExportOrder, files: BundleFiles, selftest: SelfTest): BundleRecord {
  let bytes = 0;
  for (const parts of files.values()) for (const part of parts) bytes += part.byteLength;
  return {
    version: 1,
    name: path.basename(order.folder),
    run: order.run.path,
    format: order.format,
    checkpoint: order.checkpoint,
    clip: order.clip,
    bytes,
    created: order.created,
    selftest,
    robot: order.robot.facts.id,
    stand_in_s: order.standInS,
    stand_out_s: order.standOutS,
    files: [...files.keys()],
  };
}

/** Packs the files of a bundle into a zip file. The record may come from an untrusted source, together with a copied
 *  run, so only files in the bundle's folder are packed. @throws StudioError bad_input for a file outside of the
 *  folder */
export async function zipExport(folder: string, { name, files }: BundleRecord): Promise<Uint8Array> {
  const { writeZip } = await import('../formats/zip-write.ts');
  const content = new Map<string, Uint8Array>();
  for (const file of [...files, BUNDLE_FILE]) {
    const full = await resolveInside(folder, file, `name: the export ${name} lists a file outside of its folder`);
    content.set(`${name}/${file}`, readRegularFileSync(full, MAX_FILE));
  }
  return writeZip(content);
}
