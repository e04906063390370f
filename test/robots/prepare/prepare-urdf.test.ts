import { expect, test } from 'vitest';
import { compileSpec, prepareModel } from '../../../src/robots/prepare/prepare-model.ts';
import { loadMujoco, nameAt } from '../../../src/sim/mujoco.ts';
import { elementNames } from '../../../src/sim/spec-elements.ts';
import { collada } from './collada.ts';
import { asciiStl, ball, binaryStl, obj, tetrahedron } from './meshes.ts';

const mj = await loadMujoco();

type Content = string | Uint8Array;
const files = (content: Record<string, Content>) =>
  new Map(Object.entries(content).map(([name, c]) => [name, typeof c === 'string' ? Buffer.from(c) : c]));
const prepare = (urdf: string, others: Record<string, Content> = {}, path = 'urdf/bot.urdf') =>
  prepareModel(mj, files({ [path]: urdf, ...others }), path);
const compiled = (...of: Parameters<typeof prepare>) => {
  const prepared = prepare(...of);
  return { ...prepared, model: compileSpec(mj, prepared.spec, 'bot.urdf') };
};

const INERTIAL = `<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>`;
const BOX = '<geometry><box size="0.1 0.1 0.1"/></geometry>';
const mesh = (file: string, more = '') => `<geometry><mesh filename="${file}" ${more}/></geometry>`;
const link = (name: string, inside = INERTIAL) => `<link name="${name}">${inside}</link>`;
const joint = (name: string, parent: string, child: string, type = 'revolute', inside?: string) =>
  `<joint name="${name}" type="${type}"><origin xyz="0 0 -0.2"/><parent link="${parent}"/><child link="${child}"/><axis xyz="0 1 0"/>${
    inside ?? '<limit lower="-1" upper="1.5" effort="30" velocity="8"/>'
  }</joint>`;
const robot = (body: string) => `<?xml version="1.0"?>\n<robot name="bot">\n${body}\n</robot>`;
const LEG = `${link('base')}${link('leg')}${joint('hip', 'base', 'leg')}`;

test('an impossible inertia is replaced by the mirrored one of the other side, if that side has the same mass', () => {
  const foot = (inertia: string, mass = 0.7) => `<inertial><mass value="${mass}"/><inertia ${inertia}/></inertial>`;
  const possible = 'ixx="0.01" iyy="0.012" izz="0.011" ixy="0.001" ixz="0.0002" iyz="0.0003"';
  const impossible = 'ixx="0.01" iyy="0.0034" izz="0.01" ixy="0" ixz="0.01" iyz="0"';
  const legs = (mass: number) =>
    compiled(
      robot(
        `${link('base')}${link('left_foot', foot(impossible))}${link('right_foot', foot(possible, mass))}
        ${joint('left_hip', 'base', 'left_foot')}${joint('right_hip', 'base', 'right_foot')}`,
      ),
    );
  const { model, warnings } = legs(0.7);
  expect(warnings).toContain(
    'bodies with an impossible inertia: given that of the same body on the other side: left_foot',
  );
  const named = (name: string) =>
    Array.from({ length: model.nbody }, (_, k) => k).find((k) => nameAt(model, model.name_bodyadr[k]) === name)!;
  const [left, right] = [named('left_foot'), named('right_foot')];
  const row = (values: Float64Array, body: number, width: number) => [
    ...values.subarray(width * body, width * body + width),
  ];
  for (const [k, value] of row(model.body_inertia, right, 3).entries())
    expect(model.body_inertia[3 * left + k]).toBeCloseTo(value, 9);
  // A mirrored rotation is w, -x, y, -z. Principal axes have no direction, so rotations are compared by their matrices.
  const matrix = ([w, x, y, z]: number[]) => [
    [1 - 2 * (y! * y! + z! * z!), 2 * (x! * y! - w! * z!), 2 * (x! * z! + w! * y!)],
    [2 * (x! * y! + w! * z!), 1 - 2 * (x! * x! + z! * z!), 2 * (y! * z! - w! * x!)],
    [2 * (x! * z! - w! * y!), 2 * (y! * z! + w! * x!), 1 - 2 * (x! * x! + y! * y!)],
  ];
  const inertia = (body: number) => {
    const axes = matrix(row(model.body_iquat, body, 4));
    const values = row(model.body_inertia, body, 3);
    return [0, 1, 2].map((i) =>
      [0, 1, 2].map((j) => values.reduce((sum, value, k) => sum + value * axes[i]![k]! * axes[j]![k]!, 0)),
    );
  };
  const [own, image] = [inertia(left), inertia(right)];
  for (const i of [0, 1, 2])
    for (const j of [0, 1, 2]) expect(own[i]![j]).toBeCloseTo(((i === 1) === (j === 1) ? 1 : -1) * image[i]![j]!, 9);
  expect(legs(1.4).warnings).toContain(
    'bodies with an impossible inertia: given the inertia of a ball of the same mass: left_foot',
  );
});

test('a plain URDF gets a free base, and keeps ranges and the limits that MuJoCo would lose', () => {
  const { model, format, root, effortLimits, velocityLimits, warnings } = compiled(robot(LEG));
  expect([format, root, model.nq, model.nu]).toEqual(['urdf', 'base', 8, 0]);
  expect(Array.from(model.jnt_range.subarray(2, 4))).toEqual([-1, 1.5]);
  expect(effortLimits).toEqual(new Map([['hip', { value: 30, source: 'URDF effort' }]]));
  expect(velocityLimits).toEqual(new Map([['hip', 8]]));
  expect(warnings).toEqual(['root body base was fixed to the world and was given a free joint']);
  expect([...model.jnt_actfrcrange].every((limit: number) => limit === 0)).toBe(true);
});

test('collision shapes of size zero get a size, visuals of size zero are removed', () => {
  const point = (kind: string, shape: string) => `<${kind}><geometry>${shape}</geometry></${kind}>`;
  const sole =
    point('collision', '<sphere radius="0.0"/>') +
    point('collision', '<box size="0.1 0.1 0"/>') +
    point('collision', '<cylinder radius="0.1" length="0"/>') +
    point('visual', '<sphere radius="0"/>');
  const { model, warnings } = compiled(
    robot(`${link('base')}${link('leg', INERTIAL + sole)}${joint('hip', 'base', 'leg')}`),
  );
  expect(warnings).toContain('collision shapes of size zero were given a radius of 5 mm: leg');
  expect(model.ngeom).toBe(3);
  expect(Array.from(model.geom_size as Float64Array)).toEqual([0.005, 0, 0, 0.05, 0.05, 0.005, 0.1, 0.005, 0]);
});

test('links behind fixed joints stay separate bodies, also in chains', () => {
  const chain = ['imu', 'camera', 'lens'].map((name) => link(name, '')).join('');
  const { model } = compiled(
    robot(
      `${LEG}${chain}${joint('a', 'leg', 'imu', 'fixed', '')}${joint('b', 'imu', 'camera', 'fixed', '')}${joint('c', 'camera', 'lens', 'fixed', '')}`,
    ),
  );
  expect(Array.from({ length: 5 }, (_, k) => nameAt(model, model.name_bodyadr[k + 1]))).toEqual([
    'base',
    'leg',
    'imu',
    'camera',
    'lens',
  ]);
  expect([model.nv, model.body('lens').mass]).toEqual([7, 0]);
});

test('the world link does not become a body; a massless root may have a child with mass', () => {
  const world = compiled(robot(`${link('world', '')}${LEG}${joint('w', 'world', 'base', 'fixed', '')}`));
  expect([world.root, world.model.nbody, world.model.nq]).toEqual(['base', 3, 8]);
  const floating = compiled(robot(`${link('world', '')}${LEG}${joint('w', 'world', 'base', 'floating', '')}`));
  expect([floating.root, floating.model.nq]).toEqual(['base', 8]);
  const empty = compiled(
    robot(`${link('base_footprint', '')}${LEG}${joint('w', 'base_footprint', 'base', 'fixed', '')}`),
  );
  expect([empty.root, empty.model.nbody, empty.model.nq]).toEqual(['base_footprint', 4, 8]);
  expect(empty.warnings.join()).not.toMatch(/mass/);
});

test('a bare root link with a floating joint is the world, whatever its name', () => {
  const floating = joint('root', 'odom', 'base', 'floating', '');
  const { model, root, warnings } = compiled(robot(`${link('odom', '')}${LEG}${floating}`));
  expect([root, model.nbody, model.nq]).toEqual(['base', 3, 8]);
  expect(warnings).toContain('root link odom, which has no mass and shapes, is treated as the world');
  expect(() => prepare(robot(`${link('odom')}${LEG}${floating}`))).toThrow(/joint root of body base is free/);
});

test('an infinite limit is no limit; a range with an infinite end is no range', () => {
  const limit = (attributes: string) => LEG.replace(/<limit[^>]*>/, `<limit ${attributes}/>`);
  const open = compiled(robot(limit('lower="-1" upper="1.5" effort="Infinity" velocity="inf"')));
  expect(Array.from(open.model.jnt_range.subarray(2, 4))).toEqual([-1, 1.5]);
  expect([open.effortLimits.size, open.velocityLimits.size]).toEqual([0, 0]);
  const turning = compiled(robot(limit('lower="-1" upper="+inf" effort="30" velocity="8"')));
  expect(Boolean(turning.model.jnt('hip').limited)).toBe(false);
  expect(turning.warnings).toContain('joints without a range are treated as unlimited: hip');
  expect(() => prepare(robot(limit('lower="inf" upper="1" effort="30" velocity="8"')))).toThrow(
    /lower="inf" is not a number/,
  );
});

test('a mimic tag that names no other moving joint is ignored, with a warning', () => {
  const finger = (leader: string) =>
    `${LEG}${link('finger')}${joint('grip', 'leg', 'finger', 'revolute', `<mimic joint="${leader}"/><limit lower="-1" upper="1"/>`)}`;
  for (const leader of ['left_hip', 'grip']) {
    const { model, mimics, warnings } = compiled(robot(finger(leader)));
    expect({ mimics: mimics.size, constraints: model.neq }).toEqual({ mimics: 0, constraints: 0 });
    expect(warnings.join()).toMatch(new RegExp(`1 mimic tag ignored, .*: grip follows "${leader}"`));
  }
});

test('mimic joints follow their leader through a constraint', () => {
  const { model, mimics, warnings } = compiled(
    robot(
      `${LEG}${link('finger')}${joint('grip', 'leg', 'finger', 'revolute', '<mimic joint="hip" multiplier="-0.5" offset="0.1"/><limit lower="-1" upper="1"/>')}`,
    ),
  );
  expect(mimics).toEqual(new Map([['grip', { joint: 'hip', multiplier: -0.5, offset: 0.1 }]]));
  expect(warnings).toContain('1 mimic joint driven by equality constraints instead of motors: grip follows hip');
  expect(model.neq).toBe(1);
  // In free fall the constraint holds: the follower stays at its value for the leader.
  const data = new mj.MjData(model);
  data.qpos[7] = 0.8;
  data.qpos[8] = -0.3;
  for (let k = 0; k < 500; k++) mj.mj_step(model, data);
  expect(data.qpos[8]).toBeCloseTo(0.1 - 0.5 * data.qpos[7], 2);
  data.delete();
});

test('continuous, prismatic and unlimited joints are converted', () => {
  const { model, warnings } = compiled(
    robot(
      `${LEG}${link('wheel')}${link('mast')}${link('arm')}${link('stub')}` +
        joint('roll', 'leg', 'wheel', 'continuous', '<limit lower="0" upper="0" effort="0" velocity="0"/>') +
        joint('lift', 'base', 'mast', 'prismatic') +
        joint('swing', 'base', 'arm', 'revolute', '<limit lower="0" upper="0" effort="0" velocity="0"/>') +
        joint('stuck', 'base', 'stub', 'revolute', '<limit lower="0.3" upper="0.3"/>'),
    ),
  );
  const limited = (name: string) => Boolean(model.jnt(name).limited);
  expect([limited('roll'), limited('lift'), limited('swing')]).toEqual([false, true, false]);
  expect(model.njnt).toBe(1 + 4);
  expect(warnings).toContain('joints without a range are treated as unlimited: swing');
  expect(warnings).toContain('joint stuck has the range 0.3 to 0.3, so it is treated as fixed');
});

test.each([
  ['package://bot/meshes/leg.stl', { 'meshes/leg.stl': binaryStl(tetrahedron()) }],
  ['package://bot_description/meshes/leg.STL', { 'some/where/Meshes/Leg.stl': binaryStl(tetrahedron()) }],
  ['file:///home/someone/ws/src/bot/meshes/leg.stl', { 'meshes/leg.stl': binaryStl(tetrahedron()) }],
  ['../meshes/leg.stl', { 'meshes/leg.stl': binaryStl(tetrahedron()) }],
  ['leg.stl', { 'urdf/leg.stl': asciiStl(tetrahedron()) }],
  ['..\\meshes\\leg.obj', { 'meshes/leg.obj': obj(tetrahedron()) }],
])('a mesh called %s is found', (reference, others) => {
  const { model, warnings } = compiled(
    robot(
      `${link('base', `${INERTIAL}<visual>${mesh(reference)}</visual>`)}${link('leg')}${joint('hip', 'base', 'leg')}`,
    ),
    others,
  );
  expect([model.nmesh, model.mesh_facenum[0]]).toEqual([1, 4]);
  expect(warnings.join()).not.toMatch(/removed|ignored/);
});

test('of two meshes with one name the nearer one is used; both can be used, also in two sizes', () => {
  const visual = (file: string, more?: string) => `<visual>${mesh(file, more)}</visual>`;
  const { model } = compiled(
    robot(
      `${link('base', INERTIAL + visual('package://bot/left/part.stl') + visual('package://bot/right/part.stl'))}` +
        `${link('leg', INERTIAL + visual('package://bot/left/part.stl', 'scale="2 2 2"'))}${joint('hip', 'base', 'leg')}`,
    ),
    { 'left/part.stl': binaryStl(tetrahedron(0.1)), 'right/part.stl': binaryStl(tetrahedron(0.3)) },
  );
  const radii = Array.from({ length: 3 }, (_, g) => model.geom_rbound[g] as number);
  expect(radii[1]! / radii[0]!).toBeCloseTo(3, 5);
  expect(radii[2]! / radii[0]!).toBeCloseTo(2, 5);
});

test('a mesh whose name a second mesh would get keeps its own shape', () => {
  const collision = (file: string, more = '') => `<collision>${mesh(file, more)}</collision>`;
  const { model } = compiled(
    robot(
      `${link('base', `${INERTIAL}<visual>${mesh('../visual/leg.stl')}</visual>${collision('../collision/leg.stl')}`)}` +
        `${link('leg', INERTIAL + collision('../leg-2.stl') + collision('../leg-2.stl', 'scale="2 2 2"'))}${joint('hip', 'base', 'leg')}`,
    ),
    {
      'visual/leg.stl': binaryStl(tetrahedron(0.1)),
      'collision/leg.stl': binaryStl(tetrahedron(0.2)),
      'leg-2.stl': binaryStl(tetrahedron(0.4)),
    },
  );
  const widths = Array.from({ length: model.nmesh }, (_, k) => {
    const own = model.mesh_vert.subarray(
      3 * model.mesh_vertadr[k],
      3 * (model.mesh_vertadr[k] + model.mesh_vertnum[k]),
    );
    const x = Array.from({ length: own.length / 3 }, (_, at) => own[3 * at] as number);
    return Number((Math.max(...x) - Math.min(...x)).toFixed(3));
  });
  expect([model.ngeom, new Set(widths).size]).toEqual([4, 4]);
});

test('a mesh of another package is used with a warning that names both; a renamed or missing package folder is no reason', () => {
  const warningsOf = (path: string, file: string) =>
    prepare(
      robot(
        `${link('base', `${INERTIAL}<collision>${mesh('package://a1/meshes/trunk.stl')}</collision>`)}${link('leg')}${joint('hip', 'base', 'leg')}`,
      ),
      { [file]: binaryStl(tetrahedron()) },
      path,
    ).warnings.filter((text) => /is used for/.test(text));
  expect(warningsOf('a1/urdf/bot.urdf', 'go1/meshes/trunk.stl')).toEqual([
    expect.stringMatching(
      /^mesh go1\/meshes\/trunk\.stl is used for package:\/\/a1\/meshes\/trunk\.stl, which is not among/,
    ),
  ]);
  for (const [path, file] of [
    ['a1/urdf/bot.urdf', 'a1/meshes/trunk.stl'],
    ['a1-main/urdf/bot.urdf', 'a1-main/meshes/trunk.stl'],
    ['urdf/bot.urdf', 'meshes/trunk.stl'],
    ['a1/urdf/bot.urdf', 'a1/trunk.stl'],
  ] as const)
    expect(warningsOf(path, file), file).toEqual([]);
});

test('an unreadable visual is removed; an unreadable collision gets the shape of the visual', () => {
  const base = `${INERTIAL}<visual>${mesh('package://b/base.ply')}</visual><visual>${BOX}</visual><collision>${mesh('gone.stl')}</collision>`;
  const leg = `${INERTIAL}<collision>${mesh('leg.ply')}</collision>`;
  const { model, warnings } = compiled(
    robot(`${link('base', base)}${link('leg', leg)}${joint('hip', 'base', 'leg')}`),
    { 'meshes/base.ply': '', 'meshes/leg.ply': '' },
  );
  expect(warnings).toContain(
    'visual of link base removed: mesh meshes/base.ply is a .ply file. Use .stl, .obj or .dae.',
  );
  expect(warnings).toContain(
    'collision of link base: mesh gone.stl is not among the files. The shape of its visual is used instead.',
  );
  expect(warnings).toContain(
    'collision of link leg removed: mesh meshes/leg.ply is a .ply file. Use .stl, .obj or .dae.',
  );
  expect(model.ngeom).toBe(2);
  expect(Array.from(model.geom_contype as Int32Array).sort()).toEqual([0, 1]);
});

test('links without inertia get it from their shapes, or a minimum if they move', () => {
  const { model, warnings } = compiled(
    robot(
      `${link('base')}${link('leg', '')}${link('foot', `<collision>${BOX}</collision>`)}${joint('hip', 'base', 'leg')}${joint('ankle', 'leg', 'foot')}`,
    ),
  );
  expect(warnings).toContain('bodies moving without a stated mass: given 0.01 kg and 0.0001 kg·m²: leg');
  expect(warnings).toContain('bodies without a stated mass: given the mass of their shapes at 1000 kg/m³: foot');
  expect(model.body('foot').mass).toBeCloseTo(1, 9); // 1 dm³ of water
});

test('moving links with a stated mass of zero, such as fingers, get a minimum', () => {
  const finger = INERTIAL.replace('value="1"', 'value="0"');
  const { model, warnings } = compiled(robot(`${LEG}${link('finger', finger)}${joint('bend', 'leg', 'finger')}`));
  expect(warnings).toContain(
    'bodies moving with a stated mass of zero: given 0.01 kg and 0.0001 kg·m² (state their masses in the file if they matter): finger',
  );
  expect(model.body('finger').mass).toBe(0.01);
});

test('a link without inertia gets no mass if a link fixed to it states the mass, unless that link is a sensor', () => {
  const shape = `<collision>${BOX}</collision>`;
  const sensor =
    '<inertial><mass value="0.02"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial>';
  const fixed = (parent: string, child: string) =>
    `<joint name="${child}_fixed" type="fixed"><parent link="${parent}"/><child link="${child}"/></joint>`;
  const { model, warnings } = compiled(
    robot(
      `${link('base', shape)}${link('base_inertia', INERTIAL)}${link('leg', shape)}${link('imu', sensor)}` +
        `${fixed('base', 'base_inertia')}${fixed('leg', 'imu')}${joint('hip', 'base', 'leg')}`,
    ),
  );
  expect(model.body('base').mass).toBe(0);
  expect(model.body('leg').mass).toBeCloseTo(1, 9);
  expect(warnings).toContain(
    'bodies without a stated mass: given no mass, because a link fixed to them states one: base',
  );
  expect(warnings).toContain('bodies without a stated mass: given the mass of their shapes at 1000 kg/m³: leg');
});

test('a mesh with too many faces is decimated; a truncated mesh is removed', () => {
  const big = binaryStl(ball(230));
  const base = `${INERTIAL}<visual>${mesh('big.stl')}</visual><visual>${mesh('cut.stl')}</visual>`;
  const { model, warnings } = compiled(robot(`${link('base', base)}${link('leg')}${joint('hip', 'base', 'leg')}`), {
    'big.stl': big,
    'cut.stl': big.subarray(0, big.length / 2),
  });
  expect(model.nmesh).toBe(1);
  expect(model.mesh_facenum[0]).toBeLessThanOrEqual(100_000);
  expect(model.mesh_facenum[0]).toBeGreaterThan(20_000);
  expect(model.geom_aabb[3]).toBeCloseTo(1, 1);
  expect(warnings.join()).toMatch(/mesh big.stl has 211600 faces, reduced to \d+/);
  expect(warnings.join()).toMatch(
    /visual of link base removed: mesh cut.stl is truncated: its header states 211600 faces, but the file contains 105799/,
  );
});

test('simulator extensions of a URDF are ignored, colours are kept', () => {
  const { model } = compiled(
    robot(`<material name="red"><color rgba="1 0 0 1"/></material>
      <gazebo reference="leg"><mu1>0.2</mu1></gazebo><transmission name="t"/><ros2_control name="c"/>
      <mujoco><compiler meshdir="/nowhere" discardvisual="true" fusestatic="true"/><option gravity="0 0 0"/></mujoco>
      ${link('base', `${INERTIAL}<visual>${BOX}<material name="red"/></visual>`)}${link('leg')}${joint('hip', 'base', 'leg')}`),
  );
  expect([model.ngeom, model.opt.gravity[2]]).toEqual([1, -9.81]);
  expect(Array.from(model.geom_rgba as Float32Array)).toEqual([1, 0, 0, 1]);
});

test('a fine mesh for collisions gets a coarse hull; a mesh for display stays unchanged', () => {
  const shape = mesh('ball.stl');
  const { model, warnings } = compiled(
    robot(
      `${link('base', `${INERTIAL}<visual>${mesh('seen.stl')}</visual>`)}${link('leg', `${INERTIAL}<collision>${shape}</collision>`)}${joint('hip', 'base', 'leg')}`,
    ),
    { 'ball.stl': binaryStl(ball(12)), 'seen.stl': binaryStl(ball(12)) },
  );
  expect(warnings).toContain('meshes collide as hulls of at most 32 corners: ball');
  const hullCorners = (mesh: number) => model.mesh_graph[model.mesh_graphadr[mesh]] as number;
  const graphs = [0, 1].filter((mesh) => model.mesh_graphadr[mesh] >= 0);
  expect(graphs).toHaveLength(1);
  expect(hullCorners(graphs[0]!)).toBeLessThanOrEqual(32);
  expect(Array.from(model.mesh_facenum as Int32Array)).toEqual([576, 576]);
});

test('links without a joint are removed and named', () => {
  const { spec, warnings } = prepare(robot(`${LEG}${link('spare')}`));
  expect(elementNames(mj, spec, mj.mjtObj.mjOBJ_BODY)).not.toContain('spare');
  expect(warnings).toContain('1 link without a joint removed: spare');
});

test.each<[string, string, RegExp]>([
  ['two roots', `${LEG}${link('a')}${link('b')}${joint('x', 'a', 'b')}`, /must have one root link, but has 2: base, a/],
  [
    'a loop of links',
    `${LEG}${link('a')}${link('b')}${joint('x', 'a', 'b')}${joint('y', 'b', 'a')}`,
    /joints around link \w form a loop/,
  ],
  ['only a loop of links', `${link('a')}${link('b')}${joint('x', 'a', 'b')}${joint('y', 'b', 'a')}`, /no root link/],
  ['a link twice', `${LEG}${link('leg')}`, /line 3: <link> leg: is defined twice, first on line 3/],
  ['a joint twice', `${LEG}${link('a')}${joint('hip', 'leg', 'a')}`, /<joint> hip: is defined twice/],
  ['two parents', `${LEG}${joint('again', 'base', 'leg')}`, /<joint> again: link leg already has a parent, base/],
  [
    'a child that does not exist',
    `${link('base')}${joint('hip', 'base', 'leg')}`,
    /<joint> hip: its child link "leg" does not exist/,
  ],
  [
    'an unknown type',
    `${link('base')}${link('leg')}${joint('hip', 'base', 'leg', 'ball')}`,
    /<joint> hip: type "ball" is unknown. Use one of/,
  ],
  [
    'a floating joint deeper',
    `${LEG}${link('a')}${joint('f', 'leg', 'a', 'floating')}`,
    /joint f of link a is floating|free/,
  ],
  [
    'inverted limits',
    LEG.replace('lower="-1"', 'lower="2"'),
    /<joint> hip: its limits are inverted: lower 2 is above upper 1.5/,
  ],
  ['an inertia of NaN', LEG.replace('ixx="0.01"', 'ixx="NaN"'), /<inertia>: ixx="NaN" is not a number/],
  ['xacro', `<xacro:include filename="x"/>${LEG}`, /<xacro:include>: is xacro/],
  ['xacro expressions', LEG.replace('"30"', `"$${'{pi}'}"`), /is xacro/],
  [
    'too long a chain',
    `${link('l0')}${Array.from({ length: 120 }, (_, k) => link(`l${k + 1}`) + joint(`j${k}`, `l${k}`, `l${k + 1}`)).join('')}`,
    /is 101 links deep, the limit is 100/,
  ],
  [
    'too many links',
    Array.from({ length: 1001 }, (_, k) => link(`l${k}`, '')).join(''),
    /has 1001 links, the limit is 1000/,
  ],
  ['no links', '', /has no links/],
  ['no mass', `${link('a', '')}${link('b', '')}${joint('x', 'a', 'b')}`, /all 2 bodies have zero mass/],
  [
    'missing collision meshes',
    `${link('base', `${INERTIAL}<collision>${mesh('package://b/hull.stl')}</collision>`)}${link('leg', `${INERTIAL}<visual>${mesh('x.stl')}</visual><collision>${mesh('package://b/leg.stl')}</collision>`)}${joint('hip', 'base', 'leg')}`,
    /2 collision meshes are not among the files: package:\/\/b\/hull.stl \(base\), package:\/\/b\/leg.stl \(leg\). Upload them, or remove/,
  ],
])('%s is refused in one sentence', (_, body, message) => {
  expect(() => compileSpec(mj, prepare(robot(body)).spec, 'bot.urdf')).toThrow(message);
});

test('an XML bomb is refused before anything expands', () => {
  const bomb = `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${robot(LEG)}`;
  expect(() => prepare(bomb)).toThrow(/document type with declarations/);
});

test('a Collada mesh is drawn in its own colours, and collides as one mesh', () => {
  const dae = mesh('package://bot/meshes/shell.dae', 'scale="0.1 0.1 0.1"');
  const green = '<material name="green"><color rgba="0 1 0 1"/></material>';
  const base = `${INERTIAL}<visual>${dae}${green}</visual><collision>${dae}</collision>`;
  const { model, warnings } = compiled(robot(`${link('base', base)}${link('leg')}${joint('hip', 'base', 'leg')}`), {
    'meshes/shell.dae': collada(),
  });
  expect(warnings.join()).not.toContain('shell.dae');
  const shapes = Array.from({ length: model.ngeom }, (_, g) => ({
    collides: model.geom_contype[g] !== 0,
    faces: model.mesh_facenum[model.geom_dataid[g]],
    rgba: Array.from(model.geom_rgba.subarray(4 * g, 4 * g + 3) as Float32Array, (x) => Number(x.toFixed(3))),
  }));
  expect(shapes.filter(({ collides }) => collides).map(({ faces }) => faces)).toEqual([4]);
  expect(shapes.filter(({ collides }) => !collides).map(({ rgba }) => rgba)).toEqual([
    [0.8, 0.1, 0.1],
    [0.1, 0.1, 0.8],
  ]);
});

test('a broken Collada visual is removed with one sentence that names the file and the line', () => {
  const base = `${INERTIAL}<visual>${mesh('shell.dae')}</visual>`;
  const { warnings } = prepare(robot(`${link('base', base)}${link('leg')}${joint('hip', 'base', 'leg')}`), {
    'shell.dae': collada().slice(0, -100),
  });
  expect(warnings.filter((warning) => warning.includes('shell.dae'))).toEqual([
    expect.stringMatching(/^visual of link base removed: mesh shell\.dae line \d+: /),
  ]);
});
