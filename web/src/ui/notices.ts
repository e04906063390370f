import { signal } from '@preact/signals';

/** Number of jobs that ended while the page was hidden; shown in the title of the page. */
export const unseenEnds = signal(0);

/** Asks for the permission to show notifications. Call from a click: browsers ignore other calls. */
export function askForNotices(): void {
  if (typeof Notification !== 'undefined' && Notification.permission === 'default')
    void Notification.requestPermission();
}

/** Notifies a user who is not looking at the page that a job has ended: in the title, and as a notification if
 *  allowed. */
export function notice(title: string, text: string): void {
  if (typeof document === 'undefined' || !document.hidden) return;
  unseenEnds.value += 1;
  document.addEventListener(
    'visibilitychange',
    () => {
      unseenEnds.value = 0;
    },
    { once: true },
  );
  if (typeof Notification !== 'undefined' && Notification.permission === 'granted')
    new Notification(title, { body: text });
}
