import type { DatasetCounts, Scan } from '../../../../src/protocol/schemas/data.ts';
import { activeTasks } from '../../net/busy.ts';
import { Badge, Button, Progress } from '../../ui/controls.tsx';
import { ago, clock, count, whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { scanDataset } from './data-actions.ts';
import { clipsOf, lengthText } from './shared/counts.ts';
import { unreadable } from './unreadable.ts';

/** Counts, lengths and unreadable clips of a dataset. @param alone show a heading */
export function DatasetFacts({ set, alone = false }: { readonly set: DatasetCounts; readonly alone?: boolean }) {
  return (
    <>
      {alone && (
        <div class="clip-head">
          <div class="clip-head-row">
            <h2 class="ellipsis grow">{set.name}</h2>
            {set.linked && <Badge kind="neutral">Linked</Badge>}
          </div>
          <p class="dim ellipsis mono" title={set.path}>
            {set.path}
          </p>
        </div>
      )}
      {set.error != null && (
        <p class="note note-err">
          <Icon name="warn" />
          {set.error}
        </p>
      )}
      <dl class="facts">
        <Count name="Source clips" value={set.source} />
        <Count name="Converted" value={set.converted} />
        <Count name="Not converted" value={set.missing} />
        {set.failed > 0 && <Count name="Failed" value={set.failed} />}
        {set.extra > 0 && <Count name="Without a source" value={set.extra} />}
      </dl>
      <Lengths set={set} />
    </>
  );
}

function Count({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="num">{whole(value)}</dd>
    </div>
  );
}

function Lengths({ set }: { readonly set: DatasetCounts }) {
  const { scan } = set;
  const task = activeTasks.value.find((one) => one.task.startsWith('scan') && one.label.includes(set.name));
  const empty = clipsOf(set) === 0;
  return (
    <section class="section lengths" aria-labelledby="lengths-title">
      <div class="section-head">
        <h3 id="lengths-title">Lengths</h3>
        <Button
          small
          busy={task !== undefined}
          disabled={empty}
          {...(empty ? { title: 'There are no clips yet' } : {})}
          onClick={() => void scanDataset(set.name)}
        >
          {task !== undefined ? 'Scanning' : scan === null ? 'Scan' : 'Scan again'}
        </Button>
      </div>
      {task !== undefined && (
        <div class="pad-x">
          <Progress value={task.progress} label={task.label} />
        </div>
      )}
      {scan === null ? (
        <p class="dim pad-x">A scan reads every clip, measures its length and lists the clips that cannot be read.</p>
      ) : (
        <ScanFacts set={set} scan={scan} />
      )}
    </section>
  );
}

function ScanFacts({ set, scan }: { readonly set: DatasetCounts; readonly scan: Scan }) {
  return (
    <>
      <p class="pad-x scan-line">
        <span class="semi num">{lengthText(scan.hours)}</span> <span class="dim">in</span>{' '}
        <span class="num">{count(scan.clips, 'clip')}</span>
        <span class="dim">, scanned {ago(scan.at, Date.now())}</span>
      </p>
      <Histogram scan={scan} />
      {scan.unreadable.length > 0 && (
        <div class="unreadable">
          <h4>
            <Badge kind="error">{count(scan.unreadable.length, 'unreadable clip')}</Badge>
          </h4>
          <ul>
            {scan.unreadable.slice(0, 100).map(({ clip, error }) => (
              <li key={clip}>
                <button type="button" class="link" onClick={() => (unreadable.value = { dataset: set.name, clip })}>
                  {clip}
                </button>
                <p class="dim">{error}</p>
              </li>
            ))}
          </ul>
          {scan.unreadable.length > 100 && <p class="dim num">and {whole(scan.unreadable.length - 100)} more</p>}
        </div>
      )}
    </>
  );
}

/** Histogram of clip lengths, with a table of the same values for screen readers. */
function Histogram({ scan }: { readonly scan: Scan }) {
  const { edges, counts } = scan.histogram;
  const most = Math.max(1, ...counts);
  const first = edges[0];
  const last = edges.at(-1);
  if (counts.length === 0 || first === undefined || last === undefined) return null;
  const bin = (k: number) => `${clock(edges[k] ?? 0)} – ${clock(edges[k + 1] ?? last)}`;
  return (
    <figure class="histogram">
      <div class="histogram-bars" aria-hidden="true">
        {counts.map((n, k) => (
          <span key={edges[k]} title={`${bin(k)}: ${count(n, 'clip')}`}>
            <span style={{ height: `${n === 0 ? 0 : Math.max(3, (100 * n) / most)}%` }} />
          </span>
        ))}
      </div>
      <figcaption class="num faint" aria-hidden="true">
        <span>{clock(first)}</span>
        <span>up to {count(most, 'clip')} a bar</span>
        <span>{clock(last)}</span>
      </figcaption>
      <table class="visually-hidden">
        <caption>Clips by length</caption>
        <tbody>
          {counts.map((n, k) => (
            <tr key={edges[k]}>
              <th scope="row">{bin(k)}</th>
              <td>{n}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
