import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rankModelFiles } from '../../../src/robot-import/uploads/rank-files.ts';
import { hasKit, KIT } from '../../support/kit.ts';
import { WALKER_MJCF } from '../../support/models.ts';

const URDF = `<robot name="r"><link name="a"><visual/></link>${['b', 'c', 'd', 'e', 'f']
  .map(
    (name) =>
      `<link name="${name}"/><joint name="${name}" type="revolute"><parent link="a"/><child link="${name}"/></joint>`,
  )
  .join('')}</robot>`;

function rank(files: Record<string, string>) {
  const sizes = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.byteLength(text) }));
  const ranked = rankModelFiles(sizes, (path, limit) => Buffer.from(files[path]!).subarray(0, limit));
  expect(ranked.filter(({ main }) => main).length).toBe(ranked.some(({ main }) => main) ? 1 : 0);
  expect(ranked).toHaveLength(sizes.length);
  return ranked.map(({ path, kind, main }) => `${main ? '*' : ''}${path} ${kind}`);
}

test('models come first, then meshes, textures and the rest', () => {
  expect(
    rank({
      'README.md': '',
      'a.png': '',
      'b.STL': '',
      'notes.xml': '<package/>',
      'walker.xml': WALKER_MJCF,
      'x.dae': '<COLLADA/>',
    }),
  ).toEqual(['*walker.xml mjcf', 'b.STL mesh', 'x.dae mesh', 'a.png texture', 'README.md other', 'notes.xml other']);
});

test('a scene around a model, or a part of it, is not the main file', () => {
  expect(
    rank({
      'a_scene.xml': '<mujoco><include file="walker.xml"/><worldbody><geom type="plane"/><light/></worldbody></mujoco>',
      'assets.xml': '<mujoco><asset/></mujoco>',
      'part.xml': `<mujocoinclude>${'<body><joint/></body>'.repeat(50)}</mujocoinclude>`,
      'walker.xml': WALKER_MJCF,
    })[0],
  ).toBe('*walker.xml mjcf');
});

test('a model assembled from parts is the main file', () => {
  const ranked = rank({
    'bot.xml':
      '<mujoco><include file="assets.xml"/><worldbody><body><freejoint/><include file="legs.xml"/></body></worldbody></mujoco>',
    'legs.xml': '<mujoco><body><joint/><body><joint/></body></body></mujoco>',
    'assets.xml': '<mujoco><default><joint/></default></mujoco>',
    'tool.xml': '<mujoco><worldbody><body><joint/></body></worldbody></mujoco>',
  });
  expect(ranked.slice(0, 2)).toEqual(['*bot.xml mjcf', 'tool.xml mjcf']);
});

test('the model with the most joints is first; with equal numbers MJCF comes before URDF', () => {
  expect(rank({ 'walker.xml': WALKER_MJCF, 'r.urdf': URDF })[0]).toBe('*r.urdf urdf');
  const five = `<mujoco><worldbody><body>${'<body><joint/></body>'.repeat(5)}</body></worldbody></mujoco>`;
  expect(rank({ 'a.urdf': URDF, 'b.xml': five })[0]).toBe('*b.xml mjcf');
});

test('a variant by its name is listed after the plain model, however many joints it adds', () => {
  const more = WALKER_MJCF.replace('<body name="left_thigh"', '<body name="slosh"><joint name="s"/></body>$&');
  expect(
    rank({
      'bot-terrain.xml': more,
      'bot.xml': WALKER_MJCF,
      'bot_slosh_mass.xml': more,
      'bot_mjx.xml': more,
      'terrain/other.xml': '<mujoco><worldbody><body><joint/></body></worldbody></mujoco>',
    })[0],
  ).toBe('*bot.xml mjcf');
  // The file named like a variant is the only model with legs, so the sensor is not ranked before it.
  const sensor = '<mujoco><worldbody><body><joint/></body></worldbody></mujoco>';
  expect(rank({ 'biped_terrain.xml': WALKER_MJCF, 'sensor.xml': sensor })[0]).toBe('*biped_terrain.xml mjcf');
});

test('a model with an arm or hands is listed after the plain model of its folder', () => {
  const more = WALKER_MJCF.replace('<body name="left_thigh"', '<body name="arm"><joint name="s"/></body>$&');
  expect(rank({ 'spot.xml': WALKER_MJCF, 'spot_arm.xml': more })[0]).toBe('*spot.xml mjcf');
  expect(rank({ 'maker_spot/spot.xml': WALKER_MJCF, 'maker_spot/all.xml': more })[0]).toBe('*maker_spot/spot.xml mjcf');
  // A part in a folder of its own, and a name that only begins with the same letters, do not outrank the robot.
  const part = '<mujoco><worldbody><body><joint/><body><joint/></body></body></worldbody></mujoco>';
  expect(rank({ 'hand/hand.xml': part, 'robot.xml': WALKER_MJCF })[0]).toBe('*robot.xml mjcf');
  expect(rank({ 'arm.xml': part, 'armless.xml': WALKER_MJCF })[0]).toBe('*armless.xml mjcf');
  // An addition with many times the joints is the robot, and the other model is a part of it.
  const many = `<mujoco><worldbody><body>${'<body><joint/></body>'.repeat(7)}</body></worldbody></mujoco>`;
  expect(rank({ 'leg.xml': part, 'leg_all.xml': many })[0]).toBe('*leg_all.xml mjcf');
});

test('circular includes, broken files, huge files and no files are handled', () => {
  expect(
    rank({ 'a.xml': '<mujoco><include file="b.xml"/></mujoco>', 'b.xml': '<mujoco><include file="a.xml"/></mujoco>' }),
  ).toHaveLength(2);
  expect(
    rank({ 'bad.xml': '<mujoco>', 'bomb.urdf': '<!DOCTYPE a [<!ENTITY b "c">]><robot/>', 'no.xml': '<a' }),
  ).toEqual(['*bad.xml mjcf', 'bomb.urdf urdf', 'no.xml other']);
  expect(rank({ 'bad.xml': '<mujoco>', 'walker.xml': WALKER_MJCF })[0]).toBe('*walker.xml mjcf');
  expect(rank({ 'r.urdf.xacro': URDF.replace('</robot>', '<xacro:arm/></robot>'), 'walker.xml': WALKER_MJCF })).toEqual(
    ['*walker.xml mjcf', 'r.urdf.xacro urdf'],
  );
  expect(rank({})).toEqual([]);
  const asked: number[] = [];
  const big = rankModelFiles([{ path: 'big.xml', bytes: 1e9 }], (_, limit) => {
    asked.push(limit);
    return Buffer.from('<mujoco><worldbody>');
  });
  expect(asked).toEqual([1 << 16]);
  expect(big[0]).toMatchObject({ kind: 'mjcf', main: true });
});

test.runIf(hasKit)("the kit's G1 is the main model of its folder", () => {
  const text = readFileSync(`${KIT}/robots/g1/g1.xml`, 'utf8');
  const ranked = rank({
    'assets/pelvis.STL': '',
    'g1.xml': text,
    'scene.xml': '<mujoco><include file="g1.xml"/></mujoco>',
  });
  expect(ranked).toEqual(['*g1.xml mjcf', 'scene.xml mjcf', 'assets/pelvis.STL mesh']);
});
