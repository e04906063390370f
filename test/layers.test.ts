import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf } from './support/imports.ts';

/** Rooms that each room may import. All rooms may also import `protocol` and `core`. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  // basics: protocol, core and file formats
  protocol: [],
  core: [],
  formats: [],
  trash: [],
  // domain
  sim: [],
  robots: ['formats', 'sim'],
  'robot-import': ['formats', 'sim', 'robots'],
  motion: ['formats', 'sim', 'robots'],
  checks: ['formats', 'sim', 'robots', 'motion'],
  data: ['formats', 'robots', 'motion', 'checks'],
  mdp: ['sim', 'robots', 'motion'],
  presets: ['robots', 'mdp'],
  policy: ['formats'],
  runs: ['formats', 'robots', 'policy'],
  // activities
  plots: ['sim', 'robots', 'motion', 'mdp'],
  scene: ['sim', 'robots', 'motion', 'mdp', 'plots'],
  play: ['formats', 'sim', 'robots', 'motion', 'mdp', 'presets', 'policy', 'runs', 'plots', 'scene'],
  recording: ['formats', 'sim', 'robots', 'plots', 'scene', 'play'],
  evaluate: ['formats', 'sim', 'robots', 'motion', 'mdp', 'policy', 'runs', 'play'],
  export: ['formats', 'sim', 'robots', 'motion', 'mdp', 'presets', 'policy', 'runs', 'play', 'evaluate'],
  train: ['sim', 'robots', 'motion', 'checks', 'mdp', 'presets', 'policy', 'runs'],
  // processes
  workers: belowTheRoof(),
  jobs: ['runs'],
  app: [...belowTheRoof(), 'workers', 'jobs'],
  gateway: ['app'],
  cli: [...belowTheRoof(), 'workers', 'jobs', 'app', 'gateway'],
};

function belowTheRoof(): string[] {
  return [
    'formats',
    'trash',
    'sim',
    'robots',
    'robot-import',
    'motion',
    'checks',
    'data',
    'mdp',
    'presets',
    'policy',
    'runs',
    'plots',
    'scene',
    'play',
    'recording',
    'evaluate',
    'export',
    'train',
  ];
}

/** For each package, the only room that may import it; `*`: every room. */
const PACKAGES: Readonly<Record<string, string>> = {
  chokidar: 'core',
  pino: 'core',
  ajv: 'core',
  yaml: 'core',
  yauzl: 'formats',
  hyparquet: 'formats',
  '@mcap/core': 'recording',
  '@foxglove/schemas': 'recording',
  saxes: 'robots',
  '@mujoco/mujoco': 'sim',
  piscina: 'workers',
  execa: 'jobs',
  'uWebSockets.js': 'gateway',
  'prom-client': 'gateway',
  ws: 'gateway',
  commander: 'cli',
  typebox: '*',
};
/** Packages that only one file may import. This file hides the package's peculiarities from the others. */
const ADAPTED = ['uWebSockets.js', 'ws', 'chokidar', 'pino', 'ajv', 'yaml', 'saxes', 'commander', 'hyparquet'];
const WEB_PACKAGES = ['preact', '@preact/signals', 'three', 'uplot', 'typebox', 'modern-gif'];

const ROOT = path.resolve(import.meta.dirname, '..');

interface Source {
  /** path relative to the repository */
  readonly file: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourcesBelow(folder: string): Source[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const full = path.join(entry.parentPath, entry.name);
      const text = readFileSync(full, 'utf8');
      return { file: path.relative(ROOT, full), text, imports: importsOf(text) };
    });
}

const src = sourcesBelow('src');
const web = sourcesBelow('web');
const roomOf = (file: string) => file.split(path.sep)[1]!;
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const targetOf = (source: Source, specifier: string) => path.join(path.dirname(source.file), specifier);
const isNode = (specifier: string) => specifier.startsWith('node:') || builtinModules.includes(specifier);

test('every form of import is found in a source text, and nothing else', () => {
  const text = `import a from './a.ts';
import {
  b,
} from './b.ts';
import type { C } from "c";
import './d.css';
export * from './e.ts';
const f = await import('./f.ts');
// import g from './g.ts';
/** import h from './h.ts'; */
const text = 'no import here';`;
  expect(importsOf(text)).toEqual(['./a.ts', './b.ts', 'c', './d.css', './e.ts', './f.ts']);
});

test('every folder of src is a room of the table', () => {
  const folders = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true }).map((entry) => entry.name);
  expect(folders.filter((name) => !(name in ROOMS))).toEqual([]);
});

test('a room imports only the rooms that its row of the table allows', () => {
  const wrong = src.flatMap((source) =>
    source.imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => targetOf(source, specifier))
      .filter((target) => {
        const [top, room] = target.split(path.sep);
        const own = roomOf(source.file);
        if (top !== 'src') return true;
        if (room === own || room === 'protocol') return false;
        return room === 'core' ? own === 'protocol' : !ROOMS[own]?.includes(room!);
      })
      .map((target) => `${source.file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('only the room that owns a package imports it', () => {
  const wrong = src.flatMap((source) =>
    source.imports
      .filter((specifier) => !specifier.startsWith('.') && !isNode(specifier))
      .filter((specifier) => {
        const owner = PACKAGES[packageOf(specifier)];
        return owner !== '*' && owner !== roomOf(source.file);
      })
      .map((specifier) => `${source.file} → ${specifier}`),
  );
  expect(wrong).toEqual([]);
});

test.each(ADAPTED)('only one file imports %s', (name) => {
  const users = src.filter((source) => source.imports.some((specifier) => packageOf(specifier) === name));
  expect(users.map((source) => source.file).length).toBeLessThanOrEqual(1);
});

describe('code for the browser does not use Node', () => {
  const shared = src.filter(({ file }) => file.startsWith('src/protocol/') || file.startsWith('src/core/math/'));
  test('the protocol and the mathematics do not import Node, only each other', () => {
    const wrong = shared.flatMap((source) =>
      source.imports
        .filter((specifier) => {
          if (isNode(specifier)) return true;
          if (!specifier.startsWith('.')) return packageOf(specifier) !== 'typebox';
          return !/^src\/(protocol|core\/math)\//.test(targetOf(source, specifier));
        })
        .map((specifier) => `${source.file} → ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });
  test('the page imports only its own files, the protocol, the mathematics and its packages', () => {
    const wrong = web.flatMap((source) =>
      source.imports
        .filter((specifier) => {
          if (!specifier.startsWith('.')) return !WEB_PACKAGES.includes(packageOf(specifier));
          return !/^(web|src\/protocol|src\/core\/math)\//.test(targetOf(source, specifier));
        })
        .map((specifier) => `${source.file} → ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });
});

test('only the command line reads arguments and environment variables', () => {
  const readers = src.filter(({ file, text }) => /process\.(env|argv)\b/.test(text) && roomOf(file) !== 'cli');
  expect(readers.map(({ file }) => file)).toEqual([]);
});

test('imports name files, and no file only re-exports others', () => {
  const bare = src.flatMap((source) =>
    source.imports
      .filter((specifier) => specifier.startsWith('.') && !/\.(ts|json)$/.test(specifier))
      .map((s) => `${source.file} → ${s}`),
  );
  const barrels = [...src, ...web].filter(({ file }) => /^index\.tsx?$/.test(path.basename(file)));
  expect([...bare, ...barrels.map(({ file }) => file)]).toEqual([]);
});

test('files are named in kebab-case', () => {
  const odd = [...src, ...web].filter(
    ({ file }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.worker|\.d|\.css\.d)?\.tsx?$/.test(path.basename(file)),
  );
  expect(odd.map(({ file }) => file)).toEqual([]);
});
