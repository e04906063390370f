import { urlOf } from '../../../../src/protocol/http-client.ts';
import type { Export, SelfTest } from '../../../../src/protocol/schemas/exports.ts';
import { call } from '../../net/api.ts';
import { Badge, IconButton } from '../../ui/controls.tsx';
import { ago, bytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Loadable } from '../../ui/loadable.ts';
import { Empty, WithLoaded } from '../../ui/states.tsx';
import { failed } from '../../ui/toasts.ts';

/** The exports of a run with the results of their self-tests. */
export function ExportList({ list }: { readonly list: Loadable<readonly Export[]> }) {
  const remove = (name: string) =>
    call('DELETE /api/exports/{name}', { params: { name } }).then(
      () => list.refresh(),
      (error: unknown) => failed('The export could not be deleted', error),
    );
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
                <IconButton icon="trash" label={`Delete ${one.name}`} onClick={() => void remove(one.name)} />
                <TestResult selftest={one.selftest} />
              </li>
            ))}
          </ul>
        )
      }
    </WithLoaded>
  );
}

/** Shows whether a bundle passed its self-test, what was tested, and what is wrong. */
export function TestResult({ selftest }: { readonly selftest: SelfTest }) {
  return (
    <p class="export-result">
      <Badge kind={selftest.ok ? 'ok' : 'error'}>{selftest.ok ? 'Self-test passed' : 'Self-test failed'}</Badge>{' '}
      <span class={selftest.ok ? 'dim' : ''}>{selftest.text}</span>
    </p>
  );
}
