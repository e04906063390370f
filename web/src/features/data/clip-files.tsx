import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Clip, Preview } from '../../../../src/protocol/schemas/data.ts';
import type { ReadOptions } from '../../../../src/protocol/schemas/reading.ts';
import { Button } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { bytes, clock, dateTime, fixed, rate, whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { openMarks } from './curation.ts';
import { downloadUrl, retryClips } from './data-actions.ts';
import { datasets } from './data-store.ts';
import { duration } from './preview-store.ts';
import { assumedWords, readWords } from './shared/assumed-words.ts';

export interface ClipFilesProps {
  readonly open: Preview;
  readonly clip: Clip | null;
  /** reason why the entry of the clip could not be read; null if it was read */
  readonly error: string | null;
}

/** Files of the open clip: how they are read, the score, the marks, and the actions on the clip. */
export function ClipFiles({ open, clip, error }: ClipFilesProps) {
  const [now] = useState(Date.now());
  return (
    <>
      <dl class="facts">
        <Fact name="Dataset" value={open.dataset ?? open.grid?.dataset ?? '–'} />
        <Fact name="Length" value={clock(duration.value, 2)} unit="m:s" />
        <Fact name="Frames" value={whole(open.frames)} />
        <Fact name="Frame rate" value={rate(open.fps)} unit="fps" />
        {clip !== null && <Fact name="Converted" value={converted(clip)} />}
        {clip !== null && (
          <Fact
            name="Modified"
            value={dateTime(clip.modified)}
            title={`${Math.round((now - new Date(clip.modified).getTime()) / 86_400_000)} days ago`}
          />
        )}
      </dl>
      {error !== null && <ErrorNote text={error} />}
      {open.dataset !== null && clip !== null && (
        <>
          {clip.failed !== null && <FailedNote dataset={open.dataset} clip={clip} />}
          <SourceSection dataset={open.dataset} clip={clip} />
          <ScoreSection clip={clip} />
          <MarksSection dataset={open.dataset} clip={clip} />
          <FileActions set={open.dataset} clip={clip} />
        </>
      )}
    </>
  );
}

interface ClipProps {
  readonly dataset: string;
  readonly clip: Clip;
}

function FailedNote({ dataset, clip }: ClipProps) {
  return (
    <div class="note note-err">
      <Icon name="warn" />
      <div class="grow">
        <p>The last conversion failed: {clip.failed}</p>
        <Button small kind="outline" onClick={() => void retryClips(dataset, [clip.name])}>
          Retry
        </Button>
      </div>
    </div>
  );
}

/** The source file of a clip and how it is read. */
export function SourceSection({ dataset, clip }: ClipProps) {
  const read: ReadOptions = datasets.value?.datasets.find(({ name }) => name === dataset)?.read ?? {};
  const { source } = clip;
  if (source === null) return null;
  return (
    <FactsSection
      title="Source file"
      action={
        <Button small onClick={() => (dataDialog.value = { kind: 'reading', dataset, clip: clip.name })}>
          Change
        </Button>
      }
    >
      <Fact name="Name" value={source.file} mono />
      <Fact name="Format" value={`${source.format.toUpperCase()}, ${bytes(source.bytes)}`} />
      {source.assumed.map((one) => (
        <Fact key={one.what} {...assumedWords(one)} />
      ))}
      {readWords(read).map((one) => (
        <Fact key={one.name} {...one} />
      ))}
    </FactsSection>
  );
}

function ScoreSection({ clip: { score } }: { readonly clip: Clip }) {
  if (score === null) return null;
  const percent = (share: number, decimals: number) => fixed(100 * share, decimals);
  return (
    <FactsSection title="Score">
      <Fact
        name="Feasibility"
        value={fixed(score.feasibility, 2)}
        unit="of 1"
        title="How well the robot can follow the clip: 0 not at all, 1 within all limits"
      />
      <Fact
        name="Complexity"
        value={fixed(score.complexity, 2)}
        unit="of 1"
        title="How much the motion moves, loads the joints, leaves the floor and changes height"
      />
      <Fact
        name="Torque"
        value={percent(score.torque, 0)}
        unit="% of the limit"
        title="Largest torque of a joint by inverse dynamics, 95th percentile over time"
      />
      <Fact
        name="Balance"
        value={fixed(score.support, 3)}
        unit="m outside the feet"
        title="Distance of the zero moment point from the area that touches the floor, mean over time"
      />
      <Fact name="Self-collision" value={percent(score.collision, 1)} unit="% of the time" />
      <Fact name="Airborne" value={percent(score.airborne, 1)} unit="% of the time" />
      <Fact
        name="Jerk"
        value={whole(score.jerk)}
        unit="m/s³"
        title="Third derivative of the positions of the key bodies, 95th percentile"
      />
    </FactsSection>
  );
}

function MarksSection({ dataset, clip }: ClipProps) {
  const { excluded, weight, tags } = clip;
  return (
    <FactsSection
      title="Marks"
      action={
        <Button small onClick={() => openMarks(dataset, [clip.name], clip)}>
          Mark
        </Button>
      }
    >
      <Fact name="Training and evaluation" value={excluded ? 'excluded' : 'included'} />
      <Fact name="Weight" value={String(weight)} />
      <Fact name="Tags" value={tags.length === 0 ? 'none' : tags.join(', ')} title={tags.join(', ')} />
    </FactsSection>
  );
}

interface FactsSectionProps {
  readonly title: string;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

function FactsSection({ title, action, children }: FactsSectionProps) {
  const id = `clip-${title.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <h3 id={id}>{title}</h3>
        {action}
      </div>
      <dl class="facts">{children}</dl>
    </section>
  );
}

function converted(clip: Clip): string {
  if (clip.stale) return 'out of date';
  return clip.status === 'converted' ? 'yes' : 'not yet';
}

export interface FileActionsProps {
  readonly set: string;
  readonly clip: Clip;
}

/** Buttons that convert, rename, download and delete a clip. */
export function FileActions({ set, clip }: FileActionsProps) {
  const { name } = clip;
  const readable = clip.error === null;
  return (
    <div class="file-actions">
      {clip.raw && readable && (
        <Button onClick={() => (dataDialog.value = { kind: 'convert', dataset: set, clips: [name] })}>
          {clip.status === 'converted' ? 'Convert again' : 'Convert'}
        </Button>
      )}
      {clip.raw && (
        <Button onClick={() => (dataDialog.value = { kind: 'rename', dataset: set, clip: name })}>Rename</Button>
      )}
      {clip.raw && (
        <a class="btn btn-default" href={downloadUrl(set, name, 'raw')} download>
          <Icon name="download" />
          Raw file
        </a>
      )}
      {(clip.status === 'converted' || clip.stale) && (
        <a class="btn btn-default" href={downloadUrl(set, name, 'npz')} download>
          <Icon name="download" />
          Converted
        </a>
      )}
      <Button kind="danger" onClick={() => (dataDialog.value = { kind: 'delete-clips', dataset: set, clips: [name] })}>
        Delete
      </Button>
    </div>
  );
}

export function ErrorNote({ text }: { readonly text: string }) {
  return (
    <p class="note note-err">
      <Icon name="warn" />
      {text}
    </p>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly mono?: boolean;
  readonly title?: string;
}

function Fact({ name, value, unit, mono = false, title }: FactProps) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd class={mono ? 'mono ellipsis' : 'num ellipsis'} title={mono ? value : undefined}>
        {value}
        {unit !== undefined && <span class="dim"> {unit}</span>}
      </dd>
    </div>
  );
}
