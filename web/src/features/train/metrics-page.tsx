import './train.css';
import { useEffect, useState } from 'preact/hooks';
import { IconButton } from '../../ui/controls.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { ago } from '../../ui/format.ts';
import { Icon, Logo } from '../../ui/icon.tsx';
import { theme, toggleTheme } from '../../ui/layout.ts';
import { Empty, WithLoaded } from '../../ui/states.tsx';
import { jobs } from '../jobs/jobs-store.ts';
import { runs } from '../runs/runs-store.ts';
import { CurvesView } from './curves-view.tsx';
import { MOST_COMPARED } from './train-view.ts';
import { compared, toggleCompared } from './train-view-store.ts';

/** The run in the page's address: `#metrics?run=<run_dir>/<run>`. */
function askedRun(): string | null {
  return new URLSearchParams(location.hash.split('?', 2)[1] ?? '').get('run');
}

/** Training metrics in a window of their own: any runs of the robot in the same charts, live. */
export function MetricsPage() {
  const [text, setText] = useState('');
  useEffect(() => {
    const asked = askedRun();
    if (asked !== null) compared.value = [asked];
    void runs.refresh().then(() => {
      const newest = runs.state.peek().value?.find(({ format }) => format !== 'deploy');
      if (compared.peek().length === 0 && newest !== undefined) compared.value = [newest.path];
    });
  }, []);
  // runs appear and disappear with jobs
  const names = jobs.value.map(({ name, status, run }) => `${name} ${status} ${run}`).join();
  useEffect(() => void runs.refresh(), [names]);
  const shown = compared.value;
  const needle = text.trim().toLowerCase();
  return (
    <div class="metrics">
      <header class="top metrics-top">
        <a class="metrics-home" href=".//" title="Back to the studio">
          <Logo />
          <span class="semi">motion-studio</span>
        </a>
        <h1>Metrics</h1>
        <span class="grow" />
        <IconButton
          icon={theme.value === 'dark' ? 'sun' : 'moon'}
          label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
          onClick={toggleTheme}
        />
      </header>
      <aside class="metrics-runs" aria-label="Runs">
        <label class="field search-field">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search runs"
            placeholder="Search runs"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <WithLoaded
          loaded={runs.state.value}
          what="The runs could not be read"
          rows={6}
          retry={() => void runs.refresh()}
        >
          {(list) =>
            list.length === 0 ? (
              <Empty title="No run yet" />
            ) : (
              <ul>
                {list
                  .filter(({ format, path }) => format !== 'deploy' && path.toLowerCase().includes(needle))
                  .map(({ path, run, task, modified }) => {
                    const at = shown.indexOf(path);
                    return (
                      <li key={path}>
                        <Checkbox
                          label={`Show ${run}`}
                          checked={at >= 0}
                          disabled={at < 0 && shown.length >= MOST_COMPARED}
                          onChange={() => toggleCompared(path)}
                        />
                        <span class={`run-mark${at < 0 ? '' : ` line-${(at % 8) + 1}`}`} aria-hidden="true" />
                        <span class="run-name">
                          <span class="ellipsis" title={path}>
                            {run}
                          </span>
                          <span class="dim ellipsis">
                            {task ?? 'unknown task'} · {ago(modified, Date.now())}
                          </span>
                        </span>
                      </li>
                    );
                  })}
              </ul>
            )
          }
        </WithLoaded>
      </aside>
      <main class="metrics-main" aria-label="Curves">
        {shown.length === 0 ? (
          <Empty icon="train" title="Choose runs on the left" />
        ) : (
          <CurvesView
            sources={shown.map((path) => ({
              key: path,
              label: path.slice(path.indexOf('/') + 1),
              job: null,
              run: path,
            }))}
            until={0}
            empty="These runs have no curves in this group"
          />
        )}
      </main>
    </div>
  );
}
