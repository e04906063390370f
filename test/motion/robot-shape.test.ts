import { expect, test } from 'vitest';
import { rotate } from '../../src/core/math/quaternion.ts';
import { ClipRobot } from '../../src/motion/clip-robot.ts';
import { robotShape } from '../../src/motion/robot-shape.ts';
import type { RobotFacts } from '../../src/robots/robot-facts.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';

const FACTS = {
  joints: [{ name: 'ankle', default: 0 }],
  bodies: [{ name: 'base' }, { name: 'foot' }],
  wiring: { anchor: 'base', keybodies: [], feet: ['foot'] },
  rootHeight: 0.5,
  footSoleZ: 0.06,
} as unknown as RobotFacts;

/** Returns the points of the sole of a standing foot, in mm from its origin in world axes, sorted.
 *  @param turn orientation of the frame of the foot, wxyz  @param geoms of the foot, in its frame */
async function soleOf(turn: readonly number[], geoms: string): Promise<number[][]> {
  const mj = await loadMujoco();
  const model = mj.MjModel.from_xml_string(`<mujoco><worldbody><geom type="plane" size="5 5 1"/>
    <body name="base" pos="0 0 0.5"><freejoint/><geom size="0.1"/>
      <body name="foot" pos="0 0 -0.4" quat="${turn.join(' ')}"><joint axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>${geoms}</body>
    </body></worldbody></mujoco>`);
  const robot = new ClipRobot(mj, model, FACTS);
  const { sole } = robotShape(robot).feet[0]!;
  const points = Array.from({ length: sole.length / 3 }, (_, k) =>
    rotate([0, 0, 0], turn, sole.slice(3 * k, 3 * k + 3)).map((value) => 0 + Math.round(1000 * value)),
  );
  robot.delete();
  return points.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
}

const HALF = Math.SQRT1_2;
/** orientation of the frame of a foot, and the axes (x, y, z) of the world in it */
const FRAMES = [
  ['z points up', [1, 0, 0, 0], (x: number, y: number, z: number) => [x, y, z]],
  ['y points up', [HALF, HALF, 0, 0], (x: number, y: number, z: number) => [x, z, -y]],
  ['x points down', [HALF, 0, HALF, 0], (x: number, y: number, z: number) => [-z, y, x]],
] as const;

test.each(FRAMES)('the sole of a foot is its underside where %s', async (_, turn, local) => {
  const ball = (x: number, y: number, z = -0.05) => `<geom size="0.01" pos="${local(x, y, z).join(' ')}"/>`;
  const geoms = [-0.1, 0.1].flatMap((x) => [ball(x, -0.04), ball(x, 0.04), ball(x, 0, 0.02)]).join('');
  expect(await soleOf(turn, geoms)).toEqual([
    [-100, -40, -60],
    [-100, 40, -60],
    [100, -40, -60],
    [100, 40, -60],
  ]);
  expect(await soleOf(turn, '')).toEqual([[0, 0, -60]]);
});
