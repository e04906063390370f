import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import { COLLISIONS, type Collision, EXCLUDES } from './collisions.ts';
import { JOINT_SETTINGS, jointSpec } from './joint-settings.ts';
import { boxInertia, LINKS, type Link, SIZE, type Vector } from './links.ts';
import type { Mesh } from './shape/loft.ts';
import { MATERIALS, VISUALS, type Visual, visualMeshes } from './visuals.ts';

export const HUMANOID_ID = 'humanoid';

const sides = (part: string) => [`left_${part}_link`, `right_${part}_link`];

/** Actuated joints, gains and contact bodies of the built-in robot. {@link humanoidMjcf} returns its MJCF. */
export function humanoidSpec(): RobotSpec {
  return {
    version: 1,
    id: HUMANOID_ID,
    name: HUMANOID_ID,
    model: 'humanoid.xml',
    wiring: {
      anchor: 'torso_link',
      keybodies: [
        'pelvis',
        ...['left', 'right'].flatMap((side) =>
          ['hip_roll', 'knee', 'ankle_roll'].map((part) => `${side}_${part}_link`),
        ),
        'torso_link',
        ...['left', 'right'].flatMap((side) =>
          ['shoulder_roll', 'elbow', 'hand'].map((part) => `${side}_${part}_link`),
        ),
      ],
      feet: sides('ankle_roll'),
    },
    root_height: rootHeight(),
    end_effectors: [...sides('ankle_roll'), ...sides('hand')],
    foot_sole_z: SIZE.ankle,
    contacts: { self_collision: true, feet: { condim: 3, friction: 0.8, priority: 1 } },
    joints: Object.fromEntries(LINKS.flatMap(({ joint }) => (joint ? [[joint.name, jointSpec(joint.name)]] : []))),
  };
}

/** Returns the height of the pelvis frame, m, at which the feet stand flat in the default pose. */
function rootHeight(): number {
  const thigh = JOINT_SETTINGS['hip_pitch']![1];
  const shin = thigh + JOINT_SETTINGS['knee']![1];
  return SIZE.ankle + SIZE.thigh * Math.cos(thigh) + SIZE.shin * Math.cos(shin) + SIZE.hipDrop;
}

const AXES = { x: '1 0 0', y: '0 1 0', z: '0 0 1' } as const;

/** The built-in humanoid as MJCF: 1.31 m, 35 kg, 21 hinges, free root, angles in rad. Like the file of an imported
 *  robot, it lacks floor, actuators and armature, which come from the robot's spec. Meshes are written inline. */
export function humanoidMjcf(): string {
  return `<mujoco model="humanoid">
  <compiler angle="radian" autolimits="true"/>
  <default>
    <default class="visual"><geom group="2" contype="0" conaffinity="0" mass="0"/></default>
    <default class="collision"><geom type="capsule" group="3" mass="0" condim="1"/></default>
    <default class="foot"><geom type="capsule" group="3" mass="0" condim="3" priority="1" friction="0.8"/></default>
  </default>
  <asset>
${Object.entries(MATERIALS)
  .map(([name, rgba]) => `    <material name="${name}" rgba="${rgba}"/>`)
  .join('\n')}
${[...visualMeshes()].map(([name, mesh]) => meshXml(name, mesh)).join('\n')}
  </asset>
  <worldbody>
${bodyXml(LINKS[0]!, '    ')}
  </worldbody>
  <contact>
${EXCLUDES.map(([a, b]) => `    <exclude body1="${a}" body2="${b}"/>`).join('\n')}
  </contact>
  <sensor>
    <gyro name="imu_ang_vel" site="imu_in_pelvis"/>
    <velocimeter name="imu_lin_vel" site="imu_in_pelvis"/>
    <accelerometer name="imu_lin_acc" site="imu_in_pelvis"/>
    <subtreeangmom name="root_angmom" body="pelvis"/>
  </sensor>
</mujoco>
`;
}

function meshXml(name: string, { vertices, faces }: Mesh): string {
  // Use shell inertia, because pads are open meshes without volume.
  return `    <mesh name="${name}" inertia="shell" vertex="${numbers(vertices)}" face="${faces.join(' ')}"/>`;
}

function bodyXml(link: Link, indent: string): string {
  const inner = `${indent}  `;
  const position = link.parent === null ? '' : ` pos="${numbers(link.position)}"`;
  const lines = [
    link.parent === null ? '<freejoint name="floating_base_joint"/>' : jointXml(link),
    `<inertial pos="${numbers(link.centre)}" mass="${link.mass}" diaginertia="${numbers(boxInertia(link.mass, link.box), 7)}"/>`,
    ...sitesOf(link),
    ...VISUALS.filter(({ body }) => body === link.name).map(visualXml),
    ...COLLISIONS.filter(({ body }) => body === link.name).map(collisionXml),
  ].filter((line) => line !== '');
  const children = LINKS.filter(({ parent }) => parent === link.name).map((child) => bodyXml(child, inner));
  return [
    `${indent}<body name="${link.name}"${position}>`,
    ...lines.map((line) => inner + line),
    ...children,
    `${indent}</body>`,
  ].join('\n');
}

function jointXml({ joint }: Link): string {
  return joint ? `<joint name="${joint.name}" axis="${AXES[joint.axis]}" range="${numbers(joint.range)}"/>` : '';
}

function sitesOf({ name }: Link): string[] {
  const site = (siteName: string, position: Vector) => [`<site name="${siteName}" pos="${numbers(position)}"/>`];
  switch (name) {
    case 'pelvis':
      return site('imu_in_pelvis', [0, 0, 0]);
    case 'torso_link':
      return site('imu_in_torso', [0, 0, 0.2]);
    case 'left_ankle_roll_link':
    case 'right_ankle_roll_link':
      return site(name.replace('_ankle_roll_link', '_foot'), [0.034, 0, -SIZE.ankle]);
    default:
      return [];
  }
}

function visualXml({ material, mesh, sphere, disc, position }: Visual): string {
  const place = position ? ` pos="${numbers(position)}"` : '';
  return `<geom class="visual" ${shape()} material="${material}"${place}/>`;

  function shape(): string {
    if (mesh !== undefined) return `type="mesh" mesh="${mesh}"`;
    // A quarter turn about x brings the cylinder's axis from z to y.
    if (disc) return `type="cylinder" size="${numbers(disc)}" quat="1 1 0 0"`;
    return `type="sphere" size="${sphere}"`;
  }
}

function collisionXml({ body, name, radius, from, to }: Collision): string {
  const className = body.endsWith('ankle_roll_link') ? 'foot' : 'collision';
  return `<geom class="${className}" name="${name}_collision" size="${radius}" fromto="${numbers([...from, ...to])}"/>`;
}

function numbers(values: readonly number[], digits = 5): string {
  return values.map((value) => String(Number(value.toFixed(digits)))).join(' ');
}
