import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { readSmallFile } from '../../core/files/bounded-file.ts';
import { readYaml } from '../../core/yaml-file.ts';
import { onnxMetadata } from '../../formats/onnx/policy-metadata.ts';
import { inFile, readOnnxFile } from '../../formats/onnx/read-onnx-file.ts';
import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { type AppliedGains, applyGains } from './apply-gains.ts';
import { matchJoints } from './match-joints.ts';
import { orderOfMotors } from './motor-order.ts';
import { readGains } from './read-gains.ts';
import { type GainField, gainOf, type NamedGains, type StatedGain, type StatedGains } from './stated-gains.ts';

const MAX_BYTES = 1 << 20;
/** Maximum number of YAML aliases. YAML written by Python contains one alias for each repeated object. */
const MAX_ALIASES = 20_000;

export interface GainsOrder {
  /** absolute path */
  readonly file: string;
  /** name of the file in messages */
  readonly name: string;
  /** robot to which the gains are applied */
  readonly spec: RobotSpec;
  /** joints and bodies of this robot */
  readonly parts: Pick<RobotFacts, 'joints' | 'bodies'>;
}

export interface LoadedGains extends AppliedGains {
  /** joints of the robot that keep their gains, then names in the file that match no joint */
  readonly unmatched: readonly string[];
  /** assumptions made to read the file */
  readonly notes: readonly string[];
}

/** Reads gains from a file and applies them to a spec: YAML, JSON (see readGains) or the metadata of an exported policy
 *  (.onnx). @throws bad_input naming the file or value; too_large */
export async function readGainsFile({ file, name, spec, parts }: GainsOrder): Promise<LoadedGains> {
  const stated = /\.onnx$/i.test(name) ? policyGains(file, name) : readGains(await readText(file, name), name);
  const { gains, note } =
    stated.kind === 'named' ? { gains: stated.gains, note: null } : nameMotors(stated, name, parts);
  return { ...takeGains(spec, gains, path.posix.basename(name)), notes: note === null ? [] : [note] };
}

/** Applies gains by joint name to a spec. @param source name of the file or robot
 *  @throws bad_input if no joint matches */
export function takeGains(
  spec: RobotSpec,
  stated: ReadonlyMap<string, StatedGain>,
  source: string,
): Omit<LoadedGains, 'notes'> {
  const joints = Object.keys(spec.joints);
  const { gains, unmatched } = matchJoints(stated, joints);
  if (gains.size === 0) {
    const some = (names: readonly string[]) => names.slice(0, 4).join(', ');
    throw badInput(
      `none of the ${stated.size} joints of ${source} (${some([...stated.keys()])}) is a joint of the robot (${some(joints)})`,
    );
  }
  return { ...applyGains(spec, gains, source), unmatched };
}

async function readText(file: string, name: string): Promise<unknown> {
  if (!/\.json$/i.test(name)) return (await readYaml(file, name, MAX_ALIASES)).value;
  try {
    return JSON.parse((await readSmallFile(file, MAX_BYTES, name)).toString()) as unknown;
  } catch (error) {
    throw error instanceof SyntaxError ? badInput(`${name}: is not valid JSON: ${error.message}`) : error;
  }
}

/** Returns the gains of a compiled robot by joint. Omits joints without a motor. */
export function gainsOfJoints(joints: RobotFacts['joints']): ReadonlyMap<string, StatedGain> {
  return new Map(
    joints.flatMap(({ name, stiffness, damping, armature, effortLimit, actionScale }): [string, StatedGain][] =>
      effortLimit === null
        ? []
        : [[name, { stiffness, damping, armature, effort_limit: effortLimit, action_scale: actionScale }]],
    ),
  );
}

/** Returns the gains of the joints that an exported policy names. */
function policyGains(file: string, name: string): NamedGains {
  const metadata = attempt(name, () => onnxMetadata(readOnnxFile(file)));
  const { jointNames, stiffness, damping, actionScale } = metadata;
  if (jointNames === null || stiffness === null)
    throw badInput(`${name}: its metadata has no joint_names with joint_stiffness. Choose a policy with metadata.`);
  const column = (field: GainField, values: readonly number[] | null) => {
    if (values === null) return [];
    const all = values.length === 1 ? jointNames.map(() => values[0]!) : values;
    if (all.length !== jointNames.length)
      throw badInput(`${name}: metadata has ${all.length} values of ${field} for ${jointNames.length} joints`);
    return [
      (place: number): [GainField, number][] => {
        const number = gainOf(all[place], field, `${name}: ${field}`);
        return number === undefined ? [] : [[field, number]];
      },
    ];
  };
  const columns = [
    ...column('stiffness', stiffness),
    ...column('damping', damping),
    ...column('action_scale', actionScale),
  ];
  return {
    kind: 'named',
    gains: new Map(jointNames.map((joint, place) => [joint, Object.fromEntries(columns.flatMap((at) => at(place)))])),
  };
}

function attempt<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw inFile(name, error);
  }
}

/** Assigns joint names to gains that are listed by motor. @throws bad_input if the robot has another number of
 *  joints */
function nameMotors(
  { gains, motors }: Extract<StatedGains, { kind: 'motors' }>,
  name: string,
  parts: GainsOrder['parts'],
): { readonly gains: ReadonlyMap<string, StatedGain>; readonly note: string } {
  const order = orderOfMotors(motors, parts);
  if (order === null)
    throw badInput(
      `${name}: has gains of ${gains.length} motors without names, but the robot has ${parts.joints.length} joints: ` +
        'add the names to actions.JointPositionAction.joint_names',
    );
  return {
    gains: new Map(order.names.map((joint, place) => [joint, gains[place]!])),
    note: `${name} does not name its ${gains.length} joints, so they are assumed to be in ${order.text}`,
  };
}
