import '../../styles/dock.css';
import '../../styles/status.css';
import { useEffect, useState } from 'preact/hooks';
import type { LogLevel } from '../../../../src/protocol/events.ts';
import { timeOfDay } from '../../logic/format.ts';
import { IconButton, Segmented } from '../../parts/controls.tsx';
import { LogBox, LogSearch } from '../../parts/log-box.tsx';
import { Empty } from '../../parts/states.tsx';
import { filterLog, logEntries, unseenErrors } from '../../service/log.ts';
import { copyText } from '../../state/clipboard.ts';

/** What the service logged since this page opened, newest at the bottom. */
export function LogDock() {
  const [level, setLevel] = useState<LogLevel>('info');
  const [text, setText] = useState('');
  const all = logEntries.value;
  const shown = filterLog(all, level, text);
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
            ['info', 'All'],
            ['warn', 'Warnings'],
            ['error', 'Errors'],
          ]}
          onChange={setLevel}
        />
        <IconButton
          icon="copy"
          label="Copy log"
          disabled={shown.length === 0}
          onClick={() =>
            void copyText(
              shown.map((e) => `${timeOfDay(e.time)} ${e.level} ${e.source}: ${e.message}`).join('\n'),
              'Log',
            )
          }
        />
      </div>
      <LogBox label="Log lines" end={`${shown.length} ${shown.at(-1)?.id}`}>
        {shown.map((entry) => (
          <div key={entry.id} class={`log-line log-${entry.level}`}>
            <span class="faint">{timeOfDay(entry.time)}</span>
            <span class="log-level">{entry.level}</span>
            <span class="log-source">{entry.source}</span>
            <span class="log-message">{entry.message}</span>
          </div>
        ))}
        {shown.length === 0 && (
          <Empty title={all.length === 0 ? 'Nothing was logged since this page opened.' : 'No line fits.'} />
        )}
      </LogBox>
    </section>
  );
}
