import { escapeHtml } from '../../../core/escape-html.ts';
import type { Evaluation } from '../../../protocol/schemas/evaluation.ts';
import { checkpointTitle } from '../report-data.ts';

/** Definitions of the metrics, for readers without access to the documentation. */
const DEFINITIONS: readonly (readonly [metric: string, definition: string])[] = [
  ['Success', 'share of the episodes without a failure'],
  ['Tracked time', 'mean time until the failure or the end of the episode'],
  ['Tracked share', 'tracked time of all episodes divided by their possible time'],
  ['Body position', 'mean distance of the key bodies from the reference in the world'],
  [
    'Body position, local',
    "the same distance after the reference is moved to the robot anchor's x, y and turned by the yaw difference",
  ],
  ['Body rotation, anchor rotation', 'mean angle to the reference'],
  ['Joint position, joint velocity', 'RMS over joints and steps'],
  ['Action rate', 'RMS of the difference of successive actions × control rate'],
  ['Jerk', '95th percentile over the key bodies'],
  [
    'Torque, speed',
    'values as shares of the limits; saturated: share of the steps at 99 % of the torque limit or more',
  ],
  ['Heat', 'RMS torque divided by the continuous torque of the joint, if robot.yaml states it'],
];

/** Returns the section with the settings of the evaluation and the definitions of the metrics. */
export function protocolPart({ protocol, run, job, created }: Evaluation): string {
  const facts: readonly (readonly [string, string])[] = [
    ['Run', run],
    ['Checkpoints', protocol.checkpoints.map(checkpointTitle).join(', ')],
    ['Motion library', `${protocol.motion}, ${protocol.clips} clips`],
    ['Starts per clip', `${protocol.starts}: frame 0, then spread evenly`],
    ['Horizon', protocol.horizon_s === null ? "to the clip's end" : `${protocol.horizon_s} s`],
    ['Seed', String(protocol.seed)],
    ['Control rate', `${protocol.control_hz} Hz`],
    ['Failure', protocol.failure],
    ['Alignment', protocol.alignment],
    ['Robot model', `sha256 ${protocol.model}`],
    ['Made by', `motion-studio ${protocol.version}, job ${job}, ${created}`],
  ];
  const conditions = protocol.conditions.map(({ name, ...settings }) => {
    const list = Object.entries(settings).map(([field, value]) => `${field} ${value}`);
    return `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(list.join(', ') || 'as trained, without noise, pushes and variations')}</td></tr>`;
  });
  return `<section><h2>Protocol</h2><dl class="facts">${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>
<details><summary>Conditions (${protocol.conditions.length})</summary><table><tbody>${conditions.join('')}</tbody></table></details>
<details><summary>Definitions</summary><p>Errors are taken over the steps before an episode's failure.</p><dl class="facts">${DEFINITIONS.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl></details></section>`;
}
