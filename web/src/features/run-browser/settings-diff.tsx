import { useEffect, useState } from 'preact/hooks';
import { urlOf } from '../../../../src/protocol/http-client.ts';
import { messageOf } from '../../ui/message-of.ts';
import { Empty, Failed, Skeleton } from '../../ui/states.tsx';
import { nameOf } from './run-browser-store.ts';
import { differences, yamlLines } from './yaml-lines.ts';

/** Files with the settings with which a run was trained. */
const FILES = ['params/agent.yaml', 'params/env.yaml'];

/** Reads the settings of a run from its files, without those that do not exist. @throws Error if the service fails */
async function settingsOf(run: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>();
  for (const file of FILES) {
    const response = await fetch(urlOf('GET /api/runs/file', {}, { run, file }), { signal });
    if (response.status >= 500) throw new Error(`${file} of ${run} cannot be read: ${response.statusText}`);
    if (!response.ok) continue; // An imported policy has no such files.
    for (const [name, value] of yamlLines(await response.text())) all.set(name, value);
  }
  return all;
}

/** A table of the settings in which runs differ. @param paths paths of two to four runs */
export function SettingsDiff({ paths }: { readonly paths: readonly string[] }) {
  const [found, setFound] = useState<readonly ReadonlyMap<string, string>[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setFound(null);
    setError(null);
    Promise.all(paths.map((path) => settingsOf(path, stop.signal))).then(setFound, (failure: unknown) => {
      if (!stop.signal.aborted) setError(messageOf(failure));
    });
    return () => stop.abort();
  }, [paths.join(), tries]);
  if (paths.length < 2) {
    return (
      <Empty icon="compare" title="Select another run">
        <p class="dim">Tick two to four runs in the table to see in which settings they differ.</p>
      </Empty>
    );
  }
  if (error !== null)
    return <Failed what="The settings could not be read" detail={error} onRetry={() => setTries(tries + 1)} />;
  if (found === null) return <Skeleton rows={10} label="Reading the settings" />;
  const list = differences(found);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class="runs-body" aria-label="Difference of settings" tabIndex={0}>
      {list.length === 0 ? (
        <Empty icon="check" title="The settings are equal" />
      ) : (
        <table class="runs-diff">
          <thead>
            <tr>
              <th scope="col">Setting</th>
              {paths.map((path) => (
                <th key={path} scope="col" title={path}>
                  {nameOf(path)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row" class="mono">
                  {name}
                </th>
                {values.map((value, k) => (
                  <td key={paths[k]} class="mono">
                    {value ?? '–'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
