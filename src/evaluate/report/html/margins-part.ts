import { escapeHtml } from '../../../core/escape-html.ts';
import { NOT_FOLLOWING } from '../../../protocol/evaluation-metrics.ts';
import type { JointMargin } from '../../../protocol/schemas/evaluation.ts';
import { barCell, fixed, heading, numberCell, sortable } from './figures.ts';

/** Share of a limit from which a joint is marked. */
const CLOSE = 0.8;
const AT_LIMIT = 0.99;

/** Returns the table of joints, which shows how close each joint comes to its limits. */
export function marginsTable(joints: readonly JointMargin[]): string {
  return sortable(
    'Margins of the joints',
    [
      heading('Joint', '', false),
      heading('Torque peak', '% of limit'),
      heading('Torque RMS', '% of limit'),
      heading('Saturated', '% of steps'),
      heading('Speed peak', '% of limit'),
      heading('Power peak', 'W'),
      heading('Heat', '% of continuous torque'),
      heading('Follows', 'correlation'),
    ],
    joints.map(
      (joint) =>
        `<tr><th scope="row">${escapeHtml(joint.joint)}</th>${share(joint.torque_peak)}${share(joint.torque_rms)}${numberCell(joint.saturated, fixed(100 * joint.saturated, 1))}${share(joint.speed_peak)}${numberCell(joint.power_peak, fixed(joint.power_peak, 0))}${joint.heat === null ? numberCell(null, '–') : share(joint.heat)}${followCell(joint.follows ?? null)}</tr>`,
    ),
  );
}

/** Returns a warning that names the joints that do not follow their references. */
export function notFollowing(joints: readonly JointMargin[]): string {
  const found = joints.filter(({ follows }) => follows != null && follows < NOT_FOLLOWING);
  if (found.length === 0) return '';
  const names = found
    .sort((a, b) => a.follows! - b.follows!)
    .map(({ joint, follows }) => `<code>${escapeHtml(joint)}</code> (${fixed(follows!, 2)})`);
  return `<p class="bad">▲ Does not follow its reference: ${names.join(', ')}. Check sign and order of its actions.</p>`;
}

function followCell(follows: number | null): string {
  const text =
    follows !== null && follows < NOT_FOLLOWING ? `<b class="bad">▲ ${fixed(follows, 2)}</b>` : fixed(follows, 2);
  return numberCell(follows, text);
}

function share(value: number): string {
  const kind = value >= AT_LIMIT ? 'bad' : value >= CLOSE ? 'fair' : 'plain';
  return barCell(value, fixed(100 * value, 0), kind);
}
