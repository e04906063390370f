import { toast } from './toasts.ts';

/** Copies text and shows a toast. Pages served over plain HTTP from another machine have no clipboard interface, so the
 *  text is copied from a hidden field with `execCommand`. */
export async function copyText(text: string, what: string): Promise<void> {
  let copied = false;
  if (navigator.clipboard !== undefined) {
    copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  if (!copied) copied = copyByCommand(text);
  if (copied) toast('ok', `${what} copied`);
  else toast('error', `${what} could not be copied`, 'The browser refuses access to the clipboard.');
}

function copyByCommand(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'offscreen';
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}
