import { useId, useState } from 'preact/hooks';
import type { ReadOptions } from '../../../../../src/protocol/schemas/reading.ts';
import { call } from '../../../net/api.ts';
import { Button, Segmented } from '../../../ui/controls.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { messageOf } from '../../../ui/message-of.ts';
import { numberIn } from '../../../ui/number-field.ts';
import { failed } from '../../../ui/toasts.ts';
import { jobEnd } from '../../jobs/jobs-store.ts';
import { type ConvertBody, convert } from '../data-actions.ts';
import { datasets } from '../data-store.ts';
import { reloadShown } from '../preview-store.ts';
import { closeDialog, DialogHead, useStillOpen } from './dialog-head.tsx';

const OWN = 'own';
type Units = NonNullable<ReadOptions['units']> | typeof OWN;
type Order = NonNullable<ReadOptions['quaternion']> | typeof OWN;

export interface ReadingDialogProps {
  readonly dataset: string;
  /** the clip to convert with the new settings */
  readonly clip: string;
}

/** Dialog that changes how the source files of a dataset are read. */
export function ReadingDialog({ dataset, clip }: ReadingDialogProps) {
  const before = datasets.state.value.value?.datasets.find((one) => one.name === dataset)?.read ?? {};
  const [fps, setFps] = useState(before.fps === undefined ? '' : String(before.fps));
  const [units, setUnits] = useState<Units>(before.units ?? OWN);
  const [order, setOrder] = useState<Order>(before.quaternion ?? OWN);
  const [starting, setStarting] = useState(false);
  const stillOpen = useStillOpen();
  const [error, setError] = useState<string | null>(null);
  const [joints, setJoints] = useState<string | null>(before.joint_order?.join('\n') ?? null);
  const rate = numberIn(fps, 1, 1000);
  const save = async () => {
    setStarting(true);
    setError(null);
    try {
      await convertRead(dataset, clip, {
        ...(rate.value === null ? {} : { fps: rate.value }),
        ...(units === OWN ? {} : { units }),
        ...(order === OWN ? {} : { quaternion: order }),
        ...(joints === null ? {} : { joint_order: namesIn(joints) }),
      });
      if (stillOpen()) closeDialog();
    } catch (failure) {
      setError(messageOf(failure));
      setStarting(false);
    }
  };
  return (
    <>
      <DialogHead>How the files of {dataset} are read</DialogHead>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (rate.error === null) void save();
        }}
      >
        <TextField
          label="Frame rate of the source"
          value={fps}
          placeholder="Default"
          unit="fps"
          numeric
          error={rate.error}
          hint="Default: stated by the file or its format, else 30 fps"
          onInput={setFps}
        />
        <Choice
          label="Root position in"
          value={units}
          options={[
            [OWN, 'Default'],
            ['m', 'm'],
            ['cm', 'cm'],
            ['mm', 'mm'],
          ]}
          onChange={setUnits}
        />
        <Choice
          label="Root quaternion"
          value={order}
          options={[
            [OWN, 'Default'],
            ['xyzw', 'x y z w'],
            ['wxyz', 'w x y z'],
          ]}
          onChange={setOrder}
        />
        <JointOrder text={joints} onChange={setJoints} />
        {error !== null && (
          <p class="note note-err" role="alert">
            <Icon name="warn" />
            {error}
          </p>
        )}
      </form>
      <footer class="dialog-foot">
        <span class="dim grow">Applies to all clips of the dataset. {clip} is converted now.</span>
        <Button kind="outline" onClick={closeDialog}>
          Cancel
        </Button>
        <Button kind="primary" busy={starting} disabled={rate.error !== null} onClick={() => void save()}>
          Save and convert
        </Button>
      </footer>
    </>
  );
}

function namesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

interface JointOrderProps {
  /** names of the joints; null: the order that the file states, else that of the robot */
  readonly text: string | null;
  readonly onChange: (text: string | null) => void;
}

/** Choice of the joint order. A list of its own begins with the order of the robot. */
function JointOrder({ text, onChange }: JointOrderProps) {
  const id = useId();
  const choose = async (own: boolean) => {
    if (!own) return onChange(null);
    try {
      const { joints } = await call('GET /api/data/joints');
      onChange(joints.map(({ name }) => name).join('\n'));
    } catch (error) {
      failed('The joints could not be read', error);
    }
  };
  return (
    <>
      <Choice
        label="Joint order"
        value={text === null ? OWN : 'listed'}
        options={[
          [OWN, 'Default'],
          ['listed', 'Listed below'],
        ]}
        onChange={(value) => void choose(value !== OWN)}
      />
      {text !== null && (
        <div class="field-row">
          <label for={id}>Joints in the order of the file's columns, one per line</label>
          <textarea
            id={id}
            class="joint-order mono"
            rows={6}
            spellcheck={false}
            value={text}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        </div>
      )}
    </>
  );
}

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly (readonly [value: V, text: string])[];
  readonly onChange: (value: V) => void;
}

function Choice<V extends string>({ label, value, options, onChange }: ChoiceProps<V>) {
  return (
    <div class="field-row">
      <span class="field-label">{label}</span>
      <Segmented label={label} value={value} options={options} onChange={onChange} />
    </div>
  );
}

/** Sets how the source files of a dataset are read, converts one clip with these settings, and loads the clip again if
 *  the scene still shows it. Returns when the conversion has started. @throws Error with the service's message about
 *  the options */
async function convertRead(dataset: string, clip: string, read: NonNullable<ConvertBody['read']>): Promise<void> {
  const job = await convert({ dataset, which: 'selected', clips: [clip], read });
  await datasets.refresh();
  const show = async () => {
    const { status } = await jobEnd(job);
    if (status === 'done') await reloadShown(dataset, clip);
  };
  show().catch((error: unknown) => failed(`${clip} could not be converted`, error));
}
