import { copyText } from '../../ui/clipboard.ts';
import { Badge, IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { askForNotices } from '../../ui/notices.ts';
import { CheckList } from '../tasks/shared/check-list.tsx';
import { checked, form, isReady, launchBody, starting, startTraining } from './form-store.ts';
import { commandLine, isComplete, shellLine, timeText } from './launch-form.ts';

/** Shows the result of the service's checks before a training is started. */
export function LaunchChecks() {
  const { reply, error, loading } = checked.value;
  const checks = reply?.checks ?? [];
  const passed = checks.filter(({ ok }) => ok).length;
  return (
    <section class="train-checks" aria-labelledby="checks-title" aria-busy={loading}>
      <div class="train-checks-head">
        <h3 id="checks-title">Before launch</h3>
        <span role="status" aria-label="Checks">
          {loading ? (
            <span class="dim">Checking</span>
          ) : error !== null ? (
            <Badge kind="error">Cannot start</Badge>
          ) : (
            checks.length > 0 && (
              <Badge kind={passed === checks.length ? 'ok' : 'error'}>
                {passed} of {checks.length}
              </Badge>
            )
          )}
        </span>
      </div>
      {error !== null && (
        <p class="note note-err train-error" role="alert">
          <Icon name="warn" />
          <span>{error}</span>
        </p>
      )}
      <CheckList checks={checks} />
      {!isComplete(form.value) && !loading && (
        <p class="dim">{form.value.dataset === '' ? 'Choose a dataset first.' : 'Correct the marked fields.'}</p>
      )}
    </section>
  );
}

/** The start button. Below it, the request as a shell command and, for an external trainer, the command that the
 *  trainer runs. */
export function LaunchFoot() {
  const body = launchBody.value;
  if (body.task === '') return null;
  const line = shellLine(body, location.origin);
  const command = form.value.trainer === 'builtin' ? null : (checked.value.reply?.command ?? null);
  const { error, reply } = checked.value;
  const time = timeText(reply);
  const canStart = isReady.value && !starting.value;
  return (
    <footer class="train-foot">
      {time !== null && (
        <p class="dim num ellipsis" role="status" aria-label="Expected time" title={time.full}>
          {time.brief}
        </p>
      )}
      <button
        type="button"
        class="btn btn-primary train-start"
        // Not disabled: the checks run while the keyboard moves here, and it would skip a disabled button.
        aria-disabled={!canStart}
        aria-busy={starting.value}
        title={
          canStart ? 'Starts a training that continues without this page' : (error ?? 'The checks have not passed')
        }
        onClick={() => {
          if (!canStart) return;
          askForNotices();
          void startTraining();
        }}
      >
        {starting.value && <span class="spinner" aria-hidden="true" />}
        {starting.value ? 'Starting' : 'Start training'}
      </button>
      <details class="train-more">
        <summary>Command line</summary>
        <Line title="Request" text={line} />
        {command !== null && <Line title="Command of the trainer" text={commandLine(command)} />}
      </details>
    </footer>
  );
}

function Line({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <div class="train-foot-head">
        <h3>{title}</h3>
        <IconButton icon="copy" label={`Copy the ${title.toLowerCase()}`} onClick={() => void copyText(text, title)} />
      </div>
      <pre>{text}</pre>
    </>
  );
}
