import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { badInput } from '../../../src/core/errors.ts';
import type { RobotSource } from '../../../src/robots/robot-source.ts';
import { RobotRegistry } from '../../../src/supervisor/robots/robot-registry.ts';

let folder: string;
let compiled: string[];
let changed: string[];
let registry: RobotRegistry;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'robots-'));
  compiled = [];
  changed = [];
  // Compiling is not what these tests are about: every robot is refused, with its own sentence.
  const prepare = (source: RobotSource) => {
    const id = source.kind === 'folder' ? source.id : 'built-in';
    compiled.push(id);
    return Promise.reject(badInput(`${id} does not compile`));
  };
  registry = new RobotRegistry(folder, prepare, (id) => changed.push(id));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function addFolder(name: string): void {
  mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, name, 'robot.yaml'), 'version: 1\n');
}

test.each(['import', 'a robot', '-x', 'con', 'a..b'])(
  'a folder named %j is listed with what is wrong with its name, and never compiled',
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
