import { useEffect, useRef, useState } from 'preact/hooks';
import { CHECK_KINDS } from '../../../../src/protocol/check-kinds.ts';
import type { Preview } from '../../../../src/protocol/schemas/data.ts';
import { Badge, Button, Kbd } from '../../ui/controls.tsx';
import { clock, sentence, whole } from '../../ui/format.ts';
import { layout } from '../../ui/layout.ts';
import { Empty, Skeleton } from '../../ui/states.tsx';
import { liveJobs } from '../jobs/jobs-store.ts';
import { ignoreIssue } from './curation.ts';
import { convertFixed } from './data-actions.ts';
import { chosenIssue, showIssue, showIssuePlot, stepIssue } from './preview-store.ts';
import {
  briefIssue,
  bySeverity,
  fixesOf,
  fixName,
  issueTime,
  type QaIssue,
  SEVERITY_NAME,
  shownFrame,
} from './shared/clip-issues.ts';

/** Lists the issues of the open clip by severity. A click on an issue seeks to its frame. */
export function QaList({ open }: { readonly open: Preview }) {
  const { qa, dataset, clip } = open;
  if (qa === null) return <Checking key={`${dataset}/${clip}/${open.source}`} />;
  if (qa.issues.length === 0) {
    return (
      <Empty icon="check" title="No findings">
        <p class="dim">
          Checked: joint limits, speeds, jumps, ground contact, foot sliding and the order of the file's columns.
        </p>
      </Empty>
    );
  }
  const counted = qa.issues.filter((issue) => !issue.ignored);
  const ignored = qa.issues.filter((issue) => issue.ignored);
  const fixes = fixesOf(counted);
  const apply =
    dataset === null || clip === null ? null : (list: readonly string[]) => void convertFixed(dataset, clip, list);
  return (
    <>
      {[...bySeverity(counted), ...(ignored.length === 0 ? [] : [{ severity: null, issues: ignored }])].map(
        ({ severity, issues }) => (
          <section key={severity} class="qa-group" aria-label={severity === null ? 'Ignored' : SEVERITY_NAME[severity]}>
            <ul>
              {issues.map((issue, k) => (
                <IssueRow
                  key={`${issue.kind}-${issue.frames.join()}-${k}`}
                  issue={issue}
                  fps={open.fps}
                  apply={apply}
                />
              ))}
            </ul>
          </section>
        ),
      )}
      {fixes.length > 1 && apply !== null && (
        <div class="qa-all">
          <Button onClick={() => apply(fixes)}>Apply all {fixes.length} fixes</Button>
        </div>
      )}
    </>
  );
}

/** Time after which the list shows that the checks take long, ms. */
const CHECK_TAKES_MS = 20_000;

function Checking() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), CHECK_TAKES_MS);
    return () => window.clearTimeout(timer);
  }, []);
  if (!late) return <Skeleton rows={5} label="Checking the clip" />;
  return (
    <Empty title="Not checked yet">
      <p class="dim">The checks have not ended. The log in the area Status may show the reason.</p>
    </Empty>
  );
}

interface IssueRowProps {
  readonly issue: QaIssue;
  readonly fps: number;
  readonly apply: ((fixes: readonly string[]) => void) | null;
}

function same(a: QaIssue | null, b: QaIssue): boolean {
  return a !== null && a.kind === b.kind && a.text === b.text && a.frames[0] === b.frames[0];
}

function IssueRow({ issue, fps, apply }: IssueRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const on = same(chosenIssue.value, issue);
  useEffect(() => {
    if (on) row.current?.scrollIntoView({ block: 'nearest' });
  }, [on]);
  return (
    <li ref={row} class={`issue${on ? ' on' : ''}${issue.ignored ? ' ignored' : ''}`}>
      <button
        type="button"
        class="issue-main"
        aria-current={on ? 'true' : undefined}
        onClick={() => void showIssue(issue)}
      >
        <span class="issue-head">
          <Badge kind={issue.ignored ? 'neutral' : issue.severity}>{CHECK_KINDS[issue.kind]}</Badge>
          {issue.ignored && <span class="dim">Ignored</span>}
          <span class="num dim">{issueTime(issue, fps)}</span>
        </span>
        <span class="issue-text">{sentence(on ? issue.text : briefIssue(issue.text))}</span>
        {on && <span class="issue-worst num dim">{worstText(issue, fps)}</span>}
      </button>
      {on && <IssueActions issue={issue} apply={apply} />}
    </li>
  );
}

/** Returns a text that tells where the issue is worst: `Worst at 0:01.37, frame 41, left_ankle_roll_link`. */
function worstText(issue: QaIssue, fps: number): string {
  const frame = shownFrame(issue);
  const time = fps > 0 ? `${clock(frame / fps, 2)}, ` : '';
  return `Worst at ${time}frame ${whole(frame)}${issue.body === null ? '' : `, ${issue.body}`}`;
}

function IssueActions({ issue, apply }: Omit<IssueRowProps, 'fps'>) {
  const busy = liveJobs.value.some((job) => job.kind === 'convert');
  const { fix } = issue;
  const plots = layout.value !== 'phone' && issue.plot.channels.length > 0;
  return (
    <div class="issue-actions">
      {fix !== null && apply !== null && (
        <Button
          small
          disabled={busy}
          title={
            busy ? 'A conversion is running' : 'Converts the clip again with this repair; its source stays unchanged'
          }
          onClick={() => apply([fix])}
        >
          {fixName(fix)}
        </Button>
      )}
      {plots && (
        <Button small kind="quiet" icon="plots" onClick={() => showIssuePlot(issue)}>
          Show in plots
        </Button>
      )}
      <Button
        small
        kind="quiet"
        title={
          issue.ignored
            ? 'Counts findings of this kind and body in this clip again'
            : 'Findings of this kind and body in this clip are not counted any more; saved with the dataset'
        }
        onClick={() => void ignoreIssue(issue, !issue.ignored)}
      >
        {issue.ignored ? 'Count again' : 'Ignore'}
      </Button>
    </div>
  );
}

/** Foot of the list: buttons to the previous and next issue. */
export function QaFoot() {
  const phone = layout.value === 'phone';
  return (
    <footer class="pane-foot qa-foot">
      {phone ? (
        <>
          <Button kind="outline" onClick={() => stepIssue(-1)}>
            Previous
          </Button>
          <Button kind="outline" onClick={() => stepIssue(1)}>
            Next
          </Button>
        </>
      ) : (
        <>
          <span class="grow" />
          <span class="dim">Previous, next</span>
          <Kbd keys={[',', '.']} />
        </>
      )}
    </footer>
  );
}
