import { signal } from '@preact/signals';
import { messageOf } from './message-of.ts';

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  readonly kind: 'error' | 'info' | 'ok';
  readonly title: string;
  readonly detail: string;
  readonly action: ToastAction | null;
}

const MOST = 3;
const LASTS_MS = 6000;

export const toasts = signal<readonly Toast[]>([]);
let nextId = 1;

/** Shows a toast. Errors stay until closed, others for 6 s; the same text is not shown twice. */
export function toast(kind: Toast['kind'], title: string, detail = '', action: ToastAction | null = null): void {
  const others = toasts.peek().filter((shown) => shown.title !== title || shown.detail !== detail);
  const added: Toast = { id: nextId++, kind, title, detail, action };
  toasts.value = [...others, added].slice(-MOST);
  if (kind !== 'error') window.setTimeout(() => dismiss(added.id), action === null ? LASTS_MS : LASTS_MS + 2000);
}

export function dismiss(id: number): void {
  toasts.value = toasts.peek().filter((shown) => shown.id !== id);
}

/** Tells that something a person asked for did not work, in the service's words. */
export function failed(what: string, error: unknown, action: ToastAction | null = null): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  toast('error', what, messageOf(error), action);
}
