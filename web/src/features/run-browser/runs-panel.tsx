import './run-browser.css';
import { useEffect } from 'preact/hooks';
import { Button, Switch } from '../../ui/controls.tsx';
import { whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Picker } from '../../ui/picker.tsx';
import { robot } from '../robots/robots-store.ts';
import { allRuns } from '../runs/runs-store.ts';
import { filter, rows, setFilter } from './run-browser-store.ts';
import { ALL_RUNS, valuesOf } from './run-rows.ts';

/** The search field and the filters of the table of runs. */
export function RunsPanel() {
  useEffect(() => void allRuns.refresh(), [robot.value?.id]);
  const all = allRuns.state.value.value ?? [];
  const now = filter.value;
  return (
    <>
      <header class="pane-head">
        <h2>Runs</h2>
        <span class="count num">{whole(rows.value.length)}</span>
        <span class="grow" />
        <Button
          small
          kind="quiet"
          disabled={now === ALL_RUNS}
          onClick={() => {
            filter.value = ALL_RUNS;
          }}
        >
          Clear filters
        </Button>
      </header>
      <section class="pane-body run-filters" aria-label="Filter runs">
        <label class="field search-field">
          <Icon name="search" />
          <input
            id="run-search"
            type="search"
            aria-label="Search runs"
            placeholder="Name, task, tag or note"
            value={now.text}
            onInput={(event) => setFilter({ text: event.currentTarget.value })}
          />
        </label>
        <Choice
          label="Task"
          value={now.task}
          values={valuesOf(all, (run) => [run.task])}
          onChange={(task) => setFilter({ task })}
        />
        <Choice
          label="Dataset"
          value={now.dataset}
          values={valuesOf(all, (run) => [run.dataset])}
          onChange={(dataset) => setFilter({ dataset })}
        />
        <Choice
          label="Tag"
          value={now.tag}
          values={valuesOf(all, (run) => run.tags)}
          onChange={(tag) => setFilter({ tag })}
        />
        <Switch label="Favourites only" on={now.favourites} onChange={(favourites) => setFilter({ favourites })} />
        <Switch label="Cannot be played" on={now.unplayable} onChange={(unplayable) => setFilter({ unplayable })} />
      </section>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, values, onChange }: ChoiceProps) {
  return (
    <Picker label={label} value={value} onChange={onChange}>
      <option value="">All</option>
      {values.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </Picker>
  );
}
