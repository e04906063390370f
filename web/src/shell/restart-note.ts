import type { Preview } from '../../../src/protocol/schemas/data.ts';
import type { PlaySession } from '../../../src/protocol/schemas/play.ts';
import { loadClip } from '../features/data/preview-store.ts';
import { call } from '../net/api.ts';
import { failed, toast } from '../ui/toasts.ts';

interface Open {
  readonly name: string;
  readonly reopen: () => void;
}

/** What the page showed when the connection was lost. */
export interface Before {
  readonly session: PlaySession | null;
  readonly preview: Preview | null;
}

/** Returns what was open in the scene, with the way to open it again. */
function openIn({ session: played, preview }: Before): Open | null {
  if (played !== null) {
    const { run, checkpoint, motion } = played;
    const reopen = () =>
      void import('../features/play/setup-store.ts').then(
        (play) => play.configure({ run, checkpoint, motion }),
        (error: unknown) => failed('Play could not be loaded', error),
      );
    return { name: run.slice(run.indexOf('/') + 1), reopen };
  }
  const { open = false, dataset = null, clip = null } = preview ?? {};
  if (!open || dataset === null || clip === null) return null;
  return { name: clip, reopen: () => void loadClip(dataset, clip) };
}

/** Says that the service has restarted, if it started after the last connection, and offers to reopen what was open.
 *  @param connectedS time since the last connection was opened, s */
export async function noteRestart(connectedS: number, shown: Before): Promise<void> {
  const { uptime_s: uptimeS } = await call('GET /healthz');
  if (uptimeS >= connectedS) return;
  const before = openIn(shown);
  const action = before && { label: `Reopen ${before.name}`, run: before.reopen };
  toast('info', 'The service has restarted', before ? `${before.name} was open and is closed now.` : '', action);
}
