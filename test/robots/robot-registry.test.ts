import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { badInput } from '../../src/core/errors.ts';
import type { PreparedRobot } from '../../src/robots/prepared-robot.ts';
import type { RobotFacts } from '../../src/robots/robot-facts.ts';
import { RobotRegistry } from '../../src/robots/robot-registry.ts';
import type { RobotSource } from '../../src/robots/robot-source.ts';

let folder: string;
let compiled: string[];
let changed: string[];
/** content of the cache */
let kept: Map<string, PreparedRobot>;
let registry: RobotRegistry;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'robots-'));
  compiled = [];
  changed = [];
  // These tests do not compile: `prepare` refuses every robot, with a message that names it.
  const prepare = (source: RobotSource) => {
    const id = source.kind === 'folder' ? source.id : 'built-in';
    compiled.push(id);
    return Promise.reject(badInput(`${id} does not compile`));
  };
  kept = new Map();
  const find = (source: RobotSource) => Promise.resolve(kept.get(source.id) ?? null);
  registry = new RobotRegistry(folder, prepare, async (id) => void changed.push(id), find);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function addFolder(name: string): void {
  mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, name, 'robot.yaml'), 'version: 1\n');
}

test.each(['import', 'a robot', '-x', 'con', 'a..b'])(
  'a folder named %j is listed with the problem of its name, and never compiled',
  async (name) => {
    addFolder(name);
    addFolder('walker');
    await registry.refresh();
    const listed = () => registry.list().find(({ id }) => id === name);
    const error = listed()?.error;
    expect(error).toMatch(/^(is|must) /);
    utimesSync(path.join(folder, name, 'robot.yaml'), 1, 1);
    registry.touch(name);
    registry.touch('walker');
    await expect.poll(() => compiled).toContain('walker');
    await expect.poll(() => registry.find('walker').error).toBe('walker does not compile');
    expect(listed()?.error).toBe(error);
    expect(() => registry.choose(name)).toThrow(`name: ${JSON.stringify(name)} ${error}`);
    await expect(registry.prepared(name)).rejects.toMatchObject({ code: 'bad_input' });
    expect(compiled).not.toContain(name);
  },
);

test('a cached robot is ready without compiling, also right after its files arrived', async () => {
  addFolder('walker');
  addFolder('other');
  const walker: PreparedRobot = { facts: {} as RobotFacts, key: 'k', folder };
  writeFileSync(path.join(folder, 'facts.json'), '{}'); // marks the robot as still in the cache
  kept.set('walker', walker);
  await registry.refresh();
  await expect.poll(() => registry.find('other').error).toBe('other does not compile');
  expect(registry.find('walker')).toMatchObject({ prepared: walker, error: null });
  registry.touch('walker');
  expect(await registry.prepared('walker')).toBe(walker);
  expect(compiled).not.toContain('walker');
  // Other files, which are not in the cache.
  kept.clear();
  registry.touch('walker');
  await expect(registry.prepared('walker')).rejects.toMatchObject({ message: 'walker does not compile' });
});

test('a robot whose folder was put back is the former one as soon as its listeners know it', async () => {
  addFolder('walker');
  await registry.refresh();
  await expect.poll(() => registry.find('walker').error).toBe('walker does not compile');
  changed = [];
  const former: PreparedRobot = { facts: {} as RobotFacts, key: 'former', folder };
  kept.set('walker', former);
  await registry.putBack('walker');
  expect(registry.find('walker')).toMatchObject({ prepared: former, error: null });
  expect(changed).toEqual(['walker']);
});

test('a robot stays listed while its folder is replaced', async () => {
  addFolder('walker');
  await registry.refresh();
  await expect.poll(() => registry.find('walker').error).toBe('walker does not compile');
  changed = [];
  const robot = path.join(folder, 'walker');
  let refreshed: Promise<void> | undefined;
  await registry.replacing(async () => {
    renameSync(robot, path.join(folder, '.old'));
    refreshed = registry.refresh(); // as if the watch of the folder had noticed
    await setTimeout(50);
    addFolder('walker');
  });
  await refreshed;
  expect(registry.has('walker')).toBe(true);
  expect(changed).toEqual([]);
});
