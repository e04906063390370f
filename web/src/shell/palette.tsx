import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { scanDataset } from '../features/data/data-actions.ts';
import { chooseDataset, dataset, datasets } from '../features/data/data-store.ts';
import { loadClip } from '../features/data/preview-store.ts';
import { evaluateDialog } from '../features/evaluate/evaluate-dialog-store.ts';
import { exportDialog } from '../features/exports/export-dialog-store.ts';
import { jobs } from '../features/jobs/jobs-store.ts';
import { session } from '../features/play/session-store.ts';
import { toggleRecording } from '../features/recordings/recordings-store.ts';
import { openImport, openRobot } from '../features/robots/import-request-store.ts';
import { robotDialog } from '../features/robots/robot-dialog-store.ts';
import { resetPose, robots, selectedSummary, selectRobot, toggleWiring } from '../features/robots/robots-store.ts';
import { runs } from '../features/runs/runs-store.ts';
import { chosen } from '../features/tasks/drafts-store.ts';
import { presets } from '../features/tasks/presets-store.ts';
import { taskDialog } from '../features/tasks/task-dialog-store.ts';
import { call } from '../net/api.ts';
import { Kbd } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type DataDialog, dataDialog } from '../ui/dialogs.ts';
import { type Match, match } from '../ui/fuzzy-match.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { goTo, paletteOpen, toggleTheme } from '../ui/layout.ts';
import { failed } from '../ui/toasts.ts';
import { run, SHORTCUTS } from './commands.ts';
import { namedEntries } from './named-entries.ts';

interface Entry {
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
  readonly kind: string;
  readonly keys?: readonly string[];
  readonly run: () => void;
}

const SHOWN = 10;
const CLIPS = 8;
/** Most datasets whose clips are searched. */
const DATASETS = 8;

function openDialog(dialog: DataDialog): void {
  goTo('data');
  dataDialog.value = dialog;
}

/** Commands for the selected dataset. */
function datasetCommands(): readonly Entry[] {
  const name = dataset.peek()?.name;
  if (name === undefined) return [];
  return [
    {
      id: 'convert',
      icon: 'loop',
      text: `Convert ${name}`,
      kind: 'Command',
      run: () => openDialog({ kind: 'convert', dataset: name, clips: null }),
    },
    {
      id: 'scan',
      icon: 'ruler',
      text: `Read the clip lengths of ${name}`,
      kind: 'Command',
      run: () => {
        goTo('data');
        void scanDataset(name);
      },
    },
    {
      id: 'rename-dataset',
      icon: 'heading',
      text: `Rename ${name}`,
      kind: 'Command',
      run: () => openDialog({ kind: 'rename', dataset: name, clip: null }),
    },
    {
      id: 'delete-dataset',
      icon: 'trash',
      text: `Delete ${name}`,
      kind: 'Command',
      run: () => openDialog({ kind: 'delete-dataset', dataset: name }),
    },
  ];
}

/** Commands for the selected robot, unless it is built in. */
function robotCommands(): readonly Entry[] {
  const robot = selectedSummary.peek();
  if (robot === null || robot.source !== 'created') return [];
  return [
    {
      id: 'edit-robot',
      icon: 'wiring',
      text: `Edit ${robot.name}`,
      kind: 'Command',
      run: () => openRobot(robot.id),
    },
    {
      id: 'delete-robot',
      icon: 'trash',
      text: `Delete ${robot.name}`,
      kind: 'Command',
      run: () => {
        robotDialog.value = { kind: 'delete', id: robot.id };
      },
    },
  ];
}

/** Commands for the run of the session, else for the newest run. */
function runCommands(): readonly Entry[] {
  const run = session.peek()?.run ?? runs.state.peek().value?.[0]?.path;
  if (run === undefined) return [];
  const name = run.slice(run.indexOf('/') + 1);
  return [
    {
      id: 'evaluate',
      icon: 'flag',
      text: `Evaluate ${name}`,
      kind: 'Command',
      run: () => {
        evaluateDialog.value = { run };
      },
    },
    {
      id: 'export',
      icon: 'download',
      text: `Export ${name}`,
      kind: 'Command',
      run: () => {
        exportDialog.value = { run };
      },
    },
  ];
}

/** Commands without a keyboard shortcut. */
function pageCommands(): readonly Entry[] {
  return [
    { id: 'theme', icon: 'sun', text: 'Switch theme', kind: 'Command', run: toggleTheme },
    { id: 'default-pose', icon: 'reset', text: 'Default pose', kind: 'Command', run: () => void resetPose(false) },
    { id: 'zero-pose', icon: 'reset', text: 'Zero pose', kind: 'Command', run: () => void resetPose(true) },
    { id: 'add-robot', icon: 'robot', text: 'Add robot', kind: 'Command', run: () => openImport() },
    ...robotCommands(),
    { id: 'import', icon: 'upload', text: 'Import clips', kind: 'Command', run: () => openDialog({ kind: 'import' }) },
    { id: 'new', icon: 'plus', text: 'New dataset', kind: 'Command', run: () => openDialog({ kind: 'new' }) },
    ...datasetCommands(),
    {
      id: 'new-preset',
      icon: 'tasks',
      text: 'New preset',
      kind: 'Command',
      run: () => {
        goTo('tasks');
        taskDialog.value = { kind: 'new', of: 'preset', from: null };
      },
    },
    {
      id: 'new-module',
      icon: 'tasks',
      text: 'New module',
      kind: 'Command',
      run: () => {
        goTo('tasks');
        taskDialog.value = { kind: 'new', of: 'module', from: null };
      },
    },
    {
      id: 'record',
      icon: 'record',
      text: 'Start or stop recording',
      kind: 'Command',
      run: () => void toggleRecording(),
    },
    ...runCommands(),
    { id: 'markers', icon: 'wiring', text: 'Show or hide wiring markers', kind: 'Command', run: toggleWiring },
  ];
}

function fixedEntries(): readonly Entry[] {
  const commands = SHORTCUTS.filter((s) => s.command !== 'palette' && s.command !== 'close').map(
    (s): Entry => ({
      id: s.command,
      icon: 'term',
      text: s.text,
      kind: 'Command',
      keys: s.keys,
      run: () => run(s.command),
    }),
  );
  const presetEntries = (presets.state.value.value?.presets ?? []).map(
    ({ name }): Entry => ({
      id: `preset:${name}`,
      icon: 'tasks',
      text: name,
      kind: 'Preset',
      run: () => {
        goTo('tasks');
        chosen.value = { kind: 'preset', name };
      },
    }),
  );
  const robotEntries = (robots.state.value.value?.robots ?? []).map(
    (robot): Entry => ({
      id: `robot:${robot.id}`,
      icon: 'robot',
      text: robot.name,
      kind: 'Robot',
      run: () => void selectRobot(robot.id),
    }),
  );
  const datasetEntries = (datasets.state.value.value?.datasets ?? []).map(
    (set): Entry => ({
      id: `dataset:${set.name}`,
      icon: 'folder',
      text: set.name,
      kind: 'Dataset',
      run: () => {
        chooseDataset(set.name);
        goTo('data');
      },
    }),
  );
  return [...robotEntries, ...presetEntries, ...datasetEntries, ...namedEntries(), ...commands, ...pageCommands()];
}

function clipEntry(of: string, clip: string): Entry {
  return {
    id: `clip:${of}/${clip}`,
    icon: 'data',
    text: clip,
    kind: `Clip, ${of}`,
    run: () => {
      goTo('data');
      chooseDataset(of);
      void loadClip(of, clip);
    },
  };
}

/** Clips whose name matches the query, as found by the service: those of the selected dataset first. */
function useClips(query: string): readonly Entry[] {
  const [clips, setClips] = useState<readonly Entry[]>([]);
  const name = dataset.value?.name;
  useEffect(() => {
    if (name === undefined || query.trim() === '') {
      setClips([]);
      return;
    }
    const stop = new AbortController();
    const timer = window.setTimeout(async () => {
      try {
        const others = (datasets.state.peek().value?.datasets ?? []).map((set) => set.name);
        const searched = [name, ...others.filter((other) => other !== name)].slice(0, DATASETS);
        const replies = await Promise.all(
          searched.map((of) =>
            call('GET /api/data/clips', {
              query: { dataset: of, q: query.trim(), size: CLIPS },
              signal: stop.signal,
            }),
          ),
        );
        setClips(replies.flatMap(({ dataset: of, clips: found }) => found.map((clip) => clipEntry(of, clip.name))));
      } catch (error) {
        failed('Clips could not be searched', error);
      }
    }, 120);
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [query, name]);
  return clips;
}

function Highlighted({ text, found }: { readonly text: string; readonly found: Match }) {
  const parts: JSX.Element[] = [];
  let at = 0;
  for (const [from, to] of found.spans) {
    parts.push(<span key={at}>{text.slice(at, from)}</span>, <b key={`b${from}`}>{text.slice(from, to)}</b>);
    at = to;
  }
  return (
    <span class="ellipsis grow">
      {parts}
      {text.slice(at)}
    </span>
  );
}

function Results({ close }: { readonly close: () => void }) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const clips = useClips(query);
  useEffect(() => {
    for (const named of [runs, presets]) if (named.state.peek().value === null) void named.refresh();
  }, []);
  const known = useMemo(fixedEntries, [runs.state.value, presets.state.value, jobs.value]);
  const hits = [...clips, ...known]
    .flatMap((entry) => {
      const found = match(query, entry.text);
      return found === null ? [] : [{ entry, found }];
    })
    .sort((a, b) => b.found.score - a.found.score)
    .slice(0, SHOWN);
  const chosen = Math.min(at, Math.max(0, hits.length - 1));

  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [chosen]);

  const pick = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    close();
    // after the dialog has returned the focus, because some commands move it
    window.setTimeout(entry.run, 0);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') setAt(Math.min(hits.length - 1, chosen + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1));
    else if (event.key === 'Enter') pick(hits[chosen]?.entry);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search or run a command"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={hits.length > 0 ? `palette-${chosen}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder="Clip, robot, run, job, task or command"
          value={query}
          autofocus
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Results" ref={list}>
        {hits.map(({ entry, found }, k) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the combobox, which owns this list
          <div
            key={entry.id}
            id={`palette-${k}`}
            role="option"
            tabIndex={-1}
            aria-selected={k === chosen}
            class={`palette-row${k === chosen ? ' on' : ''}`}
            onPointerMove={() => setAt(k)}
            onClick={() => pick(entry)}
          >
            <Icon name={entry.icon} />
            <Highlighted text={entry.text} found={found} />
            {entry.keys === undefined ? <span class="dim">{entry.kind}</span> : <Kbd keys={entry.keys} />}
          </div>
        ))}
      </div>
      {hits.length === 0 && <p class="palette-none dim">No results for “{query.trim()}”.</p>}
    </>
  );
}

export function Palette() {
  const close = () => {
    paletteOpen.value = false;
  };
  return (
    <Dialog open={paletteOpen.value} label="Search or run a command" class="palette" onClose={close}>
      <Results close={close} />
    </Dialog>
  );
}
