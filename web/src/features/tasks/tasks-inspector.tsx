import './tasks.css';
import { copyText } from '../../ui/clipboard.ts';
import { Badge, Button, IconButton, Tabs } from '../../ui/controls.tsx';
import { bytes, whole } from '../../ui/format.ts';
import { showInspector } from '../../ui/layout.ts';
import { Empty } from '../../ui/states.tsx';
import { check, isChecking, problems } from './check-store.ts';
import { draft } from './drafts-store.ts';
import { dryRun, inspectorTab } from './dry-run-store.ts';
import { type Change, changes, edits, query, schema, show } from './editor-store.ts';
import { badgeText } from './knob-value.ts';
import { presets } from './presets-store.ts';
import { CheckList } from './shared/check-list.tsx';

/** Shows the changes of the draft, its file, the service's check and the terms that are affected. */
export function TasksInspector() {
  const tab = inspectorTab.value;
  const now = draft.value;
  if (now === null) return <BaseFacts />;
  return (
    <>
      <h2 class="visually-hidden">What {now.name} changes</h2>
      <div class="task-tabs">
        <Tabs
          label="About this draft"
          value={tab}
          tabs={[
            ['changes', 'Changes', changes.value.length],
            ['yaml', 'YAML'],
            ['checks', 'Checks'],
          ]}
          onChange={(next) => {
            inspectorTab.value = next;
          }}
        />
        <IconButton icon="panel" label="Hide inspector" onClick={() => showInspector(false)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <div class="pane-body" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === 'changes' && <Changes />}
        {tab === 'yaml' && <Yaml />}
        {tab === 'checks' && <Checks />}
        {tab === 'checks' && now.kind === 'preset' && <DryRunFound preset={now.name} />}
        {now.kind === 'preset' && <EffectFigures />}
      </div>
      <SavedAs />
    </>
  );
}

function BaseFacts() {
  const reply = schema.value.value;
  const groups = [...new Set(reply?.terms.flatMap(({ path }) => /^observations\.([^.]+)/.exec(path)?.[1] ?? []))];
  const terms = (start: string) => reply?.terms.filter(({ path }) => path.startsWith(start)).length ?? 0;
  return (
    <>
      <header class="pane-head">
        <h2>Built-in task</h2>
        <span class="grow" />
        <IconButton icon="panel" label="Hide inspector" onClick={() => showInspector(false)} />
      </header>
      <div class="pane-body">
        <p class="task-note dim">
          Built-in tasks cannot be changed. A preset changes some settings of a built-in task.
        </p>
        <dl class="effect">
          {groups.map((group) => (
            <Figure
              key={group}
              name={`Terms of the ${group}`}
              now={whole(terms(`observations.${group}.`))}
              before={null}
            />
          ))}
          <Figure name="Rewards" now={whole(terms('rewards.'))} before={null} />
          <Figure name="Terminations" now={whole(terms('terminations.'))} before={null} />
          <Figure name="Events" now={whole(terms('events.'))} before={null} />
        </dl>
      </div>
    </>
  );
}

function Changes() {
  if (changes.value.length === 0)
    return (
      <Empty title="No changes yet">
        <p class="dim">Changed settings are listed here.</p>
      </Empty>
    );
  return (
    <ul class="changes" aria-label="Changes">
      {changes.value.map((change) => (
        <li key={change.path}>
          <button
            type="button"
            class="change"
            title={`Find ${change.path}`}
            onClick={() => {
              query.value = change.path;
              show.value = 'all';
            }}
          >
            <span class="change-name">
              <span class="dim ellipsis">{change.place}</span>
              <span class="medium ellipsis">{change.name}</span>
            </span>
            <ChangeValue change={change} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function ChangeValue({ change: { path, kind, knob } }: { readonly change: Change }) {
  if (kind === 'added') return <Badge kind="accent">Added</Badge>;
  if (kind === 'removed') return <Badge kind="accent">Removed</Badge>;
  if (knob === null) return <Badge kind="error">Unknown</Badge>;
  const ordered = knob.ordered === true;
  const bad = draft.value?.bad[path];
  const wrong = problems.value.some((one) => one.path === path);
  return (
    <span class="change-values num">
      <s class="dim">{badgeText(knob.value, ordered)}</s>
      <span aria-hidden="true" class="dim">
        →
      </span>
      <span class="visually-hidden">to</span>
      <span class={wrong ? 'err' : 'accent'}>{bad?.text ?? badgeText(edits.value[path], ordered)}</span>
    </span>
  );
}

function Yaml() {
  const text = check.value?.yaml ?? '';
  const current = problems.value.length === 0 && !isChecking.value;
  return (
    <section class="yaml" aria-label="The file">
      {text !== '' && <pre class="mono">{text}</pre>}
      <div class="yaml-foot">
        <span class="dim grow">{current ? '' : problems.value.length > 0 ? 'The last valid version' : 'Checking'}</span>
        <Button small icon="copy" disabled={text === ''} onClick={() => void copyText(text, 'YAML')}>
          Copy
        </Button>
      </div>
    </section>
  );
}

function Checks() {
  if (isChecking.value && problems.value.length === 0) return <p class="task-note dim">Checking…</p>;
  if (problems.value.length === 0)
    return (
      <p class="task-note">
        <Badge kind="ok">Valid</Badge> Every term works with this robot.
      </p>
    );
  return (
    <ul class="check-list" aria-label="Problems">
      {problems.value.map(({ path, text }) => (
        <li key={text}>
          <button
            type="button"
            class="check-line"
            onClick={() => {
              query.value = path;
              show.value = 'all';
            }}
          >
            <Badge kind="error">Error</Badge>
            <span>{text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Shows the result of the last dry run of the saved preset. */
function DryRunFound({ preset }: { readonly preset: string }) {
  const task = presets.state.value.value?.presets.find(({ name }) => name === preset)?.task;
  const found = dryRun.value;
  if (found === null || found.task !== task) return null;
  return (
    <section class="section dry-run" aria-labelledby="dry-run-title" aria-busy={found.loading}>
      <h3 id="dry-run-title">Dry run{found.dataset === '' ? '' : ` on ${found.dataset}`}</h3>
      {found.loading && (
        <p class="dim" role="status">
          Building the task and taking its first steps
        </p>
      )}
      {found.error !== null && (
        <p class="err" role="alert">
          {found.error}
        </p>
      )}
      {found.reply !== null && <CheckList checks={found.reply.checks} />}
    </section>
  );
}

function EffectFigures() {
  const effect = check.value?.effect ?? null;
  return (
    <section class="section effect-section" aria-labelledby="effect-title">
      <h3 id="effect-title">Effect</h3>
      {effect === null ? (
        <p class="task-note dim">{problems.value.length > 0 ? 'Shown once every value is valid.' : 'Checking…'}</p>
      ) : (
        <dl class="effect">
          {effect.observations.map(({ group, dim, base }) => (
            <Figure
              key={group}
              name={`${group.charAt(0).toUpperCase()}${group.slice(1)} observation`}
              now={whole(dim)}
              before={base === null || base === dim ? null : whole(base)}
            />
          ))}
          <Figure name="Action" now={whole(effect.action.dim)} before={null} />
          <Figure
            name={`Memory, ${whole(effect.memory.envs)} envs`}
            now={bytes(effect.memory.bytes)}
            before={
              bytes(effect.memory.base_bytes) === bytes(effect.memory.bytes) ? null : bytes(effect.memory.base_bytes)
            }
          />
        </dl>
      )}
    </section>
  );
}

function Figure({
  name,
  now,
  before,
}: {
  readonly name: string;
  readonly now: string;
  readonly before: string | null;
}) {
  return (
    <div>
      <dt class="dim">{name}</dt>
      <dd class="num">
        {before !== null && <span class="dim">{before} → </span>}
        <span class="medium">{now}</span>
      </dd>
    </div>
  );
}

function SavedAs() {
  const now = draft.value;
  const directory = presets.state.value.value?.directory ?? '';
  if (now === null) return null;
  const short = directory.split(/[\\/]/).slice(-2).join('/');
  return (
    <footer class="saved-as">
      <span class="dim">{now.isNew ? 'Will be saved as' : 'Saved as'}</span>
      <span class="mono ellipsis" title={`${directory}/${now.kind}s/${now.name}.yaml`}>
        {short}/{now.kind}s/{now.name}.yaml
      </span>
    </footer>
  );
}
