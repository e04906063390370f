import { useState } from 'preact/hooks';
import { isLost, orNoLimit } from '../../../../src/protocol/joint-findings.ts';
import type { JointMargin } from '../../../../src/protocol/schemas/evaluation.ts';
import { fixed } from '../../ui/format.ts';
import { firstGroup, GroupPicker, isIn } from './group-picker.tsx';
import { JointFindings } from './joint-findings.tsx';
import type { Report } from './run-evaluations.ts';
import { ShareBar } from './share-bar.tsx';
import { type Column, SortedTable } from './sorted-table.tsx';

/** A joint is marked if it used at least this share of its range, speed or torque limit (0..1). */
const CLOSE = 0.8;
const AT_LIMIT = 0.99;

function share(title: string, of: (joint: JointMargin) => number | null): Column<JointMargin> {
  const kind = (value: number) => (value >= AT_LIMIT ? 'bad' : value >= CLOSE ? 'fair' : 'plain');
  return {
    title,
    value: of,
    show: (joint) => {
      const value = of(joint);
      return value === null ? '–' : <ShareBar share={value} kind={kind(value)} />;
    },
  };
}

const COLUMNS: readonly Column<JointMargin>[] = [
  { title: 'Joint', value: ({ joint }) => joint, show: ({ joint }) => <span class="mono">{joint}</span> },
  share('Torque peak', (joint) => orNoLimit(joint.torque_peak)),
  share('Torque RMS', (joint) => orNoLimit(joint.torque_rms)),
  {
    title: 'Saturated',
    unit: '% of steps',
    value: ({ saturated }) => saturated,
    show: ({ saturated }) => fixed(100 * saturated, 1),
  },
  share('Speed peak', (joint) => orNoLimit(joint.speed_peak)),
  { title: 'Power peak', unit: 'W', value: (joint) => joint.power_peak, show: (joint) => fixed(joint.power_peak, 0) },
  share('Heat', (joint) => joint.heat),
  {
    title: 'Follows',
    value: ({ follows }) => follows ?? null,
    show: (joint) => {
      const { follows = null } = joint;
      if (follows === null) return '–';
      return isLost(joint) ? <span class="verdict-worse">▲ {fixed(follows, 2)}</span> : fixed(follows, 2);
    },
  },
];

/** The tab that shows how close each joint comes to its limits, and how well it follows its reference. */
export function MarginsTab({ report }: { readonly report: Report }) {
  const [group, setGroup] = useState(firstGroup(report));
  const joints = report.joints.filter(isIn(group));
  return (
    <>
      <GroupPicker report={report} value={group} onChange={setGroup} />
      <p class="dim">
        Shares of the limits; a dash marks a joint without that limit. Heat is the RMS torque divided by the continuous
        torque of the motor, if the robot's file states it. Follows is the correlation of the joint with its reference.
      </p>
      <JointFindings joints={joints} summary={report.summary.find(isIn(group))} checkpoint={null} />
      <SortedTable label="Margins of the joints" rows={joints} columns={COLUMNS} keyOf={({ joint }) => joint} />
    </>
  );
}
