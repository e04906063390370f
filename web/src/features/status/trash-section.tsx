import { useEffect, useState } from 'preact/hooks';
import type { TrashItem } from '../../../../src/protocol/schemas/trash.ts';
import { call } from '../../net/api.ts';
import { FINAL_NOTE, undo } from '../../net/undo.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Confirm } from '../../ui/dialogs/confirm.tsx';
import { ago, bytes, count, sentence } from '../../ui/format.ts';
import { Loadable } from '../../ui/loadable.ts';
import { failed, toast } from '../../ui/toasts.ts';

const trash = new Loadable(() => call('GET /api/trash'));
/** Maximum number of listed items. Of further items only the number is shown. */
const SHOWN = 30;

/** Lists deleted and replaced items, with buttons to restore them. @param now current time of the page's clock, ms */
export function TrashSection({ now }: { readonly now: number }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => void trash.refresh(), []);
  const { value, error } = trash.state.value;
  const items = value?.items ?? [];
  return (
    <section class="section" aria-labelledby="trash-title">
      <div class="section-head trash-head">
        <h3 id="trash-title" class="grow">
          Trash
        </h3>
        <IconButton icon="reset" label="Refresh the trash" onClick={() => void trash.refresh()} />
        <Button small disabled={items.length === 0} onClick={() => setAsked(true)}>
          Empty trash
        </Button>
      </div>
      {error !== null && <p class="err pad-x">The trash could not be read: {error}</p>}
      {value !== null && items.length === 0 && (
        <p class="dim pad-x">What you delete or replace stays here for {count(value.days, 'day')}.</p>
      )}
      <ul class="tasks">
        {items.slice(0, SHOWN).map((item) => (
          <Row key={item.undo} item={item} now={now} />
        ))}
      </ul>
      {items.length > SHOWN && <p class="dim pad-x num">and {items.length - SHOWN} older items</p>}
      <Dialog open={asked} label="Empty trash" onClose={() => setAsked(false)}>
        <Confirm
          title="Empty the trash?"
          word="Delete permanently"
          onClose={() => setAsked(false)}
          run={async () => {
            const removed = await call('POST /api/trash/empty', { body: {} });
            await trash.refresh();
            toast('ok', `${count(removed.items, 'item')} deleted permanently`);
          }}
        >
          {count(items.length, 'item')}, {bytes(items.reduce((sum, item) => sum + item.bytes, 0))}. {FINAL_NOTE}
        </Confirm>
      </Dialog>
    </section>
  );
}

function Row({ item, now }: { readonly item: TrashItem; readonly now: number }) {
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    try {
      await undo([item.undo]);
      toast('ok', `${item.name} restored`);
    } catch (error) {
      failed(`${item.name} could not be restored`, error);
    } finally {
      setBusy(false);
      void trash.refresh();
    }
  };
  return (
    <li>
      <div class="task-row">
        <span class="medium ellipsis grow" title={item.robot === null ? item.name : `${item.name} of ${item.robot}`}>
          {item.name}
        </span>
        <span class="dim">{item.action === 'replace' ? `Former ${item.kind}` : sentence(item.kind)}</span>
        <span class="dim num">{bytes(item.bytes)}</span>
        <span class="dim num task-when">{ago(item.deleted, now)}</span>
        <Button small busy={busy} onClick={() => void restore()}>
          Restore
        </Button>
      </div>
    </li>
  );
}
