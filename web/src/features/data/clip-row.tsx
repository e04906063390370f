import type { Clip, DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { Badge, IconButton } from '../../ui/controls.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { clock, count, fixed, rate } from '../../ui/format.ts';
import { liveJobs } from '../jobs/jobs-store.ts';
import { retryClips } from './data-actions.ts';
import { filters, ticked } from './data-store.ts';
import { loadClip, loadingClip, preview, togglePlaying } from './preview-store.ts';
import { badgeOf } from './shared/clip-issues.ts';
import { unreadable } from './unreadable.ts';

export interface ClipRowProps {
  readonly set: DatasetCounts;
  readonly index: number;
  readonly clip: Clip | null;
  /** moves the keyboard focus to a row */
  readonly focusRow: (index: number) => void;
  /** @param range also apply to all rows since the row that was ticked last */
  readonly onTick: (index: number, on: boolean, range: boolean) => void;
}

const COLUMNS = 6;

/** Number of rows that each key moves by. */
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 };

export function ClipRow({ set, index, clip, focusRow, onTick }: ClipRowProps) {
  if (clip === null) {
    return (
      <tr aria-rowindex={index + 2}>
        <td colSpan={COLUMNS} class="faint">
          <span class="bone" />
        </td>
      </tr>
    );
  }
  const shown = preview.value;
  const open = shown?.open === true && shown.dataset === set.name && shown.clip === clip.name;
  const inGrid = shown?.open === true && shown.grid?.dataset === set.name && shown.grid.clips.includes(clip.name);
  const loading = loadingClip.value?.dataset === set.name && loadingClip.value.clip === clip.name;
  const on = ticked.value.has(clip.name);
  const load = () => {
    // Do not load a clip that cannot be read. The inspector shows the reason and what can be done.
    unreadable.value = clip.error === null ? null : { dataset: set.name, clip: clip.name };
    if (clip.error === null) void loadClip(set.name, clip.name);
  };
  const refused = unreadable.value?.dataset === set.name && unreadable.value.clip === clip.name;
  const selected = unreadable.value === null ? open || inGrid || loading : refused;
  const marks = [
    clip.excluded ? 'excluded' : '',
    selected ? 'on' : '',
    on ? 'ticked' : '',
    clip.error !== null ? 'unreadable' : '',
  ];
  return (
    <tr class={marks.join(' ')} aria-rowindex={index + 2} data-row={index} onClick={load}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox inside handles the keys */}
      <td
        class="clip-tick"
        onClick={(event) => {
          event.stopPropagation();
          if (event.target instanceof HTMLInputElement) return;
          onTick(index, !on, event.shiftKey);
        }}
      >
        <Checkbox
          label={`Select ${clip.name}`}
          checked={on}
          onChange={(next, event) => onTick(index, next, event.shiftKey)}
        />
      </td>
      <td>
        <button
          type="button"
          class="clip-name ellipsis"
          aria-current={open ? 'true' : undefined}
          title={clip.error ?? [clip.name, ...clip.tags].join(' · ')}
          onClick={(event) => {
            event.stopPropagation();
            load();
          }}
          onKeyDown={(event) => {
            const move = MOVES[event.key];
            if (move === undefined && (event.key !== ' ' || !open)) return;
            event.preventDefault();
            if (move === undefined) togglePlaying();
            else focusRow(index + move);
          }}
        >
          {clip.name}
        </button>
        {clip.weight !== 1 && <span class="clip-weight dim num">×{clip.weight}</span>}
      </td>
      <td class="right num clip-length">{clock(clip.error === null ? clip.duration : null)}</td>
      {filters.value.sort === 'score' ? (
        <td class="right num clip-fps" title={scoreTitle(clip)}>
          {clip.score === null ? '–' : fixed(clip.score.feasibility, 2)}
        </td>
      ) : (
        <td class="right num dim clip-fps">{rate(clip.error === null ? clip.fps : null)}</td>
      )}
      <td class="clip-status">
        <ClipState clip={clip} loading={loading} />
        {clip.failed !== null && clip.error === null && !loading && <Retry dataset={set.name} clip={clip.name} />}
      </td>
      <td class="clip-qa">
        <ClipQa clip={clip} />
      </td>
    </tr>
  );
}

function ClipState({ clip, loading }: { readonly clip: Clip; readonly loading: boolean }) {
  if (loading) return <span class="accent">Loading</span>;
  if (clip.error !== null) return <span class="err">Unreadable</span>;
  if (clip.failed !== null) {
    return (
      <span class="err" title={clip.failed}>
        Failed
      </span>
    );
  }
  if (clip.excluded) return <span class="dim">Excluded</span>;
  if (clip.stale) {
    return (
      <span class="warn" title="Its source or the options of the dataset changed since its conversion">
        Out of date
      </span>
    );
  }
  return <span class="dim">{clip.status === 'converted' ? 'Converted' : 'Not converted'}</span>;
}

/** Converts a clip again whose last conversion failed. */
function Retry({ dataset, clip }: { readonly dataset: string; readonly clip: string }) {
  return (
    <span class="row-action">
      <IconButton
        icon="reset"
        label={`Retry ${clip}`}
        disabled={liveJobs.value.some((job) => job.kind === 'convert' && job.dataset === dataset)}
        onClick={(event) => {
          event.stopPropagation();
          void retryClips(dataset, [clip]);
        }}
      />
    </span>
  );
}

function scoreTitle({ score }: Clip): string {
  if (score === null) return 'Not checked yet';
  return `Feasibility ${fixed(score.feasibility, 2)}, complexity ${fixed(score.complexity, 2)}`;
}

const SEVERITY_WORD = {
  ok: 'No findings',
  info: 'the worst is a note',
  warning: 'the worst is a warning',
  error: 'the worst is an error',
} as const;

function ClipQa({ clip }: { readonly clip: Clip }) {
  const badge = badgeOf(clip.qa);
  if (badge === null) return <span class="dim">–</span>;
  return (
    <span
      title={
        badge.kind === 'ok'
          ? SEVERITY_WORD.ok
          : `${count(clip.qa?.issues ?? 0, 'finding')}, ${SEVERITY_WORD[badge.kind]}`
      }
    >
      <Badge kind={badge.kind}>{badge.text}</Badge>
    </span>
  );
}
