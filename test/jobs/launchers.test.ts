import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { readSettings } from '../../src/core/settings.ts';
import type { Launcher, LauncherKind } from '../../src/jobs/detached/launcher.ts';
import { LocalLauncher } from '../../src/jobs/detached/local-launcher.ts';
import { createLaunchers, launchersSettings } from '../../src/jobs/launchers.ts';
import { SLURM } from '../../src/jobs/slurm/slurm-launcher.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const SETTINGS = { host: Type.String({ minLength: 1 }) };

/** The launcher of CONTRIBUTING: the local launcher, which also sets the host's name in the environment of every
 *  job. */
class ExampleLauncher extends LocalLauncher implements Launcher {
  override readonly kind: string = 'example';
  override readonly label: string = 'Example';

  constructor({ host }: { readonly host: string }, environment: Readonly<Record<string, string>>) {
    super(3, { ...environment, HOST: host });
  }
}

const EXAMPLE: LauncherKind<typeof SETTINGS> = {
  kind: 'example',
  programs: [],
  label: 'Example',
  settings: SETTINGS,
  create: (settings, environment) => new ExampleLauncher(settings, environment),
};

const KINDS = [SLURM, EXAMPLE];
const read = async (text: string) => {
  const file = temporaryFile('studio.yaml', text);
  return (await readSettings({ launchers: launchersSettings(KINDS) }, file, 'studio.yaml', true)).launchers;
};

test('a launcher kind added to the list is configured in studio.yaml and created by its factory', async () => {
  const launchers = await read('launchers:\n  far: {kind: example, host: node1}\n  gpu: {kind: slurm}');
  const made = createLaunchers({ localLimit: 1, launchers, environment: {} }, KINDS);
  expect([...made].map(([name, { kind, label }]) => [name, kind, label])).toEqual([
    ['local', 'local', 'This machine'],
    ['far', 'example', 'Example'],
    ['gpu', 'slurm', 'Slurm'],
  ]);
  expect(made.get('far')?.limit).toBe(3);
});

test.each([
  ['launchers:\n  a: {kind: ssh}', 'studio.yaml:2: launchers.a.kind: must be one of "slurm", "example"'],
  ['launchers:\n  a: {kind: example}', 'studio.yaml:2: launchers.a.host: is missing'],
  ['launchers:\n  a: {kind: example, host: 1}', 'studio.yaml:2: launchers.a.host: must be a text that is not empty'],
  ['launchers:\n  a: {kind: slurm, host: x}', 'studio.yaml:2: launchers.a.host: is not a known field'],
  [
    "launchers:\n  a: {kind: slurm, sbatch: ['--mem=4G', '--array=0-3']}",
    'studio.yaml:2: launchers.a.sbatch[1]: must not contain --array: each training is one job',
  ],
  ["launchers:\n  a: {kind: slurm, sbatch: ['-a0-3']}", 'sbatch[0]: must not contain --array'],
  ["launchers:\n  a: {kind: slurm, sbatch: ['--arr', '0-3']}", 'sbatch[0]: must not contain --array'],
  ["launchers:\n  a: {kind: slurm, sbatch: ['-Mfar']}", 'sbatch[0]: must not contain --clusters'],
  ["launchers:\n  a: {kind: slurm, sbatch: ['-W']}", 'sbatch[0]: must not contain --wait'],
  ['launchers:\n  a: {knd: slurm}', 'studio.yaml:2: launchers.a.knd: is not a known field; did you mean "kind"?'],
])('the launcher setting %j is refused with its line', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});
