import { expect, test } from 'vitest';
import { PosedModel } from '../../../src/robots/kinematics/posed-model.ts';
import { compileSpec, prepareModel } from '../../../src/robots/prepare/prepare-model.ts';
import { loadMujoco, nameAt } from '../../../src/sim/mujoco.ts';
import { WALKER_MJCF } from '../../support/models.ts';

const mj = await loadMujoco();

/** Prepares and compiles a model. @returns names of its joints, and the height of the root above the soles */
function compiled(text: string, path: string) {
  const { spec, warnings } = prepareModel(mj, new Map([[path, Buffer.from(text)]]), path);
  const model = compileSpec(mj, spec, path);
  const posed = new PosedModel(mj, model);
  const joints = Array.from({ length: model.njnt }, (_, id) => nameAt(model, model.name_jntadr[id]));
  const height = posed.position(posed.tree.root)[2] - posed.lowest();
  const centre = posed.subtreeCentre(posed.tree.root)[2] - posed.lowest();
  posed.delete();
  return { joints, height, centre, warnings };
}

const link = (name: string, inside = '') => `<link name="${name}">${inside}</link>`;
const joint = (name: string, type: string, parent: string, child: string, axis: string) =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><axis xyz="${axis}"/>` +
  '<limit lower="-9" upper="9" effort="9"/></joint>';
const SOLID =
  '<inertial><mass value="3"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>' +
  '<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>';

test('the free joint of the root replaces the joints of a planar base', () => {
  const planar = (types: readonly [string, string, string]) => `<robot name="planar">
    ${link('base')}${link('base_x')}${link('base_xz')}${link('torso', SOLID)}${link('leg', SOLID)}
    ${joint('planar_x', types[0], 'base', 'base_x', '1 0 0')}${joint('planar_z', types[1], 'base_x', 'base_xz', '0 0 1')}
    ${joint('planar_pitch', types[2], 'base_xz', 'torso', '0 1 0')}${joint('hip', 'revolute', 'torso', 'leg', '0 1 0')}
  </robot>`;
  const { joints, warnings } = compiled(planar(['prismatic', 'prismatic', 'continuous']), 'planar.urdf');
  expect(joints).toEqual(['floating_base_joint', 'hip']);
  expect(warnings).toContain(
    'joints planar_x, planar_z, planar_pitch of a virtual base were replaced by the free joint of the root',
  );
  // One slide joint may be a lift of the robot.
  expect(compiled(planar(['prismatic', 'revolute', 'revolute']), 'planar.urdf').joints).toContain('planar_x');
});

/** Returns the walker below a root without shapes, whose frame is `down` m below the trunk. */
const footprint = (down: number) =>
  WALKER_MJCF.replace(
    /<body name="trunk" pos="0 0 1">\s*<freejoint name="floating_base_joint"\/>/,
    `<body name="footprint"><freejoint/><inertial pos="0 0 ${down}" mass="2" diaginertia="0.1 0.1 0.1"/><body name="trunk" pos="0 0 ${down}">`,
  ).replace('</worldbody>', '</body></worldbody>');

test('the frame of a root on the ground moves to the body that it carries; masses stay the same', () => {
  const lifted = compiled(footprint(0.62), 'walker.xml');
  expect(lifted.height).toBeCloseTo(0.62, 6);
  expect(lifted.warnings.join()).toMatch(
    /root body footprint has its frame on the ground, so the frame was moved by 0 0 0\.62 m/,
  );
  const high = compiled(footprint(0.1), 'walker.xml');
  expect(high.height).toBeCloseTo(0.52, 6);
  expect(high.warnings.join()).not.toMatch(/on the ground/);
  expect(lifted.centre).toBeCloseTo(high.centre, 6);
});

test('a visible marker on a root on the ground moves with the contents of the root', () => {
  const marker =
    '<geom name="marker" type="capsule" fromto="0 0 0 0 0 0.01" size="0.005" contype="0" conaffinity="0" mass="0"/><site name="at" pos="0 0 0.62"/>';
  const file = Buffer.from(footprint(0.62).replace('<body name="trunk"', `${marker}<body name="trunk"`));
  const { spec, warnings } = prepareModel(mj, new Map([['walker.xml', file]]), 'walker.xml');
  const model = compileSpec(mj, spec, 'walker.xml');
  expect(warnings.join()).toMatch(/frame was moved by 0 0 0\.62 m to that of trunk/);
  const geom = Array.from({ length: model.ngeom }, (_, id) => id).find(
    (id) => nameAt(model, model.name_geomadr[id]) === 'marker',
  )!;
  expect(model.geom_pos[3 * geom + 2]).toBeCloseTo(0.005 - 0.62, 9);
  expect(model.site_pos[2]).toBeCloseTo(0, 9);
});
