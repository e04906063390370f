import { type Dirent, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { isTemp, LEFTOVER_MS } from '../../core/files/atomic-file.ts';
import { lockState } from '../../core/files/pid-lock.ts';
import { readRegularFile } from '../../core/files/read-regular-file.ts';
import { countText } from '../../core/log/format-numbers.ts';
import { readDatasetConfig } from '../../data/dataset-file.ts';
import { motionFacts } from '../../formats/motion-npz.ts';
import { parseRecord } from '../../jobs/job-record.ts';
import { readRobotSpec, SPEC_FILE } from '../../robots/robot-spec-file.ts';
import { readRunIdentity } from '../../runs/params/read-identity.ts';
import { scanRuns } from '../../runs/store/scan-run.ts';
import { attempt, type Finding, findingsOf, firstFindings } from './finding.ts';

/** Maximum size of a job record, bytes; larger ones are not read. The service has the same limit. */
const MAX_RECORD_BYTES = 2 << 20;

const finding = findingsOf('workspace');

/** Checks the files of a workspace. Reads only, so a service may be running on it. */
export async function checkWorkspace(root: string): Promise<readonly Finding[]> {
  const existing = nearestExisting(root);
  const problem = await folderProblem(existing);
  if (problem) return [problem];
  if (existing !== root) return [finding('folder', 'note', `${root} does not exist; the first start creates it`)];
  const parts = await Promise.all(
    [usable(root), robots(root), datasets(root), runs(root), jobs(root)].map((part) =>
      attempt(
        () => part,
        (text) => finding('folder', 'warning', text),
      ),
    ),
  );
  return parts.flat();
}

/** Returns `root`, or the nearest folder above it that exists. */
function nearestExisting(root: string): string {
  return existsSync(root) ? root : nearestExisting(path.dirname(root));
}

/** Returns why the service cannot write to a folder; null if it can. */
async function folderProblem(folder: string): Promise<Finding | null> {
  if (!statSync(folder).isDirectory())
    return finding('folder', 'error', `${folder} is a file, not a folder`, 'Move it away, or use --workspace.');
  const isWritable = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const remedy = 'Change its owner or permissions, or use --workspace.';
  return isWritable ? null : finding('folder', 'error', `${folder} cannot be written to`, remedy);
}

async function usable(root: string): Promise<readonly Finding[]> {
  const found = [finding('folder', 'ok', root)];
  const lock = lockState(path.join(root, '.studio/lock'));
  if (lock?.held) found.push(finding('lock', 'ok', lock.text));
  else if (lock) found.push(finding('lock', 'note', lock.text, 'Nothing: the next start takes it over.'));
  const own = ['robots', 'data', 'config', 'jobs', '.studio'].flatMap((name) => unfinished(path.join(root, name)));
  // Trainings outlive the service, so a new file in the runs may belong to one that is writing it.
  const before = Date.now() - LEFTOVER_MS;
  const ofRuns = unfinished(path.join(root, 'logs/rsl_rl')).filter(
    (file) => (lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? before) < before,
  );
  const temps = [...own, ...ofRuns];
  if (temps.length > 0 && !lock?.held)
    found.push(
      finding(
        'unfinished files',
        'note',
        `${countText(temps.length, 'file')} of a process that was killed, such as ${path.relative(root, temps[0]!)}`,
        'Nothing: the next start removes them.',
      ),
    );
  return found;
}

function unfinished(folder: string): string[] {
  return entriesOf(folder, 'EACCES').flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (isTemp(entry.name)) return [full];
    return entry.isDirectory() ? unfinished(full) : [];
  });
}

async function robots(root: string): Promise<readonly Finding[]> {
  const folder = path.join(root, 'robots');
  const ids = foldersOf(folder);
  const bad: Finding[] = [];
  for (const id of ids) {
    const spec = path.join(folder, id, SPEC_FILE);
    try {
      const { model } = await readRobotSpec(spec, id);
      if (!existsSync(path.join(folder, id, model))) throw new Error(`its model ${model} is missing`);
    } catch (error) {
      bad.push(finding(`robot ${id}`, 'warning', messageOf(error), `Correct ${spec}, or delete the folder.`));
    }
  }
  return [finding('robots', 'ok', goodOf(ids.length, bad.length, 'robot')), ...firstFindings(bad)];
}

async function datasets(root: string): Promise<readonly Finding[]> {
  const data = path.join(root, 'data');
  const all = foldersOf(data).flatMap((robot) =>
    foldersOf(path.join(data, robot)).map((name) => ({ name, folder: path.join(data, robot, name) })),
  );
  const bad: Finding[] = [];
  const broken: Finding[] = [];
  let clips = 0;
  for (const { name, folder } of all) {
    const { error } = await readDatasetConfig(folder);
    if (error !== null)
      bad.push(finding(`dataset ${name}`, 'warning', error, `Correct ${path.join(folder, 'dataset.yaml')}.`));
    const converted = path.join(folder, 'npz');
    for (const { name: file } of entriesOf(converted).filter((entry) => /^[^.].*\.npz$/.test(entry.name))) {
      clips += 1;
      try {
        await motionFacts(path.join(converted, file));
      } catch (problem) {
        const clip = file.slice(0, -'.npz'.length);
        const remedy = `motion-studio convert ${name} --clip ${clip}`;
        broken.push(finding(`clip ${name}/${clip}`, 'warning', `${file}: ${messageOf(problem)}`, remedy));
      }
    }
  }
  return [
    finding('datasets', 'ok', goodOf(all.length, bad.length, 'dataset')),
    finding('converted clips', 'ok', goodOf(clips, broken.length, 'clip')),
    ...firstFindings(bad),
    ...firstFindings(broken),
  ];
}

async function runs(root: string): Promise<readonly Finding[]> {
  const all = scanRuns(path.join(root, 'logs/rsl_rl'));
  const bad: Finding[] = [];
  for (const { runDir, run, folder, error } of all) {
    const problem = error ?? (await readRunIdentity(folder).then((identity) => identity.error, messageOf));
    if (problem !== null)
      bad.push(
        finding(`run ${runDir}/${run}`, 'warning', problem, `Restore ${folder} from a backup, or delete it in Train.`),
      );
  }
  return [finding('runs', 'ok', goodOf(all.length, bad.length, 'run')), ...firstFindings(bad)];
}

async function jobs(root: string): Promise<readonly Finding[]> {
  const folder = path.join(root, 'jobs');
  const bad: Finding[] = [];
  let count = 0;
  for (const name of foldersOf(folder)) {
    const file = path.join(folder, name, 'job.json');
    if (!existsSync(file)) continue;
    count += 1;
    try {
      parseRecord((await readRegularFile(file, MAX_RECORD_BYTES)).toString('utf8'), name);
    } catch (error) {
      const remedy = 'Nothing: the next start keeps the file under another name and lists the job as lost.';
      bad.push(finding(`job ${name}`, 'warning', `job.json: ${messageOf(error)}`, remedy));
    }
  }
  return [finding('jobs', 'ok', goodOf(count, bad.length, 'job')), ...firstFindings(bad)];
}

function goodOf(all: number, bad: number, noun: string): string {
  return bad === 0 ? `${countText(all, noun)}, all readable` : `${countText(all - bad, noun)} of ${all} readable`;
}

function foldersOf(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
    .map(({ name }) => name)
    .sort();
}

/** Returns the entries of a folder, or none if it does not exist. @param ignored code of another error to ignore */
function entriesOf(folder: string, ignored?: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', ignored].includes(code)) return [];
    throw error;
  }
}
