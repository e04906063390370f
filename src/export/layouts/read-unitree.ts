import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { checkOrder } from '../../play/run-setup/joint-order.ts';
import { OnnxGraph } from '../../policy/onnx/graph/onnx-graph.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { widthOf } from '../readings.ts';
import type { Bundle, BundleObservation } from './bundle.ts';
import type { BundleArchive } from './bundle-archive.ts';
import { Fields } from './fields.ts';
import { LAYOUTS, readingNamed } from './layout.ts';
import { npzClip } from './npz-clip.ts';
import { torsoOf, WAIST_MOTORS } from './waist.ts';

const ACTION = ['actions', 'JointPositionAction'] as const;

/** Reads a policy folder of Unitree's controllers. The motors are in the order of the robot's joints. @param file path
 *  of `deploy.yaml` */
export async function readUnitree(archive: BundleArchive, file: string, facts: RobotFacts): Promise<Bundle> {
  const root = file.slice(0, -'params/deploy.yaml'.length);
  const params = new Fields(archive.yaml(file), file);
  const count = facts.joints.length;
  const motors = checkOrder(params.numbers(count, 'joint_ids_map'), facts, `${file}: joint_ids_map`);
  const joints = motors.map((motor) => facts.joints[motor]!.name);
  checkNames(params, joints);
  // Gains are in the order of the motors; all other lists are in the order of the policy.
  const ofMotors = (key: string) => {
    const values = params.numbers(count, key);
    return motors.map((motor) => values[motor]!);
  };
  const model = archive.onnx(`${root}exported/policy.onnx`);
  const motion = archive.paths.filter((path) => path.startsWith(`${root}params/`) && path.endsWith('.npz'));
  if (motion.length !== 1) throw badInput(`${root}params: contains ${motion.length} npz files, expected one clip`);
  const clip = motion[0]!;
  const observations = observationsOf(params, file, count);
  if (observations.some(({ reading }) => reading === 'anchor_ori_b') && count < WAIST_MOTORS)
    throw badInput(`${file}: observations.motion_anchor_ori_b: requires a robot with a waist at motors 12 to 14`);
  return {
    format: 'unitree',
    joints,
    stiffness: ofMotors('stiffness'),
    damping: ofMotors('damping'),
    defaultPos: params.numbers(count, 'default_joint_pos'),
    scale: params.numbers(count, ...ACTION, 'scale'),
    offset: params.has(...ACTION, 'offset')
      ? params.numbers(count, ...ACTION, 'offset')
      : new Array<number>(count).fill(0),
    stepS: params.number('step_dt'),
    anchor: null,
    observations,
    graph: new OnnxGraph(model, ['actions']),
    clip: npzClip(
      { file: clip, motion: await archive.motion(clip), facts },
      ({ bodyPos, bodyQuat, jointPos, ...row }) => ({
        pos: bodyPos.subarray(0, 3),
        quat: count < WAIST_MOTORS ? bodyQuat.subarray(0, 4) : torsoOf(bodyQuat.subarray(0, 4), jointPos),
        linVel: row.bodyLinVel.subarray(0, 3),
        angVel: row.bodyAngVel.subarray(0, 3),
      }),
    ),
  };
}

/** Compares the joint names with the motors if the file contains a list of names instead of a pattern. */
function checkNames(params: Fields, joints: readonly string[]): void {
  if (!params.has(...ACTION, 'joint_names')) return;
  const names = params.texts(...ACTION, 'joint_names');
  if (names.length !== joints.length) return;
  const wrong = names.findIndex((name, k) => name !== joints[k] && joints.includes(name));
  if (wrong >= 0)
    throw params.wrong(
      [...ACTION, 'joint_names'],
      `number ${wrong} is ${names[wrong]}, but joint_ids_map refers to the motor of ${joints[wrong]}`,
    );
}

function observationsOf(params: Fields, file: string, joints: number): BundleObservation[] {
  const place = ['observations'];
  return params.keys(...place).map((name) => {
    const reading = readingNamed(LAYOUTS.unitree, name);
    if (!reading)
      throw badInput(
        `${file}: observations: Unitree's controllers have no observation ${quoteName(name)} for tracking`,
      );
    const width = widthOf(reading, joints);
    const limits = params.has(...place, name, 'clip') ? params.numbers(2, ...place, name, 'clip') : null;
    return {
      name,
      reading,
      history: params.history(...place, name, 'history_length'),
      limits: limits && [limits[0]!, limits[1]!],
      scale: params.has(...place, name, 'scale') ? params.numbers(width, ...place, name, 'scale') : null,
    };
  });
}
