import type { Studio } from '../../app/studio.ts';
import { handlersFor } from '../kernel/handler.ts';

/** The ways to answer a contract with what the application does. */
export const { handle, handleTagged, handleContent, handleFile, handleDownload, handleStream, handleUpload } =
  handlersFor<Studio>();

/** The answer of an action: `{ok: true, …}`. */
export function ok(): { ok: true };
export function ok<T extends object>(more: T): { ok: true } & T;
export function ok(more?: object): { ok: true } {
  return { ok: true, ...more };
}
