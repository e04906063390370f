import type { DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { count, whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { chooseDataset } from './data-store.ts';
import { clipsOf, countsText, lengthText } from './shared/counts.ts';

export interface DatasetListProps {
  readonly list: readonly DatasetCounts[];
  readonly chosen: DatasetCounts | null;
}

/** Lists the datasets with converted clips, source clips and length. */
export function DatasetList({ list, chosen }: DatasetListProps) {
  return (
    <div class="datasets">
      <div class="datasets-head" aria-hidden="true">
        <span class="grow">Dataset</span>
        <span>Clips: converted / source</span>
        <span class="dataset-length">Length</span>
      </div>
      <ul aria-label="Datasets">
        {list.map((set) => (
          <li key={set.name}>
            <DatasetRow set={set} on={set.name === chosen?.name} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Drop-down list of the datasets, for layouts without space for the full list. */
export function DatasetChoice({ list, chosen }: DatasetListProps) {
  return (
    <label class="select dataset-choice">
      <span class="visually-hidden">Dataset</span>
      <select value={chosen?.name ?? ''} onChange={(event) => chooseDataset(event.currentTarget.value)}>
        {list.map((set) => (
          <option key={set.name} value={set.name}>
            {set.name} · {count(clipsOf(set), 'clip')}
          </option>
        ))}
      </select>
      <Icon name="down" small />
    </label>
  );
}

function DatasetRow({ set, on }: { readonly set: DatasetCounts; readonly on: boolean }) {
  const share = set.source > 0 ? set.converted / set.source : set.extra > 0 ? 1 : 0;
  const broken = set.error != null;
  return (
    <button
      type="button"
      class={`dataset${on ? ' on' : ''}`}
      aria-pressed={on}
      title={broken ? `${set.path}: ${set.error}` : `${set.path}${set.linked ? ' (linked)' : ''}`}
      onClick={() => chooseDataset(set.name)}
    >
      <Icon name={broken ? 'warn' : set.linked ? 'link' : 'folder'} />
      <span class={`medium ellipsis dataset-name${broken ? ' err' : ''}`}>
        {set.name}
        {set.linked && <span class="visually-hidden"> linked</span>}
      </span>
      <span class={`coverage${share >= 1 ? ' full' : ''}`} aria-hidden="true">
        <span style={{ width: `${100 * Math.min(1, Math.max(0, share))}%` }} />
      </span>
      <span class="num dim dataset-counts" title={countsText(set)}>
        {whole(set.converted)} / {whole(set.source)}
        {set.extra > 0 && ` + ${whole(set.extra)}`}
      </span>
      <span class="num dim dataset-length">{lengthText(set.scan?.hours ?? null)}</span>
    </button>
  );
}
