import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { countText } from '../../core/log/format-numbers.ts';
import { readSettings } from '../../core/settings.ts';
import { neededPrograms } from '../../jobs/launchers.ts';
import { ExternalTrainer } from '../../jobs/trainers/external-trainer.ts';
import { environmentOfPrograms } from '../environment.ts';
import type { StartOptions } from '../options.ts';
import { SETTINGS_SECTIONS } from '../settings.ts';
import { attempt, type Finding, findingsOf } from './finding.ts';

/** Time limit for a program that reports about the machine, ms. */
const PROGRAM_MS = 10_000;

const run = promisify(execFile);
const finding = findingsOf('programs');

/** Checks the settings and the programs that they name. */
export async function checkPrograms(options: StartOptions): Promise<readonly Finding[]> {
  const settings = await attempt(
    () => configured(options),
    (text) => finding('settings', 'error', text),
  );
  return [...settings, await gpu(), tensorboard()];
}

async function configured({ config, workspace }: StartOptions): Promise<readonly Finding[]> {
  const file = config ?? path.join(workspace, 'studio.yaml');
  const settings = await readSettings(SETTINGS_SECTIONS, file, path.basename(file), config !== null);
  const found = [finding('settings', 'ok', file), finding('trainer builtin', 'ok', 'runs on this machine')];
  for (const [name, trainer] of Object.entries(settings.trainers)) {
    const problem = await new ExternalTrainer(name, trainer, workspace).problem(searchPath());
    const remedy = `Install the program, or correct trainers.${name} in studio.yaml.`;
    found.push(
      problem === null
        ? finding(`trainer ${name}`, 'ok', trainer.command.slice(0, 3).join(' '))
        : finding(`trainer ${name}`, 'warning', problem, remedy),
    );
  }
  for (const [name, { kind }] of Object.entries(settings.launchers)) {
    const { label, programs } = neededPrograms(kind);
    const missing = programs.filter((program) => !isInstalled(program));
    found.push(
      missing.length === 0
        ? finding(`launcher ${name}`, 'ok', kind)
        : finding(
            `launcher ${name}`,
            'warning',
            `${missing.join(', ')} not found`,
            `Run the service on a machine with the commands of ${label}, and check PATH.`,
          ),
    );
  }
  return found;
}

async function gpu(): Promise<Finding> {
  const none = 'no NVIDIA GPU found. The built-in trainer needs none; trainers such as wbc-mjlab do.';
  if (!isInstalled('nvidia-smi')) return finding('GPU', 'note', none);
  try {
    const env = environmentOfPrograms(process.env);
    const { stdout } = await run('nvidia-smi', ['--query-gpu=name,memory.total', '--format=csv,noheader'], {
      env,
      timeout: PROGRAM_MS,
    });
    const gpus = stdout.trim().split('\n').filter(Boolean);
    return gpus.length === 0
      ? finding('GPU', 'note', none)
      : finding('GPU', 'ok', `${countText(gpus.length, 'GPU')}: ${gpus[0]}`);
  } catch (error) {
    const [line = ''] = String((error as { stderr?: string }).stderr || error).split('\n');
    return finding('GPU', 'warning', `nvidia-smi fails: ${line}`, 'Check the driver: run nvidia-smi.');
  }
}

function tensorboard(): Finding {
  return isInstalled('tensorboard')
    ? finding('TensorBoard', 'ok', 'installed')
    : finding('TensorBoard', 'note', 'not installed; the page shows the curves without it');
}

const searchPath = () => process.env['PATH'] ?? '';

function isInstalled(program: string): boolean {
  return searchPath()
    .split(path.delimiter)
    .some((folder) => {
      try {
        accessSync(path.join(folder, program), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
