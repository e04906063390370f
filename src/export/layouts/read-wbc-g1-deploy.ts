import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { orderOfNames } from '../../play/run-setup/joint-order.ts';
import { OnnxGraph } from '../../policy/onnx/graph/onnx-graph.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { asMap } from '../../runs/params/params-file.ts';
import { widthOf } from '../readings.ts';
import type { Bundle, BundleObservation } from './bundle.ts';
import type { BundleArchive } from './bundle-archive.ts';
import { Fields } from './fields.ts';
import { LAYOUTS, readingNamed } from './layout.ts';
import { npzClip } from './npz-clip.ts';
import { WBC_SCHEMA } from './write-wbc-g1-deploy.ts';

/** Keys whose values `robot_defaults.yaml` overrides. */
const REPLACED = ['stiffness', 'damping', 'default_joint_pos'] as const;

/** Reads the configuration of wbc-g1-deploy. @param file path of `config.yaml` */
export async function readWbcG1Deploy(archive: BundleArchive, file: string, facts: RobotFacts): Promise<Bundle> {
  const params = new Fields(archive.yaml(file), file);
  const schema = params.text('schema_version');
  if (schema !== WBC_SCHEMA) throw params.wrong(['schema_version'], `is ${quoteName(schema)}, expected ${WBC_SCHEMA}`);
  const joints = params.texts('joint_names');
  orderOfNames(joints, facts, `${file}: joint_names`);
  const count = joints.length;
  const defaultsFile = archive.only('config/robot_defaults.yaml');
  const defaults = defaultsFile === null ? null : new Fields(archive.yaml(defaultsFile), defaultsFile);
  const value = (key: (typeof REPLACED)[number]) =>
    defaults?.has(key) ? defaults.numbers(count, key) : params.numbers(count, key);
  const mode = params.text('action', 'action_mode');
  if (mode !== 'reference_residual' && mode !== 'default_relative')
    throw params.wrong(['action', 'action_mode'], 'must be reference_residual or default_relative');
  const anchor = params.text('tracking', 'anchor_body_name');
  const place = facts.bodies.findIndex(({ name }) => name === anchor);
  if (place < 0) throw params.wrong(['tracking', 'anchor_body_name'], `${facts.name} has no body ${quoteName(anchor)}`);
  const clip = clipFile(archive);
  const part = (values: Float32Array, width: number) => values.subarray(place * width, (place + 1) * width);
  return {
    format: 'wbc-g1-deploy',
    joints,
    stiffness: value('stiffness'),
    damping: value('damping'),
    defaultPos: value('default_joint_pos'),
    scale: params.numbers(count, 'action', 'scale'),
    offset: mode === 'reference_residual' ? null : offsetOf(params, count),
    stepS: params.number('policy_step_dt'),
    anchor,
    observations: observationsOf(params, count),
    graph: new OnnxGraph(archive.onnx(file.replace(/config\.yaml$/, 'policy.onnx')), ['actions']),
    clip: npzClip({ file: clip, motion: await archive.motion(clip), facts }, (row) => ({
      pos: part(row.bodyPos, 3),
      quat: part(row.bodyQuat, 4),
      linVel: part(row.bodyLinVel, 3),
      angVel: part(row.bodyAngVel, 3),
    })),
  };
}

/** Returns the offset of the actions. Without an offset, the controller adds nothing. */
function offsetOf(params: Fields, count: number): readonly number[] {
  return params.has('action', 'offset') ? params.numbers(count, 'action', 'offset') : new Array<number>(count).fill(0);
}

/** Returns the path of the default clip of the manifest. */
function clipFile(archive: BundleArchive): string {
  const manifest = archive.only('clips/manifest.yaml');
  if (manifest === null) throw badInput('the bundle has no config/clips/manifest.yaml');
  const { clips, default: chosen } = asMap(archive.yaml(manifest), manifest) as { clips?: unknown; default?: unknown };
  const entries = Array.isArray(clips) ? (clips as { name?: unknown; file?: unknown }[]) : [];
  const entry = entries.find((each) => each?.name === chosen) ?? entries[0];
  if (typeof entry?.file !== 'string') throw badInput(`${manifest}: clips: does not contain a file`);
  const file = manifest.replace(/manifest\.yaml$/, entry.file);
  if (!archive.has(file)) throw badInput(`${manifest}: the clip ${quoteName(entry.file)} is not in the bundle`);
  return file;
}

function observationsOf(params: Fields, joints: number): BundleObservation[] {
  const history = params.history('tracking', 'actor_history_length');
  return params.keys('actor_observations').map((name) => {
    const reading = readingNamed(LAYOUTS['wbc-g1-deploy'], name);
    if (!reading) throw params.wrong(['actor_observations'], `the controller has no observation ${quoteName(name)}`);
    const scale = params.numbers(widthOf(reading, joints), 'actor_observations', name, 'scale');
    return { name, reading, history, limits: null, scale };
  });
}
