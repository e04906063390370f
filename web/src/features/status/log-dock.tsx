import '../../ui/dock.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { LogLevel } from '../../../../src/protocol/events.ts';
import { copyText } from '../../ui/clipboard.ts';
import { Button, IconButton, Segmented } from '../../ui/controls.tsx';
import { count, timeOfDay } from '../../ui/format.ts';
import { LogBox, LogSearch } from '../../ui/log-box.tsx';
import { Empty } from '../../ui/states.tsx';
import { blocksOf, countLevels, dayOf, filterLog, type LogEntry } from './log-lines.ts';
import { logEntries, unseenErrors } from './log-store.ts';

/** Number of lines shown at first, and added by each click on "Show earlier lines". */
const STEP = 1000;

/** The log of the service, newest line at the bottom. */
export function LogDock() {
  const [level, setLevel] = useState<LogLevel>('info');
  const [text, setText] = useState('');
  const [most, setMost] = useState(STEP);
  const all = logEntries.value;
  const fitting = useMemo(() => filterLog(all, level, text), [all, level, text]);
  const counts = useMemo(() => countLevels(all), [all]);
  const shown = fitting.slice(-most);
  const earlier = fitting.length - shown.length;
  useEffect(() => {
    unseenErrors.value = 0;
  });
  return (
    <section class="dock log-dock" aria-label="Log" style={{ gridArea: 'dock' }}>
      <div class="log-tools">
        <h2>Log</h2>
        <span class="grow" />
        <LogSearch value={text} onInput={setText} />
        <Segmented
          label="Level"
          value={level}
          options={[
            ['info', 'All', all.length],
            ['warn', 'Warnings', counts.warn],
            ['error', 'Errors', counts.error],
          ]}
          onChange={setLevel}
        />
        <IconButton
          icon="copy"
          label="Copy log"
          disabled={fitting.length === 0}
          onClick={() =>
            void copyText(fitting.map((e) => `${e.time} ${e.level} ${e.source}: ${e.message}`).join('\n'), 'Log')
          }
        />
      </div>
      <LogBox label="Log lines" end={`${fitting.length} ${shown.at(-1)?.id}`}>
        {earlier > 0 && (
          <div class="log-more">
            <Button small kind="outline" onClick={() => setMost(most + STEP)}>
              Show {count(Math.min(STEP, earlier), 'earlier line')}
            </Button>
          </div>
        )}
        {blocksOf(shown).map((block, k, blocks) => (
          <LogBlock
            key={Math.floor(block[0]!.id / 100)}
            lines={block}
            before={blocks[k - 1]?.at(-1)?.day ?? dayOf(new Date())}
          />
        ))}
        {shown.length === 0 && <Empty title={all.length === 0 ? 'The log is empty.' : 'No lines match the filter.'} />}
      </LogBox>
    </section>
  );
}

interface LogBlockProps {
  readonly lines: readonly LogEntry[];
  /** day of the previous line; a divider is drawn before a line of another day */
  readonly before: string;
}

/** A block of lines, rendered again only when it changes: a new line only changes the last block. */
function LogBlock({ lines, before }: LogBlockProps) {
  return useMemo(
    () => (
      <div class="log-block">
        {lines.map((entry, k) => (
          <LogRow key={entry.id} entry={entry} divided={entry.day !== (lines[k - 1]?.day ?? before)} />
        ))}
      </div>
    ),
    [lines.map(({ id }) => id).join(), before],
  );
}

function LogRow({ entry, divided }: { readonly entry: LogEntry; readonly divided: boolean }) {
  return (
    <>
      {divided && <div class="log-day">{entry.day}</div>}
      <div class={`log-line log-${entry.level}`}>
        <span class="faint">{timeOfDay(entry.time)}</span>
        <span class="log-level">{entry.level}</span>
        <span class="log-source">{entry.source}</span>
        <span class="log-message">{entry.message}</span>
      </div>
    </>
  );
}
