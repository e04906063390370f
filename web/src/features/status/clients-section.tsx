import { identity } from '../../net/client-identity.ts';
import { clients } from '../../net/connection.ts';
import { copyText } from '../../ui/clipboard.ts';
import { Button } from '../../ui/controls.tsx';
import { ago, count, whole } from '../../ui/format.ts';
import { viewerLink } from './viewer-link.ts';

const ROLE = { control: 'Can control', view: 'View only' } as const;

/** Lists the pages and programs that receive the scene. @param now wall time, ms */
export function ClientsSection({ now }: { readonly now: number }) {
  const list = clients.value ?? [];
  const token = identity.value?.view_token ?? null;
  if (list.length === 0) return null;
  return (
    <section class="section" aria-labelledby="clients-title">
      <h3 id="clients-title">Clients</h3>
      <ul class="tasks">
        {list.map(({ id, role, since, rate, skipped, you }) => (
          <li key={id}>
            <div class="task-row">
              <span class={`dot dot-${role === 'control' ? 'accent' : 'hollow'}`} />
              <span class="medium ellipsis grow">{you ? 'This page' : id}</span>
              <span class="dim">{ROLE[role]}</span>
              <span class="dim num task-when">{ago(since, now)}</span>
            </div>
            <p class="dim num">
              {count(Math.round(rate), 'frame')} per second, {whole(skipped)} skipped
            </p>
          </li>
        ))}
      </ul>
      {token !== null && (
        <p class="pad-x">
          <Button small icon="copy" onClick={() => void copyText(viewerLink(location, token), 'Link for viewers')}>
            Copy link for viewers
          </Button>
        </p>
      )}
    </section>
  );
}
