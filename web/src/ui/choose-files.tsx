import { useRef } from 'preact/hooks';
import type { ChosenFile } from './chosen-files.ts';
import { Button } from './controls.tsx';
import { whole } from './format.ts';
import { Icon } from './icon.tsx';

export interface ChooseFilesProps {
  readonly title: string;
  readonly hint: string;
  /** accessible names of the two file inputs */
  readonly filesLabel: string;
  readonly folderLabel: string;
  /** accepted endings of single files; all if omitted */
  readonly accept?: string;
  readonly onChosen: (files: readonly ChosenFile<File>[]) => void;
}

/** Lets the user choose files or a folder on this computer, and says that they may also be dropped. */
export function ChooseFiles({ title, hint, filesLabel, folderLabel, accept, onChosen }: ChooseFilesProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (field: HTMLInputElement) => {
    const chosen = [...(field.files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
    field.value = ''; // allow the same files to be chosen again
    if (chosen.length > 0) onChosen(chosen);
  };
  return (
    <>
      <div class="drop-zone">
        <Icon name="upload" />
        <p class="semi">{title}</p>
        <p class="dim">{hint}</p>
        <div class="drop-buttons">
          <Button kind="outline" onClick={() => folder.current?.click()}>
            Choose a folder
          </Button>
          <Button kind="outline" onClick={() => files.current?.click()}>
            Choose files
          </Button>
        </div>
      </div>
      <input
        ref={files}
        type="file"
        class="visually-hidden"
        tabIndex={-1}
        multiple
        accept={accept}
        aria-label={filesLabel}
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={(field) => {
          folder.current = field;
          field?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        class="visually-hidden"
        tabIndex={-1}
        aria-label={folderLabel}
        onChange={(event) => take(event.currentTarget)}
      />
    </>
  );
}

/** Maximum number of rows that are shown; the others are only counted. */
const SHOWN = 200;

export interface FileRowsProps {
  readonly label: string;
  readonly rows: readonly { readonly name: string; readonly note: string }[];
}

/** A scrolling list of files with a note each; renders nothing without rows. */
export function FileRows({ rows, label }: FileRowsProps) {
  if (rows.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <section class="file-rows" aria-label={label} tabIndex={0}>
      <p class="field-label">{label}</p>
      <ul>
        {rows.slice(0, SHOWN).map(({ name, note }) => (
          <li key={name}>
            <span class="mono">{name}</span>
            <span class="dim num">{note}</span>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && <p class="dim num">and {whole(rows.length - SHOWN)} more</p>}
    </section>
  );
}
