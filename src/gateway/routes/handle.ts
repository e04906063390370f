import type { App } from '../../app/app.ts';
import { handlersFor } from '../kernel/handler.ts';

/** Declares handlers that call the application. */
export const { handle, handleTagged, handleContent, handleFile, handleDownload, handleStream, handleUpload } =
  handlersFor<App>();

/** The reply of an action: `{ok: true, …}`. */
export function ok(): { ok: true };
export function ok<T extends object>(more: T): { ok: true } & T;
export function ok(more?: object): { ok: true } {
  return { ok: true, ...more };
}
