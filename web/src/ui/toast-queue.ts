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

/** The toasts on screen: at most three, the newest last. */
export class ToastQueue {
  readonly toasts = signal<readonly Toast[]>([]);
  #nextId = 1;

  /** Shows a toast. Errors stay until closed, others for 6 s; a repeated text replaces its first toast. */
  readonly toast = (kind: Toast['kind'], title: string, detail = '', action: ToastAction | null = null): void => {
    const others = this.toasts.peek().filter((shown) => shown.title !== title || shown.detail !== detail);
    const added: Toast = { id: this.#nextId++, kind, title, detail, action };
    this.toasts.value = [...others, added].slice(-MOST);
    if (kind !== 'error') setTimeout(() => this.dismiss(added.id), action === null ? LASTS_MS : LASTS_MS + 2000);
  };

  readonly dismiss = (id: number): void => {
    this.toasts.value = this.toasts.peek().filter((shown) => shown.id !== id);
  };

  /** Shows a failed action with the service's own message. A cancelled request is not shown. */
  readonly failed = (what: string, error: unknown, action: ToastAction | null = null): void => {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    this.toast('error', what, messageOf(error), action);
  };
}
