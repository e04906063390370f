import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RobotSpec } from '../../../src/protocol/schemas/robots.ts';
import { checkRobot } from '../../../src/robot-import/check/check-robot.ts';
import { SavedRobots, type SavedRobotsDeps } from '../../../src/robot-import/uploads/saved-robots.ts';
import { surveyUpload } from '../../../src/robot-import/uploads/upload-files.ts';
import { Uploads } from '../../../src/robot-import/uploads/uploads.ts';
import { loadMujoco } from '../../../src/sim/mujoco.ts';
import { WALKER_MJCF, walkerSpec } from '../../support/models.ts';

const mj = await loadMujoco();
const never = new AbortController().signal;
const HIP = walkerSpec().joints['left_hip_joint']!;

let robots: string;
const prepare = vi.fn();
const arrived = vi.fn();
beforeEach(() => {
  robots = mkdtempSync(path.join(tmpdir(), 'robots-'));
  mkdirSync(path.join(robots, '.uploads/walker'), { recursive: true });
  writeFileSync(path.join(robots, '.uploads/walker/walker.xml'), WALKER_MJCF);
  vi.clearAllMocks();
});
afterEach(() => rmSync(robots, { recursive: true }));

/** Saves the uploaded walker with a spec, which is checked as in the service. */
function save(spec: RobotSpec): Promise<string | null> {
  const saved = new SavedRobots({
    folder: robots,
    registry: { has: () => false, replacing: (put: () => Promise<unknown>) => put(), arrived },
    uploads: new Uploads(path.join(robots, '.uploads'), async (folder) => surveyUpload(folder)),
    prepare,
    uses: { refuseRobotOfJob: () => {} },
    changed: () => {},
  } as unknown as SavedRobotsDeps);
  const files = new Map([['walker.xml', Buffer.from(WALKER_MJCF)]]);
  return saved.save('walker', spec, async (of) => checkRobot(mj, files, of), never);
}
const withHip = (change: Partial<RobotSpec['joints'][string]>) =>
  walkerSpec({ joints: { ...walkerSpec().joints, left_hip_joint: { ...HIP, ...change } } });
const wiring = (change: Partial<RobotSpec['wiring']>) => walkerSpec({ wiring: { ...walkerSpec().wiring, ...change } });

test.each<[problem: string, spec: RobotSpec, text: string]>([
  [
    'an unknown key body',
    wiring({ keybodies: ['trunk', 'nose'] }),
    'spec: the check "wiring" fails: 1 of 5 names are not bodies of the model: keybodies: nose',
  ],
  [
    'an unknown joint',
    walkerSpec({ joints: { ...walkerSpec().joints, tail: HIP } }),
    'spec: the check "joints" fails: the model has no joint tail',
  ],
  [
    'a default outside the range',
    withHip({ default: 3 }),
    'spec: the check "joints" fails: the default pose is outside the joint ranges: left_hip_joint at 3',
  ],
  [
    'a negative stiffness',
    withHip({ stiffness: -1 }),
    'spec: the check "gains" fails: each must be finite and greater than zero: stiffness of left_hip_joint',
  ],
  [
    'an effort limit of zero',
    withHip({ effort_limit: 0 }),
    'spec: the check "gains" fails: each must be finite and greater than zero: effort_limit of left_hip_joint',
  ],
  // No required check concerns this value.
  ['a negative root height', walkerSpec({ root_height: -1 }), 'spec.root_height: must be a number ≥ 0'],
])('%s is refused with the text of its check, and nothing is compiled or written', async (_, spec, text) => {
  await expect(save(spec)).rejects.toThrow(text);
  expect(prepare).not.toHaveBeenCalled();
  expect(existsSync(path.join(robots, 'walker'))).toBe(false);
  expect(existsSync(path.join(robots, '.uploads/walker/walker.xml'))).toBe(true);
});

test('a spec that passes is compiled and written with the uploaded files', async () => {
  expect(await save(walkerSpec())).toBeNull();
  expect(prepare).toHaveBeenCalledTimes(1);
  expect(arrived).toHaveBeenCalledTimes(1);
  expect(readFileSync(path.join(robots, 'walker/robot.yaml'), 'utf8')).toContain('name: Walker');
  expect(readFileSync(path.join(robots, 'walker/walker.xml'), 'utf8')).toBe(WALKER_MJCF);
});
