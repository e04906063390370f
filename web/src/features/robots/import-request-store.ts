import { signal } from '@preact/signals';
import { goTo } from '../../ui/layout.ts';

/** What the import wizard shall open. */
export type ImportRequest =
  /** an upload by its id; null: the last draft, else an empty wizard */
  | { readonly kind: 'continue'; readonly upload: string | null }
  /** a saved robot, for editing */
  | { readonly kind: 'edit'; readonly robot: string };

/** Whether the wizard covers the Robots area. */
export const importing = signal(false);

/** The latest request; the wizard clears it when it opens the request. */
export const importRequest = signal<ImportRequest | null>(null);

/** Opens the wizard. @param upload the upload to continue; null continues the last draft */
export function openImport(upload: string | null = null): void {
  open({ kind: 'continue', upload });
}

/** Opens a saved robot in the wizard for editing. */
export function openRobot(robot: string): void {
  open({ kind: 'edit', robot });
}

function open(request: ImportRequest): void {
  goTo('robots');
  importRequest.value = request;
  importing.value = true;
}
