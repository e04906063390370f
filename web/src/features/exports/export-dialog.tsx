import './export.css';
import { useEffect, useMemo } from 'preact/hooks';
import { call } from '../../net/api.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Loadable } from '../../ui/loadable.ts';
import { CheckBundle } from './check-bundle.tsx';
import { exportDialog } from './export-dialog-store.ts';
import { ExportForm } from './export-form.tsx';
import { ExportList } from './export-list.tsx';

/** Contents of the dialog: the form, the exports of the run, and the check of a bundle. */
export function ExportDialog() {
  const request = exportDialog.value;
  const run = request?.run ?? null;
  const list = useMemo(
    () =>
      run === null ? null : new Loadable(async () => (await call('GET /api/exports', { query: { run } })).exports),
    [run],
  );
  useEffect(() => void list?.refresh(), [list]);
  if (run === null || list === null) return null;
  return (
    <>
      <header class="dialog-head">
        <h2 class="ellipsis" title={run}>
          Export {run.slice(run.indexOf('/') + 1)}
        </h2>
        <IconButton
          icon="close"
          label="Close"
          hint="Esc"
          onClick={() => {
            exportDialog.value = null;
          }}
        />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <section class="exports" tabIndex={0} aria-label="Exports">
        <ExportForm run={run} checkpoint={request?.checkpoint} onDone={() => void list.refresh()} />
        <ExportList list={list} />
        <CheckBundle />
      </section>
    </>
  );
}
