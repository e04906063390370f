import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEnvironments } from '../../../src/mdp/env/create-environments.ts';
import { LIBRARY } from '../../../src/mdp/library.ts';
import type { TaskConfig, TerrainConfig } from '../../../src/mdp/task-config.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import { TerrainField } from '../../../src/mdp/terrain/terrain-field.ts';
import { terrainMesh } from '../../../src/mdp/terrain/terrain-mesh.ts';
import { PREPARED_FILES } from '../../../src/robots/prepared-robot.ts';
import { loadMujoco } from '../../../src/sim/mujoco.ts';
import { builtinClip } from '../../support/clips.ts';
import { preparedHumanoid } from '../../support/robots.ts';
import { libraryOf } from '../../support/tracking.ts';

const ground = (change: Partial<TerrainConfig>): TerrainConfig => ({
  type: 'rough',
  height: 0.1,
  slope: 0.2,
  tile_size: 6,
  seed: 3,
  ...change,
});

describe('the ground', () => {
  test('ground with slopes rises from the border of each tile to a level top', () => {
    const field = new TerrainField(ground({ type: 'slopes' }));
    expect(field.height(3, 0)).toBe(0);
    expect(field.height(2, 0.5)).toBeCloseTo(0.2 * 1, 12);
    expect(field.height(0.5, -0.6)).toBeCloseTo(0.2 * 2.25, 12);
    expect(field.height(2 + 6, 0.5 - 12)).toBeCloseTo(field.height(2, 0.5), 12);
  });

  test('ground with stairs has steps 0.3 m deep', () => {
    const field = new TerrainField(ground({ type: 'stairs' }));
    expect(field.height(2.75, 0)).toBe(0);
    expect(field.height(2.65, 0)).toBeCloseTo(0.1, 12);
    expect(field.height(2.45, 1)).toBeCloseTo(0.1, 12);
    expect(field.height(0, 0)).toBeCloseTo(0.7, 12);
  });

  test('rough ground stays between 0 and its height, depends only on the seed, and repeats', () => {
    const field = new TerrainField(ground({}));
    const again = new TerrainField(ground({}));
    const other = new TerrainField(ground({ seed: 4 }));
    let differs = false;
    for (let k = 0; k < 500; k++) {
      const x = 0.37 * k - 40;
      const y = 0.11 * k;
      const z = field.height(x, y);
      expect(z).toBeGreaterThanOrEqual(0);
      expect(z).toBeLessThanOrEqual(0.1);
      expect(again.height(x, y)).toBe(z);
      expect(field.height(x + 6, y - 6)).toBeCloseTo(z, 9);
      if (other.height(x, y) !== z) differs = true;
    }
    expect(differs).toBe(true);
  });

  test("ground that exceeds MuJoCo's limits is refused", () => {
    expect(() => new TerrainField(ground({ tile_size: 30 }))).toThrow(/scene\.terrain\.tile_size: must be 1 to 10 m/);
    expect(() => new TerrainField(ground({ type: 'slopes', slope: 2 }))).toThrow(
      /scene\.terrain\.slope: .* 4\.5 m high/,
    );
    expect(() => new TerrainField(ground({ height: -1 }))).toThrow(/scene\.terrain\.height/);
  });

  test('ground is drawn with its true shape and faces that point up', () => {
    const field = new TerrainField(ground({ type: 'slopes' }));
    const { vertices, faces, colours } = terrainMesh(field, 4, 2);
    expect(vertices.length).toBe(3 * 81 * 41);
    expect(faces.length).toBe(6 * 80 * 40);
    expect(colours.length).toBe(vertices.length);
    expect(Math.max(...vertices.filter((_, at) => at % 3 === 0))).toBeCloseTo(4, 5);
    const corner = (k: number) => vertices.subarray(3 * faces[k]!, 3 * faces[k]! + 3);
    for (let at = 0; at < faces.length; at += 3) {
      const [a, b, c] = [corner(at), corner(at + 1), corner(at + 2)];
      const up = (b[0]! - a[0]!) * (c[1]! - a[1]!) - (b[1]! - a[1]!) * (c[0]! - a[0]!);
      expect(up).toBeGreaterThan(0);
    }
    for (let at = 0; at < vertices.length; at += 3)
      expect(vertices[at + 2]).toBeCloseTo(field.height(vertices[at]!, vertices[at + 1]!), 5);
  });
});

test('robots stand on the ground many tiles away from its centre', async () => {
  const robot = await preparedHumanoid();
  const base = baseTasks(robot.facts)[0]!.config;
  const config: TaskConfig = {
    ...base,
    episode_length_s: 1e9,
    events: {},
    terminations: {},
    commands: {
      motion: {
        ...base.commands.motion,
        pose_range: {},
        velocity_range: {},
        joint_position_range: [0, 0],
        rsi: { ...base.commands.motion.rsi, sampling_mode: 'start' },
      },
    },
    scene: { ...base.scene, terrain: ground({ type: 'stairs', tile_size: 7 }) },
  };
  const n = 5;
  const options = {
    mj: await loadMujoco(),
    facts: robot.facts,
    config,
    terms: LIBRARY,
    library: await libraryOf(robot, { squat: builtinClip('squat') }),
    n,
    stride: 13,
    total: 65,
    seed: 1,
  };
  const physics = (file: string) => readFileSync(path.join(robot.folder, file));
  const envs = createEnvironments({ ...options, physics: physics(PREPARED_FILES.terrain) });
  const field = new TerrainField(config.scene.terrain);
  const { state } = envs;
  const grounds = Array.from({ length: n }, (_, env) => state.envOrigin[3 * env + 2]!);
  expect(new Set(grounds.map((z) => z.toFixed(3))).size).toBeGreaterThan(2);
  const actions = new Float32Array(n * envs.actionDim);
  for (let step = 0; step < 25; step++) envs.step(actions);
  for (let env = 0; env < n; env++) {
    const [x, y, z] = envs.qpos(env);
    const clip = state.refBodyPosW[3 * env * state.bodies + 2]! - grounds[env]!;
    // After half a second in the default pose, the root's height above the local ground is about that of the clip.
    expect(z! - field.height(x!, y!)).toBeGreaterThan(clip - 0.15);
    expect(z! - field.height(x!, y!)).toBeLessThan(clip + 0.2);
    expect(state.footContact[2 * env]! + state.footContact[2 * env + 1]!).toBeGreaterThan(0);
  }
  envs.delete();
  expect(() => createEnvironments({ ...options, physics: physics(PREPARED_FILES.physics) })).toThrow(/height field/);
});
