import { useEffect, useState } from 'preact/hooks';
import type { ExportFormat } from '../../../../src/protocol/schemas/exports.ts';
import { call } from '../../net/api.ts';
import { runSlow } from '../../net/busy.ts';
import { Button, Segmented } from '../../ui/controls.tsx';
import { FieldRow, TextField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { failed } from '../../ui/toasts.ts';
import { runs } from '../runs/runs-store.ts';

const FORMATS: readonly (readonly [value: ExportFormat, text: string])[] = [
  ['whole_body_tracking', 'whole_body_tracking'],
  ['unitree', 'Unitree'],
  ['wbc-g1-deploy', 'wbc-g1-deploy'],
];
const MEANING: Readonly<Record<ExportFormat, string>> = {
  whole_body_tracking: 'One ONNX file with the clip inside, for motion_tracking_controller',
  unitree: 'Policy folder with deploy.yaml, for the controllers of unitree_rl_lab and unitree_rl_mjlab',
  'wbc-g1-deploy': 'Folder with config.yaml and a manifest of clips, for wbc-g1-deploy',
};
/** Maximum number of clips in the menu. */
const LISTED = 1000;

interface ExportFormProps {
  readonly run: string;
  readonly checkpoint: string | undefined;
  /** called when an export has ended, also after a failure */
  readonly onDone: () => void;
}

/** The form that starts an export. */
export function ExportForm({ run: path, checkpoint, onDone }: ExportFormProps) {
  const run = runs.value?.find((one) => one.path === path) ?? null;
  const [format, setFormat] = useState<ExportFormat>('unitree');
  const [chosen, setChosen] = useState(checkpoint ?? '');
  const clips = useClips(path);
  const [named, setNamed] = useState<string | null>(null);
  const clip = named ?? clips[0] ?? '';
  const [standIn, setStandIn] = useState('2');
  const [standOut, setStandOut] = useState('2');
  const [whole, setWhole] = useState<'10 s' | 'clip'>('10 s');
  const [busy, setBusy] = useState(false);
  useEffect(() => void runs.refresh(), [path]);
  const ready = standingProblem(standIn) === null && standingProblem(standOut) === null && clip !== '';
  const start = async () => {
    setBusy(true);
    await runSlow('The policy could not be exported', () =>
      call('POST /api/export', {
        body: {
          run: path,
          format,
          clip,
          ...(chosen === '' ? {} : { checkpoint: chosen }),
          stand_in_s: Number(standIn),
          stand_out_s: Number(standOut),
          selftest_s: whole === 'clip' ? null : 10,
        },
      }),
    );
    setBusy(false);
    onDone();
  };
  return (
    <form class="export-form" onSubmit={(event) => event.preventDefault()}>
      <FieldRow label="Format" hint={MEANING[format]}>
        {() => <Segmented label="Format" value={format} options={FORMATS} onChange={setFormat} />}
      </FieldRow>
      <div class="form-pair">
        <Menu
          label="Checkpoint"
          value={chosen}
          onChange={setChosen}
          options={[
            ['', `${run?.latest ?? 'latest'} (newest)`],
            ...(run?.checkpoints ?? []).map(({ name }) => [name, name] as const).reverse(),
          ]}
        />
        <Menu label="Clip" value={clip} onChange={setNamed} options={clips.map((name) => [name, name] as const)} />
      </div>
      <div class="form-pair">
        <Standing
          label="Stand in"
          hint="Motion from standing to the first frame"
          value={standIn}
          onInput={setStandIn}
        />
        <Standing
          label="Stand out"
          hint="Motion from the last frame to standing"
          value={standOut}
          onInput={setStandOut}
        />
      </div>
      <div class="export-submit">
        <Segmented
          label="Self-test"
          value={whole}
          options={[
            ['10 s', 'Test 10 s'],
            ['clip', 'Test whole clip'],
          ]}
          onChange={setWhole}
        />
        <Button kind="primary" icon="robot" busy={busy} disabled={!ready} onClick={() => void start()}>
          {busy ? 'Writing and testing' : 'Export'}
        </Button>
      </div>
    </form>
  );
}

/** Returns the names of the clips of the run's own motion library; an empty list until they are known. */
function useClips(run: string): readonly string[] {
  const [clips, setClips] = useState<readonly string[]>([]);
  useEffect(() => {
    clipsOf(run).then(setClips, (error: unknown) => failed('The clips of the run could not be listed', error));
  }, [run]);
  return clips;
}

interface StandingProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

/** A field for the duration for which the robot stands before or after the clip, s. */
function Standing(props: StandingProps) {
  return <TextField {...props} numeric unit="s" error={standingProblem(props.value)} />;
}

function standingProblem(text: string): string | null {
  return text.trim() !== '' && Number(text) >= 0 && Number(text) <= 60 ? null : 'Must be a number from 0 to 60';
}

interface MenuProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly onChange: (value: string) => void;
}

function Menu({ label, value, options, onChange }: MenuProps) {
  return (
    <FieldRow label={label}>
      {(ids) => (
        <span class="select boxed">
          <select {...ids} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
            {options.map(([one, title]) => (
              <option key={one} value={one}>
                {title}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </FieldRow>
  );
}

/** Lists the clips of the run's own motion library. A library that is a single file contains one clip with the name of
 *  the file. */
async function clipsOf(run: string): Promise<readonly string[]> {
  const { libraries } = await call('GET /api/play/libraries', { query: { run } });
  const [own] = libraries;
  const dataset = /^data\/[^/]+\/([^/]+)$/.exec(own?.path ?? '')?.[1];
  if (dataset === undefined) return own === undefined ? [] : [own.name];
  const query = { dataset, status: 'converted', size: LISTED, excluded: false } as const;
  return (await call('GET /api/data/clips', { query })).clips.map(({ name }) => name);
}
