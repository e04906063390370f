import { useRef, useState } from 'preact/hooks';
import { detailIn } from '../../../../src/protocol/http-client.ts';
import type { SelfTest } from '../../../../src/protocol/schemas/exports.ts';
import { Button } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { TestResult } from './export-list.tsx';

/** What is shown for a check: its result, or the reason why the bundle could not be tested. */
type Outcome =
  | { readonly file: string; readonly selftest: SelfTest }
  | { readonly file: string; readonly error: string };

/** Lets the user choose a zip file of a bundle and tests it on the selected robot. */
export function CheckBundle() {
  const field = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const check = async (file: File) => {
    setBusy(true);
    setOutcome(null);
    try {
      setOutcome({ file: file.name, selftest: await tested(file) });
    } catch (error) {
      setOutcome({ file: file.name, error: messageOf(error) });
    }
    setBusy(false);
  };
  return (
    <section class="export-check" aria-label="Check a bundle">
      <div class="choice-row">
        <Button icon="upload" busy={busy} onClick={() => field.current?.click()}>
          {busy ? 'Testing' : 'Check a bundle'}
        </Button>
        <span class="dim">
          Tests a zip file on the selected robot. The file may also have been changed by hand or written by another
          program.
        </span>
      </div>
      <input
        ref={field}
        type="file"
        class="visually-hidden"
        tabIndex={-1}
        accept=".zip"
        aria-label="Deployment bundle (zip file)"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = ''; // Clear the input, so that the same file can be chosen again.
          if (file) void check(file);
        }}
      />
      {outcome !== null && (
        <div role="status">
          <p class="medium">{outcome.file}</p>
          {'error' in outcome ? (
            <p class="note note-err">
              <Icon name="warn" />
              {outcome.error}
            </p>
          ) : (
            <TestResult selftest={outcome.selftest} />
          )}
        </div>
      )}
    </section>
  );
}

/** Uploads a bundle and tests it. @throws Error with the service's message */
async function tested(file: File): Promise<SelfTest> {
  const reply = await fetch('api/exports/check', { method: 'PUT', body: file });
  if (!reply.ok) throw new Error(detailIn(await reply.text(), `${reply.status} ${reply.statusText}`.trim()));
  return ((await reply.json()) as { readonly selftest: SelfTest }).selftest;
}
