import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/command-table.ts';
import { runCommand } from '../../src/cli/commands/run-command.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** Replies of the server, one after the other for each `METHOD path`; the last one repeats. */
let replies: Record<string, { status?: number; body: unknown }[]>;
let seen: Seen[];
let server: Server;
let url: string;
let out: string;
let err: string;

beforeEach(async () => {
  replies = {};
  seen = [];
  out = '';
  err = '';
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { method = '', url: asked = '' } = request;
    seen.push({ method, url: asked, headers: request.headers, body: text === '' ? null : JSON.parse(text) });
    const list = replies[`${method} ${asked.split('?', 1)[0]}`] ?? [{ status: 404, body: { detail: 'no route' } }];
    const { status = 200, body } = list.length > 1 ? list.shift()! : list[0]!;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await new Promise((resolve) => server.close(resolve));
});

const run = (...args: string[]) => runCommand(args[0]!, [...args.slice(1), '--url', url], {});
const job = (status: string, progress: number) => ({
  body: {
    name: 'convert-a-1',
    status,
    progress,
    eta: null,
    error: status === 'failed' ? 'disk full' : null,
    log: ['last line'],
  },
});

describe('the command line against a service', () => {
  test('without a service the exit code is 4 and the remedy is named', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await runCommand('robots', ['--url', `http://127.0.0.1:${port}`], {})).toBe(4);
    expect(err).toMatch(/no service answers \(connect ECONNREFUSED .*--url/);
  });

  test.each([
    [['robots', 'choose', 'g1'], 'expected "robots" or "robots select NAME"'],
    [['convert'], "missing required argument 'dataset'"],
    [['convert', 'a', '--all', '--clip', 'b'], '--all and --clip cannot be given together'],
    [['train', 'Wbc-G1'], "required option '--dataset <name>' not specified"],
    [['train', 'Wbc-G1', '--dataset', 'a', '--envs', '0'], '--envs: must be an integer ≥ 1, got "0"'],
    [
      ['train', 'Wbc-G1', '--dataset', 'a', '--start-from', 'best', '--resume', 'b/c'],
      '--start-from and --resume cannot be given together',
    ],
    [['play', 'a/b', '--stop'], '--stop takes no run'],
    [['convert', 'a', '--mirrored'], "unknown option '--mirrored' (Did you mean --mirror?)"],
    [['export', 'a/b', '--format', 'unitree', '--out', 'b.zip'], '(Did you mean --output?)'],
    [
      ['evaluate', 'a/b', '--report', '/nowhere/r.html'],
      '--report: the folder /nowhere does not exist. Create it first.',
    ],
    [
      ['evaluate', 'a/b', '--baseline', '/nowhere/b.json', '--update'],
      '--baseline: the folder /nowhere does not exist',
    ],
    [['record', '--output', '.'], '--output: must be a file, got the folder "."'],
    [['jobs', 'a', 'b', 'c'], 'unexpected argument "c"'],
    [['jobs', 'stop'], 'expected "jobs", "jobs NAME" or "jobs stop NAME"'],
  ])('%j is a usage error with exit code 2, and nothing is sent', async (args, problem) => {
    expect(await run(...args)).toBe(2);
    expect(err).toContain(problem);
    expect(seen).toEqual([]);
  });

  test.each(Object.keys(COMMANDS))('the example in the help of %s is a valid command line', async (name) => {
    expect(await runCommand(name, ['--help'], {})).toBe(0);
    const [, example] = /^Example: (.+)$/m.exec(out) ?? [];
    const [program, command, ...args] = example!.split(' ').map((word) => word.replaceAll("'", ''));
    expect([program, command]).toEqual(['motion-studio', name]);
    expect(out).toContain('Exit codes: 0 done, 1 failed, 2 usage');
    // The server knows no route: a line that is sent to it fails, a usage error is not sent.
    expect(await run(name, ...args)).toBe(1);
    expect(seen.length).toBeGreaterThan(0);
  });

  test('an invalid address is a usage error', async () => {
    expect(await runCommand('robots', ['--url', 'ftp://x'], {})).toBe(2);
    expect(await runCommand('robots', [], { MOTION_STUDIO_URL: 'nowhere' })).toBe(2);
    expect(err).toContain('MOTION_STUDIO_URL: must be an address such as http://127.0.0.1:8765, got "nowhere"');
  });

  test("the command line exits with 1 and the service's message if a request is refused", async () => {
    replies['POST /api/data/convert'] = [{ status: 400, body: { detail: 'dataset: there is no dataset "b"' } }];
    expect(await run('convert', 'b')).toBe(1);
    expect(err).toBe('motion-studio convert: dataset: there is no dataset "b"\n');
  });

  test('a missing or wrong token is reported with the options that set it; empty lists say so', async () => {
    replies['GET /api/robots'] = [{ status: 401, body: { detail: 'wrong token: open /?token=<token> once' } }];
    expect(await run('robots')).toBe(1);
    expect(err).toBe('motion-studio robots: wrong token: send it with --token or --token-file\n');
    replies['GET /api/runs'] = [{ body: { runs: [] } }];
    expect(await run('runs')).toBe(0);
    expect(out).toBe('No runs yet: start one with motion-studio train\n');
  });

  test('the token and the address come from flags or variables', async () => {
    replies['GET /below/api/runs'] = [{ body: { runs: [] } }];
    expect(await runCommand('runs', ['--token', 'secret', '--json'], { MOTION_STUDIO_URL: `${url}/below` })).toBe(0);
    expect(seen[0]?.headers.authorization).toBe('Bearer secret');
    expect(JSON.parse(out)).toEqual([]);
  });

  test('--wait follows a job to its end, with progress on stderr', async () => {
    replies['POST /api/data/convert'] = [{ body: { ok: true, job: 'convert-a-1' } }];
    replies['GET /api/jobs/convert-a-1'] = [
      job('running', 0.12),
      job('running', 0.15),
      job('running', 0.5),
      job('done', 1),
    ];
    expect(await run('convert', 'a', '--clip', 'walk', '--clip', 'run', '--wait', '--json')).toBe(0);
    expect(seen[0]?.body).toEqual({ dataset: 'a', which: 'selected', clips: ['walk', 'run'] });
    expect(err.split('\n')).toEqual([
      'convert-a-1: running  12 %',
      'convert-a-1: running  50 %',
      'convert-a-1: done 100 %',
      '',
    ]);
    expect(JSON.parse(out)).toEqual({ job: 'convert-a-1', status: 'done' });
  });

  test('--wait for a job that fails exits with 1, its error and the end of its log', async () => {
    replies['POST /api/data/convert'] = [{ body: { ok: true, job: 'convert-a-1' } }];
    replies['GET /api/jobs/convert-a-1'] = [job('failed', 0.5)];
    expect(await run('convert', 'a', '--wait')).toBe(1);
    expect(err).toContain('convert-a-1 failed: disk full\nlast line\n');
    expect(out).toBe('');
  });

  test('train --dry-run prints the checks and the expected time, which is null for another trainer', async () => {
    const checks = [{ name: 'task', ok: true, text: '19 rewards' }];
    const budget = { env_steps: 2_952_192, iterations: 961, seconds: [3048, 14_400] };
    const reply = { ok: true, dry_run: true, checks };
    replies['POST /api/train/launch'] = [{ body: { ...reply, budget } }, { body: { ...reply, budget: null } }];
    expect(await run('train', 'Wbc-Humanoid', '--dataset', 'a', '--dry-run')).toBe(0);
    const table = 'CHECK  OK   RESULT\ntask   yes  19 rewards\n';
    expect(out).toBe(`${table}Expected time: 50.8 min to 4 h 0 min, 961 iterations, 2,952,192 steps\n`);
    out = '';
    expect(await run('train', 'Wbc-Humanoid', '--dataset', 'a', '--dry-run')).toBe(0);
    expect(out).toBe(table);
  });

  test('train --start-from sends the run whose networks it starts with, and prints the run that was found', async () => {
    replies['POST /api/train/launch'] = [
      { body: { ok: true, job: 'train-1', run: 'wbc/2', started_from: 'wbc/1', note: 'wbc/1 tracks 90 %' } },
    ];
    expect(await run('train', 'Wbc-Humanoid', '--dataset', 'a', '--start-from', 'best')).toBe(0);
    expect(seen[0]?.body).toEqual({ task: 'Wbc-Humanoid', dataset: 'a', start_from: 'best' });
    expect(out).toBe('Job train-1 started, run wbc/2, started from wbc/1\n');
    expect(err).toBe('wbc/1 tracks 90 %\n');
  });

  test('a slow action is polled until its task ends', async () => {
    const busy = {
      task: 'import-1',
      label: 'Importing b',
      state: 'running',
      progress: 0.5,
      message: '3 of 6 files',
      error: null,
    };
    replies['POST /api/data/import'] = [{ body: { ok: true, task: 'import-1', busy } }];
    replies['GET /api/busy'] = [
      { body: { active: [busy], recent: [] } },
      { body: { active: [], recent: [{ ...busy, state: 'done', result: { dataset: 'b' } }] } },
    ];
    expect(await run('import', '/clips/b')).toBe(0);
    expect(seen[0]?.headers['prefer']).toBe('wait=60');
    expect(seen[0]?.body).toEqual({ source: '/clips/b', link: false });
    expect(out).toBe('Dataset b imported\n');
  });

  test('tables align their columns, numbers to the right', async () => {
    const robot = {
      id: 'humanoid',
      name: 'Humanoid',
      selected: true,
      model: { joints: 21 },
      datasets: [],
      runs: ['a/b'],
      error: null,
    };
    replies['GET /api/robots'] = [{ body: { robots: [robot], selected: 'humanoid' } }];
    expect(await run('robots')).toBe(0);
    expect(out).toBe(
      '   ID        NAME      JOINTS  DATASETS  RUNS  PROBLEM\n*  humanoid  Humanoid      21         0     1\n',
    );
  });
});
