import { beforeAll, describe, expect, test } from 'vitest';
import type { PlayLibrary } from '../../../src/app/play/play-libraries.ts';
import { completeRequest } from '../../../src/app/play/play-request.ts';
import { checkMemory, checkRecordMemory } from '../../../src/app/play/session-memory.ts';
import { describeBuilding, planSession, threadsFor } from '../../../src/app/play/session-plan.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import { playBytes } from '../../../src/play/play-bytes.ts';
import { capacityFor, closeTogether, sessionConfig } from '../../../src/play/play-config.ts';
import type { RobotFacts } from '../../../src/robots/robot-facts.ts';
import type { RunRecord } from '../../../src/runs/store/run-record.ts';
import { preparedHumanoid } from '../../support/robots.ts';

const MIB = 2 ** 20;
let facts: RobotFacts;
beforeAll(async () => {
  ({ facts } = await preparedHumanoid());
});

const checkpoint = (iteration: number) => ({ name: `model_${iteration}.pt`, iteration, modifiedMs: 0 });
const run = {
  path: 'wbc/one',
  runDir: 'wbc',
  run: 'one',
  checkpoints: [checkpoint(0), checkpoint(250), checkpoint(1000)],
} as unknown as RunRecord;
const library = (name: string, isDefault = false): PlayLibrary => ({
  path: `data/humanoid/${name}`,
  name,
  clips: 1,
  duration: 1,
  default: isDefault,
  rows: 50,
  files: [],
});
const libraries = [library('walks', true), library('dances')];
const complete = (
  body: Parameters<typeof completeRequest>[0],
  more: Partial<Parameters<typeof completeRequest>[1]> = {},
) => completeRequest(body, { before: null, run, libraries, maxEnvs: 4096, seed: 7, ...more });

describe('a first play request', () => {
  test('a first play request defaults to the latest checkpoint, the default library and one environment', () => {
    expect(complete({ run: 'wbc/one' })).toEqual({
      run: 'wbc/one',
      checkpoint: 'model_1000.pt',
      motion: 'data/humanoid/walks',
      numEnvs: 1,
      terminations: true,
      seed: 7,
      compare: null,
      condition: null,
    });
  });

  test('a first play request uses the given values', () => {
    const body = { checkpoint: '', motion: 'data/humanoid/dances', num_envs: 9, terminations: false, seed: 3 };
    expect(complete(body)).toEqual({
      run: 'wbc/one',
      checkpoint: '',
      motion: 'data/humanoid/dances',
      numEnvs: 9,
      terminations: false,
      seed: 3,
      compare: null,
      condition: null,
    });
  });

  test.each([
    [{ checkpoint: 'model_7.pt' }, {}, /^checkpoint: .*"model_7.pt"; did you mean "model_0.pt"/],
    [{ motion: 'data/humanoid/dance' }, {}, /^motion: .*did you mean "data\/humanoid\/dances"/],
    [{ num_envs: 4097 }, {}, /^num_envs: must be an integer from 1 to 4096 .*play\.max_envs/],
    [{}, { libraries: [] }, /^motion: .*no converted clips/],
    [{}, { run: { ...run, checkpoints: [] } as RunRecord }, /^run: .*no checkpoint yet/],
  ])('an invalid first play request is refused by name: %j', (body, more, message) => {
    expect(() => complete(body, more)).toThrow(message);
  });
});

describe('room and threads', () => {
  test('the capacity of a session is the next power of two, at least 32', () => {
    expect([1, 32, 33, 64, 1000, 4096].map(capacityFor)).toEqual([32, 32, 64, 64, 1024, 4096]);
  });

  test('a session uses the requested threads, but fewer for few environments', () => {
    expect([threadsFor(1024, 6), threadsFor(32, 6), threadsFor(32, 1)]).toEqual([6, 2, 1]);
    expect(threadsFor(4096, 0)).toBeGreaterThanOrEqual(1);
  });
});

describe('a session that is being built', () => {
  /** Plans a session of a task with a control rate of 25 Hz, half of the usual rate. */
  const planned = (numEnvs: number, maxEnvs: number) => {
    const { config } = baseTasks(facts)[0]!;
    const slow = { ...config, decimation: 2 * config.decimation };
    const request = complete({ num_envs: numEnvs }, { maxEnvs });
    const setup = { task: 'Wbc-Humanoid', config: slow, trained: slow, policy: null };
    const plan = planSession(request, setup, { facts, physicsPath: 'physics.mjb' });
    return { request, task: setup.task, id: 1, plan };
  };

  test('its capacity is the next power of two, also if that is more than play.max_envs', () => {
    expect([planned(1, 20), planned(40, 40)].map(({ plan }) => plan.capacity)).toEqual([32, 64]);
  });

  test('it states the capacity and the control rate that the session will have', () => {
    const building = planned(40, 40);
    expect(describeBuilding(building, 'humanoid')).toMatchObject({
      state: 'building',
      num_envs: 40,
      capacity: building.plan.capacity,
      control_hz: 25,
    });
  });
});

test('robots stand close together in the scene; on uneven ground they stand where the task places them', () => {
  const { config } = baseTasks(facts)[0]!;
  expect(closeTogether(config, 1).scene.env_spacing).toBeLessThan(1);
  expect(closeTogether(config, 100).scene.env_spacing).toBe(config.scene.env_spacing);
  const terrain = { ...config.scene.terrain, type: 'rough' as const };
  const uneven = { ...config, scene: { ...config.scene, terrain } };
  expect(closeTogether(uneven, 1)).toBe(uneven);
});

describe('memory', () => {
  const bytes = (numEnvs: number, rows = 2000) => {
    const config = sessionConfig(baseTasks(facts)[0]!.config);
    const plan = { facts, config, capacity: capacityFor(numEnvs), numEnvs, compare: null };
    return playBytes(plan, { threads: 1, observed: 130, rows, controlHz: 50 });
  };

  test('the memory of a session grows with environments, their records and the library', () => {
    expect(bytes(4096) / MIB).toBeGreaterThan(150);
    expect(bytes(4096) / MIB).toBeLessThan(1000);
    // The record holds 60 s of 32 environments with about 240 numbers each, at 50 rows per second.
    expect((bytes(32) - bytes(33)) / MIB).toBeGreaterThan(60);
    expect(bytes(1, 1_002_000) - bytes(1, 2000)).toBe(4e6 * (13 * facts.bodies.length + 2 * facts.joints.length));
  });

  test('a session that needs more memory than available is refused with both amounts', () => {
    expect(() => checkMemory(10, MIB)).not.toThrow();
    expect(() => checkMemory(4096, 2 ** 50)).toThrow(
      /^num_envs: 4096 environments need about 1073741824 MiB of memory, but \d+ MiB are free\. Use fewer environments\.$/,
    );
  });
});

test('memory that earlier records have reserved is not given to another record', () => {
  expect(() => checkRecordMemory('env', 77, 4 * MIB, 4 * MIB)).not.toThrow();
  expect(() => checkRecordMemory('env', 77, 4 * MIB + 1, 4 * MIB)).toThrow(
    /^env: recording environment 77 needs 5 MiB of memory, but 4 MiB are free\. Start a new session to free the existing records\.$/,
  );
});

describe('fields that a play request omits', () => {
  const session = {
    checkpoint: '',
    motion: 'data/humanoid/dances',
    numEnvs: 5,
    terminations: false,
    seed: 2,
    compare: null,
    condition: null,
  };

  test('fields that a play request omits keep the values of the session', () => {
    expect(complete({}, { before: { ...session, run: 'wbc/one' } })).toEqual({ ...session, run: 'wbc/one' });
  });

  test('if the run changes, an omitted checkpoint becomes the latest; other omitted fields stay', () => {
    expect(complete({}, { before: { ...session, run: 'wbc/other' } })).toEqual({
      ...session,
      run: 'wbc/one',
      checkpoint: 'model_1000.pt',
    });
    const elsewhere = { ...session, run: 'wbc/other', motion: 'logs/rsl_rl/wbc/other/exported/policy.onnx' };
    expect(complete({}, { before: elsewhere }).motion).toBe('data/humanoid/walks');
  });
});
