import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RobotSpec } from '../../src/protocol/schemas/robots.ts';

/** Folder of third-party data. Tests that need it read it in place; without it, they are skipped. */
export const KIT = process.env['MOTION_STUDIO_KIT'] ?? fileURLToPath(new URL('../../../shared/kit', import.meta.url));
export const hasKit = existsSync(`${KIT}/robots/g1/g1.xml`);
if (!hasKit)
  console.warn(`no test kit at ${KIT} (set MOTION_STUDIO_KIT to its folder): tests on real data are skipped`);

interface KitSetup {
  readonly joints: readonly {
    readonly name: string;
    readonly default_pos: number;
    readonly kp: number;
    readonly kd: number;
    readonly armature: number;
    readonly effort_limit: number;
    readonly action_scale: number;
  }[];
  readonly anchor_body: string;
  readonly key_bodies: readonly string[];
  readonly end_effectors: readonly string[];
}

/** RobotSpec of the kit's Unitree G1. */
export function g1Spec(model = 'g1.xml'): RobotSpec {
  const setup = JSON.parse(readFileSync(`${KIT}/policies/dance1_subject2/setup.json`, 'utf8')) as KitSetup;
  return {
    version: 1,
    id: 'g1',
    name: 'Unitree G1',
    model,
    wiring: {
      anchor: setup.anchor_body,
      keybodies: [...setup.key_bodies],
      feet: ['left_ankle_roll_link', 'right_ankle_roll_link'],
    },
    root_height: 0.783,
    end_effectors: [...setup.end_effectors],
    foot_sole_z: 0.035,
    contacts: { self_collision: true, feet: { condim: 3, friction: 0.6, priority: 1 } },
    joints: Object.fromEntries(
      setup.joints.map((joint) => [
        joint.name,
        {
          default: joint.default_pos,
          stiffness: joint.kp,
          damping: joint.kd,
          armature: joint.armature,
          effort_limit: joint.effort_limit,
          action_scale: joint.action_scale,
        },
      ]),
    ),
  };
}
