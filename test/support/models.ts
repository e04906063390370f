import type { RobotSpec } from '../../src/protocol/schemas/robots.ts';

/** A two-legged walker of five bodies: small enough to compute by hand, and complete enough for the service. */
export const WALKER_MJCF = `
<mujoco model="walker">
  <compiler angle="radian"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0  0.2 0 0  0 0.2 0  0 0 0.2"/>
  </asset>
  <worldbody>
    <geom name="ground" type="plane" size="5 5 0.1"/>
    <body name="trunk" pos="0 0 1">
      <freejoint name="floating_base_joint"/>
      <geom name="trunk_collision" type="box" size="0.1 0.15 0.2" mass="10" group="3"/>
      <geom name="trunk_shell" type="mesh" mesh="wedge" contype="0" conaffinity="0" mass="0" group="2" rgba="1 0 0 1"/>
      <body name="left_thigh" pos="0 0.1 -0.2">
        <joint name="left_hip_joint" axis="0 1 0" range="-1 1"/>
        <geom type="capsule" fromto="0 0 -0.05 0 0 -0.35" size="0.05" mass="2"/>
        <body name="left_foot" pos="0 0 -0.4">
          <joint name="left_knee_joint" axis="0 1 0" range="0 2"/>
          <geom name="left_foot_collision" type="box" size="0.1 0.04 0.02" mass="1"/>
        </body>
      </body>
      <body name="right_thigh" pos="0 -0.1 -0.2">
        <joint name="right_hip_joint" axis="0 1 0" range="-1 1"/>
        <geom type="capsule" fromto="0 0 -0.05 0 0 -0.35" size="0.05" mass="2"/>
        <body name="right_foot" pos="0 0 -0.4">
          <joint name="right_knee_joint" axis="0 1 0" range="0 2"/>
          <geom name="right_foot_collision" type="box" size="0.1 0.04 0.02" mass="1"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>`;

const joint = (value: number) => ({
  default: value,
  stiffness: 40,
  damping: 2,
  armature: 0.01,
  effort_limit: 50,
  action_scale: 0.3,
});

/** Spec of the walker. @param change fields that differ */
export function walkerSpec(change: Partial<RobotSpec> = {}): RobotSpec {
  return {
    version: 1,
    id: 'walker',
    name: 'Walker',
    model: 'walker.xml',
    wiring: { anchor: 'trunk', keybodies: ['trunk', 'left_foot', 'right_foot'], feet: ['left_foot', 'right_foot'] },
    root_height: 0.62,
    joints: {
      left_hip_joint: joint(0),
      left_knee_joint: joint(0),
      right_hip_joint: joint(0),
      right_knee_joint: joint(0),
    },
    ...change,
  };
}

/** Returns a four-legged robot whose knees bend in one direction only. */
export function dogMjcf(): string {
  const leg = (name: string, x: number, y: number) => `
    <body name="${name}_hip" pos="${x} ${y} 0">
      <joint name="${name}_hip_joint" axis="1 0 0" range="-1 1"/><geom type="sphere" size="0.03" mass="0.5"/>
      <body name="${name}_thigh">
        <joint name="${name}_thigh_joint" axis="0 1 0" range="-1 3"/>
        <geom type="capsule" size="0.02" fromto="0 0 -0.05 0 0 -0.15" mass="1"/>
        <body name="${name}_calf" pos="0 0 -0.2">
          <joint name="${name}_calf_joint" axis="0 1 0" range="-2.7 -0.8"/>
          <geom type="capsule" size="0.01" fromto="0 0 0 0 0 -0.17" mass="0.2"/>
          <geom type="sphere" size="0.02" pos="0 0 -0.2" mass="0.05"/>
        </body>
      </body>
    </body>`;
  return `<mujoco><compiler angle="radian"/><worldbody><body name="base_link"><freejoint/>
    <geom type="box" size="0.2 0.1 0.05" mass="6"/>
    ${leg('rr', -0.2, -0.1)}${leg('fl', 0.2, 0.1)}${leg('rl', -0.2, 0.1)}${leg('fr', 0.2, -0.1)}
  </body></worldbody></mujoco>`;
}

/** An arm of three links. Its root is a frame on the floor; the shapes of its base are on a body fixed to the root. */
export function armMjcf(): string {
  const link = (k: number, axis: string, inside: string) => `
    <body name="link_${k}" pos="0 0 ${k === 1 ? 0.1 : 0.2}"><joint name="joint_${k}" axis="${axis}" range="-1 1"/>
      <geom type="box" size="0.03 0.03 0.08" pos="0 0 0.1" mass="0.5"/>${inside}</body>`;
  return `<mujoco model="arm"><compiler angle="radian"/><worldbody><body name="base">
    <body name="plate"><geom type="box" size="0.1 0.1 0.04" pos="0 0 0.04" mass="3"/></body>
    ${link(1, '0 0 1', link(2, '0 1 0', link(3, '0 1 0', '')))}</body></worldbody></mujoco>`;
}
