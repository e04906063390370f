import { useState } from 'preact/hooks';
import { urlOf } from '../../../../src/protocol/http-client.ts';
import type { Export, SelfTest } from '../../../../src/protocol/schemas/exports.ts';
import { call } from '../../net/api.ts';
import { FINAL_NOTE } from '../../net/undo.ts';
import { Badge, IconButton } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Confirm } from '../../ui/dialogs/confirm.tsx';
import { ago, bytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Loadable } from '../../ui/loadable.ts';
import { Empty, WithLoaded } from '../../ui/states.tsx';

/** The exports of a run with the results of their self-tests. */
export function ExportList({ list }: { readonly list: Loadable<readonly Export[]> }) {
  const [asked, setAsked] = useState<string | null>(null);
  const remove = async (name: string) => {
    await call('DELETE /api/exports/{name}', { params: { name } });
    await list.refresh();
  };
  const close = () => setAsked(null);
  return (
    <>
      <List list={list} onDelete={setAsked} />
      <Dialog open={asked !== null} label="Delete export" onClose={close}>
        {asked !== null && (
          <Confirm title={`Delete ${asked}?`} word="Delete export" onClose={close} run={() => remove(asked)}>
            The bundle is deleted. {FINAL_NOTE} You can export the run again.
          </Confirm>
        )}
      </Dialog>
    </>
  );
}

interface ListProps {
  readonly list: Loadable<readonly Export[]>;
  readonly onDelete: (name: string) => void;
}

function List({ list, onDelete }: ListProps) {
  return (
    <WithLoaded loaded={list.state.value} what="The exports could not be read" retry={() => void list.refresh()}>
      {(exports) =>
        exports.length === 0 ? (
          <Empty title="No export yet" />
        ) : (
          <ul class="export-list" aria-label="Exported bundles">
            {exports.map((one) => (
              <li key={one.name}>
                <span class="export-name">
                  <span class="medium ellipsis">{one.name}</span>
                  <span class="dim ellipsis">
                    {one.checkpoint} · {bytes(one.bytes)} · {ago(one.created, Date.now())}
                  </span>
                </span>
                <a
                  class="icon-btn"
                  href={urlOf('GET /api/exports/{name}', { name: one.name }, {})}
                  download={`${one.name}.zip`}
                  aria-label={`Download ${one.name}`}
                  title="Download as a zip file"
                >
                  <Icon name="download" />
                </a>
                <IconButton icon="trash" label={`Delete ${one.name}`} onClick={() => onDelete(one.name)} />
                <TestResult selftest={one.selftest} />
              </li>
            ))}
          </ul>
        )
      }
    </WithLoaded>
  );
}

/** Shows whether a bundle passed its self-test, the results of the test, and the problems found. */
export function TestResult({ selftest }: { readonly selftest: SelfTest }) {
  return (
    <p class="export-result">
      <Badge kind={selftest.ok ? 'ok' : 'error'}>{selftest.ok ? 'Self-test passed' : 'Self-test failed'}</Badge>{' '}
      <span class={selftest.ok ? 'dim' : ''}>{selftest.text}</span>
    </p>
  );
}
