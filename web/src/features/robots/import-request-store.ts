import { signal } from '@preact/signals';
import { goTo } from '../../ui/layout.ts';

/** A request to the import wizard: the robot or files to open. */
export type ImportRequest =
  /** continues an upload with this id; null: the last draft, or an empty wizard if there is no draft */
  | { readonly kind: 'continue'; readonly upload: string | null }
  /** opens a saved robot with this id for editing */
  | { readonly kind: 'edit'; readonly robot: string };

/** True while the wizard is shown in place of the area Robots. */
export const importing = signal(false);

/** The latest request. The wizard sets it to null when it opens the requested robot or upload. */
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
