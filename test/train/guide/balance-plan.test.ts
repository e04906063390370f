import { beforeAll, describe, expect, test } from 'vitest';
import { distanceToHull } from '../../../src/core/math/convex-hull.ts';
import { createEnvironments } from '../../../src/mdp/env/create-environments.ts';
import type { EnvironmentOptions } from '../../../src/mdp/env/environment-options.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import { evaluationConfig, trainedTask } from '../../../src/train/builtin-profile.ts';
import { BalancePlan } from '../../../src/train/guide/balance-plan.ts';
import { ContactPhases } from '../../../src/train/guide/contact-phases.ts';
import { RobotDynamics } from '../../../src/train/guide/robot-dynamics.ts';
import { builtinClip } from '../../support/clips.ts';
import { preparedHumanoid } from '../../support/robots.ts';
import { libraryOf, optionsOf } from '../../support/tracking.ts';

const FEET = 2;
let options: EnvironmentOptions;
let dynamics: RobotDynamics;

beforeAll(async () => {
  const robot = await preparedHumanoid();
  const config = evaluationConfig(trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin'));
  const clips = { squat: builtinClip('squat'), walk: builtinClip('walk_forward') };
  options = await optionsOf(robot, { config, library: await libraryOf(robot, clips), n: 2 });
  dynamics = new RobotDynamics(options);
  return () => dynamics.delete();
}, 60_000);

function planOf(name: string) {
  const { library } = options;
  const clip = library.clips.find((each) => each.name === name)!;
  const phases = new ContactPhases(library, clip, dynamics.feet, dynamics.footPoints);
  return { clip, phases, plan: new BalancePlan(library, clip, dynamics.masses, phases, FEET) };
}

test('centre of mass and angular momentum are those of MuJoCo', () => {
  const envs = createEnvironments(options);
  envs.reset();
  const actions = new Float32Array(2 * envs.actionDim).fill(0.3);
  for (let step = 0; step < 10; step++) envs.step(actions);
  const { state } = envs;
  for (let env = 0; env < 2; env++) {
    const center = dynamics.masses.center(state, env * state.bodies);
    dynamics.load(envs, env);
    const momentum = dynamics.masses.angularMomentum(state, env * state.bodies, center);
    const linear = [0, 1, 2].map((axis) =>
      dynamics.velocity.reduce((sum, rate, k) => sum + dynamics.mass[axis * dynamics.nv + k]! * rate, 0),
    );
    for (let axis = 0; axis < 3; axis++) {
      expect(dynamics.masses.total * center.velocity[axis]!).toBeCloseTo(linear[axis]!, 6);
      expect(momentum[axis]).toBeCloseTo(state.angularMomentum[3 * env + axis]!, 6);
    }
  }
  envs.delete();
});

describe('the phases of a walk', () => {
  test('each foot lifts and lands, one is always on the ground, and no phase is shorter than a tenth of a second', () => {
    const { clip, phases } = planOf('walk');
    for (let foot = 0; foot < FEET; foot++) {
      const values = Array.from({ length: clip.frames }, (_, frame) => phases.touching[frame * FEET + foot]!);
      const lengths = values
        .join('')
        .match(/0+|1+/g)!
        .map((run) => run.length);
      expect(lengths.length).toBeGreaterThan(4);
      for (const length of lengths.slice(1, -1)) expect(length).toBeGreaterThanOrEqual(5);
    }
    for (let frame = 0; frame < clip.frames; frame++)
      expect(phases.touching[frame * FEET]! + phases.touching[frame * FEET + 1]!).toBeGreaterThan(0);
  });

  test('a foot in the air lands after the stated time', () => {
    const { clip, phases } = planOf('walk');
    const { fps } = options.library;
    for (let frame = 0; frame < clip.frames; frame++) {
      const landsIn = phases.landsIn[frame * FEET]!;
      expect(landsIn === 0).toBe(phases.touching[frame * FEET] === 1);
      const landing = frame + Math.round(landsIn * fps);
      if (landsIn > 0 && landing < clip.frames && landsIn < 1) expect(phases.touching[landing * FEET]).toBe(1);
    }
  });
});

describe('the plan', () => {
  test('the centre of pressure stays within the soles on the ground', () => {
    const { clip, phases, plan } = planOf('squat');
    for (let frame = 0; frame < clip.frames; frame++) {
      const soles = phases.grounded(frame).flatMap(({ position }) => [position[0]!, position[1]!]);
      // A squat turns the body little, so p is close to the centre of pressure.
      expect(distanceToHull(plan.pivot[2 * frame]!, plan.pivot[2 * frame + 1]!, soles)).toBeLessThan(0.03);
    }
  });

  test('the divergent component moves away from p at the rate of the pendulum', () => {
    const { clip, plan } = planOf('walk');
    const step = 1 / options.library.fps;
    for (let frame = 0; frame + 1 < clip.frames; frame++) {
      const growth = Math.exp(plan.rate[frame]! * step);
      for (let k = 2 * frame; k < 2 * frame + 2; k++) {
        const away = plan.divergent[k]! - plan.pivot[k]!;
        expect(plan.divergent[k + 2]! - plan.pivot[k]!).toBeCloseTo(growth * away, 9);
      }
    }
  });

  test('the divergent component of a robot that hardly moves is over its centre of mass', () => {
    const { clip, plan } = planOf('squat');
    for (let frame = 0; frame < clip.frames; frame++)
      for (let axis = 0; axis < 2; axis++)
        expect(Math.abs(plan.divergent[2 * frame + axis]! - plan.position[3 * frame + axis]!)).toBeLessThan(0.05);
  });

  test('feet carry the weight together, and a foot in the air carries none', () => {
    const { clip, phases, plan } = planOf('walk');
    for (let frame = 0; frame < clip.frames; frame++) {
      const shares = [plan.share[frame * FEET]!, plan.share[frame * FEET + 1]!];
      expect(shares[0]! + shares[1]!).toBeCloseTo(1, 12);
      for (let foot = 0; foot < FEET; foot++)
        if (phases.touching[frame * FEET + foot] === 0) expect(shares[foot]).toBe(0);
    }
  });
});
