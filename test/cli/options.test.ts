import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOptions, type StartOptions } from '../../src/cli/options.ts';
import { UsageError } from '../../src/cli/parse-flags.ts';

let folder: string;
let tokenFile: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'options-'));
  tokenFile = path.join(folder, 'token');
  writeFileSync(tokenFile, 's3cret\nnot this\n');
});
afterAll(() => rmSync(folder, { recursive: true }));
const options = (args: string[], env: Record<string, string> = {}) => readOptions(args, env, '1.2.3') as StartOptions;

test('without arguments the service listens only on this machine, without a token', () => {
  expect(options([])).toEqual({
    host: '127.0.0.1',
    port: 8765,
    token: null,
    viewToken: null,
    tokenForAll: false,
    workspace: path.resolve('workspace'),
    config: null,
    allowedHosts: [],
    logLevel: 'info',
    open: false,
    transport: 'auto',
  });
});

test('a flag overrides its variable, and a variable overrides the default', () => {
  const env = {
    MOTION_STUDIO_PORT: '9000',
    MOTION_STUDIO_LOG_LEVEL: 'warn',
    MOTION_STUDIO_TOKEN: 'from-env',
    MOTION_STUDIO_OPEN: '1',
  };
  expect(options([], env)).toMatchObject({ port: 9000, logLevel: 'warn', token: 'from-env', open: true });
  expect(options(['--port', '0', '--token-file', tokenFile], env)).toMatchObject({ port: 0, token: 's3cret' });
});

test('every option has a variable; an empty variable is ignored', () => {
  const env = {
    MOTION_STUDIO_HOST: '0.0.0.0',
    MOTION_STUDIO_WORKSPACE: '/tmp/w',
    MOTION_STUDIO_CONFIG: '/tmp/c.yaml',
    MOTION_STUDIO_ALLOWED_HOST: 'a.local, b.local',
    MOTION_STUDIO_TOKEN_FILE: tokenFile,
    MOTION_STUDIO_PORT: '',
  };
  expect(options([], env)).toMatchObject({
    host: '0.0.0.0',
    workspace: '/tmp/w',
    config: '/tmp/c.yaml',
    allowedHosts: ['a.local', 'b.local'],
    token: 's3cret',
    port: 8765,
  });
});

test('the address that Kubernetes sets for a Service named motion-studio is not taken as the port', () => {
  const env = { MOTION_STUDIO_PORT: 'tcp://10.96.0.12:8765', MOTION_STUDIO_PORT_8765_TCP_PORT: '8765' };
  expect(options([], env).port).toBe(8765);
  expect(options(['--port', '9000'], env).port).toBe(9000);
});

test('--token-for-all can be set by flag and by variable', () => {
  expect(options(['--token', 'a', '--token-for-all']).tokenForAll).toBe(true);
  expect(options(['--token', 'a'], { MOTION_STUDIO_TOKEN_FOR_ALL: '1' }).tokenForAll).toBe(true);
  expect(options(['--token', 'a'], { MOTION_STUDIO_TOKEN_FOR_ALL: '0' }).tokenForAll).toBe(false);
});

test('a view token requires a token for full access as well', () => {
  expect(options(['--token', 'a', '--view-token', 'b']).viewToken).toBe('b');
  expect(options(['--token', 'a'], { MOTION_STUDIO_VIEW_TOKEN: 'c' }).viewToken).toBe('c');
  expect(() => options(['--view-token', 'b'])).toThrow(/--view-token: needs a token/);
  expect(() => options(['--token', 'a', '--view-token', 'a'])).toThrow(/--view-token: must differ from the token/);
  expect(() => options(['--token', 'a', '--view-token', 'b c'])).toThrow(/--view-token: .*character/);
  expect(() => options(['--token', 'a', '--view-token', ''])).toThrow(/--view-token: .*empty/);
});

test('repeated --allow-host options are combined', () => {
  expect(options(['--allowed-host', 'a', '--allowed-host', 'b']).allowedHosts).toEqual(['a', 'b']);
});

test('help and version are printed instead of a start', () => {
  expect(readOptions(['--version'], {}, '1.2.3')).toEqual({ print: '1.2.3\n' });
  const help = readOptions(['--help'], {}, '1.2.3') as { print: string };
  for (const flag of [
    '--host',
    '--port',
    '--token',
    '--token-file',
    '--token-for-all',
    '--workspace',
    '--config',
    '--allowed-host',
    '--log-level',
    '--open',
    '--version',
    '--help',
  ]) {
    expect(help.print).toContain(flag);
  }
});

describe('an unusable option is explained in one line', () => {
  test.each<[string[], Record<string, string>, string]>([
    [['--prot', '1'], {}, "unknown option '--prot' (Did you mean --port?)"],
    [['convrt', 'walks'], {}, 'unknown command "convrt"; did you mean "convert"?'],
    [['benhc'], {}, 'unknown command "benhc"; did you mean "bench"?'],
    [['serve'], {}, 'unknown command "serve"; the commands are robots, import, '],
    [
      ['--url', 'http://a', 'robots'],
      {},
      "unknown option '--url'. A command comes before its options: motion-studio robots …",
    ],
    [['--port', '0', 'serve'], {}, 'unexpected argument "serve"'],
    [['--port'], {}, "option '--port <port>' argument missing"],
    [['--port', '0x50'], {}, '--port: must be an integer from 0 to 65535, got "0x50"'],
    [['--port', '65536'], {}, '--port: must be an integer from 0 to 65535'],
    [['--port', '-1'], {}, '--port: must be'],
    [[], { MOTION_STUDIO_PORT: 'x' }, 'MOTION_STUDIO_PORT: must be an integer from 0 to 65535, got "x"'],
    [[], { MOTION_STUDIO_HOST: 'a b' }, 'MOTION_STUDIO_HOST: must be an address or a name'],
    [[], { MOTION_STUDIO_LOG_LEVEL: 'INFO' }, 'MOTION_STUDIO_LOG_LEVEL: must be one of debug, info'],
    [[], { MOTION_STUDIO_TRANSPORT: 'http' }, 'MOTION_STUDIO_TRANSPORT: must be one of auto, uws, node'],
    [['--host', ''], {}, '--host: must be'],
    [['--workspace', ''], {}, '--workspace: is empty. Name a folder or leave the option out.'],
    [['--config', ''], {}, '--config: is empty. Name a file or leave the option out.'],
    [['--log-level', 'loud'], {}, '--log-level: must be one of debug, info, warn, error, silent, got "loud"'],
    [['--token', ''], {}, '--token: the token is empty'],
    [[], { MOTION_STUDIO_TOKEN: '' }, 'MOTION_STUDIO_TOKEN: the token is empty'],
    [['--token', 'a;b'], {}, '--token: the token contains a character that a cookie cannot contain'],
    [['--token', 'ä'], {}, '--token: the token contains a character'],
    [['--token', 'a', '--token-file', 'b'], {}, '--token and --token-file cannot be given together'],
    [['--token-for-all'], {}, '--token-for-all: needs a token'],
    [[], { MOTION_STUDIO_TOKEN_FOR_ALL: '1' }, 'MOTION_STUDIO_TOKEN_FOR_ALL: needs a token'],
    [['--token', 'a'], { MOTION_STUDIO_TOKEN_FOR_ALL: 'x' }, 'MOTION_STUDIO_TOKEN_FOR_ALL: must be 1 or 0'],
    [
      ['--token-file', '/nonexistent/token'],
      {},
      '--token-file: the file /nonexistent/token does not exist. Write the token on its first line.',
    ],
    [[], { MOTION_STUDIO_OPEN: 'maybe' }, 'MOTION_STUDIO_OPEN: must be 1 or 0'],
  ])('an unusable option is explained in one line: %j %j', (args, env, message) => {
    expect(() => options(args, env)).toThrow(UsageError);
    expect(() => options(args, env)).toThrow(message);
    try {
      options(args, env);
    } catch (error) {
      expect((error as Error).message).not.toContain('\n');
    }
  });
});
