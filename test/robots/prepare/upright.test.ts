import { afterAll, describe, expect, test } from 'vitest';
import { multiply, rotate, yawOf } from '../../../src/core/math/quaternion.ts';
import { compileSpec, prepareModel } from '../../../src/robots/prepare/prepare-model.ts';
import { loadMujoco, type MjModel } from '../../../src/sim/mujoco.ts';
import { inspected } from '../../support/inspected.ts';
import { WALKER_MJCF } from '../../support/models.ts';

const mj = await loadMujoco();
const owned: { delete(): void }[] = [];

afterAll(() => {
  for (const handle of owned.reverse()) handle.delete();
});

const compiled = (mjcf: string) => {
  const prepared = prepareModel(mj, new Map([['robot.xml', Buffer.from(mjcf)]]), 'robot.xml');
  owned.push(prepared.spec);
  const model = compileSpec(mj, prepared.spec, 'robot.xml');
  owned.push(model);
  return { model, warnings: prepared.warnings };
};

/** Returns positions of all geoms, m, and the joint-space inertia without the base, with the root at `quat`. */
function placed(model: MjModel, quat: readonly number[]) {
  const data = new mj.MjData(model);
  data.qpos.set([0, 0, 1, ...quat]);
  mj.mj_forward(model, data);
  const points = Array.from(data.geom_xpos as Float64Array);
  const masses = new mj.DoubleBuffer(model.nv * model.nv);
  mj.mj_fullM(model, data, masses);
  const inertia = Array.from(masses.GetView() as Float64Array);
  masses.delete();
  data.delete();
  const nv: number = model.nv;
  const joints = inertia.filter((_, k) => k % nv >= 6 && Math.floor(k / nv) >= 6);
  return { points, joints };
}

const close = (a: readonly number[], b: readonly number[]) => {
  expect(a).toHaveLength(b.length);
  for (const [k, value] of a.entries()) expect(value).toBeCloseTo(b[k]!, 9);
};

/** Returns the walker with its root turned in the file. */
const turnedWalker = (attributes: string, more = '') =>
  WALKER_MJCF.replace('<body name="trunk" pos="0 0 1">', `<body name="trunk" pos="0 0 1" ${attributes}>`).replace(
    '<geom name="trunk_collision"',
    `${more}<geom name="trunk_collision"`,
  );

describe('a root that leans in the file', () => {
  const contents =
    '<inertial pos="0.1 0.2 0.3" mass="3" fullinertia="0.05 0.06 0.07 0.001 0.002 0.003"/>' +
    '<frame pos="0.1 0 0" euler="0.3 0.2 0.1"><geom type="sphere" size="0.01" pos="0 0.2 0" mass="0"/>' +
    '<body name="arm" pos="0 0 0.1" axisangle="0 1 0 0.4"><joint name="arm_joint" axis="1 0 0"/>' +
    '<geom type="capsule" size="0.01" fromto="0 0 0 0.1 0.2 0.3" mass="1"/></body></frame>' +
    '<geom type="capsule" size="0.01" fromto="0 0 0.1 0.1 0.2 0.3" mass="0"/>' +
    '<geom type="box" size="0.01 0.02 0.03" zaxis="1 1 1" mass="0"/><geom type="box" size="0.01 0.02 0.03" xyaxes="1 1 0 0 1 1" mass="0"/>';

  test.each([
    ['by a quaternion', 'quat="0.9808 0 0.195 0"', [0.9808, 0, 0.195, 0]],
    ['by Euler angles', 'euler="0.2 -0.3 0"', null],
    ['by an axis and an angle', 'axisangle="0 1 0 0.28"', [Math.cos(0.14), 0, Math.sin(0.14), 0]],
  ])('a root that leans %s is set upright, and every shape keeps its place', (_, attributes, quat) => {
    const { model, warnings } = compiled(turnedWalker(attributes, contents));
    expect(warnings.join()).toMatch(/root body trunk leans by \d+° in the file, so its frame was turned upright/);
    const raw = mj.parseXMLString(turnedWalker(attributes, contents));
    owned.push(raw);
    const own = mj.mj_compile(raw);
    owned.push(own);
    const stated = quat ?? Array.from(own.body_quat.subarray(4, 8) as Float64Array);
    const size = Math.hypot(...stated);
    const inFile = placed(
      own,
      stated.map((value) => value / size),
    );
    const heading = yawOf(stated.map((value) => value / size));
    const upright = placed(model, [Math.cos(heading / 2), 0, 0, Math.sin(heading / 2)]);
    close(upright.points, inFile.points.slice(3)); // without the floor of the file
    close(upright.joints, inFile.joints);
  });

  test('a leaning root is reported with the rotation that clips of the file need', () => {
    const { warnings } = compiled(turnedWalker('quat="0.9689 0 0.2474 0"'));
    const text = warnings.find((one) => /leans/.test(one))!;
    const [, numbers] = /by the quaternion ([-\d. ]+) \(w x y z\)/.exec(text)!;
    const turn = numbers!.split(' ').map(Number);
    expect(turn).toHaveLength(4);
    // A clip made for the file has the root orientation of the file. Multiplied by the inverse of the turn, this
    // orientation is upright.
    const inverse = [turn[0]!, -turn[1]!, -turn[2]!, -turn[3]!];
    const up = rotate([0, 0, 0], multiply([1, 0, 0, 0], [0.9689, 0, 0.2474, 0], inverse), [0, 0, 1]);
    expect(up[2]).toBeCloseTo(1, 3);
  });

  test('a leaning root is kept if a keyframe shows that its frame is upright', () => {
    const keyed = turnedWalker('quat="0.9689 0 0.2474 0"').replace(
      '</mujoco>',
      '<keyframe><key name="home" qpos="0 0 0.62 1 0 0 0 0 0 0 0"/></keyframe></mujoco>',
    );
    expect(compiled(keyed).warnings.join()).not.toMatch(/leans/);
  });

  test('a leaning root is kept if the robot lies in the file and stands at zero', () => {
    const { warnings } = compiled(turnedWalker('euler="1.57 0 0"'));
    expect(warnings.join()).not.toMatch(/leans/);
  });

  test('a root that only faces another direction is kept', () => {
    expect(compiled(turnedWalker('euler="0 0 1.2"')).warnings.join()).not.toMatch(/leans|upwards/);
  });
});

/** Returns the walker with its y axis upwards. It faces z, so x is left. */
const yUp = () => {
  const swapped = (values: string) => {
    const [x, y, z] = values.trim().split(/\s+/) as [string, string, string];
    return `${y} ${z} ${x}`;
  };
  return WALKER_MJCF.replaceAll(/ (pos|axis)="([^"]+)"/g, (_, key: string, v: string) => ` ${key}="${swapped(v)}"`)
    .replaceAll(
      / fromto="(\S+ \S+ \S+) (\S+ \S+ \S+)"/g,
      (_, a: string, b: string) => ` fromto="${swapped(a)} ${swapped(b)}"`,
    )
    .replaceAll(/ type="box" size="([^"]+)"/g, (_, v: string) => ` type="box" size="${swapped(v)}"`);
};

describe('a model with its y axis upwards', () => {
  const standing = inspected(WALKER_MJCF);

  test.each([
    ['that says so by its root', yUp().replace('<body name="trunk"', '<body name="trunk" euler="1.5707963267949 0 0"')],
    ['that says so by its gravity', yUp().replace('<asset>', '<option gravity="0 -9.81 0"/><asset>')],
    ['that does not say so', yUp()],
  ])('a model with its y axis upwards, %s, gets the suggestions of the same robot upright', (_, mjcf) => {
    const { spec, warnings } = inspected(mjcf);
    expect(warnings.join()).toMatch(/turned upright/);
    expect(spec.wiring).toEqual(standing.spec.wiring);
    expect(spec.root_height).toBeCloseTo(standing.spec.root_height, 5);
    expect(spec.foot_sole_z).toBeCloseTo(standing.spec.foot_sole_z!, 5);
    for (const [name, joint] of Object.entries(standing.spec.joints))
      expect(spec.joints[name]!.default).toBeCloseTo(joint.default, 4);
  });
});
