import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string | null>();

/** Runs `work` on behalf of a client. Everything that `work` starts, also later and asynchronously, is attributed to
 *  this client. @param client id of the client; null: no client */
export function actAs<T>(client: string | null, work: () => T): T {
  return storage.run(client, work);
}

/** Returns the id of the client on whose behalf the current code runs; null if there is none. */
export function currentActor(): string | null {
  return storage.getStore() ?? null;
}
