import '../../ui/dialog-forms.css';
import './robot-import.css';
import { useEffect } from 'preact/hooks';
import { Badge, Button, IconButton } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { sentence } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { goTo } from '../../ui/layout.ts';
import { importRequest } from '../robots/import-request-store.ts';
import { robots } from '../robots/robots-store.ts';
import { CheckStep } from './check-step.tsx';
import { inspection, report } from './draft-store.ts';
import { FilesStep, robotId } from './files-step.tsx';
import { STEPS, type Step } from './import-steps.ts';
import { ModelStep } from './model-step.tsx';
import { ReviewStep, showWarnings } from './review-step.tsx';
import { SaveStep, saveReady } from './save-step.tsx';
import { cancelSending, chosenFolder, sending } from './sending-store.ts';
import { groupWarnings } from './warning-groups.ts';
import {
  chosenModel,
  goBack,
  goToStep,
  leaveImport,
  problem,
  readModel,
  replaced,
  runCheck,
  save,
  saved,
  selectSaved,
  startSending,
  step,
  stepReady,
  stopWork,
  takeRequest,
  uploadId,
  working,
} from './wizard-store.ts';

const TITLE: Readonly<Record<Step, string>> = {
  files: 'Files',
  model: 'Model',
  review: 'Review',
  check: 'Check',
  save: 'Save',
};

/** Title, steps and close button of the wizard. Opens the requested upload or robot. */
export function ImportHead() {
  const request = importRequest.value;
  useEffect(() => void takeRequest(request), [request]);
  const now = STEPS.indexOf(step.value);
  const done = saved.value !== null;
  return (
    <header class="import-head">
      <h2>{replaced.value === null || done ? 'Add robot' : 'Edit robot'}</h2>
      {uploadId.value !== null && (
        <span class="mono dim ellipsis import-name">
          {uploadId.value}
          {chosenModel.value !== null && ` / ${chosenModel.value}`}
        </span>
      )}
      <ol class="import-steps" aria-label="Steps">
        {STEPS.map((one, k) => {
          const past = done || k < now;
          return (
            <li key={one} class={past ? 'past' : k === now ? 'now' : ''}>
              <button
                type="button"
                aria-current={!done && k === now ? 'step' : undefined}
                disabled={done || k === now || !stepReady(one) || working.value !== null}
                onClick={() => (one === 'check' ? void runCheck() : goToStep(one))}
              >
                <span class="import-mark num">{past ? <Icon name="check" small /> : k + 1}</span>
                <span class="import-step">{TITLE[one]}</span>
              </button>
            </li>
          );
        })}
      </ol>
      <span class="grow" />
      <IconButton icon="close" label="Close and keep the draft" onClick={() => void leaveImport()} />
    </header>
  );
}

/** The current step, with its error above. */
export function ImportBody() {
  const now = step.value;
  return (
    <>
      {problem.value !== null && (
        <p class="note note-err import-problem" role="alert">
          <Icon name="warn" />
          <span>{problem.value}</span>
        </p>
      )}
      {now === 'files' && <FilesStep />}
      {now === 'model' && <ModelStep />}
      {now === 'review' && <ReviewStep />}
      {now === 'check' && <CheckStep />}
      {now === 'save' && <SaveStep />}
    </>
  );
}

/** Buttons to go back and forward, and the warnings. */
export function ImportFoot() {
  const busy = working.value;
  const stoppable = busy !== null && step.value === 'check';
  return (
    <footer class="import-foot">
      {step.value !== 'files' && saved.value === null && (
        <Button kind="outline" disabled={busy !== null} onClick={goBack}>
          Back
        </Button>
      )}
      <span class="grow" />
      {busy === null ? (
        <FootNote />
      ) : (
        <span class="dim import-working" role="status">
          <span class="spinner" aria-hidden="true" />
          {busy}
        </span>
      )}
      {stoppable && (
        <Button kind="outline" onClick={stopWork}>
          Stop
        </Button>
      )}
      <Next />
    </footer>
  );
}

function FootNote() {
  const warnings = inspection.value?.warnings ?? [];
  // List the most frequent warning first. Warnings about parts that were ignored on purpose come last.
  const weight = (texts: readonly string[]) => texts.length - (/ ignored\b/.test(texts[0] ?? '') ? 1000 : 0);
  const [largest] = groupWarnings(warnings).toSorted((a, b) => weight(b.texts) - weight(a.texts));
  if (step.value !== 'review' || warnings.length === 0) return null;
  return (
    <button type="button" class="import-warnings" onClick={showWarnings}>
      <Badge kind="warning">{warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}</Badge>
      <span class="dim ellipsis">{sentence(largest?.texts[0] ?? '')}</span>
    </button>
  );
}

function Next() {
  const busy = working.value !== null;
  switch (step.value) {
    case 'files':
      return <SendButton busy={busy} />;
    case 'model':
      return (
        <Button kind="primary" busy={busy} disabled={chosenModel.value === null} onClick={() => void readModel()}>
          {busy ? 'Reading' : 'Read model'}
        </Button>
      );
    case 'review':
      return (
        <Button kind="primary" disabled={busy} onClick={() => void runCheck()}>
          Run check
        </Button>
      );
    case 'check':
      return <AfterCheck busy={busy} />;
    case 'save':
      return saved.value === null ? (
        <Button kind="primary" busy={busy} disabled={!saveReady()} onClick={() => void save()}>
          {busy ? 'Saving' : 'Save robot'}
        </Button>
      ) : (
        <AfterSave />
      );
  }
}

/** Buttons that end the wizard after the robot was saved. If the robot has no clips, the main button adds some. */
function AfterSave() {
  const id = saved.value?.id;
  const hasClips = (robots.state.value.value?.robots.find((robot) => robot.id === id)?.datasets.length ?? 0) > 0;
  const addClips = async () => {
    await selectSaved();
    goTo('data');
    dataDialog.value = { kind: 'import' };
  };
  return (
    <>
      <Button kind={hasClips ? 'primary' : 'outline'} onClick={() => void selectSaved()}>
        Show robot
      </Button>
      {!hasClips && (
        <Button kind="primary" icon="upload" onClick={() => void addClips()}>
          Add motion clips
        </Button>
      )}
    </>
  );
}

function SendButton({ busy }: { readonly busy: boolean }) {
  if (sending.value?.state === 'running') {
    return (
      <Button kind="outline" onClick={cancelSending}>
        Stop upload
      </Button>
    );
  }
  const folder = chosenFolder.value;
  if (folder === null) return null;
  const again = sending.value !== null;
  return (
    <Button
      kind="primary"
      busy={busy}
      disabled={folder.files.length === 0 || robotId.value.trim() === ''}
      onClick={() => void startSending(robotId.value.trim())}
    >
      {again
        ? 'Upload missing files'
        : `Upload ${folder.files.length === 1 ? '1 file' : `${folder.files.length} files`}`}
    </Button>
  );
}

function AfterCheck({ busy }: { readonly busy: boolean }) {
  if (busy) return null;
  const now = report.value;
  if (now === null) {
    return (
      <Button kind="primary" onClick={() => void runCheck()}>
        Run check
      </Button>
    );
  }
  if (now.ok) {
    return (
      <Button kind="primary" onClick={() => goToStep('save')}>
        Continue
      </Button>
    );
  }
  return (
    <>
      <Button kind="quiet" title="Continues to saving with these settings" onClick={() => goToStep('save')}>
        Continue anyway
      </Button>
      <Button kind="primary" onClick={() => goToStep('review')}>
        Change the robot
      </Button>
    </>
  );
}
