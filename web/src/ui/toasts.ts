import { ToastQueue } from './toast-queue.ts';

/** The toasts of this page. */
export const { toasts, toast, dismiss, failed } = new ToastQueue();
