import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DRAFT_FILE, latestDraft, writeDraft } from '../../../src/robot-import/uploads/draft-file.ts';
import { installRobot, type KeepFormer, recoverRobots } from '../../../src/robot-import/uploads/install-robot.ts';
import { readSource } from '../../../src/robots/robot-source.ts';
import { WALKER_MJCF, walkerSpec } from '../../support/models.ts';

let robots: string;
let upload: string;
let kept: string;
beforeEach(() => {
  robots = mkdtempSync(path.join(tmpdir(), 'robots-'));
  kept = `${robots}-kept`;
  upload = path.join(robots, '.uploads/draft');
  mkdirSync(upload, { recursive: true });
  writeFileSync(path.join(upload, 'walker.xml'), WALKER_MJCF);
});
afterEach(() => {
  for (const folder of [robots, kept]) rmSync(folder, { recursive: true, force: true });
});

/** Moves the folder of a replaced robot away. */
const keep: KeepFormer = async (_robot, former) => {
  renameSync(former, kept);
  return 'undo';
};

test('a saved robot compiles to the same model as its draft', async () => {
  const spec = walkerSpec();
  await writeDraft(upload, spec);
  const draft = await readSource({ kind: 'draft', id: 'walker', folder: upload, spec });
  expect(await installRobot(upload, robots, spec, keep)).toBeNull();
  expect(readdirSync(path.join(robots, 'walker')).sort()).toEqual(['robot.yaml', 'walker.xml']);
  expect(existsSync(upload)).toBe(false);
  const saved = await readSource({ kind: 'folder', id: 'walker', folder: path.join(robots, 'walker') });
  expect(saved.spec).toEqual(spec);
  expect(saved.key).toBe(draft.key);
});

test('a robot of the same id is replaced, and its old folder is kept complete', async () => {
  mkdirSync(path.join(robots, 'walker'));
  writeFileSync(path.join(robots, 'walker/old.xml'), 'old');
  expect(await installRobot(upload, robots, walkerSpec(), keep)).toBe('undo');
  expect(readFileSync(path.join(kept, 'old.xml'), 'utf8')).toBe('old');
  expect(readdirSync(robots).sort()).toEqual(['.uploads', 'walker']);
  expect(readdirSync(path.join(robots, 'walker')).sort()).toEqual(['robot.yaml', 'walker.xml']);
});

test('if the new robot cannot be installed, the old one stays', async () => {
  mkdirSync(path.join(robots, 'walker'));
  writeFileSync(path.join(robots, 'walker/old.xml'), 'old');
  mkdirSync(path.join(upload, 'robot.yaml'));
  await expect(installRobot(upload, robots, walkerSpec(), keep)).rejects.toThrow();
  expect(readFileSync(path.join(robots, 'walker/old.xml'), 'utf8')).toBe('old');
});

test('if the old robot cannot be kept, it stays in its place', async () => {
  mkdirSync(path.join(robots, 'walker'));
  writeFileSync(path.join(robots, 'walker/old.xml'), 'old');
  const failing = installRobot(upload, robots, walkerSpec(), () => Promise.reject(new Error('disk full')));
  await expect(failing).rejects.toThrow('disk full');
  expect(readdirSync(path.join(robots, 'walker'))).toEqual(['old.xml']);
  expect(readdirSync(robots).sort()).toEqual(['.uploads', 'walker']);
});

test('after a kill during the replacement, the old robot is restored, or kept if the new one is complete', async () => {
  mkdirSync(path.join(robots, '.replaced-walker'));
  writeFileSync(path.join(robots, '.replaced-walker/old.xml'), 'old');
  await recoverRobots(robots, keep);
  expect(readdirSync(path.join(robots, 'walker'))).toEqual(['old.xml']);
  mkdirSync(path.join(robots, '.replaced-walker'));
  await recoverRobots(robots, keep);
  expect(readdirSync(robots).sort()).toEqual(['.uploads', 'walker']);
});

test('the draft is the upload inspected last; an invalid record is ignored', async () => {
  const root = path.dirname(upload);
  expect(await latestDraft(root)).toBeNull();
  await writeDraft(upload, walkerSpec());
  const other = path.join(root, 'other');
  mkdirSync(other);
  writeFileSync(path.join(other, DRAFT_FILE), '{"version": 1, "inspected": "9999", "spec": {}}');
  expect(await latestDraft(root)).toEqual({ id: 'draft', model: 'walker.xml', spec: walkerSpec() });
});
