import { useState } from 'preact/hooks';
import type { Row } from '../../../../src/protocol/schemas/evaluation.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { clock } from '../../ui/format.ts';
import { goTo } from '../../ui/layout.ts';
import { selectedSummary } from '../robots/robots-store.ts';
import { dialogWatch, evaluateDialog } from './evaluate-dialog-store.ts';
import { FailureMap } from './failure-map.tsx';
import { firstGroup, GroupPicker, isIn } from './group-picker.tsx';
import type { Report, RunEvaluations } from './run-evaluations.ts';
import { type Column, SortedTable } from './sorted-table.tsx';
import { metricColumns } from './summary-tab.tsx';

/** Returns the name of the dataset in which a motion library of the robot is stored. Returns null for a library that is
 *  not a dataset, such as the clip in a policy file. */
function datasetOf(motion: string, robot: string | undefined): string | null {
  const [data, owner, name, ...more] = motion.split('/');
  return data === 'data' && owner === robot && name !== undefined && more.length === 0 ? name : null;
}

/** Opens the area Data with the marks (tags, weight, exclusion) of a clip. */
function mark(dataset: string, clip: string): void {
  evaluateDialog.value = null;
  goTo('data');
  dataDialog.value = { kind: 'mark', dataset, clips: [clip], now: null };
}

/** The tab with the failure map and the table of clips. A button in a row plays the failure of that clip. */
export function ClipsTab({ model, report }: { readonly model: RunEvaluations; readonly report: Report }) {
  const [group, setGroup] = useState(firstGroup(report));
  const [opening, setOpening] = useState<Row | null>(null);
  const inGroup = isIn(group);
  const rows = report.clips.filter(inGroup);
  const play = async (row: Row) => {
    const isOpen = dialogWatch();
    setOpening(row);
    const playing = await model.playWorst(report.name, report.clips.indexOf(row));
    setOpening(null);
    if (!playing || !isOpen()) return; // The user has closed the dialog.
    evaluateDialog.value = null;
    goTo('play');
  };
  const dataset = datasetOf(report.protocol.motion, selectedSummary.value?.id);
  const hz = report.protocol.control_hz;
  const time = (frame: number) => clock(frame / hz, 2);
  const columns: readonly Column<Row>[] = [
    { title: 'Clip', value: ({ clip }) => clip, show: ({ clip }) => clip },
    {
      title: 'Failure',
      value: ({ worst }) => worst.failed,
      show: (row) =>
        row.worst.failed === null ? (
          '–'
        ) : (
          <Button
            small
            icon="play"
            busy={opening === row}
            disabled={opening !== null}
            title={`Plays ${row.clip} from one second before its failure`}
            onClick={() => void play(row)}
          >
            {time(row.worst.failed)}
          </Button>
        ),
    },
    { title: 'Cause', value: ({ worst }) => worst.term, show: ({ worst }) => worst.term ?? '–' },
    {
      title: 'Diverged first',
      value: ({ worst }) => worst.subject,
      show: ({ worst: { subject, value, limit, unit } }) => {
        if (subject === null) return '–';
        const of = unit == null ? '' : ` ${unit}`;
        const bound = limit === null ? '' : `, limit ${limit}${of}`;
        return `${subject}${value === null ? '' : ` ${value.toFixed(2)}${of}${bound}`}`;
      },
    },
    ...metricColumns<Row>(),
    ...(dataset === null
      ? []
      : [
          {
            title: 'Mark',
            value: () => null,
            show: ({ clip }: Row) => (
              <IconButton icon="dots" label={`Exclude, weight or tag ${clip}`} onClick={() => mark(dataset, clip)} />
            ),
          },
        ]),
  ];
  const episodes = report.episodes.find(inGroup)?.episodes ?? [];
  return (
    <>
      <GroupPicker report={report} value={group} onChange={setGroup} />
      <FailureMap clips={report.clip_names} episodes={episodes} controlHz={hz} />
      <SortedTable label="Clips" rows={rows} columns={columns} keyOf={({ clip }) => clip} />
    </>
  );
}
