import { escapeHtml } from '../../../core/escape-html.ts';
import { isLost, jointFindings, orNoLimit } from '../../../protocol/joint-findings.ts';
import type { JointMargin, Summary } from '../../../protocol/schemas/evaluation.ts';
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
        `<tr><th scope="row">${escapeHtml(joint.joint)}</th>${share(orNoLimit(joint.torque_peak))}${share(orNoLimit(joint.torque_rms))}${numberCell(joint.saturated, fixed(100 * joint.saturated, 1))}${share(orNoLimit(joint.speed_peak))}${numberCell(joint.power_peak, fixed(joint.power_peak, 0))}${share(joint.heat)}${followCell(joint.follows ?? null)}</tr>`,
    ),
  );
}

/** Returns warnings about joints that do not follow their references. @param summary results under the same checkpoint
 *  and condition */
export function notFollowing(joints: readonly JointMargin[], summary: Summary | undefined): string {
  return jointFindings(joints, summary)
    .map((finding) => `<p class="bad">▲ ${escapeHtml(finding)}</p>`)
    .join('');
}

function followCell(follows: number | null): string {
  const text =
    follows !== null && isLost({ follows }) ? `<b class="bad">▲ ${fixed(follows, 2)}</b>` : fixed(follows, 2);
  return numberCell(follows, text);
}

function share(value: number | null): string {
  if (value === null) return numberCell(null, '–');
  const kind = value >= AT_LIMIT ? 'bad' : value >= CLOSE ? 'fair' : 'plain';
  return barCell(value, fixed(100 * value, 0), kind);
}
