import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileSpec, prepareModel } from '../../../src/robots/prepare/prepare-model.ts';
import { loadMujoco, nameAt } from '../../../src/sim/mujoco.ts';
import { elementNames } from '../../../src/sim/spec-elements.ts';
import { hasKit, KIT } from '../../support/kit.ts';
import { WALKER_MJCF } from '../../support/models.ts';
import { collada } from './collada.ts';
import { asciiStl, binaryStl, SHEET, tetrahedron } from './meshes.ts';

const mj = await loadMujoco();

type Content = string | Uint8Array;
const prepare = (model: Content, others: Record<string, Content> = {}, path = 'walker.xml') =>
  prepareModel(
    mj,
    new Map(
      Object.entries({ [path]: model, ...others }).map(([name, c]) => [
        name,
        typeof c === 'string' ? Buffer.from(c) : c,
      ]),
    ),
    path,
  );
const compiled = (...of: Parameters<typeof prepare>) => {
  const prepared = prepare(...of);
  return { ...prepared, model: compileSpec(mj, prepared.spec, 'walker.xml') };
};
const withAsset = (asset: string, geom: string) =>
  WALKER_MJCF.replace('<asset>', `<asset>${asset}`).replace(
    '<body name="left_thigh"',
    `${geom}<body name="left_thigh"`,
  );

test('a clean model has one warning: its floor is removed', () => {
  const { model, warnings, root, format } = compiled(WALKER_MJCF);
  expect({ root, format, nq: model.nq, warnings }).toEqual({
    root: 'trunk',
    format: 'mjcf',
    nq: 11,
    warnings: ['1 geom of the world removed, because the scene has its own floor and light'],
  });
});

test('the scene around a robot is removed: wrapper, floor, light, camera, scenery, a ball, mocap, welds, pairs, options', () => {
  const scene = `<mujoco model="scene"><option timestep="0.002" gravity="0 0 0"/><include file="walker.xml"/>
    <worldbody><light name="sun"/><camera name="eye"/>
      <body name="table"><geom type="box" size="1 1 1"/></body>
      <body name="ball"><freejoint/><geom name="ball" size="0.1"/></body>
      <body name="hand" mocap="true"/>
    </worldbody>
    <contact><pair geom1="left_foot_collision" geom2="ball"/><exclude body1="trunk" body2="table"/></contact>
    <equality><weld body1="hand" body2="trunk"/><weld body1="trunk"/></equality></mujoco>`;
  const { model, warnings } = compiled(scene, { 'walker.xml': WALKER_MJCF }, 'scene.xml');
  expect([model.nbody - 1, model.njnt, model.neq, model.nlight, model.ncam, model.nmocap]).toEqual([5, 5, 0, 0, 0, 0]);
  expect(model.opt.gravity[2]).toBeCloseTo(-9.81, 6);
  expect(warnings.join('\n')).toMatch(/<option>/);
  expect(warnings).toContain('3 bodies beside the robot removed: table, ball, hand');
  expect(warnings).toContain(
    '1 geom, 1 light, 1 camera of the world removed, because the scene has its own floor and light',
  );
  expect(warnings).toContain('1 constraint to the world removed');
});

test('ties to removed sites are removed with a warning: tendons and what needs them, constraints; cameras too', () => {
  const sited = WALKER_MJCF.replace('<geom name="ground"', '<site name="hook"/><geom name="ground"').replace(
    '<geom name="trunk_collision"',
    '<site name="back"/><camera mode="targetbody" target="box"/><geom name="trunk_collision"',
  );
  const { model, warnings } = compiled(
    sited.replace(
      '</worldbody>',
      `<body name="box"><geom size="0.1"/></body></worldbody>
      <tendon><spatial name="balancer"><site site="hook"/><site site="back"/></spatial>
        <fixed name="cord"><joint joint="left_hip_joint" coef="1"/></fixed></tendon>
      <equality><connect site1="hook" site2="back"/><tendon tendon1="balancer"/><tendon tendon1="cord"/></equality>`,
    ),
  );
  expect([model.ncam, model.ntendon, model.neq]).toEqual([0, 1, 1]);
  expect(warnings).toContain('1 tendon to the world or to removed objects removed: balancer');
  expect(warnings).toContain('2 constraints to the world removed');
});

test('actuators, sensors and keyframes are removed, and their values are kept', () => {
  const more = `<sensor><jointpos joint="left_hip_joint"/><gyro site="nowhere"/></sensor>
    <actuator><position joint="left_hip_joint" kp="30" kv="2" forcerange="-40 40"/>
      <motor joint="left_knee_joint" gear="10" ctrlrange="-3 2"/>
      <position joint="right_hip_joint" kp="5" dampratio="1"/></actuator>
    <keyframe><key name="bent" qpos="0 0 0.6 1 0 0 0 0.1 0.2 0.3 0.4"/><key name="short" qpos="1 2"/></keyframe></mujoco>`;
  const { model, warnings, actuators, poses } = compiled(WALKER_MJCF.replace('</mujoco>', more));
  expect([model.nu, model.nsensor, model.nkey]).toEqual([0, 0, 0]);
  expect(warnings.filter((text) => /2 sensors|3 actuators|2 keyframes/.test(text))).toHaveLength(3);
  expect(actuators.get('left_hip_joint')).toEqual({
    name: '',
    stiffness: 30,
    damping: 2,
    effort: 40,
    gainsOf: 'actuator',
  });
  expect(actuators.get('left_knee_joint')).toEqual({
    name: '',
    stiffness: null,
    damping: null,
    effort: 30,
    gainsOf: 'actuator',
  });
  expect(actuators.get('right_hip_joint')).toEqual({
    name: '',
    stiffness: 5,
    damping: null,
    effort: null,
    gainsOf: 'actuator',
  });
  expect(poses).toHaveLength(1);
  expect(poses[0]!.rootHeight).toBe(0.6);
  expect([...poses[0]!.joints]).toEqual([
    ['left_hip_joint', 0.1],
    ['left_knee_joint', 0.2],
    ['right_hip_joint', 0.3],
    ['right_knee_joint', 0.4],
  ]);
});

test('an undefined material is ignored with a warning', () => {
  const { warnings, model } = compiled(
    WALKER_MJCF.replace('<geom type="capsule"', '<geom type="capsule" material="self"'),
  );
  expect(warnings).toContain('materials that the file does not define are ignored: self');
  expect(model.nmat).toBe(0);
});

test('defaults with effort limits are resolved', () => {
  const text = WALKER_MJCF.replace('<asset>', '<default><joint actuatorfrcrange="-88 88"/></default><asset>');
  const { effortLimits } = compiled(text);
  expect(effortLimits.get('left_hip_joint')).toEqual({ value: 88, source: 'joint actuatorfrcrange' });
});

test('a range that is switched off is ignored', () => {
  const { model } = compiled(WALKER_MJCF.replace('range="0 2"', 'range="2 0" limited="false"'));
  expect(Array.from(model.jnt_range.subarray(4, 6))).toEqual([0, 0]);
});

test('slide joints in place of a free base are replaced; a base without joints gets a free joint; a hinged base is refused', () => {
  const based = (joints: string) => WALKER_MJCF.replace('<freejoint name="floating_base_joint"/>', joints);
  const planar = based(
    '<joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide"/><joint name="pitch" axis="0 1 0"/>',
  );
  expect(compiled(planar).model.nq).toBe(11);
  expect(prepare(planar).warnings).toContain('joints x, z, pitch of root body trunk were replaced by a free joint');
  expect(prepare(based('')).warnings).toContain('root body trunk was fixed to the world and was given a free joint');
  expect(() => prepare(based('<joint name="turn"/>'))).toThrow(
    /root body trunk must have a free joint.*turn\. Put it into a <body>/,
  );
});

test('meshes are found by meshdir, by path and by name; unusable ones are reported', () => {
  const mesh = (file: string) =>
    withAsset(`<mesh name="m" file="${file}"/>`, '<geom type="mesh" mesh="m" mass="0" contype="0" conaffinity="0"/>');
  const stl = binaryStl(tetrahedron());
  const dir = (text: string) => text.replace('<compiler ', '<compiler meshdir="assets" ');
  for (const [text, files] of [
    [dir(mesh('a.STL')), { 'assets/a.STL': stl }],
    [dir(mesh('a.STL')), { 'meshes/deep/A.stl': stl }],
    [mesh('../meshes/a.stl'), { 'meshes/a.stl': stl }],
    [mesh('a.stl'), { 'a.stl': asciiStl(tetrahedron()) }],
  ] as const) {
    const { model, warnings } = compiled(text, files);
    expect([model.nmesh, warnings.filter((w) => w.includes('removed: mesh'))]).toEqual([2, []]);
  }
  const dae = compiled(mesh('shell.dae'), { 'shell.dae': collada(), 'shell.stl': stl });
  expect(Array.from(dae.model.mesh_facenum)).toContain(4);
  const { model, warnings } = compiled(mesh('shell.ply'), { 'shell.ply': '<COLLADA/>' });
  expect(model.nmesh).toBe(1);
  expect(warnings).toContain('1 visual geom of trunk removed: mesh shell.ply is a .ply file. Use .stl, .obj or .dae.');
  expect(prepare(mesh('gone.stl')).warnings.join()).toMatch(
    /1 visual geom of trunk removed: mesh gone.stl is not among/,
  );
  expect(prepare(mesh('cut.stl'), { 'cut.stl': stl.subarray(0, 200) }).warnings.join()).toMatch(
    /truncated: its header states 4 faces, but the file contains 2/,
  );
});

test('a flat mesh gets a thickness, even if it collides', () => {
  const text = withAsset('<mesh name="m" file="sheet.stl"/>', '<geom type="mesh" mesh="m" mass="0.1"/>');
  const { model, warnings } = compiled(text, { 'sheet.stl': binaryStl(SHEET) });
  expect(model.nmesh).toBe(2);
  expect(warnings.join()).toMatch(/mesh sheet.stl is flat/);
});

test('textures are not needed: materials keep their colours', () => {
  const text = withAsset(
    '<texture name="t" type="2d" file="nowhere.png"/><material name="red" texture="t" rgba="1 0 0 1"/>',
    '<geom size="0.1" material="red"/>',
  );
  const { model } = compiled(text);
  expect(model.ntex).toBe(0);
  expect(Array.from(model.mat_rgba as Float32Array)).toEqual([1, 0, 0, 1]);
});

test('includes are resolved: nested, in the middle of a body, beside the file that names them', () => {
  const text = WALKER_MJCF.replace(
    '<body name="left_thigh"',
    '<include file="parts/head.xml"/><body name="left_thigh"',
  );
  const { model } = compiled(text, {
    'parts/head.xml':
      '<mujocoinclude><body name="head"><geom size="0.1"/><include file="ear.xml"/></body></mujocoinclude>',
    'parts/ear.xml': '<mujocoinclude><body name="ear"><geom size="0.02"/></body></mujocoinclude>',
  });
  expect(
    elementNames(
      mj,
      prepare(text, {
        'parts/head.xml': '<mujocoinclude><body name="head"/></mujocoinclude>',
      }).spec,
      mj.mjtObj.mjOBJ_BODY,
    ),
  ).toContain('head');
  expect(nameAt(model, model.name_bodyadr[3])).toBe('ear');
});

test('impossible inertias are corrected and named', () => {
  const text = WALKER_MJCF.replace(
    '<body name="left_thigh"',
    `<body name="lead"><inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/></body>
     <body name="hole"><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/></body>
     <body name="frame"><inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/></body><body name="left_thigh"`,
  );
  const { model, warnings } = compiled(text);
  expect(warnings).toContain(
    'bodies whose principal inertias violate A + B ≥ C: given the mean of the three values: lead',
  );
  expect(warnings).toContain('bodies with an impossible inertia: given the inertia of a ball of the same mass: hole');
  expect(model.body('lead').inertia[0]).toBeCloseTo(11 / 3, 9);
  expect(model.body('hole').mass).toBe(1);
  // 2/5 m r², with r of a ball of 1 kg of water
  expect(model.body('hole').inertia[0]).toBeCloseTo(0.4 * (3 / (4000 * Math.PI)) ** (2 / 3), 9);
});

test('bodies and joints without a name get a name', () => {
  const text = WALKER_MJCF.replace('name="left_thigh"', '').replace('name="left_knee_joint"', '');
  const { spec, warnings } = prepare(text);
  expect(elementNames(mj, spec, mj.mjtObj.mjOBJ_JOINT)).toContain('left_foot_joint');
  expect(warnings).toContain('unnamed bodies and joints were named body, left_foot_joint');
});

test('joints tied to others by a constraint are treated as mimic joints unless they have an actuator', () => {
  const text = WALKER_MJCF.replace(
    '</mujoco>',
    `<equality><joint joint1="left_knee_joint" joint2="left_hip_joint" polycoef="0.1 -2 0 0 0"/>
     <joint joint1="right_knee_joint" joint2="right_hip_joint"/></equality>
     <actuator><motor joint="right_knee_joint"/></actuator></mujoco>`,
  );
  expect([...compiled(text).mimics.keys()]).not.toContain('right_knee_joint');
  expect(compiled(text).mimics.get('left_knee_joint')).toEqual({
    joint: 'left_hip_joint',
    multiplier: -2,
    offset: 0.1,
  });
});

test('a passive joint follows its partner, whichever of the two a constraint names first', () => {
  const text = WALKER_MJCF.replace(
    '</mujoco>',
    `<equality><joint joint1="left_hip_joint" joint2="left_knee_joint" polycoef="0.1 -2 0 0 0"/></equality>
     <actuator><motor joint="left_hip_joint"/><motor joint="right_hip_joint"/><motor joint="right_knee_joint"/></actuator></mujoco>`,
  );
  const { model, mimics, passive } = compiled(text);
  // hip = 0.1 - 2 · knee, so knee = 0.05 - 0.5 · hip
  expect([...mimics]).toEqual([['left_knee_joint', { joint: 'left_hip_joint', multiplier: -0.5, offset: 0.05 }]]);
  expect([nameAt(model, model.name_jntadr[model.eq_obj1id[0]]), ...model.eq_data.slice(0, 2)]).toEqual([
    'left_knee_joint',
    0.05,
    -0.5,
  ]);
  expect([...passive]).toEqual(['left_knee_joint']);
});

test('joints that a tendon with an actuator moves have motors; others are passive, unless the model has no actuators', () => {
  const passiveOf = (more: string) => {
    const site = (name: string, body: string) => (mjcf: string) =>
      mjcf.replace(new RegExp(`<body name="${body}"[^>]*>`), `$&<site name="${name}"/>`);
    const sited = site('on_trunk', 'trunk')(site('on_foot', 'left_foot')(WALKER_MJCF));
    return [...compiled(sited.replace('</mujoco>', `${more}</mujoco>`)).passive];
  };
  expect(passiveOf('')).toEqual([]);
  const fixed =
    '<tendon><fixed name="cord"><joint joint="left_hip_joint" coef="1"/><joint joint="left_knee_joint" coef="1"/></fixed></tendon>';
  const spatial = '<tendon><spatial name="cord"><site site="on_trunk"/><site site="on_foot"/></spatial></tendon>';
  for (const tendon of [fixed, spatial]) {
    const drive = (more: string) => passiveOf(`${tendon}<actuator><motor tendon="cord"/>${more}</actuator>`);
    expect(drive('')).toEqual(['right_hip_joint', 'right_knee_joint']);
    expect(drive('<motor joint="right_hip_joint"/>')).toEqual(['right_knee_joint']);
  }
});

test('geoms that collide only in pairs collide with the floor', () => {
  const text = WALKER_MJCF.replace(
    'name="left_foot_collision"',
    'name="left_foot_collision" contype="0" conaffinity="0"',
  ).replace('</mujoco>', '<contact><pair geom1="left_foot_collision" geom2="ground"/></contact></mujoco>');
  const { model } = compiled(text);
  expect(model.npair).toBe(0);
  expect(model.geom('left_foot_collision').conaffinity).toBe(1);
});

test('the hidden geoms of a robot without collision masks collide, and no others', () => {
  const masked = WALKER_MJCF.replaceAll('<geom', '<geom contype="0" conaffinity="0"').replaceAll(
    'contype="0" conaffinity="0" mass="0"',
    'mass="0"',
  );
  const { model, warnings } = compiled(
    masked.replaceAll('_collision" type="box"', '$& group="4"').replace(' group="3"', ''),
  );
  const solid = Array.from(model.geom_contype as Int32Array).reduce((sum, type) => sum + type, 0);
  expect([solid, model.geom('left_foot_collision').contype, model.geom('trunk_shell').contype]).toEqual([3, 1, 0]);
  expect(warnings).toContain(
    'all shapes have contype 0 and conaffinity 0: the 3 shapes in group 3 and above now collide',
  );
  expect(
    compiled(WALKER_MJCF.replaceAll('_collision" type="box"', '$& group="4"').replace(' group="3"', '')).warnings,
  ).toHaveLength(1);
});

test('a constraint that is not active is removed, so that no joint is taken as a follower', () => {
  const tied = (active: boolean) =>
    compiled(
      WALKER_MJCF.replace(
        '</mujoco>',
        `<equality><joint active="${active}" joint1="left_knee_joint" joint2="left_hip_joint"/></equality></mujoco>`,
      ),
    );
  expect([tied(true).model.neq, tied(true).mimics.size]).toEqual([1, 1]);
  expect([tied(false).model.neq, tied(false).mimics.size]).toEqual([0, 0]);
});

test('mechanisms that the world holds beside a robot with a free base are removed, with all that refers to them', () => {
  const door =
    '<body name="door" pos="2 0 0"><joint name="door_hinge"/><geom name="door_panel" type="box" size="1 0.1 1"/></body>';
  const references =
    '<contact><exclude body1="door" body2="trunk"/></contact><equality><joint joint1="door_hinge" joint2="left_hip_joint"/></equality>' +
    '<actuator><motor joint="door_hinge"/><motor joint="left_hip_joint"/></actuator>' +
    '<keyframe><key name="home" qpos="0 0 1 1 0 0 0 0.1 0.2 0.3 0.4 0.5"/></keyframe></mujoco>';
  const { model, warnings, root, poses } = compiled(
    WALKER_MJCF.replace('</worldbody>', `${door}</worldbody>`).replace('</mujoco>', references),
  );
  expect({ root, nq: model.nq, neq: model.neq, nexclude: model.nexclude }).toEqual({
    root: 'trunk',
    nq: 11,
    neq: 0,
    nexclude: 0,
  });
  expect(warnings).toContain('1 body beside the robot removed: door');
  expect(poses[0]?.joints.get('right_knee_joint')).toBe(0.4);
});

const at = (old: string, now: string) => WALKER_MJCF.replace(old, now);
test.each<[string, string, Record<string, Content>, RegExp]>([
  [
    'two robots',
    at('</worldbody>', '<body name="b"><freejoint/><body><joint/><geom size="1"/></body></body></worldbody>'),
    {},
    /one root body, but it has 2: trunk, b\. Put them into one <body>/,
  ],
  [
    'a deeper free joint',
    at('<joint name="left_hip_joint" axis="0 1 0" range="-1 1"/>', '<freejoint name="f"/>'),
    {},
    /joint f of body left_thigh is free|free joint/,
  ],
  ['a ball joint', at('axis="0 1 0" range="0 2"', 'type="ball"'), {}, /ball joint left_knee_joint/],
  ['inverted limits', at('range="0 2"', 'range="2 0"'), {}, /left_knee_joint has inverted limits: 2 is above 0/],
  ['a mass of NaN', at('mass="10"', 'mass="nan"'), {}, /line 11: <geom> trunk_collision: mass="nan" is not a number/],
  [
    'negative mass',
    at(
      '<body name="left_foot" pos="0 0 -0.4">',
      '<body name="left_foot"><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/>',
    ),
    {},
    /left_foot has a mass of -1 kg/,
  ],
  [
    'no mass at all',
    '<mujoco><worldbody><body name="a"><freejoint/></body></worldbody></mujoco>',
    {},
    /all 1 bodies have zero mass/,
  ],
  [
    'a moving body of zero mass',
    at(
      '<body name="left_thigh"',
      '<body name="sensor"><joint name="pan"/><geom size="0.1" mass="0"/></body><body name="left_thigh"',
    ),
    {},
    /joints move bodies of zero mass, sensor. State their mass and inertia/,
  ],
  [
    'a missing collision mesh',
    withAsset('<mesh name="m" file="deep/gone.stl"/>', '<geom type="mesh" mesh="m" mass="1"/>'),
    {},
    /1 collision mesh is not among the files: deep\/gone.stl \(trunk\). Upload it, or remove/,
  ],
  ['two bodies of one name', at('name="left_foot"', 'name="right_foot"'), {}, /repeated name 'right_foot' in body/],
  [
    'an unknown attribute',
    at('name="left_thigh"', 'name="left_thigh" bar="1"'),
    {},
    /unrecognized attribute: 'bar'.*line 13$/,
  ],
  [
    'an external entity',
    `<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>${WALKER_MJCF}`,
    {},
    /line 1: a document type with declarations/,
  ],
  ['an unknown entity', at('model="walker"', 'model="&xxe;"'), {}, /this entity is not accepted/],
  [
    'an absolute include',
    at('<asset>', '<include file="/etc/passwd"/><asset>'),
    {},
    /line 4: <include>: "\/etc\/passwd" is outside/,
  ],
  [
    'an include from a folder above',
    at('<asset>', '<include file="../../x.xml"/><asset>'),
    {},
    /"..\/..\/x.xml" is outside/,
  ],
  ['a missing include', at('<asset>', '<include file="x.xml"/><asset>'), {}, /"x.xml" is not among the files/],
  ['an include of itself', at('<asset>', '<include file="walker.xml"/><asset>'), {}, /walker.xml includes itself/],
  [
    'circular includes',
    at('<asset>', '<include file="x.xml"/><asset>'),
    { 'x.xml': '<mujoco><include file="x.xml"/></mujoco>' },
    /x.xml line 1.*x.xml includes itself/,
  ],
  [
    'a hundred thousand copies',
    at('<body name="left_thigh"', '<replicate count="100000"><geom size="1"/></replicate><body name="left_thigh"'),
    {},
    /100000 copies/,
  ],
  [
    'more elements than a robot has',
    at('<body name="left_thigh"', `${'<site/>'.repeat(10_000)}<body name="left_thigh"`),
    {},
    /walker.xml has 100\d\d elements, more than 10000/,
  ],
  [
    'copies of copies',
    at(
      '<body name="left_thigh"',
      `${'<replicate count="99">'.repeat(9)}<geom size="1"/>${'</replicate>'.repeat(9)}<body name="left_thigh"`,
    ),
    {},
    /copies/,
  ],
  [
    '480 nested bodies',
    `<mujoco><worldbody>${'<body>'.repeat(480)}${'</body>'.repeat(480)}</worldbody></mujoco>`,
    {},
    /nested deeper than 100/,
  ],
  [
    'soft bodies',
    at('<body name="left_thigh"', '<flexcomp name="f" type="grid"/><body name="left_thigh"'),
    {},
    /<flexcomp> f: soft bodies are not supported/,
  ],
  [
    'an unclosed body',
    at('</worldbody>', '<body></worldbody>'),
    {},
    /line 30: a closing tag was found, but <\/body> was expected: <body> of line 30 is still open/,
  ],
  ['no XML', 'solid', {}, /walker.xml line 1/],
  ['a part', '<mujocoinclude/>', {}, /walker.xml is not a robot model but a part of one/],
  ['another format', '<sdf version="1.6"/>', {}, /its root element is <sdf>/],
])('%s is refused in one sentence', (_, text, files, message) => {
  const attempt = () => compileSpec(mj, prepare(text, files).spec, 'walker.xml');
  expect(attempt).toThrow(message);
  try {
    attempt();
  } catch (error) {
    expect(error).toMatchObject({ code: 'bad_input' });
    expect((error as Error).message).not.toMatch(/\n|\/model-\d/);
  }
});

test.runIf(hasKit)("the kit's G1 with its meshes keeps every value", () => {
  const files = new Map<string, Uint8Array>();
  for (const name of readdirSync(`${KIT}/robots/g1/assets`))
    files.set(`assets/${name}`, readFileSync(`${KIT}/robots/g1/assets/${name}`));
  files.set('g1.xml', readFileSync(`${KIT}/robots/g1/g1.xml`));
  const { spec, warnings, root } = prepareModel(mj, files, 'g1.xml');
  const model = compileSpec(mj, spec, 'g1.xml');
  expect([model.nq, model.nbody - 1, model.ngeom, model.nmesh, root]).toEqual([36, 30, 68, 35, 'pelvis']);
  expect(warnings).toEqual(['4 sensors ignored, because the service reads the state itself']);
});
