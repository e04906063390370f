import { useRef } from 'preact/hooks';
import { IconButton } from '../../ui/controls.tsx';
import { count } from '../../ui/format.ts';
import { Icon, StateShape } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { robots } from '../robots/robots-store.ts';
import { gainsLoader } from './load-gains-store.ts';
import { modelFiles, replaced, uploadId } from './wizard-store.ts';

const GAIN_FILE = /\.(ya?ml|json|onnx)$/i;
/** Matches names of files that often contain gains. The menu lists these files first. */
const LIKELY = /deploy|gain|policy|robot\.yaml|actuator|control|config/i;
const MOST_FILES = 20;

/** Menu of the files and robots from which the draft can load gains. */
export function LoadGainsMenu() {
  const input = useRef<HTMLInputElement>(null);
  const own = uploadId.value;
  const files = modelFiles.value
    .map(({ path }) => path)
    .filter((path) => GAIN_FILE.test(path) && (path !== 'robot.yaml' || replaced.value === null))
    .sort((a, b) => Number(LIKELY.test(b)) - Number(LIKELY.test(a)))
    .slice(0, MOST_FILES);
  const others = (robots.state.value.value?.robots ?? []).filter(({ id, error }) => id !== own && error === null);
  return (
    <>
      <Menu label="Load gains from" named buttonClass="btn btn-outline" button={<LoadLabel />}>
        <MenuItem onSelect={() => input.current?.click()}>
          <Icon name="upload" />A file on this computer
        </MenuItem>
        {files.map((path) => (
          <MenuItem key={path} onSelect={() => void gainsLoader.fromFile(path)}>
            <Icon name="list" />
            <span class="mono ellipsis" title={path}>
              {path}
            </span>
          </MenuItem>
        ))}
        {others.map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => void gainsLoader.fromRobot(id)}>
            <Icon name="robot" />
            <span class="ellipsis">{name}</span>
          </MenuItem>
        ))}
      </Menu>
      <input
        ref={input}
        type="file"
        class="visually-hidden"
        tabIndex={-1}
        accept=".yaml,.yml,.json,.onnx"
        aria-label="File with gains"
        onChange={(event) => {
          const field = event.currentTarget;
          const [file] = field.files ?? [];
          field.value = ''; // allows the user to choose the same file again
          if (file) void gainsLoader.fromNewFile(file);
        }}
      />
    </>
  );
}

function LoadLabel() {
  const loading = gainsLoader.loading.value;
  return loading === null ? (
    <>Load gains from…</>
  ) : (
    <>
      <span class="spinner" role="status" aria-label={`Reading ${loading}`} />
      Reading
    </>
  );
}

/** Shows what the last load changed, or why it failed. */
export function LoadedGainsNote() {
  const problem = gainsLoader.problem.value;
  const report = gainsLoader.report.value;
  if (problem === null && report === null) return null;
  return (
    <div
      class={problem === null ? 'note import-loaded' : 'note note-err import-loaded'}
      role={problem === null ? 'status' : 'alert'}
    >
      {problem === null ? <StateShape kind={report!.kept.length > 0 ? 'warning' : 'ok'} /> : <Icon name="warn" />}
      <div class="grow">
        {report === null ? (
          <p>{problem}</p>
        ) : (
          <>
            <p>
              Gains of {count(report.taken, 'joint')} loaded from <span class="mono">{report.source}</span>.
            </p>
            {report.kept.length > 0 && (
              <Names
                text={`Not in the source, unchanged (${count(report.kept.length, 'joint')}):`}
                names={report.kept}
              />
            )}
            {report.unknown.length > 0 && <Names text="Not joints of this robot:" names={report.unknown} />}
            {report.notes.map((note) => (
              <p key={note} class="dim">
                {note}
              </p>
            ))}
          </>
        )}
      </div>
      <IconButton icon="close" label="Dismiss" onClick={gainsLoader.dismiss} />
    </div>
  );
}

function Names({ text, names }: { readonly text: string; readonly names: readonly string[] }) {
  return (
    <p>
      {text} <span class="mono import-break">{names.join(', ')}</span>
    </p>
  );
}
