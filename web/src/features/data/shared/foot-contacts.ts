import { signal } from '@preact/signals';
import { call } from '../../../net/api.ts';
import { onClip } from '../clip-identity-store.ts';
import { type FootContacts, footContacts } from './contact-stretches.ts';

/** When the feet of the open clip stand on the floor; empty until it is known. */
export const contactsOfFeet = signal<readonly FootContacts[]>([]);

/** Keeps them those of the open clip. @returns ends it */
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
        if (!abort.signal.aborted) contactsOfFeet.value = []; // it was closed meanwhile, or the plots say what is wrong
      });
    return () => abort.abort();
  });
  return () => {
    end();
    contactsOfFeet.value = [];
  };
}
