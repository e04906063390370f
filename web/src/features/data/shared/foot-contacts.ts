import { signal } from '@preact/signals';
import { call } from '../../../net/api.ts';
import { onClip } from '../clip-identity-store.ts';
import { type FootContacts, footContacts } from './contact-stretches.ts';

/** Foot contacts of the open clip; empty until they are known. */
export const contactsOfFeet = signal<readonly FootContacts[]>([]);

/** Keeps `contactsOfFeet` up to date with the open clip. @returns stops the updates */
export function useFootContacts(): () => void {
  let shown: string | null = null;
  const end = onClip((identity) => {
    if (identity !== shown) contactsOfFeet.value = [];
    shown = identity;
    if (identity === null) return;
    const abort = new AbortController();
    call('GET /api/plots/clip', { query: { group: 'feet', ref: false }, signal: abort.signal })
      .then((reply) => {
        contactsOfFeet.value = footContacts(reply);
      })
      .catch(() => {
        // The clip was closed in the meantime, or the plots report the error.
        if (!abort.signal.aborted) contactsOfFeet.value = [];
      });
    return () => abort.abort();
  });
  return () => {
    end();
    contactsOfFeet.value = [];
  };
}
