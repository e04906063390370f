import { spanText } from '../../core/log/format-numbers.ts';
import type { BundleParts } from '../bundle-files.ts';
import { foldedText, type PlannedObservation } from '../export-plan.ts';
import { unitreeFolder } from '../layouts/write-unitree.ts';
import { WBC_FILES } from '../layouts/write-wbc-g1-deploy.ts';
import { READINGS, type Reading } from '../readings.ts';

export const README = 'README.md';

/** Returns the README of a bundle: how to use it, every value of the network's input and output, and every joint. */
export function bundleReadme(
  parts: BundleParts,
  { standInS, standOutS }: { readonly standInS: number; readonly standOutS: number },
): string {
  const { policy, plan, clip, facts, run, checkpoint } = parts;
  const name = clip.clips[0]!.name;
  const seconds = (clip.frames - 1) / clip.fps;
  const folded = foldedText(plan);
  return [
    `# ${name} on ${facts.name}`,
    '',
    `Policy \`${checkpoint}\` of the run \`${run}\`, exported for ${plan.layout.format}.`,
    `Clip \`${name}\`: ${clip.frames} frames at ${clip.fps} per second, ${spanText(seconds)}` +
      `${standInS > 0 ? `, of which ${standInS} s are standing at the start` : ''}${standOutS > 0 ? `, ${standOutS} s are standing at the end` : ''}.`,
    `Control step: ${policy.stepS} s. \`bundle.json\` has the result of the self-test.`,
    '',
    ...usage(parts, name),
    '',
    '## Input of the network',
    '',
    `\`obs\`: float32, shape (1, ${plan.inputs}). Quaternions are w, x, y, z. The anchor is \`${policy.anchor}\`, the root`,
    `\`${facts.bodies[0]!.name}\`. "Reference" is the frame of the clip that the robot currently tracks.`,
    ...(folded === '' ? [] : ['', folded]),
    '',
    '| index | observation | element | unit | frame | meaning |',
    '|---|---|---|---|---|---|',
    ...plan.observations.flatMap((observation) => rowsOf(observation, policy.joints)),
    ...(plan.layout.format === 'whole_body_tracking' ? timeStep(clip.frames) : []),
    '',
    '## Output of the network',
    '',
    `\`actions\`: float32, shape (1, ${policy.joints.length}), one per joint. ${targetText(parts)}`,
    '',
    '| index | joint | default, rad | action scale, rad | stiffness, Nm/rad | damping, Nm·s/rad |',
    '|---|---|---|---|---|---|',
    ...policy.joints.map(
      (joint, j) =>
        `| ${j} | ${joint} | ${short(policy.defaultPos[j]!)} | ${short(policy.scale[j]!)} | ${short(policy.stiffness[j]!)} | ${short(policy.damping[j]!)} |`,
    ),
    '',
  ].join('\n');
}

function short(value: number): string {
  return String(Number(value.toPrecision(7)));
}

/** Returns one table row for each value of an observation. */
function rowsOf({ reading, name, history, width, offset }: PlannedObservation, joints: readonly string[]): string[] {
  const rows: string[] = [];
  for (let step = 0; step < history; step += 1) {
    const age = history - 1 - step;
    const when = history === 1 ? '' : age === 0 ? ', now' : `, ${age} steps ago`;
    for (let k = 0; k < width; k += 1) {
      const { element, unit, frame, text } = elementOf(reading, k, joints);
      rows.push(`| ${offset + step * width + k} | ${name} | ${element} | ${unit} | ${frame} | ${text}${when} |`);
    }
  }
  return rows;
}

function elementOf(reading: Reading, k: number, joints: readonly string[]) {
  const own = reading === 'command' ? (k < joints.length ? 'ref_joint_pos' : 'ref_joint_vel') : reading;
  const { elements, unit, frame, text } = READINGS[own];
  const element = elements === 'joints' ? joints[k % joints.length]! : elements[k]!;
  return { element, unit, frame, text };
}

function timeStep(frames: number): string[] {
  return [
    '',
    `\`time_step\`: float32, shape (1, 1). Number of the frame, 0 to ${frames - 1}, for which the outputs \`joint_pos\` … \`body_ang_vel_w\``,
    'are computed. `actions` does not depend on it.',
  ];
}

function targetText({ policy, plan }: BundleParts): string {
  if (policy.residual && !plan.foldsReference)
    return 'Joint target = position of the reference + action scale × action.';
  return 'Joint target = default + action scale × action. Torque = stiffness × (target − position) − damping × velocity.';
}

function usage({ plan, policy }: BundleParts, clip: string): string[] {
  switch (plan.layout.format) {
    case 'whole_body_tracking':
      return [
        '## Use',
        '',
        'Give `policy.onnx` to motion_tracking_controller as `policy.path`. It reads joints, gains, scales and observations',
        'from the metadata of the file.',
      ];
    case 'unitree':
      return [
        '## Use',
        '',
        `Copy \`policy\` into \`config\` of the robot's controller (\`deploy/robots/<robot>/config\`), and add a state to its`,
        '`config.yaml`:',
        '',
        '```yaml',
        `Mimic_${clip}:`,
        '  transitions: {Passive: LT + B.on_pressed, Velocity: RT + A.on_pressed}',
        `  motion_file: config/${unitreeFolder(clip)}/params/${clip}.npz`,
        `  policy_dir: config/${unitreeFolder(clip)}/`,
        '```',
        '',
        `The controller drives motor k as joint k of the table below${policy.joints.length === 29 ? '' : '. Check that the motors of your robot have this order'}.`,
        'It compares the heading of the torso with the heading of the pelvis in the first frame, so use a clip that begins with standing.',
      ];
    case 'wbc-g1-deploy':
      return [
        '## Use',
        '',
        `Copy \`config\` over that of wbc-g1-deploy. \`${WBC_FILES.manifest}\` lists only this clip. Add its entry to your`,
        `own list instead if you have other clips. \`${WBC_FILES.defaults}\` replaces the controller's gains and default pose,`,
        'which would otherwise take precedence over those of the policy.',
      ];
  }
}
