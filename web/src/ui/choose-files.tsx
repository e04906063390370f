import { useRef } from 'preact/hooks';
import type { ChosenFile } from './chosen-files.ts';
import { Button } from './controls.tsx';
import { whole } from './format.ts';
import { Icon } from './icon.tsx';

export interface ChooseFilesProps {
  readonly title: string;
  readonly hint: string;
  /** accessible names of the two fields */
  readonly filesLabel: string;
  readonly folderLabel: string;
  /** endings of single files; all where it is not given */
  readonly accept?: string;
  readonly onChosen: (files: readonly ChosenFile<File>[]) => void;
}

/** Where files come from this computer: says that they may be dropped, and lets a person choose files or a folder. */
export function ChooseFiles({ title, hint, filesLabel, folderLabel, accept, onChosen }: ChooseFilesProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (field: HTMLInputElement) => {
    const chosen = [...(field.files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
    field.value = ''; // the same ones may be chosen again
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

/** More rows than this are only counted. */
const SHOWN = 200;

export interface FileRowsProps {
  readonly label: string;
  readonly rows: readonly { readonly name: string; readonly note: string }[];
}

/** Files with a note each, in a box that scrolls; nothing where there are none. */
export function FileRows({ rows, label }: FileRowsProps) {
  if (rows.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
    <section class="file-rows" aria-label={label} tabIndex={0}>
      <p class="field-label">{label}</p>
      <ul>
        {rows.slice(0, SHOWN).map(({ name, note }) => (
          <li key={name}>
            <span class="mono">{name}</span> <span class="dim num">{note}</span>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && <p class="dim num">and {whole(rows.length - SHOWN)} more</p>}
    </section>
  );
}
