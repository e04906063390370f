import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PYTHON_ENV, pythonClientProblem } from '../support/python-client.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const ADDRESS = 'http://127.0.0.1:8765';
/** The README's example in a language, with the address of this test's service. */
const example = (language: string, address: string) => {
  const block = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(README)?.[1];
  if (block === undefined || !block.includes(ADDRESS)) throw new Error(`the README has no ${language} example`);
  return block.replaceAll(ADDRESS, address);
};
const has = (program: string, args: string[]) => spawnSync(program, args).status === 0;
const hasShellTools = has('curl', ['--version']) && has('jq', ['--version']);
const pythonProblem = pythonClientProblem();
if (!hasShellTools) console.warn('no curl or no jq: their examples are not tried');
if (pythonProblem !== null) console.warn(`the Python example is not tried: ${pythonProblem}`);

beforeAll(() => studio.start());

const BROKEN = 'broken';

/** Adds a clip that is accepted but cannot be read. */
function addBrokenClip(): void {
  const file = path.join(studio.workspace, 'data/humanoid/samples', `${BROKEN}.csv`);
  writeFileSync(file, '1,2,3\n');
}

/** Selects a clip that converts, independent of the other clips. */
const CONVERTS = '"which": "selected", "clips": ["walk_forward"]';

/** Runs the curl example. @param change edits the script */
function runShell(change: (script: string) => string = (script) => script) {
  const script = example('bash', studio.address)
    .split('\n')
    .map((line) => (line.startsWith('curl ') ? `${line}; echo` : line))
    .join('\n');
  return spawnSync('bash', ['-e', '-c', change(script)], { encoding: 'utf8', timeout: 60_000 });
}

test.skipIf(!hasShellTools)('the curl examples of the README have the described effects', () => {
  const { stdout, stderr, status } = runShell();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers).toMatchObject([
    { selected: 'humanoid' },
    { ok: true, busy: { state: 'done' } },
    { ok: true, value: 0.8 },
    { total: 1, clips: [{ name: 'walk_forward' }] },
    { name: 'convert-samples-1', status: 'done', error: null },
    { ok: true, busy: { state: 'done' } },
    { ok: true, playing: false },
    { ok: true, frame: 60, playing: false },
  ]);
});

test.skipIf(!hasShellTools)('the curl examples poll a task that takes longer than the wait', () => {
  const { stdout, stderr, status } = runShell((script) => script.replace('wait=60', 'wait=0'));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.match(/"state":"done"/g)).toHaveLength(2);
  expect(stdout).not.toContain('"state":"running"');
});

test.skipIf(!hasShellTools).each(['wait=60', 'wait=0'])(
  'the curl examples exit with an error if a task fails, with %s',
  (wait) => {
    addBrokenClip();
    const { stderr, status } = runShell((script) =>
      script
        .replace('wait=60', wait)
        .replace('"which": "missing"', CONVERTS)
        .replace('"clip": "walk_forward"', `"clip": "${BROKEN}"`),
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\/api\/data\/load: broken\.csv/);
  },
);

test.skipIf(!hasShellTools)('the curl examples exit with an error if a call is refused or a job fails', () => {
  addBrokenClip();
  const refused = runShell((script) =>
    script.replace('"which": "missing"', CONVERTS).replace('"clip": "walk_forward"', '"clip": "nowhere"'),
  );
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('/api/data/load: {"detail":"clip: ');
  const job = runShell((script) => script.replace('"which": "missing"', `"which": "selected", "clips": ["${BROKEN}"]`));
  expect(job.status).toBe(1);
  expect(job.stdout.trim().split('\n').at(-1)).toContain('"status":"failed"');
});

/** Runs the Python example. @param change edits the script */
function runPython(change: (script: string) => string = (script) => script) {
  const script = path.join(studio.folder, 'example.py');
  writeFileSync(script, change(example('python', studio.address)));
  return spawnSync('python3', [script], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, ...PYTHON_ENV },
  });
}

describe.skipIf(pythonProblem !== null)('the Python example of the README', () => {
  test('the Python example of the README prints the poses of 30 frames', () => {
    const { stdout, stderr, status } = runPython();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(30);
    for (const line of lines) expect(line).toMatch(/^\d+ \w+ \[[-\d.e+ ]+\]$/);
  });

  test.each([
    ['a task fails', BROKEN, /TaskFailed: broken\.csv/],
    ['a call is refused', 'nowhere', /StudioError: clip: /],
  ])('the Python example of the README fails if %s', (_, clip, message) => {
    addBrokenClip();
    const { stdout, stderr, status } = runPython((script) => script.replace('"walk_forward"', `"${clip}"`));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
